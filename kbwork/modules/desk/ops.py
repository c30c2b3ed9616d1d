"""The desks: list them, make a project one, change its settings."""

import json
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Body, Email, Empty, Input, Int, Name, Text
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read, write
from kbwork.core.ports import mail
from kbwork.core.references import ProjectRef
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.desk import access, logo
from kbwork.modules.desk.model import Desk, DeskSaved
from kbwork.modules.projects import access as projects

Language = Annotated[str, Field(pattern=r"^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$")]
_DESKS = (
    f"select d.*, p.key as project_key from desk d join project p on p.id = d.project where {projects.SEEN}"
)
_TOLD = (
    "name",
    "intro",
    "enabled",
    "open_signup",
    "kb_space",
    "show_agents",
    "survey",
    "reopen_days",
    "languages",
    "logo",
    "reply_to",
)


@read(
    "desk.list",
    scope="issues:read",
    words="which service desks are there, support desks, help desk settings, portals",
    example={},
)
def list_(tx: Read, args: Empty) -> list[Desk]:
    """List the service desks of the projects that you see, by name."""
    access.refuse_guests(tx)
    rows = tx.all(f"{_DESKS} order by lower(d.name), d.project", **visibility.binds(tx))
    return [_shown(row) for row in rows]


class DeskSave(Input):
    project: ProjectRef
    name: Name | None = None
    """What customers read; that of the project unless given."""
    intro: Body | None = None
    """What stands above its request types, in Markdown; an empty text: nothing."""
    enabled: bool | None = None
    """False shuts it: the portal shows neither it nor its requests, and nothing comes in. A new one is open."""
    open_signup: bool | None = None
    """Whether anybody may make a portal account; a new desk lets nobody."""
    kb_space: Text | None = None
    """Key of the space of pages whose published articles the portal suggests; null: none."""
    show_agents: bool | None = None
    """Whether customers read the names of those who answer; a new desk answers under its own name."""
    survey: bool | None = None
    """Whether customers are asked how it went when a request is closed, from now on: on the request, and five minutes
    later by a letter."""
    reopen_days: Annotated[Int, Field(ge=0, le=3650)] | None = None
    """So many days after it was closed a customer may reopen a request; null: always."""
    languages: Annotated[list[Language], Field(max_length=50)] | None = None
    """Languages that the desk answers in, such as `en`."""
    logo: Annotated[Text, Field(max_length=2000)] | None = None
    """Its picture on the portal: the id of a PNG, JPEG, GIF or WebP of at most 1 MB that hangs on the project, or a
    path of this site. Null: that of the org."""
    reply_to: Email | None = None
    """Address that answers to the desk's letters go to; null: that of the server."""


@write(
    "desk.save",
    scope="admin",
    words=(
        "set up a service desk, make a project a help desk, support portal, customer portal settings, "
        "open sign-up, switch the portal off"
    ),
    emits=[DeskSaved],
    example={"project": "WEB", "name": "Web help", "intro": "Ask us about the shop.", "open_signup": True},
)
def save(tx: Write, args: DeskSave) -> Desk:
    """Make a project a service desk, or change its settings; what is not named stays. For admins who lead it.

    While it is not `enabled` its requests are not shown on the portal, and what is said on them is mailed to nobody. An
    archived project is 409.
    """
    project = projects.project(tx, args.project)
    access.require_keeper(tx, project)
    row = tx.stored("desk", [project["id"]])
    columns = _columns(args)
    if columns.get("logo") is not None and (row is None or columns["logo"] != row["logo"]):
        logo.require_fitting(tx, project, columns["logo"])
    if columns.get("survey") and not (row is not None and row["survey"]):
        columns["survey_since"] = tx.now
    if row is None:
        _make(tx, project, columns)
    elif named.diff(row, columns):
        before = _shown({**row, "project_key": project["key"]})
        tx.update("desk", project["id"], updated_at=tx.now, **columns)
        _tell(tx, project, before)
    return _one(tx, project)


def _make(tx: Write, project: ProjectRow, columns: Row) -> None:
    usual: dict[str, Any] = {
        "name": project["name"],
        "intro": "",
        "enabled": 1,
        "open_signup": 0,
        "show_agents": 0,
        "survey": 0,
        "languages": "[]",
    }
    tx.insert("desk", project=project["id"], created_at=tx.now, updated_at=tx.now, **(usual | columns))
    made = _one(tx, project)
    tx.emit(DeskSaved(subject=f"project:{project['key']}", payload={"name": made["name"], "created": True}))


def _tell(tx: Write, project: ProjectRow, before: Desk) -> None:
    """Of a long text that it is another one, and of an address nothing."""
    after = _one(tx, project)
    changes = named.changes(before, after, _TOLD, intro=len)
    if "reply_to" in changes:
        changes["reply_to"] = (None, None)
    tx.emit(DeskSaved(subject=f"project:{project['key']}", payload={"name": after["name"]}, changes=changes))


def _columns(args: DeskSave) -> Row:
    columns: Row = args.filled(
        "name",
        "intro",
        enabled=int,
        open_signup=int,
        show_agents=int,
        survey=int,
        languages=lambda given: json.dumps(list(dict.fromkeys(given))),
    )
    columns |= {
        name: getattr(args, name) or None for name in ("kb_space", "logo", "reply_to") if args.given(name)
    }
    if args.given("reopen_days"):
        columns["reopen_days"] = args.reopen_days
    if columns.get("reply_to") is not None and not mail.reaches(columns["reply_to"]):
        raise InvalidInput("Write it as help@example.com.", field="reply_to")
    return columns


def _one(tx: Read, project: ProjectRow) -> Desk:
    row = tx.stored("desk", [project["id"]])
    assert row is not None
    return _shown({**row, "project_key": project["key"]})


def _shown(row: Row) -> Desk:
    return Desk(
        project=row["project_key"],
        name=row["name"],
        intro=row["intro"],
        enabled=bool(row["enabled"]),
        open_signup=bool(row["open_signup"]),
        kb_space=row["kb_space"],
        show_agents=bool(row["show_agents"]),
        survey=bool(row["survey"]),
        reopen_days=row["reopen_days"],
        languages=json.loads(row["languages"]),
        logo=row["logo"],
        reply_to=row["reply_to"],
    )
