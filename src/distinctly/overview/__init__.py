"""Overviews: one page with the scores, distances, repetitions and a map of one or several corpora."""
