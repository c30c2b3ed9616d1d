"""Flags that look ready to be removed, and why the others stay."""

import json
from typing import Final, NamedTuple

from typing_extensions import TypedDict

from kbwork.base.errors import Conflict
from kbwork.base.model import Input
from kbwork.core.operations.declare import read
from kbwork.db.rows import FlagRow
from kbwork.db.tx import Read, Row
from kbwork.modules.flags import access
from kbwork.modules.flags.definition import served_variations
from kbwork.modules.flags.model import FlagProjectRef

_DAY_S: Final = 86400
_YOUNG_D: Final = 14
_SAME_D: Final = 14
_SILENT_D: Final = 30
_CHANGES: Final = (
    "select 1 from flag_change c where c.project = f.project and c.kind = 'flag' and c.target = f.key"
    " and c.status in ('pending', 'approved')"
)
_PLANS: Final = "select 1 from flag_plan p where p.flag = f.id and p.state in ('waiting', 'running', 'held')"
_STAYS: Final = (
    ("f.archived", "it is archived"),
    ("not coalesce(f.meta ->> '$.temporary', 0)", "it is to stay: it is not temporary"),
    ("f.created_at > :young", f"it is younger than {_YOUNG_D} days"),
    ("exists (select 1 from flag_schedule s where s.flag = f.id)", "a schedule waits for it"),
    (f"exists ({_CHANGES})", "a change of it waits"),
    (f"exists ({_PLANS})", "a plan rolls it out"),
)
"""Conditions on `flag f` under which it stays whatever it serves, with why."""


class FlagsStale(Input):
    project: FlagProjectRef


class StaleFlag(TypedDict):
    """`reason` is `serves_one`, `not_evaluated` or `never_evaluated`, a colon, and the same in words with the variation
    and the days; `since` is when that began in the last environment where it did."""

    key: str
    """Key of the flag."""
    reason: str
    """`serves_one`, `not_evaluated` or `never_evaluated`, a colon, and the same in words."""
    since: int
    """When that began, in Unix seconds."""


@read(
    "flags.stale",
    scope="flags:read",
    words=(
        "flags to clean up, old flags, unused flags, which flags can be removed, "
        "forgotten toggles, technical debt, dead flags, no longer needed"
    ),
    cached=False,
    example={"project": "web"},
)
def stale(tx: Read, args: FlagsStale) -> list[StaleFlag]:
    """List temporary flags that look ready to be removed, with the reason.

    Such a flag is older than 14 days, waits for no change, and in every environment serves one variation to everybody
    for 14 days, or was not evaluated for 30 days though it was before, or never was.
    """
    project = access.project(tx, args.project)
    rows = tx.all(
        f"select f.* from flag f where f.project = :project and not ({' or '.join(one for one, _ in _STAYS)})"
        " order by f.key",
        FlagRow,
        project=project["id"],
        young=_young(tx),
    )
    found = [(row, _reasons(tx, row)) for row in rows]
    return [_told(row, reasons) for row, reasons in found if reasons and None not in reasons.values()]


def of_flag(tx: Read, flag: FlagRow) -> StaleFlag:
    """Why this flag may go, as flags.stale tells it. Raises Conflict saying why it stays."""
    cases = " ".join(f"when {condition} then {number}" for number, (condition, _) in enumerate(_STAYS))
    stays = tx.value(f"select case {cases} end from flag f where f.id = :id", id=flag["id"], young=_young(tx))
    if stays is not None:
        raise Conflict(f"{flag['key']} is not stale: {_STAYS[stays][1]}.")
    reasons = _reasons(tx, flag)
    if not reasons:
        raise Conflict(f"{flag['key']} is not stale: its project has no environment yet.")
    used = [key for key, reason in reasons.items() if reason is None]
    if used:
        raise Conflict(
            f"{flag['key']} is not stale: in {', '.join(used)} it was evaluated in the last {_SILENT_D} days, and has"
            f" not served one variation to everybody for {_SAME_D} days."
        )
    return _told(flag, reasons)


class _Reason(NamedTuple):
    since: int
    why: str


def _young(tx: Read) -> int:
    return tx.now - _YOUNG_D * _DAY_S


def _told(flag: FlagRow, reasons: dict[str, _Reason | None]) -> StaleFlag:
    """Every environment has a reason; the one that began last is told."""
    since, why = max(reason for reason in reasons.values() if reason is not None)
    return StaleFlag(key=flag["key"], reason=why, since=since)


def _reasons(tx: Read, flag: FlagRow) -> dict[str, _Reason | None]:
    """By environment, why a flag may go from there; None where it is in use."""
    rows = tx.all(
        "select c.*, e.key from flag_config c join flag_environment e on e.id = c.environment where c.flag = :id"
        " order by e.id",
        id=flag["id"],
    )
    return {row["key"]: _reason(tx, flag, row) for row in rows}


def _reason(tx: Read, flag: FlagRow, row: Row) -> _Reason | None:
    variation = served_variations.to_all(json.loads(row["config"]))
    changed: int = max(row["changed_at"], flag["created_at"])
    if variation is not None and tx.now - changed >= _SAME_D * _DAY_S:
        served, days = served_variations.words(variation), (tx.now - changed) // _DAY_S
        return _Reason(changed, f"serves_one: {row['key']} has served {served} to everybody for {days} days")
    seen = row["evaluated_at"]
    if seen is None:
        days = (tx.now - flag["created_at"]) // _DAY_S
        why = f"never_evaluated: it was never evaluated in {row['key']} in {days} days"
        return _Reason(flag["created_at"], why)
    if tx.now - seen >= _SILENT_D * _DAY_S:
        days = (tx.now - seen) // _DAY_S
        return _Reason(seen, f"not_evaluated: it was not evaluated in {row['key']} for {days} days")
    return None
