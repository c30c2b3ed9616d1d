"""The switches that turn something off at once."""

from typing import Final

from typing_extensions import TypedDict

from kbwork.base.model import Input
from kbwork.core.operations.declare import read
from kbwork.db.tx import Read
from kbwork.modules.flags import access
from kbwork.modules.flags.model import EnvironmentRef, FlagProjectRef

KILL_SWITCH: Final = "kill-switch"


class FlagsKillSwitches(Input):
    project: FlagProjectRef
    environment: EnvironmentRef | None = None


class KillSwitch(TypedDict):
    key: str
    """Key of the flag."""
    environment: str
    """Key of the environment."""
    on: bool
    """Whether targeting is on there."""


@read(
    "flags.kill_switches",
    scope="flags:read",
    words="kill switch, emergency switch, emergency stop, which switches are off, panic button",
    example={"project": "web"},
)
def kill_switches(tx: Read, args: FlagsKillSwitches) -> list[KillSwitch]:
    """List the flags with the tag `kill-switch`, on or off in each environment, or in one."""
    project = access.project(tx, args.project)
    environment = (
        access.environment(tx, project, args.environment)["id"] if args.environment is not None else None
    )
    rows = tx.all(
        "select f.key, e.key as environment, c.config ->> '$.on' as \"on\" from flag f"
        " join flag_config c on c.flag = f.id join flag_environment e on e.id = c.environment"
        " where f.project = :project and not f.archived and (:environment is null or e.id = :environment)"
        " and exists (select 1 from json_each(f.meta, '$.tags') t where t.value = :tag) order by f.key, e.id",
        project=project["id"],
        environment=environment,
        tag=KILL_SWITCH,
    )
    return [KillSwitch(key=row["key"], environment=row["environment"], on=bool(row["on"])) for row in rows]
