"""Diversity metrics of one corpus: one metric per file, named after the file."""
