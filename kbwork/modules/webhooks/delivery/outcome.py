"""What becomes of a delivery: taken, tried again later, given up or dropped; and of its webhook with it."""

from typing import Any, NamedTuple

from kbwork.base import ids
from kbwork.base.dataclasses import dataclass, replace
from kbwork.core.mail.letters import letter
from kbwork.core.mail.templates import LetterKind
from kbwork.core.ports import mail
from kbwork.db.rows import WebhookDeliveryRow, WebhookRow
from kbwork.db.tx import Write
from kbwork.modules.webhooks.model import WebhookDisabled

MESSAGE = "message"
"""What is sent beside events: it tells what somebody wrote."""
_HOUR_S = 3600
_DAY_S = 24 * _HOUR_S
RETRIES_S = (10, 60, 300, 1800, 2 * _HOUR_S, 6 * _HOUR_S, 12 * _HOUR_S, 24 * _HOUR_S)
"""How long after each failed try the next one is made."""
GIVEN_UP_S = 3 * _DAY_S
"""So long a webhook is tried without success before it is switched off."""
_PAUSE_S = 25 * _HOUR_S
"""Tries that lie further apart are not of one time of trying: nothing was to be sent between."""
GONE = 410
DISABLED = LetterKind(
    home=__name__,
    key="webhooks.disabled",
    about="To the author of a webhook that was switched off.",
    subject="Webhook switched off: {{name}}",
    variables=("name", "error", "page"),
    links=("page",),
    body=(
        "The webhook '{{name}}' was switched off: {{error}}\n\nEvents are sent there no more. Once it is switched on"
        " again, what was missed meanwhile can be sent again:\n{{page}}\n"
    ),
)


class HookEvent(NamedTuple):
    """What a webhook is to be told: an event, or a message behind one."""

    webhook: int
    seq: int
    kind: str


@dataclass(frozen=True, slots=True)
class HookAnswer:
    """What came of one try. `status` is None where nothing was answered, `error` where it was taken."""

    status: int | None
    ms: int
    response: str | None
    error: str | None

    @property
    def taken(self) -> bool:
        return self.error is None


def add(tx: Write, one: HookEvent, *, due_at: int, request: str | None = None) -> int:
    """Queue a delivery; answers its id. `request`: the body, where the caller wrote it and no event says it."""
    ident = ids.number()
    tx.execute(
        "insert into webhook_delivery (id, webhook, event, seq, state, tries, request, author, at, next_at)"
        " values (:id, :webhook, :event, :seq, 'queued', 0, :request, :author, :now, :due)",
        id=ident,
        webhook=one.webhook,
        event=one.kind,
        seq=one.seq,
        request=request,
        author=tx.caller.me() if request is not None else None,
        now=tx.now,
        due=due_at,
    )
    return ident


def note(tx: Write, row: WebhookDeliveryRow, hook: WebhookRow, answered: HookAnswer) -> None:
    """Write down what came of a try, and when the next one is."""
    tries = row["tries"] + 1
    later = not answered.taken and tries <= len(RETRIES_S)
    state = "sent" if answered.taken else "queued" if later else "failed"
    tx.execute(
        "update webhook_delivery set state = :state, tries = :tries, status = :status, ms = :ms, error = :error,"
        " response = :response, request = :request, author = :author, next_at = :next where id = :id"
        " and state = 'queued'",
        state=state,
        tries=tries,
        status=answered.status,
        ms=answered.ms,
        error=answered.error,
        response=answered.response,
        request=None if answered.taken and row["event"] == MESSAGE else row["request"],
        author=row["author"],
        next=tx.now + RETRIES_S[tries - 1] if later else None,
        id=row["id"],
    )
    if hook["enabled"]:
        _count(tx, hook, answered)


def _count(tx: Write, hook: WebhookRow, answered: HookAnswer) -> None:
    """How the webhook fares; one that is of no use any more is switched off."""
    since = hook["failing_since"]
    if since is None or tx.now - (hook["last_at"] or 0) > _PAUSE_S:
        since = tx.now
    failures = 0 if answered.taken else hook["failures"] + 1
    tx.execute(
        "update webhook set failures = :failures, failing_since = :since, last_at = :now, last_status = :status"
        " where id = :id",
        failures=failures,
        since=None if answered.taken else since,
        now=tx.now,
        status=answered.status,
        id=hook["id"],
    )
    if answered.status == GONE:
        disable(tx, hook, "The receiver answered 410: it takes no events any more.")
    elif not answered.taken and tx.trusted_now - since >= GIVEN_UP_S:
        disable(tx, hook, f"Nothing was taken for three days. The last try: {answered.error}")


def disable(tx: Write, hook: WebhookRow, error: str) -> None:
    """Switch a webhook off, and tell its author why."""
    tx.execute("update webhook set enabled = 0, updated_at = :now where id = :id", now=tx.now, id=hook["id"])
    drop(tx, hook["id"], f"The webhook was switched off. {error}")
    payload = {"name": hook["name"], "author": hook["author"], "error": error}
    tx.emit(WebhookDisabled(subject=f"webhook:{hook['id']}", payload=payload))
    told = {"name": hook["name"], "error": error, "page": f"{mail.origin(tx)}/docs/howto-webhooks"}
    mail.to_member(tx, hook["author"], replace(letter(DISABLED, told), about=f"webhook:{hook['id']}"))


def drop(tx: Write, webhook: int, error: str) -> None:
    """Nothing that waits for this webhook is sent any more."""
    tx.execute(
        "update webhook_delivery set state = 'dropped', error = :error, next_at = null"
        " where webhook = :webhook and state = 'queued'",
        error=error,
        webhook=webhook,
    )


def drop_one(tx: Write, delivery: int, error: str) -> None:
    tx.execute(
        "update webhook_delivery set state = 'dropped', error = :error, next_at = null, request = null,"
        " response = null where id = :id and state = 'queued'",
        error=error,
        id=delivery,
    )


def forget(tx: Write, which: str, **binds: Any) -> None:
    """Remove the deliveries that a condition picks, with what they tell of."""
    picked = f"select id from webhook_delivery where {which}"
    tx.execute(f"delete from webhook_event where delivery in ({picked})", **binds)
    tx.execute(f"delete from webhook_delivery where id in ({picked})", **binds)
