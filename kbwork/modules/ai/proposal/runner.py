"""Asks models for the runs that wait, several at once; and makes a proposal of what each answers.

An errand asks, since jobs are few at a time and a model takes long; the job rests meanwhile and is woken by it. Whoever
is killed in between asks again: nothing but the tokens was taken.
"""

import json
from typing import Any

from kbwork.base.dataclasses import dataclass, replace
from kbwork.base.errors import Busy, Conflict, Problem
from kbwork.core import org_settings
from kbwork.core.jobs import queue
from kbwork.core.jobs.chores import Errand
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.core.operations.external import External
from kbwork.db.rows import AiProposalRow, AiRunRow
from kbwork.db.tx import Read, Write
from kbwork.modules.ai.calls import conversation
from kbwork.modules.ai.calls.conversation import ChosenModel, Completion, Matter, ProviderCall
from kbwork.modules.ai.context import exclusion, material, prompts, quotes
from kbwork.modules.ai.model import AIProposalApplied, AIProposed
from kbwork.modules.ai.proposal import asker, fate, sequel
from kbwork.modules.ai.proposal.fate import AISuggestion
from kbwork.modules.ai.proposal.run import JOB

AT_ONCE = 8
_PATIENCE_S = 3600
"""So long a job rests before it looks by itself."""
_WAITING = (
    "select r.id from ai_run r join job j on j.id = r.job where r.state = 'waiting'"
    " and j.state in ('queued', 'running')"
)
_TRIMMED = " \t\n`*_\"'.:!"
"""Signs that models put around what they choose."""


@dataclass(frozen=True, slots=True)
class AskedRun:
    """A run and what is asked for it; and behind that, what came of it."""

    id: int
    who: dict[str, Any]
    call: ProviderCall | None = None
    held: int | None = None
    found: Completion | None = None
    error: str | None = None


def due(tx: Read) -> list[int]:
    """The runs that wait."""
    if org_settings.module_off(tx, "ai"):
        return []
    return tx.column(f"{_WAITING} order by r.id limit 100")


def look(tx: Read, ident: int) -> AskedRun | None:
    """What is asked for a run, as whoever asked sees it now; None where nothing waits."""
    if org_settings.module_off(tx, "ai") or tx.value(f"{_WAITING} and r.id = :id", id=ident) is None:
        return None
    row: AiRunRow | None = tx.stored("ai_run", [ident])
    assert row is not None
    who = json.loads(row["asker"])
    try:
        seen = tx.as_caller(asker.restored(tx, who))
        call = conversation.prepared(seen, ChosenModel(), row["task"], lambda eyes: _matter(eyes, row))
    except Problem as refusal:
        return AskedRun(ident, who, error=refusal.detail)
    return AskedRun(ident, who, call)


def _matter(seen: Read, row: AiRunRow) -> Matter:
    (subject,) = exclusion.require_readable(seen, [row["subject"]])
    asked = json.loads(row["request"])
    quotes.require_none(seen, [asked["instructions"]])
    options = "\n".join(f"- {one}" for one in asked["options"])
    said = "\n\n".join(part for part in (options, asked["instructions"]) if part)
    prompt = prompts.made(row["task"], material.of(seen, subject, "own"), said)
    return Matter(prompt.system, (("user", prompt.message),), subject.id)


async def wait(out: External, asked: AskedRun) -> AskedRun:
    """Hold tokens and ask. Raises Busy where too many are asked: the run waits on."""
    call = asked.call
    if call is None:
        return asked
    try:
        held = await out.write(lambda tx: _hold(tx, asked, call))
    except Busy:
        raise
    except Problem as refusal:
        return replace(asked, error=refusal.detail)
    try:
        found = await conversation.answered(out, call)
    except Problem as failure:
        return replace(asked, held=held, error=failure.detail)
    return replace(asked, held=held, found=found)


def _hold(tx: Write, asked: AskedRun, call: ProviderCall) -> int:
    with asker.acting(tx, asked.who):
        return conversation.hold(tx, call)


def write(tx: Write, asked: AskedRun) -> None:
    """Count what it took, write down what came of it, and wake its job."""
    if asked.call is not None and asked.held is not None:
        with asker.named(tx, asked.who):
            conversation.settle(tx, asked.held, asked.call, asked.found)
    row: AiRunRow | None = tx.stored("ai_run", [asked.id])
    if row is None or row["state"] != "waiting":
        return
    tx.execute(
        "update ai_run set state = :state, answer = :answer, error = :error where id = :id",
        state="answered" if asked.found is not None else "failed",
        answer=asked.found.text if asked.found is not None else None,
        error=asked.error,
        id=asked.id,
    )
    queue.rouse(tx, row["job"])


ASK = Errand(name="ai.ask", home=__name__, most=AT_ONCE, due=due, look=look, wait=wait, write=write)


def _step(tx: Write, job: RunningJob) -> Next:
    """Raises Conflict with why it failed."""
    row = tx.one("select * from ai_run where job = :job", AiRunRow, job=job.id)
    if row is None:
        raise Conflict("What it was asked about is gone.")
    if row["state"] == "waiting":
        return Next(args=job.args, wait_s=_PATIENCE_S, message=f"A model is asked: {row['task']}")
    if row["error"] is not None:
        raise Conflict(row["error"])
    with asker.acting(tx, json.loads(row["asker"])):
        made = _propose(tx, row)
    tx.execute("delete from ai_run where id = :id", id=row["id"])
    return Next(result={"proposal": made["id"], "state": made["state"]})


def _propose(tx: Write, row: AiRunRow) -> AiProposalRow:
    """Raises NotFound or AiExcluded where it may be read no more, and Conflict for an answer that is none."""
    exclusion.require_readable(tx, [row["subject"]])
    asked = json.loads(row["request"])
    answer = row["answer"] or ""
    if row["task"] == "classify":
        answer = _option(answer, asked["options"])
    value = sequel.filled(asked["input"], answer)
    made = AISuggestion(row["subject"], row["task"], answer, asked["op"], value, asked["rule"])
    return fate.propose(tx, made, at_once=asked["apply"])


def _option(answer: str, options: list[str]) -> str:
    """The option that was chosen, as it was given. Raises Conflict for none."""
    said = answer.strip(_TRIMMED).casefold()
    for one in options:
        if said == one.strip(_TRIMMED).casefold():
            return one
    raise Conflict("The model chose none of the options.")


RUN = JobKind(kind=JOB, home=__name__, step=_step, emits=(AIProposed, AIProposalApplied))
