"""A customer says how it went."""

from typing import Annotated

from pydantic import Field

from kbwork.base.caller import of_customer
from kbwork.base.errors import Conflict
from kbwork.base.model import Input, Int, Ok, Secret, Text
from kbwork.core.access import impersonate
from kbwork.core.operations.declare import write
from kbwork.db.tx import Read, Write
from kbwork.modules import comments, issues
from kbwork.modules.desk.customers import quota
from kbwork.modules.desk.model import NOT_TAKEN_BACK, DeskRated, PortalSurvey
from kbwork.modules.desk.requests.rows import OwnRequest
from kbwork.modules.desk.survey import links
from kbwork.modules.desk.survey.links import RatedRequest

CHANGES_S = 7 * 86400
"""So long after it was given a rating may be another one."""


class DeskPortalSurvey(Input):
    token: Secret
    """From the letter that asked, or from the request."""
    score: Annotated[Int, Field(ge=1, le=5)]
    """Five is the best."""
    comment: Annotated[Text, Field(max_length=4000)] | None = None
    """What else there is to say; left out: nothing."""


@write(
    "desk.portal_survey",
    scope="desk:public",
    words="rate the support, how did it go, customer satisfaction survey, give stars, feedback on a ticket",
    undo=NOT_TAKEN_BACK,
    emits=[DeskRated],
    example={"token": "6.1.from-the-letter", "score": 5, "comment": "That was quick."},
)
def portal_survey(tx: Write, args: DeskPortalSurvey) -> Ok:
    """Say how a request went, of which the token is: one rating, which may be changed for seven days, and is given anew
    when the request was reopened and closed again.

    What is said with it becomes an internal note on the request, for the people of the desk alone, and another rating
    changes that note. A token that is mistyped or of a request that is open, gone or closed a month ago is 404, as is
    any while the desk does not ask. After the seven days it is 409. A note counts as an answer of the customer's: the
    twenty-first in an hour is 429.
    """
    found = links.opened(tx, args.token)
    issue, comment = found.request.issue["id"], (args.comment or "").strip()
    given = tx.stored("request_rating", [issue])
    first_at, note = tx.now, None
    if given is not None and given["done_at"] == found.done_at:
        first_at = given["first_at"]
        if tx.now > first_at + CHANGES_S:
            raise Conflict("You said how it went more than a week ago: write on the request what is new.")
        if (given["score"], given["comment"]) == (args.score, comment):
            return Ok(ok=True)
        note = _noted(tx, found, first_at)
    _keep(tx, found, args.score, comment, first_at)
    if comment or note is not None:
        _note(tx, found, note, f"{args.score}/5: {comment}" if comment else f"{args.score}/5")
    return Ok(ok=True)


def _keep(tx: Write, found: RatedRequest, score: int, comment: str, first_at: int) -> None:
    issue, customer = found.request.issue, found.customer
    tx.execute(
        "insert into request_rating (issue, customer, score, comment, agent, done_at, first_at, rated_at) values"
        " (:issue, :customer, :score, :comment, (select who from issue_assignee where issue = :issue"
        " order by position limit 1), :done_at, :first_at, :now) on conflict (issue) do update set"
        " customer = excluded.customer, score = excluded.score, comment = excluded.comment, agent = excluded.agent,"
        " done_at = excluded.done_at, first_at = excluded.first_at, rated_at = excluded.rated_at",
        issue=issue["id"],
        customer=customer["id"],
        score=score,
        comment=comment,
        done_at=found.done_at,
        first_at=first_at,
        now=tx.now,
    )
    with impersonate.instead(tx, of_customer(customer["id"], address=tx.caller.address)):
        payload = issues.event_payloads.common_payload(tx, issue)
        payload |= {"customer": customer["id"], "score": score, "channel": found.request.row["channel"]}
        tx.emit(DeskRated(subject=f"issue:{issue['id']}", payload=payload))


def _noted(tx: Read, found: RatedRequest, since: int) -> int | None:
    """The note that says what was given since then: customers make no other ones. None where there is none, or the
    desk put it elsewhere."""
    ident: int | None = tx.value(
        "select id from comment where subject = :subject and author = :author and internal and deleted_at is null"
        " and created_at >= :since order by id desc limit 1",
        subject=f"issue:{found.request.issue['id']}",
        author=f"customer:{found.customer['id']}",
        since=since,
    )
    return ident


def _note(tx: Write, found: RatedRequest, note: int | None, text: str) -> None:
    """What a customer says with it is for the people of the desk, also where the request takes no comments any more.
    `note` says what they said before."""
    with impersonate.instead(tx, of_customer(found.customer["id"], address=tx.caller.address)):
        on = issues.IssueCommentTarget(tx, found.request.issue)
        if note is None:
            counted = quota.require_room(tx, found.customer)
            comments.say_from_outside(tx, on, text, internal=True)
            quota.note(tx, on.row["project"], counted, quota.Sent("commented", on.row["id"]))
        else:
            comments.update_from_outside(tx, on, note, text)


def survey_of(tx: Read, request: OwnRequest, customer: int) -> PortalSurvey | None:
    """What this customer may say of a request now, with what they said; None: nothing."""
    found = links.of_request(tx, request, customer)
    if found is None:
        return None
    given = tx.stored("request_rating", [request.issue["id"]])
    if given is None or given["done_at"] != found.done_at:
        return PortalSurvey(token=links.token(tx, request), score=None, comment="")
    if tx.now > given["first_at"] + CHANGES_S:
        return None
    return PortalSurvey(token=links.token(tx, request), score=given["score"], comment=given["comment"])
