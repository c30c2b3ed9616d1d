"""What a member holds of issues goes to another: those they work on, reported or watch."""

from kbwork.core.access import visibility
from kbwork.core.operations import nested
from kbwork.db.rows import MemberRow
from kbwork.db.tx import Write
from kbwork.modules.issues.issue.update import update
from kbwork.modules.issues.people.assign import assign
from kbwork.modules.issues.people.watch import watch
from kbwork.modules.members import Holding

_OPEN = (
    "i.archived_at is null and i.deleted_at is null and i.project in (select value from json_each(:kb_lead))"
    " and i.project in (select id from project where archived_at is null)"
)


def _assigned(tx: Write, giver: MemberRow, taker: str, most: int) -> int:
    """In the place that the giver had: the first of the assignees leads."""
    held = tx.column(
        "select i.id from issue_assignee a join issue i on i.id = a.issue"
        f" where a.who = :giver and i.category <> 'done' and {_OPEN} order by i.id limit :most",
        giver=giver["id"],
        most=most,
        **visibility.binds(tx),
    )
    for issue in held:
        people = tx.all(
            "select a.who, a.who like 'agent:%' or m.state = 'active' as there from issue_assignee a"
            " left join member m on m.id = a.who where a.issue = :issue order by a.position",
            issue=issue,
        )
        after = list(dict.fromkeys(taker if one["who"] == giver["id"] else one["who"] for one in people))
        if all(one["there"] for one in people if one["who"] != giver["id"]):
            _assign(tx, issue, after, "set")
        else:  # a list is set with active people only; those who left stay where they are
            _assign(tx, issue, [taker], "add")
            _assign(tx, issue, [giver["id"]], "remove")
    return len(held)


def _assign(tx: Write, issue: int, people: list[str], mode: str) -> None:
    nested.run(tx, assign, {"key": f"issue:{issue}", "assignees": people, "mode": mode})


def _reported(tx: Write, giver: MemberRow, taker: str, most: int) -> int:
    held = tx.column(
        f"select i.id from issue i where i.reporter = :giver and {_OPEN} order by i.id limit :most",
        giver=giver["id"],
        most=most,
        **visibility.binds(tx),
    )
    for issue in held:
        nested.run(tx, update, {"key": f"issue:{issue}", "reporter": taker})
    return len(held)


def _watching(tx: Write, giver: MemberRow, taker: str, most: int) -> int:
    held = tx.column(
        "select i.id from issue_watcher w join issue i on i.id = w.issue"
        f" where w.who = :giver and {_OPEN} order by i.id limit :most",
        giver=giver["id"],
        most=most,
        **visibility.binds(tx),
    )
    for issue in held:
        for who, on in ((taker, True), (giver["id"], False)):
            nested.run(tx, watch, {"key": f"issue:{issue}", "on": on, "members": [who]})
    return len(held)


ASSIGNED = Holding(home=__name__, name="assigned", hand=_assigned)
REPORTED = Holding(home=__name__, name="reported", hand=_reported)
WATCHING = Holding(home=__name__, name="watching", hand=_watching)
