"""Lanes as clients keep them."""

from kbwork.core.things.synced import SyncedKind
from kbwork.modules.lanes import ops

LANES = SyncedKind(
    home=__name__,
    kind="lane",
    scope="projects:read",
    columns=("key", "name", "category", "color", "outcome", "wip", "position"),
    rows=lambda tx: ops.list_(tx, ops.LanesList()),
)
