"""Fixtures of this folder."""

from tests.cli.fixtures import command, save

__all__ = ["command", "save"]
