"""The follower: it queues the rules that each event sets off.

A run is taken out in the transaction of what it does, so that each event sets each rule off once, whatever ends the
process in between.
"""

import json
from collections.abc import Iterator
from typing import Any

from kbwork.base.clock import monotonic
from kbwork.base.errors import Problem
from kbwork.core import org_settings
from kbwork.core.access import visibility
from kbwork.core.events import cursors, feed
from kbwork.core.events.follower import EventFollower, EventsTaken
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import RuleRow
from kbwork.db.tx import Read, Row, Write, json_array
from kbwork.modules.automation.engine import author, occasion, queue
from kbwork.modules.automation.engine.occasion import Occasion
from kbwork.modules.automation.rule import conditions, trigger

_AT_ONCE = 200
"""Of the events that one look passes, so many that are of a kind that some rule names."""
_TOGETHER = 100
"""Issues of which a rule's query is asked by one statement."""
_LOOK_S = 0.3
"""Behind so long a look the rest waits for the next one, but for the rules of one event."""
RulesSetOff = list[tuple[int, Occasion]]
"""Rules by number, and what for, in the order of the events."""


class Candidates:
    """Rules with the events that may set them off; authors are asked once for all of these."""

    def __init__(self, tx: Read, rules: list[RuleRow], rows: list[Row]) -> None:
        self._tx = tx
        self._rows = rows
        self._patterns = [(rule, json.loads(rule["trigger"])["event"]) for rule in rules]
        subjects = dict.fromkeys(ref_of(row["subject"]) for row in rows)
        issues = [int(ref) for kind, ref in subjects if kind == "issue"]
        batches = (issues[at : at + _TOGETHER] for at in range(0, len(issues), _TOGETHER))
        self._batches = {issue: batch for batch in batches for issue in batch}
        """Issue of one of these events -> those that are asked together with it."""
        self._fitting: dict[tuple[int, int], set[int]] = {}
        """(rule, first of those asked together) -> those that fit the query of its trigger."""
        self._seen: dict[int, Read | None] = {}
        self._heard: dict[str | None, set[int]] = {}

    def set_off(self, row: Row) -> Iterator[tuple[int, Occasion]]:
        """The rules that an event sets off. One that cannot be asked any more is, too: its run says why in the log."""
        payload = feed.stored_payload(row["payload"])
        if "import" in payload or "undo" in payload:
            return
        depth = None
        for rule, pattern in self._patterns:
            if row["seq"] <= rule["since"] or not feed.kind_fits(row["kind"], pattern):
                continue
            depth = _depth(self._tx, row, payload) if depth is None else depth
            about = occasion.of_event(row, depth, payload)
            if self._fits(rule, row, about):
                yield rule["id"], about

    def _fits(self, rule: RuleRow, row: Row, about: Occasion) -> bool:
        seen = self._eyes(rule)
        if seen is None:
            return True
        who = seen.caller.key
        if who not in self._heard:
            self._heard[who] = {one["seq"] for one in visibility.heard(seen, self._rows)}
        if row["seq"] not in self._heard[who]:
            return False
        try:
            if not self._asks_for(seen, rule, about.issue_id):
                return False
            return conditions.hold(seen, json.loads(rule["conditions"]), rule["names"], about)
        except Problem:  # the run fails by the same, and says so
            return True

    def _asks_for(self, seen: Read, rule: RuleRow, issue: int | None) -> bool:
        """Whether the query of its trigger fits, if it has one: asked once for many issues."""
        text: str = json.loads(rule["trigger"])["tql"]
        if not text or issue is None:
            return not text
        batch = self._batches[issue]
        place = (rule["id"], batch[0])
        if place not in self._fitting:
            self._fitting[place] = conditions.fitting(seen, text, rule["names"], batch)
        return issue in self._fitting[place]

    def _eyes(self, rule: RuleRow) -> Read | None:
        """The snapshot as a rule's author sees it; None where they are no admin any more."""
        if rule["id"] not in self._seen:
            caller = author.caller_of(self._tx, rule)
            self._seen[rule["id"]] = None if caller is None else self._tx.as_caller(caller)
        return self._seen[rule["id"]]


def _depth(tx: Read, row: Row, payload: dict[str, Any]) -> int:
    """How many rules set each other going, with the one that this event sets off."""
    if "rule" not in payload or row["actor_kind"] != "automation":
        return 1
    found = tx.one(
        "select first_seq, depth from rule_log where last_seq >= :seq order by last_seq limit 1",
        seq=row["seq"],
    )
    known = found is not None and found["first_seq"] <= row["seq"]
    return found["depth"] + 1 if found is not None and known else queue.MOST_DEEP + 1


def enabled(tx: Read) -> list[RuleRow]:
    """The rules that events set off, where the module is on."""
    return tx.all("select * from rule where enabled and trigger ->> '$.kind' = 'event' order by id", RuleRow)


def latest(tx: Read, rule: RuleRow, after: int, most: int) -> list[Row]:
    """The last events behind `after` that this rule names, newest first."""
    return tx.all(
        f"select {feed.COLUMNS}, {feed.HEARD_BY} from events e where e.seq > :after"
        " and e.kind in (select value from json_each(:kinds)) and e.audience <> 'audit'"
        " order by e.seq desc limit :most",
        after=after,
        kinds=json_array(trigger.kinds_of(tx, [json.loads(rule["trigger"])["event"]])),
        most=most,
    )


def _take(tx: Read, after: int, until: int) -> EventsTaken[RulesSetOff]:
    """What sets rules off. Where one is on, what did not might fit later, or the module be switched on."""
    rules = enabled(tx)
    if not rules or org_settings.module_off(tx, "automation"):
        return EventsTaken(until, [], settled=bool(rules))
    kinds = trigger.kinds_of(tx, [json.loads(rule["trigger"])["event"] for rule in rules])
    rows = cursors.events(tx, after, until, kinds, _AT_ONCE)
    if len(rows) == _AT_ONCE:
        until = rows[-1]["seq"]
    candidates = Candidates(tx, rules, rows)
    wanted: RulesSetOff = []
    begun = monotonic()
    for row in rows:
        wanted += candidates.set_off(row)
        if monotonic() - begun > _LOOK_S:
            until = row["seq"]
            break
    return EventsTaken(until, wanted, settled=True)


def _tell(tx: Write, wanted: RulesSetOff) -> None:
    """Queue the runs."""
    on = set() if org_settings.module_off(tx, "automation") else {rule["id"] for rule in enabled(tx)}
    for rule, about in wanted:
        if rule in on:
            queue.add(tx, rule, about)
    if wanted:
        tx.wake()


FOLLOWER = EventFollower(name="automation", home=__name__, take=_take, tell=_tell)
FOLLOW = FOLLOWER.chore()
