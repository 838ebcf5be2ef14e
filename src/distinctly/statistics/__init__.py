"""Statistics: summaries of a selection of texts, made by folding over batches."""
