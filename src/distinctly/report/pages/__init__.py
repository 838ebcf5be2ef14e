"""The pages of scores: their blocks, and the order of these."""
