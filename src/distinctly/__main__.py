"""`python -m distinctly` is the command."""

from distinctly.cli import main

main()
