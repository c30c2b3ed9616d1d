"""What a context would get, and why."""

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input
from kbwork.core.operations.declare import read
from kbwork.db.rows import FlagEnvironmentRow, FlagProjectRow, FlagRow
from kbwork.db.tx import Read
from kbwork.flagengine.contexts import Context, excess
from kbwork.flagengine.evaluate import Explained
from kbwork.flagengine.reasons import ErrorKind, Reason
from kbwork.flagengine.snapshot import Snapshot
from kbwork.modules.flags import access
from kbwork.modules.flags.definition import dependencies, patch
from kbwork.modules.flags.delivery import snapshots
from kbwork.modules.flags.model import EnvironmentRef, FlagProjectRef, Json, Ref


class FlagsEvaluate(Input):
    project: FlagProjectRef
    environment: EnvironmentRef
    context: Json
    """Such as `{"kind": "user", "key": "ana", "country": "PT"}`."""
    key: Ref | None = None
    """Of this flag alone."""
    instructions: Annotated[list[Json] | None, Field(min_length=1, max_length=500)] = None
    """As if these had been applied to the targeting of the flag `key`; they are not."""


class Evaluated(TypedDict):
    """`variation` is null, and `value` too, where a client would answer its own default."""

    key: str
    """Key of the flag."""
    value: Any
    """What the context gets, any JSON; null: the caller's default."""
    variation: int | None
    """Index of the variation; null: the caller's default."""
    reason: Reason
    """Why it gets that."""
    steps: list[Json]
    """Each step that led to it, in order."""
    rule_index: NotRequired[int]
    """Index of the rule that decided, where one did."""
    rule_id: NotRequired[str]
    """Id of the rule that decided, where one did."""
    prerequisite_key: NotRequired[str]
    """Key of the flag that stood in the way, where one did."""
    error_kind: NotRequired[ErrorKind]
    """What is wrong with the flag, where something is."""


@read(
    "flags.evaluate",
    scope="flags:read",
    words=(
        "is the feature on for this user, what does a customer get, which variation, test a flag, "
        "why does the user see it, debug targeting, is it enabled for"
    ),
    threaded=True,
    example={"project": "web", "environment": "production", "context": {"key": "ana"}, "key": "checkout"},
)
def evaluate(tx: Read, args: FlagsEvaluate) -> list[Evaluated]:
    """Say what a context gets in an environment, with every step that led to it; of one flag, or of all by key.

    It is not counted, and nothing of the context is kept. With `instructions` it is what the context would get: they
    are about the flag `key`, and what does not fit is 422, as in `flags.update`. An archived flag is answered as
    clients answer it: `ERROR`, `FLAG_NOT_FOUND`. A context that is none, or that has more than 64 KiB of JSON, 16
    levels or 20 kinds, is 422.
    """
    project = access.project(tx, args.project)
    environment = access.environment(tx, project, args.environment)
    if (fault := excess(args.context)) is not None:
        raise InvalidInput(f"`context` should be {fault}.", field="context")
    context = Context(args.context)
    if context.kinds is None:
        raise InvalidInput(
            "`context` should be an object with a key of text; of the kind multi, an object of such by kind.",
            field="context",
        )
    flag = access.flag(tx, project, args.key) if args.key is not None else None
    snapshot = _snapshot(tx, environment, flag, args.instructions)
    keys = [flag["key"]] if flag is not None else _keys(tx, project, snapshot)
    return [_evaluated(key, snapshot.explain(key, context)) for key in keys]


def _keys(tx: Read, project: FlagProjectRow, snapshot: Snapshot) -> list[str]:
    """Each flag once: not by its aliases."""
    aliases = tx.column(
        "select key from flag_alias where project = :id and dropped_at is null", id=project["id"]
    )
    return [key for key in snapshot.keys if key not in set(aliases)]


def _snapshot(
    tx: Read, environment: FlagEnvironmentRow, flag: FlagRow | None, instructions: list[Json] | None
) -> Snapshot:
    """What is evaluated there; where a flag is to be changed, as it would be then. Raises what a change raises."""
    if instructions is None:
        return snapshots.of(tx, environment)
    if flag is None:
        raise InvalidInput("`instructions` are about one flag: name it in `key`.", field="instructions")
    after = patch.config(tx, flag, environment, instructions)
    dependencies.require_no_circle(
        tx, environment["id"], ("flag", flag["key"]), dependencies.of("flag", after)
    )
    return snapshots.with_config(tx, environment, flag, after)


def _evaluated(key: str, found: Explained) -> Evaluated:
    detail = found.detail
    answer = Evaluated(
        key=key, value=detail.value, variation=detail.variation, reason=detail.reason, steps=found.steps
    )
    if detail.rule_index is not None:
        answer["rule_index"] = detail.rule_index
    if detail.rule_id is not None:
        answer["rule_id"] = detail.rule_id
    if detail.prerequisite_key is not None:
        answer["prerequisite_key"] = detail.prerequisite_key
    if detail.error_kind is not None:
        answer["error_kind"] = detail.error_kind
    return answer
