"""Of which kind a checked value is, and what fits together."""

from kbwork.tql import tree as t
from kbwork.tql.fields import NAMED, FieldKind
from kbwork.tql.words import FUNCTIONS, Function

TIMES = frozenset({FieldKind.TIME, FieldKind.DAY})


def target_of(kind: FieldKind, domain: str = "") -> t.ColumnNode:
    """What a value must fit where no field stands: an argument, one side of arithmetic."""
    return t.ColumnNode("", kind, domain=domain)


def kind_of(value: t.Value) -> t.ColumnNode:
    """What a checked value is, as a target that another may be held against."""
    if isinstance(value, t.ColumnNode):
        return value
    if isinstance(value, t.FormulaNode):
        inside = kind_of(value.inside)
        return t.ColumnNode(
            value.name, inside.kind, value.steps, inside.domain, inside.many, "", inside.choices, False
        )
    if isinstance(value, t.CallNode):
        return (
            _given(FUNCTIONS[value.name.lower()]) if value.name != "bucket" else target_of(FieldKind.NUMBER)
        )
    if isinstance(value, t.RefNode):
        return target_of(value.value_kind, value.domain)
    if isinstance(value, t.AggregateNode) and value.of is not None and value.name != "count":
        return kind_of(value.of)
    return target_of(_plain(value))


def _plain(value: t.Value) -> FieldKind:
    """The kind of what is no name's."""
    if isinstance(value, t.AliasNode):
        return value.kind
    if isinstance(value, t.ArithmeticNode):
        return joined(value.op, kind_of(value.left).kind, kind_of(value.right).kind) or FieldKind.NUMBER
    return _LITERALS[type(value)]


def fits(given: t.ColumnNode, target: t.ColumnNode) -> bool:
    """Whether values of these kinds may be compared."""
    if given.kind in TIMES or target.kind in TIMES:
        return given.kind in TIMES and target.kind in TIMES
    if given.kind in NAMED and target.kind in NAMED:
        return given.domain == target.domain
    return given.kind is target.kind


def joined(op: t.ArithmeticOp, left: FieldKind, right: FieldKind) -> FieldKind | None:
    """What arithmetic on two kinds gives, or None where it means nothing."""
    left, right = (FieldKind.TIME if kind is FieldKind.DAY else kind for kind in (left, right))
    return _JOINED.get((left, op, right))


def _given(function: Function) -> t.ColumnNode:
    kind, domain = _GIVES.get(function.gives, (FieldKind.NAME, function.gives))
    return t.ColumnNode("", kind, domain=domain, many=function.many)


_GIVES = {
    "person": (FieldKind.PERSON, "person"),
    "issues": (FieldKind.KEY, "issue"),
    "asset": (FieldKind.KEY, "asset"),
    "time": (FieldKind.TIME, ""),
    "day": (FieldKind.DAY, ""),
    "number": (FieldKind.NUMBER, ""),
    "condition": (FieldKind.BOOL, ""),
}
"""What a function's result is; all others are names of the domain called so."""
_LITERALS: dict[type[t.Node], FieldKind] = {
    t.StringNode: FieldKind.TEXT,
    t.NothingNode: FieldKind.TEXT,
    t.WordNode: FieldKind.TEXT,
    t.DurationNode: FieldKind.DURATION,
    t.RelativeNode: FieldKind.TIME,
    t.MomentNode: FieldKind.TIME,
    t.BooleanNode: FieldKind.BOOL,
    t.NumberNode: FieldKind.NUMBER,
    t.SubjectNode: FieldKind.SUBJECT,
    t.AggregateNode: FieldKind.NUMBER,
}
_N, _D, _T = FieldKind.NUMBER, FieldKind.DURATION, FieldKind.TIME
_JOINED: dict[tuple[FieldKind, str, FieldKind], FieldKind] = {
    **{(_N, op, _N): _N for op in "+-*/"},
    **{(_D, op, _D): _D for op in "+-"},
    **{(_T, op, _D): _T for op in "+-"},
    (_D, "/", _D): _N,
    (_D, "*", _N): _D,
    (_D, "/", _N): _D,
    (_N, "*", _D): _D,
    (_D, "+", _T): _T,
    (_T, "-", _T): _D,
}
