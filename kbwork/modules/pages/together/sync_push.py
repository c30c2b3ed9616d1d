"""Write on a page on which others write at once."""

import base64
import binascii
from functools import partial
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Int
from kbwork.base.text import BODY_CHARS
from kbwork.core.events import presence
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.rows import PageRow, PageSyncRow
from kbwork.db.tx import Read, Write
from kbwork.modules.pages import access, queries, update
from kbwork.modules.pages.history.version_rows import BURST_S, PageText
from kbwork.modules.pages.model import PageRef, PageUpdated
from kbwork.modules.pages.text import kept
from kbwork.modules.pages.together import sync_rows, update_format
from kbwork.modules.pages.together.sync_pull import place_of
from kbwork.modules.pages.together.update_format import UpdateContent


class PagesSyncPush(Input):
    id: PageRef
    update: Annotated[
        str,
        Field(
            max_length=update_format.MOST_BYTES * 4 // 3 + 4,
            json_schema_extra={"contentEncoding": "base64"},
            description="An update of your Yjs document (version 1) as base64: its one text is `body`.",
        ),
    ]
    clock: Annotated[Int, Field(ge=1)]
    """The one that pages.sync_pull answered with what your document was made of, or a later one."""


class PageSyncClock(TypedDict):
    clock: int
    """How far the page is now; what others wrote stands before it."""


@write(
    "pages.sync_push",
    scope="pages:write",
    words="edit a page together, send my edits, live editing, collaborative writing, push an update of a page",
    emits=[PageUpdated],
    undo="what several typed at once is taken back where it is typed, or by a version",
    example={"id": "HAND/welcome", "update": "AAA=", "clock": 2},
)
async def sync_push(out: External, args: PagesSyncPush) -> PageSyncClock:
    """Write on a page together with others: what your document has and the page has not. For whoever may edit it (403).

    In the same moment it is the draft of the page, as pages.get answers with `draft`; readers see it when it is
    published. What is sent twice, late or in another order comes to the same text. It is a version about every ten
    minutes, not with each letter, and `page.updated` tells of those; the stream tells of each push by `presence`.

    An update that is none, that holds something else than text, or with which the page would hold more than a million
    characters is 422, and nothing is changed. A `clock` of another document is 409 `stale`. It runs alone, not inside a
    batch.
    """
    data, content = await out.thread(_looked_at, args.update)
    answer = await out.conclude(partial(_push, args=args, data=data, content=content))
    await out.read(partial(_tell, ref=args.id, clock=answer["clock"]))
    return answer


def _looked_at(text: str) -> tuple[bytes, UpdateContent]:
    """Raises InvalidInput."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidInput("This is not base64.", field="update") from None
    return data, update_format.looked_at(data)


def _push(tx: Write, args: PagesSyncPush, data: bytes, content: UpdateContent) -> PageSyncClock:
    row = access.editable(tx, args.id)
    drafted = queries.as_drafted(tx, row)
    held = sync_rows.kept(tx, row["id"])
    if held is None:
        if not content.ends and args.clock == drafted["version"]:
            return PageSyncClock(clock=args.clock)
        held = sync_rows.begin(tx, row, args.clock)
    if sync_rows.known(held, args.clock) is None or sync_rows.foreign(held, content.clients):
        raise sync_rows.stale(drafted)
    text = sync_rows.opened(tx, held)
    if str(text) != drafted["body"]:
        sync_rows.add(tx, held, text.become(drafted["body"]))
        held = sync_rows.kept(tx, row["id"]) or held
    before = text.state
    text = sync_rows.opened(tx, held, data)
    if content.ends and data not in sync_rows.since(tx, held, held["state_clock"]):
        body = str(text)
        if len(body) > BODY_CHARS:
            raise InvalidInput(
                "With this the page would hold more than a million characters.", field="update"
            )
        if text.state != before or not text.has(content.ends):
            sync_rows.add(tx, held, data)
        if body != drafted["body"]:
            _write(tx, row, held, PageText(drafted["title"], body, None))
    after = sync_rows.kept(tx, row["id"])
    assert after is not None
    if after["first"] > held["clock"]:  # it was begun anew: whoever pushed is told at the next time
        return PageSyncClock(clock=held["clock"])
    return PageSyncClock(clock=after["clock"])


def _write(tx: Write, row: PageRow, held: PageSyncRow, text: PageText) -> None:
    """Let the draft be this text: as a new version, or as the one that was begun in this way a moment ago."""
    drafted = queries.as_drafted(tx, row)
    version = queries.version(tx, row["id"], drafted["version"])
    waits = row["state"] == "published"
    begun = held["version"] == drafted["version"] and version is not None and not version["note"]
    if (
        version is None
        or not begun
        or (waits and version["published"])
        or tx.now - version["began_at"] >= BURST_S
    ):
        changes = update.write_text(tx, row, text, waits=waits)
        number = queries.as_drafted(tx, queries.stored(tx, row["id"]))["version"]
        sync_rows.number(tx, row["id"], number)
        update.tell(tx, row["id"], changes)
        return
    number = 1 + tx.value("select max(version) from page_version where page = :page", page=row["id"])
    tx.execute(
        "update page_version set version = :number, body = :body, body_doc = null, at = :now, who = :who, via = :via"
        " where page = :page and version = :old",
        number=number,
        body=text.body,
        now=tx.now,
        who=tx.caller.actor,
        via=tx.caller.via,
        page=row["id"],
        old=version["version"],
    )
    sync_rows.number(tx, row["id"], number)
    if waits:
        tx.execute("update page set draft = :number where id = :page", number=number, page=row["id"])
        return
    tx.execute(
        "update page set version = :number, body = :body, body_doc = null, updated_at = :now, updated_by = :who"
        " where id = :page",
        number=number,
        body=text.body,
        now=tx.now,
        who=tx.caller.actor,
        page=row["id"],
    )
    kept.keep(tx, queries.stored(tx, row["id"]))


def _tell(tx: Read, ref: str, clock: int) -> None:
    """Whoever looks at the page hears that there is something to get."""
    row = access.find(tx, ref)
    if row is not None:
        presence.of(tx).beat(place_of(tx, f"page:{row['id']}"), "editing", {"clock": clock}, tx.now)
