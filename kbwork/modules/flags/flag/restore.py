"""Putting a flag, or what it serves somewhere, back as an earlier revision has it."""

import json

from kbwork.base.errors import NotFound
from kbwork.base.model import Id
from kbwork.core.operations.declare import write
from kbwork.db.rows import FlagProjectRow, FlagRevisionRow, FlagRow
from kbwork.db.tx import Read, Write
from kbwork.flagengine.patch import flag_instructions
from kbwork.modules.flags import access
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.change import submit
from kbwork.modules.flags.change.requests import RequestedChange
from kbwork.modules.flags.definition.content import portable
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.flag import read
from kbwork.modules.flags.model import (
    UNDO,
    ChangeRequested,
    Flag,
    FlagArchived,
    FlagBypassed,
    FlagProjectRef,
    FlagRef,
    FlagRestored,
    FlagUpdated,
    Json,
)


class FlagsRestore(Tried):
    project: FlagProjectRef
    key: FlagRef
    revision: Id | None = None
    """The version that it is to be again; left out: bring it back from the archive."""


@write(
    "flags.restore",
    scope="flags:write",
    words=(
        "roll the flag back, revert a flag, earlier version of a flag, unarchive a flag, "
        "bring a flag back, undo a rollout"
    ),
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
    project = access.editable_project(tx, args.project)
    flag = access.flag(tx, project, args.key)
    if args.revision is None:
        if flag["archived"]:
            submit.change_flag(tx, project, flag, [{"kind": "restoreFlag"}])
    else:
        _make_again(tx, project, flag, _revision(tx, flag, args.revision))
    return done(args, read.whole(tx, project, access.flag(tx, project, flag["key"])))


def _revision(tx: Read, flag: FlagRow, ident: int) -> FlagRevisionRow:
    row = tx.stored("flag_revision", [ident])
    if row is None or row["flag"] != flag["id"]:
        raise NotFound(f"The flag {flag['key']} has no version {ident}; flags.history shows them.")
    return row


def _make_again(tx: Write, project: FlagProjectRow, flag: FlagRow, revision: FlagRevisionRow) -> None:
    comment = f"Version {revision['version']} again"
    if revision["environment"] is not None:
        environment = tx.stored("flag_environment", [revision["environment"]])
        assert environment is not None
        config = portable(revision["content"])
        asked = RequestedChange("flag", flag["key"], [{"kind": "replaceConfig", "config": config}], comment)
        submit.change_targeting(tx, ProjectEnvironment(project, environment), asked)
        return
    content: Json = json.loads(revision["content"])
    meta = {name: content[name] for name in (*flag_instructions.FIELDS, "schema")}
    meta["maintainers"] = [one for one in meta["maintainers"] if _is_there(tx, one)]
    submit.change_flag(tx, project, flag, [{"kind": "replaceMeta", "meta": meta}], comment)


def _is_there(tx: Read, member: str) -> bool:
    return tx.one("select 1 from member where id = :id and state = 'active'", id=member) is not None
