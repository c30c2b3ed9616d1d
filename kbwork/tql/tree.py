"""What a text says, as a tree: one frozen class for each production, each with its place in the text.

Two trees are equal when they say the same; places do not count. Values come first, then conditions, then queries, at
the end the makers that keep a tree in one form. `parser` makes all nodes but `Column`, `Formula`, `Alias`,
`Ref` and `View`: these `check` puts where names stood.
"""

from dataclasses import dataclass, field
from typing import Literal

from kbwork.tql.errors import NOWHERE, Span
from kbwork.tql.fields import Kind

Op = Literal["=", "!=", "<", "<=", ">", ">="]
ArithmeticOp = Literal["+", "-", "*", "/"]
Mode = Literal["all", "any", "none"]
Quantifier = Literal["any", "all", "none", "count"]
WhenWord = Literal["before", "after", "since", "at", "on", "during"]


@dataclass(frozen=True, slots=True)
class Node:
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class String(Node):
    """Text in quotes: always a literal or, before an operator, a field's name."""

    text: str


@dataclass(frozen=True, slots=True)
class Word(Node):
    """A bare word: a field or a name, whichever fits where it stands."""

    text: str


@dataclass(frozen=True, slots=True)
class Number(Node):
    """Kept as written, since `2.0` may be the name of a release."""

    text: str

    @property
    def value(self) -> int | float:
        return float(self.text) if "." in self.text else int(self.text)


@dataclass(frozen=True, slots=True)
class Duration(Node):
    """(count, unit) in the order written."""

    parts: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Relative(Node):
    """A distance from now: `-7d`."""

    back: bool
    parts: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Moment(Node):
    """A date, a date with a clock, or a period: `2026-10-01`, `2026-10-01T09:00Z`, `2026-Q3`, `today`."""

    text: str


@dataclass(frozen=True, slots=True)
class Boolean(Node):
    value: bool


@dataclass(frozen=True, slots=True)
class Nothing(Node):
    """`empty`: the missing value."""


@dataclass(frozen=True, slots=True)
class Handle(Node):
    """`@sam.k`, without the sign."""

    text: str


@dataclass(frozen=True, slots=True)
class Label(Node):
    """`#bug`, without the sign."""

    text: str


@dataclass(frozen=True, slots=True)
class Key(Node):
    """`WEB-12` as written; as a condition it selects that issue."""

    text: str


@dataclass(frozen=True, slots=True)
class Subject(Node):
    """`page:abc`: a thing of another kind."""

    kind: str
    id: str


@dataclass(frozen=True, slots=True)
class Field(Node):
    """A name with its steps: `parent.status`, `cf["in"]` as (`cf`, `in`), `"Due soon"`."""

    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Call(Node):
    name: str
    args: "tuple[Value, ...]" = ()


@dataclass(frozen=True, slots=True)
class Aggregate(Node):
    """`of` is what is summed or listed, `share` the condition of `share()`; `most` bounds `list()`."""

    name: str
    of: "Value | None" = None
    share: "Expr | None" = None
    distinct: bool = False
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    op: ArithmeticOp
    left: "Value"
    right: "Value"


@dataclass(frozen=True, slots=True)
class Column(Node):
    """A field that exists: `steps` lead to the thing that holds it, `name` is the catalogue's, own ones `cf.<key>`."""

    name: str
    kind: Kind
    steps: tuple[str, ...] = ()
    domain: str = ""
    """For names and references: whose names its values are."""
    many: bool = False
    to: str = ""
    """The source whose fields a path goes on with."""
    choices: tuple[str, ...] = ()
    """The closed list of its values, for some names."""
    tracked: bool = True
    """Its history is kept."""
    through: tuple[str, ...] = ()
    """The source that each step leads to."""


@dataclass(frozen=True, slots=True)
class Formula(Node):
    """A field that is computed: `name` is `cf.<key>`, `inside` what it comes to for the thing that the steps lead to.

    `only`: fields with the ids that they must have where the formula comes to anything, such as its projects.
    """

    name: str
    inside: "Value"
    steps: tuple[str, ...] = ()
    through: tuple[str, ...] = ()
    only: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Alias(Node):
    """A column of the result by the name that `select` gave it, in `having` and `order by`."""

    name: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Ref(Node):
    """A name that exists: every id that carries it (two projects may each have a component `api`).

    `name` is how it is spelled: `@handle` for people, the key for issues.
    """

    domain: str
    ids: tuple[str, ...]
    name: str = field(compare=False)


Value = (
    String | Word | Number | Duration | Relative | Moment | Boolean | Nothing | Handle | Label | Key | Subject
    | Field | Call | Aggregate | Arithmetic | Column | Formula | Alias | Ref
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Range(Node):
    """Both ends belong to it; a missing end is open."""

    low: Value | None
    high: Value | None


@dataclass(frozen=True, slots=True)
class Listed(Node):
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Nested(Node):
    """A query in brackets."""

    query: "Query"


Set = Listed | Call | Nested


@dataclass(frozen=True, slots=True)
class And(Node):
    terms: "tuple[Expr, ...]"


@dataclass(frozen=True, slots=True)
class Or(Node):
    terms: "tuple[Expr, ...]"


@dataclass(frozen=True, slots=True)
class Not(Node):
    term: "Expr"


@dataclass(frozen=True, slots=True)
class Compare(Node):
    left: Value
    op: Op
    right: Value
    sign: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Match(Node):
    """`~` and `!~`."""

    left: Value
    pattern: str
    negated: bool = False
    sign: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Within(Node):
    """`= a..b` and `between a and b`."""

    left: Value
    range: Range
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Member(Node):
    """`in` and `not in`."""

    left: Value
    set: Set
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Has(Node):
    left: Value
    mode: Mode
    set: Set


@dataclass(frozen=True, slots=True)
class Empty(Node):
    """`is empty`, `= empty` and their opposites."""

    left: Value
    negated: bool = False


@dataclass(frozen=True, slots=True)
class When(Node):
    """`at` is a range for `during a..b` only."""

    word: WhenWord
    at: Value | Range


@dataclass(frozen=True, slots=True)
class Held(Node):
    op: Op
    length: Duration


@dataclass(frozen=True, slots=True)
class Was(Node):
    """A span of this value in the past; `by` lists who made it, each group one `by`."""

    left: Value
    values: Value | Set
    negated: bool = False
    when: tuple[When, ...] = ()
    by: tuple[Value | Set, ...] = ()
    held: tuple[Held, ...] = ()


@dataclass(frozen=True, slots=True)
class Changed(Node):
    """A change with all of these properties; with `times`, how many such changes."""

    left: Value
    old: Value | None = None
    new: Value | None = None
    when: tuple[When, ...] = ()
    by: tuple[Value | Set, ...] = ()
    times: tuple[tuple[Op, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Unchanged(Node):
    left: Value
    length: Duration


@dataclass(frozen=True, slots=True)
class Related(Node):
    """`to` is None for `any` and `none`; `kind` names the relation of `rel("kind")`."""

    relation: str
    to: Listed | Nested | None
    negated: bool = False
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Parts(Node):
    """Parts of a collection; `op` and `number` belong to `count`."""

    collection: str
    quantifier: Quantifier
    query: "Query | None" = None
    op: Op | None = None
    number: int = 0


@dataclass(frozen=True, slots=True)
class Flag(Node):
    name: str


@dataclass(frozen=True, slots=True)
class Text(Node):
    """Full text over the source: `pattern` in the words of `~`."""

    pattern: str


@dataclass(frozen=True, slots=True)
class View(Node):
    """The condition of a saved view, in the place of `view(name)`."""

    name: str
    term: "Expr"


History = Was | Changed | Unchanged
Expr = (
    And | Or | Not | Compare | Match | Within | Member | Has | Empty | Was | Changed | Unchanged | Related | Parts
    | Flag | Key | Call | Text | View
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source(Node):
    """`table(n)` has an argument, no other source has."""

    name: str
    table: Value | None = None


@dataclass(frozen=True, slots=True)
class Item(Node):
    """A column of the result; `name` is empty where none was given."""

    value: Value
    name: str = ""


@dataclass(frozen=True, slots=True)
class Order(Node):
    value: Value
    descending: bool = False
    empty_first: bool = False


@dataclass(frozen=True, slots=True)
class Query(Node):
    """A whole text. `source` is None where none is written: the source of the place."""

    source: Source | None = None
    where: Expr | None = None
    select: tuple[Item, ...] = ()
    group: tuple[Value, ...] = ()
    having: Expr | None = None
    order: tuple[Order, ...] = ()
    limit: int | None = None
    as_of: Value | None = None


def conjunction(terms: list[Expr]) -> Expr:
    """Terms joined by and; nested ones are laid flat."""
    flat = [inner for term in terms for inner in (term.terms if isinstance(term, And) else (term,))]
    return flat[0] if len(flat) == 1 else And(tuple(flat), span=Span(flat[0].span.start, flat[-1].span.end))


def disjunction(terms: list[Expr]) -> Expr:
    """Terms joined by or; nested ones are laid flat."""
    flat = [inner for term in terms for inner in (term.terms if isinstance(term, Or) else (term,))]
    return flat[0] if len(flat) == 1 else Or(tuple(flat), span=Span(flat[0].span.start, flat[-1].span.end))


def negation(term: Expr, span: Span = NOWHERE) -> Expr:
    """The opposite; twice is not at all."""
    return term.term if isinstance(term, Not) else Not(term, span=span)
