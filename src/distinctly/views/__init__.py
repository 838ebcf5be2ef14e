"""Views: what a metric sees of a text."""
