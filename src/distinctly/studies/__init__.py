"""Annotation studies: people score the diversity of sets of texts, as in Liu et al. (2022)."""
