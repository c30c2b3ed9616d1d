"""Plans, as they are answered."""

import json
from typing import Any
from urllib.parse import urlsplit

from kbwork.db.rows import FlagProjectRow
from kbwork.db.tx import Read
from kbwork.modules.flags.model import Json
from kbwork.modules.flags.rollout.model import FlagPlan

_MOST = 1000


def of_project(tx: Read, project: FlagProjectRow, where: str, **binds: Any) -> list[FlagPlan]:
    """Plans of a flag project by a condition on `flag_plan p`, newest first, the last thousand."""
    rows = tx.all(
        "select p.*, f.key, e.key as environment_key from flag f join flag_plan p on p.flag = f.id"
        f" join flag_environment e on e.id = p.environment where f.project = :project and {where}"
        f" order by p.id desc limit {_MOST}",
        project=project["id"],
        **binds,
    )
    return [
        FlagPlan(
            id=row["id"],
            key=row["key"],
            environment=row["environment_key"],
            rule=row["rule"],
            variation=row["variation"],
            steps=json.loads(row["steps"]),
            checks=[_told(check) for check in json.loads(row["checks"])],
            comment=row["comment"],
            state=row["state"],
            step=row["step"],
            next_at=row["next_at"],
            reason=row["reason"],
            start_at=row["start_at"],
            change=row["change"],
            created_by=row["created_by"],
            created_at=row["created_at"],
        )
        for row in rows
    ]


def one(tx: Read, project: FlagProjectRow, ident: int) -> FlagPlan:
    """One, whole."""
    (found,) = of_project(tx, project, "p.id = :id", id=ident)
    return found


def _told(check: Json) -> Json:
    """What stands behind the host may be a secret."""
    if check["kind"] != "hook":
        return check
    parts = urlsplit(check["url"])
    return check | {"url": f"{parts.scheme}://{parts.hostname or ''}"}
