"""Length bias: does a score depend on how long the texts are?"""
