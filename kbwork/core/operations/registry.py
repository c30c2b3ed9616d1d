"""All operations, subjects, jobs and reactions, read off the modules' folders and refused where they do not fit."""

import importlib
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar

from pydantic import ValidationError

from kbwork.base.errors import NotFound
from kbwork.base.events import DomainEvent
from kbwork.base.text import did_you_mean
from kbwork.core.access.last_seen import KeySeen
from kbwork.core.jobs.kinds import JobKind, Schedule
from kbwork.core.jobs.queue import JobFailed, JobFinished
from kbwork.core.operations.declare import Misdeclared, Operation
from kbwork.core.ports.extension import Extension, module_of
from kbwork.core.ports.media import Media
from kbwork.core.ports.query import QueryLanguage
from kbwork.core.things import row_subjects
from kbwork.core.things.cascade import Cascade
from kbwork.core.things.thing import Thing
from kbwork.db.deferred import Deferred
from kbwork.db.documents import DocumentedKind
from kbwork.db.tx import Tracked

E = TypeVar("E", bound=Extension)
_DECLARED = (Extension, Thing, JobKind, QueryLanguage, Media, Cascade, Schedule, Deferred)
"""What modules declare beside operations and events."""


class Registry:
    """What the product can do. Made once at start."""

    def __init__(
        self,
        operations: Iterable[Operation],
        things: Iterable[Thing],
        jobs: Iterable[JobKind],
        schedules: Iterable[Schedule],
        events: Iterable[type[DomainEvent]] = (),
    ) -> None:
        self.operations = {op.id: op for op in sorted(operations, key=lambda op: op.id)}
        self.things = {kind.name: kind for kind in things}
        self.jobs = {job.kind: job for job in jobs}
        self.schedules = list(schedules)
        self.media: list[Media] = []
        self.cascades: list[Cascade] = []
        self.deferred: list[Deferred] = []
        self.extensions: list[Extension] = []
        self._of: dict[type[Extension], list[Any]] = {}
        self.language: QueryLanguage | None = None
        self._declared = list(events)

    def require(self, op_id: str) -> Operation:
        """Raises NotFound naming the nearest operation."""
        op = self.operations.get(op_id)
        if op is None:
            raise NotFound(f"There is no operation {op_id!r}.{did_you_mean(op_id, self.operations)}")
        return op

    def of(self, point: type[E]) -> list[E]:
        """What modules declared for this point."""
        if point not in self._of:
            self._of[point] = [one for one in self.extensions if isinstance(one, point)]
        return self._of[point]

    @cached_property
    def in_order(self) -> list[Thing]:
        """The kinds of things as lists name them."""
        return sorted(self.things.values(), key=lambda kind: (kind.order, kind.name))

    @cached_property
    def access_tables(self) -> frozenset[str]:
        """The tables that decide who sees what."""
        return frozenset().union(*(kind.rests_on for kind in self.things.values()))

    @cached_property
    def tracked(self) -> dict[str, Tracked]:
        """The tables with a history."""
        return {table: tracked for kind in self.things.values() for table, tracked in kind.tracked.items()}

    @cached_property
    def documented(self) -> dict[str, DocumentedKind]:
        """What the documents of each kind are made of."""
        return {kind.name: said for kind in self.things.values() if (said := kind.documented) is not None}

    @cached_property
    def named(self) -> dict[str, row_subjects.TableSubjects]:
        """How the rows of each table are named."""
        return row_subjects.tables(self.things.values())

    @cached_property
    def threaded(self) -> list[str]:
        """The operations that never run on the loop."""
        return [op.id for op in self.operations.values() if op.threaded]

    @property
    def modules(self) -> list[str]:
        return sorted({op.module for op in self.operations.values()})

    def check_examples(self) -> None:
        """Raises Misdeclared naming the operation whose example its input refuses.

        Not asked at each start: it makes the validators of all inputs, a fifth of a start's work.
        """
        for op in self.operations.values():
            try:
                op.input.model_validate(op.example)
            except ValidationError as error:
                raise Misdeclared(f"{op.id}: its example does not fit its input: {error}") from None

    @cached_property
    def events(self) -> dict[str, type[DomainEvent]]:
        """Every event kind that some operation or job emits, or that undo tells where it takes one back."""
        found: list[type[DomainEvent]] = [JobFinished, JobFailed, KeySeen, *self._declared]
        for op in self.operations.values():
            found.extend(op.emits)
        for job in self.jobs.values():
            found.extend(job.emits)
        return dict(sorted((event.kind, event) for event in found))

    @cached_property
    def event_modules(self) -> dict[str, str]:
        """The module that each kind of event is of: that which declares it. Those of the core are of that of the things
        that they are called after, such as jobs."""
        found: dict[str, str] = {}
        for name, event in self.events.items():
            thing = self.things.get(name.partition(".")[0])
            found[name] = module_of(event.__module__) or (thing.module if thing is not None else "")
        return found


def collect(modules: Iterable[str]) -> Registry:
    """Walk the folders of these modules. Raises Misdeclared naming what stands where it does not belong."""
    operations: dict[str, Operation] = {}
    found: list[Any] = []
    for module in modules:
        files = _files(importlib.import_module(f"kbwork.modules.{module}"))
        for one in (one for file in files for one in _declarations(file)):
            op: Operation | None = getattr(one, "__operation__", None)
            if op is None:
                found.append(one)
                continue
            if op.module != module:
                raise Misdeclared(f"{op.id}: stands in the folder of module {module}")
            if op.id in operations:
                raise Misdeclared(f"{op.id}: declared twice")
            operations[op.id] = op
    registry = Registry(
        operations.values(),
        [one for one in found if isinstance(one, Thing)],
        [one for one in found if isinstance(one, JobKind)],
        [one for one in found if isinstance(one, Schedule)],
        [one for one in found if isinstance(one, type)],
    )
    registry.media = [one for one in found if isinstance(one, Media)]
    registry.language = next((one for one in found if isinstance(one, QueryLanguage)), None)
    registry.cascades = [one for one in found if isinstance(one, Cascade)]
    registry.deferred = [one for one in found if isinstance(one, Deferred)]
    registry.extensions = [one for one in found if isinstance(one, Extension)]
    return registry


def _files(package: ModuleType) -> Iterator[ModuleType]:
    """The files of a module's folder and of the folders in it, but for those of which a start reads nothing."""
    folder = Path(package.__path__[0])
    for name in sorted(path.name for path in folder.iterdir()):  # what `pkgutil` finds, in half its time
        stem, _, kind = name.partition(".")
        inner = not kind and (folder / name / "__init__.py").exists()
        if not inner and (kind != "py" or stem == "__init__"):
            continue
        file = importlib.import_module(f"{package.__name__}.{stem}")
        yield file
        if inner and getattr(file, "AT_START", True):
            yield from _files(file)


def _declarations(file: ModuleType) -> Iterator[Any]:
    """What this file itself declares, in the order of its lines."""
    for thing in vars(file).values():
        if isinstance(thing, FunctionType):
            if hasattr(thing, "__operation__") and thing.__module__ == file.__name__:
                yield thing
        elif isinstance(thing, type):
            if thing.__module__ == file.__name__ and _is_event(thing):
                yield thing
        elif isinstance(thing, _DECLARED) and thing.home == file.__name__:
            yield thing


def _is_event(kind: type) -> bool:
    """An event of a kind of its own, not the base of some."""
    return issubclass(kind, DomainEvent) and "kind" in vars(kind)
