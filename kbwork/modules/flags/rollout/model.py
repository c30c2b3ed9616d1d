"""The words of plans."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.model import Id, Input, Int, Number
from kbwork.flagengine.buckets import TOTAL
from kbwork.modules.flags.model import Json

PlanState = Literal["waiting", "running", "held", "stopped", "done"]
PlanCheckKind = Literal["errors", "check", "hook"]
LIVE = ("waiting", "running", "held")
_MOST_MINUTES = 60 * 24 * 30


class PlanStep(Input):
    weight: Annotated[Int, Field(ge=0, le=TOTAL)]
    """How many get the variation, in thousandths of a percent."""
    hold_minutes: Annotated[Int, Field(ge=0, le=_MOST_MINUTES)]
    """So long it stays there before the next step."""


class PlanCheck(Input):
    """What has to hold for the rollout to go on."""

    kind: PlanCheckKind
    """`errors`: the share of evaluations since the step began that got the caller's default; `check`: a saved check of
    the environment; `hook`: an address that is posted to at the end of each step, and answers 200 to 299."""
    back: bool | None = None
    """Whether the rollout goes back to what was served before it when this fails; left out: it stops where it is."""
    percent: Annotated[Number | None, Field(ge=0, le=100)] = None
    """Of `errors`: the most percent that are well; left out: 1."""
    least: Annotated[Int | None, Field(ge=1)] = None
    """Of `errors`: so many evaluations are looked at before anything is said; left out: 100."""
    id: Id | None = None
    """Of `check`: its id, from `flags.checks`."""
    url: Annotated[str | None, Field(min_length=1, max_length=2000, pattern=r"^https?://[!-~]+$")] = None
    """Of `hook`: where to ask."""


class FlagPlan(TypedDict):
    """A rollout by a plan. Times are in Unix milliseconds, but `created_at`, which is in seconds."""

    id: int
    """Id of the plan."""
    key: str
    """Key of the flag."""
    environment: str
    """Key of the environment."""
    rule: str | None
    """Id of the rule whose share grows; null: what is served where no target and no rule fits."""
    variation: int
    """Index of the variation that is rolled out."""
    steps: list[Json]
    """{`weight`, `hold_minutes`} of each step, in order."""
    checks: list[Json]
    """What has to hold; of a hook's address only where it leads."""
    comment: str
    """Why, in words; empty: nothing said."""
    state: PlanState
    """`waiting` for its start or for approval, `running`, `held` until it can go on, `stopped` for good, `done`."""
    step: int
    """Which step is served, counted from 1; 0: none yet."""
    next_at: int | None
    """When the step was held long enough; null: it is not held for a time now."""
    reason: str | None
    """Why it is held or was stopped; null: it is not."""
    start_at: int | None
    """When it is to start; null: at once."""
    change: int | None
    """The change request that it was approved by, or waits for; null: it needed none."""
    created_by: str
    """In whose name it acts: a member's id or `agent:<name>`."""
    created_at: int
    """When it was made."""
