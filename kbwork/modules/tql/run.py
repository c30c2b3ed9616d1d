"""Run a query."""

from typing import Annotated

from pydantic import Field

from kbwork.base.clock import monotonic
from kbwork.base.errors import Problem
from kbwork.base.model import Cursor, Id, Input
from kbwork.core.operations import pagination
from kbwork.core.operations.declare import read
from kbwork.db.tx import Read
from kbwork.modules.tql import query_parser
from kbwork.modules.tql.execute.query_run import QueryRun
from kbwork.modules.tql.model import TqlResult
from kbwork.tql import tree as t
from kbwork.tql.normal_form import normal
from kbwork.tql.parser.tokens import LONGEST

Tql = Annotated[str, Field(max_length=LONGEST, description="A text of the query language.")]
MOST_ROWS = 500


class TqlRun(Input):
    tql: Tql
    """The query; empty finds every issue that you see and that is not archived."""
    fields: Annotated[list[Annotated[str, Field(max_length=2000)]], Field(max_length=50)] | None = None
    """Columns, where the text has no `select`: fields or what is counted from them, such as `estimate * 2`."""
    cursor: Cursor | None = None
    limit: Annotated[Id, Field(ge=1, le=MOST_ROWS)] | None = None
    """Rows of a page; 50 unless given. A `limit` in the text bounds the whole result."""


@read(
    "tql.run",
    scope="search:read",
    words=(
        "query, filter, advanced search, report, sql, jql, group by, find all issues that, "
        "overdue, without assignee, created last week, closed this month, unassigned bugs, "
        "stale, my open bugs, high priority, assigned to, due this week, tickets of a person, "
        "list of bugs by"
    ),
    threaded=True,
    example={"tql": "project = WEB and open order by updated desc", "fields": ["key", "title", "assignee"]},
)
def run(tx: Read, args: TqlRun) -> TqlResult:
    """Find issues, comments, files, assets, projects or members by a text of the query language.

    Rows hold what you see. Archived issues, and those of archived projects, are left out unless the text speaks of
    `archived`, `archived_at` or keys; naming a project brings in its issues though it is archived. Sorted as the text
    says; else, where it asks for words alone, the best fit first (up to 2,000 hits); else by rank inside one project,
    else the latest change first. Ties break by id.

    Assets have the fields of their types by key or name; where types have one of several kinds, write `LAP.note`. The
    retired ones are `archived`, and are among the rows. A computed field of issues is named as any other; one whose
    formula names what you do not see, or that leads back to itself, is 422 `tql-name`. A text leads to 20 formulas.

    A text that cannot be read is 422 `tql-syntax`, one that names what you do not see or what does not fit 422
    `tql-name`, both with `errors`. Each source needs its read scope beside `search:read` (403). What takes longer than
    three seconds is 422 `tql-too-slow`, naming the costly part. `ms` is told in steps of 100, so that an answer which
    did not change keeps its ETag. `notices` tell of names that changed since.
    """
    began = monotonic()
    asked = query_parser.query(tx, args.tql)
    found = QueryRun(tx, asked, _columns(tx, args, asked.source))
    page = found.page(pagination.limit(args), pagination.place(tx, args))
    following = None if page.next is None else pagination.cursor(tx, args, page.next)
    return TqlResult(
        columns=page.columns,
        rows=page.rows,
        subjects=page.subjects,
        total=page.total,
        more=page.next is not None,
        next=following,
        hidden=found.hidden(),
        tql=normal(asked.query),
        ms=round((monotonic() - began) * 10) * 100,
        notices=list(asked.checked.notices),
    )


def _columns(tx: Read, args: TqlRun, source: str) -> list[t.Value]:
    found = []
    for at, text in enumerate(args.fields or ()):
        try:
            found.append(query_parser.value(tx, text, source))
        except Problem as problem:
            problem.detail = f"fields[{at}]: {problem.detail}"
            raise
    return found
