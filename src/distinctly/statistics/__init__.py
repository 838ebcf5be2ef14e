"""Statistics: summaries of texts, most of them folded over batches."""
