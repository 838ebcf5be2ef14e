"""Marks for tests that need what only some operating systems have."""

from __future__ import annotations

import os

import pytest

# Signals that end a process in an orderly way, named pipes, links that every user may create, permissions.
posix = pytest.mark.skipif(os.name != "posix", reason="signals, pipes, links or permissions of POSIX")
