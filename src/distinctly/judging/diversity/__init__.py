"""Known-diversity corpora: does a metric put corpora in the order of their diversity?"""
