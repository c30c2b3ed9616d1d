"""Who must hear of an event, and why, by what it says. Whether they see it is asked elsewhere."""

from collections.abc import Callable, Iterator
from typing import Any

from kbwork.core.access import visibility
from kbwork.core.events.hearers import EventHearers
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Read, Row, json_array
from kbwork.modules import comments, flags
from kbwork.modules.notifications.model import REASONS, Reason

Hearer = tuple[str, Reason]
"""A member's id or `agent:<name>`, and why they hear of it."""
Payload = dict[str, Any]
_RANK = {reason: place for place, reason in enumerate(REASONS)}
_TOLD_BESIDE = frozenset({"assignees", "status", "outcome", "parent"})
"""Fields whose changes have an event of their own."""
_BY_RULE = frozenset({"assigned", "mentioned", "rule"})
"""What a rule tells its author, in whose name it acts."""
_SMALL = frozenset({"rank", "sprint_rank", "position"})


def of(tx: Read, row: Row, payload: Payload) -> dict[str, Reason]:
    """Who hears of it, each for the strongest of their reasons; nobody of what was brought in, or done quietly, or is
    purged, which leaves an event without what it said."""
    if (
        not payload
        or "import" in payload
        or payload.get("notify") is False
        or ("bulk" in payload and not payload.get("notify"))
    ):
        return {}
    found: dict[str, Reason] = {}
    for who, reason in _hearers(tx, row, payload):
        told = _reason(row, who, reason)
        if told is not None and (who not in found or _RANK[told] < _RANK[found[who]]):
            found[who] = told
    return found


def _hearers(tx: Read, row: Row, payload: Payload) -> Iterator[Hearer]:
    if (find := _HEARERS.get(row["kind"])) is not None:
        yield from find(tx, row, payload)
    for one in _declared(tx):
        if (asked := one.hearers.get(row["kind"])) is not None:
            for who, reason in asked(tx, row, payload):
                yield from _each(tx, who, reason)  # type: ignore[arg-type]  # one of the words of a Reason


def _declared(tx: Read) -> list[EventHearers]:
    found: list[EventHearers] = tx.registry.of(EventHearers)
    return found


def kinds(tx: Read) -> list[str]:
    """Those of events that are for any inbox. `issue.deleted` is not: what lies in the trash is seen by nobody."""
    return sorted({*_HEARERS, GONE, *(kind for one in _declared(tx) for kind in one.hearers)})


def _reason(row: Row, who: str, reason: Reason) -> Reason | None:
    """None for who did it themselves. What one's agent or rule says to one is no act of one's own."""
    if who == row["via"]:
        return None
    if who != row["actor"]:
        return reason
    if row["actor_kind"] == "automation":
        return "rule" if reason in _BY_RULE else None
    asked = row["actor_kind"] == "agent" and reason == "mentioned"
    return "agent" if asked else None


def _watchers(tx: Read, row: Row, _: Payload) -> Iterator[Hearer]:
    """Who watches the issue, or its whole project."""
    kind, ref = ref_of(row["subject"])
    if kind != "issue":
        return
    yield from (
        (who, "watching") for who in tx.column("select who from issue_watcher where issue = :id", id=int(ref))
    )
    yield from _of_project(tx, int(ref))


def _of_project(tx: Read, issue: int) -> Iterator[Hearer]:
    found = tx.column(
        "select n.member from issue i join notification_project n on n.project = i.project where i.id = :id",
        id=issue,
    )
    yield from ((who, "watching") for who in found)


def _created(tx: Read, row: Row, _: Payload) -> Iterator[Hearer]:
    issue = int(ref_of(row["subject"])[1])
    yield from _of_project(tx, issue)
    yield from _mentioned(tx, row, _body(tx, issue, 1), "")


def _updated(tx: Read, row: Row, payload: Payload) -> Iterator[Hearer]:
    changes = payload.get("changes", {})
    if not changes.keys() - _TOLD_BESIDE - _SMALL:
        return
    yield from _watchers(tx, row, payload)
    revision = (changes.get("body") or {}).get("revision")
    if revision is not None and "undo" not in payload:
        issue = int(ref_of(row["subject"])[1])
        yield from _mentioned(tx, row, _body(tx, issue, revision + 1), _body(tx, issue, revision))


def _body(tx: Read, issue: int, revision: int) -> str:
    """The description of this revision; the present one has no number yet."""
    found = tx.value(
        "select coalesce((select r.body from issue_revision r where r.issue = i.id and r.revision = :revision), i.body)"
        " from issue i where i.id = :id",
        id=issue,
        revision=revision,
    )
    return found or ""


def _mentioned(tx: Read, row: Row, text: str, before: str) -> Iterator[Hearer]:
    """Whom the description of an issue mentions, as far as whoever wrote it may know them."""
    if "@" not in text:
        return
    writer = visibility.as_member(tx, row["actor"])
    kind = visibility.things(tx)["issue"].comments
    on = kind.target(writer, ref_of(row["subject"])[1]) if kind is not None else None
    if on is not None:
        yield from _named(tx, comments.mentioned(writer, text, on, internal=False, before=before))


def _named(tx: Read, whos: list[str]) -> Iterator[Hearer]:
    """Those who are mentioned; of a team everybody in it."""
    for who in whos:
        yield from _each(tx, who, "mentioned")


def _each(tx: Read, who: str, reason: Reason) -> Iterator[Hearer]:
    kind, ref = ref_of(who)
    if kind == "team":
        people = tx.column("select member from team_member where team = :team", team=int(ref))
        yield from ((member, reason) for member in people)
    else:
        yield who, reason


def _assigned(tx: Read, row: Row, payload: Payload) -> Iterator[Hearer]:
    yield from ((who, "assigned") for who in payload.get("added", ()))
    yield from _watchers(tx, row, payload)


def _said(tx: Read, row: Row, payload: Payload) -> Iterator[Hearer]:
    """Who is mentioned, who said something in the thread before, who watches."""
    yield from _named(tx, payload.get("mentions", []))
    if payload.get("parent") is not None:
        yield from ((who, "replied") for who in _in_thread(tx, payload["parent"], payload["comment"]))
    if ref_of(row["subject"])[0] == "issue":
        yield from _watchers(tx, row, payload)
    else:
        yield from ((who, "watching") for who in _speakers(tx, row["subject"], payload["comment"]))
        name, ref = ref_of(row["subject"])
        for one in _declared(tx):
            if one.thing == name:
                yield from ((who, "watching") for who in one.watchers(tx, ref))


def _in_thread(tx: Read, starter: int, but: int) -> list[str]:
    return tx.column(
        "select distinct author from comment where (id = :starter or parent = :starter) and id < :but"
        " and deleted_at is null",
        starter=starter,
        but=but,
    )


def _speakers(tx: Read, subject: str, but: int) -> list[str]:
    """Who said something on a thing that is not watched by a list of people."""
    return tx.column(
        "select distinct author from comment where subject = :subject and id < :but and deleted_at is null",
        subject=subject,
        but=but,
    )


def _reworded(tx: Read, _: Row, payload: Payload) -> Iterator[Hearer]:
    yield from _named(tx, payload.get("mentions", []))


def _resolved(tx: Read, _: Row, payload: Payload) -> Iterator[Hearer]:
    author = tx.value("select author from comment where id = :id", id=payload["comment"])
    if author:
        yield author, "replied"


def _joined(tx: Read, _: Row, payload: Payload) -> Iterator[Hearer]:
    """Who is in a project or team now and was not before; into a project comes a team as a whole."""
    sides = payload.get("changes", {}).get("role", {})
    if sides.get("from") is not None or sides.get("to") is None:
        return
    kind, ref = ref_of(payload["who"])
    if kind == "team":
        people = tx.column("select member from team_member where team = :team", team=int(ref))
        yield from ((member, "invited") for member in people)
    else:
        yield payload["who"], "invited"


def _posted(tx: Read, row: Row, payload: Payload) -> Iterator[Hearer]:
    """The people of the project, where they are to hear of it."""
    if not payload.get("notify"):
        return
    names = json_array(visibility.known_as(tx, row["subject"]))
    people = tx.column(
        "with held as (select pm.who from project p join project_member pm on pm.project = p.id"
        " where 'project:' || p.key in (select value from json_each(:names)))"
        " select who from held where who not glob 'team:*' union"
        " select t.member from held join team_member t on 'team:' || t.team = held.who",
        names=names,
    )
    yield from ((who, "watching") for who in people)


def _asked(tx: Read, _: Row, payload: Payload) -> Iterator[Hearer]:
    """Who is asked for an approval."""
    yield from ((who, "approval") for who in flags.asked_for_approval(tx, payload["change"]))


def _asked_to_agree(tx: Read, _: Row, payload: Payload) -> Iterator[Hearer]:
    """Who is asked to agree before an issue moves."""
    people = tx.column("select who from approval_approver where approval = :id", id=payload["request"])
    yield from ((who, "approval") for who in people)


def _answered(tx: Read, _: Row, payload: Payload) -> Iterator[Hearer]:
    """Whoever asked hears what becomes of it, and the agent through which they did."""
    found = tx.one("select requested_by, via from approval where id = :id", id=payload["request"])
    if found is not None:
        yield from ((who, "approval") for who in found.values() if who is not None)


def _decided(tx: Read, _: Row, payload: Payload) -> Iterator[Hearer]:
    """Whoever asked for the change hears what becomes of it."""
    who = tx.value("select requested_by from flag_change where id = :id", id=payload["change"])
    if who is not None:
        yield who, "approval"


def _switched_off(tx: Read, row: Row, payload: Payload) -> Iterator[Hearer]:
    """Whoever keeps what the server switched off; where they keep nothing any more, all who could go on with it."""
    admins = tx.column("select id from member where role in ('owner', 'admin') and state = 'active'")
    keepers = [payload["author"]] if payload["author"] in admins else admins
    yield from ((who, "rule" if row["kind"] == "rule.disabled" else "watching") for who in keepers)


def _reported(tx: Read, row: Row, payload: Payload) -> Iterator[Hearer]:
    """Who gets the report; of a run that failed, whoever saved it last."""
    if "error" in payload:
        author = tx.value("select author from report where id = :id", id=payload["report"])
        found = [author] if author is not None else []
    else:
        found = tx.column(
            "with held as (select who from report_recipient where report = :id)"
            " select who from held where who not glob 'team:*' union"
            " select t.member from held join team_member t on 'team:' || t.team = held.who union"
            " select m.id from held join member m on held.who = 'team:admins' and m.role in ('owner', 'admin')",
            id=payload["report"],
        )
    yield from ((who, "report") for who in found)


_HEARERS: dict[str, Callable[[Read, Row, Payload], Iterator[Hearer]]] = {
    "approval.approved": _answered,
    "approval.cancelled": _answered,
    "approval.rejected": _answered,
    "approval.requested": _asked_to_agree,
    "attachment.added": _watchers,
    "change.applied": _decided,
    "change.cancelled": _decided,
    "change.requested": _asked,
    "change.reviewed": _decided,
    "comment.created": _said,
    "comment.resolved": _resolved,
    "comment.updated": _reworded,
    "issue.archived": _watchers,
    "issue.assigned": _assigned,
    "issue.blocked": _watchers,
    "issue.created": _created,
    "issue.locked": _watchers,
    "issue.merged": _watchers,
    "issue.moved": _watchers,
    "issue.split": _watchers,
    "issue.transitioned": _watchers,
    "issue.unarchived": _watchers,
    "issue.unblocked": _watchers,
    "issue.updated": _updated,
    "project.members_changed": _joined,
    "project.status_posted": _posted,
    "report.ran": _reported,
    "rule.disabled": _switched_off,
    "team.members_changed": _joined,
    "webhook.disabled": _switched_off,
}
GONE = "comment.deleted"
"""Of what is deleted nothing unread stays."""
DECIDED = frozenset({"approval.approved", "approval.cancelled", "approval.rejected"})
"""Who was asked and did not read of it need not any more."""


def place(row: Row, payload: Payload) -> str:
    """The subject under which it is gathered: what becomes of a change request stands on the request."""
    return f"flag_change:{payload['change']}" if row["kind"].startswith("change.") else str(row["subject"])
