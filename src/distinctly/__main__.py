"""`python -m distinctly` is the command."""

import os
import sys

# Python searches the working folder first, so a file such as click.py there would stand in for a package.
# What follows needs only modules that Python has already imported, so not `pathlib`.
if not getattr(sys.flags, "safe_path", False):
    try:
        here = os.getcwd()  # noqa: PTH109
    except FileNotFoundError:  # it has been removed
        here = ""
    if sys.path[:1] in ([""], [here]):
        del sys.path[0]

from distinctly.cli import main

main()
