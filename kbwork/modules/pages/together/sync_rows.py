"""The shared document of a page as rows: a state, and the updates since, under a clock that rises."""

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput, Stale
from kbwork.db.rows import PageRow, PageSyncRow
from kbwork.db.tx import Read, Write
from kbwork.modules.pages import queries
from kbwork.modules.pages.together.shared_text import SharedText, merged
from kbwork.modules.pages.together.update_format import looked_at

BEGINS = 2**31
"""Clocks of documents that are kept are above; below are numbers of versions, of pages on which nobody wrote so."""
_A_SECOND = 1000
"""Clocks begin with the time at which a document does, and fewer are used up in a second: where a backup is put back,
and with it what was at an earlier clock, none is given out twice."""
_SEED = 2**52
_SEEDS = range(_SEED, _SEED + 2**32)
"""Clients that are documents made of the text of a page: a client's own number is hardly ever among them, and whoever
has such a one is told to begin anew."""
MOST_UPDATES = 200
LEFT_UPDATES = 50
"""So many updates stay when the others become part of the state: whoever looks often is answered with them."""
MOST_UPDATE_BYTES = 1_000_000
MOST_BESIDE_BYTES = 2_000_000
"""Of a state beside its text: each piece takes some, and with each push it is opened while others wait."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A document as it is now."""

    row: PageSyncRow
    text: SharedText


def kept(tx: Read, page: int) -> PageSyncRow | None:
    return tx.stored("page_sync", [page])


def seed_of(version: int) -> int:
    """The client of a document that was made of this version, or began anew at this clock."""
    return _SEED + (version if version < BEGINS else BEGINS + version % BEGINS)


def fresh(row: PageRow) -> SharedText:
    """What everybody begins with while nobody wrote so: made of the text of a version, always the same."""
    return SharedText.of(row["body"], seed_of(row["version"]))


def opened(tx: Read, held: PageSyncRow, *more: bytes) -> SharedText:
    """The document itself, and what comes to it. Raises InvalidInput where that cannot be taken in."""
    return SharedText(held["state"], *since(tx, held, held["state_clock"]), *more)


def since(tx: Read, held: PageSyncRow, clock: int) -> list[bytes]:
    """The updates after a clock that is known."""
    return tx.column(
        "select data from page_sync_update where page = :page and clock > :clock order by clock",
        page=held["page"],
        clock=clock,
    )


def begin(tx: Write, row: PageRow, clock: int) -> PageSyncRow:
    """Keep a document that was begun with this version of a page. Raises Stale where that is not known any more."""
    version = queries.version(tx, row["id"], clock)
    if version is None:
        raise stale(row)
    state = fresh(queries.as_version(row, version)).state
    tx.execute(
        "insert into page_sync (page, seed, first, clock, state, state_clock, version)"
        " values (:page, :seed, :clock, :clock, :state, :clock, null)",
        page=row["id"],
        seed=seed_of(clock),
        clock=max(BEGINS, tx.now * _A_SECOND),
        state=state,
    )
    found = kept(tx, row["id"])
    assert found is not None
    return found


def known(held: PageSyncRow, clock: int) -> int | None:
    """A clock of this document as it is counted; None for one of another."""
    if clock < BEGINS:
        return held["first"] if seed_of(clock) == held["seed"] else None
    return clock if held["first"] <= clock <= held["clock"] else None


def text_of(tx: Read, page: int, version: int) -> str | None:
    """What the draft was at a version that has become another one since, as long as its updates are kept."""
    held = kept(tx, page)
    found = tx.value(
        "select max(clock) from page_sync_update where page = :page and version = :version",
        page=page,
        version=version,
    )
    if held is None or found is None:
        return None
    some = tx.column(
        "select data from page_sync_update where page = :page and clock <= :clock order by clock",
        page=page,
        clock=found,
    )
    return str(SharedText(held["state"], *some))


def number(tx: Write, page: int, version: int) -> None:
    """The draft has this version since the last update."""
    tx.execute("update page_sync set version = :version where page = :page", version=version, page=page)
    tx.execute(
        "update page_sync_update set version = :version where page = :page"
        " and clock = (select clock from page_sync where page = :page)",
        version=version,
        page=page,
    )


def foreign(held: PageSyncRow, clients: frozenset[int]) -> bool:
    """Whether an update of these clients speaks of a document that was made of another text."""
    return any(client in _SEEDS and client != held["seed"] for client in clients)


def stale(row: PageRow) -> Stale:
    return Stale(
        "Your document is of another time than the page: push what you have, and pull again; where that is refused too,"
        " make a new document by pages.sync_pull without `since`, and put into it what is missing.",
        current={"id": str(row["id"]), "version": row["version"]},
    )


def add(tx: Write, held: PageSyncRow, update: bytes) -> int:
    """Keep an update; answers its clock."""
    clock = held["clock"] + 1
    tx.execute(
        "insert into page_sync_update (page, clock, data) values (:page, :clock, :data)",
        page=held["page"],
        clock=clock,
        data=update,
    )
    tx.execute("update page_sync set clock = :clock where page = :page", clock=clock, page=held["page"])
    _fold(tx, held["page"])
    return clock


def _fold(tx: Write, page: int) -> None:
    """Let old updates become part of the state where they are many."""
    held = kept(tx, page)
    assert held is not None
    sizes = tx.tuples(
        "select clock, length(data) from page_sync_update where page = :page order by clock", page=page
    )
    if len(sizes) <= MOST_UPDATES and sum(size for _, size in sizes) <= MOST_UPDATE_BYTES:
        return
    left = LEFT_UPDATES if len(sizes) > MOST_UPDATES else 0
    last = sizes[-1 - left][0]
    older = tx.column(
        "select data from page_sync_update where page = :page and clock <= :last order by clock",
        page=page,
        last=last,
    )
    state = _smaller(merged([held["state"], *older]))
    tx.execute("delete from page_sync_update where page = :page and clock <= :last", page=page, last=last)
    tx.execute(
        "update page_sync set state = :state, state_clock = :last where page = :page",
        state=state,
        last=last,
        page=page,
    )
    if len(state) > MOST_BESIDE_BYTES and _beside(state) > MOST_BESIDE_BYTES:
        _begin_anew(tx, page)


def _beside(state: bytes) -> int:
    return len(state) - len(str(SharedText(state)).encode())


def _smaller(state: bytes) -> bytes:
    """Without the letters that are gone, where nothing waits for others that are not here yet. What has too many parts
    to be sure of that soon stays."""
    try:
        ends = looked_at(state, whole=True).ends
    except InvalidInput:
        return state
    text = SharedText(state)
    return text.state if text.has(ends) else state


def _begin_anew(tx: Write, page: int) -> None:
    """A document that has grown too large goes; those who write in it are told so, and begin with its text."""
    held = kept(tx, page)
    assert held is not None
    clock = held["clock"] + 1
    state = SharedText.of(str(opened(tx, held)), seed_of(clock)).state
    tx.execute("delete from page_sync_update where page = :page", page=held["page"])
    tx.execute(
        "update page_sync set seed = :seed, first = :clock, clock = :clock, state = :state, state_clock = :clock"
        " where page = :page",
        seed=seed_of(clock),
        clock=clock,
        state=state,
        page=held["page"],
    )
