"""Pages of the documentation site that are generated, and its navigation.

`commands` and `python` write the reference, `outside` makes pages of files that are not in `docs`, and
`navigation` orders all pages. `scripts/site_hooks.py` gives them to MkDocs. Nothing here imports MkDocs, so
that tests can read what is generated without it.
"""
