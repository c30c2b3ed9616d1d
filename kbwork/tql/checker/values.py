"""Fits values to what they are compared with: `high` is a priority here, a label there."""

from collections.abc import Mapping
from types import MappingProxyType

from kbwork.base.text import fold, nearest_words
from kbwork.tql import time_literals
from kbwork.tql import tree as t
from kbwork.tql.checker.names import Misnamed, NameChecker
from kbwork.tql.errors import SuggestedFix, TextSpan
from kbwork.tql.fields import NAMED, FieldKind
from kbwork.tql.kinds import fits, joined, kind_of, target_of
from kbwork.tql.normal_form import normal
from kbwork.tql.words import FOREIGN, FUNCTIONS, UNITS

UNIT_WORDS = {"day": "d", "week": "w", "month": "mo", "quarter": "q", "year": "y"} | {
    unit: unit for unit in UNITS
}
"""How units are called in functions -> the unit."""
_SIGNED: dict[type[t.Node], str] = {t.HandleNode: "person", t.LabelNode: "label", t.KeyNode: "issue"}
_PEOPLE_ME = frozenset({"me", "myself"})


class ValueChecker(NameChecker):
    """Checks values. What is kept symbolic: times, functions."""

    aliases: Mapping[str, FieldKind] = MappingProxyType({})
    """Columns that `select` named, without case, where they may be used."""

    def free(self, value: t.Value) -> t.Value:
        """A value that nothing is expected of: a bare word is a field."""
        alias = self.alias(value)
        if alias is not None:
            return alias
        if isinstance(value, t.WordNode | t.FieldNode):
            return self.column(value)
        if isinstance(value, t.CallNode):
            return self.call(value)
        return self._arithmetic(value) if isinstance(value, t.ArithmeticNode) else self._literal(value)

    def _literal(self, value: t.Value) -> t.Value:
        """What stands by itself: signs say whose name it is, a text in quotes may be a field's."""
        if isinstance(value, t.AggregateNode):
            return self.aggregate(value)
        if isinstance(value, t.StringNode):
            return self.quoted_column(value) or value
        if isinstance(value, t.HandleNode | t.LabelNode | t.KeyNode):
            return self.ref(_SIGNED[type(value)], value.text, value.span)
        if isinstance(value, t.NothingNode):
            raise Misnamed(value.span, "A value or a field stands here, not `empty`.")
        return value

    def alias(self, value: t.Value) -> t.AliasNode | None:
        """The column of the result that is meant, where such may be named."""
        name = value.text if isinstance(value, t.WordNode) else ""
        if isinstance(value, t.FieldNode):
            name = ".".join(value.path)
        kind = self.aliases.get(name.lower())
        return None if kind is None else t.AliasNode(name, kind, span=value.span)

    def aggregate(self, value: t.AggregateNode) -> t.AggregateNode:
        raise NotImplementedError

    def fit(self, value: t.Value, target: t.ColumnNode) -> t.Value:
        """The value as one of the target's kind. Raises Misnamed where it is none."""
        if isinstance(value, t.NothingNode):
            return value
        if isinstance(value, t.CallNode | t.ArithmeticNode | t.AggregateNode):
            return self.need_fit(self.free(value), target)
        try:
            column = self.maybe_column(value)
            if column is None and target.kind is not FieldKind.TEXT:
                column = self.column_of_issue(value)
        except Misnamed as unfit:
            return self._name_instead(value, target, unfit)
        if column is not None and (
            fits(kind_of(column), target) or target.kind not in NAMED | {FieldKind.TEXT}
        ):
            return self.need_fit(column, target)
        if target.kind in NAMED:
            return self._name(value, target)
        if isinstance(value, t.WordNode) and fold(value.text) == "null":
            missing = SuggestedFix(value.text, *FOREIGN["null"])
            raise Misnamed(value.span, "A missing value is called `empty`.", ("empty",), (missing,))
        fitters = {
            FieldKind.TEXT: self._text,
            FieldKind.NUMBER: self._number,
            FieldKind.DURATION: self._duration,
            FieldKind.TIME: self._time,
            FieldKind.DAY: self._time,
            FieldKind.BOOL: self._bool,
        }
        return fitters[target.kind](value, target)

    def need_fit(self, value: t.Value, target: t.ColumnNode) -> t.Value:
        """The checked value, if it is of the target's kind."""
        given = kind_of(value)
        if not fits(given, target):
            said = self.said(value.span) or normal(value)
            raise Misnamed(value.span, f"{said} is {given.kind}, {_what(target)} is {target.kind}.")
        return value

    def _name_instead(self, value: t.Value, target: t.ColumnNode, unfit: Misnamed) -> t.Value:
        """The name that a word spells where the field called so cannot be meant. Raises `unfit` where it is none."""
        if not isinstance(value, t.WordNode) or target.kind not in NAMED:
            raise unfit
        try:
            return self._name(value, target)
        except Misnamed:
            raise unfit from None

    def _name(self, value: t.Value, target: t.ColumnNode) -> t.Value:
        text = spelled(value)
        if text is None:
            raise Misnamed(value.span, f"{_what(target)} is {target.kind}; this is none.")
        if target.kind is FieldKind.PERSON and isinstance(value, t.WordNode) and fold(text) in _PEOPLE_ME:
            return t.CallNode("me", span=value.span)
        if target.choices:
            return self._choice(text, value.span, target)
        if isinstance(value, t.SubjectNode):
            return (
                self.keyed(value) if target.kind is FieldKind.KEY and value.kind == target.domain else value
            )
        domain = (
            "issue" if isinstance(value, t.KeyNode) and target.kind is FieldKind.SUBJECT else target.domain
        )
        return self.ref(domain, text, value.span) if domain else self.named("", (text,), text, value.span)

    def keyed(self, subject: t.SubjectNode) -> t.RefNode:
        """The thing that a subject names. Raises Misnamed where it is not there."""
        source = self.names.sources[self.names.sources.keyed[subject.kind]]
        self.need_module(source.module, f"`{subject.kind}:`", subject.span)
        return self.ref(subject.kind, subject.id, subject.span)

    def _choice(self, text: str, span: TextSpan, target: t.ColumnNode) -> t.RefNode:
        choices = target.choices
        form = fold(text).replace(" ", "_").replace("-", "_")
        begun = [name for name in choices if name.startswith(form)]
        found = [form] if form in choices else begun
        if len(found) == 1:
            return self.named(target.domain, (found[0],), found[0], span)
        near = nearest_words(text, choices)
        message = f"{_what(target)} is one of {', '.join(choices)}."
        raise Misnamed(
            span, message, choices, [SuggestedFix(self.said(span), name) for name in found or near]
        )

    def _text(self, value: t.Value, target: t.ColumnNode) -> t.Value:
        text = spelled(value)
        if text is None:
            raise Misnamed(value.span, f"{_what(target)} is a text.")
        return t.StringNode(text, span=value.span)

    def _number(self, value: t.Value, target: t.ColumnNode) -> t.Value:
        if isinstance(value, t.NumberNode):
            return value
        if isinstance(value, t.KeyNode | t.WordNode) and target.name == "number":
            raise Misnamed(value.span, "A number is the part of a key behind the dash.")
        raise Misnamed(value.span, f"{_what(target)} is a number.", ("a number",))

    def _duration(self, value: t.Value, target: t.ColumnNode) -> t.Value:
        if isinstance(value, t.DurationNode) or (isinstance(value, t.NumberNode) and value.value == 0):
            return value
        said = self.said(value.span)
        digits = said.rstrip("m")
        instead = [f"{digits}min"] if said.endswith("m") else [f"{digits}h", f"{digits}d"]
        suggestions = [SuggestedFix(said, text) for text in instead] if digits.isdecimal() else []
        message = f"{_what(target)} is a length of time, written as 30min, 2h, 3d or 1w."
        raise Misnamed(value.span, message, ("a length of time",), suggestions)

    def _time(self, value: t.Value, target: t.ColumnNode) -> t.Value:
        if isinstance(value, t.MomentNode | t.RelativeNode):
            return value
        if isinstance(value, t.NumberNode) and time_literals.year(value.text):
            return t.MomentNode(value.text, span=value.span)
        said = self.said(value.span)
        suggestions, message = (
            [],
            f"{_what(target)} is {target.kind}: write 2026-12-31, today, 2026-Q3 or -7d.",
        )
        text = spelled(value)
        date = time_literals.rewritten(text) if text else None
        if date:
            message, suggestions = f"Dates are written {date}.", [SuggestedFix(said, date)]
        elif isinstance(value, t.DurationNode):
            suggestions = [SuggestedFix(said, f"-{said}", "ago"), SuggestedFix(said, f"+{said}", "from now")]
        elif isinstance(value, t.StringNode) and time_literals.read(value.text):
            suggestions = [SuggestedFix(said, value.text)]
        raise Misnamed(value.span, message, ("a time",), suggestions)

    def _bool(self, value: t.Value, target: t.ColumnNode) -> t.Value:
        if isinstance(value, t.BooleanNode):
            return value
        raise Misnamed(value.span, f"{_what(target)} is true or false.", ("true", "false"))

    def _arithmetic(self, value: t.ArithmeticNode) -> t.Value:
        left, right = self.free(value.left), self.free(value.right)
        kinds = kind_of(left).kind, kind_of(right).kind
        if joined(value.op, *kinds) is None:
            raise Misnamed(value.span, f"`{value.op}` does not join {kinds[0]} and {kinds[1]}.")
        return t.ArithmeticNode(value.op, left, right, span=value.span)

    def call(self, call: t.CallNode) -> t.CallNode:
        """A function that exists, with arguments that fit."""
        if call.name.lower() == "bucket":
            return self._bucket(call)
        function = FUNCTIONS.get(call.name.lower())
        if function is None:
            raise self._no_function(call)
        self.need_module(function.module, f"{function.name}()", call.span)
        if not function.needs <= len(call.args) <= len(function.takes):
            raise Misnamed(call.span, f"It is written {function.call}.", (function.call,))
        args = tuple(
            self._argument(arg, takes) for arg, takes in zip(call.args, function.takes, strict=False)
        )
        return t.CallNode(function.name, args, span=call.span)

    def _no_function(self, call: t.CallNode) -> Misnamed:
        said = self.said(call.span)
        foreign = FOREIGN.get(fold(call.name))
        if foreign:
            instead, note = foreign
            return Misnamed(
                call.span, f"Write `{instead}`.", (instead,), (SuggestedFix(said, instead, note),)
            )
        near = nearest_words(call.name, [function.name for function in FUNCTIONS.values()])
        meant = f"; did you mean `{near[0]}`?" if near else "."
        suggestions = [SuggestedFix(call.name, name) for name in near]
        return Misnamed(call.span, f"There is no function `{call.name}`{meant}", near, suggestions)

    def _bucket(self, call: t.CallNode) -> t.CallNode:
        if len(call.args) < 2:
            raise Misnamed(call.span, "It is written bucket(field, number, ...).")
        column = self.free(call.args[0])
        target = kind_of(column)
        if target.kind not in {FieldKind.NUMBER, FieldKind.DURATION}:
            raise Misnamed(call.args[0].span, "A bucket is of a number or a length of time.")
        return t.CallNode(
            "bucket", (column, *(self.fit(arg, target) for arg in call.args[1:])), span=call.span
        )

    def _argument(self, value: t.Value, takes: str) -> t.Value:
        if takes == "unit":
            return self._unit(value)
        if takes == "offset":
            if isinstance(value, t.NumberNode | t.DurationNode | t.RelativeNode):
                return value
            raise Misnamed(value.span, "An offset is a number of units or a length of time.")
        if takes == "field":
            return self.need_fit(self.free(value), target_of(FieldKind.TIME))
        kind, domain = _ARGUMENTS.get(takes, (FieldKind.NAME, takes))
        return self.fit(value, target_of(kind, domain))

    def _unit(self, value: t.Value) -> t.Value:
        """A unit, or a sprint, release or milestone whose start or end is meant."""
        if isinstance(value, t.WordNode) and value.text.lower() in UNIT_WORDS:
            return t.WordNode(value.text.lower(), span=value.span)
        column = self.maybe_column(value)
        if isinstance(column, t.ColumnNode) and column.to in {"sprints", "releases", "milestones"}:
            return column
        units = (*UNIT_WORDS, "sprint", "release", "milestone")
        raise Misnamed(
            value.span, "A unit is day, week, month, quarter, year, or a sprint, release, milestone.", units
        )


def spelled(value: t.Value) -> str | None:
    """A literal as the name that it spells: `2.0` may be a release, `today` a label."""
    match value:
        case (
            t.StringNode()
            | t.WordNode()
            | t.NumberNode()
            | t.HandleNode()
            | t.LabelNode()
            | t.KeyNode()
            | t.MomentNode()
        ):
            return value.text
        case t.DurationNode():
            return normal(value)
        case t.FieldNode():
            return ".".join(value.path)
        case t.SubjectNode():
            return f"{value.kind}:{value.id}"
        case t.BooleanNode():
            return normal(value)
    return None


def _what(target: t.ColumnNode) -> str:
    return f"`{normal(target)}`" if target.name else "What stands here"


_ARGUMENTS = {
    "number": (FieldKind.NUMBER, ""),
    "from": (FieldKind.TIME, ""),
    "to": (FieldKind.TIME, ""),
    "person": (FieldKind.PERSON, "person"),
    "key": (FieldKind.KEY, "issue"),
}
"""What an argument is; all others are names of the domain called so."""
