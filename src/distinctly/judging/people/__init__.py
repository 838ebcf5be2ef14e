"""Agreement with people: does a metric order sets of texts as people do?"""
