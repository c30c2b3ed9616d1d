"""A snapshot for browsers and apps: the flags that they may see, with lists of keys hashed.

What a flag rests on comes along: prerequisites as hidden entries without their values, and segments. Hashing hides
lists from casual reading only, for keys that can be guessed can be tried.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from kbwork.flagengine import references
from kbwork.flagengine.clauses.operators import SEGMENT_MATCH
from kbwork.flagengine.contexts import USER
from kbwork.flagengine.evaluate import hashed_key

Data = dict[str, Any]


def reduced(data: Data, key_salt: str) -> Data:
    """`flags` and `segments` of a snapshot as a client-side ID sees them; all else of `data` stays."""
    reduction = _Reduction(data, key_salt)
    reduction.take()
    return data | {
        "flags": reduction.flags,
        "segments": reduction.segments,
        "keySalt": key_salt,
        "hashedKeys": True,
    }


class _Reduction:
    def __init__(self, data: Data, key_salt: str) -> None:
        self._flags = _objects(data.get("flags"))
        self._segments = _objects(data.get("segments"))
        self._salt = key_salt
        self.flags: Data = {}
        self.segments: Data = {}

    def take(self) -> None:
        """The flags that are shown, with all that they rest on.

        What waits stands in lists: a chain may be longer than calls go deep.
        """
        shown = [
            key
            for key, flag in self._flags.items()
            if flag.get("clientSide") is True and flag.get("archived") is not True
        ]
        self._take_flags(shown)
        self._take_segments(_asked(self._flags[key].get("rules") for key in self.flags))

    def _take_flags(self, shown: list[str]) -> None:
        open_, waiting = frozenset(shown), shown[::-1]
        while waiting:
            key = waiting.pop()
            if key in self.flags:
                continue
            flag = self._flags[key]
            self.flags[key] = self._shown(flag) if key in open_ else self._hidden(flag)
            wanted = [one.get("key") for one in _list(flag.get("prerequisites")) if type(one) is dict]
            waiting += [other for other in wanted[::-1] if type(other) is str and other in self._flags]

    def _take_segments(self, keys: Iterable[str]) -> None:
        waiting = list(keys)[::-1]
        while waiting:
            key = waiting.pop()
            segment = self._segments.get(key)
            if segment is None or key in self.segments:
                continue
            self.segments[key] = self._segment(segment)
            waiting += list(_asked([segment.get("rules")]))[::-1]

    def _shown(self, flag: Data) -> Data:
        return self._hashed_rules(flag) | {"targets": self._entries(flag.get("targets"))}

    def _hidden(self, flag: Data) -> Data:
        """Only the indexes of its variations matter."""
        values = flag.get("variations")
        blank = [{"value": None} if type(one) is dict else one for one in _list(values)]
        return self._shown(flag) | {"hidden": True, "variations": blank if type(values) is list else values}

    def _segment(self, segment: Data) -> Data:
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
        return [hashed_key(self._salt, of, key) if type(key) is str else key for key in keys]


def _asked(lists: Iterable[Any]) -> Iterator[str]:
    """Keys of segments that such lists of rules ask for, some of them more than once."""
    for rules in lists:
        for rule in _list(rules):
            for clause in _list(rule.get("clauses")) if type(rule) is dict else ():
                if type(clause) is dict and clause.get("op") == SEGMENT_MATCH:
                    yield from (key for key in _list(clause.get("values")) if type(key) is str)


def _objects(value: Any) -> dict[str, Data]:
    found = value if type(value) is dict else {}
    return {key: one for key, one in found.items() if type(one) is dict}


def _list(value: Any) -> list[Any]:
    return value if type(value) is list else []
