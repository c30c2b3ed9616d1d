"""Looking at issues: one, or a list."""

from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Cursor, Id, Input, Limit, Paged, Text, When
from kbwork.base.text import did_you_mean
from kbwork.core import org_settings
from kbwork.core.access import visibility
from kbwork.core.operations import pagination
from kbwork.core.operations.declare import Rendered, read
from kbwork.core.operations.documents import eyes_of
from kbwork.core.ports.extension import Extension
from kbwork.core.references import ProjectRef
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read
from kbwork.modules import members
from kbwork.modules.issues import access, queries
from kbwork.modules.issues.issue.documents import DOCUMENTS, IssueEyes
from kbwork.modules.issues.issue.list_page import SORTS, ListPage, ListQuery
from kbwork.modules.issues.model import Issue, IssueColumns
from kbwork.modules.issues.ports import Checklists, Flags
from kbwork.modules.issues.relations import relations
from kbwork.modules.issues.transitions import engine
from kbwork.modules.projects import access as projects
from kbwork.modules.workflows import lanes

E = TypeVar("E", bound=Extension)
Part = Literal["relations", "children", "transitions", "checklist", "sla", "watchers", "flags"]


class IssuesGet(Input):
    key: Text
    """Key, former key or `issue:<n>`."""
    with_: Annotated[list[Part], Field(max_length=7)] | None = Field(None, alias="with")
    """Parts to add; parts of modules that are not there stay away. `flags` are the feature flags that belong to it,
    with what each environment serves: those that you see, and none without the scope flags:read."""


def _one(tx: Read, args: IssuesGet) -> Rendered | None:
    if args.with_:
        return None
    issue = access.of_key(tx, args.key)
    asked = [issue if issue is not None else access.get(tx, args.key)["id"]]
    told = DOCUMENTS.texts(tx, eyes_of(tx, IssueEyes), asked)
    entry = told.entry if issue is not None else None  # what a former key means may change without the issue
    return Rendered(told.digest, told.items[0], entry)


@read(
    "issues.get",
    scope="issues:read",
    words=(
        "read a ticket, show a bug, open a ticket, details of an issue, look up, "
        "who has the ticket, what is the status of, look at WEB-1, when is it due"
    ),
    example={"key": "WEB-1", "with": ["children", "transitions"]},
    render=_one,
)
def get(tx: Read, args: IssuesGet) -> Issue:
    """Look at an issue by its key, a former key or `issue:<n>`."""
    row = access.get(tx, args.key)
    issue = queries.shown(tx, [row])[0]
    parts = args.with_ or ()
    if "relations" in parts:
        issue["relations"] = relations.of_issue(tx, row["id"])
    if "children" in parts:
        issue["children"] = queries.children(tx, row["id"])
    if "transitions" in parts:
        issue["transitions"] = engine.transitions(tx, row)
    if "checklist" in parts:
        for checklists in _on(tx, Checklists):
            issue["checklist"] = checklists.shown(tx, row)
    if "watchers" in parts:
        issue["watchers"] = queries.watchers(tx, row["id"])
    if "flags" in parts:
        for flags in _on(tx, Flags):
            issue["flags"] = flags.shown(tx, row)
    return issue


def _on(tx: Read, point: type[E]) -> list[E]:
    """What modules declared for this point, without those that are switched off."""
    return [one for one in tx.registry.of(point) if not org_settings.home_off(tx, one.home)]


class IssuesList(Input):
    project: ProjectRef | None = None
    status: Text | None = None
    """A lane, by key or name."""
    assignee: Text | None = None
    """A member, `agent:<name>`, `me`, or `none` for issues that nobody has."""
    sprint: Id | None = None
    """Id of a sprint: its issues alone."""
    parent: Text | None = None
    """Key of an issue: those right below it."""
    updated_since: When | None = None
    """Only those that changed at or after this time, in Unix seconds."""
    archived: bool | None = None
    """True: archived ones too."""
    sort: Text | None = None
    """`rank`, `created`, `updated`, `due`, `priority`, `status`, `key` or `title`, descending with `-` in front."""
    columns: Annotated[list[Text], Field(min_length=1, max_length=50)] | None = None
    """Fields of issues, such as `key` and `title`: the items hold these alone, in this order. Left out: all of them."""
    cursor: Cursor | None = None
    limit: Limit | None = None


def _page(tx: Read, args: IssuesList, *, whole: bool) -> tuple[list[Any], str | None]:
    """(what ListPage answers of the issues of a page, the cursor behind them)."""
    sort, descending = _order(args)
    most = pagination.limit(args)
    asked = _asked(tx, args, sort, descending=descending)
    page = ListPage(tx, asked, place=pagination.place(tx, args), most=most + 1, whole=whole)
    found = page.rows()
    after = pagination.cursor(tx, args, page.place(found[most - 1])) if len(found) > most else None
    return found[:most], after


def _listed(tx: Read, args: IssuesList) -> Rendered | None:
    if args.columns is not None:
        return None
    found, after = _page(tx, args, whole=False)
    return DOCUMENTS.paged(tx, eyes_of(tx, IssueEyes), [row[0] for row in found], after)


@read(
    "issues.list",
    scope="issues:read",
    words=(
        "my issues, my tasks, open bugs, what am I working on, assigned to me, "
        "tickets of a project, to-do list, backlog, unassigned, overdue, everything in progress, "
        "who works on what, recently updated, my work"
    ),
    example={"project": "WEB", "sort": "-updated"},
    render=_listed,
)
def list_(tx: Read, args: IssuesList) -> Paged[Issue] | Paged[IssueColumns]:
    """List issues, page by page, whole or with some of their fields.

    Sorted by rank within a project, else the latest change first. Archived ones are left out unless asked for.
    """
    columns = _columns(args)
    found, after = _page(tx, args, whole=True)
    issues = queries.shown(tx, cast(list[IssueRow], found))
    if columns is None:
        return {"items": issues, "next": after}
    some: list[Any] = [{name: issue[name] for name in columns} for issue in issues]
    return Paged[IssueColumns](items=some, next=after)


def _columns(args: IssuesList) -> list[str] | None:
    """Raises InvalidInput naming one that is no field of all issues."""
    if args.columns is None:
        return None
    known = [name for name in Issue.__annotations__ if name in Issue.__required_keys__]
    wanted = list(dict.fromkeys(name.strip() for name in args.columns))
    for name in wanted:
        if name not in known:
            raise InvalidInput(
                f"Issues have no field {name!r}.{did_you_mean(name, known)}", field="columns", allowed=known
            )
    return wanted


_OF_ACCESS = frozenset({"project", "archived", "sort", "columns", "cursor", "limit"})
"""Inputs of which access alone decides what they stand for."""


def _asked(tx: Read, args: IssuesList, sort: str, *, descending: bool) -> ListQuery:
    if not args.model_fields_set <= _OF_ACCESS:
        return _made_out(tx, args, sort, descending=descending)
    found: ListQuery = tx.kept(
        args.found,
        ("asked", tx.caller.ident, tx.caller.role, tx.caller.projects),
        lambda: _made_out(tx, args, sort, descending=descending),
    )
    return found


def _made_out(tx: Read, args: IssuesList, sort: str, *, descending: bool) -> ListQuery:
    binds = dict(visibility.binds(tx))
    conditions: list[str] = []
    named: list[str] = []
    awake = False
    if not args.archived:
        conditions.append("i.archived_at is null")
    if args.project:
        conditions.append("i.project = :project")
        project = projects.as_set_up(tx, args.project)
        binds["project"], awake = project["id"], project["archived_at"] is None
    if args.status:
        conditions.append("i.lane = :lane")
        binds["lane"] = lanes.by_name(tx, args.status)["id"]
    if args.assignee == "none":
        conditions.append("not exists (select 1 from issue_assignee a where a.issue = i.id)")
    elif args.assignee:
        conditions.append(
            "exists (select 1 from issue_assignee a where a.issue = i.id and a.who = :assignee)"
        )
        named.append("select issue as id from issue_assignee where who = :assignee")
        binds["assignee"] = _assignee(tx, args.assignee)
    if args.sprint is not None:
        conditions.append("i.sprint = :sprint")
        named.append("select id from issue where sprint = :sprint")
        binds["sprint"] = args.sprint
    if args.parent:
        conditions.append("i.parent = :parent")
        named.append("select id from issue where parent = :parent")
        binds["parent"] = access.get(tx, args.parent)["id"]
    if args.updated_since is not None:
        conditions.append("i.updated_at >= :updated_since")
        binds["updated_since"] = args.updated_since
        if not args.archived:
            there = "archived_at is null and deleted_at is null"
            named.append(f"select id from issue where updated_at >= :updated_since and {there}")
    return ListQuery(
        conditions=conditions,
        named=named,
        binds=binds,
        sort=sort,
        descending=descending,
        project=binds.get("project"),
        lane=binds.get("lane"),
        archived=bool(args.archived),
        awake=awake,
    )


def _assignee(tx: Read, ref: str) -> str:
    return ref if ref.startswith("agent:") else str(members.by_ref(tx, ref, field="assignee")["id"])


def _order(args: IssuesList) -> tuple[str, bool]:
    """(name, descending). Raises InvalidInput for another name."""
    name = args.sort or ("rank" if args.project else "-updated")
    if name.removeprefix("-") not in SORTS:
        raise InvalidInput(f"Issues cannot be sorted by {name!r}.", field="sort", allowed=list(SORTS))
    return name.removeprefix("-"), name.startswith("-")
