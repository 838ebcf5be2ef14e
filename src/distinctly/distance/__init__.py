"""How far a corpus is from a reference. One metric a file; the file's name is the metric's."""
