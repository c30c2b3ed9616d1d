"""Who and what lines of ours name, as they are called here."""

import re
from typing import Any

from kbwork.base.model import folded
from kbwork.db.tx import Read, Row
from kbwork.modules.imports.load.record_content import OWN
from kbwork.modules.imports.load.translate import RecordTranslator
from kbwork.modules.imports.model import Mapping

_PATHS = ("select", "multi_select", "cascade")
_NUMBERS = ("number", "money")
_WHOLE = ("bool", "datetime", "duration", "rating")
_TEXTS = ("text", "paragraph", "date", "url", "page", "asset")
_ISSUE = re.compile(r"([A-Z][A-Z0-9]{1,9})#([1-9][0-9]{0,12})")


class ReferenceMap:
    """For as long as one transaction. Nothing is known of what is not here."""

    def __init__(self, tx: Read, shaping: RecordTranslator, mapping: Mapping) -> None:
        self._tx = tx
        self._shaping = shaping
        self._mapping = mapping
        self._teams: dict[str, str | None] = {}
        self._erased: frozenset[str] | None = None

    def who(self, ref: str | None) -> str | None:
        """A member's id, an agent, a team, else the bare name; None for nobody, and for a team that is not here."""
        if not ref:
            return None
        if ref.startswith("team:"):
            return self.team(ref)
        return ref if ref == "system" else self._shaping.who(ref)

    def by(self, ref: str) -> str:
        """As `who`, for a column that is never empty."""
        return self.who(ref) or "system"

    def member(self, ref: str | None) -> str | None:
        """The id of a member who has or may have an account; None for everybody else."""
        found = self.who(ref)
        return found if found is not None and found.startswith("m_") and not self.is_erased(found) else None

    def is_erased(self, who: str) -> bool:
        """Whether this is a member who was erased: their work stays, and they have no part in anything."""
        if self._erased is None:
            self._erased = frozenset(self._tx.column("select id from member where state = 'erased'"))
        return who in self._erased

    def team(self, ref: str) -> str | None:
        """`team:<id>` of `team:<handle>`."""
        if ref not in self._teams:
            handle = ref.partition(":")[2]
            found = self._tx.value("select id from team where lower(handle) = lower(:handle)", handle=handle)
            self._teams[ref] = f"team:{found}" if found is not None else None
        return self._teams[ref]

    def field(self, key: str) -> Row | None:
        """The own field here that one of the source became."""
        named = self._mapping["fields"].get(key, OWN + key)
        if not named.startswith(OWN):
            return None
        return self._tx.one(
            "select * from field where key = :key and home = 'issue' and deleted_at is null",
            key=named.removeprefix(OWN),
        )

    def type(self, key: str) -> str:
        """The key here of a type of the source."""
        return self._mapping["types"].get(key) or key

    def lane(self, key: str) -> Row | None:
        """The lane here of one of the source."""
        key = self._mapping["statuses"].get(key, key)
        return self._tx.one("select * from lane where key = :key and heir is null", key=key)

    def element(self, field: Row, value: Any) -> Any:
        """An element of a field's value as it is kept; None where there is no such thing here."""
        kind = field["kind"]
        if kind in _PATHS:
            return self.option(field["id"], value)
        if kind in ("member", "members"):
            return self.member(value if isinstance(value, str) else None)
        if kind == "team":
            team = self.team(value) if isinstance(value, str) else None
            return int(team.partition(":")[2]) if team else None
        return value if _fits(kind, value) else None

    def option(self, field: int, path: Any) -> int | None:
        """The option behind the names of those that it stands under."""
        found: int | None = None
        for name in path if isinstance(path, list) else [path]:
            found = self._tx.value(
                "select id from field_option where field = :field and name_key = :name and parent is :parent"
                " and heir is null",
                field=field,
                name=folded(str(name)),
                parent=found,
            )
            if found is None:
                return None
        return found

    def here(self, value: Any, *, alone: bool = False) -> Any:
        """A value of JSON with people and teams as they are here; what is not here goes from lists. `alone`: members
        alone, where a bare name says nothing."""
        if isinstance(value, list):
            return [one for each in value if (one := self.here(each, alone=alone)) is not None]
        if not isinstance(value, dict):
            return value
        if set(value) == {"$who"} and isinstance(value["$who"], str):
            return self.member(value["$who"]) if alone else self.who(value["$who"])
        if set(value) == {"$team"} and isinstance(value["$team"], str):
            return self.team(value["$team"])
        return {name: self.here(one, alone=alone) for name, one in value.items()}


def _fits(kind: str, value: Any) -> bool:
    """Whether a value is of the sort that fields of this kind keep."""
    if kind in _NUMBERS:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind in _WHOLE:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, str) and kind in _TEXTS


def place(text: str) -> tuple[str, int] | None:
    """(key, number) of `WEB#12`."""
    found = _ISSUE.fullmatch(text)
    return (found[1], int(found[2])) if found else None
