"""Reading a source in a process of its own, and proposing what becomes of it."""

import json
from functools import partial
from pathlib import PurePath
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput, StorageFull
from kbwork.base.model import Id, Input, Text
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.tx import Read, Write
from kbwork.modules import uploads
from kbwork.modules.imports import kept_records, queries
from kbwork.modules.imports.load.record_content import OWN
from kbwork.modules.imports.mapping import proposal
from kbwork.modules.imports.model import NOT_UNDONE, Import
from kbwork.modules.imports.queries import ImportJobRow
from kbwork.modules.imports.records import ReaderAnswer

_READER = "kbwork.modules.imports.sources.reader"


class ImportsProbe(Input):
    id: Id
    """Id of the import."""
    projects: Annotated[list[Text], Field(max_length=1000)] | None = None
    """Projects of the source that are to come in; all unless given."""


@write(
    "imports.probe",
    scope="admin",
    words="preview an import, what is in the file, check the import file, analyze",
    undo=NOT_UNDONE,
    example={"id": 1},
)
async def probe(out: External, args: ImportsProbe) -> Import:
    """Read the source: what is there, what is proposed to become of it, and what does not come along.

    The file is read in a process of its own. One that is cut, empty, or not what it should be is 422 with the place in
    it, and nothing of it remains. Probing anew keeps what imports.map_set said; columns of a table of which it said
    nothing (`guessed` of `found`) are taken anew for what they look like, and that is told.
    """
    row, asked = await out.read(partial(asked_of, args=args))
    answer = await answered(out, row, asked)
    if "refused" in answer:
        why = answer["refused"]
        if answer.get("full"):
            raise StorageFull(f"The disk is full: {why}")
        await out.write(partial(_refuse, ident=args.id, why=why))
        raise InvalidInput(why, field="file")
    return await out.conclude(partial(keep, args=args, answer=answer))


async def answered(out: External, row: ImportJobRow, asked: dict[str, Any]) -> ReaderAnswer:
    """What the reader of a source says. Raises Conflict while the same import is being read."""
    with out.alone(f"import {row['id']} is being read"):
        answer: ReaderAnswer = await out.process(
            _READER,
            row["source"],
            asked["file"],
            asked["out"],
            "-",
            given=json.dumps(asked["options"]).encode(),
        )
    return answer


def asked_of(tx: Read, args: ImportsProbe) -> tuple[ImportJobRow, dict[str, Any]]:
    """The import, and what its reader is told."""
    row = queries.get(tx, args.id)
    queries.require(row, "open", "probed", "mapped", "failed", "cancelled")
    if row["created_by"] != tx.caller.me():
        raise Conflict("Whoever opened an import reads its file.")
    queries.require_fetched(row)
    upload = uploads.sent_whole(tx, row["upload"])
    options: dict[str, Any] = {"place": PurePath(upload["name"]).stem[:100] or "file"}
    if row["source"] == "csv":
        options["columns"] = {
            column: "values" if field.startswith(OWN) else field
            for column, field in queries.said(row)["fields"].items()
        }
    if row["source"] == "kbz":
        options["erased"] = tx.column("select id from member where state = 'erased'")
    asked = {
        "file": str(uploads.path(tx, upload["id"])),
        "out": str(kept_records.records(tx, row["id"])),
        "options": options,
    }
    return row, asked


def _refuse(tx: Write, ident: int, why: str) -> None:
    queries.log(tx, ident, "error", "file", why)
    queries.put(tx, ident, state="failed", ended_at=tx.now, secret=None)


def keep(tx: Write, args: ImportsProbe, answer: ReaderAnswer) -> Import:
    """Write down what was found, and what is proposed to become of it."""
    row = queries.get(tx, args.id)
    queries.require(row, "open", "probed", "mapped", "failed", "cancelled")
    found = answer["found"]
    plan, losses = proposal.proposed(tx, row, found)
    if row["state"] == "mapped" or row["mapping"] != "{}":
        said = queries.said(row)
        plan = proposal.merged(plan, dict(said))
        # What was said while the file was being read counts the next time.
        found["guessed"] = [column for column in found["guessed"] if column not in said["fields"]]
    if args.projects is not None:
        plan["skip"] = sorted({*plan["skip"], *_others(found["projects"], args.projects)})
    queries.put(
        tx,
        args.id,
        state="probed",
        found=found,
        mapping=plan,
        losses=[*answer["losses"], *losses],
        highest={one["id"]: one["highest"] for one in found["projects"]},
        cursor=0,
        tally={},
        ended_at=None,
    )
    return queries.shown(queries.get(tx, args.id))


def _others(found: list[Any], wanted: list[str]) -> list[str]:
    """The projects of the source that are not among these. Raises InvalidInput for one that is not there."""
    known = {name: one["id"] for one in found for name in (one["id"], one["name"], one["key"]) if name}
    for name in wanted:
        if name not in known:
            raise InvalidInput(
                f"The source has no project {name!r}.",
                field="projects",
                allowed=sorted({one["id"] for one in found})[:100],
            )
    kept = {known[name] for name in wanted}
    return [one["id"] for one in found if one["id"] not in kept]
