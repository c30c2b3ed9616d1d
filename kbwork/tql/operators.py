"""Which operators a field takes: by what it holds, how many values it has, and whether its history is kept."""

from kbwork.tql.fields import NAMED, ORDERED, FieldDef, FieldKind

_BY_KIND: dict[FieldKind, tuple[str, ...]] = {
    FieldKind.TEXT: ("~", "!~", "=", "!=", "is empty"),
    FieldKind.BOOL: ("=", "!="),
    **dict.fromkeys(NAMED, ("=", "!=", "in", "not in", "is empty")),
    **dict.fromkeys(ORDERED, ("=", "!=", "<", "<=", ">", ">=", "..", "in", "is empty")),
}
_RANKED = ("<", "<=", ">", ">=")
"""Of names, priorities alone have an order."""
HAS = ("has all", "has any", "has none")
"""What can be asked of several values together."""
HISTORY = ("was", "changed", "unchanged for")
"""What can be asked of a field whose history is kept."""


def operators(kind: FieldKind, domain: str = "", *, tracked: bool = False) -> tuple[str, ...]:
    """Those of a field of this kind, whose values are names of this domain, with or without a history."""
    ranked = _RANKED if domain == "priority" else ()
    return (*_BY_KIND[kind], *(HISTORY if tracked else ()), *ranked)


def operators_of(field: FieldDef) -> tuple[str, ...]:
    """Those of a field; of one with several values also what is said of them together."""
    together = HAS if field.many else ()
    return (*operators(field.kind, field.domain, tracked=field.tracked), *together)
