"""Bringing flags and segments into a flag project of a server: what is missing is made, what is the same stays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kbwork.client.errors import KbworkProblem
from kbwork.flagengine.clauses.operators import SEGMENT_MATCH
from kbwork.launchdarkly.plan import ImportPlan

if TYPE_CHECKING:
    from kbwork.client.client import ApiClient

Json = dict[str, Any]
Op = tuple[str, Json]

_COMMENT = "Brought in from LaunchDarkly"
_MOST_OPS = 50
"""Of one batch."""
_META = {
    "name": "name",
    "description": "description",
    "tags": "tags",
    "maintainers": "maintainers",
    "temporary": "temporary",
    "clientSide": "client_side",
    "variations": "variations",
    "defaults": "defaults",
    "schema": "schema",
}
"""Words of `replaceMeta` -> of the flags that are answered."""
_REFUSALS = (404, 409, 413, 422)
"""One thing does not fit; the others may."""


@dataclass(slots=True)
class WriteCounts:
    """How many flags and segments became what, and the environments in which some wait for approval."""

    made: int = 0
    changed: int = 0
    same: int = 0
    asked: int = 0
    """Those that were there, and for which approval is all that is missing."""
    refused: int = 0
    waiting: dict[str, int] = field(default_factory=dict)


class TargetProject:
    """A flag project of a server, as it is now."""

    def __init__(self, client: ApiClient, project: str) -> None:
        self._client = client
        self.project = project
        self.environments: dict[str, Json] | None = self._environments()
        """By key; None where there is no such flag project."""
        self.flags: dict[str, Json] = {}
        if self.environments is not None:
            for archived in (False, True):
                asked = {"project": project, "full": True, "archived": archived}
                self.flags |= {flag["key"]: flag for flag in client.call("flags.list", asked)}

    def _environments(self) -> dict[str, Json] | None:
        try:
            found = self._client.call("flags.environments", {"project": self.project})
        except KbworkProblem as problem:
            if problem.slug == "not-found":
                return None
            raise
        return {one["key"]: one for one in found}

    def segments(self, environment: str) -> dict[str, Json]:
        """Those of an environment, by key."""
        if environment not in (self.environments or {}):
            return {}
        asked = {"project": self.project, "environment": environment}
        return {one["key"]: one for one in self._client.call("flags.segments", asked)}

    def open_changes(self) -> list[Json]:
        """What waits for approval, where there may be some."""
        environments = (self.environments or {}).values()
        if not any(one["critical"] or one["require_approval"] for one in environments):
            return []
        found = self._client.call("flags.changes", {"project": self.project})
        return [one for one in found if one["status"] in ("pending", "approved")]

    def other_kinds(self, made: ImportPlan) -> dict[str, str]:
        """The flags that cannot come in because the project has one of another kind, by key with the reason."""
        return {
            key: f"{self.project} has a flag of that key which is of the kind {self.flags[key]['kind']}"
            for key, meta in made.flags.items()
            if key in self.flags and self.flags[key]["kind"] != meta["kind"]
        }

    def evaluated(self, environment: str) -> Callable[[Json], list[Json]]:
        """What flags.evaluate answers for a context."""

        def ask(context: Json) -> list[Json]:
            asked = {"project": self.project, "environment": environment, "context": context}
            found: list[Json] = self._client.call("flags.evaluate", asked)
            return found

        return ask


class FlagWriter:
    """Writes what was made, or says what it would write. `say` is told each thing that is not the same."""

    def __init__(self, client: ApiClient, target: TargetProject, made: ImportPlan, *, dry_run: bool) -> None:
        self._client = client
        self._target = target
        self._made = made
        self._dry = dry_run
        self._changes = target.open_changes()
        self._segments = {environment: target.segments(environment) for environment in made.configs}
        self.done = WriteCounts()

    def write(self, say: Callable[[str], None]) -> None:
        """Everything, in the order of what rests on what. Raises KbworkError where nothing more can be written."""
        self._places(say)
        for environment, bodies in self._made.segments.items():
            for key, body in bodies.items():
                there = self._segments[environment].get(key)
                ops = self._segment(environment, key, body, there)
                self._put(f"segment {environment}/{key}", ops, say, new=there is None)
        for key, meta in self._made.flags.items():
            flag = self._target.flags.get(key)
            self._put(f"flag {key}", self._flag(key, meta, flag), say, new=flag is None)

    def _places(self, say: Callable[[str], None]) -> None:
        """The flag project and its environments, where they are missing."""
        project = self._target.project
        wanted: list[tuple[str, Op]] = []
        if self._target.environments is None:
            wanted.append((f"flag project {project}", ("flags.project_save", {"project": project})))
        for key in self._made.configs:
            if key not in (self._target.environments or {}):
                op = ("flags.environment_save", {"project": project, "key": key})
                wanted.append((f"environment {key}", op))
        if wanted and not self._dry:
            self._client.batch([op for _, op in wanted])
        for name, _ in wanted:
            say(f"{name}: {'would be made' if self._dry else 'made'}")

    # -- what is to be done -------------------------------------------------------------------------

    def _segment(self, environment: str, key: str, body: Json, there: Json | None) -> list[Op]:
        place = {"project": self._target.project, "environment": environment, "key": key}
        name = self._made.names.get((environment, key))
        instructions: list[Json] = [{"kind": "replaceBody", "body": body}]
        if there is not None and name and name != there["name"]:
            instructions.append({"kind": "updateName", "value": name})
        update = ("flags.segment_update", place | {"instructions": instructions, "comment": _COMMENT})
        if there is not None:
            return [update]
        return [("flags.segment_save", place | ({"name": name} if name else {})), update]

    def _flag(self, key: str, meta: Json, flag: Json | None) -> list[Op]:
        place = {"project": self._target.project, "key": key}
        configs: list[Op] = [
            (
                "flags.update",
                place | {"environment": environment, **_instructed("replaceConfig", config=found[key])},
            )
            for environment, found in self._made.configs.items()
            if key in found
        ]
        archive: list[Op] = [("flags.archive", place)] if meta["archived"] else []
        if flag is None:
            return [("flags.create", place | _created(meta)), *configs, *archive]
        if flag["archived"] and archive:
            return []
        restore: list[Op] = [("flags.update", place | _instructed("restoreFlag"))] if flag["archived"] else []
        before, after = _meta_of(flag), _meta_after(flag, meta)
        replace: list[Op] = (
            [("flags.update", place | _instructed("replaceMeta", meta=after))] if before != after else []
        )
        if len(after["variations"]) < len(before["variations"]):
            return [*restore, *configs, *replace, *archive]
        return [*restore, *replace, *configs, *archive]

    # -- doing it -----------------------------------------------------------------------------------

    def _put(self, name: str, ops: list[Op], say: Callable[[str], None], *, new: bool) -> None:
        """Run what belongs to one thing, all or nothing, and note what became of it."""
        asked = [op for op in ops if not self._waits_already(op)]
        try:
            answers = self._tried(asked, new=new) if self._dry else self._batch(asked)
        except KbworkProblem as problem:
            if problem.status not in _REFUSALS:
                raise
            self.done.refused += 1
            say(f"{name}: refused: {_plain(problem)}")
            return
        waiting = len(ops) - len(asked) + sum(_outcome(answer) == "changeRequest" for answer in answers)
        for op, answer in zip(asked, answers, strict=True):
            if _outcome(answer) == "changeRequest":
                self._wait(op)
        self._note(name, answers, say, new=new, waiting=waiting)

    def _note(
        self, name: str, answers: list[Json], say: Callable[[str], None], *, new: bool, waiting: int
    ) -> None:
        would = "would be " if self._dry else ""
        if new:
            self.done.made += 1
            told = f"{would}made"
        elif any(_outcome(answer) == "applied" for answer in answers):
            self.done.changed += 1
            told = f"{would}changed"
        else:
            self.done.asked += bool(waiting)
            self.done.same += not waiting
            told = ""
        if waiting:
            wait = f"{waiting} of its changes {'would wait' if self._dry else 'wait'} for approval"
            told = f"{told}, and {wait}" if told else wait
        if told:
            say(f"{name}: {told}")

    def _batch(self, ops: list[Op]) -> list[Json]:
        found: list[Json] = []
        for at in range(0, len(ops), _MOST_OPS):
            found += self._client.batch(ops[at : at + _MOST_OPS])
        return found

    def _tried(self, ops: list[Op], *, new: bool) -> list[Json]:
        """What the server says it would do. What rests on things that are not there yet cannot be asked of it."""
        if new:
            return [{"outcome": "applied"} for _ in ops]
        found = []
        for op, fields in ops:
            can = op == "flags.archive" or self._can_be_tried(op, fields)
            found.append(self._client.call(op, fields | {"dry_run": True}) if can else {"outcome": "applied"})
        return found

    def _can_be_tried(self, op: str, fields: Json) -> bool:
        """Whether the server has all that a configuration or a segment's body names."""
        environment = fields.get("environment")
        if environment is None:
            return True
        first = fields["instructions"][0]
        if not _asked_for(first.get("config") or first["body"]) <= self._segments[environment].keys():
            return False
        if op != "flags.update":
            return True
        flag = self._target.flags[fields["key"]]
        count = len(self._made.flags[fields["key"]]["variations"])
        waits_for = {one["key"] for one in first["config"]["prerequisites"]}
        return (
            environment in (self._target.environments or {})
            and not flag["archived"]
            and count == len(flag["variations"])
            and waits_for <= self._target.flags.keys()
        )

    def _waits_already(self, op: Op) -> bool:
        """Whether a run before asked for the same, and nobody has decided."""
        fields = op[1]
        asked = next(
            (
                change
                for change in self._changes
                if change["target"] == fields.get("key")
                and change["environment"] == fields.get("environment")
                and change["kind"] == ("flag" if op[0] == "flags.update" else "segment")
                and change["instructions"] == fields.get("instructions")
            ),
            None,
        )
        if asked is not None:
            self._wait(op)
        return asked is not None

    def _wait(self, op: Op) -> None:
        environment = op[1]["environment"]
        self.done.waiting[environment] = self.done.waiting.get(environment, 0) + 1


def _asked_for(owner: Json) -> set[str]:
    """The segments that the rules of a flag or a segment ask for."""
    return {
        value
        for rule in owner["rules"]
        for clause in rule["clauses"]
        if clause["op"] == SEGMENT_MATCH
        for value in clause["values"]
    }


def _instructed(kind: str, **fields: Any) -> Json:
    return {"instructions": [{"kind": kind, **fields}], "comment": _COMMENT}


def _created(meta: Json) -> Json:
    words = {"clientSide": "client_side"}
    return {words.get(name, name): value for name, value in meta.items() if name != "archived"}


def _meta_of(flag: Json) -> Json:
    return {word: flag[ours] for word, ours in _META.items()}


def _meta_after(flag: Json, meta: Json) -> Json:
    """What the flag is everywhere, with what the file tells of it. Names of variations stay where it tells none."""
    after = _meta_of(flag) | {name: value for name, value in meta.items() if name in _META}
    if "name" not in meta:
        held = flag["variations"]
        after["variations"] = [
            held[place] | {"value": one["value"]} if place < len(held) else one
            for place, one in enumerate(meta["variations"])
        ]
    return after


def _outcome(answer: Json) -> str:
    return str(answer.get("outcome", "applied"))


def _plain(problem: KbworkProblem) -> str:
    return " ".join(problem.detail.split())
