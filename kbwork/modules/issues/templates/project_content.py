"""Templates of issues as a part of what a project is made of."""

from typing import Any

from kbwork.core.operations import nested
from kbwork.db.tx import Read, Write
from kbwork.modules.issues.templates.templates import IssuesTemplates, template_save, templates
from kbwork.modules.projects import ContentPart, given


def _of(tx: Read, project: str) -> list[dict[str, Any]]:
    """Its own, without those of the org."""
    shown = [one for one in templates(tx, IssuesTemplates(project=project)) if one["project"] == project]
    return [given(one, "name", "type", "input", "children") for one in shown]


def _make(tx: Write, value: dict[str, Any]) -> None:
    nested.run(tx, template_save, value)


PART = ContentPart(home=__name__, name="templates", of=_of, make=_make)
