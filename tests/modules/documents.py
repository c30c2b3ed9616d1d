"""A world in which anything happens to things that are kept as documents, and readers who hold what they are told
against what is there."""

import random
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import apsw
from pydantic_core import to_json

from kbwork.base.caller import Caller
from kbwork.base.errors import Problem
from kbwork.core.access import identify
from kbwork.core.operations.call import AuthorizedCall, Credentials
from kbwork.core.operations.declare import Operation, Rendered
from kbwork.core.operations.dispatch import run_in
from kbwork.core.operations.validate import validate
from kbwork.db.tx import ConstraintViolated, DryRun, Read, Write
from kbwork.db.writer import Task
from tests.conftest import PEOPLE, World

Given = dict[str, Any]
Asked = tuple[str, Given]


@dataclass(frozen=True)
class Play:
    """What happens to the things of a kind, and how somebody looks at them. A value of None is left out."""

    kind: str
    writes: Mapping[str, Callable[["Model"], Given]]
    looks: Callable[["Model"], list[Asked]]
    often: str
    """The write that is made more often than others, so that there is something to look at."""


class Model:
    """A play in a world."""

    def __init__(self, world: World, play: Play, seed: int = 14) -> None:
        self.database = world.database
        self.world = world
        self.play = play
        self.chance = random.Random(seed)
        self._registry: Any = self.database.read_now(lambda tx: tx.registry)
        self._first = self.database.seq
        self._told: dict[tuple[str, bytes], int] = {}
        """(operation, digest) -> hash of what was answered, whoever asked, and how."""
        self.made = Counter[str]()
        """Writes that went well, by name."""

    def op(self, name: str) -> Operation:
        found: Operation = self._registry.require(name)
        return found

    def caller(self) -> Caller:
        """One of five, as they are now."""
        return self.person(self.chance.choice(("ana", *PEOPLE))) or self.admin

    @property
    def admin(self) -> Caller:
        found = self.person("ana")
        assert found is not None, "the owner stays"
        return found

    def person(self, handle: str) -> Caller | None:
        """This one, as they are now; None who is active no more."""
        return self.database.read_now(lambda tx: identify.of_member(tx, self.world.people[handle].id))

    def seq(self) -> int:
        """One of the last events."""
        return max(self._first + 1, self.database.seq - self.chance.randrange(10))

    @property
    def kept(self) -> int:
        """How many things are kept as documents."""
        return len(self.database._catalogue.documents._entries[self.play.kind])

    def rows(self, sql: str, **binds: Any) -> list[tuple[Any, ...]]:
        """What there is."""
        return self.database.read_now(lambda tx: tx.tuples(sql, **binds))

    def column(self, sql: str, **binds: Any) -> list[Any]:
        """The first column of that."""
        return [row[0] for row in self.rows(sql, **binds)]

    def write(self, *asked: Asked, keep: float) -> None:
        """Do these as somebody, or try them and take them back; what is refused is refused.

        Several are of one group, as far as they come while the writer is at work.
        """
        futures = []
        for name, given in asked:
            who = self.caller() if self.chance.random() < 0.5 else self.admin
            kept = self.chance.random() < keep
            future: Future[Any] = Future()
            work = partial(self._work, op=self.op(name), given=given, keep=kept)
            self.database._writer.submit(Task(work, who, True, future))
            futures.append((future, name, kept))
        for future, name, kept in futures:
            try:
                future.result(60)
            except (Problem, ConstraintViolated):
                continue
            self.made[name] += kept

    def _work(self, tx: Write, *, op: Operation, given: Given, keep: bool) -> Any:
        answer = run_in(tx, op, validate(op.input, given))
        if not keep:
            raise DryRun(answer)
        return answer

    def forget(self) -> None:
        """Nothing is kept any more."""
        self.database._catalogue.forget()

    def step(self) -> None:
        """Something happens."""
        writes, asked = self.play.writes, []
        for _ in range(self.chance.choice((1, 1, 1, 2, 4))):
            name = self.chance.choice([*writes, *[self.play.often] * 4])
            asked.append(
                (name, {key: value for key, value in writes[name](self).items() if value is not None})
            )
        self.write(*asked, keep=0.9)

    def look(self) -> int:
        """Somebody looks at some things, one by one and as lists; answers how many times they were shown documents."""
        access = self.database.access  # before the look, as where calls are admitted
        caller, asked = self.caller(), self.play.looks(self)
        for name, given in asked:
            self._answered(name, given, caller, access)
        return sum(self.database.read_now(partial(self._alike, name, given), caller) for name, given in asked)

    def _answered(self, name: str, given: Given, caller: Caller, access: int) -> None:
        """What the dispatcher answers, twice, is what is there, where that stays the same meanwhile."""
        assert self.world.app is not None
        dispatcher, op = self.world.app.dispatcher, self.op(name)
        call = AuthorizedCall(op, caller, Credentials(), access, "")

        async def ask() -> bytes | str | None:
            try:
                reply = dispatcher.at_once(call, to_json(given), None)
            except Problem as problem:
                return problem.slug
            return reply.body if reply is not None else None

        def anew(tx: Read) -> bytes | str:
            try:
                return to_json(op.fn(tx, validate(op.input, given)))
            except Problem as problem:
                return problem.slug

        version, before = self.database.version, self.database.read_now(anew, caller)
        found = [self.world.on_loop(ask()) for _ in range(2)]
        after, last = self.database.read_now(
            lambda tx: (anew(tx), tx.value("select max(seq) from events")), caller
        )
        # a commit that is in the file and not counted yet is not acknowledged: what was kept before it may be told
        if after == before and last <= self.database.seq and self.database.version == version:
            assert set(found) <= {before, None}, (name, given)

    def _alike(self, name: str, given: Given, tx: Read) -> int:
        op = self.op(name)
        args = validate(op.input, given)
        assert op.render is not None
        try:
            expected = to_json(op.fn(tx, args))
        except Problem as problem:
            with suppress(type(problem)):
                assert op.render(tx, args) is None, (name, given)
            return 0
        found = [op.render(tx, args) for _ in range(2)]
        for one in found:
            if one is not None:
                # while access moves, the one may have been made of what was found out before: it is asked again
                assert one.text() == expected or self.database.access_moved(tx._access), (name, given)
                place = (name, one.digest)
                assert self._told.setdefault(place, hash(one.text())) == hash(one.text()), (
                    "one tag, one answer"
                )
        return sum(one is not None for one in found) // len(found)


def some(*values: Any) -> Callable[[Model], Any]:
    """One of these, or of what they answer."""

    def choose(model: Model) -> Any:
        value = model.chance.choice(values)
        return value(model) if callable(value) else value

    return choose


def number(most: int) -> Callable[[Model], int]:
    """From 1 to this."""
    return lambda model: model.chance.randint(1, most)


def given(**values: Any) -> Callable[[Model], Given]:
    """An input of which some values are chosen each time. `from_` is given as `from`."""
    return lambda model: {
        name.rstrip("_"): value(model) if callable(value) else value for name, value in values.items()
    }


SWITCH = some(True, False)


def _trashed(model: Model, kind: str) -> list[int]:
    """One of those that lie in the trash, or none that ever did."""
    return [model.chance.choice(model.column("select id from trash where kind glob :kind", kind=kind) or [1])]


UNDONE: dict[str, Callable[[Model], Given]] = {
    "trash.restore": lambda model: {"ids": _trashed(model, "*")},
    "trash.purge": lambda model: {"ids": _trashed(model, model.play.kind)},
    "undo.apply": lambda model: {"seq": model.seq()},
}
"""Writes that take others back."""


def play_out(model: Model, steps: int) -> None:
    """Whatever happens, documents say what is there."""
    shown = 0
    for _ in range(steps):
        model.step()
        shown += model.look()
    assert model.made.total() > steps / 5
    assert shown > steps / 2
    assert model.kept > 0


def play_beside(model: Model, steps: int) -> None:
    """Readers beside a writer see one snapshot each."""
    ended = threading.Event()
    failed: list[BaseException] = []

    def write() -> None:
        try:
            for _ in range(steps):
                model.step()
        except BaseException as error:
            failed.append(error)
        finally:
            ended.set()

    writer = threading.Thread(target=write)
    writer.start()
    reader = Model(model.world, model.play, 15)
    shown = 0
    while not ended.is_set():
        shown += reader.look()
    writer.join()
    if failed:
        raise failed[0]
    assert shown > 0


def tables_read(
    model: Model, work: Callable[[Read], Any], caller: Caller, *, before: Callable[[Read], Any] | None = None
) -> set[str]:
    """The tables that are read for this. Where something comes before it, it is all that is known."""
    looked: set[str] = set()

    def look(action: int, table: str | None, *_: Any) -> int:
        if action == apsw.SQLITE_READ and table:
            looked.add(table)
        return apsw.SQLITE_OK

    def read(tx: Read) -> None:
        if before is not None:
            model.forget()
            tx.memo.clear()
            before(tx)
        tx._connection.authorizer = look
        try:
            work(tx)
        finally:
            tx._connection.authorizer = None

    model.database.read_now(read, caller)
    return looked - {"json_each", "sqlite_schema", "pragma_table_info"}


def declared(model: Model) -> set[str]:
    """The tables on which a document of the kind rests, as it says."""
    said, parts = model.database.read_now(lambda tx: tx.registry.documented)[model.play.kind]
    return {said.table, *parts, *said.shared}


def rendered(model: Model, name: str, given: Given) -> Callable[[Read], Rendered | None]:
    """A look at things by their documents."""
    op = model.op(name)
    render, args = op.render, validate(op.input, given)
    assert render is not None
    return lambda tx: render(tx, args)
