"""Known-diversity corpora: does a metric order corpora by their diversity?"""
