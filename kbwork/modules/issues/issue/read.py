"""Looking at issues: one, or a list."""

from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Cursor, Id, Input, Limit, Paged, Text, When
from kbwork.core import org_settings
from kbwork.core.access import visibility
from kbwork.core.operations import pagination
from kbwork.core.operations.declare import read
from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Read
from kbwork.modules import members
from kbwork.modules.issues import access, queries
from kbwork.modules.issues.model import Issue
from kbwork.modules.issues.ports import Checklists, Flags
from kbwork.modules.issues.relations import relations
from kbwork.modules.issues.transitions import engine
from kbwork.modules.projects import ISSUE_SEEN
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


@read("issues.get", scope="issues:read", example={"key": "WEB-1", "with": ["children", "transitions"]})
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
    project: Text | None = None
    status: Text | None = None
    """A lane, by key or name."""
    assignee: Text | None = None
    """A member, `agent:<name>`, `me`, or `none` for issues that nobody has."""
    sprint: Id | None = None
    parent: Text | None = None
    updated_since: When | None = None
    archived: bool | None = None
    """True: archived ones too."""
    sort: Text | None = None
    """`rank`, `created`, `updated`, `due`, `priority`, `status`, `key` or `title`, descending with `-` in front."""
    cursor: Cursor | None = None
    limit: Limit | None = None


_LAST = "'~'"
_PRIORITY = "case i.priority when 'urgent' then 0 when 'high' then 1 when 'medium' then 2 when 'low' then 3"
_SORTS: dict[str, tuple[tuple[str, str], ...]] = {
    "rank": (("i.rank", "i.rank"),),
    "created": (("i.created_at", "i.created_at"),),
    "updated": (("i.updated_at", "i.updated_at"),),
    "due": ((f"coalesce(i.due_date, {_LAST})", "coalesce(i.due_date, '')"),),
    "priority": (
        (
            f"{_PRIORITY} else 4 end",
            f"{_PRIORITY} else -1 end",
        ),
    ),
    "status": (("l.position", "l.position"),),
    "key": (("p.key", "p.key"), ("i.number", "i.number")),
    "title": (("lower(i.title)", "lower(i.title)"),),
}
"""Each sort as (ascending, descending) expressions: missing values come last in both."""


@read("issues.list", scope="issues:read", example={"project": "WEB", "sort": "-updated"})
def list_(tx: Read, args: IssuesList) -> Paged[Issue]:
    """List issues, page by page.

    Sorted by rank within a project, else the latest change first. Archived ones are left out unless asked for.
    """
    where, binds = _filters(tx, args)
    order, descending = _order(args)
    direction = "desc" if descending else "asc"
    if (at := pagination.place(tx, args)) is not None:
        names = [f"at{number}" for number in range(len(at))]
        binds |= dict(zip(names, at, strict=True))
        sign = "<" if descending else ">"
        where.append(f"({', '.join((*order, 'i.id'))}) {sign} ({', '.join(':' + name for name in names)})")
    rows = tx.all(
        f"select i.*, {', '.join(f'{part} as sort{n}' for n, part in enumerate(order))} from issue i"
        " join project p on p.id = i.project join lane l on l.id = i.lane"
        f" where {' and '.join(where)} order by {', '.join(f'{part} {direction}' for part in (*order, 'i.id'))}"
        " limit :most",
        most=pagination.limit(args) + 1,
        **binds,
    )
    return _page(tx, args, rows, len(order))


def _filters(tx: Read, args: IssuesList) -> tuple[list[str], dict[str, Any]]:
    where, binds = ["i.deleted_at is null", ISSUE_SEEN], dict(visibility.binds(tx))
    if not args.archived:
        where.append("i.archived_at is null and p.archived_at is null")
    if args.project:
        where.append("i.project = :project")
        binds["project"] = projects.project(tx, args.project)["id"]
    if args.status:
        where.append("i.lane = :lane")
        binds["lane"] = lanes.by_name(tx, args.status)["id"]
    if args.assignee:
        where.append(_assigned(tx, args.assignee, binds))
    if args.sprint is not None:
        where.append("i.sprint = :sprint")
        binds["sprint"] = args.sprint
    if args.parent:
        where.append("i.parent = :parent")
        binds["parent"] = access.get(tx, args.parent)["id"]
    if args.updated_since is not None:
        where.append("i.updated_at >= :updated_since")
        binds["updated_since"] = args.updated_since
    return where, binds


def _assigned(tx: Read, ref: str, binds: dict[str, Any]) -> str:
    if ref == "none":
        return "not exists (select 1 from issue_assignee a where a.issue = i.id)"
    binds["assignee"] = ref if ref.startswith("agent:") else members.by_ref(tx, ref, field="assignee")["id"]
    return "i.id in (select issue from issue_assignee where who = :assignee)"


def _order(args: IssuesList) -> tuple[tuple[str, ...], bool]:
    """(expressions, descending). Raises InvalidInput for another name."""
    name = args.sort or ("rank" if args.project else "-updated")
    descending = name.startswith("-")
    sort = _SORTS.get(name.removeprefix("-"))
    if sort is None:
        raise InvalidInput(f"Issues cannot be sorted by {name!r}.", field="sort", allowed=list(_SORTS))
    return tuple(part[descending] for part in sort), descending


def _page(tx: Read, args: IssuesList, rows: list[Any], width: int) -> Paged[Issue]:
    most = pagination.limit(args)
    more = len(rows) > most
    rows = rows[:most]
    after = None
    if more:
        last = rows[-1]
        after = pagination.cursor(tx, args, [*(last[f"sort{n}"] for n in range(width)), last["id"]])
    return {"items": queries.shown(tx, rows), "next": after}
