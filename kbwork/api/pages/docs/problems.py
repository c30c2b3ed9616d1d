"""A page for each way a call can be refused: what it means and what to do."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import kbwork
from kbwork.api.pages.docs import markdown
from kbwork.api.pages.docs.manual import contents
from kbwork.api.pages.render import render_cached
from kbwork.api.pages.response import PageResponse
from kbwork.base.errors import NotFound, Problem, every_problem

_SOURCE = Path(kbwork.__file__).parent / "docs" / "problems.md"
_SAID = re.compile(r"^> (.*)$", re.MULTILINE)
"""In the text: a `detail` as it may be said."""
_EXAMPLES: dict[str, dict[str, Any]] = {
    "invalid-input": {"errors": [{"path": "title", "message": "is required"}]},
    "unknown-field": {
        "errors": [
            {
                "path": "titel",
                "message": "There is no field 'titel' here. Did you mean 'title'?",
                "allowed": ["body", "project", "title"],
            }
        ]
    },
    "insufficient-scope": {"scopes": ["issues:write"]},
}
"""Members that stand beside the five that every problem has."""


@cache
def texts() -> dict[str, str]:
    """Slug -> Markdown, read off the headings of the page."""
    parts = re.split(r"^## ", _SOURCE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    split = (part.partition("\n") for part in parts)
    return {heading.strip().strip("`"): body.strip() for heading, _, body in split}


@cache
def show_problem(slug: str) -> PageResponse:
    """Raises NotFound."""
    kind = next((kind for kind in every_problem() if kind.slug == slug), None)
    if kind is None:
        raise NotFound(f"There is no problem {slug!r}; /docs/problems lists them all.")
    return render_cached(
        "problem_page.html",
        groups=contents(),
        here="problems",
        title=kind.title,
        kind=kind,
        html=markdown.clean(_SAID.sub("", texts().get(slug, ""))),
        example=_example(kind),
    )


def _example(kind: type[Problem]) -> str:
    details = _SAID.findall(texts().get(kind.slug, ""))
    document = {
        "type": f"/problems/{kind.slug}",
        "title": kind.title,
        "status": kind.status,
        "detail": " ".join(details) or kind.title,
        "request_id": "k3v9x2m7q1ab",
        **_EXAMPLES.get(kind.slug, {}),
    }
    return json.dumps(document, ensure_ascii=False, indent=2)
