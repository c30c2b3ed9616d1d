"""The flag engine: a snapshot and a context in, a value with its reason out. Pure: it imports nothing of kbwork.

`Snapshot(data)` takes flags and segments as they are stored or sent to clients; `snapshot.evaluate` answers a
`Detail`, `explain` answers it with every step that led to it.
"""

from kbwork.flagengine.contexts import Context
from kbwork.flagengine.evaluate import Explained, explain
from kbwork.flagengine.reasons import Detail
from kbwork.flagengine.snapshot import Snapshot

__all__ = ["Context", "Detail", "Explained", "Snapshot", "explain"]
