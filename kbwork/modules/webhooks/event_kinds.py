"""Which kinds of events a webhook names: one, or all that begin so."""

import json

from kbwork.base.errors import InvalidInput
from kbwork.core.events import feed, kinds
from kbwork.db.rows import WebhookRow
from kbwork.db.tx import Read


def checked(tx: Read, asked: list[str]) -> list[str]:
    """Each once. Raises InvalidInput for one that fits no kind, naming the nearest."""
    known = kinds.told(tx)
    for place, pattern in enumerate(asked):
        if not kinds.named(known, pattern):
            field = f"events[{place}]"
            if kinds.named(tx.registry.events, pattern):
                raise InvalidInput(
                    f"{pattern} is told in the audit log alone: audit.list has it.", field=field
                )
            hint = kinds.nearest(pattern, known) or " The manual's page `events` lists them."
            raise InvalidInput(f"There is no kind of event {pattern!r}.{hint}", field=field)
    return list(dict.fromkeys(asked))


def of(hook: WebhookRow) -> list[str]:
    """The kinds that a webhook names."""
    found: list[str] = json.loads(hook["events"])
    return found


def sample(tx: Read, patterns: list[str]) -> str:
    """A kind that the first of them names."""
    return next(kind for kind in kinds.told(tx) if feed.kind_fits(kind, patterns[0]))
