"""The compiled loops, and nothing else. Importing one of them imports numba, which takes a second.

Every kernel has a plain twin elsewhere that gives the same bits; tests compare the two.
"""
