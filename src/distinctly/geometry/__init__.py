"""Vectors of texts: their moments, neighbours, clusters and sums over all pairs."""
