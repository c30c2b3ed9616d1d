"""Emptying a lane that goes: its issues move to another one."""

from kbwork.core.emptying import Emptying
from kbwork.modules import issues

LANES = Emptying(table="lane", column="lane", op="lanes.delete", move=issues.move_lane)
EMPTY = LANES.job(__name__)
SWEEP = LANES.sweep(__name__)
