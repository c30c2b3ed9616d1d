"""Texts, such as comments, that become issues."""

from typing import Any, cast

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Name, Text
from kbwork.core.access import visibility
from kbwork.core.operations import nested
from kbwork.core.operations.declare import write
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Write
from kbwork.modules.issues import access, queries
from kbwork.modules.issues.events import CREATION_EVENTS
from kbwork.modules.issues.issue.create import create
from kbwork.modules.issues.model import Issue
from kbwork.modules.issues.relations.relations import add_by_name
from kbwork.modules.issues.structure.clone import project_of


class IssuesPromote(Input):
    from_: Text = Field(alias="from")
    """`comment:<id>` or `check:<id>`, and stickies and pages where their modules are there."""
    title: Name | None = None
    """The first words of the text unless given."""
    project: Text | None = None
    """The project of what it hangs on unless given."""
    type: Text | None = None
    """Key or name of a type of the project; its default unless given."""
    link: Text | None = None
    """The relation to the issue that it hangs on; `relates` unless given."""


@write(
    "issues.promote",
    scope="issues:write",
    words=(
        "make a ticket out of a comment, turn a comment into an issue, turn a note into a task, "
        "checklist item becomes an issue"
    ),
    emits=list(CREATION_EVENTS),
    example={"from": "comment:1", "title": "Say in the manual how vouchers work"},
)
def promote(tx: Write, args: IssuesPromote) -> Issue:
    """Make an issue of a text that is there, such as a comment, and relate it to what the text hangs on."""
    name, ref = ref_of(visibility.canonical(tx, args.from_))
    kind = visibility.things(tx).get(name)
    if kind is None or kind.promotion is None:
        known = sorted(one.name for one in visibility.things(tx).values() if one.promotion is not None)
        raise InvalidInput(
            f"An issue is not made of {args.from_!r}.",
            field="from",
            allowed=[f"{word}:<id>" for word in known],
        )
    source = kind.promotion.source(tx, ref) if visibility.reads(tx, name) else None
    if source is None:
        raise InvalidInput(f"There is no {args.from_!r} that you can see.", field="from")
    about = access.find(tx, source.about) if source.about else None
    if args.project is None and about is None:
        raise InvalidInput("Say in which project it is to be made.", field="project")
    project = args.project or project_of(tx, cast("IssueRow", about))["key"]
    value: dict[str, Any] = {"project": project, "title": args.title or source.title, "body": source.body}
    made = nested.run(tx, create, value | ({"type": args.type} if args.type else {}))
    if about is not None:
        add_by_name(tx, args.link or "relates", queries.stored(tx, made["id"]), about, field="link")
    if kind.promotion.promoted is not None:
        kind.promotion.promoted(tx, ref, made["id"])
    return queries.one(tx, made["id"])
