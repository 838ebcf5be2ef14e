"""Increasingly fine-tuned corpora: does the distance from a reference fall during training?"""
