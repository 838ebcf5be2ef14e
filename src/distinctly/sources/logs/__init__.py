"""Logs of tools that evaluate models: each reader gives texts with fields of the same names."""
