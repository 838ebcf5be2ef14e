"""Compiled loops. Importing one of these modules imports numba, which takes a second.

Every kernel has a plain counterpart elsewhere that returns the same bits; tests compare the two.
"""
