"""The version, which is in every signature."""

__version__ = "0.1.0"
