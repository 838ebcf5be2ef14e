"""The pages of scores: which blocks a reader is shown, and in which order."""
