"""One run: the plan, the corpora, draws from them, their scores, and what explains these."""
