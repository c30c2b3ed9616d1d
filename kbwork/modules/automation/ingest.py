"""Requests from outside that set rules off."""

import json
import re
from functools import partial
from typing import Any

from kbwork.base.caller import Caller
from kbwork.base.dataclasses import dataclass, field, replace
from kbwork.base.errors import Conflict, InvalidInput, NotFound, RateLimited
from kbwork.base.model import Input, Secret
from kbwork.core.access import visibility
from kbwork.core.hooks import TokenHook
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import RuleRow
from kbwork.db.tx import Read, Write
from kbwork.modules.automation import queries
from kbwork.modules.automation.engine import author, occasion, outcome, queue, runner, timetable
from kbwork.modules.automation.engine.occasion import Occasion
from kbwork.modules.automation.model import RuleDisabled, RuleFailed, RuleSetOff

MOST_CHARS = 64 * 1024
"""Of what is said and named by the rule, as JSON: it waits with the run."""
MOST_CHARS_EACH = 4_000
"""Where it waits with a run for each issue of a query."""
_NAMED = re.compile(r"payload\.([A-Za-z0-9_-]{1,60})")
_LONGEST_REF = 100
_MOST_HEARD = 1000
"""Of more it forgets those that were not set off lately."""


class AutomationIngest(Input):
    token: Secret
    """The token in the path that the request came to."""
    said: dict[str, Any]
    """What it says: `{{payload.name}}` in the rule's actions. A text as `issue`, such as `WEB-12`, names the issue that
    the rule runs for."""


@write(
    "automation.ingest",
    scope="system",
    words="a request from outside sets a rule off",
    undo="what the rule did is taken back by undoing that",
    emits=[RuleDisabled, RuleFailed],
    example={"token": "from-the-path", "said": {"issue": "WEB-1", "build": {"state": "failed"}}},
)
async def ingest(out: External, args: AutomationIngest) -> RuleSetOff:
    """Set off the rule whose path a request came to. For the server itself.

    It runs in a moment: for the issue that the request names, else for each that the rule's query names, else once. A
    token that sets off none is 404, a rule that is off 409, an issue that its author does not see 422. More than ten
    requests for the same within a minute are 429, and so are those that more runs wait before than are kept.
    """
    found = await out.read(partial(_looked, args))
    return await out.conclude(partial(_take, args, found), essential=False)


def _looked(args: AutomationIngest, tx: Read) -> timetable.RuleSetting:
    """Its query holds no write up: it is asked here, and not where all others wait."""
    rule, caller, about = _asked(tx, args)
    if caller is None or about.subject is not None:
        return timetable.RuleSetting(rule, error=author.LOST if caller is None else None)
    return timetable.look(tx, rule)


def _take(args: AutomationIngest, found: timetable.RuleSetting, tx: Write) -> RuleSetOff:
    rule, caller, about = _asked(tx, args)
    if caller is None:
        outcome.disable(tx, rule, author.LOST)
        return RuleSetOff(result="queued")
    if not found.is_of(rule):
        raise Conflict("The rule was changed at this moment: send it once more.")
    tx.beside("automation.heard", _Heard).note((rule["id"], about.subject), tx.now)
    if about.subject is not None:
        queue.add(tx, rule["id"], about)
    else:
        timetable.write(tx, replace(found, rule=rule), about)
    tx.wake()
    return RuleSetOff(result="queued")


def _asked(tx: Read, args: AutomationIngest) -> tuple[RuleRow, Caller | None, Occasion]:
    """The rule that a request sets off, as whom it runs, and what for, as far as the request says. Without somebody
    it runs for nothing. Raises NotFound, Conflict, InvalidInput or RateLimited."""
    rule = _rule(tx, args.token)
    if not rule["enabled"]:
        raise Conflict("The rule is off.")
    caller = author.caller_of(tx, rule)
    if caller is None:
        return rule, None, Occasion(occasion.HOOK, occasion.OUTSIDE, None)
    subject = _issue(tx.as_caller(caller), args.said)
    said = _kept(rule, args.said, each=subject is None and json.loads(rule["trigger"])["tql"] is not None)
    about = Occasion(occasion.HOOK, occasion.OUTSIDE, subject, payload=said)
    _require_room(tx, rule, about, tx.beside("automation.heard", _Heard))
    return rule, caller, about


@dataclass(slots=True)
class _Heard:
    """When requests were taken within the last minute, by rule and issue. The log does not tell all of it: nothing is
    written down where conditions do not hold, and each issue of a query by itself."""

    times: dict[tuple[int, str | None], list[int]] = field(default_factory=dict)

    def number(self, what: tuple[int, str | None], now: int) -> int:
        return sum(now - runner.MINUTE_S < at <= now for at in self.times.get(what, ()))

    def note(self, what: tuple[int, str | None], now: int) -> None:
        if len(self.times) >= _MOST_HEARD:
            self.times = {one: times for one, times in self.times.items() if self.number(one, now)}
        self.times[what] = [*self.times.get(what, ()), now][-runner.MOST_A_MINUTE :]


def _rule(tx: Read, token: str) -> RuleRow:
    """Raises NotFound."""
    row = queries.by_token(tx, token)
    if row is None:
        raise NotFound("No rule is set off here.")
    return row


def _kept(rule: RuleRow, said: dict[str, Any], *, each: bool) -> dict[str, Any]:
    """What of it the rule's actions name: nothing else is kept. Raises InvalidInput where that is too much."""
    wanted = set(_NAMED.findall(rule["actions"]))
    found = {name: value for name, value in said.items() if name.partition(".")[0] in wanted}
    most = MOST_CHARS_EACH if each else MOST_CHARS
    if len(json.dumps(found, ensure_ascii=False)) > most:
        raise InvalidInput(f"What the rule takes of a request has {most:,} characters at most.", field="said")
    return found


def _issue(tx: Read, said: dict[str, Any]) -> str | None:
    """The issue that a request names, as its rule's author sees it. Raises InvalidInput."""
    ref = said.get("issue")
    if not isinstance(ref, str) or not ref.strip():
        return None
    found = visibility.referred(tx, ref.strip()) if len(ref) <= _LONGEST_REF else None
    if found is None or ref_of(found.id)[0] != "issue":
        raise InvalidInput(
            f"There is no issue {ref[:_LONGEST_REF]!r} that the rule's author sees.", field="issue"
        )
    return found.id


def _require_room(tx: Read, rule: RuleRow, about: Occasion, heard: _Heard) -> None:
    """Raises RateLimited: whoever sends tries again later, while what a rule is set off by else is merely logged."""
    waiting = tx.value("select count(*) from rule_run where rule = :rule", rule=rule["id"])
    begun = tx.value(
        "select count(*) from rule_run where rule = :rule and subject is :subject and step is null",
        rule=rule["id"],
        subject=about.subject,
    )
    lately = runner.ran_lately(tx, rule["id"], about.subject) + begun
    if max(lately, heard.number((rule["id"], about.subject), tx.now)) >= runner.MOST_A_MINUTE:
        raise RateLimited(
            f"This rule was set off {runner.MOST_A_MINUTE} times for this within a minute.",
            retry_after_s=runner.MINUTE_S,
        )
    if waiting + timetable.MOST_ISSUES > queue.MOST_WAITING:
        raise RateLimited("Too many runs of this rule wait already.", retry_after_s=runner.MINUTE_S)


def _opens(tx: Read, token: str) -> bool:
    return queries.by_token(tx, token) is not None


HOOK = TokenHook(home=__name__, beginning=queries.PATH, opens=_opens, op="automation.ingest")
