"""The words of sprints."""

from typing import Any, ClassVar, Literal

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent
from kbwork.modules.issues import Issue

State = Literal["planned", "active", "done"]
Carry = Literal["next", "backlog"]


class SprintCounts(TypedDict):
    """How much is in a sprint, of what the caller sees."""

    issues: int
    """Issues in it; of a done one, those that were in it when it was completed."""
    done: int
    """Those that are done."""
    estimate: float
    """The sum of their estimates."""
    estimate_done: float
    """The sum of the estimates of those that are done."""
    added: int
    """Issues that came in after it started."""
    removed: int
    """Issues that were in it when it started and left it."""


class SprintCadence(TypedDict):
    """How sprints are made by themselves."""

    weeks: int
    """How many weeks each takes."""
    starts_on: int
    """The day of the week on which each starts: 0 is Sunday, 1 Monday."""
    ahead: int
    """How many planned ones there always are."""
    auto_start: bool
    """Whether each starts by itself on its first day."""
    auto_complete: bool
    """Whether each is completed by itself when its last day is over."""
    carry: Carry
    """Where unfinished issues go then: to the `next` planned sprint, or back to the `backlog`."""


class Sprint(TypedDict):
    """Some weeks of work of a team, or of one or more projects."""

    id: int
    """Id of the sprint."""
    name: str
    """What people choose it by."""
    projects: list[str]
    """Keys of its projects that the caller sees; empty: it is its team's alone."""
    team: int | None
    """Id of its team; null: none."""
    state: State
    """`planned`, `active` from its start, `done` when it is completed."""
    goal: str
    """What it is for; empty: nothing said."""
    start_date: str | None
    """First day, `YYYY-MM-DD`; null: not settled."""
    end_date: str | None
    """Last day, `YYYY-MM-DD`; null: not settled."""
    started_at: int | None
    """When it was started, in Unix seconds; null: it was not."""
    completed_at: int | None
    """When it was completed, in Unix seconds; null: it was not."""
    capacity: dict[str, float]
    """Member id -> how much they can do in it, in hours or points."""
    counts: SprintCounts
    """How much is in it."""
    retro: str | None
    """Id of the page that looks back on it; null: none."""
    cadence: SprintCadence | None
    """How its like are made, where it made itself by that; null: somebody made it."""


class SprintLoad(TypedDict):
    """What one person has to do in a sprint."""

    member: str
    """Who has it: a member's id or `agent:<name>`."""
    planned: float
    """The sum of the estimates of what they lead in it; where nothing in it is estimated, how many issues."""
    capacity: float | None
    """How much they can do; null: not said."""
    absent_days: int
    """Days on which they are away; 0 where nothing is known of that."""


class SprintPlan(TypedDict):
    """What there is to plan a sprint by."""

    sprint: Sprint
    """The sprint, as it stands now."""
    backlog: list[Issue]
    """Open issues in no sprint that may go in, the first 200, project by project, each by rank."""
    load: list[SprintLoad]
    """Who has how much to do, and who can do how much."""
    suggest: list[str]
    """Keys of the first of the backlog that fit in, going by what the last three done sprints got done."""


class SprintChange(TypedDict):
    """An issue came into a sprint that runs, or left it."""

    key: str
    """Key of the issue."""
    title: str
    """Title of the issue."""
    size: float
    """How much it counts: its estimate; where nothing in the sprint is estimated, 1."""
    added: bool
    """Whether it came in; else it left."""
    by: str | None
    """Who did that: a member's id, `agent:<name>`, `system` or the like; null: nobody knows any more."""


class SprintDay(TypedDict):
    """How a sprint stood at the end of a day."""

    date: str
    """The day, `YYYY-MM-DD`."""
    left: float
    """What was not done: the sum of estimates; where nothing in it is estimated, how many issues."""
    ideal: float
    """What would be left if as much got done on each day."""
    scope: float
    """All that was in it."""
    changes: list[SprintChange]
    """What came in and what left on that day, the first 50, in the order of time."""
    more: int
    """How many changes of the day are left out of that."""
    hidden: int
    """How many were of issues that the caller does not see: told to admins, else 0."""


class SprintReport(TypedDict):
    """What came of a sprint, of what the caller sees."""

    sprint: Sprint
    """The sprint, as it stands now."""
    done: list[Issue]
    """Issues that got done in it."""
    unfinished: list[Issue]
    """Issues that were in it and did not get done."""
    added: list[str]
    """Keys of those that came in after it started."""
    removed: list[str]
    """Keys of those that were in it when it started and left it."""
    days: list[SprintDay]
    """How it stood day by day."""
    said_done: float
    """How much of what was in it at the start got done in it, from 0 to 1."""


class SprintEvent(DomainEvent):
    pass


class SprintCreated(SprintEvent):
    kind = "sprint.created"
    inverse = "sprint.deleted"


class SprintUpdated(SprintEvent):
    kind = "sprint.updated"


class SprintStarted(SprintEvent):
    kind = "sprint.started"


class SprintCompleted(SprintEvent):
    """`unfinished`: issues that went elsewhere."""

    kind = "sprint.completed"
    counts: ClassVar[dict[str, str]] = {"unfinished": "issue"}


class SprintReopened(SprintEvent):
    kind = "sprint.reopened"


class SprintDeleted(SprintEvent):
    kind = "sprint.deleted"
    inverse = "sprint.created"


class SprintScopeChanged(SprintEvent):
    """What came into an active one, and what left it."""

    kind = "sprint.scope_changed"
    inverse = "sprint.scope_changed"
    counts: ClassVar[dict[str, str]] = {"added": "issue", "removed": "issue"}

    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        return payload | {"added": payload["removed"], "removed": payload["added"]}
