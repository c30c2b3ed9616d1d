"""Types of issues as clients keep them."""

from kbwork.core.things.synced import SyncedKind
from kbwork.modules.types import ops

TYPES = SyncedKind(
    home=__name__,
    kind="type",
    scope="projects:read",
    columns=("key", "name", "icon", "color", "level", "workflow", "template", "projects"),
    rows=lambda tx: ops.list_(tx, ops.TypesList()),
)
