"""Increasingly fine-tuned corpora: does the distance from a reference fall as training goes on?"""
