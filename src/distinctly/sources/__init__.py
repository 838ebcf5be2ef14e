"""Sources read files or objects in memory, and yield batches of texts."""
