"""Benchmarks of the package and of its peers, in one run. `python -m benchmarks` writes RESULTS.md."""
