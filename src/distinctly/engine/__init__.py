"""Engines fold statistics over batches."""
