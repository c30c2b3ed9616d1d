"""Whatever changes what flags serve is held against the checks of the environment that are enforced."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from kbwork.base.errors import Conflict
from kbwork.db.rows import FlagCheckRow, FlagEnvironmentRow
from kbwork.db.tx import Read
from kbwork.modules.flags.guard import expectations

_NAMED = 5


@contextmanager
def held(
    tx: Read, environments: Iterable[FlagEnvironmentRow], *, bypass: bool = False
) -> Iterator[dict[int, list[str]]]:
    """What is changed inside is one change: Conflict where a check that is enforced holds before it and not after.

    Flags that break a check already are nobody's fault. With `bypass` nothing is refused: the checks that were passed
    over stand in what is yielded, by name and environment, once the change is made. A change inside another one is
    judged with that.
    """
    watched: set[int] = tx.memoized("environments held against checks", set)
    mine = {one["id"]: one for one in environments if one["id"] not in watched}
    enforced = {ident: _enforced(tx, ident) for ident in mine}
    before = {ident: expectations.broken_now(tx, mine[ident], found) for ident, found in enforced.items()}
    passed: dict[int, list[str]] = {}
    watched.update(mine)
    try:
        yield passed
    finally:
        watched.difference_update(mine)
    for ident, checks in enforced.items():
        after = expectations.broken_now(tx, mine[ident], checks)
        for check in checks:
            if newly := [key for key in after[check["id"]] if key not in before[ident][check["id"]]]:
                if not bypass:
                    raise _refusal(mine[ident], check, newly)
                passed.setdefault(ident, []).append(check["name"])


def _enforced(tx: Read, environment: int) -> list[FlagCheckRow]:
    return tx.all(
        "select * from flag_check where environment = :environment and enforce order by id",
        FlagCheckRow,
        environment=environment,
    )


def _refusal(environment: FlagEnvironmentRow, check: FlagCheckRow, flags: list[str]) -> Conflict:
    more = f" and {len(flags) - _NAMED} more" if len(flags) > _NAMED else ""
    return Conflict(
        f"The check {check['name']!r} of {environment['key']} would not hold any more, for"
        f" {', '.join(flags[:_NAMED])}{more}: change the check, or pass it over with `bypass`.",
        check=check["id"],
        broken=flags[:100],
    )
