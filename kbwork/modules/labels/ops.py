"""Look at labels, make and change one, fold several into one, take one away."""

from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed, NotFound
from kbwork.base.events import Event
from kbwork.base.model import Id, Input, Name, Text
from kbwork.core.operation import destructive, read, write
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.labels import queries
from kbwork.modules.labels.model import PALETTE, Colour, Label, LabelDeleted, LabelMerged, LabelSaved
from kbwork.modules.projects import access


class LabelsList(Input):
    project: Text | None = None
    """Key of a project: its labels and the org's."""
    q: Text | None = None
    """Words in the name or description."""


@read("labels.list", scope="projects:read", example={"project": "WEB"})
def list_(tx: Read, args: LabelsList) -> list[Label]:
    """List labels with their use counts. With a project: those an issue of it may carry.

    Counts are of the issues and pages that you see.
    """
    where, binds = ["1"], {}
    if args.project:
        where.append("(l.project is null or l.project = :project)")
        binds["project"] = access.project(tx, args.project)["id"]
    for number, word in enumerate((args.q or "").lower().split()):
        where.append(f"(instr(lower(l.name), :q{number}) or instr(lower(l.description), :q{number}))")
        binds[f"q{number}"] = word
    return queries.shown(tx, " and ".join(where), **binds)


class LabelsSave(Input):
    id: Id | None = None
    """The label to change; left out: make one."""
    name: Name
    color: Colour | None = None
    project: Text | None = None
    """Key of the project it belongs to; null: the org. Decided when it is made, but null lifts it to the org."""
    group: Text | None = None
    """Labels of one group exclude each other on an issue; null takes it out of its group."""
    description: Text | None = None


@write(
    "labels.save",
    scope="projects:write",
    emits=[LabelSaved],
    example={"name": "regression", "color": "#d64545", "description": "It worked before"},
)
def save(tx: Write, args: LabelsSave) -> Label:
    """Make a label, or change one: fields that are not named stay.

    Admins keep the org's labels, project leads their project's. A name is unique without case among the org's and
    one project's labels (409). A label cannot join a group while an issue carries another label of it (409).
    """
    if args.id is None:
        return _make(tx, args)
    found = _get(tx, args.id)
    _require_keeper(tx, found["project"])
    changes: dict[str, Any] = {
        "name": args.name,
        "color": args.color or found["color"],
        "project": found["project"],
    }
    if args.given("project"):
        changes["project"] = _owner(tx, args.project, found)
    if args.given("group"):
        changes["family"] = args.group or None
    if args.description is not None:
        changes["description"] = args.description
    changed = {field: value for field, value in changes.items() if found[field] != value}
    if changed:
        _require_free(tx, args.name, changes["project"], found["id"])
        _require_exclusive(tx, found["id"], changed.get("family"))
        tx.update("label", found["id"], **changed)
        shown = {
            ("group" if field == "family" else field): (found[field], value)
            for field, value in changed.items()
        }
        if "project" in shown:
            shown["project"] = (_key(tx, found["project"]), None)
        _tell(tx, LabelSaved, changes["project"], payload={"name": args.name}, changes=shown)
    return _one(tx, found["id"])


class LabelsMerge(Input):
    from_: Annotated[list[Id], Field(alias="from", min_length=1, max_length=100)]
    """The labels that go."""
    into: Id
    """The label that stays."""


@write("labels.merge", scope="projects:write", emits=[LabelMerged], example={"from": [2], "into": 1})
def merge(tx: Write, args: LabelsMerge) -> list[Label]:
    """Fold labels into one: what carried them carries that one, and they are gone.

    A label of a project folds into one of the same project or of the org, the org's only into the org's (422).
    """
    into = _get(tx, args.into)
    gone = [_get(tx, label) for label in dict.fromkeys(args.from_)]
    for label in (into, *gone):
        _require_keeper(tx, label["project"])
    for label in gone:
        if label["id"] == into["id"]:
            raise InvalidInput("A label cannot be folded into itself.", field="from")
        if into["project"] is not None and label["project"] != into["project"]:
            raise InvalidInput(f"{label['name']} is not of the project of {into['name']}.", field="from")
    touched = queries.issues_with(tx, [label["id"] for label in gone])
    for issue in touched:
        _replace(tx, issue, [label["id"] for label in gone], into)
    for label in gone:
        tx.delete("label", label["id"])
    payload = {"name": into["name"], "from": [label["name"] for label in gone], "issues": len(touched)}
    _tell(tx, LabelMerged, into["project"], payload=payload)
    return queries.shown(tx)


class LabelsDelete(Input):
    id: Id


@destructive("labels.delete", scope="projects:write", emits=[LabelDeleted], example={"id": 1})
def delete(tx: Write, args: LabelsDelete) -> list[Label]:
    """Take a label away, from every issue and page that carries it too. Answers the labels that are left."""
    label = _get(tx, args.id)
    _require_keeper(tx, label["project"])
    touched = queries.issues_with(tx, [label["id"]])
    for issue in touched:
        tx.delete("issue_label", (issue, label["id"]))
    tx.delete("label", label["id"])
    _tell(tx, LabelDeleted, label["project"], payload={"name": label["name"], "issues": len(touched)})
    return queries.shown(tx)


def _make(tx: Write, args: LabelsSave) -> Label:
    project = access.project(tx, args.project)["id"] if args.project else None
    _require_keeper(tx, project)
    _require_free(tx, args.name, project, None)
    count = tx.value("select count(*) from label where project is :project", project=project)
    label = tx.insert(
        "label",
        name=args.name,
        color=args.color or PALETTE[count % len(PALETTE)],
        project=project,
        family=args.group or None,
        description=args.description or "",
    )
    _tell(tx, LabelSaved, project, payload={"name": args.name})
    return _one(tx, label)


def _get(tx: Read, label: int) -> Row:
    row = queries.row(tx, label)
    if row is None:
        raise NotFound(f"There is no label {label} that you can see; labels.list shows them.")
    return row


def _one(tx: Read, label: int) -> Label:
    return queries.shown(tx, "l.id = :label", label=label)[0]


def _require_keeper(tx: Read, project: int | None) -> None:
    """Admins keep the org's labels, leads their project's."""
    if project is None and not tx.caller.admin:
        raise NotAllowed("The org's labels are kept by admins; leads may make labels of their project.")
    if project is not None and not access.at_least(tx, project, "lead"):
        raise NotAllowed("A project's labels are kept by its leads.")


def _require_free(tx: Read, name: str, project: int | None, but: int | None) -> None:
    """The name is not taken among the labels that can stand beside this one."""
    beside = "1" if project is None else "(project is null or project = :project)"
    taken = tx.one(
        f"select id, name from label where lower(name) = lower(:name) and id is not :but and {beside}",
        name=name,
        but=but,
        project=project,
    )
    if taken is not None:
        raise Conflict(f"There is a label {taken['name']!r} already; names are unique without case.")


def _require_exclusive(tx: Read, label: int, family: str | None) -> None:
    """No issue carries another label of the group that this one joins."""
    if family is None:
        return
    both = tx.value(
        "select count(distinct one.issue) from issue_label one join issue_label other on other.issue = one.issue"
        " join label l on l.id = other.label where one.label = :label and l.id <> :label and l.family = :family",
        label=label,
        family=family,
    )
    if both:
        raise Conflict(
            f"{both} issues carry another label of the group {family!r}: take one of them off first."
        )


def _owner(tx: Read, project: str | None, found: Row) -> int | None:
    """The project a label is to belong to: its own, or none, which lifts it to the org."""
    if project is None or project == "":
        if found["project"] is not None:
            _require_keeper(tx, None)
        return None
    wanted: int = access.project(tx, project)["id"]
    if wanted != found["project"]:
        raise InvalidInput("A label stays in its project; null lifts it to the org.", field="project")
    return wanted


def _replace(tx: Write, issue: int, gone: list[int], into: Row) -> None:
    """One issue's labels after a merge: the new one once, and no other of its group."""
    for label in gone:
        tx.delete("issue_label", (issue, label))
    if into["family"] is not None:
        for other in tx.column(
            "select u.label from issue_label u join label l on l.id = u.label"
            " where u.issue = :issue and l.family = :family and l.id <> :into",
            issue=issue,
            family=into["family"],
            into=into["id"],
        ):
            tx.delete("issue_label", (issue, other))
    if (
        tx.one(
            "select 1 from issue_label where issue = :issue and label = :into", issue=issue, into=into["id"]
        )
        is None
    ):
        tx.insert("issue_label", issue=issue, label=into["id"])


def _key(tx: Read, project: int | None) -> str | None:
    found: str | None = tx.value("select key from project where id = :project", project=project)
    return found


def _tell(tx: Write, event: type[Event], project: int | None, **told: Any) -> None:
    """An event of the org is for everyone, one of a project for those who see it."""
    if project is None:
        tx.emit(event(subject="org:1", **told))
    else:
        tx.emit(event(subject=f"project:{_key(tx, project)}", heard_by="seen", **told))
