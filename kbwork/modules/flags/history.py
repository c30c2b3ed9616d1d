"""What a flag was, and making it that again."""

import json
from collections.abc import Iterator

from kbwork.base.errors import NotFound
from kbwork.base.model import Id, Input
from kbwork.core.operation import read, write
from kbwork.db.tx import Read, Row, Write
from kbwork.flagengine import flagwide
from kbwork.modules.flags import access, changing, reading
from kbwork.modules.flags.access import Place
from kbwork.modules.flags.definitions import portable
from kbwork.modules.flags.model import (
    UNDO,
    ChangeRequested,
    Flag,
    FlagArchived,
    FlagBypassed,
    FlagRestored,
    FlagRevision,
    FlagUpdated,
    Json,
    Ref,
)
from kbwork.modules.flags.requests import Asked
from kbwork.modules.flags.trying import Tried, done

_MOST = 1000
_MOST_CHARS = 4_000_000


class FlagsHistory(Input):
    project: Ref
    key: Ref
    environment: Ref | None = None
    """Left out: of the flag itself."""


@read(
    "flags.history",
    scope="flags:read",
    example={"project": "web", "key": "checkout", "environment": "production"},
)
def history(tx: Read, args: FlagsHistory) -> list[FlagRevision]:
    """List the versions of a flag in an environment, or of the flag itself, newest first: the last thousand, or as many
    as four megabytes hold.

    The oldest is how it was made: what it was then differs from nothing.
    """
    project = access.project(tx, args.project)
    flag = access.flag(tx, project, args.key)
    environment = (
        access.environment(tx, project, args.environment)["id"] if args.environment is not None else None
    )
    rows = tx.all(
        "select id, at, who, via, comment, diff from flag_revision where flag = :flag and environment is :environment"
        f" order by id desc limit {_MOST}",
        flag=flag["id"],
        environment=environment,
    )
    return [
        FlagRevision(
            id=row["id"],
            at=row["at"],
            who=row["who"],
            via=row["via"],
            comment=row["comment"],
            diff=json.loads(row["diff"]),
        )
        for row in _within(rows)
    ]


def _within(rows: list[Row]) -> Iterator[Row]:
    """As many as fit one answer; the first in any case."""
    left = _MOST_CHARS
    for place, row in enumerate(rows):
        left -= len(row["diff"])
        if left < 0 and place:
            return
        yield row


class FlagsRestore(Tried):
    project: Ref
    key: Ref
    revision: Id | None = None
    """The version that it is to be again; left out: bring it back from the archive."""


@write(
    "flags.restore",
    scope="flags:write",
    undo=UNDO,
    emits=[FlagUpdated, FlagArchived, FlagRestored, FlagBypassed, ChangeRequested],
    example={"project": "web", "key": "checkout", "revision": 1},
)
def restore(tx: Write, args: FlagsRestore) -> Flag:
    """Make a flag what it was, as a new version; or bring it back from the archive. What it was in between stays in
    the history.

    Where the environment of the version asks for approval this makes a change request, which the answer's `changes`
    shows. What that version named and is gone since, such as a segment, is 422.
    """
    project = access.changed_project(tx, args.project)
    flag = access.flag(tx, project, args.key)
    if args.revision is None:
        if flag["archived"]:
            changing.everywhere(tx, project, flag, [{"kind": "restoreFlag"}])
    else:
        _make_again(tx, project, flag, _revision(tx, flag, args.revision))
    return done(args, reading.whole(tx, project, access.flag(tx, project, flag["key"])))


def _revision(tx: Read, flag: Row, ident: int) -> Row:
    row = tx.stored("flag_revision", [ident])
    if row is None or row["flag"] != flag["id"]:
        raise NotFound(f"The flag {flag['key']} has no version {ident}; flags.history shows them.")
    return row


def _make_again(tx: Write, project: Row, flag: Row, revision: Row) -> None:
    comment = f"Version {revision['version']} again"
    if revision["environment"] is not None:
        environment = tx.stored("flag_environment", [revision["environment"]])
        assert environment is not None
        config = portable(revision["content"])
        asked = Asked("flag", flag["key"], [{"kind": "replaceConfig", "config": config}], comment)
        changing.there(tx, Place(project, environment), asked)
        return
    content: Json = json.loads(revision["content"])
    meta = {name: content[name] for name in (*flagwide.FIELDS, "schema")}
    meta["maintainers"] = [one for one in meta["maintainers"] if _is_there(tx, one)]
    changing.everywhere(tx, project, flag, [{"kind": "replaceMeta", "meta": meta}], comment)


def _is_there(tx: Read, member: str) -> bool:
    return tx.one("select 1 from member where id = :id and state = 'active'", id=member) is not None
