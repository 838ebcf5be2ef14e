"""`python -m distinctly` is the command."""

import os
import sys

# Python puts the working folder first, so that a file such as click.py there would stand in for a package.
if not getattr(sys.flags, "safe_path", False) and sys.path[:1] in ([""], [os.getcwd()]):  # noqa: PTH109 - `pathlib` may be there
    del sys.path[0]

from distinctly.cli import main

main()
