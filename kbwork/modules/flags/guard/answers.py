"""Saved checks, as they are answered."""

import json

from typing_extensions import TypedDict

from kbwork.db.rows import FlagCheckRow, FlagEnvironmentRow, FlagProjectRow
from kbwork.db.tx import Read
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.guard import expectations
from kbwork.modules.flags.model import Json


class FlagCheck(TypedDict):
    """What a context is to get; `broken` names what it does not get now."""

    id: int
    """Id of the check."""
    project: str
    """Key of the flag project."""
    environment: str
    """Key of the environment."""
    name: str
    """What people call it."""
    context: Json
    """Who is looked at."""
    expected: Json
    """What it is to get, by key of the flag."""
    enforce: bool
    """Whether a change that breaks it is refused."""
    created_by: str
    """Who made it: a member's id or `agent:<name>`."""
    created_at: int
    """When it was made, in Unix seconds."""
    broken: list[str]
    """Keys of the flags that serve it something else now."""


def of_project(
    tx: Read, project: FlagProjectRow, environment: FlagEnvironmentRow | None = None
) -> list[FlagCheck]:
    """All of a flag project, or of one environment."""
    environments = tx.all(
        "select * from flag_environment where project = :project and (:only is null or id = :only) order by id",
        FlagEnvironmentRow,
        project=project["id"],
        only=environment["id"] if environment is not None else None,
    )
    found: list[FlagCheck] = []
    for one in environments:
        rows = tx.all(
            "select * from flag_check where environment = :id order by name, id", FlagCheckRow, id=one["id"]
        )
        broken = expectations.broken_now(tx, one, rows)
        found += [_shown(ProjectEnvironment(project, one), row, broken[row["id"]]) for row in rows]
    return found


def one(tx: Read, place: ProjectEnvironment, row: FlagCheckRow) -> FlagCheck:
    """One, whole."""
    return _shown(place, row, expectations.broken_now(tx, place.environment, [row])[row["id"]])


def _shown(place: ProjectEnvironment, row: FlagCheckRow, broken: list[str]) -> FlagCheck:
    return FlagCheck(
        id=row["id"],
        project=place.project["key"],
        environment=place.environment["key"],
        name=row["name"],
        context=json.loads(row["context"]),
        expected=json.loads(row["expected"]),
        enforce=bool(row["enforce"]),
        created_by=row["created_by"],
        created_at=row["created_at"],
        broken=broken,
    )
