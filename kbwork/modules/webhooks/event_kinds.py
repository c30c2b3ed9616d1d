"""Which kinds of events a webhook names: one, or all that begin so."""

import json

from kbwork.base.errors import InvalidInput
from kbwork.base.text import did_you_mean
from kbwork.core.events import feed
from kbwork.db.rows import WebhookRow
from kbwork.db.tx import Read


def known(tx: Read) -> list[str]:
    """The kinds that anybody hears of; those for the audit log alone are told by no webhook."""
    return [kind for kind, event in tx.registry.events.items() if event.audience != "audit"]


def checked(tx: Read, asked: list[str]) -> list[str]:
    """Each once. Raises InvalidInput for one that fits no kind, naming the nearest."""
    kinds = known(tx)
    families = sorted({f"{kind.partition('.')[0]}.*" for kind in kinds})
    for place, pattern in enumerate(asked):
        if not any(feed.kind_fits(kind, pattern) for kind in kinds):
            field = f"events[{place}]"
            if any(feed.kind_fits(kind, pattern) for kind in tx.registry.events):
                raise InvalidInput(
                    f"{pattern} is told in the audit log alone: audit.list has it.", field=field
                )
            hint = did_you_mean(pattern, [*kinds, *families]) or " The manual's page `events` lists them."
            raise InvalidInput(f"There is no kind of event {pattern!r}.{hint}", field=field)
    return list(dict.fromkeys(asked))


def of(hook: WebhookRow) -> list[str]:
    """The kinds that a webhook names."""
    found: list[str] = json.loads(hook["events"])
    return found


def fits(kind: str, patterns: list[str]) -> bool:
    """Whether one of them names this kind."""
    return any(feed.kind_fits(kind, pattern) for pattern in patterns)


def sample(tx: Read, patterns: list[str]) -> str:
    """A kind that the first of them names."""
    return next(kind for kind in known(tx) if feed.kind_fits(kind, patterns[0]))
