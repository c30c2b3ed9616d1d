"""Grows trees of every shape the grammar has, and soups of its tokens."""

import random

from kbwork.tql import tree as t
from kbwork.tql.words import COLLECTIONS, FLAGS, RELATIONS, UNITS
from tests.tql.language import SOURCES

FIELDS = (
    ("status",),
    ("assignee",),
    ("parent", "status"),
    ("cf", "score"),
    ("cf", "in"),
    ("Due soon",),
    ("due",),
)
_PATHS = FIELDS[2:5]
WORDS = ("done", "in-review", "alpha", "v1.2", "1.2.3", "größe", "名前")
TEXTS = ("In review", 'say "hi"', "it's", "a\\b", "", "ends\\", "line\nbreak", "-- no comment")
MOMENTS = (
    "2026-10-01",
    "2026-10-01T09:30",
    "2026-10-01T09:30:01+02:00",
    "2026-10",
    "2026-W07",
    "2026-Q3",
    "today",
)
OPS: tuple[t.Op, ...] = ("=", "!=", "<", "<=", ">", ">=")


class Gardener:
    """Makes trees from one source of chance, within the limits of a text, out of these fields and words."""

    def __init__(
        self, seed: int, fields: tuple[tuple[str, ...], ...] = FIELDS, words: tuple[str, ...] = WORDS
    ) -> None:
        self.chance = random.Random(seed)
        self.fields = fields
        self.words = words
        self.nested = 0

    def query(self, depth: int = 2) -> t.QueryNode:
        pick, chance = self.chance.choice, self.chance.random
        name = pick(list(SOURCES.asked))
        source = t.SourceNode(name, self.operand(0) if name == "table" else None) if chance() < 0.3 else None
        return t.QueryNode(
            source,
            self.expr(depth) if chance() < 0.9 else None,
            tuple(self.item() for _ in range(pick((0, 0, 0, 2)))),
            tuple(self.value(1) for _ in range(pick((0, 0, 0, 2)))),
            self.expr(0) if chance() < 0.1 else None,
            tuple(
                t.OrderNode(self.value(1), chance() < 0.5, chance() < 0.3) for _ in range(pick((0, 0, 0, 2)))
            ),
            pick((None, None, 10)),
            self.operand(0) if chance() < 0.1 else None,
        )

    def item(self) -> t.ItemNode:
        of = self.value(0)
        name = self.chance.choice(("", "points", "done"))
        return t.ItemNode(
            self.chance.choice((of, t.AggregateNode("sum", of), t.AggregateNode("list", of, most=3))), name
        )

    def expr(self, depth: int) -> t.Expr:
        if depth <= 0:
            return self.primary(depth)
        kind = self.chance.choice(("and", "or", "not", "one", "one"))
        if kind == "one":
            return self.primary(depth)
        if kind == "not":
            return t.negation(self.expr(depth - 1))
        terms = [self.expr(depth - 1) for _ in range(self.chance.choice((2, 3)))]
        return t.conjunction(terms) if kind == "and" else t.disjunction(terms)

    def primary(self, depth: int) -> t.Expr:
        makers = (
            self.compare,
            self.compare,
            self.membership,
            self.was,
            self.changed,
            self.related,
            self.parts,
            self.plain,
        )
        return self.chance.choice(makers)(depth)

    def plain(self, _depth: int) -> t.Expr:
        pick = self.chance.choice
        return pick(
            (
                t.FlagNode(pick(FLAGS)),
                t.KeyNode("WEB-12"),
                t.TextNode(pick(TEXTS)),
                t.CallNode("similar", (t.KeyNode("WEB-1"),)),
                t.EmptyNode(self.left(), pick((True, False))),
                t.MatchNode(self.left(), pick(TEXTS), pick((True, False))),
                t.UnchangedNode(self.left(), self.duration()),
            )
        )

    def left(self) -> t.Value:
        field = t.FieldNode(self.chance.choice(self.fields))
        return t.ArithmeticNode("+", field, self.operand(0)) if self.chance.random() < 0.1 else field

    def compare(self, _depth: int) -> t.Expr:
        op, right = self.chance.choice(OPS), self.value(1)
        if self.chance.random() < 0.3:
            low, high = self.chance.choice(((right, None), (None, right), (right, self.value(1))))
            return t.WithinNode(self.left(), t.RangeNode(low, high), self.chance.random() < 0.3)
        return t.CompareNode(self.left(), op, right)

    def membership(self, depth: int) -> t.Expr:
        if self.chance.random() < 0.5:
            return t.MemberNode(self.left(), self.set(depth), self.chance.random() < 0.3)
        modes: tuple[t.Mode, ...] = ("all", "any", "none")
        return t.HasNode(self.left(), self.chance.choice(modes), self.set(depth))

    def was(self, depth: int) -> t.Expr:
        pick = self.chance.choice
        values = pick((self.value(0), self.listed(), t.NothingNode(), self.call()))
        held = (t.HeldNode(pick((">=", "<", "=")), self.duration()),) if pick((True, False)) else ()
        return t.WasNode(self.left(), values, pick((True, False)), self.whens(), self.actors(depth), held)

    def changed(self, depth: int) -> t.Expr:
        pick = self.chance.choice
        times: tuple[tuple[t.Op, int], ...] = pick(((), ((">=", 3),)))
        old, new = pick((None, self.value(0))), pick((None, self.value(0)))
        return t.ChangedNode(self.left(), old, new, self.whens(), self.actors(depth), times)

    def whens(self) -> tuple[t.WhenNode, ...]:
        words: tuple[t.WhenWord, ...] = ("before", "after", "since", "at", "on", "during")
        at: t.Value = self.chance.choice(
            (t.MomentNode("2026-10"), t.RelativeNode(True, ((3, "wd"),)), self.call())
        )
        if self.chance.random() < 0.3:
            return (t.WhenNode("during", t.RangeNode(at, self.chance.choice((None, t.MomentNode("today"))))),)
        return self.chance.choice(((), (t.WhenNode(self.chance.choice(words), at),)))

    def actors(self, depth: int) -> tuple[t.Value | t.Set, ...]:
        return self.chance.choice(((), (t.HandleNode("sam.k"),), (self.listed(),), (t.CallNode("me"),)))

    def related(self, depth: int) -> t.Expr:
        name = self.chance.choice(RELATIONS)
        kind = self.chance.choice(TEXTS) if name == "rel" else ""
        keys = tuple(
            self.chance.choice((t.KeyNode("WEB-1"), t.SubjectNode("page", "abc")))
            for _ in range(self.chance.choice((1, 2)))
        )
        to = self.chance.choice((None, t.ListedNode(keys), self.subquery(depth)))
        return t.RelatedNode(name, to, to is None and self.chance.random() < 0.5, kind)

    def parts(self, depth: int) -> t.Expr:
        name = self.chance.choice(list(COLLECTIONS))
        query = self.subquery(depth)
        within = query.query if query else None
        if within is None or self.chance.random() < 0.3:
            return t.PartsNode(name, "count", within, ">=", 2)
        return t.PartsNode(name, self.chance.choice(("any", "all", "none")), within)

    def subquery(self, depth: int) -> t.NestedNode | None:
        if self.nested >= 5 or depth <= 0:
            return None
        self.nested += 1
        return t.NestedNode(t.QueryNode(self.chance.choice((None, t.SourceNode("pages"))), self.compare(0)))

    def set(self, depth: int) -> t.Set:
        return self.chance.choice((self.listed(), self.call(), self.subquery(depth) or self.listed()))

    def listed(self) -> t.ListedNode:
        return t.ListedNode(tuple(self.value(0) for _ in range(self.chance.choice((0, 1, 3)))))

    def call(self) -> t.CallNode:
        args = (
            t.WordNode("core"),
            t.RelativeNode(True, ((1, "w"),)),
            t.CallNode("openSprints"),
            t.FieldNode(("parent", "due")),
        )
        name = self.chance.choice(("me", "membersOf", "unheardOf"))
        return t.CallNode(name, tuple(self.chance.sample(args, self.chance.choice((0, 1, 2)))))

    def duration(self) -> t.DurationNode:
        return t.DurationNode(
            tuple((self.chance.randint(1, 90), unit) for unit in self.chance.sample(UNITS, 2))
        )

    def value(self, depth: int) -> t.Value:
        if depth and self.chance.random() < 0.2:
            signs: tuple[t.ArithmeticOp, ...] = ("+", "-", "*", "/")
            return t.ArithmeticNode(self.chance.choice(signs), self.value(depth), self.value(depth - 1))
        return self.operand(depth)

    def operand(self, _depth: int) -> t.Value:
        pick = self.chance.choice
        return pick(
            (
                t.StringNode(pick(TEXTS)),
                t.WordNode(pick(self.words)),
                t.NumberNode(pick(("5", "1.50", "-3", "007", "2026"))),
                self.duration(),
                t.RelativeNode(pick((True, False)), ((7, "d"), (30, "min"))),
                t.MomentNode(pick(MOMENTS)),
                t.BooleanNode(pick((True, False))),
                t.HandleNode("sam.k-2"),
                t.LabelNode("a/b"),
                t.KeyNode("WEB-12"),
                t.SubjectNode("page", "abc"),
                t.FieldNode(pick(_PATHS)),
                self.call(),
            )
        )


_SAID = """
status assignee "Due soon" cf["in"] parent.status = != <> == : < <= > >= ~ !~ .. ( ) [ ] , . + - * / ! && || and or not
in is empty between has all any none was changed unchanged for from to by before after during 3 times 2026-10-01 2026-Q3
2026-13 today -7d 2h30min 1.2.3 31.12.2026 "a'b" 'c' "open @sam.k #bug WEB-12 page:abc me() membersOf(core) open done
blocked by children comments count sla (( where select count() sum(estimate) as of group by having order limit 10 desc
first rel login -mobile log* -- $ currentUser() null table(x)
"""
PIECES = (*_SAID.split(), "\n", "\u201c", "\x00", "é")


def soup(chance: random.Random) -> str:
    """Pieces of the language in no order, some glued to each other."""
    return "".join(
        chance.choice(PIECES) + chance.choice((" ", " ", " ", "")) for _ in range(chance.randint(1, 25))
    )


def noise(chance: random.Random) -> str:
    """Any characters at all."""
    return "".join(
        chr(chance.choice((chance.randint(1, 127), chance.randint(1, 0x2FFF))))
        for _ in range(chance.randint(1, 60))
    )
