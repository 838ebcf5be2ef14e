"""Views: the forms of texts that statistics read."""
