"""CITATION.cff and docs/citing.md say the same as the package."""

from __future__ import annotations

import re
from pathlib import Path

import distinctly


def test_the_citation_has_the_version_of_the_package(root: Path) -> None:
    citation = (root / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {distinctly.__version__}\n" in citation
    page = (root / "docs" / "citing.md").read_text(encoding="utf-8")
    assert f"version = {{{distinctly.__version__}}}" in page
    assert f"distinctly {distinctly.__version__};" in page


def test_the_citation_names_the_license_and_the_title_of_the_package(root: Path) -> None:
    citation = (root / "CITATION.cff").read_text(encoding="utf-8")
    project = (root / "pyproject.toml").read_text(encoding="utf-8")
    (license_name,) = re.findall(r'^license = "(.+)"$', project, re.MULTILINE)
    (description,) = re.findall(r'^description = "(.+)"$', project, re.MULTILINE)
    assert f"\nlicense: {license_name}\n" in citation
    assert f'\ntitle: "distinctly: {description}"\n' in citation
