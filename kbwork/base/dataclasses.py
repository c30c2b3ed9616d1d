"""Dataclasses that cost little to declare: to be imported in the place of the standard library's `dataclasses`.

There each class gets its own `__init__`, `__repr__`, `__eq__`, `__hash__`, `__setattr__` and `__delattr__`, as texts
that are compiled at each start: half a millisecond a class, a fifth of the start of a server. Here all classes share
`__repr__`, `__eq__` and `__hash__`, and `__init__` is compiled when it is first asked for: a start makes instances of
one class in three. That `frozen` ones do not change is seen to by the type checker, which takes this for the standard
`dataclass`; an instance is made the quicker for it.
"""

import dataclasses
from dataclasses import KW_ONLY, asdict, field, fields, is_dataclass, replace
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["KW_ONLY", "asdict", "dataclass", "field", "fields", "is_dataclass", "replace"]
_COMPARED = "__compared__"
"""Where a class has the function that answers what is compared of an instance."""
_UNSET = object()
"""Stands for what a factory makes."""

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, *, frozen: bool = False, eq: bool = True, **how: bool) -> Any:
        """As the standard one, for `frozen`, `eq`, `slots` and `kw_only`; `__init__` takes all fields."""
        if cls is None:
            return lambda found: _made(found, frozen, eq, how)
        return _made(cls, frozen, eq, how)


def _made(cls: type, frozen: bool, eq: bool, how: dict[str, bool]) -> type:
    own = vars(cls)
    if own.get("__doc__") is None:
        cls.__doc__ = (
            cls.__name__
        )  # else it becomes the signature, which takes longer to find than all the rest
    written = {name for name in ("__repr__", "__eq__", "__hash__") if own.get(name) is not None}
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, **how)(cls)
    shared: dict[str, Any] = {"__repr__": _repr}
    if "__init__" not in own:
        made.__init__ = _Init(made)
    if eq:
        compared = [found.name for found in dataclasses.fields(made) if found.compare]
        setattr(made, _COMPARED, attrgetter(*compared) if compared else _nothing)
        shared |= {"__eq__": _equal, "__hash__": _hash if frozen else None}
    for name in shared.keys() - written:
        setattr(made, name, shared[name])
    return made  # type: ignore[no-any-return]


class _Init:
    """Stands where a class has its `__init__`, and puts that there when somebody asks for it."""

    def __init__(self, made: type) -> None:
        self._made = made

    def __get__(self, instance: Any, owner: type) -> Any:
        made: Any = self._made
        made.__init__ = _init(made)
        return made.__init__.__get__(instance, owner)


def _init(made: Any) -> Any:
    """Takes and sets all fields, then calls `__post_init__` where there is one."""
    known: dict[str, Any] = {"_UNSET": _UNSET}
    taken, named, lines = ["self"], ["*"], []
    for one in dataclasses.fields(made):
        name = value = one.name
        given = ""
        if one.default is not dataclasses.MISSING:
            known[f"_default_{name}"] = one.default
            given = f"=_default_{name}"
        elif one.default_factory is not dataclasses.MISSING:
            known[f"_make_{name}"] = one.default_factory
            given, value = "=_UNSET", f"_make_{name}() if {name} is _UNSET else {name}"
        (named if one.kw_only else taken).append(name + given)
        lines.append(f" self.{name} = {value}")
    if hasattr(made, "__post_init__"):
        lines.append(" self.__post_init__()")
    head = ", ".join(taken + named if len(named) > 1 else taken)
    exec(f"def __init__({head}):\n" + "\n".join(lines or [" pass"]), known)  # noqa: S102 - names of fields alone
    init = known["__init__"]
    init.__qualname__ = f"{made.__qualname__}.__init__"  # what a call with wrong arguments is told
    return init


def _nothing(_: Any) -> tuple[()]:
    return ()


@recursive_repr()
def _repr(self: Any) -> str:
    shown = (found.name for found in dataclasses.fields(self) if found.repr)
    return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"


def _equal(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    compared = getattr(self.__class__, _COMPARED)
    return compared(self) == compared(other)


def _hash(self: Any) -> int:
    return hash(getattr(self.__class__, _COMPARED)(self))
