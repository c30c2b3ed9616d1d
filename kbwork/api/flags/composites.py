"""Answers of the flag REST that several operations make together, in one transaction.

Each is an operation of its own for the dispatcher, with the rights of the one that it stands for: so caller, scope,
rate and kept answers are judged as ever, and what is asked first holds still until the rest is done.
"""

import dataclasses
from collections.abc import Callable
from typing import Any

from kbwork.api.flags import names as words
from kbwork.api.org_requests import ORG_ID
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict, NotFound
from kbwork.base.model import Input
from kbwork.core import org_settings
from kbwork.core.operations.declare import Operation
from kbwork.core.operations.dispatch import run_in
from kbwork.core.operations.registry import Registry
from kbwork.db.tx import DryRun, Read, Write

Json = dict[str, Any]
_UNDO = "what it is made of says for itself whether it can be taken back"


class CompositeSteps:
    """The operations that there are, asked inside a transaction, and their answers in our names."""

    def __init__(self, registry: Registry, op: Operation) -> None:
        self.op = op
        self._registry = registry

    def ask(self, tx: Read, op_id: str, **value: Any) -> Any:
        """The answer of a read, in its own names. Raises a Problem."""
        op = self._registry.require(op_id)
        return op.fn(tx, op.input.model_validate(value))

    def told(self, op_id: str, found: Any) -> Any:
        """An answer of this operation in our names."""
        return words.serializer(self._registry.require(op_id).output)(found)

    def do(self, tx: Write, args: Input, answer: Callable[[], Any]) -> Any:
        """Run the change, and answer what is there then; a dry run answers what would have been there."""
        try:
            run_in(tx, self.op, args)
        except DryRun:
            raise DryRun(answer()) from None
        return answer()


@dataclass(frozen=True)
class Composite:
    """What is made of several operations: a name, and what it does."""

    name: str
    run: Callable[[CompositeSteps, Any, Any], Any]
    """With the parts, the transaction and the input of the operation that it stands for; answers in our names."""
    shape: str
    """What the document calls its answer."""
    takes: type[Input] | None = None
    """Its input, where that is not the operation's."""
    also: tuple[str, ...] = ()
    """Operations that open it too."""

    def operation(self, registry: Registry, op: Operation) -> Operation:
        """As the dispatcher runs it."""
        parts = CompositeSteps(registry, op)
        opening = [scope for other in self.also for scope in registry.require(other).scopes]
        return dataclasses.replace(
            op,
            id=f"{op.id}.{self.name}",
            scopes=(*op.scopes, *opening),
            fn=lambda tx, args: self.run(parts, tx, args),
            takes=self.takes or op.takes,
            emits=(),
            emits_any=True,
            undo=_UNDO,
        )


class OneEnvironment(Input):
    project: str
    key: str


def _me(parts: CompositeSteps, tx: Read, _: Input) -> Json:
    caller = tx.caller
    person = parts.ask(tx, "members.get", id="me")
    return {
        "caller": {
            "id": person["id"],
            "name": person["name"],
            "handle": person["handle"],
            "email": person["email"],
            "kind": caller.kind,
            "via": caller.via,
            "scopes": sorted(caller.scopes),
        },
        "org": _org_short(tx),
        "role": caller.role,
    }


def _org(parts: CompositeSteps, tx: Read, _: Input) -> Json:
    return {"org": _org_short(tx), "role": tx.caller.role, "projects": _all(parts, tx)}


def _org_short(tx: Read) -> Json:
    found = org_settings.summary(tx)
    return {"id": ORG_ID, "slug": found["slug"], "name": found["name"]}


def _projects(parts: CompositeSteps, tx: Read, _: Input) -> Json:
    return {"items": _all(parts, tx)}


def _all(parts: CompositeSteps, tx: Read) -> list[Json]:
    return [_whole(parts, tx, row) for row in parts.ask(tx, "flags.projects")]


def _whole(parts: CompositeSteps, tx: Read, row: Json) -> Json:
    """A project with its environments."""
    return {
        "key": row["project"],
        "project": row["project"],
        "name": row["name"],
        "environments": parts.told(
            "flags.environments", parts.ask(tx, "flags.environments", project=row["project"])
        ),
        "flags": row["flags"],
    }


def _project(parts: CompositeSteps, tx: Read, args: Any) -> Json:
    parts.ask(tx, "flags.environments", project=args.project)  # it says which keys there are
    asked = args.project.strip().lower()
    for row in parts.ask(tx, "flags.projects"):
        if row["project"].lower() == asked:
            return _whole(parts, tx, row)
    raise NotFound(
        f"The flag project {args.project} is archived; change it, be it to its own name, to have it back."
    )


def _project_new(parts: CompositeSteps, tx: Write, args: Any) -> Json:
    try:
        parts.ask(tx, "flags.environments", project=args.project)
    except NotFound:
        return _project_changed(parts, tx, args, new=True)
    raise Conflict(f"There is a flag project {args.project} already, archived or not; choose another key.")


def _project_changed(parts: CompositeSteps, tx: Write, args: Any, *, new: bool = False) -> Json:
    if not new:
        parts.ask(tx, "flags.environments", project=args.project)
    answer: Json = parts.do(tx, args, lambda: _project(parts, tx, args))
    return answer


def _environments(parts: CompositeSteps, tx: Read, args: Any) -> dict[str, Json]:
    """Those of a project by key."""
    found = parts.ask(tx, "flags.environments", project=args.project)
    return {one["key"]: one for one in parts.told("flags.environments", found)}


def _environment(parts: CompositeSteps, tx: Read, args: Any) -> Json:
    found = _environments(parts, tx, args)
    if args.key not in found:
        raise NotFound(
            f"The flag project {args.project} has no environment {args.key!r}."
            f" It has {', '.join(list(found)[:10]) or 'none yet'}."
        )
    return found[args.key]


def _environment_new(parts: CompositeSteps, tx: Write, args: Any) -> Json:
    if args.key in _environments(parts, tx, args):
        raise Conflict(f"{args.project} has an environment {args.key!r} already; choose another key.")
    answer: Json = parts.do(tx, args, lambda: _environment(parts, tx, args))
    return answer


def _environment_changed(parts: CompositeSteps, tx: Write, args: Any) -> Json:
    _environment(parts, tx, args)
    answer: Json = parts.do(tx, args, lambda: _environment(parts, tx, args))
    return answer


def _template_new(parts: CompositeSteps, tx: Write, args: Any) -> Json:
    def made() -> Json | None:
        found = parts.told("flags.templates", parts.ask(tx, "flags.templates"))
        return next((one for one in found if one["key"] == args.key), None)

    if made() is not None:
        raise Conflict(f"There is a template {args.key} already; choose another key, or delete that one.")
    answer: Json = parts.do(tx, args, made)
    return answer


ME = Composite("me", _me, "Me", also=("auth.me",))
ORG = Composite("org", _org, "OrgWithProjects")
PROJECTS = Composite("all", _projects, "Projects")
PROJECT = Composite("whole", _project, "Project")
PROJECT_NEW = Composite("new", _project_new, "Project")
PROJECT_CHANGED = Composite("changed", _project_changed, "Project")
ENVIRONMENT = Composite("one", _environment, "Environment", takes=OneEnvironment)
ENVIRONMENT_NEW = Composite("new", _environment_new, "Environment")
ENVIRONMENT_CHANGED = Composite("changed", _environment_changed, "Environment")
TEMPLATE_NEW = Composite("new", _template_new, "FlagTemplate")


def exported(registry: Registry, op: Operation) -> words.Serializer:
    """The document of an export, its parts as they are answered alone."""
    parts = CompositeSteps(registry, op)

    def tell(found: Json) -> Json:
        data = found["data"]
        return {
            **data,
            "settings": parts.told("flags.settings", data["settings"]),
            "templates": parts.told("flags.templates", data["templates"]),
            "projects": [_exported_project(parts, one) for one in data["projects"]],
        }

    return tell


def _exported_project(parts: CompositeSteps, found: Json) -> Json:
    environments = []
    for one in found["environments"]:
        own = {name: value for name, value in one.items() if name not in ("segments", "checks")}
        (told,) = parts.told("flags.environments", [own])
        segments = parts.told("flags.segments", one["segments"])
        environments.append({**told, "segments": segments, "checks": one["checks"]})
    flags = parts.told("flags.list", found["flags"])
    return {**found, "key": found["project"], "environments": environments, "flags": flags}


def copied(registry: Registry, op: Operation) -> words.Serializer:
    """What was copied, with the change requests in it as they are answered alone."""
    parts = CompositeSteps(registry, op)

    def change(found: Json) -> Json:
        told = {name: value for name, value in found.items() if name != "change"}
        if found["change"] is not None:
            told["changeRequest"] = parts.told("flags.change_get", found["change"])
        return told

    return lambda found: {**found, "changes": [change(one) for one in found["changes"]]}
