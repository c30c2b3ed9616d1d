"""A letter asks whoever asked for something how it went, some minutes after it was closed: till then it is taken back
without a word."""

from kbwork.core.jobs.kinds import Schedule
from kbwork.db.tx import Read, Write
from kbwork.modules.desk.requests import letters, rows
from kbwork.modules.desk.survey import links

PAUSE_S = 300
_LATEST_S = 86400
"""What was closed longer ago, while this server was down, is asked for no more."""
_AT_ONCE = 100
_CLOSED = (
    "from issue i indexed by issue_done join desk d on d.project = i.project and d.survey and d.enabled"
    " join customer_request r on r.issue = i.id"
    " where i.done_at is not null and i.deleted_at is null and i.category = 'done'"
    f" and i.done_at >= :now - {_LATEST_S} and i.done_at <= :now - {PAUSE_S} and i.done_at >= d.survey_since"
    " and r.asked_at is not i.done_at"
)


def _any(tx: Read) -> bool:
    return tx.value(f"select 1 {_CLOSED} limit 1", now=tx.now) is not None


def _ask(tx: Write) -> None:
    for issue in tx.column(f"select i.id {_CLOSED} limit {_AT_ONCE}", now=tx.now):
        request = rows.of_issue(tx, issue)
        tx.execute(
            "update customer_request set asked_at = :at where issue = :issue",
            at=request.issue["done_at"],
            issue=issue,
        )
        open_now = links.of_request(tx, request, request.row["customer"])
        if open_now is not None and open_now.customer["notify"]:
            letters.ask_how_it_went(tx, request, open_now.customer, links.address(tx, request))


ASK = Schedule(name="desk.survey", home=__name__, every_s=60, run=_ask, due=_any, on_time=True)
