"""The folder of public data sets next to the repository; tests that need it are skipped without it."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared" / "data"
FILES = sorted(path.name for path in SHARED.glob("*.jsonl*")) if SHARED.is_dir() else []
