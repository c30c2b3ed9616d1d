"""When a rule runs: read as callers write it, kept, and matched with kinds of events."""

import zoneinfo
from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Int, Name, Text
from kbwork.base.text import did_you_mean
from kbwork.core import org_settings
from kbwork.core.events import kinds
from kbwork.db.tx import Read
from kbwork.modules import fields
from kbwork.modules.automation.model import TriggerKind
from kbwork.modules.automation.rule import cron

MOST_MINUTES = 60 * 24 * 365
_OWN = "rule."
"""What rules tell of themselves sets no rule off."""
_FIELDS: dict[str, tuple[str, ...]] = {
    "event": ("event", "tql"),
    "schedule": ("every", "zone", "tql"),
    "button": ("label", "tql"),
    "hook": ("tql",),
    "state": ("tql", "minutes"),
}
_MISSING = {
    "event": "Say of which kind of event, such as `issue.created` or `issue.*`.",
    "every": "Say when, as cron writes it: `0 9 * * mon-fri` is at nine on working days.",
    "label": "Say what the button is called.",
    "tql": "Say which issues, by a query: `status = review`.",
    "minutes": "Say for how many minutes an issue has to fit the query.",
}


class RuleTrigger(Input):
    kind: TriggerKind
    """`event`, `schedule`, `button`, `state`, or `hook`: a request from outside."""
    event: Annotated[Text, Field(max_length=80)] | None = None
    """With `event`: the kind of event, such as `issue.created`; `issue.*` is all that begin so."""
    tql: Annotated[Text, Field(max_length=fields.conditions.MOST_CHARS)] | None = None
    """With `event`: only of issues that fit. With `schedule`, `button` and `hook`: run for each issue that fits. With
    `state`: the issues that are to fit."""
    every: Annotated[Text, Field(max_length=200)] | None = None
    """With `schedule`: the times, as cron writes them, such as `0 9 * * mon-fri`."""
    zone: Annotated[Text, Field(max_length=100)] | None = None
    """With `schedule`: the time zone, such as `Europe/Berlin`; left out: the org's."""
    label: Name | None = None
    """With `button`: what the button says."""
    path: Text | None = None
    """Made by the server, for `hook`: leave it out. An empty text gives the rule another one: the old is void."""
    minutes: Annotated[Int, Field(ge=1, le=MOST_MINUTES)] | None = None
    """With `state`: so long an issue has to fit."""


def kept(tx: Read, given: RuleTrigger) -> dict[str, Any]:
    """A trigger as it is kept. Raises InvalidInput, TqlSyntax or TqlName at what cannot be."""
    wanted = _FIELDS[given.kind]
    for name in ("event", "tql", "every", "zone", "label", "path", "minutes"):
        made = name == "path" and given.kind == "hook"  # it is shown there, and may come back as it was
        if getattr(given, name) is not None and name not in wanted and not made:
            raise InvalidInput(
                f"A trigger of the kind {given.kind} has no `{name}`.", field=f"trigger.{name}"
            )
    for name in wanted:
        optional = name == "zone" or (name == "tql" and given.kind != "state")
        if not optional and getattr(given, name) in (None, ""):
            raise InvalidInput(_MISSING[name], field=f"trigger.{name}")
    found: dict[str, Any] = {"kind": given.kind, **{name: getattr(given, name) for name in wanted}}
    if given.event is not None:
        found["event"] = _event(tx, given.event)
    if given.every is not None:
        found |= _times(tx, given.every, given.zone)
    if "tql" in found:
        text = (given.tql or "").strip()
        found["tql"] = fields.conditions.query(tx, text, "trigger.tql") if text else None
    return found


def _times(tx: Read, every: str, zone: str | None) -> dict[str, str]:
    name = zone or org_settings.get(tx, "org.zone") or "UTC"
    if name not in zoneinfo.available_timezones():
        hint = did_you_mean(name, zoneinfo.available_timezones())
        raise InvalidInput(f"There is no time zone {name!r}.{hint}", field="trigger.zone")
    if cron.following(cron.read(every, "trigger.every"), tx.now, zoneinfo.ZoneInfo(name)) is None:
        raise InvalidInput("These times never come.", field="trigger.every")
    return {"every": " ".join(every.split()), "zone": name}


def next_run(trigger: dict[str, Any], after: int) -> int | None:
    """When a rule with this trigger runs by itself next; None where it does not go by times."""
    if trigger["kind"] != "schedule":
        return None
    return cron.following(
        cron.read(trigger["every"], "trigger.every"), after, zoneinfo.ZoneInfo(trigger["zone"])
    )


def known_kinds(tx: Read) -> list[str]:
    """The kinds of events that set rules off: all that anybody hears of, but what rules tell of themselves."""
    return [kind for kind in kinds.told(tx) if not kind.startswith(_OWN)]


def _event(tx: Read, pattern: str) -> str:
    """Raises InvalidInput for one that fits no kind, naming the nearest."""
    known = known_kinds(tx)
    if kinds.named(known, pattern):
        return pattern
    if pattern.startswith(_OWN):
        raise InvalidInput("What rules tell of themselves sets no rule off.", field="trigger.event")
    hint = kinds.nearest(pattern, known) or " `events.json` lists them."
    raise InvalidInput(f"There is no kind of event {pattern[:80]!r}.{hint}", field="trigger.event")


def kinds_of(tx: Read, patterns: Iterable[str]) -> list[str]:
    """The kinds of events that these patterns name."""
    wanted = set(patterns)
    return [kind for kind in known_kinds(tx) if kinds.fits(kind, wanted)]
