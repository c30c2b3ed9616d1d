"""Templates of pages: listed, saved and taken away."""

import json
from typing import Annotated, Any

from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from kbwork.base.errors import Conflict, NotAllowed
from kbwork.base.model import Id, Input, Name, Text
from kbwork.base.text import cleaned, folded
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.operations.declare import destructive, read, write
from kbwork.db.rows import PageTemplateRow, SpaceRow
from kbwork.db.tx import Read, Write
from kbwork.modules.pages.create import properties_of
from kbwork.modules.pages.model import PageTemplateDeleted, PageTemplateSaved, Properties
from kbwork.modules.pages.templates import fill
from kbwork.modules.pages.templates.built_in import BUILT_IN
from kbwork.modules.spaces import SpaceRef
from kbwork.modules.spaces import access as spaces

MOST = 200


class PageTemplate(TypedDict):
    """What a new page begins with."""

    id: int
    """Id of the template."""
    space: str | None
    """Key of the space that it is for; null: any."""
    name: str
    """What it is called."""
    body: str
    """The text, Markdown, with `{{date}}`, `{{author}}`, `{{title}}` and `{{space}}`."""
    properties: dict[str, Any]
    """What else is known of such a page; texts in it may have the same placeholders."""
    icon: str | None
    """Name of its icon, or a sign; null: none."""
    built_in: bool
    """Whether every org has it, as it is."""


class PagesTemplates(Input):
    space: SpaceRef | None = None
    """Those that a page of this space may begin with; left out: all that you see."""


@read(
    "pages.templates",
    scope="pages:read",
    words="which page templates exist, template for meeting notes, runbook template, what can a page begin with",
    example={"space": "HAND"},
)
def templates(tx: Read, args: PagesTemplates) -> list[PageTemplate]:
    """List what pages may begin with: the templates of the org and of the spaces that you see, by name, then those
    that are built in."""
    return _shown(tx, spaces.space(tx, args.space)["id"] if args.space else None)


class PagesTemplateSave(Input):
    id: Id | None = None
    """The template to change; left out: make one."""
    space: (
        Annotated[
            Text,
            Field(
                description="Key of the space that it is for; left out or null: any. Decided when it is made."
            ),
        ]
        | None
    ) = None
    name: Name
    """What people choose it by."""
    body: Annotated[str, Field(max_length=50_000), AfterValidator(cleaned)]
    """The text, Markdown: `{{date}}` becomes the day, `{{author}}` the name of whoever makes the page, `{{title}}` its
    title, `{{space}}` the name of its space."""
    properties: Properties | None = None
    """What else is known of such a page; texts in it may have the same placeholders."""
    icon: Text | None = None
    """Name of its icon, or a sign; an empty text clears it."""


@write(
    "pages.template_save",
    scope="pages:write",
    words="new page template, template for documents, standard text for meeting notes, save a page template",
    emits=[PageTemplateSaved],
    example={
        "space": "HAND",
        "name": "Visit",
        "body": "**When:** {{date}}\n**With:** {{author}}\n\n## What we saw\n",
        "properties": {"kind": "visit"},
    },
)
def template_save(tx: Write, args: PagesTemplateSave) -> list[PageTemplate]:
    """Make a template of pages, or change one. Those who manage a space keep its own (403), admins those of all spaces.

    A name is unique in its space without case (409). An unknown placeholder is 422; what has other signs between its
    braces stays as it is. Built-in ones are not changed (403).
    """
    fill.require_known(args.body, "body")
    fill.require_known(args.properties or {}, "properties")
    space = spaces.space(tx, args.space) if args.space else None
    row = _kept(tx, args.id) if args.id is not None else None
    if row is not None:
        space = tx.stored("space", [row["space"]]) if row["space"] is not None else None
    _require_keeper(tx, space)
    home = space["id"] if space is not None else None
    if taken := named.taken(tx, "page_template", args.name, args.id, "space is :home", home=home):
        raise Conflict(f"There is a template {taken['name']!r} already; names are unique without case.")
    columns: dict[str, Any] = {"name": args.name, "name_key": folded(args.name), "body": args.body}
    if args.properties is not None or row is None:
        columns["properties"] = properties_of(args.properties or {})
    if args.icon is not None or row is None:
        columns["icon"] = args.icon or None
    if row is None:
        if tx.value("select count(*) from page_template") >= MOST:
            raise Conflict(f"An org has {MOST} templates of pages at most.")
        ident = tx.insert("page_template", space=home, updated_at=tx.now, **columns)
        _tell(tx, PageTemplateSaved, (ident, args.name), space)
    elif changed := named.diff(row, columns):
        tx.update("page_template", row["id"], updated_at=tx.now, **changed)
        _tell(tx, PageTemplateSaved, (row["id"], args.name), space, named.changes(row, columns, ("name",)))
    return _shown(tx, None)


class PagesTemplateDelete(Input):
    id: Id
    """Id of the template, from `pages.templates`."""


@destructive(
    "pages.template_delete",
    scope="pages:write",
    words="remove a page template",
    emits=[PageTemplateDeleted],
    example={"id": 101},
)
def template_delete(tx: Write, args: PagesTemplateDelete) -> list[PageTemplate]:
    """Take a template of pages away; pages made with it stay as they are. Built-in ones stay (403)."""
    row = _kept(tx, args.id)
    space = tx.stored("space", [row["space"]]) if row["space"] is not None else None
    _require_keeper(tx, space)
    tx.delete("page_template", row["id"])
    _tell(tx, PageTemplateDeleted, (row["id"], row["name"]), space)
    return _shown(tx, None)


def _shown(tx: Read, space: int | None) -> list[PageTemplate]:
    rows = tx.all(
        "select t.*, s.key as space_key from page_template t left join space s on s.id = t.space"
        f" where (t.space is null and not :kb_guest or {spaces.SEEN})"
        " and (:space is null or t.space is null or t.space = :space) order by t.name_key, t.id",
        space=space,
        **visibility.binds(tx),
    )
    found = [
        PageTemplate(
            id=row["id"],
            space=row["space_key"],
            name=row["name"],
            body=row["body"],
            properties=json.loads(row["properties"]),
            icon=row["icon"],
            built_in=False,
        )
        for row in rows
    ]
    return found + [
        PageTemplate(
            id=one.id, space=None, name=one.name, body=one.body, properties={}, icon=one.icon, built_in=True
        )
        for one in BUILT_IN
    ]


def _kept(tx: Read, ident: int) -> PageTemplateRow:
    """One that can be changed. Raises NotFound, or NotAllowed for one that is built in."""
    if any(one.id == ident for one in BUILT_IN):
        raise NotAllowed("Built-in templates stay as they are: make one of your own.")
    row = tx.one(
        "select t.* from page_template t left join space s on s.id = t.space"
        f" where t.id = :id and (t.space is null and not :kb_guest or {spaces.SEEN})",
        PageTemplateRow,
        id=ident,
        **visibility.binds(tx),
    )
    return named.seen(row, "page template", ident, "pages.templates")


def _require_keeper(tx: Read, space: SpaceRow | None) -> None:
    if space is not None:
        spaces.require(tx, space, "manage")
        spaces.require_open(space)
    elif not tx.caller.admin or tx.caller.projects is not None:
        raise NotAllowed("Templates of all spaces are kept by admins; who manages a space makes some for it.")


def _tell(
    tx: Write,
    event: type[PageTemplateSaved] | type[PageTemplateDeleted],
    about: tuple[int, str],
    space: SpaceRow | None,
    changes: dict[str, Any] | None = None,
) -> None:
    """Those of a space are for those who see it, those of all spaces for members."""
    tx.emit(
        event(
            subject=f"space:{space['key']}" if space is not None else "org:1",
            heard_by="seen" if space is not None else "members",
            payload={
                "template": about[0],
                "name": about[1],
                "space": space["key"] if space is not None else None,
            },
            changes=changes or {},
        )
    )
