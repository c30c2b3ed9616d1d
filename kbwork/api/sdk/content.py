"""What is sent of one version: the JSON of each flag and segment, made once while it stays, and joined.

Beside it stands which keys each of the last versions changed, so that whoever has one of them is sent what differs.
"""

import hashlib
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pydantic_core import to_json

from kbwork.flagengine.deltas import PARTS, Base, Part
from kbwork.flagengine.json_values import differing

_EDITION_BYTES: Final = 8
_ALL_EDITIONS: Final = 1 << 8 * _EDITION_BYTES
MOST_VERSIONS: Final = 100
"""So many versions that went by are known; who has an older one gets the whole."""


class _Past(NamedTuple):
    """A version that went by, and which keys the next one changed."""

    base: Base
    changed: Mapping[Part, frozenset[str]]


class SnapshotContent:
    """Data of a snapshot on their way to clients. What is the same object in the version before is not made anew."""

    def __init__(self, data: dict[str, Any], before: "SnapshotContent | None" = None) -> None:
        self.data = data
        self.texts: dict[Part, dict[str, bytes]] = {part: {} for part in PARTS}
        """By key, as members of an object."""
        self.total = 0
        """The sum of what is hashed of all members: a change moves it by what it takes and what it brings."""
        known: Mapping[Part, Any] = {part: {} for part in PARTS}
        if before is not None:
            self.texts = {part: dict(before.texts[part]) for part in PARTS}
            self.total, known = before.total, {part: before.data[part] for part in PARTS}
        changed = {part: self._changed(part, known[part]) for part in PARTS}
        self.base = Base(data["environment"]["version"], f"{self.total:0{2 * _EDITION_BYTES}x}")
        self._deltas: dict[int, bytes | None] = {}
        self.past: tuple[_Past, ...] = ()
        if before is not None and self.rest == before.rest:
            self.past = (*before.past, _Past(before.base, changed))[-MOST_VERSIONS:]

    def _changed(self, part: Part, before: dict[str, Any]) -> frozenset[str]:
        """The keys of what reads otherwise than before, which is made anew."""
        data, texts, changed = self.data[part], self.texts[part], set[str]()
        for key in differing(before, data):
            old = texts.pop(key, None)
            new = to_json(key) + b":" + to_json(data[key]) if key in data else None
            if new is not None:
                texts[key] = new
            if new != old:
                changed.add(key)
                self.total = (self.total + _hashed(part, new) - _hashed(part, old)) % _ALL_EDITIONS
        return frozenset(changed)

    @property
    def rest(self) -> dict[str, Any]:
        """What no delta tells of."""
        told = ("environment", *PARTS)
        return {name: value for name, value in self.data.items() if name not in told}

    @property
    def whole(self) -> bytes:
        """The JSON of the snapshot."""
        head = {**self.rest, "edition": self.base.edition, "environment": self.data["environment"]}
        return _with_parts(head, {part: b",".join(self.texts[part].values()) for part in PARTS})

    def since(self, version: int) -> bytes | None:
        """The JSON of what changed since a version; None where that is not known, or the whole is hardly larger."""
        if all(one.base.version != version for one in self.past):
            return None
        if version not in self._deltas:
            self._deltas[version] = self._told_since(version)
        return self._deltas[version]

    def _told_since(self, version: int) -> bytes | None:
        place = [one.base.version for one in self.past].index(version)
        every = self.past[place:]
        changed = {part: sorted(frozenset().union(*(one.changed[part] for one in every))) for part in PARTS}
        if 2 * sum(map(len, changed.values())) > sum(len(self.texts[part]) for part in PARTS) + 2:
            return None
        head = {
            "format": self.data["format"],
            "base": every[0].base._asdict(),
            "edition": self.base.edition,
            "environment": self.data["environment"],
            "removed": {
                part: [key for key in changed[part] if key not in self.texts[part]] for part in PARTS
            },
        }
        there = {
            part: [self.texts[part][key] for key in changed[part] if key in self.texts[part]]
            for part in PARTS
        }
        return _with_parts(head, {part: b",".join(texts) for part, texts in there.items()})


def _with_parts(head: dict[str, Any], members: Mapping[Part, bytes]) -> bytes:
    parts = b",".join(b'"%s":{%s}' % (part.encode(), members[part]) for part in PARTS)
    return b"%s,%s}" % (to_json(head)[:-1], parts)


def _hashed(part: Part, text: bytes | None) -> int:
    if text is None:
        return 0
    return int.from_bytes(hashlib.blake2b(text, digest_size=_EDITION_BYTES, person=part.encode()).digest())
