"""Distances of a candidate corpus from a reference: one metric per file, named after the file."""
