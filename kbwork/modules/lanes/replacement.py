"""Emptying a lane that goes: its issues move to another one. How long its row stays is said in `core/things`."""

from kbwork.core.things.replacement import Replacement
from kbwork.modules import issues

LANES = Replacement(table="lane", column="lane", op="lanes.delete", move=issues.move_lane)
EMPTY = LANES.job(__name__)
SWEEP = LANES.sweep(__name__)
