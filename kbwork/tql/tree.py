"""What a text says, as a tree: one frozen class for each production, each with its place in the text.

Two trees are equal when they say the same; places do not count. Values come first, then conditions, then queries, at
the end the makers that keep a tree in one form. The parser makes all nodes but `ColumnNode`, `FormulaNode`,
`AliasNode`, `RefNode`, `ViewNode` and `DecidedNode`: these the checker puts where names stood.
"""

from typing import Literal

from kbwork.base.dataclasses import dataclass, field
from kbwork.tql.errors import NOWHERE, TextSpan
from kbwork.tql.fields import FieldKind

Op = Literal["=", "!=", "<", "<=", ">", ">="]
ArithmeticOp = Literal["+", "-", "*", "/"]
Mode = Literal["all", "any", "none"]
Quantifier = Literal["any", "all", "none", "count"]
WhenWord = Literal["before", "after", "since", "at", "on", "during"]


@dataclass(frozen=True, slots=True)
class Node:
    span: TextSpan = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class StringNode(Node):
    """Text in quotes: always a literal or, before an operator, a field's name."""

    text: str


@dataclass(frozen=True, slots=True)
class WordNode(Node):
    """A bare word: a field or a name, whichever fits where it stands."""

    text: str


@dataclass(frozen=True, slots=True)
class NumberNode(Node):
    """Kept as written, since `2.0` may be the name of a release."""

    text: str

    @property
    def value(self) -> int | float:
        return float(self.text) if "." in self.text else int(self.text)


@dataclass(frozen=True, slots=True)
class DurationNode(Node):
    """(count, unit) in the order written."""

    parts: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class RelativeNode(Node):
    """A distance from now: `-7d`."""

    back: bool
    parts: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class MomentNode(Node):
    """A date, a date with a clock, or a period: `2026-10-01`, `2026-10-01T09:00Z`, `2026-Q3`, `today`."""

    text: str


@dataclass(frozen=True, slots=True)
class BooleanNode(Node):
    value: bool


@dataclass(frozen=True, slots=True)
class NothingNode(Node):
    """`empty`: the missing value."""


@dataclass(frozen=True, slots=True)
class HandleNode(Node):
    """`@sam.k`, without the sign."""

    text: str


@dataclass(frozen=True, slots=True)
class LabelNode(Node):
    """`#bug`, without the sign."""

    text: str


@dataclass(frozen=True, slots=True)
class KeyNode(Node):
    """`WEB-12` as written; as a condition it selects that issue."""

    text: str


@dataclass(frozen=True, slots=True)
class SubjectNode(Node):
    """`page:abc`: a thing of another kind."""

    kind: str
    id: str


@dataclass(frozen=True, slots=True)
class FieldNode(Node):
    """A name with its steps: `parent.status`, `cf["in"]` as (`cf`, `in`), `"Due soon"`."""

    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CallNode(Node):
    name: str
    args: "tuple[Value, ...]" = ()


@dataclass(frozen=True, slots=True)
class AggregateNode(Node):
    """`of` is what is summed or listed, `share` the condition of `share()`; `most` bounds `list()`."""

    name: str
    of: "Value | None" = None
    share: "Expr | None" = None
    distinct: bool = False
    most: int | None = None


@dataclass(frozen=True, slots=True)
class ArithmeticNode(Node):
    op: ArithmeticOp
    left: "Value"
    right: "Value"


@dataclass(frozen=True, slots=True)
class ColumnNode(Node):
    """A field that exists: `steps` lead to the thing that holds it, `name` is the catalogue's, own ones `cf.<key>`."""

    name: str
    kind: FieldKind
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
class FormulaNode(Node):
    """A field that is computed: `name` is `cf.<key>`, `inside` what it comes to for the thing that the steps lead to.

    `only`: fields with the ids that they must have where the formula comes to anything, such as its projects.
    """

    name: str
    inside: "Value"
    steps: tuple[str, ...] = ()
    through: tuple[str, ...] = ()
    only: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class AliasNode(Node):
    """A column of the result by the name that `select` gave it, in `having` and `order by`."""

    name: str
    kind: FieldKind


@dataclass(frozen=True, slots=True)
class RefNode(Node):
    """A name that exists: every id that carries it (two projects may each have a component `api`).

    `name` is how it is spelled: `@handle` for people, the key for issues. `value_kind` is what such a name is,
    `written` how the normal form has it: in quotes where the bare word would be read as something else.
    """

    domain: str
    ids: tuple[str, ...]
    name: str = field(compare=False)
    value_kind: FieldKind = field(compare=False)
    written: str = field(compare=False)


Value = (
    StringNode
    | WordNode
    | NumberNode
    | DurationNode
    | RelativeNode
    | MomentNode
    | BooleanNode
    | NothingNode
    | HandleNode
    | LabelNode
    | KeyNode
    | SubjectNode
    | FieldNode
    | CallNode
    | AggregateNode
    | ArithmeticNode
    | ColumnNode
    | FormulaNode
    | AliasNode
    | RefNode
)


@dataclass(frozen=True, slots=True)
class RangeNode(Node):
    """Both ends belong to it; a missing end is open."""

    low: Value | None
    high: Value | None


@dataclass(frozen=True, slots=True)
class ListedNode(Node):
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class NestedNode(Node):
    """A query in brackets."""

    query: "QueryNode"


Set = ListedNode | CallNode | NestedNode


@dataclass(frozen=True, slots=True)
class AndNode(Node):
    terms: "tuple[Expr, ...]"


@dataclass(frozen=True, slots=True)
class OrNode(Node):
    terms: "tuple[Expr, ...]"


@dataclass(frozen=True, slots=True)
class NotNode(Node):
    term: "Expr"


@dataclass(frozen=True, slots=True)
class CompareNode(Node):
    left: Value
    op: Op
    right: Value
    sign: TextSpan = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class MatchNode(Node):
    """`~` and `!~`."""

    left: Value
    pattern: str
    negated: bool = False
    sign: TextSpan = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class WithinNode(Node):
    """`= a..b` and `between a and b`."""

    left: Value
    range: RangeNode
    negated: bool = False


@dataclass(frozen=True, slots=True)
class MemberNode(Node):
    """`in` and `not in`."""

    left: Value
    set: Set
    negated: bool = False


@dataclass(frozen=True, slots=True)
class HasNode(Node):
    left: Value
    mode: Mode
    set: Set


@dataclass(frozen=True, slots=True)
class EmptyNode(Node):
    """`is empty`, `= empty` and their opposites."""

    left: Value
    negated: bool = False


@dataclass(frozen=True, slots=True)
class WhenNode(Node):
    """`at` is a range for `during a..b` only."""

    word: WhenWord
    at: Value | RangeNode


@dataclass(frozen=True, slots=True)
class HeldNode(Node):
    op: Op
    length: DurationNode


@dataclass(frozen=True, slots=True)
class WasNode(Node):
    """A span of this value in the past; `by` lists who made it, each group one `by`."""

    left: Value
    values: Value | Set
    negated: bool = False
    when: tuple[WhenNode, ...] = ()
    by: tuple[Value | Set, ...] = ()
    held: tuple[HeldNode, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangedNode(Node):
    """A change with all of these properties; with `times`, how many such changes."""

    left: Value
    old: Value | None = None
    new: Value | None = None
    when: tuple[WhenNode, ...] = ()
    by: tuple[Value | Set, ...] = ()
    times: tuple[tuple[Op, int], ...] = ()


@dataclass(frozen=True, slots=True)
class UnchangedNode(Node):
    left: Value
    length: DurationNode


@dataclass(frozen=True, slots=True)
class RelatedNode(Node):
    """`to` is None for `any` and `none`; `kind` names the relation of `rel("kind")`, of a mention the source of a query
    at its other end."""

    relation: str
    to: ListedNode | NestedNode | None
    negated: bool = False
    kind: str = ""


@dataclass(frozen=True, slots=True)
class PartsNode(Node):
    """Parts of a collection; `op` and `number` belong to `count`."""

    collection: str
    quantifier: Quantifier
    query: "QueryNode | None" = None
    op: Op | None = None
    number: int = 0


@dataclass(frozen=True, slots=True)
class FlagNode(Node):
    name: str


@dataclass(frozen=True, slots=True)
class TextNode(Node):
    """A text in quotes: these words side by side, within one text of a thing."""

    words: str

    @property
    def pattern(self) -> str:
        """The same as `~` says it."""
        return '"' + self.words.replace('"', " ") + '"'


@dataclass(frozen=True, slots=True)
class ViewNode(Node):
    """The condition of a saved view, in the place of `view(name)`."""

    name: str
    term: "Expr"


@dataclass(frozen=True, slots=True)
class DecidedNode(Node):
    """A term that names a field which was deleted, as it is written, and what it says of all things alike."""

    term: "Expr"
    holds: bool


History = WasNode | ChangedNode | UnchangedNode
Expr = (
    AndNode
    | OrNode
    | NotNode
    | CompareNode
    | MatchNode
    | WithinNode
    | MemberNode
    | HasNode
    | EmptyNode
    | WasNode
    | ChangedNode
    | UnchangedNode
    | RelatedNode
    | PartsNode
    | FlagNode
    | KeyNode
    | CallNode
    | TextNode
    | ViewNode
    | DecidedNode
)


@dataclass(frozen=True, slots=True)
class SourceNode(Node):
    """`table(n)` has an argument, no other source has."""

    name: str
    table: Value | None = None


@dataclass(frozen=True, slots=True)
class ItemNode(Node):
    """A column of the result; `name` is empty where none was given."""

    value: Value
    name: str = ""


@dataclass(frozen=True, slots=True)
class OrderNode(Node):
    value: Value
    descending: bool = False
    empty_first: bool = False


@dataclass(frozen=True, slots=True)
class QueryNode(Node):
    """A whole text. `source` is None where none is written: the source of the place."""

    source: SourceNode | None = None
    where: Expr | None = None
    select: tuple[ItemNode, ...] = ()
    group: tuple[Value, ...] = ()
    having: Expr | None = None
    order: tuple[OrderNode, ...] = ()
    limit: int | None = None
    as_of: Value | None = None


def conjunction(terms: list[Expr]) -> Expr:
    """Terms joined by and; nested ones are laid flat."""
    flat = [inner for term in terms for inner in (term.terms if isinstance(term, AndNode) else (term,))]
    return (
        flat[0]
        if len(flat) == 1
        else AndNode(tuple(flat), span=TextSpan(flat[0].span.start, flat[-1].span.end))
    )


def disjunction(terms: list[Expr]) -> Expr:
    """Terms joined by or; nested ones are laid flat."""
    flat = [inner for term in terms for inner in (term.terms if isinstance(term, OrNode) else (term,))]
    return (
        flat[0]
        if len(flat) == 1
        else OrNode(tuple(flat), span=TextSpan(flat[0].span.start, flat[-1].span.end))
    )


def negation(term: Expr, span: TextSpan = NOWHERE) -> Expr:
    """The opposite; twice is not at all."""
    return term.term if isinstance(term, NotNode) else NotNode(term, span=span)
