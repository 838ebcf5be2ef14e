"""The version, which is in every signature."""

__version__ = "0.2.0"
