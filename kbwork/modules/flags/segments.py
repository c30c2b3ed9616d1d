"""Segments: groups of contexts that rules ask for."""

from typing import Any

from typing_extensions import TypedDict

from kbwork.base import ids
from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Input, Name
from kbwork.core.operations.declare import destructive, read, write
from kbwork.db.rows import FlagSegmentRow
from kbwork.db.tx import Read, Write
from kbwork.flagengine.patch import checks
from kbwork.modules.flags import access, answers, portion
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.change import approvals, submit
from kbwork.modules.flags.change.deletion import DELETE, require_update
from kbwork.modules.flags.change.requests import RequestedChange
from kbwork.modules.flags.definition import content, dependencies, patch, store
from kbwork.modules.flags.definition.content import packed
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.model import (
    KEY,
    ChangeRequested,
    EnvironmentRef,
    FlagChange,
    FlagProjectRef,
    Instructions,
    Json,
    Listed,
    Outcome,
    Ref,
    Remark,
    Segment,
    SegmentDeleted,
    SegmentRef,
    SegmentSaved,
    SegmentUpdated,
)
from kbwork.modules.flags.portion import Portion

_MOST = 1000
_WHY = "segments are changed back by instructions; one that was deleted is made anew"


class FlagsSegments(Portion):
    project: FlagProjectRef
    environment: EnvironmentRef


@read(
    "flags.segments",
    scope="flags:read",
    words="which segments exist, audiences, groups of users",
    example={"project": "web", "environment": "production"},
)
def segments(tx: Read, args: FlagsSegments) -> list[Segment]:
    """List the segments of an environment by key; a part of them with `limit`."""
    place = access.place(tx, access.project(tx, args.project), args.environment)
    rows = portion.bounded(
        args, _rows(tx, place, args.cursor, portion.most(args)), lambda row: len(row["body"])
    )
    return [answers.segment(tx, place, row) for row in rows]


class FlagsSegmentGet(Input):
    project: FlagProjectRef
    environment: EnvironmentRef
    key: SegmentRef


@read(
    "flags.segment_get",
    scope="flags:read",
    words="who is in the segment, details of a segment, is a user a beta tester",
    example={"project": "web", "environment": "production", "key": "beta-testers"},
)
def segment_get(tx: Read, args: FlagsSegmentGet) -> Segment:
    """Look at a segment: who is in it, who is not, by which rules, and what asks for it."""
    place = access.place(tx, access.project(tx, args.project), args.environment)
    return answers.segment(tx, place, access.segment(tx, place.environment, args.key))


class FlagsSegmentSave(Tried):
    project: FlagProjectRef
    environment: EnvironmentRef
    key: Ref
    """1 to 128 letters, digits, dots, dashes and underscores; unique in the environment, never to be changed."""
    name: Name | None = None
    """Left out: the key."""
    included: Listed | None = None
    """Keys of users who are in it."""
    excluded: Listed | None = None
    """Keys of users who are not in it, whatever the rules say."""
    included_contexts: list[Json] | None = None
    """The same for other kinds of contexts: {`contextKind`, `values`}."""
    excluded_contexts: list[Json] | None = None
    """The same for those who are not in it."""
    rules: list[Json] | None = None
    """{`clauses`, `weight`, `bucketBy`, `rolloutContextKind`, `ruleId`}"""


@write(
    "flags.segment_save",
    scope="flags:write",
    words=("new segment, beta testers, group of users for targeting, audience, cohort, early adopters"),
    undo=_WHY,
    emits=[SegmentSaved, SegmentUpdated, ChangeRequested],
    example={"project": "web", "environment": "test", "key": "staff", "included": ["ana", "bo"]},
)
def segment_save(tx: Write, args: FlagsSegmentSave) -> Segment:
    """Make a segment; nothing asks for it yet. One of this key is 409: flags.segment_update changes it.

    Where the environment asks for approval, or an agent makes one in a critical environment, it is made empty and what
    is to be in it becomes a change request. A rule that names a segment which is not there is 422. An environment has
    at most 1,000 (422).
    """
    place = access.place(tx, access.editable_project(tx, args.project), args.environment)
    if not KEY.fullmatch(args.key):
        raise InvalidInput(
            "A segment's key is 1 to 128 letters, digits, dots, dashes and underscores, not `.` or `..`.",
            field="key",
        )
    body = _body(args)
    waits = any(body.values()) and approvals.needed(tx, place.environment)
    row = add(tx, place, args.key, args.name or args.key, {} if waits else body)
    if waits:
        submit.change_targeting(
            tx, place, RequestedChange("segment", args.key, [{"kind": "replaceBody", "body": body}])
        )
    return done(args, answers.segment(tx, place, row))


class FlagsSegmentUpdate(Tried):
    project: FlagProjectRef
    environment: EnvironmentRef
    key: SegmentRef
    instructions: Instructions
    """What is to be done, in order, all or nothing."""
    comment: Remark | None = None
    """Stands in the change request, where there is one."""


class SegmentUpdate(TypedDict):
    outcome: Outcome
    """Whether it was applied, changed nothing, or waits for approval."""
    segment: Segment
    """The segment as it is now."""
    change: FlagChange | None
    """The change request; null: none was made."""


@write(
    "flags.segment_update",
    scope="flags:write",
    words=(
        "add a user to a segment, remove a user from the beta group, change who is in a segment, "
        "add a beta tester, early access"
    ),
    undo=_WHY,
    emits=[SegmentUpdated, ChangeRequested],
    example={
        "project": "web",
        "environment": "test",
        "key": "beta-testers",
        "instructions": [{"kind": "addIncludedTargets", "values": ["di"]}],
    },
)
def segment_update(tx: Write, args: FlagsSegmentUpdate) -> SegmentUpdate:
    """Change a segment by ordered instructions, all or nothing.

    Where the environment asks for approval, or an agent changes a critical one, the answer is a change request. An
    instruction that does not fit is 422 with its place; segments that would rest on each other in a circle are 409.
    """
    place = access.place(tx, access.editable_project(tx, args.project), args.environment)
    require_update(args.instructions)
    asked = RequestedChange("segment", args.key, args.instructions, args.comment or "")
    became = submit.change_targeting(tx, place, asked)
    row = access.segment(tx, place.environment, args.key)
    segment = answers.segment(tx, place, row)
    return done(args, SegmentUpdate(outcome=became.outcome, segment=segment, change=became.change))


class FlagsSegmentDelete(Tried):
    project: FlagProjectRef
    environment: EnvironmentRef
    key: SegmentRef


class SegmentDelete(TypedDict):
    """What became of the wish to delete a segment."""

    ok: bool
    """Whether it is deleted; false: that waits for approval."""
    outcome: Outcome
    """Whether it was applied, or waits for approval."""
    change: FlagChange | None
    """The change request; null: none was made."""


@destructive(
    "flags.segment_delete",
    scope="flags:write",
    words="remove a segment, delete a group of users",
    undo=_WHY,
    emits=[SegmentDeleted, ChangeRequested],
    example={"project": "web", "environment": "test", "key": "beta-testers"},
)
def segment_delete(tx: Write, args: FlagsSegmentDelete) -> SegmentDelete:
    """Delete a segment. While flags, archived ones too, or other segments ask for it that is 409 with `uses`; so it is
    while changes or schedules that wait are about it, or name it.

    Where the environment asks for approval, or an agent deletes one in a critical environment, the answer is a change
    request.
    """
    place = access.place(tx, access.editable_project(tx, args.project), args.environment)
    became = submit.change_targeting(tx, place, RequestedChange("segment", args.key, DELETE))
    answer = SegmentDelete(ok=became.change is None, outcome=became.outcome, change=became.change)
    return done(args, answer)


def all_of(tx: Read, place: ProjectEnvironment) -> list[Segment]:
    """The segments of an environment by key."""
    return [answers.segment(tx, place, row) for row in _rows(tx, place, None, -1)]


def _rows(tx: Read, place: ProjectEnvironment, after: str | None, most: int) -> list[FlagSegmentRow]:
    """Those behind a key."""
    return tx.all(
        "select * from flag_segment where environment = :id and (:after is null or key > :after)"
        " order by key limit :most",
        FlagSegmentRow,
        id=place.environment["id"],
        after=after,
        most=most,
    )


def add(tx: Write, place: ProjectEnvironment, key: str, name: str, body: Json) -> FlagSegmentRow:
    """A new segment. Raises Conflict where the key is taken, InvalidInput where the body does not fit."""
    ident: dict[str, Any] = {"environment": place.environment["id"], "key": key}
    if tx.one("select 1 from flag_segment where environment = :environment and key = :key", **ident):
        raise Conflict(
            f"{place.environment['key']} has a segment {key!r} already; flags.segment_update changes it."
        )
    if (
        tx.value("select count(*) from flag_segment where environment = :id", id=place.environment["id"])
        >= _MOST
    ):
        raise InvalidInput(f"An environment has at most {_MOST:,} segments.", field="key")
    world = content.world_of_segment(tx, place.environment, key)
    with patch.refusals():
        found = checks.body(body, "", world, ids.salt())
    segment = tx.insert(
        "flag_segment",
        **ident,
        name=name,
        description="",
        tags="[]",
        body=packed(found),
        version=1,
        created_at=tx.now,
    )
    dependencies.put(tx, place.environment["id"], ("segment", key), dependencies.of_rules(found["rules"]))
    store.touch(tx, [place.environment])
    subject = store.segment_name(place, key)
    tx.emit(SegmentSaved(subject=subject, payload={"environment": place.environment["key"], "name": name}))
    row = tx.stored("flag_segment", [segment])
    assert row is not None
    return row


def _body(args: FlagsSegmentSave) -> Json:
    return {
        "included": args.included or [],
        "excluded": args.excluded or [],
        "includedContexts": args.included_contexts or [],
        "excludedContexts": args.excluded_contexts or [],
        "rules": args.rules or [],
    }
