"""Look at flags: one, with all that belongs to it, or those of a project."""

import json
from itertools import islice
from typing import Any

from kbwork.base.model import Input, Text
from kbwork.base.text import folded
from kbwork.core.operations.declare import Rendered, read
from kbwork.db.rows import FlagProjectRow, FlagRow
from kbwork.db.tx import Read
from kbwork.modules.flags import access, answers, portion
from kbwork.modules.flags.change import requests, schedules
from kbwork.modules.flags.definition import dependencies
from kbwork.modules.flags.flag import link
from kbwork.modules.flags.flag.documents import DOCUMENTS, eyes
from kbwork.modules.flags.model import Flag, FlagProjectRef, FlagRef
from kbwork.modules.flags.portion import Portion


class FlagsGet(Input):
    project: FlagProjectRef
    key: FlagRef


@read(
    "flags.get",
    scope="flags:read",
    words=(
        "show a flag, details of a feature flag, is the flag on, state of the toggle, "
        "who has the flag, targeting rules of a flag"
    ),
    example={"project": "web", "key": "checkout"},
)
def get(tx: Read, args: FlagsGet) -> Flag:
    """Look at a flag: targeting in every environment, the flags that wait for it, open changes, schedules, issues."""
    project = access.project(tx, args.project)
    return whole(tx, project, access.flag(tx, project, args.key))


class FlagsList(Portion):
    project: FlagProjectRef
    tag: Text | None = None
    """Only those with this tag."""
    q: Text | None = None
    """Words in key, name or description."""
    archived: bool | None = None
    """Those that are archived instead of those that are not."""
    full: bool | None = None
    """With targets, rules and prerequisites in every environment; else with how many there are."""


def _listed(tx: Read, args: FlagsList) -> Rendered | None:
    if args.q:
        return None  # words are looked for in the whole rows
    found = tx.column(f"select id {_OF_PROJECT}", **_binds(args, access.project(tx, args.project)))
    return DOCUMENTS.listed(tx, eyes(whole=bool(args.full)), _part(tx, args, found))


@read(
    "flags.list",
    scope="flags:read",
    words="all flags, feature toggles, which flags are on, flags in production, switches",
    example={"project": "web"},
    render=_listed,
)
def list_(tx: Read, args: FlagsList) -> list[Flag]:
    """List the flags of a project by key, each with its state in every environment; a part of them with `limit`."""
    project = access.project(tx, args.project)
    words = folded(args.q or "").split()
    binds = _binds(args, project)
    rows = tx.all(f"select * {_OF_PROJECT}", FlagRow, **binds | ({"most": -1} if words else {}))
    if words:
        found = (row for row in rows if _has(row, words))
        rows = list(islice(found, binds["most"])) if binds["most"] >= 0 else list(found)
    part = set(_part(tx, args, [row["id"] for row in rows]))
    return answers.flags(tx, project, [row for row in rows if row["id"] in part], whole=bool(args.full))


def _part(tx: Read, args: FlagsList, flags: list[int]) -> list[int]:
    """Those of these flags that one part holds."""
    if portion.most(args) < 0:
        return flags
    sizes = {
        row["id"]: row["meta"] + (row["configs"] or 0 if args.full else 0)
        for row in tx.all(
            "select f.id, length(f.meta) as meta,"
            " (select sum(length(c.config)) from flag_config c where c.flag = f.id) as configs"
            " from flag f where f.id in (select value from json_each(:ids))",
            ids=json.dumps(flags),
        )
    }
    return portion.bounded(args, flags, sizes.__getitem__)


_OF_PROJECT = (
    "from flag where project = :project and archived = :archived"
    " and (:tag is null or exists (select 1 from json_each(meta, '$.tags') t where t.value = :tag))"
    " and (:after is null or key > :after) order by key limit :most"
)


def _binds(args: FlagsList, project: FlagProjectRow) -> dict[str, Any]:
    return {
        "project": project["id"],
        "archived": int(bool(args.archived)),
        "tag": args.tag,
        "after": args.cursor,
        "most": portion.most(args),
    }


def whole(tx: Read, project: FlagProjectRow, row: FlagRow) -> Flag:
    """A flag with all that belongs to it."""
    found = answers.flag(tx, project, row["key"])
    found["dependents"] = dependencies.dependents(tx, project["id"], row["key"])
    found["changes"] = requests.shown(
        tx,
        "c.project = :project and c.kind = 'flag' and c.target = :key and c.status in ('pending', 'approved')",
        project=project["id"],
        key=row["key"],
    )
    found["schedules"] = schedules.shown(tx, project, row["key"])
    found["issues"] = link.linked(tx, row["id"])
    return found


def _has(row: FlagRow, words: list[str]) -> bool:
    meta = json.loads(row["meta"])
    text = folded(f"{row['key']} {meta['name']} {meta['description']}")
    return all(word in text for word in words)
