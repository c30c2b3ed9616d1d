"""A snapshot for browsers and apps: the flags that they may see, with lists of keys hashed.

What a flag rests on comes along: prerequisites as hidden entries without their values, and segments. Hashing hides
lists from casual reading only, for keys that can be guessed can be tried.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from kbwork.flagengine import references
from kbwork.flagengine.clauses.operators import SEGMENT_MATCH
from kbwork.flagengine.contexts import USER
from kbwork.flagengine.deltas import Part
from kbwork.flagengine.evaluate import hashed_key

Data = dict[str, Any]


def reduced(data: Data, key_salt: str) -> Data:
    """`flags` and `segments` of a snapshot as a client-side ID sees them; all else of `data` stays."""
    return Reduction(data, key_salt).reduced


class _Piece(NamedTuple):
    """A flag or a segment as it is shown, what it was made of, and what it leads to."""

    source: Data
    is_hidden: bool
    shown: Data
    flags: tuple[str, ...]
    segments: tuple[str, ...]


class Reduction:
    """One snapshot reduced. What is the same object in the one before is the same object here."""

    def __init__(self, data: Data, key_salt: str, before: "Reduction | None" = None) -> None:
        self._flags = _objects(data.get("flags"))
        self._segments = _objects(data.get("segments"))
        self.key_salt = key_salt
        self._before: dict[Part, dict[str, _Piece]] = {"flags": {}, "segments": {}}
        if before is not None and before.key_salt == key_salt:
            self._before = before.pieces
        self.pieces: dict[Part, dict[str, _Piece]] = {"flags": {}, "segments": {}}
        self._take()
        self._before = {}
        self.reduced: Data = data | {
            "flags": {key: one.shown for key, one in self.pieces["flags"].items()},
            "segments": {key: one.shown for key, one in self.pieces["segments"].items()},
            "keySalt": key_salt,
            "hashedKeys": True,
        }

    def _take(self) -> None:
        """The flags that are shown, with all that they rest on.

        What waits stands in lists: a chain may be longer than calls go deep.
        """
        flags, segments = self.pieces["flags"], self.pieces["segments"]
        for key, flag in self._flags.items():
            if flag.get("clientSide") is True and flag.get("archived") is not True:
                flags[key] = self._flag(key, flag, is_hidden=False)
        waiting = [other for one in flags.values() if one.flags for other in one.flags]
        while waiting:
            key = waiting.pop()
            if key in self._flags and key not in flags:
                flags[key] = piece = self._flag(key, self._flags[key], is_hidden=True)
                waiting += piece.flags
        waiting = [other for one in flags.values() if one.segments for other in one.segments]
        while waiting:
            key = waiting.pop()
            if key in self._segments and key not in segments:
                segments[key] = piece = self._segment(key, self._segments[key])
                waiting += piece.segments

    def _flag(self, key: str, flag: Data, *, is_hidden: bool) -> _Piece:
        kept = self._before["flags"].get(key)
        if kept is not None and kept.source is flag and kept.is_hidden is is_hidden:
            return kept
        shown = self._hidden(flag) if is_hidden else self._shown(flag)
        wanted = [one.get("key") for one in _list(flag.get("prerequisites")) if type(one) is dict]
        others = tuple(other for other in wanted if type(other) is str)
        return _Piece(flag, is_hidden, shown, others, tuple(_asked(flag.get("rules"))))

    def _segment(self, key: str, segment: Data) -> _Piece:
        kept = self._before["segments"].get(key)
        if kept is not None and kept.source is segment:
            return kept
        return _Piece(segment, False, self._listed(segment), (), tuple(_asked(segment.get("rules"))))

    def _shown(self, flag: Data) -> Data:
        return self._hashed_rules(flag) | {"targets": self._entries(flag.get("targets"))}

    def _hidden(self, flag: Data) -> Data:
        """Only the indexes of its variations matter."""
        values = flag.get("variations")
        blank = [{"value": None} if type(one) is dict else one for one in _list(values)]
        return self._shown(flag) | {"hidden": True, "variations": blank if type(values) is list else values}

    def _listed(self, segment: Data) -> Data:
        found = self._hashed_rules(segment) | {
            name: self._keys(segment[name], USER) for name in ("included", "excluded") if name in segment
        }
        for name in ("includedContexts", "excludedContexts"):
            if name in segment:
                found[name] = self._entries(segment[name])
        return found

    def _hashed_rules(self, owner: Data) -> Data:
        rules = owner.get("rules")
        if type(rules) is not list:
            return dict(owner)
        return owner | {"rules": [self._rule(rule) for rule in rules]}

    def _rule(self, rule: Any) -> Any:
        if type(rule) is not dict or type(rule.get("clauses")) is not list:
            return rule
        return rule | {"clauses": [self._clause(clause) for clause in rule["clauses"]]}

    def _clause(self, clause: Any) -> Any:
        """Keys in a list are hashed; other operators need the key as it is, and stay readable."""
        if type(clause) is not dict or clause.get("op") != "in":
            return clause
        if references.path(clause.get("attribute")) != references.KEY:
            return clause
        return clause | {"values": self._keys(clause.get("values"), clause.get("contextKind"))}

    def _entries(self, entries: Any) -> Any:
        if type(entries) is not list:
            return entries
        return [
            entry | {"values": self._keys(entry.get("values"), entry.get("contextKind"))}
            if type(entry) is dict
            else entry
            for entry in entries
        ]

    def _keys(self, keys: Any, kind: Any) -> Any:
        if type(keys) is not list:
            return keys
        of = USER if kind is None else kind
        if type(of) is not str:
            return []
        return [hashed_key(self.key_salt, of, key) if type(key) is str else key for key in keys]


def _asked(rules: Any) -> Iterator[str]:
    """Keys of segments that a list of rules asks for, some of them more than once."""
    for rule in _list(rules):
        for clause in _list(rule.get("clauses")) if type(rule) is dict else ():
            if type(clause) is dict and clause.get("op") == SEGMENT_MATCH:
                yield from (key for key in _list(clause.get("values")) if type(key) is str)


def _objects(value: Any) -> dict[str, Data]:
    found = value if type(value) is dict else {}
    return {key: one for key, one in found.items() if type(one) is dict}


def _list(value: Any) -> list[Any]:
    return value if type(value) is list else []
