"""Known-similarity corpora: does a distance see how much of B is mixed into A?"""
