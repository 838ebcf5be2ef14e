"""Agreement with people: does a metric put sets of texts in the order that people do?"""
