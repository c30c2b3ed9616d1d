"""Answers that go later: an internal note waits for its time, and then becomes what is said to the customers.

It goes in the name of whoever wrote it, with what they may then. What keeps it from going is kept with it and told to
the team, and the note stays one: nothing is said half.
"""

import json
from typing import NamedTuple

from kbwork.base.errors import Conflict, InvalidInput, Problem
from kbwork.core.access import impersonate
from kbwork.core.jobs.kinds import Schedule
from kbwork.core.operations import nested
from kbwork.db.rows import IssueRow, LaterReplyRow
from kbwork.db.tx import Read, Write
from kbwork.modules import comments, issues
from kbwork.modules.attachments import access as seen_files
from kbwork.modules.desk.model import DeskReplyFailed
from kbwork.modules.desk.requests import files
from kbwork.modules.desk.requests.requester import requester_set

MOST = 20
"""Answers that wait on one request."""
_MOST_AHEAD_S = 366 * 86400
_LATEST_S = 86400
"""What should have gone longer ago, while this server was down or lay in a backup, does not go any more."""
_AT_ONCE = 50
_DUE = "from later_reply where failed is null and at <= :now"
_REASON_CHARS = 300
_GONE = "Whoever wrote it may do nothing any more."


class ReplyParts(NamedTuple):
    """What goes with an answer: customers who take part from now on, files to show, and where the request goes."""

    people: list[str]
    files: list[str]
    lane: str | None


def send(tx: Write, issue: IssueRow, parts: ReplyParts, body: str, uploads: list[str]) -> int:
    """Say it now; answers the id of the comment."""
    subject = f"issue:{issue['id']}"
    _before(tx, issue["id"], parts)
    found = nested.run(tx, "comments.create", {"subject": subject, "body": body, "uploads": uploads})
    _behind(tx, issue["id"], parts)
    return int(found["id"])


def keep(tx: Write, issue: IssueRow, parts: ReplyParts, note: tuple[str, list[str]], at: int) -> int:
    """Keep it until its time; answers the id of the note. What could not be done now is refused now."""
    if not tx.now < at <= tx.now + _MOST_AHEAD_S:
        raise InvalidInput("It goes at a time to come, within a year.", field="send_at")
    if tx.value("select count(*) from later_reply where issue = :issue", issue=issue["id"]) >= MOST:
        raise Conflict(f"{MOST} answers wait on this request: delete one of them first.")
    body, uploads = note
    with tx.attempt(keep=False):
        send(tx, issue, parts, body, [])
    asked = {"subject": f"issue:{issue['id']}", "body": body, "internal": True, "uploads": uploads}
    comment = int(nested.run(tx, "comments.create", asked)["id"])
    tx.insert(
        "later_reply",
        comment=comment,
        issue=issue["id"],
        member=tx.caller.me(),
        caller=json.dumps(impersonate.caller_args(tx.caller)),
        at=at,
        people=json.dumps(parts.people, ensure_ascii=False),
        files=json.dumps(parts.files),
        lane=parts.lane,
    )
    return comment


def _before(tx: Write, issue: int, parts: ReplyParts) -> None:
    if parts.people:
        nested.run(tx, requester_set, {"key": f"issue:{issue}", "add": parts.people})
    for ident in parts.files:
        files.show(tx, issue, ident)


def _behind(tx: Write, issue: int, parts: ReplyParts) -> None:
    if parts.lane is not None:
        nested.run(tx, "issues.transition", {"key": f"issue:{issue}", "to_status": parts.lane})


def _any_due(tx: Read) -> bool:
    return tx.value(f"select 1 {_DUE} limit 1", now=tx.now) is not None


def _send_due(tx: Write) -> None:
    for row in tx.all(f"select * {_DUE} order by at, comment limit {_AT_ONCE}", LaterReplyRow, now=tx.now):
        comment = tx.stored("comment", [row["comment"]])
        if comment is None or comment["deleted_at"] is not None:  # it was taken back
            tx.delete("later_reply", row["comment"])
            continue
        try:
            with tx.attempt():
                _go(tx, row, comment["subject"])
        except Problem as problem:
            _fail(tx, row, comment["subject"], problem.detail)


def _go(tx: Write, row: LaterReplyRow, subject: str) -> None:
    """Raises what its author may not do now, or not there."""
    if subject != f"issue:{row['issue']}":
        raise Conflict("It was moved to another issue, where others would read it.")
    if row["at"] < tx.now - _LATEST_S:
        raise Conflict("Its time was more than a day ago: send it anew.")
    with impersonate.as_starter(tx, json.loads(row["caller"])):
        issue = issues.get(tx, subject)
        desk = tx.stored("desk", [issue["project"]])
        if desk is None or not desk["enabled"]:
            raise Conflict("The desk is shut: nobody would be told.")
        parts = ReplyParts(json.loads(row["people"]), _files_now(tx, row), row["lane"])
        _before(tx, issue["id"], parts)
        comments.publish(tx, row["comment"])
        _behind(tx, issue["id"], parts)
    tx.delete("later_reply", row["comment"])


def _files_now(tx: Read, row: LaterReplyRow) -> list[str]:
    """Those that still hang on the issue: what was taken away meanwhile is not shown."""
    found = (seen_files.find(tx, ident) for ident in json.loads(row["files"]))
    return [one["id"] for one in found if one is not None and one["subject"] == f"issue:{row['issue']}"]


def _fail(tx: Write, row: LaterReplyRow, subject: str, why: str) -> None:
    """It stays a note, and the team hears of it where there is still something to hear about."""
    tx.update("later_reply", row["comment"], failed=why[:_REASON_CHARS])
    if subject.startswith("issue:"):
        payload = issues.event_payloads.common_payload(
            tx, issues.stored(tx, int(subject.removeprefix("issue:")))
        )
        payload |= {"comment": row["comment"], "member": row["member"]}
        tx.emit(DeskReplyFailed(subject=subject, payload=payload, heard_by="team"))


def forget(tx: Write, member: str) -> None:
    """What somebody who is erased wrote goes no more."""
    tx.execute(
        "update later_reply set caller = '{}', failed = coalesce(failed, :why) where member = :member",
        why=_GONE,
        member=member,
    )


SEND = Schedule(name="desk.later", home=__name__, every_s=1, run=_send_due, due=_any_due)
