"""Sources read what users have, files or objects in memory, and yield batches of texts."""
