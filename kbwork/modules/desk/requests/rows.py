"""Requests as their customers see them: one condition, and nothing that is not theirs."""

from typing import Any, NamedTuple

from kbwork.base.errors import Conflict, NotFound
from kbwork.core import named
from kbwork.db.rows import CommentRow, CustomerRequestRow, DeskRow, IssueRow
from kbwork.db.tx import Read, Row
from kbwork.modules import issues
from kbwork.modules.desk.customers import accounts
from kbwork.modules.desk.model import PortalComment, PortalFile, PortalRequest, PortalSurvey, PortalThread
from kbwork.modules.workflows import lanes

MOST = 500
MOST_SAID = 50
"""Answers that are shown at once."""
_SHOWN = """
from request_customer w join customer_request r on r.issue = w.issue
  join issue i on i.id = w.issue and i.deleted_at is null
  join project p on p.id = i.project and p.deleted_at is null
  join desk d on d.project = i.project and d.enabled
  left join request_type t on t.id = r.type
  where w.customer = :customer and (:desks is null or i.project in (select value from json_each(:desks)))
"""
"""Of a customer: those that they made or take part in, at desks that are open, and open to how they signed in. Nothing
of it hangs on who they are to members, or on the level of the issue."""
_SAID = """
select c.* from request_comment s
  join comment c on c.id = s.comment and c.internal = 0 and c.deleted_at is null
  where s.issue = :issue and (:at is null or (c.created_at, c.id) < (:at, :id))
  order by c.created_at desc, c.id desc limit :most
"""
"""What was said to the customers of a request or by them, the latest first, wherever a merge took it: it was said to
them, and to no customers of the issue where it stands now."""
_SUMMARY = f"""
select i.id, i.title, i.lane, i.category, i.created_at, i.status_at, p.key || '-' || i.number as key, d.name as desk,
  t.name as type, (select max(max(c.created_at, coalesce(c.edited_at, 0))) from request_comment s
    join comment c on c.id = s.comment and c.internal = 0 and c.deleted_at is null
    where s.issue = i.id) as said_at {_SHOWN}
"""
GONE = "There is no request {!r} of yours."


class OwnRequest(NamedTuple):
    """A request of a customer, its issue and its desk."""

    row: CustomerRequestRow
    issue: IssueRow
    desk: DeskRow


class ThreadParts(NamedTuple):
    """What a thread tells of a request: what was said, by what those before it are asked for, and what is beside."""

    said: list[CommentRow]
    older: str | None
    files: list[PortalFile]
    survey: PortalSurvey | None


def find(tx: Read, customer: int, key: str) -> OwnRequest:
    """A request that a customer is shown. Raises NotFound, the same for one of others and one that never was."""
    ident = issues.ident_of(tx, key)
    found = None
    if ident is not None:
        found = tx.value(f"select i.id {_SHOWN} and i.id = :issue", issue=ident, **_binds(tx, customer))
    if found is None:
        raise NotFound(GONE.format(key[:100]))
    return of_issue(tx, found)


def _binds(tx: Read, customer: int) -> Row:
    return {"customer": customer, "desks": accounts.desks_open(tx, customer)}


def of_issue(tx: Read, issue: int) -> OwnRequest:
    """The request that an issue is, which must be one of a desk."""
    row = named.known(tx.stored("customer_request", [issue]), "request", issue)
    found = issues.stored(tx, issue)
    desk = named.known(tx.stored("desk", [found["project"]]), "desk", found["project"])
    return OwnRequest(row, found, desk)


def asked_of(tx: Read, issue: IssueRow) -> OwnRequest:
    """The request that an issue is. Raises Conflict where it is none of a desk."""
    row, desk = tx.stored("customer_request", [issue["id"]]), tx.stored("desk", [issue["project"]])
    if row is None or desk is None:
        raise Conflict(f"{issues.key_of(tx, issue)} is no request of a customer: comment on it.")
    return OwnRequest(row, issue, desk)


def every(tx: Read, customer: int) -> list[PortalRequest]:
    """The requests of a customer, those that changed last first."""
    rows = [_summary(tx, row) for row in tx.all(_SUMMARY, **_binds(tx, customer))]
    return sorted(rows, key=lambda one: (-one["updated_at"], one["key"]))[:MOST]


def summary(tx: Read, customer: int, issue: int) -> PortalRequest:
    """One that they are shown. Raises NotFound."""
    row = tx.one(f"{_SUMMARY} and i.id = :issue", issue=issue, **_binds(tx, customer))
    return _summary(tx, named.known(row, "request", issue))


def _summary(tx: Read, row: Row) -> PortalRequest:
    return PortalRequest(
        key=row["key"],
        title=row["title"],
        desk=row["desk"],
        request_type=row["type"] or "",
        status=lanes.one(tx, row["lane"])["name"],
        category=row["category"],
        created_at=row["created_at"],
        updated_at=max(row["created_at"], row["status_at"], row["said_at"] or 0),
    )


def said(
    tx: Read, request: OwnRequest, before: list[Any] | None
) -> tuple[list[CommentRow], list[Any] | None]:
    """(what was said last, oldest first, or last before this place; the place before it, or None where it begins)."""
    at, ident = before if before is not None else (None, None)
    found = tx.all(_SAID, CommentRow, issue=request.issue["id"], at=at, id=ident, most=MOST_SAID + 1)
    shown = found[MOST_SAID - 1 :: -1]
    more = len(found) > MOST_SAID
    return shown, [shown[0]["created_at"], shown[0]["id"]] if more else None


def thread(tx: Read, customer: int, request: OwnRequest, parts: ThreadParts) -> PortalThread:
    """A request with what its customers may read of it."""
    names = _names(tx, {row["author"] for row in parts.said}, request.desk)
    return PortalThread(
        request=summary(tx, customer, request.issue["id"]),
        description=request.issue["body"],
        comments=[
            PortalComment(
                id=row["id"],
                author=names[row["author"]],
                mine=row["author"] == f"customer:{customer}",
                body=row["body"],
                created_at=row["created_at"],
            )
            for row in parts.said
        ],
        older=parts.older,
        files=parts.files,
        survey=parts.survey,
    )


def _names(tx: Read, authors: set[str], desk: DeskRow) -> dict[str, str]:
    """What customers read in the place of an author: a customer's name, and of its people what the desk shows."""
    return {author: name_of(tx, author, desk) for author in authors}


def name_of(tx: Read, author: str, desk: DeskRow) -> str:
    """As `_names`, of one."""
    if author.startswith("customer:"):
        found = tx.value("select name from customer where id = :id", id=int(author.removeprefix("customer:")))
        return found or desk["name"]
    if desk["show_agents"]:
        found = tx.value("select name from member where id = :id and state <> 'erased'", id=author)
    else:
        found = None
    return found or desk["name"]
