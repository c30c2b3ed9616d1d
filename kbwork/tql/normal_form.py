"""The one normal form of a tree: equal trees have equal texts, and reading the text gives the tree again.

Keywords in lower case, functions as the manual spells them, every `and` written, `=` for `:` and `==`, `!=` for `<>`,
`not` for `!`, ranges with dots, `is empty` for `= empty`, text in double quotes, brackets only where the tree needs
them, clauses in the order of the manual, defaults (`asc`, `empty last`) left out, no comments.
"""

import re
from functools import singledispatch

from kbwork.tql import tree as t
from kbwork.tql.sources import Sources
from kbwork.tql.words import NAMED_PERIODS, RESERVED

_NAME = re.compile(r"[a-z_]\w*", re.ASCII | re.IGNORECASE)
_BARE = re.compile(r"[a-z_]\w*(-[a-z_]\w*)*", re.ASCII | re.IGNORECASE)
_HANDLE = re.compile(r"@\w(?:\w|[.-](?=\w))*")
_NOT_BARE = RESERVED | {*NAMED_PERIODS, "cf", "me", "myself"}
"""Words that would be read as something else than the name that they are."""


def written(domain: str, name: str, sources: Sources) -> str:
    """A name as it is spelled now, in quotes where the bare word would be read as something else."""
    if domain in sources.keyed or (domain == "person" and _HANDLE.fullmatch(name)):
        return name
    word = name.lower()
    other = word in _NOT_BARE or word in sources.field_names or domain.endswith(f":{word}")
    return name if _BARE.fullmatch(word) and not other else quoted(name)


def parts_of(field: t.ColumnNode | t.FormulaNode) -> tuple[str, ...]:
    """The path of a field, an own one as `cf` and its key, on the way too."""
    return tuple(part for name in (*field.steps, field.name) for part in name.split(".", 1))


@singledispatch
def normal(node: t.Node) -> str:
    """The normal form of a query, condition or value."""
    raise TypeError(type(node))


@normal.register
def _(node: t.StringNode) -> str:
    return quoted(node.text)


@normal.register
def _(node: t.WordNode) -> str:
    return node.text


@normal.register
def _(node: t.NumberNode) -> str:
    return node.text


@normal.register
def _(node: t.DurationNode) -> str:
    return _length(node.parts)


@normal.register
def _(node: t.RelativeNode) -> str:
    return ("-" if node.back else "+") + _length(node.parts)


@normal.register
def _(node: t.MomentNode) -> str:
    return node.text


@normal.register
def _(node: t.BooleanNode) -> str:
    return "true" if node.value else "false"


@normal.register
def _(_node: t.NothingNode) -> str:
    return "empty"


@normal.register
def _(node: t.HandleNode) -> str:
    return f"@{node.text}"


@normal.register
def _(node: t.LabelNode) -> str:
    return f"#{node.text}"


@normal.register
def _(node: t.KeyNode) -> str:
    return node.text


@normal.register
def _(node: t.SubjectNode) -> str:
    return f"{node.kind}:{node.id if _NAME.fullmatch(node.id) or node.id.isdecimal() else quoted(node.id)}"


@normal.register
def _(node: t.FieldNode) -> str:
    return _path(node.path)


@normal.register
def _(node: t.ColumnNode) -> str:
    return _path(parts_of(node))


@normal.register
def _(node: t.FormulaNode) -> str:
    return _path(parts_of(node))


@normal.register
def _(node: t.AliasNode) -> str:
    return node.name


@normal.register
def _(node: t.RefNode) -> str:
    return node.written


@normal.register
def _(node: t.CallNode) -> str:
    return f"{node.name}({_list(node.args)})"


@normal.register
def _(node: t.AggregateNode) -> str:
    if node.share is not None:
        return f"share({normal(node.share)})"
    of = normal(node.of) if node.of is not None else ""
    return f"{node.name}({'distinct ' if node.distinct else ''}{of}{'' if node.most is None else f', {node.most}'})"


@normal.register
def _(node: t.ArithmeticNode) -> str:
    left, right = normal(node.left), normal(node.right)
    product = node.op in "*/"
    if product and isinstance(node.left, t.ArithmeticNode) and node.left.op in "+-":
        left = f"({left})"
    if isinstance(node.right, t.ArithmeticNode) and (product or node.right.op in "+-"):
        right = f"({right})"
    return f"{left} {node.op} {right}"


@normal.register
def _(node: t.RangeNode) -> str:
    return f"{normal(node.low) if node.low else ''}..{normal(node.high) if node.high else ''}"


@normal.register
def _(node: t.ListedNode) -> str:
    return f"({_list(node.values)})"


@normal.register
def _(node: t.NestedNode) -> str:
    return f"({normal(node.query)})"


@normal.register
def _(node: t.AndNode) -> str:
    return " and ".join(_inside(term, t.OrNode) for term in node.terms)


@normal.register
def _(node: t.OrNode) -> str:
    return " or ".join(normal(term) for term in node.terms)


@normal.register
def _(node: t.NotNode) -> str:
    return f"not {_inside(node.term, t.AndNode, t.OrNode)}"


@normal.register
def _(node: t.CompareNode) -> str:
    return f"{normal(node.left)} {node.op} {normal(node.right)}"


@normal.register
def _(node: t.MatchNode) -> str:
    return f"{normal(node.left)} {'!~' if node.negated else '~'} {quoted(node.pattern)}"


@normal.register
def _(node: t.WithinNode) -> str:
    return f"{normal(node.left)} {'!=' if node.negated else '='} {normal(node.range)}"


@normal.register
def _(node: t.MemberNode) -> str:
    return f"{normal(node.left)} {'not in' if node.negated else 'in'} {normal(node.set)}"


@normal.register
def _(node: t.HasNode) -> str:
    return f"{normal(node.left)} has {node.mode} {normal(node.set)}"


@normal.register
def _(node: t.EmptyNode) -> str:
    return f"{normal(node.left)} is {'not ' if node.negated else ''}empty"


@normal.register
def _(node: t.WhenNode) -> str:
    return f"{node.word} {normal(node.at)}"


@normal.register
def _(node: t.HeldNode) -> str:
    return f"for {node.op} {normal(node.length)}"


@normal.register
def _(node: t.WasNode) -> str:
    listed = isinstance(node.values, t.ListedNode | t.NestedNode)
    words = [
        normal(node.left),
        "was",
        "not" if node.negated else "",
        "in" if listed else "",
        normal(node.values),
    ]
    words += [normal(when) for when in node.when]
    words += [f"by {normal(who)}" for who in node.by]
    words += [normal(held) for held in node.held]
    return " ".join(filter(None, words))


@normal.register
def _(node: t.ChangedNode) -> str:
    words = [normal(node.left), "changed"]
    words += [f"from {normal(node.old)}"] if node.old else []
    words += [f"to {normal(node.new)}"] if node.new else []
    words += [normal(when) for when in node.when]
    words += [f"by {normal(who)}" for who in node.by]
    words += [f"{op} {number} times" for op, number in node.times]
    return " ".join(words)


@normal.register
def _(node: t.UnchangedNode) -> str:
    return f"{normal(node.left)} unchanged for {normal(node.length)}"


@normal.register
def _(node: t.RelatedNode) -> str:
    relation = f"rel({quoted(node.kind)})" if node.relation == "rel" else node.relation
    if node.to is None:
        return f"{relation} {'none' if node.negated else 'any'}"
    one = isinstance(node.to, t.ListedNode) and len(node.to.values) == 1
    return f"{relation} {normal(node.to).strip('()') if one else normal(node.to)}"


@normal.register
def _(node: t.PartsNode) -> str:
    count = f" {node.op} {node.number}" if node.op else ""
    query = f" ({normal(node.query)})" if node.query else ""
    return f"{node.collection} {node.quantifier}{count}{query}"


@normal.register
def _(node: t.FlagNode) -> str:
    return node.name


@normal.register
def _(node: t.TextNode) -> str:
    return quoted(node.words)


@normal.register
def _(node: t.ViewNode) -> str:
    return f"view({quoted(node.name)})"


@normal.register
def _(node: t.DecidedNode) -> str:
    return normal(node.term)


@normal.register
def _(node: t.SourceNode) -> str:
    return f"{node.name}({normal(node.table)})" if node.table else node.name


@normal.register
def _(node: t.ItemNode) -> str:
    return f"{normal(node.value)} as {node.name}" if node.name else normal(node.value)


@normal.register
def _(node: t.OrderNode) -> str:
    return f"{normal(node.value)}{' desc' if node.descending else ''}{' empty first' if node.empty_first else ''}"


@normal.register
def _(node: t.QueryNode) -> str:
    words = []
    if node.source:
        words.append(f"from {normal(node.source)}")
    if node.where:
        words.append(f"where {normal(node.where)}" if node.source else normal(node.where))
    for word, nodes in (("select", node.select), ("group by", node.group)):
        if nodes:
            words.append(f"{word} {_list(nodes)}")
    if node.having:
        words.append(f"having {normal(node.having)}")
    if node.order:
        words.append(f"order by {_list(node.order)}")
    if node.limit is not None:
        words.append(f"limit {node.limit}")
    if node.as_of:
        words.append(f"as of {normal(node.as_of)}")
    return " ".join(words)


def quoted(text: str) -> str:
    """A text as it is written in quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _path(path: tuple[str, ...]) -> str:
    """`cf` and a key that is no name are written with brackets."""
    said = ""
    for before, step in zip(("", *path), path, strict=False):
        plain = _NAME.fullmatch(step) and step.lower() not in RESERVED
        if before.lower() == "cf" and not plain:
            said += f"[{quoted(step)}]"
        else:
            said += ("." if said else "") + (step if plain else quoted(step))
    return said


def _length(parts: tuple[tuple[int, str], ...]) -> str:
    return "".join(f"{count}{unit}" for count, unit in parts)


def _list(nodes: tuple[t.Value, ...] | tuple[t.ItemNode, ...] | tuple[t.OrderNode, ...]) -> str:
    return ", ".join(normal(node) for node in nodes)


def _inside(term: t.Expr, *looser: type[t.Node]) -> str:
    return f"({normal(term)})" if isinstance(term, looser) else normal(term)
