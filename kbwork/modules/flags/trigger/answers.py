"""Triggers, as they are answered."""

from typing import Any, Literal

from typing_extensions import TypedDict

from kbwork.db.rows import FlagProjectRow, FlagRow
from kbwork.db.tx import Read

TriggerAction = Literal["on", "off", "variation"]


class FlagTrigger(TypedDict):
    """`url` stands in the answer that made it, and nowhere else."""

    id: int
    """Id of the trigger."""
    key: str
    """Key of the flag."""
    environment: str
    """Key of the environment."""
    action: TriggerAction
    """What a post to it does."""
    variation: int | None
    """Index of the variation that it serves; null: another action."""
    url: str | None
    """The address to post to, once; null: it was shown."""
    created_by: str
    """In whose name it acts: a member's id or `agent:<name>`."""
    created_at: int
    """When it was made, in Unix seconds."""
    used_at: int | None
    """When it last did what it does, in Unix seconds; null: never."""
    uses: int
    """How often it did."""


def of_project(tx: Read, project: FlagProjectRow, flag: FlagRow | None = None) -> list[FlagTrigger]:
    """All of a flag project, or of one flag."""
    return _shown(
        tx, "(:flag is null or f.id = :flag)", project, flag=flag["id"] if flag is not None else None
    )


def one(tx: Read, project: FlagProjectRow, ident: int, url: str | None) -> FlagTrigger:
    """One, with its address where it is shown."""
    (found,) = _shown(tx, "t.id = :id", project, id=ident)
    found["url"] = url
    return found


def _shown(tx: Read, where: str, project: FlagProjectRow, **binds: Any) -> list[FlagTrigger]:
    rows = tx.all(
        "select t.*, f.key, e.key as environment_key from flag f join flag_trigger t on t.flag = f.id"
        f" join flag_environment e on e.id = t.environment where f.project = :project and {where} order by f.key, t.id",
        project=project["id"],
        **binds,
    )
    return [
        FlagTrigger(
            id=row["id"],
            key=row["key"],
            environment=row["environment_key"],
            action=row["action"],
            variation=row["variation"],
            url=None,
            created_by=row["created_by"],
            created_at=row["created_at"],
            used_at=row["used_at"],
            uses=row["uses"],
        )
        for row in rows
    ]
