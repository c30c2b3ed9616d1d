"""Tasks in the texts of pages, as rows, and as lists of them."""

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.model import Day, Input, Text
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import PageRow
from kbwork.db.tx import Read, Write
from kbwork.modules import comments, members
from kbwork.modules.pages import access
from kbwork.modules.pages.text.task_lines import task_lines
from kbwork.modules.spaces import SpaceRef
from kbwork.modules.spaces import access as spaces

_MOST = 2000
_ROWS = (
    "select t.page, t.line, t.text, t.assignee, t.due_date, t.done from page_task t"
    " join page p on p.id = t.page where {} order by t.due_date is null, t.due_date, t.page, t.line limit :most"
)


def keep(tx: Write, row: PageRow) -> None:
    """Note the tasks in the text of a page, in place of those that it had. Undo leaves them; they are noted anew then.

    A handle means whom it means to those who write it: nobody where they do not know them.
    """
    tx.execute("delete from page_task where page = :page", page=row["id"])
    known: dict[str, str | None] = {}
    for one in task_lines(row["body"]):
        if one.handle is not None and one.handle not in known:
            known[one.handle] = comments.whom(tx, one.handle)
        tx.execute(
            "insert into page_task (page, line, text, assignee, due_date, done)"
            " values (:page, :line, :text, :assignee, :due_date, :done)",
            page=row["id"],
            line=one.line,
            text=one.text,
            assignee=known[one.handle] if one.handle is not None else None,
            due_date=one.due_date,
            done=int(one.done),
        )


class PagesTasks(Input):
    space: SpaceRef | None = None
    page: (
        Annotated[Text, Field(description="Only those of this page: its id, or `<space>/<slug>`.")] | None
    ) = None
    assignee: Text | None = None
    """Only those of this member, `team:<id>` or `agent:<name>`; `me`: yours."""
    done: bool | None = None
    """True: only those that are ticked; false: only those that are not."""
    due_before: Day | None = None
    """Only those that are due before this day."""


class PageTask(TypedDict):
    """A line of a page with a box to tick."""

    page: str
    """Id of the page."""
    line: int
    """Number of its line in the text; the first is 1."""
    text: str
    """What it says, Markdown, without the day."""
    assignee: str | None
    """Whom it mentions first: a member, `team:<id>` or `agent:<name>`; null: nobody."""
    due_date: str | None
    """The day that stands there as `due:2026-12-01`; null: none."""
    done: bool
    """Whether it is ticked."""


@read(
    "pages.tasks",
    scope="pages:read",
    words=(
        "action items of meetings, to-dos in documents, checkboxes in pages, what did I promise in the minutes, "
        "open tasks of a wiki"
    ),
    example={"space": "HAND", "done": False},
)
def tasks(tx: Read, args: PagesTasks) -> list[PageTask]:
    """List the lines with a box to tick, `- [ ] Order it @bo due:2026-12-01`, in the published pages that you see:
    those that are due first, then those without a day, by page and line.

    The first mention on a line is whose it is. What stands in code is no task; of a page 1,000 count. Archived pages
    are left out unless `page` names one. 2,000 at most are answered.
    """
    where, binds = ["p.state = 'published'", access.SEEN], dict[str, Any](visibility.binds(tx))
    if args.page is not None:
        where.append("p.id = :page")
        binds["page"] = access.page(tx, args.page)["id"]
    else:
        where.append("p.archived_at is null")
    if args.space is not None:
        where.append("p.space = :space")
        binds["space"] = spaces.space(tx, args.space)["id"]
    if args.assignee is not None:
        where.append("t.assignee = :assignee")
        binds["assignee"] = _whose(tx, args.assignee)
    if args.done is not None:
        where.append("t.done = :done")
        binds["done"] = int(args.done)
    if args.due_before is not None:
        where.append("t.due_date < :before")
        binds["before"] = args.due_before
    return [
        PageTask(
            page=str(row["page"]),
            line=row["line"],
            text=row["text"],
            assignee=row["assignee"],
            due_date=row["due_date"],
            done=bool(row["done"]),
        )
        for row in tx.all(_ROWS.format(" and ".join(where)), most=_MOST, **binds)
    ]


def _whose(tx: Read, ref: str) -> str:
    """Raises InvalidInput for a member who is not there."""
    kind, rest = ref_of(ref.strip())
    if kind in ("team", "agent") and rest:
        return f"{kind}:{rest}"
    found = comments.whom(tx, ref.strip().removeprefix("@").lower()) if ref.startswith("@") else None
    return found or str(members.by_ref(tx, ref, field="assignee")["id"])
