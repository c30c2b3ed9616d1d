"""What somebody saved acts later in their name: with what they may then, and never more than in the call that saved it.

For what only admins keep: rules, webhooks, subscriptions of chats.
"""

import json

from kbwork.base import ids
from kbwork.base.caller import ActorKind, Caller
from kbwork.core.access import scopes
from kbwork.db.tx import Read

_ADMINS = ("owner", "admin")
AUTHORLESS = (
    "select r.* from {} r where r.enabled and not exists (select 1 from member m where m.id = r.author"
    " and m.state = 'active' and m.role in ('owner', 'admin')) order by r.id limit 100"
)
"""The rows of a table that are on, and whose author is no admin any more."""
LOST = "Its author is no admin any more: another admin saves it to go on."


def caller_of(tx: Read, author: str, kept_scopes: str, what: str, kind: ActorKind = "human") -> Caller | None:
    """Who acts; None where its author is no admin any more. `what` is a word for the sort of thing."""
    role = tx.cached(
        ("role of", author),
        lambda: (
            tx.value("select role from member where id = :id and state = 'active'", id=author) or "anonymous"
        ),
    )
    if role not in _ADMINS:
        return None
    return Caller(
        member=author,
        role=role,
        kind=kind,
        scopes=scopes.of_role(role) & frozenset(json.loads(kept_scopes)),
        # what is kept of a caller is filed under its key
        key=f"{what}:{author}:{ids.digest(kept_scopes).hex()[:16]}",
    )


def seen_by(tx: Read, author: str, kept_scopes: str, what: str) -> Read | None:
    """The snapshot as they see it; None where they are no admin any more."""
    caller = caller_of(tx, author, kept_scopes, what)
    if caller is None:
        return None
    found: Read = tx.memoized(("seen by", caller.key), lambda: tx.as_caller(caller))
    return found
