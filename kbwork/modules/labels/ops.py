"""Look at labels, make and change one, fold several into one, take one away."""

from typing import Annotated, Any, Literal

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Id, Input, Name, Text
from kbwork.base.text import folded
from kbwork.core import named
from kbwork.core.operations.declare import destructive, read, write
from kbwork.db.rows import LabelRow
from kbwork.db.tx import Read, Write, with_columns
from kbwork.modules.labels import queries, validation
from kbwork.modules.labels.access import require_keeper
from kbwork.modules.labels.model import PALETTE, Colour, Label, LabelDeleted, LabelMerged, LabelSaved
from kbwork.modules.projects import access, audience


class LabelsList(Input):
    project: Text | None = None
    """Key of a project: its labels and the org's."""
    q: Text | None = None
    """Words in the name or description."""


@read(
    "labels.list",
    scope="projects:read",
    words="which tags exist, all labels, most used tags, tag cloud",
    example={"project": "WEB"},
)
def list_(tx: Read, args: LabelsList) -> list[Label]:
    """List labels with their use counts. With a project: those an issue of it may carry.

    Counts are of the issues and pages that you see.
    """
    project = access.project(tx, args.project)["id"] if args.project else None
    return queries.shown(tx, project=project, words=args.q or "")


class LabelsSave(Input):
    id: Id | None = None
    """The label to change; left out: make one."""
    name: Name
    """What it says."""
    color: Colour | None = None
    """Colour as `#rrggbb`."""
    project: Text | None = None
    """Key of the project it belongs to; null: the org. Decided when it is made, but null lifts it to the org."""
    group: Name | Literal[""] | None = None
    """Labels of one group exclude each other on an issue; null takes it out of its group."""
    description: Text | None = None
    """When to use it."""


@write(
    "labels.save",
    scope="projects:write",
    words="new tag, create a label, color of a label, rename a tag",
    emits=[LabelSaved, LabelDeleted],
    example={"name": "regression", "color": "#d64545", "description": "It worked before"},
)
def save(tx: Write, args: LabelsSave) -> Label:
    """Make a label, or change one: fields that are not named stay.

    Admins keep the org's labels, project leads their project's. A name is unique without case among the org's and
    one project's labels (409). A label cannot join a group while an issue carries another label of it (409).
    """
    return _make(tx, args) if args.id is None else _change(tx, args.id, args)


class LabelsMerge(Input):
    from_: Annotated[list[Id], Field(alias="from", min_length=1, max_length=1000)]
    """The labels that go."""
    into: Id
    """The label that stays."""


@write(
    "labels.merge",
    scope="projects:write",
    words="merge tags, combine labels, same label twice, tags spelled differently",
    emits=[LabelMerged],
    example={"from": [2], "into": 1},
)
def merge(tx: Write, args: LabelsMerge) -> list[Label]:
    """Fold labels into one: what carried them carries that one, and they are gone.

    A label of a project folds into one of the same project or of the org, the org's only into the org's (422).
    """
    into = _kept(tx, args.into)
    gone = [_kept(tx, label) for label in dict.fromkeys(args.from_)]
    for label in gone:
        if label["id"] == into["id"]:
            raise InvalidInput("A label cannot be folded into itself.", field="from")
        if into["project"] is not None and label["project"] != into["project"]:
            raise InvalidInput(f"{label['name']} is not of the project of {into['name']}.", field="from")
    uses = queries.uses(tx, [label["id"] for label in gone])
    for use in uses:
        tx.delete("issue_label", (use["issue"], use["label"]))
    for issue in dict.fromkeys(use["issue"] for use in uses):
        _put_on(tx, issue, into)
    for label in gone:
        tx.delete("label", label["id"])
    for project in dict.fromkeys((into["project"], *(label["project"] for label in gone))):
        names = [label["name"] for label in gone if label["project"] == project]
        payload = _about(into) | {
            "into": into["id"],
            "from": names,
            "issues": len({use["issue"] for use in uses}),
        }
        if names or project == into["project"]:
            audience.tell(tx, LabelMerged, project, payload=payload)
    return queries.shown(tx)


class LabelsDelete(Input):
    id: Id
    """Id of the label, from `labels.list`."""


@destructive(
    "labels.delete",
    scope="projects:write",
    words="remove a tag, delete a label from everywhere",
    emits=[LabelDeleted],
    example={"id": 1},
)
def delete(tx: Write, args: LabelsDelete) -> list[Label]:
    """Take a label away, from every issue and page that carries it too. Answers the labels that are left."""
    label = _kept(tx, args.id)
    uses = queries.uses(tx, [label["id"]])
    for use in uses:
        tx.delete("issue_label", (use["issue"], use["label"]))
    tx.delete("label", label["id"])
    audience.tell(tx, LabelDeleted, label["project"], payload=_about(label) | {"issues": len(uses)})
    return queries.shown(tx)


def _make(tx: Write, args: LabelsSave) -> Label:
    project = access.project(tx, args.project)["id"] if args.project else None
    require_keeper(tx, project)
    validation.require_free(tx, args.name, project)
    last = tx.value("select max(id) from label") or 0
    label = tx.insert(
        "label",
        name=args.name,
        name_key=folded(args.name),
        color=args.color or PALETTE[last % len(PALETTE)],
        project=project,
        family=validation.family(tx, args.group),
        description=args.description or "",
    )
    audience.tell(tx, LabelSaved, project, payload={"label": label, "name": args.name})
    return queries.one(tx, label)


def _change(tx: Write, label: int, args: LabelsSave) -> Label:
    found = _kept(tx, label)
    wanted: dict[str, Any] = {
        "name": args.name,
        "name_key": folded(args.name),
        "color": args.color or found["color"],
    }
    if args.given("project"):
        wanted["project"] = _owner(tx, args.project, found)
    if args.given("group"):
        wanted["family"] = validation.family(tx, args.group)
    changed = named.diff(found, wanted | args.filled("description"))
    if not changed:
        return queries.one(tx, label)
    after = with_columns(found, changed)
    validation.require_free(tx, args.name, after["project"], but=label)
    validation.require_exclusive(tx, after)
    tx.update("label", label, **changed)
    if "project" in changed:
        audience.tell(tx, LabelDeleted, found["project"], payload=_about(found))
        audience.tell(tx, LabelSaved, None, payload=_about(after))
    else:
        changes = named.changes(found, changed)
        told = {_FIELDS.get(column, column): sides for column, sides in changes.items()}
        audience.tell(tx, LabelSaved, found["project"], payload=_about(after), changes=told)
    return queries.one(tx, label)


_FIELDS = {"family": "group"}
"""Columns that the shape calls otherwise: `group` is a word of SQL."""


def _kept(tx: Read, label: int) -> LabelRow:
    """A label that the caller keeps. Raises NotFound where they do not see it, NotAllowed where others keep it."""
    row = named.seen(queries.row(tx, label), "label", label, "labels.list")
    require_keeper(tx, row["project"])
    return row


def _owner(tx: Read, project: str | None, found: LabelRow) -> int | None:
    """The project a label is to belong to: its own, or none, which lifts it to the org."""
    if not project:
        if found["project"] is not None:
            require_keeper(tx, None)
        return None
    wanted: int = access.project(tx, project)["id"]
    if wanted != found["project"]:
        raise InvalidInput("A label stays in its project; null lifts it to the org.", field="project")
    return wanted


def _put_on(tx: Write, issue: int, label: LabelRow) -> None:
    """Put a label on an issue, once; another of its group goes."""
    others = tx.column(
        "select u.label from issue_label u join label l on l.id = u.label"
        " where u.issue = :issue and (l.id = :label or l.family = :family)",
        issue=issue,
        label=label["id"],
        family=label["family"],
    )
    for other in others:
        if other != label["id"]:
            tx.delete("issue_label", (issue, other))
    if label["id"] not in others:
        tx.insert("issue_label", issue=issue, label=label["id"])


def _about(label: LabelRow) -> dict[str, Any]:
    return {"label": label["id"], "name": label["name"]}
