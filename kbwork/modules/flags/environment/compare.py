"""What differs between two environments."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.model import Input
from kbwork.core.operations.declare import read
from kbwork.db.rows import FlagEnvironmentRow
from kbwork.db.tx import Read
from kbwork.flagengine.patch.differences import differences
from kbwork.modules.flags import access
from kbwork.modules.flags.definition.content import portable
from kbwork.modules.flags.model import FlagProjectRef, Json, Ref


class FlagsCompare(Input):
    project: FlagProjectRef
    from_: Annotated[Ref, Field(alias="from")]
    """Key of an environment."""
    to: Ref
    """Key of another."""


class Compared(TypedDict):
    """What would have to change in `to` so that it is like `from`: {`key`, `diff`} of each that differs.

    A segment that one of the two does not have differs as a whole, from or to null.
    """

    flags: list[Json]
    """{`key`, `diff`} of each flag that differs."""
    segments: list[Json]
    """{`key`, `diff`} of each segment that differs."""


@read(
    "flags.compare",
    scope="flags:read",
    words=("differences between staging and production, diff environments, how do environments differ"),
    threaded=True,
    example={"project": "web", "from": "test", "to": "production"},
)
def compare(tx: Read, args: FlagsCompare) -> Compared:
    """Say which flags and segments differ between two environments; archived flags are left out."""
    project = access.project(tx, args.project)
    one, other = access.environment(tx, project, args.from_), access.environment(tx, project, args.to)
    flags = differing_keys(portable_configs(tx, one), portable_configs(tx, other))
    return Compared(
        flags=flags, segments=differing_keys(portable_segments(tx, one), portable_segments(tx, other))
    )


def portable_configs(tx: Read, environment: FlagEnvironmentRow) -> dict[str, Json]:
    """Configurations without what is an environment's own, by flag."""
    rows = tx.all(
        "select f.key, c.config from flag_config c join flag f on f.id = c.flag and not f.archived"
        " where c.environment = :id order by f.key",
        id=environment["id"],
    )
    return {row["key"]: portable(row["config"]) for row in rows}


def portable_segments(tx: Read, environment: FlagEnvironmentRow) -> dict[str, Json]:
    rows = tx.all(
        "select key, body from flag_segment where environment = :id order by key", id=environment["id"]
    )
    return {row["key"]: portable(row["body"]) for row in rows}


def differing_keys(one: dict[str, Json], other: dict[str, Json]) -> list[Json]:
    found = []
    for key in sorted({*one, *other}):
        diff = differences(other.get(key), one.get(key))
        if diff:
            found.append({"key": key, "diff": diff})
    return found
