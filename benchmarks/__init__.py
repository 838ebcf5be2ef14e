"""Benchmarks: ours beside the peers, in one run. `python -m benchmarks` writes RESULTS.md."""
