"""What a flag was."""

import json
from collections.abc import Iterator

from kbwork.base.model import Input
from kbwork.core.operations.declare import read
from kbwork.db.tx import Read, Row
from kbwork.modules.flags import access
from kbwork.modules.flags.model import FlagProjectRef, FlagRef, FlagRevision, Ref

_MOST = 1000
_MOST_CHARS = 4_000_000


class FlagsHistory(Input):
    project: FlagProjectRef
    key: FlagRef
    environment: Ref | None = None
    """Left out: of the flag itself."""


@read(
    "flags.history",
    scope="flags:read",
    words=(
        "who changed the flag, how was the flag earlier, flag versions, yesterday, "
        "who turned it on, when was it switched"
    ),
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
        "select id, version, at, who, via, comment, diff from flag_revision"
        " where flag = :flag and environment is :environment"
        f" order by id desc limit {_MOST}",
        flag=flag["id"],
        environment=environment,
    )
    return [
        FlagRevision(
            id=row["id"],
            version=row["version"],
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
