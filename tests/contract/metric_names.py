"""The metrics that a page of the manual tells of, and those that a server shows."""

import re
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

import kbwork

DOCS = Path(kbwork.__file__).parent / "docs"


def explained(page: str, prefix: str) -> set[str]:
    """Those that begin so, by the page."""
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    return set(re.findall(rf"`({prefix}[a-z_]+)`", text))


def answered(text: str, prefix: str) -> set[str]:
    """Those that begin so in what a server answers."""
    names = {sample.name for family in text_string_to_metric_families(text) for sample in family.samples}
    return {name for name in names if name.startswith(prefix)}
