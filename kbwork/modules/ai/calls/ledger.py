"""Tokens: what is held for calls under way, what was used, and the caps on both."""

import datetime

from kbwork.base.errors import AiCap, Busy
from kbwork.db.tx import Read, Write
from kbwork.modules.ai.wire.exchange import DEADLINE_S

MOST_CALLS = 64
"""Under way at once."""
MOST_OF_ONE = 16
"""Of one member: no one takes all places."""
_HELD_S = int(DEADLINE_S) + 60
"""So long tokens are held for a call of which nobody hears any more."""


def day(tx: Read) -> str:
    """The UTC day."""
    return datetime.datetime.fromtimestamp(tx.now, datetime.UTC).date().isoformat()


def used_today(tx: Read, actor: str) -> int:
    """Tokens that one member used today."""
    return int(
        tx.value(
            "select coalesce(sum(input_tokens + output_tokens), 0) from ai_usage where actor = :actor and day = :day",
            actor=actor,
            day=day(tx),
        )
    )


def used_month(tx: Read) -> int:
    """Tokens that all together used in this month."""
    return int(
        tx.value(
            "select coalesce(sum(input_tokens + output_tokens), 0) from ai_usage where day >= :first",
            first=f"{day(tx)[:7]}-01",
        )
    )


def reserve(tx: Write, tokens: int) -> int:
    """Hold tokens for a call of the caller; answers its number. Raises AiCap where they are not left, Busy where too
    many calls are under way."""
    tx.execute("delete from ai_call where until <= :now", now=tx.now)
    who = tx.caller.actor
    under_way, held, own, mine = tx.tuples(
        "select count(*), coalesce(sum(tokens), 0), coalesce(sum(actor = :who), 0),"
        " coalesce(sum(case when actor = :who then tokens else 0 end), 0) from ai_call",
        who=who,
    )[0]
    policy = tx.one("select member_daily_tokens as daily, monthly_tokens as monthly from ai_policy")
    assert policy is not None
    if policy["daily"] is not None and used_today(tx, who) + mine + tokens > policy["daily"]:
        raise AiCap(
            f"You may use {policy['daily']:,} tokens a UTC day, and fewer are left than this may take."
            " Ask for less by max_tokens, or tomorrow."
        )
    if policy["monthly"] is not None and used_month(tx) + held + tokens > policy["monthly"]:
        raise AiCap(
            f"The org may use {policy['monthly']:,} tokens a UTC month, and fewer are left than this may take."
            " Admins set the cap: ai.policy_set."
        )
    if under_way >= MOST_CALLS or own >= MOST_OF_ONE:
        raise Busy("Too many models are being asked just now; try again in a moment", retry_after_s=5)
    tx.execute(
        "insert into ai_call (actor, tokens, until) values (:who, :tokens, :until)",
        who=who,
        tokens=tokens,
        until=tx.now + _HELD_S,
    )
    return int(tx.value("select max(id) from ai_call"))


def settle(tx: Write, call: int, used_for: tuple[str, str, str], tokens: tuple[int, int] | None) -> None:
    """Count what a call took, (in, out), for (feature, provider, model); None: it failed, and took nothing."""
    tx.execute("delete from ai_call where id = :call", call=call)
    feature, provider, model = used_for
    taken = tokens or (0, 0)
    tx.execute(
        "insert into ai_usage (day, actor, feature, provider, model, calls, errors, input_tokens, output_tokens)"
        " values (:day, :actor, :feature, :provider, :model, 1, :errors, :input, :output) on conflict do update set"
        " calls = calls + 1, errors = errors + :errors, input_tokens = input_tokens + :input,"
        " output_tokens = output_tokens + :output",
        day=day(tx),
        actor=tx.caller.actor,
        feature=feature,
        provider=provider,
        model=model,
        errors=int(tokens is None),
        input=taken[0],
        output=taken[1],
    )
