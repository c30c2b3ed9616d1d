"""Sends what waits: each channel's posts one after the other, and no channel waits for another.

What was taken is taken out: a process that dies between the two posts once more.
"""

import json
from typing import Any, NamedTuple

from kbwork.base.clock import monotonic
from kbwork.base.dataclasses import dataclass, replace
from kbwork.base.errors import InvalidInput, MasterKeyLost, Problem
from kbwork.core import org_settings
from kbwork.core.access import authors
from kbwork.core.jobs.chores import Errand
from kbwork.core.operations.external import External, FetchedPage, ServiceCall
from kbwork.db.rows import ChatPostRow
from kbwork.db.tx import Read, Write
from kbwork.modules.chat.connection import secrets
from kbwork.modules.chat.model import ChatFailed, ChatPosted
from kbwork.modules.chat.platform import known, slack
from kbwork.modules.chat.subscription import lines

DEADLINE_S = 5.0
RETRIES_S = (10, 60, 300, 1800, 7200, 21_600)
_ANSWER_RETRIES_S = (2, 10, 60)
"""An answer that comes later than that is none any more."""
MOST_WAIT_S = 86_400
_AT_ONCE = 10
_BUDGET_S = 2.0
_READ_BYTES = 16 * 1024
_FOR_GOOD = frozenset({400, 401, 403, 404, 405, 410, 413, 415})
"""What a platform will not take later either."""
_MEND = " The operator lists such places, as host:port, in `outbound.allow` of the settings."


@dataclass(frozen=True, slots=True)
class ChatAnswered:
    """What came of one call. `error` is None where it was taken, `again_s` where it is not to be tried again."""

    error: str | None = None
    again: bool = False
    again_s: int = 0


class ChatCall(NamedTuple):
    """A post, where it goes, and what is sent: nothing of what nobody is to hear any more."""

    post: ChatPostRow
    url: str = ""
    body: dict[str, Any] | None = None
    bot: str | None = None
    """The token of the bot that says it."""


@dataclass(frozen=True, slots=True)
class Calls:
    """What is to be sent for one channel, or connection; and behind it, what was answered."""

    made: list[ChatCall]
    answered: list[tuple[ChatPostRow, ChatAnswered | None]] | None = None
    fault: str | None = None


def _due_posts(tx: Read) -> list[int]:
    return (
        []
        if org_settings.module_off(tx, "chat")
        else tx.column(
            "select s.id from chat_subscription s where (select next_at from chat_post where subscription = s.id"
            " order by seq limit 1) <= :now",
            now=tx.now,
        )
    )


def _look_posts(tx: Read, subscription: int) -> Calls | None:
    row = tx.stored("chat_subscription", [subscription])
    if row is None or org_settings.module_off(tx, "chat"):
        return None
    due = tx.all(
        "select * from chat_post where subscription = :id order by seq limit :most",
        ChatPostRow,
        id=subscription,
        most=_AT_ONCE,
    )
    if not due or due[0]["next_at"] > tx.now:
        return None
    connection = tx.stored("chat_connection", [row["connection"]])
    assert connection is not None
    seen = authors.seen_by(tx, row["author"], row["scopes"], "chat")
    try:
        url = secrets.url(tx, row)
    except MasterKeyLost as lost:
        return Calls([ChatCall(post) for post in due[:1]], fault=lost.detail)
    platform = known.platform(connection["provider"])
    made: list[ChatCall] = []
    for post in due:
        line = lines.of_event(seen, row, post["seq"] or 0) if seen is not None else None
        made.append(ChatCall(post, url, platform.post(line) if line is not None else None))
    return Calls(made)


def _due_answers(tx: Read) -> list[int]:
    return (
        []
        if org_settings.module_off(tx, "chat")
        else tx.column(
            "select distinct connection from chat_post where subscription is null and next_at <= :now",
            now=tx.now,
        )
    )


def _look_answers(tx: Read, ident: int) -> Calls | None:
    connection = tx.stored("chat_connection", [ident])
    due = tx.all(
        "select * from chat_post where connection = :id and subscription is null and next_at <= :now"
        " order by id limit :most",
        ChatPostRow,
        id=ident,
        now=tx.now,
        most=_AT_ONCE,
    )
    if connection is None or not due or org_settings.module_off(tx, "chat"):
        return None
    try:
        bot = secrets.bot(tx, connection)
    except MasterKeyLost as lost:
        return Calls([ChatCall(post) for post in due], fault=lost.detail)
    made: list[ChatCall] = []
    for post in due:
        call_, body = post["call"] or "", json.loads(post["body"] or "{}")
        if "://" in call_:
            made.append(ChatCall(post, call_, body))
        else:
            made.append(ChatCall(post, f"{slack.API}/{call_}", body if bot else None, bot))
    return Calls(made)


async def wait(out: External, calls: Calls) -> Calls:
    """Send them, for some seconds; those behind one that is to be tried again wait for it."""
    if calls.fault is not None:
        return replace(calls, answered=[(one.post, ChatAnswered(calls.fault)) for one in calls.made])
    begun = monotonic()
    answered: list[tuple[ChatPostRow, ChatAnswered | None]] = []
    for post, url, body, bot in calls.made:
        told = await call(out, url, body, bot) if body is not None else None
        answered.append((post, told))
        if (told is not None and told.again) or monotonic() - begun > _BUDGET_S:
            break
    return replace(calls, answered=answered)


async def call(out: External, url: str, body: dict[str, Any], bot: str | None = None) -> ChatAnswered:
    """One try."""
    asked = ServiceCall(
        content=json.dumps(body).encode(),
        headers={"Content-Type": "application/json; charset=utf-8"},
        authorization=f"Bearer {bot}" if bot else None,
        deadline_s=DEADLINE_S,
        most_bytes=_READ_BYTES,
        cut=True,
    )
    try:
        page = await out.ask(url, asked)
    except InvalidInput as problem:  # an address that may not be asked
        return ChatAnswered(problem.detail + _MEND)
    except Problem as problem:
        return ChatAnswered(f"{problem.detail} within {DEADLINE_S:.0f} seconds.", again=True)
    return _judged(page, api=bot is not None)


def _judged(page: FetchedPage, *, api: bool) -> ChatAnswered:
    """Slack's methods say in the body whether they did it."""
    if 200 <= page.status < 300:
        return _of_method(page) if api else ChatAnswered()
    said = " ".join(page.body[:200].decode(errors="replace").split())
    error = f"The platform answered {page.status}{f': {said}' if said else '.'}"
    if page.status in _FOR_GOOD or 300 <= page.status < 400:
        return ChatAnswered(error)
    after = page.headers.get("retry-after", "")
    return ChatAnswered(
        error, again=True, again_s=int(after) if after.isascii() and after.isdigit() and len(after) < 6 else 0
    )


def _of_method(page: FetchedPage) -> ChatAnswered:
    try:
        told = json.loads(page.body)
        done, error = bool(told["ok"]), str(told.get("error", ""))
    except (ValueError, KeyError, TypeError, AttributeError):
        return ChatAnswered("The platform answered what cannot be read.", again=True)
    return (
        ChatAnswered()
        if done
        else ChatAnswered(f"Slack refused it: {error[:100]}", again=error == "ratelimited")
    )


def write(tx: Write, calls: Calls) -> None:
    """Write down what came of it, as far as they still wait."""
    for post, told in calls.answered or ():
        if tx.stored("chat_post", [post["id"]]) is None:
            continue
        if told is None:
            _take_out(tx, post)
        elif told.error is None:
            _take_out(tx, post)
            _taken(tx, post)
        elif told.again and _may_wait(tx, post):
            _later(tx, post, told)
        else:
            _take_out(tx, post)
            _failed(tx, post, told.error)


def _waits(post: ChatPostRow) -> tuple[int, ...]:
    """How long after each failed try the next one is made."""
    return RETRIES_S if post["subscription"] is not None else _ANSWER_RETRIES_S


def _may_wait(tx: Read, post: ChatPostRow) -> bool:
    return post["tries"] < len(_waits(post)) and tx.trusted_now - post["at"] < MOST_WAIT_S


def _later(tx: Write, post: ChatPostRow, told: ChatAnswered) -> None:
    tx.execute(
        "update chat_post set tries = tries + 1, next_at = :next where id = :id",
        next=tx.now + min(max(_waits(post)[post["tries"]], told.again_s), MOST_WAIT_S),
        id=post["id"],
    )
    _note(tx, post, told.error)


def _take_out(tx: Write, post: ChatPostRow) -> None:
    tx.execute("delete from chat_post where id = :id", id=post["id"])


def _taken(tx: Write, post: ChatPostRow) -> None:
    _note(tx, post, None)
    if post["subscription"] is None:
        return
    tx.execute(
        "update chat_subscription set sent = sent + 1, last_sent_at = :now where id = :id",
        now=tx.now,
        id=post["subscription"],
    )
    payload = {"connection": post["connection"], "subscription": post["subscription"], "event": post["seq"]}
    tx.emit(ChatPosted(subject="org:1", payload=payload))


def _failed(tx: Write, post: ChatPostRow, error: str) -> None:
    _note(tx, post, error)
    payload = {"connection": post["connection"], "subscription": post["subscription"], "error": error}
    tx.emit(ChatFailed(subject="org:1", payload=payload))


def _note(tx: Write, post: ChatPostRow, error: str | None) -> None:
    row = tx.stored("chat_connection", [post["connection"]])
    if row is not None and row["last_error"] != error:
        tx.update("chat_connection", row["id"], last_error=error)


POSTS = Errand(
    name="chat.posts", home=__name__, most=100, due=_due_posts, look=_look_posts, wait=wait, write=write
)
ANSWERS = Errand(
    name="chat.answers", home=__name__, most=50, due=_due_answers, look=_look_answers, wait=wait, write=write
)
