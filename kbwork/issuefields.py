"""The fields that every issue has, one row each: all that knows such fields reads it here.

Modules below issues ask for these fields too, and imports read their sources in processes that load little else: so
this stands below all modules and imports none.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

Kind = Literal["text", "paragraph", "number", "date", "select", "multi_select", "member", "members", "issue"]


@dataclass(frozen=True, slots=True)
class IssueField:
    """One field. `name` is what conditions, transitions and queries call it, `input` its name in inputs, in the shape
    of an issue and in records of imports, `title` what people read."""

    name: str
    input: str
    title: str
    kind: Kind
    column: str = ""
    """Where the table `issue` keeps it; nothing for what has rows of its own."""
    history: str = ""
    """The name of its spans; nothing where its past is not kept."""
    clear: Any = ""
    """What issues.update takes for nothing."""
    aliases: tuple[str, ...] = ()
    condition: bool = False
    """Conditions of layouts and workflows may ask for it."""
    asked: bool = False
    """A transition may ask for it on the way."""
    simple: bool = False
    """Optional, and kept in its column as it is given: no module has code for it alone. A copy of the issue has it."""
    usual: str = ""
    """Of a simple one: what tools call such a column when they export a table, the surest first, in small letters and
    digits alone. Nothing where no source has it."""

    @property
    def names(self) -> tuple[str, ...]:
        """Whatever means it."""
        return (self.name, self.input, *self.aliases)


FIELDS = (
    IssueField("project", "project", "Project", "select", column="project", history="project"),
    IssueField("type", "type", "Type", "select", column="type", history="type", condition=True),
    IssueField("status", "status", "Status", "select", column="lane", history="lane", condition=True),
    IssueField("title", "title", "Title", "text", column="title", condition=True, asked=True),
    IssueField(
        "body", "body", "Description", "paragraph", column="body", aliases=("description",), asked=True
    ),
    IssueField(
        "assignee", "assignees", "Assignees", "members", history="assignee", condition=True, asked=True
    ),
    IssueField(
        "priority",
        "priority",
        "Priority",
        "select",
        column="priority",
        history="priority",
        clear="none",
        condition=True,
        asked=True,
    ),
    IssueField(
        "label",
        "labels",
        "Labels",
        "multi_select",
        history="label",
        clear=[],
        condition=True,
        asked=True,
    ),
    IssueField(
        "component", "components", "Components", "multi_select", history="component", clear=[], asked=True
    ),
    IssueField(
        "reporter", "reporter", "Reporter", "member", column="reporter", history="reporter", condition=True
    ),
    IssueField(
        "parent", "parent", "Parent", "issue", column="parent", history="parent", condition=True, asked=True
    ),
    IssueField("sprint", "sprint", "Sprint", "select", column="sprint", history="sprint", clear=None),
    IssueField(
        "milestone", "milestone", "Milestone", "select", column="milestone", history="milestone", clear=None
    ),
    IssueField(
        "estimate",
        "estimate",
        "Estimate",
        "number",
        column="estimate",
        history="estimate",
        clear=None,
        condition=True,
        asked=True,
        simple=True,
        usual="storypoints storypointestimate points estimate size",
    ),
    IssueField(
        "start",
        "start_date",
        "Start date",
        "date",
        column="start_date",
        history="start_date",
        condition=True,
        asked=True,
        simple=True,
        usual="startdate start startson",
    ),
    IssueField(
        "due",
        "due_date",
        "Due date",
        "date",
        column="due_date",
        history="due_date",
        condition=True,
        asked=True,
        simple=True,
        usual="duedate due dueon dueby deadline",
    ),
    IssueField("level", "level", "Level", "select", column="level", history="level", condition=True),
)
SIMPLE = tuple(field for field in FIELDS if field.simple)
IMPORTED = tuple(field for field in SIMPLE if field.usual)

Number = Annotated[float, Field(ge=-1e15, le=1e15, allow_inf_nan=False)]
Day = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]


class ImportedFields(TypedDict):
    """Those of `IMPORTED`, as records of imports hold them."""

    estimate: Number | None
    start_date: Day | None
    due_date: Day | None
