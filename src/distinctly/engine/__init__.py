"""Engines: they fold statistics over batches."""
