"""Forgetting what was said of a thing that is purged, wherever it was said."""

from kbwork.db.tx import Write, json_array

SLICE = 500
_ABOUT = (
    "select seq from (select seq from events where subject = :what and payload <> jsonb('{}') order by seq limit :most)"
    " union select seq from (select seq from event_about where what = :what order by seq limit :most)"
)
_OF_EVENT = "join undo u on u.seq = (select max(seq) from undo where seq <= e.seq) and u.last_seq >= e.seq"
_RECORDS = f"select u.seq from (select value as seq from json_each(:seqs)) e {_OF_EVENT}"
_RECORDS_OF_THING = (
    "select record from undo_about where what = :what union"
    f" select u.seq from events e {_OF_EVENT} where e.subject = :what and e.seq >= (select min(seq) from undo)"
)


def forget(tx: Write, what: str) -> bool:
    """Empty the payloads of the events about a thing, drop its history and the records for undo that hold rows of it.

    The events stay, with their numbers, kinds and times. Some hundred at a time; False while there is more.
    """
    seqs = tx.column(_ABOUT, what=what, most=SLICE)
    _drop_records(tx, seqs)
    tx.execute(
        "update events set payload = jsonb('{}') where seq in (select value from json_each(:seqs))",
        seqs=json_array(seqs),
    )
    _drop_about(tx, what, seqs)
    tx.execute(f"delete from undo where seq in ({_RECORDS_OF_THING})", what=what)
    spans = tx.execute(
        "delete from span where id in (select id from span where subject = :what limit :most)",
        what=what,
        most=SLICE,
    )
    return len(seqs) < SLICE and spans < SLICE


def forget_members(tx: Write, what: str, kinds: str, paths: tuple[str, str]) -> bool:
    """Take members out of the payloads of events of other things that name this one; `kinds` is a glob.

    What else those events say stays. Some hundred at a time; False while there is more.
    """
    seqs = tx.column(
        "select a.seq from event_about a join events e on e.seq = a.seq where a.what = :what and e.kind glob :kinds"
        " order by a.seq limit :most",
        what=what,
        kinds=kinds,
        most=SLICE,
    )
    tx.execute(
        "update events set payload = jsonb_remove(payload, :first, :second)"
        " where seq in (select value from json_each(:seqs))",
        first=paths[0],
        second=paths[1],
        seqs=json_array(seqs),
    )
    _drop_about(tx, what, seqs)
    return len(seqs) < SLICE


def _drop_records(tx: Write, seqs: list[int]) -> None:
    """The records for undo of the changes that told these events."""
    tx.execute(f"delete from undo where seq in ({_RECORDS})", seqs=json_array(seqs))


def _drop_about(tx: Write, what: str, seqs: list[int]) -> None:
    tx.execute(
        "delete from event_about where what = :what and seq in (select value from json_each(:seqs))",
        what=what,
        seqs=json_array(seqs),
    )
