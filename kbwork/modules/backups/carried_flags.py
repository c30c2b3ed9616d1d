"""What a restore carries over of flags: a key, an address or a timed change that ended since the backup was taken stays
ended, nothing is done whose time has passed, and no client is told of a version twice."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from kbwork.base.dataclasses import dataclass
from kbwork.db.tx import Read, Row, Write, json_array

_KINDS = {
    "flag_schedule": ("true", "x.run_at <= :now_ms"),
    "flag_change": ("x.status in ('pending', 'approved')", "x.status = 'approved' and x.run_at <= :now_ms"),
    "flag_plan": (
        "x.state in ('waiting', 'running', 'held')",
        "x.state = 'waiting' and x.look_at <= :now_ms",
    ),
}
"""What waits for its time, by table: which rows still do, and which of them would begin at once."""
_WORDS = {"flag_schedule": "schedule", "flag_change": "change request", "flag_plan": "rollout plan"}
_OF_FLAG = {"flag_schedule", "flag_plan"}
_OF_TRIGGER = ("environment", "action", "variation", "acting", "created_by")
_ENDED = "A backup was put back: it had ended since."
_PASSED = "A backup was put back: its time had passed."
_PLACE = "join flag_environment e on e.id = x.environment join flag_project p on p.id = e.project"


@dataclass(frozen=True, slots=True)
class CarriedFlags:
    """What the data that go know of flags."""

    environments: list[Row]
    """Each with its version: who holds that takes no older one."""
    sdk_keys: list[Row]
    triggers: list[Row]
    waiting: dict[str, list[str]]
    """What waits for its time, by table, each as its id and when it was made."""
    given: dict[str, int]
    """The highest id that each table has given, here or in data that were here before. What the backup has above it
    these data never had: it is newer, and nobody ended it."""


class _Waiting(NamedTuple):
    """Something that is not to come about, and the line that tells of it."""

    id: int
    why: str
    told: str


def since(tx: Read, kept: Mapping[str, list[Any]]) -> CarriedFlags:
    """Read off the data that are about to go, with what is `kept` beside them: what an earlier restore remembers."""
    return CarriedFlags(
        environments=tx.all("select id, created_at, version from flag_environment order by id")
        + kept["environments"],
        sdk_keys=tx.all("select digest, expires_at, revoked_at from sdk_key order by id") + kept["sdk_keys"],
        triggers=tx.all(f"select digest, {', '.join(_OF_TRIGGER)} from flag_trigger order by id")
        + kept["triggers"],
        waiting={
            table: tx.column(f"select x.id || ' ' || x.created_at from {table} x where {waits} order by x.id")
            + kept[table]
            for table, (waits, _) in _KINDS.items()
        },
        given={row["name"]: row["seq"] for row in tx.all("select name, seq from sqlite_sequence")},
    )


def things(held: CarriedFlags) -> dict[str, list[Any]]:
    """By kind, as a restore remembers them."""
    return {
        "environments": held.environments,
        "sdk_keys": held.sdk_keys,
        "triggers": held.triggers,
    } | held.waiting


def carry(tx: Write, held: CarriedFlags | None) -> list[str]:
    """Write it into the data that come; answers a line for each thing of the backup that was ended.

    Without data before nobody knows what was revoked or cancelled: keys and addresses open what they opened.
    """
    told = []
    if held is not None:
        told = [*_end_keys(tx, held), *_end_triggers(tx, held)]
        for row in held.environments:
            tx.execute(
                "update flag_environment set version = max(version, :version) where id = :id",
                id=row["id"],
                version=row["version"],
            )
    tx.execute("update flag_environment set version = version + 1")
    return told + _end_waiting(tx, held)


def _end_keys(tx: Write, held: CarriedFlags) -> list[str]:
    """Those of both end when they were to, and those of an environment that was deleted with it."""
    for row in held.sdk_keys:
        tx.execute(
            "update sdk_key set expires_at = :expires_at, revoked_at = :revoked_at where digest = :digest",
            **row,
        )
    gone = tx.all(
        f"select x.id, x.kind, x.last4, p.key as project, e.key as environment from sdk_key x {_PLACE}"
        " where x.revoked_at is null and x.id <= :given"
        " and hex(x.digest) not in (select value from json_each(:known)) order by x.id",
        given=held.given.get("sdk_key", 0),
        known=_digests(held.sdk_keys),
    )
    tx.execute(
        "update sdk_key set revoked_at = :now where id in (select value from json_each(:ids))",
        now=tx.now,
        ids=json_array(row["id"] for row in gone),
    )
    return [
        f"SDK key {row['id']} ({row['kind']}, …{row['last4']}) of {row['project']}/{row['environment']}"
        " was revoked: it had ended since"
        for row in gone
    ]


def _end_triggers(tx: Write, held: CarriedFlags) -> list[str]:
    """One that was deleted opens nothing, and one that does something else since does that; where what it is for is not
    in the backup, it goes."""
    there = {(row["id"], row["created_at"]) for row in tx.all("select id, created_at from flag_environment")}
    lasting = {row["id"] for row in held.environments if (row["id"], row["created_at"]) in there}
    known = [row for row in held.triggers if row["environment"] in lasting]
    gone = tx.all(
        f"select x.id, p.key as project, e.key as environment, f.key from flag_trigger x {_PLACE}"
        " join flag f on f.id = x.flag where x.id <= :given"
        " and hex(x.digest) not in (select value from json_each(:known)) order by x.id",
        given=held.given.get("flag_trigger", 0),
        known=_digests(known),
    )
    tx.execute(
        "delete from flag_trigger where id in (select value from json_each(:ids))",
        ids=json_array(row["id"] for row in gone),
    )
    put = ", ".join(f"{column} = :{column}" for column in _OF_TRIGGER)
    for row in known:
        tx.execute(f"update flag_trigger set {put} where digest = :digest", **row)
    return [
        f"trigger {row['id']} of {row['project']}/{row['key']} in {row['environment']}"
        " was deleted: it had ended since"
        for row in gone
    ]


def _digests(rows: list[Row]) -> str:
    return json_array(row["digest"].hex().upper() for row in rows)


def _end_waiting(tx: Write, held: CarriedFlags | None) -> list[str]:
    """What was cancelled or done since comes about no more, nor what would begin at once; what goes on holds its step
    anew."""
    ended = {table: _due_or_gone(tx, held, table) for table in _KINDS}
    for schedule in ended["flag_schedule"]:
        tx.execute("delete from flag_schedule where id = :id", id=schedule.id)
    for change in ended["flag_change"]:
        _cancel(tx, "id = :id", change)
        _stop(tx, "change = :id", change)
    for plan in ended["flag_plan"]:
        _stop(tx, "id = :id", plan)
        _cancel(tx, "plan = :id", plan)
    tx.execute(
        "update flag_plan set next_at = null, look_at = :now_ms, asking = 0, heard = 0"
        " where state in ('running', 'held')",
        now_ms=tx.now * 1000,
    )
    return [one.told for table in _KINDS for one in ended[table]]


def _due_or_gone(tx: Read, held: CarriedFlags | None, table: str) -> list[_Waiting]:
    waits, due = _KINDS[table]
    flag, join = ("f.key", "join flag f on f.id = x.flag") if table in _OF_FLAG else ("x.target", "")
    rows = tx.all(
        f"select x.id, p.key as project, e.key as environment, {flag} as key, {due} as due from {table} x {_PLACE}"
        f" {join} where {waits} and ({due} or x.id <= :given"
        " and x.id || ' ' || x.created_at not in (select value from json_each(:known))) order by x.id",
        now_ms=tx.now * 1000,
        given=held.given.get(table, 0) if held is not None else 0,
        known=json_array(held.waiting[table] if held is not None else []),
    )
    found = []
    for row in rows:
        what = f"{_WORDS[table]} {row['id']} of {row['project']}/{row['key']} in {row['environment']}"
        said = "its time had passed" if row["due"] else "it had ended since"
        found.append(_Waiting(row["id"], _PASSED if row["due"] else _ENDED, f"{what} was cancelled: {said}"))
    return found


def _cancel(tx: Write, which: str, ended: _Waiting) -> None:
    tx.execute(
        "update flag_change set status = 'cancelled', decided_at = :now, why = :why"
        f" where {which} and status in ('pending', 'approved')",
        now=tx.now,
        why=ended.why,
        id=ended.id,
    )


def _stop(tx: Write, which: str, ended: _Waiting) -> None:
    tx.execute(
        "update flag_plan set state = 'stopped', reason = :why, next_at = null, look_at = null, asking = 0"
        f" where {which} and state in ('waiting', 'running', 'held')",
        why=ended.why,
        id=ended.id,
    )
