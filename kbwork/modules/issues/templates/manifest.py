"""Templates of issues in the archive of a project."""

from typing import Any

from kbwork.core.ports.archive import ArchivedList, Id, Word, few, named, peopled

TEMPLATES = ArchivedList(
    line="projects.jsonl",
    name="templates",
    table="issue_template",
    by="project",
    order="id",
    late=True,
    columns={
        "name": Word,
        "type": named("issue_type", word=Id),
        "input": peopled(dict[str, Any]),
        "children": peopled(few(dict[str, Any])),
    },
)
"""As issues.templates answers them."""
