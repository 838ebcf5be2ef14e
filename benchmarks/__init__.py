"""Benchmarks of the package and of its peers: `python -m benchmarks` writes RESULTS.md, beside this file."""
