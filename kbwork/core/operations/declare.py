"""How an operation is declared: `@read`, `@write`, `@destructive` over a typed function.

    @write("labels.save", scope="projects:write", emits=[LabelSaved], example={"name": "bug"})
    def save(tx: Write, args: LabelsSave) -> Label:
        \"\"\"Make a label, or change one.\"\"\"

The class decides rights, caching and hints. The first argument decides the road: `Read` runs on a reader, `Write`
on the writer, `External` (with `async def`) may wait for the outside and holds no transaction meanwhile.
"""

import inspect
import re
import typing
from collections.abc import Callable, Iterable
from functools import cached_property
from types import CodeType
from typing import Any, Literal, NamedTuple, TypeVar

from pydantic import TypeAdapter
from typing_extensions import is_typeddict

from kbwork.base.dataclasses import dataclass
from kbwork.base.events import DomainEvent
from kbwork.base.model import DeclaredInput, Input
from kbwork.core.operations.external import External
from kbwork.db.documents import Entry
from kbwork.db.tx import Read, Write

Class = Literal["read", "write", "destructive"]
Road = Literal["read", "write", "outside"]
People = Literal["anyone", "people", "session"]
F = TypeVar("F", bound=Callable[..., Any])


class Rendered(NamedTuple):
    """An answer as JSON, and a digest of what it says."""

    digest: bytes
    body: bytes | Callable[[], bytes]
    """A long one is put together when it is needed: mostly it was before, for the same caller."""
    entry: Entry | None = None
    """The thing of which it is the document, and says nothing else: it holds as long as that, and as its caller's
    rights."""

    def text(self) -> bytes:
        """The answer."""
        return self.body if isinstance(self.body, bytes) else self.body()

    def whole(self) -> "Rendered":
        """The same, put together."""
        return self._replace(body=self.text())


@dataclass(frozen=True)
class Operation:
    """One declared operation. Everything that serves or documents it is read off this."""

    id: str
    cls: Class
    scopes: tuple[str, ...]
    """Any one of them opens it. `desk:public` asks for no sign-in, `system` is for components inside."""
    fn: Callable[..., Any]
    takes: Any
    """Its input as it was declared, which makes the class when it is first asked for."""
    output: Any
    road: Road
    example: dict[str, Any]
    """A valid input in the demo world."""
    emits: tuple[type[DomainEvent], ...]
    emits_any: bool = False
    """Runs other operations, and so emits what they emit."""
    people: People = "anyone"
    """`people`: a session or a personal key, never an agent. `session`: signed in, no key at all."""
    elevated: bool = False
    """A session must have confirmed in the last ten minutes; a key cannot."""
    guests: bool = True
    rate: Literal["read", "write", "public"] = "read"
    cached: bool = True
    """Answers may be kept until the next commit. False where the clock or memory decides the answer."""
    undo: str | None = None
    """Why it cannot be taken back; None where before-images do it."""
    signs_in: bool = False
    """Answers a `token`, or is on the way to one; a browser gets it as a cookie, and one that says which it is."""
    essential: bool = False
    """Still works when the disk is full."""
    threaded: bool = False
    """A read that computes for long: it starts on a thread."""
    repeatable: bool = False
    """A write that may be done twice: its answer, which is long, is not kept under an Idempotency-Key."""
    foresee: Callable[[Read, Any], Input] | None = None
    """What a write finds out before it, on a reader, so that nobody waits for it: answers the input that the write
    gets. Not asked inside another operation."""
    unattended: bool = False
    """It starts a job that nobody has to follow: rules run it among others."""
    carries: Callable[[Read, Any], list[str]] | None = None
    """Ids of operations that it runs besides those that its input names, if the caller sees them."""
    waits: bool = False
    """Has `wait_seconds`: the dispatcher asks again when something was committed."""
    render: Callable[[Read, Any], Rendered | None] | None = None
    """The same answer as of `fn`, put together of documents that are kept; None where `fn` is to be asked."""
    words: str = ""
    """What people say who want this, where its docstring says it otherwise: phrases between commas. Searches for an
    operation rest on them; no document that clients read has them."""
    since: str = "0.2.0"

    @property
    def compressible(self) -> bool:
        """Whether its answers may be packed on the way: none holds a secret, or a link that opens something for a
        while, which are never kept either."""
        return self.cls == "read" and self.cached

    @cached_property
    def input(self) -> type[Input]:
        """The class of what it takes."""
        made: type[Input] = self.takes.made
        return made

    @property
    def module(self) -> str:
        return self.id.partition(".")[0]

    @property
    def verb(self) -> str:
        return self.id.partition(".")[2]

    @cached_property
    def kept(self) -> bool:
        """It is a look whose answers may be kept."""
        return self.cached and self.road == "read" and self.cls == "read"

    @cached_property
    def starts_job(self) -> bool:
        """It answers the job that does its work: it stands alone, as nobody would follow the job of one among many."""
        return is_typeddict(self.output) and typing.get_type_hints(self.output).get("job") is int

    @property
    def public(self) -> bool:
        return "desk:public" in self.scopes

    @property
    def system(self) -> bool:
        return "system" in self.scopes

    def may_emit(self, kind: type[DomainEvent]) -> bool:
        """Whether it may: kinds of its own module it declares, those of others come by their code, which it ran."""
        return self.emits_any or kind in self.emits or _home(kind) != _home(self.fn)

    @property
    def doc(self) -> str:
        return inspect.cleandoc(self.fn.__doc__ or "")

    @property
    def summary(self) -> str:
        """The first clause of the docstring."""
        first = " ".join(self.doc.split("\n\n")[0].split())
        return re.split(r"[.:;] ", first)[0].rstrip(".")

    def answer_adapter(self) -> "TypeAdapter[Any]":
        return TypeAdapter(self.output)


def _home(of: Any) -> list[str]:
    """The folder of a module, such as `kbwork.modules.issues`."""
    names: list[str] = of.__module__.split(".")
    return names[:3]


class Misdeclared(TypeError):
    """An operation that cannot be served as it is written; the text names it."""


def _declare(cls: Class, op_id: str, scope: str | Iterable[str], **more: Any) -> Callable[[F], F]:
    scopes = (scope,) if isinstance(scope, str) else tuple(scope)

    def mark(fn: F) -> F:
        fn.__operation__ = _operation(cls, op_id, scopes, fn, more)  # type: ignore[attr-defined]  # read by collect
        return fn

    return mark


def _operation(
    cls: Class, op_id: str, scopes: tuple[str, ...], fn: Callable[..., Any], more: dict[str, Any]
) -> Operation:
    hints = typing.get_type_hints(fn, include_extras=True)
    code: CodeType = fn.__code__  # its signature would say the same, at ten times the cost
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    if len(parameters) != 2 or "return" not in hints:
        raise Misdeclared(f"{op_id}: takes (tx, args) and says what it answers")
    roads: dict[Any, Road] = {Read: "read", Write: "write", External: "outside"}
    road = roads.get(hints[parameters[0]])
    taken = hints[parameters[1]]
    if road is None or not isinstance(taken, DeclaredInput):
        raise Misdeclared(f"{op_id}: the first argument is Read, Write or Out, the second an Input")
    if (road == "outside") != inspect.iscoroutinefunction(fn):
        raise Misdeclared(f"{op_id}: `async def` goes with Out, and only with Out")
    if not (fn.__doc__ or "").strip():
        raise Misdeclared(f"{op_id}: the docstring is its reference page, and is missing")
    if not scopes:
        raise Misdeclared(f"{op_id}: names no scope")
    emits = tuple(more.pop("emits", ()))
    default_rate = "public" if "desk:public" in scopes else "read" if cls == "read" else "write"
    return Operation(
        id=op_id,
        cls=cls,
        scopes=scopes,
        fn=fn,
        takes=taken,
        output=hints["return"],
        road=road,
        example=more.pop("example", {}),
        emits=emits,
        rate=more.pop("rate", default_rate),
        essential=more.pop("essential", cls == "destructive"),
        **more,
    )


def read(op_id: str, *, scope: str | Iterable[str], **more: Any) -> Callable[[F], F]:
    """Declare a look: cacheable by ETag when it runs on a reader."""
    return _declare("read", op_id, scope, **more)


def write(op_id: str, *, scope: str | Iterable[str], **more: Any) -> Callable[[F], F]:
    """Declare a change, or a look that a read-only client must not reach by accident."""
    return _declare("write", op_id, scope, **more)


def destructive(op_id: str, *, scope: str | Iterable[str], **more: Any) -> Callable[[F], F]:
    """Declare a change that takes something away; over MCP it asks for `confirm: true`."""
    return _declare("destructive", op_id, scope, **more)
