"""One report of everything about several corpora: what differs, by how much, and what may be noise."""
