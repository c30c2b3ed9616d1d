"""What becomes of runs: their log, and rules that are switched off since they fail."""

from kbwork.base.dataclasses import dataclass
from kbwork.base.events import Audience
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import RuleRow
from kbwork.db.tx import Write
from kbwork.modules.automation.engine.occasion import Occasion
from kbwork.modules.automation.model import RuleDisabled, RuleFailed, RuleRan

MOST_FAILURES = 5
_MOST_CHARS = 1000


@dataclass(frozen=True, slots=True)
class Said:
    """What the log says of a run. `author`: whose eyes alone it is for; `events`: those that the run made."""

    message: str
    ok: bool
    author: str | None = None
    label: str | None = None
    events: tuple[int, int] | None = None


def log(tx: Write, rule: int, occasion: Occasion, said: Said) -> int:
    """Write it down; answers the number of the entry."""
    tx.execute(
        "insert into rule_log (rule, at, event, actor, subject, label, message, ok, author, depth, first_seq, last_seq)"
        " values (:rule, :now, :event, :actor, :subject, :label, :message, :ok, :author, :depth, :first, :last)",
        rule=rule,
        now=tx.now,
        event=occasion.event,
        actor=occasion.actor,
        subject=occasion.subject,
        label=said.label if said.label is not None else occasion.label(tx),
        message=said.message[:_MOST_CHARS],
        ok=int(said.ok),
        author=said.author,
        depth=occasion.depth,
        first=said.events[0] if said.events else None,
        last=said.events[1] if said.events else None,
    )
    return int(tx.value("select max(id) from rule_log"))


def succeeded(tx: Write, rule: RuleRow, occasion: Occasion, said: Said) -> int:
    """It ran."""
    tx.execute(
        "update rule set runs = runs + 1, failures = 0, last_run_at = :now where id = :id",
        now=tx.now,
        id=rule["id"],
    )
    ident = log(tx, rule["id"], occasion, said)
    subject, heard_by = _place(rule, occasion)
    tx.emit(RuleRan(subject=subject, payload={"name": rule["name"], "id": rule["id"]}, heard_by=heard_by))
    return ident


def failed(tx: Write, rule: RuleRow, occasion: Occasion, said: Said) -> int:
    """It could not; after so many in a row the rule is switched off."""
    failures = rule["failures"] + 1
    tx.execute(
        "update rule set runs = runs + 1, failures = :failures, last_run_at = :now where id = :id",
        failures=failures,
        now=tx.now,
        id=rule["id"],
    )
    ident = log(tx, rule["id"], occasion, said)
    subject, heard_by = _place(rule, occasion)
    payload = {"name": rule["name"], "id": rule["id"]}
    if said.author is None:
        payload["error"] = said.message[:_MOST_CHARS]
    tx.emit(RuleFailed(subject=subject, payload=payload, heard_by=heard_by))
    if failures >= MOST_FAILURES:
        disable(tx, rule, f"It failed {MOST_FAILURES} times in a row.")
    return ident


def _place(rule: RuleRow, occasion: Occasion) -> tuple[str, Audience | None]:
    """(the subject of what is told of a run, who hears it)."""
    if occasion.subject is not None and ref_of(occasion.subject)[0] == "issue":
        return occasion.subject, "team"
    return f"rule:{rule['id']}", None


def disable(tx: Write, rule: RuleRow, error: str) -> None:
    """Switch a rule off; its author hears why."""
    tx.execute(
        "update rule set enabled = 0, next_run_at = null, updated_at = :now where id = :id",
        now=tx.now,
        id=rule["id"],
    )
    tx.execute("delete from rule_run where rule = :rule", rule=rule["id"])
    tx.execute("delete from rule_state where rule = :rule", rule=rule["id"])
    payload = {"name": rule["name"], "author": rule["author"], "error": error}
    tx.emit(RuleDisabled(subject=f"rule:{rule['id']}", payload=payload))
