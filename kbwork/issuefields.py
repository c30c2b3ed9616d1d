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
    """By which a transition may ask for it, too."""
    condition: bool = False
    """Conditions of layouts and workflows may ask for it."""
    asked: bool = False
    """A transition may ask for it on the way."""
    simple: bool = False
    """Optional, and kept in its column as it is given: everywhere its kind says how. A copy of the issue has it."""
    usual: str = ""
    """Of a simple one: what tools call such a column when they export a table, the surest first, in small letters and
    digits alone. Nothing where no source has it."""


def _simple(name: str, input: str, title: str, kind: Kind, usual: str) -> IssueField:
    """One that every other place can treat by its kind."""
    return IssueField(
        name,
        input,
        title,
        kind,
        column=input,
        history=input,
        clear=None if kind == "number" else "",
        condition=True,
        asked=True,
        simple=True,
        usual=usual,
    )


FIELDS = (
    IssueField("project", "project", "Project", "select", "project", "project"),
    IssueField("type", "type", "Type", "select", "type", "type", condition=True),
    IssueField("status", "status", "Status", "select", "lane", "lane", condition=True),
    IssueField("title", "title", "Title", "text", "title", condition=True, asked=True),
    IssueField("body", "body", "Description", "paragraph", "body", asked=True, aliases=("description",)),
    IssueField("assignee", "assignees", "Assignees", "members", "", "assignee", condition=True, asked=True),
    IssueField(
        "priority",
        "priority",
        "Priority",
        "select",
        "priority",
        "priority",
        "none",
        condition=True,
        asked=True,
    ),
    IssueField("label", "labels", "Labels", "multi_select", "", "label", [], condition=True, asked=True),
    IssueField("component", "components", "Components", "multi_select", "", "component", [], asked=True),
    IssueField("reporter", "reporter", "Reporter", "member", "reporter", "reporter", condition=True),
    IssueField("parent", "parent", "Parent", "issue", "parent", "parent", condition=True, asked=True),
    IssueField("sprint", "sprint", "Sprint", "select", "sprint", "sprint", None),
    IssueField("milestone", "milestone", "Milestone", "select", "milestone", "milestone", None),
    _simple(
        "estimate", "estimate", "Estimate", "number", "storypoints storypointestimate points estimate size"
    ),
    _simple("start", "start_date", "Start date", "date", "startdate start startson"),
    _simple("due", "due_date", "Due date", "date", "duedate due dueon dueby deadline"),
    IssueField("level", "level", "Level", "select", "level", "level", condition=True),
)
ABOUT = {
    "project": "Key of its project.",
    "type": "Key of its type.",
    "status": "Name of the lane it stands in.",
    "title": "What it is about, on one line.",
    "body": "Description, in Markdown.",
    "assignees": "Who has it: ids of members and `agent:<name>`; the first leads.",
    "priority": "How pressing it is; `none` unless set.",
    "labels": "Names of its labels.",
    "components": "Names of its components.",
    "reporter": "Who reported it: a member's id, or the bare name of somebody who is none.",
    "parent": "Key of the issue above it; null: none, or none that the caller sees.",
    "sprint": "Id of its sprint; null: it is in none.",
    "milestone": "Id of its milestone; null: none. This version has no milestones.",
    "estimate": "How much work it is, in points or what the team counts in; null: not estimated.",
    "start_date": "First day, `YYYY-MM-DD`; null: none.",
    "due_date": "Last day, `YYYY-MM-DD`; null: none.",
    "level": "Who sees it: `public`, `team:<id>` or `private`; null: whoever sees the project.",
}
"""What each holds, by its name in inputs, for people: the contract, help and the reference say it."""
SIMPLE = tuple(field for field in FIELDS if field.simple)
IMPORTED = tuple(field for field in SIMPLE if field.usual)

Number = Annotated[float, Field(ge=-1e15, le=1e15, allow_inf_nan=False)]
Day = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]


class ImportedFields(TypedDict):
    """Those of `IMPORTED`, as records of imports hold them."""

    estimate: Number | None
    start_date: Day | None
    due_date: Day | None
