"""How much people can do in a sprint."""

import json
from typing import Annotated

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Id, Input, Number
from kbwork.core.operations.declare import write
from kbwork.db.tx import Write
from kbwork.modules import members
from kbwork.modules.sprints import access, ops, queries
from kbwork.modules.sprints.model import Sprint, SprintUpdated

MOST = 200
Amount = Annotated[Number, Field(ge=0, le=100_000)]


class SprintsCapacitySet(Input):
    id: Id
    """Id of the sprint."""
    capacity: dict[str, Amount]
    """Member (id, `me`, `@handle`) -> how much they can do, in hours or points; who is not named has none said."""


@write(
    "sprints.capacity_set",
    scope="sprints:write",
    words="capacity of the team, how much can we do, availability in the sprint, hours per person",
    emits=[SprintUpdated],
    example={"id": 2, "capacity": {"me": 20}},
)
def capacity_set(tx: Write, args: SprintsCapacitySet) -> Sprint:
    """Set how much each can do in a sprint, the whole list: active members, 200 at most (422).

    Whoever keeps the sprint sets it (403).
    """
    row = access.kept(tx, args.id)
    if len(args.capacity) > MOST:
        raise InvalidInput(f"A sprint has the capacity of {MOST} people at most.", field="capacity")
    held: dict[str, float] = {}
    for ref, amount in args.capacity.items():
        member = members.by_ref(tx, ref, field="capacity")
        if member["state"] != "active":
            raise InvalidInput(f"{member['name']} is no active member.", field="capacity")
        held[member["id"]] = amount
    before = json.loads(row["capacity"])
    if held != before:
        text = json.dumps(held)
        tx.update("sprint", row["id"], capacity=text)
        tx.emit(
            SprintUpdated(
                subject=f"sprint:{row['id']}", payload=ops.told(row), changes={"capacity": (before, held)}
            )
        )
    return queries.one(tx, row["id"])
