"""Have a model do a task about a subject: a job asks it, and what it answers becomes a proposal."""

import json
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Name, Started, Text
from kbwork.core.jobs.kinds import enqueue
from kbwork.core.operations.declare import write
from kbwork.core.things.thing import Subject
from kbwork.db.tx import Read, Write
from kbwork.modules.ai import policy
from kbwork.modules.ai.context import exclusion, quotes
from kbwork.modules.ai.model import RunTask
from kbwork.modules.ai.proposal import asker, sequel
from kbwork.modules.ai.proposal.sequel import AiThen

JOB = "ai.run"
"""The kind of job that does it."""
MOST_OPTIONS = 200
_OPTION_CHARS = 500


class AiRun(Input):
    task: RunTask
    """`classify` picks one of `options`, `summarize` and `draft_reply` write, `prompt` follows `instructions`."""
    subject: Text
    """What it is about: `issue:<n>`, or any other subject that search finds."""
    apply: bool | None = None
    """Apply it without review, where the org's policy lets automation do so; else it is proposed."""
    instructions: Annotated[Text, Field(min_length=1)] | None = None
    """Guidance for the model; for `prompt` all that is asked."""
    options: Any = None
    """For `classify`, any JSON: a list of texts, or one text with commas between them."""
    rule: Name | None = None
    """Name of the automation rule that asks, for the record."""
    then: AiThen | None = None
    """What the answer feeds; left out: a comment on the subject."""


def _foreseen(tx: Read, args: AiRun) -> AiRun:
    """Whether its instructions quote what is excluded is looked up where nobody waits for it."""
    _subject(tx, args)
    quotes.require_none(tx, [args.instructions or ""])
    return args


def _subject(tx: Read, args: AiRun) -> Subject:
    """Raises AiOff, NotFound or AiExcluded."""
    policy.require_on(tx)
    policy.chosen(tx, None, None)
    (subject,) = exclusion.require_readable(tx, [args.subject])
    return subject


@write(
    "ai.run",
    scope="ai:write",
    unattended=True,
    foresee=_foreseen,
    words=(
        "let AI classify an issue, triage with AI, draft a reply, propose a label or priority, "
        "AI step, have a model suggest something"
    ),
    undo="what was asked was asked; what comes of it is applied or dismissed",
    emits=[],
    example={
        "task": "classify",
        "subject": "issue:WEB-1",
        "options": ["low", "medium", "high"],
        "then": {"op": "issues.update", "input": {"key": "WEB-1", "priority": "{{answer}}"}},
    },
)
def run(tx: Write, args: AiRun) -> Started:
    """Have a model do a task about a subject, beside the requests. What it answers becomes a proposal, which somebody
    applies or dismisses: nothing that a model says runs by itself.

    It is told what the subject itself says, and its comments without internal notes: others read what it answers.
    Refused as `ai.complete` is. With `apply` it is applied at once, in your name, where the policy has
    `automation_apply`, but never where the operation takes something away. An answer to `classify` that is none of the
    options fails the job.
    """
    subject = _subject(tx, args)
    if args.task == "prompt" and not args.instructions:
        raise InvalidInput("Say by `instructions` what is asked.", field="instructions")
    op, value = sequel.checked(tx, args.then) if args.then is not None else sequel.usual(tx, subject)
    asked = {
        "instructions": args.instructions or "",
        "options": _options(args.options) if args.task == "classify" else [],
        "op": op,
        "input": value,
        "apply": bool(args.apply),
        "rule": args.rule,
    }
    job = enqueue(tx, JOB, {}, message=f"Asking a model: {args.task}")
    tx.execute(
        "insert into ai_run (job, subject, task, request, asker, state, created_at)"
        " values (:job, :subject, :task, :request, :asker, 'waiting', :now)",
        job=job,
        subject=subject.id,
        task=args.task,
        request=json.dumps(asked, ensure_ascii=False),
        asker=json.dumps(asker.told(tx)),
        now=tx.now,
    )
    return Started(job=job)


def _options(said: Any) -> list[str]:
    """Raises InvalidInput."""
    found = said.split(",") if isinstance(said, str) else said
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise InvalidInput("Options are a list of texts, or one text with commas.", field="options")
    named = list(dict.fromkeys(one.strip() for one in found if one.strip()))
    if not 1 <= len(named) <= MOST_OPTIONS or any(len(one) > _OPTION_CHARS for one in named):
        raise InvalidInput(
            f"Name 1 to {MOST_OPTIONS} options of at most {_OPTION_CHARS} characters.", field="options"
        )
    return named
