"""What becomes of terms that name a field which was deleted: it is as empty as a missing value, everywhere."""

import operator

from kbwork.tql import tree as t


class DeletedField(Exception):
    """A term names a field that was there once; `name` is how it was called."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def holds_without(term: t.Expr) -> bool:
    """Whether a term holds where the field that it names has no value and never had one."""
    match term:
        case t.CompareNode():
            holds = term.op == "!="
        case t.MatchNode() | t.WithinNode():
            holds = term.negated
        case t.MemberNode():
            holds = _has_empty(term.set) != term.negated
        case t.HasNode():
            holds = _has_empty(term.set) != (term.mode == "none")
        case t.EmptyNode():
            holds = not term.negated
        case t.WasNode():
            holds = (isinstance(term.values, t.NothingNode) or _has_empty(term.values)) != term.negated
        case t.ChangedNode():
            holds = bool(term.times) and all(_COMPARES[op](0, number) for op, number in term.times)
        case _:
            holds = False
    return holds


def _has_empty(values: t.Value | t.Set) -> bool:
    return isinstance(values, t.ListedNode) and any(isinstance(one, t.NothingNode) for one in values.values)


_COMPARES = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
