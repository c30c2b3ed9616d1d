"""How inputs and answers are declared: closed, strict inputs with cleaned text, answers as typed dicts."""

import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar, Union

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from kbwork.base.text import BODY_CHARS, cleaned

SAFE_INT = 2**53 - 1


def _one_line(text: str) -> str:
    text = " ".join(cleaned(text).split())
    if not text:
        raise PydanticCustomError("blank", "should hold at least one visible character")
    return text


def _whole(value: Any) -> Any:
    """JSON has one sort of number: 185.0 is the integer 185."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Text = Annotated[str, Field(max_length=4000), AfterValidator(cleaned)]
"""A short text: filters, colours, references."""
Name = Annotated[str, StringConstraints(min_length=1, max_length=500), AfterValidator(_one_line)]
"""A title or name: 1 to 500 characters on one line, trimmed."""
Body = Annotated[str, Field(max_length=BODY_CHARS), AfterValidator(cleaned)]
"""Markdown, at most a million characters."""
EMAIL = r"^[^@\s]+@[^@\s]+$"
Email = Annotated[str, StringConstraints(pattern=EMAIL, max_length=254)]
"""An e-mail address: something, @, something; whether mail reaches it is not known."""
Secret = Annotated[str, StringConstraints(min_length=1, max_length=1024)]
"""Taken as it is: passwords, codes, tokens."""
Int = Annotated[int, BeforeValidator(_whole), Field(ge=-SAFE_INT, le=SAFE_INT)]
"""A whole number that every JSON reader keeps; `185.0` is accepted."""
Id = Annotated[int, BeforeValidator(_whole), Field(ge=0, le=SAFE_INT)]
Number = Annotated[
    float,
    BeforeValidator(lambda v: float(v) if type(v) is int and abs(v) <= SAFE_INT else v),
    Field(ge=-1e15, le=1e15),
]
When = Annotated[int, BeforeValidator(_whole), Field(ge=0, le=253_402_300_799)]
"""Unix seconds, to the end of the year 9999."""


def _day(text: str) -> str:
    import datetime  # noqa: PLC0415 - only inputs with a day need it

    try:
        day = datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        day = None
    if day != text:
        raise PydanticCustomError("day", "should be a day as YYYY-MM-DD")
    return text


Day = Annotated[str, AfterValidator(_day), Field(json_schema_extra={"format": "date"})]
"""A day as `YYYY-MM-DD`."""


_OF_GENERICS = ("__parameters__", "__typing_subst__")
"""What is asked of whatever stands in the type of a field: no class of inputs is generic."""


class DeclaredInput:
    """Stands in a module where a class of inputs is declared, and makes it when somebody asks for anything of it.

    Pydantic takes 0.15 ms to make one, and a server that starts needs none of five hundred.
    """

    __slots__ = ("_declared", "_made", "_name")
    _making = threading.RLock()
    """Held while one is made, which may make those that it inherits from: of none there are two."""

    def __init__(self, kind: type, name: str, *declared: Any, **how: Any) -> None:
        """What a metaclass is called with."""
        self._name, self._made = name, None
        self._declared: Any = partial(kind, name, *declared, made=True, **how)

    @property
    def made(self) -> Any:
        """The class."""
        if self._made is None:
            with self._making:
                if self._made is None:
                    self._made = self._declared()
                    self._declared = None
        return self._made

    def __getattr__(self, name: str) -> Any:
        if name in _OF_GENERICS:
            raise AttributeError(name)
        return getattr(self.made, name)

    def __repr__(self) -> str:
        return f"<input {self._name}>"

    def __call__(self, *args: Any, **fields: Any) -> Any:
        return self.made(*args, **fields)

    def __instancecheck__(self, one: Any) -> bool:
        return isinstance(one, self.made)

    def __subclasscheck__(self, one: Any) -> bool:
        return issubclass(one, self.made)

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[Any, ...]:
        return (self.made,)

    def __or__(self, other: Any) -> Any:
        return Union[self, other]  # noqa: UP007 - which is this very method

    def __ror__(self, other: Any) -> Any:
        return Union[other, self]  # noqa: UP007 - likewise

    def __get_pydantic_core_schema__(self, _source: Any, handler: Callable[[Any], Any]) -> Any:
        """Of a field in which such an input stands."""
        return handler(self.made)


if TYPE_CHECKING:
    _Declaring = type
else:

    class _Declaring(type(BaseModel)):
        """The class of inputs, which makes their base alone at once."""

        def __new__(cls, name: str, bases: tuple[Any, ...], body: dict[str, Any], **how: Any) -> Any:
            if not how.pop("made", bases == (BaseModel,)):
                return DeclaredInput(cls, name, bases, body, **how)
            return super().__new__(cls, name, bases, body, **how)


class Input(BaseModel, metaclass=_Declaring):
    """What an operation takes. Unknown fields are refused; `null` and absence are told apart by `given`."""

    __slots__ = ("_found",)

    # a validator is made when it is first asked for: few of them are needed in a day, and none to start
    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True, defer_build=True)

    @property
    def found(self) -> dict[Any, Any]:
        """What was found out of this input so far: somebody who reads again in the same words has the same one."""
        kept: dict[Any, Any] | None = getattr(self, "_found", None)
        if kept is None:
            kept = {}
            object.__setattr__(self, "_found", kept)
        return kept

    def given(self, name: str) -> bool:
        """Whether the caller named this field, be it with null."""
        return name in self.model_fields_set

    def filled(self, *names: str, **turned: Callable[[Any], Any]) -> dict[str, Any]:
        """These fields, without those that are null; what is in the `turned` ones as that makes it."""
        held = {name: getattr(self, name) for name in (*names, *turned)}
        return {
            name: turned[name](value) if name in turned else value
            for name, value in held.items()
            if value is not None
        }


class Empty(Input):
    """No input: `{}`."""


T = TypeVar("T")


class Paged(TypedDict, Generic[T]):
    """One page of a list; `next` is passed as `cursor` for the page behind it."""

    items: list[T]
    """The entries of this page, in order."""
    next: str | None
    """What to pass as `cursor` for the next page; null: this is the last."""


def some_fields(name: str, shape: Any, module: str) -> Any:
    """A shape with the fields that another one always has, each of which may be left out here."""
    hints = {
        field: shape.__annotations__[field]
        for field in shape.__annotations__
        if field in shape.__required_keys__
    }
    made = TypedDict(name, hints, total=False)  # type: ignore[misc]  # its fields are those of `shape`
    made.__module__ = module
    setattr(made, "__orig_bases__", (shape,))  # noqa: B010  # what is said of the fields there holds here
    return made


class Ok(TypedDict):
    ok: bool
    """Always true: what was asked for is done."""


class Started(TypedDict):
    job: int
    """The job that does it; `jobs.get` says how far it is."""


class InTrash(TypedDict):
    """`trash` is the entry's id, for trash.restore."""

    ok: bool
    """Always true: it is in the trash."""
    trash: int
    """Id of its entry in the trash, for `trash.restore`."""


Limit = Annotated[
    int, BeforeValidator(_whole), Field(ge=1, le=200, description="Entries of a page; 50 unless given.")
]
Cursor = Annotated[
    str,
    StringConstraints(max_length=2000),
    Field(description="`next` of the page before; left out: the first page."),
]
