"""Of which kind a checked value is, and what fits together."""

from kbwork.tql import tree as t
from kbwork.tql.fields import NAMED, Kind
from kbwork.tql.words import FUNCTIONS, Function

TIMES = frozenset({Kind.TIME, Kind.DAY})


def target_of(kind: Kind, domain: str = "") -> t.Column:
    """What a value must fit where no field stands: an argument, one side of arithmetic."""
    return t.Column("", kind, domain=domain)


def kind_of(value: t.Value) -> t.Column:
    """What a checked value is, as a target that another may be held against."""
    if isinstance(value, t.Column):
        return value
    if isinstance(value, t.Formula):
        inside = kind_of(value.inside)
        return t.Column(
            value.name, inside.kind, value.steps, inside.domain, inside.many, "", inside.choices, False
        )
    if isinstance(value, t.Call):
        return _given(FUNCTIONS[value.name.lower()]) if value.name != "bucket" else target_of(Kind.NUMBER)
    if isinstance(value, t.Ref):
        return target_of(_NAMED.get(value.domain, Kind.NAME), value.domain)
    if isinstance(value, t.Aggregate) and value.of is not None and value.name != "count":
        return kind_of(value.of)
    return target_of(_plain(value))


def _plain(value: t.Value) -> Kind:
    """The kind of what is no name's."""
    if isinstance(value, t.Alias):
        return value.kind
    if isinstance(value, t.Arithmetic):
        return joined(value.op, kind_of(value.left).kind, kind_of(value.right).kind) or Kind.NUMBER
    return _LITERALS[type(value)]


def fits(given: t.Column, target: t.Column) -> bool:
    """Whether values of these kinds may be compared."""
    if given.kind in TIMES or target.kind in TIMES:
        return given.kind in TIMES and target.kind in TIMES
    if given.kind in NAMED and target.kind in NAMED:
        return given.domain == target.domain
    return given.kind is target.kind


def joined(op: t.ArithmeticOp, left: Kind, right: Kind) -> Kind | None:
    """What arithmetic on two kinds gives, or None where it means nothing."""
    left, right = (Kind.TIME if kind is Kind.DAY else kind for kind in (left, right))
    return _JOINED.get((left, op, right))


def _given(function: Function) -> t.Column:
    kind, domain = _GIVES.get(function.gives, (Kind.NAME, function.gives))
    return t.Column("", kind, domain=domain, many=function.many)


_GIVES = {
    "person": (Kind.PERSON, "person"),
    "issues": (Kind.KEY, "issue"),
    "asset": (Kind.KEY, "asset"),
    "time": (Kind.TIME, ""),
    "day": (Kind.DAY, ""),
    "number": (Kind.NUMBER, ""),
    "condition": (Kind.BOOL, ""),
}
"""What a function's result is; all others are names of the domain called so."""
_LITERALS: dict[type[t.Node], Kind] = {
    t.String: Kind.TEXT,
    t.Word: Kind.TEXT,
    t.Duration: Kind.DURATION,
    t.Relative: Kind.TIME,
    t.Moment: Kind.TIME,
    t.Boolean: Kind.BOOL,
    t.Number: Kind.NUMBER,
    t.Subject: Kind.SUBJECT,
    t.Aggregate: Kind.NUMBER,
}
_NAMED = {"person": Kind.PERSON, "issue": Kind.KEY, "asset": Kind.KEY}
"""What a name is by its domain, where it is more than that."""
_N, _D, _T = Kind.NUMBER, Kind.DURATION, Kind.TIME
_JOINED: dict[tuple[Kind, str, Kind], Kind] = {
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
