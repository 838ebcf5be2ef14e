"""Known-similarity corpora: does a distance measure how much of B is mixed into A?"""
