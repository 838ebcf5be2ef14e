"""Pages of the documentation site that are generated, and its navigation.

`commands` and `python` write the reference, and `outside` makes pages of files that are not in `docs`.
`navigation` orders all pages; `loaded` finds what a page would load from another machine.
`scripts/site_hooks.py` gives all this to MkDocs. Nothing here imports MkDocs, so that tests can read what is
generated without it.
"""
