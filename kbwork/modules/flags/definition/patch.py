"""Instructions on what is stored: checked against what is there, nothing written."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kbwork.base.errors import Conflict, InUse, InvalidInput
from kbwork.db.rows import FlagEnvironmentRow, FlagProjectRow, FlagRow, FlagSegmentRow
from kbwork.db.tx import Read
from kbwork.flagengine.patch import apply, flag_instructions, segment_instructions, targeting_instructions
from kbwork.flagengine.patch.checks import Wrong
from kbwork.modules.flags.definition import content, dependencies
from kbwork.modules.flags.model import Json

_TO_FLAG = dict.fromkeys(
    flag_instructions.INSTRUCTIONS,
    "changes the flag everywhere: send it in a request of its own, without an environment",
)
_TO_ENVIRONMENT = dict.fromkeys(
    targeting_instructions.INSTRUCTIONS,
    "changes one environment: send it in a request of its own that names the environment",
)


@contextmanager
def refusals(at: str = "") -> Iterator[None]:
    """What the engine finds wrong is the input's fault. Raises InvalidInput with its place below `at`."""
    try:
        yield
    except Wrong as wrong:
        path = ".".join(part for part in (at, wrong.path) if part)
        raise InvalidInput(f"{path} {wrong.why}".strip(), field=path) from None


def config(tx: Read, flag: FlagRow, environment: FlagEnvironmentRow, instructions: list[Json]) -> Json:
    """A flag in an environment after instructions. Raises InvalidInput, or Conflict for an archived flag."""
    require_live(flag)
    world = content.world_of_config(tx, flag, environment)
    instructions = content.by_present_keys(tx, flag, instructions)
    before = content.config_of(tx, flag, environment)
    with refusals():
        return apply.apply(
            targeting_instructions.INSTRUCTIONS, before, instructions, world, elsewhere=_TO_FLAG
        )


def meta(tx: Read, project: FlagProjectRow, flag: FlagRow, instructions: list[Json]) -> Json:
    """What a flag is everywhere after instructions.

    Raises InvalidInput; Conflict for an archived flag, unless it is brought back; InUse where others wait for it.
    """
    if any(one.get("kind") != "restoreFlag" for one in instructions):
        require_live(flag)
    world = content.world_of_meta(tx, flag)
    before = content.meta_of(flag)
    with refusals():
        after = apply.apply(
            flag_instructions.INSTRUCTIONS, before, instructions, world, elsewhere=_TO_ENVIRONMENT
        )
    if after["archived"] and not before["archived"]:
        _require_unwaited(tx, project, flag)
    if before["archived"] and not after["archived"]:
        _require_prerequisites(tx, flag)
    return after


def segment(
    tx: Read, environment: FlagEnvironmentRow, segment: FlagSegmentRow, instructions: list[Json]
) -> Json:
    """A segment after instructions. Raises InvalidInput."""
    world = content.world_of_segment(tx, environment, segment["key"])
    with refusals():
        return apply.apply(
            segment_instructions.INSTRUCTIONS, content.segment_of(segment), instructions, world
        )


def require_live(flag: FlagRow) -> None:
    """Raises Conflict where the flag is archived."""
    if flag["archived"]:
        raise Conflict(f"The flag {flag['key']} is archived; flags.restore brings it back.")


def _require_unwaited(tx: Read, project: FlagProjectRow, flag: FlagRow) -> None:
    waiting = dependencies.dependents(tx, project["id"], flag["key"])
    if waiting:
        raise InUse(
            f"{_listed(waiting)} wait for {flag['key']}: take it out of their prerequisites first.",
            uses=waiting[:100],
        )


def _require_prerequisites(tx: Read, flag: FlagRow) -> None:
    """What it waits for is there: it may have been archived meanwhile."""
    gone = tx.column(
        "select distinct o.key from flag_environment e join flag_use u on u.environment = e.id"
        " and u.user_kind = 'flag' and u.user = :key and u.uses_kind = 'flag'"
        " join flag o on o.project = e.project and o.key = u.uses and o.archived"
        " where e.project = :project order by 1",
        key=flag["key"],
        project=flag["project"],
    )
    if gone:
        raise Conflict(f"{flag['key']} waits for {_listed(gone)}, which is archived: bring that back first.")


def _listed(keys: list[Any]) -> str:
    more = f" and {len(keys) - 5} more" if len(keys) > 5 else ""
    return ", ".join(keys[:5]) + more
