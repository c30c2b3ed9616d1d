"""What a customer does with requests: make one, look at their own, say something."""

from typing import Annotated

from pydantic import Field

from kbwork.base.errors import Conflict
from kbwork.base.model import Body, Cursor, Empty, Id, Input, Name, Ok, Text
from kbwork.core import named
from kbwork.core.operations import pagination
from kbwork.core.operations.declare import write
from kbwork.db.rows import CustomerRow, RequestTypeRow
from kbwork.db.tx import Read, Write
from kbwork.modules import comments, issues
from kbwork.modules.desk.customers import accounts, quota
from kbwork.modules.desk.model import (
    NOT_TAKEN_BACK,
    DeskRequestCreated,
    FormValues,
    PortalFile,
    PortalForm,
    PortalRequest,
    PortalThread,
)
from kbwork.modules.desk.portal.own_account import me
from kbwork.modules.desk.portal.survey import survey_of
from kbwork.modules.desk.request_types import form
from kbwork.modules.desk.requests import creation, files, rows
from kbwork.modules.desk.requests.rows import OwnRequest

RequestRef = Annotated[Text, Field(description="Key of a request of yours, such as `WEB-12`.")]


class DeskPortalForm(Input):
    type: Id
    """Id of the request type."""
    values: FormValues | None = None


@write(
    "desk.portal_form",
    scope="desk:portal",
    words="which questions does the form ask, fields of a request, dynamic form",
    undo="it changes nothing",
    emits=[],
    example={"type": 1, "values": {"description": "The cart is empty"}},
)
def portal_form(tx: Read, args: DeskPortalForm) -> PortalForm:
    """Say what the form of a request type asks once these answers are applied: which questions are shown, which must be
    answered, and what may be chosen.

    An answer that does not fit is as none here; making the request refuses it. An answer to what is no question is 422,
    a type that nobody may ask for 404.
    """
    me(tx)
    return PortalForm(fields=form.answered(tx, _kind(tx, args.type), args.values or {}).fields)


class DeskPortalCreate(Input):
    title: Name
    """What you ask for, on one line."""
    type: Id
    """Id of the request type, from desk.portal_info."""
    values: FormValues | None = None


@write(
    "desk.portal_create",
    scope="desk:portal",
    words="ask for help, open a ticket as a customer, new request on the portal, contact support",
    undo=NOT_TAKEN_BACK,
    emits=[DeskRequestCreated],
    example={"title": "My order did not come", "type": 1, "values": {"description": "Since Tuesday"}},
)
def portal_create(tx: Write, args: DeskPortalCreate) -> PortalRequest:
    """Ask for something. Answers that do not fit, and such as are missing, are 422 at `values.<key>`, all of them at
    once; an answer to a question that is not shown is not kept. A type that nobody may ask for is 404, one of a desk
    that your password does not open 403. After twenty requests, answers and changes of yours in an hour it is 429.
    """
    customer = me(tx)
    kind = _kind(tx, args.type)
    accounts.require_desk(tx, customer["id"], kind["project"])
    counted = quota.require_room(tx, customer)
    asking = creation.Asking(customer, "portal")
    issue = creation.of_form(tx, asking, kind, args.title, args.values or {})
    quota.note(tx, kind["project"], counted, quota.Sent("created", issue))
    return rows.summary(tx, customer["id"], issue)


@write(
    "desk.portal_requests",
    scope="desk:portal",
    words="my requests, my tickets as a customer, what did I ask for",
    undo="it changes nothing",
    emits=[],
    example={},
)
def portal_requests(tx: Read, args: Empty) -> list[PortalRequest]:
    """List your requests and those that you take part in, the latest change first, 500 at most."""
    return rows.every(tx, me(tx)["id"])


class DeskPortalRequest(Input):
    key: RequestRef
    cursor: Cursor | None = None
    """`older` of the answer before: what was said before that; left out: what was said last."""


@write(
    "desk.portal_request",
    scope="desk:portal",
    words="look at my request, is there an answer, status of my ticket",
    undo="it changes nothing",
    emits=[],
    example={"key": "WEB-7"},
)
def portal_request(tx: Read, args: DeskPortalRequest) -> PortalThread:
    """Look at a request of yours, with what was said on it last, fifty answers at most; `older` leads to those before.
    One that is not yours is 404, as is one that never was.
    """
    customer = me(tx)
    request = rows.find(tx, customer["id"], args.key)
    found = [
        PortalFile(id=row["id"], name=row["name"], size=row["size"], created_at=row["created_at"])
        for row in files.every(tx, request)
    ]
    said, before = rows.said(tx, request, pagination.place(tx, args))
    older = pagination.cursor(tx, args, before) if before is not None else None
    parts = rows.ThreadParts(said, older, found, survey_of(tx, request, customer["id"]))
    return rows.thread(tx, customer["id"], request, parts)


class DeskPortalComment(Input):
    key: RequestRef
    body: Body
    """What you say, in Markdown."""


@write(
    "desk.portal_comment",
    scope="desk:portal",
    words="answer support, write on my ticket, add something to my request",
    undo=NOT_TAKEN_BACK,
    emits=[],
    example={"key": "WEB-7", "body": "It is still so today."},
)
def portal_comment(tx: Write, args: DeskPortalComment) -> Ok:
    """Say something on a request of yours, in 100,000 characters at most. One that is locked or archived takes nothing
    more (409). After twenty requests, answers and changes of yours in an hour it is 429.
    """
    customer = me(tx)
    say_here(tx, customer, rows.find(tx, customer["id"], args.key), args.body, field="body")
    return Ok(ok=True)


def say_here(tx: Write, customer: CustomerRow, request: OwnRequest, body: str, *, field: str) -> None:
    """The customer who calls says something by the portal, where it counts. `field`: where the text stands in the
    input. Raises as `say`, and RateLimited."""
    quota.require_short(body, field)
    counted = quota.require_room(tx, customer)
    say(tx, request, body)
    quota.note(tx, request.issue["project"], counted, quota.Sent("commented", request.issue["id"]))


def say(tx: Write, request: OwnRequest, body: str) -> int:
    """The customer who calls says something. Raises Conflict, or InvalidInput for a text of blanks."""
    require_open(tx, request)
    on = issues.IssueCommentTarget(tx, request.issue)
    return comments.say_from_outside(tx, on, body)


def require_open(tx: Read, request: OwnRequest) -> None:
    """Raises Conflict where nothing is to be said or changed any more."""
    row = request.issue
    archived = tx.value("select archived_at from project where id = :id", id=row["project"])
    if row["archived_at"] is not None or archived is not None or row["locked"]:
        raise Conflict("This request takes nothing more: make another one.")


def _kind(tx: Read, ident: int) -> RequestTypeRow:
    return named.known(creation.open_kind(tx, ident), "request type", ident, "desk.portal_info")
