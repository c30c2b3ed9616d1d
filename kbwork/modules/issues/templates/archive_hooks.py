"""Templates of issues restored from the archive of their project."""

from functools import partial
from typing import Any

from kbwork.core.operations import nested
from kbwork.core.ports.archive import ArchiveHook, ArchiveReferences


def _restore(refs: ArchiveReferences, _project: int, templates: list[dict[str, Any]]) -> None:
    for template in templates:
        refs.attempt(f"The template {template['name']}", partial(_restore_one, refs, template))


def _restore_one(refs: ArchiveReferences, template: dict[str, Any]) -> None:
    value = {
        "project": refs.project["key"],
        "name": template["name"],
        "type": refs.key("issue_type", template["type"]),
        "input": refs.here(template["input"], alone=True),
        "children": refs.here(template["children"], alone=True),
    }
    saved = nested.run(refs.tx, "issues.template_save", value)
    ident = max(one["id"] for one in saved if one["project"] == refs.project["key"])
    refs.made("templates", f"template/{template['name']}", f"template:{ident}")


TEMPLATES = ArchiveHook(home=__name__, line="projects.jsonl", name="templates", restored=_restore)
