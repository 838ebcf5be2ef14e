"""The pages: one router per file, found by listing this folder."""
