"""A record of the numbers that the package computes, to be compared before and after a change.

    python -m scripts.record run before.json
    python -m scripts.record compare before.json after.json

Cases that need the public data sets in ``../shared/data`` are left out if that folder is absent.
"""
