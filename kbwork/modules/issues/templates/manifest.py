"""Templates of issues in the archive of a project."""

from typing import Any

from kbwork.core.ports.archive import ArchivedList, Id, Word, few, named, peopled

TEMPLATES = ArchivedList(
    "projects.jsonl",
    "templates",
    table="issue_template",
    order="id",
    late=True,
    saved_by="issues.template_save",
    noted=True,
    columns={
        "name": Word,
        "type": named("issue_type", word=Id),
        "input": peopled(dict[str, Any]),
        "children": peopled(few(dict[str, Any])),
    },
)
"""As issues.templates answers them."""
