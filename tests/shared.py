"""Where the public data sets are, beside the repository; tests that need them skip without them."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared" / "data"
FILES = sorted(path.name for path in SHARED.glob("*.jsonl*")) if SHARED.is_dir() else []
