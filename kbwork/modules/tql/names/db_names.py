"""What the names of a text mean for one caller: only what they see has a name."""

from collections.abc import Sequence

from kbwork.base.errors import NotFound
from kbwork.base.text import fold
from kbwork.db.tx import Read
from kbwork.modules import issues
from kbwork.modules.tql import ports
from kbwork.modules.tql.names import domains
from kbwork.modules.tql.names.bare_names import known_by_name
from kbwork.modules.tql.sources import DeclaredSource, own_fields, sources, there
from kbwork.tql.names import NamedThing, OwnFieldDef, SavedText
from kbwork.tql.sources import Sources


class DbNames:
    """Asks the tables for the names of what the caller sees."""

    def __init__(self, tx: Read) -> None:
        self._tx = tx

    @property
    def sources(self) -> Sources:
        return sources(self._tx).language

    def begins(self, domain: str, start: str) -> Sequence[NamedThing]:
        if domain == "issue":
            return self._issue(start)
        if not domains.covered(self._tx, domain):
            return []
        found = domains.meant(self._tx, domain, start)
        return found or (known_by_name(self._tx, fold(start)) if domain == "person" else [])

    def some(self, domain: str) -> Sequence[NamedThing]:
        if not domains.covered(self._tx, domain):
            return []
        return [named for named, _ in domains.spelled(self._tx, domain)]

    def things(self, domain: str, ids: frozenset[str]) -> Sequence[NamedThing]:
        return [named for named in self.some(domain) if named.id in ids]

    def gone(self, domain: str, ids: frozenset[str]) -> bool:
        return all(domains.gone(self._tx, domain, ident) for ident in ids)

    def own(self, source: str) -> Sequence[OwnFieldDef]:
        declared = self._told(source)
        return [] if declared is None else [f.own for f in own_fields(self._tx, declared.name).values()]

    def deleted(self, source: str) -> Sequence[OwnFieldDef]:
        declared = self._told(source)
        if declared is None or declared.declared.deleted is None:
            return []
        return declared.declared.deleted(self._tx)

    def _told(self, source: str) -> DeclaredSource | None:
        """A source of which the caller may know the own fields."""
        declared = sources(self._tx).get("issues" if source == "requests" else source)
        if declared is None or declared.needed.scope not in self._tx.caller.scopes:
            return None
        return declared if self._tx.caller.holds(declared.needed.module) else None

    def has(self, module: str) -> bool:
        return there(self._tx, module)

    def project(self, key: str) -> str:
        """The present key of a project. Raises NotFound where none is called so that the caller sees."""
        found = [named for named in self.some("project") if key.strip().upper() in (named.key, *named.former)]
        if not found:
            raise NotFound(f"There is no project {key!r} that you can see.")
        return found[0].key

    def view(self, name: str) -> SavedText | None:
        return ports.view(self._tx, name)

    def _issue(self, key: str) -> list[NamedThing]:
        dashed = "-" in key and "issues:read" in self._tx.caller.scopes
        row = issues.find(self._tx, key) if dashed else None
        if row is None:
            return []
        present = issues.key_of(self._tx, row)
        self._tx.memo["tql key", "issue", present] = row["id"]
        former = () if present == key.strip().upper() else (key.strip(),)
        return [NamedThing(present, present, key=present, former=former)]


def ident_of(tx: Read, domain: str, key: str) -> int | None:
    """The internal number of a thing by its present key; of an issue, of one that the caller sees."""

    def find() -> int | None:
        if domain == "issue":
            row = issues.find(tx, key)
            return None if row is None else int(row["id"])
        keyed = sources(tx).keyed(domain)
        if keyed is None:
            return None
        row_key = keyed.declared.key.format(row="y")
        found: int | None = tx.value(
            f"select y.id from {keyed.declared.table} y where {row_key} = :key", key=key
        )
        return found

    found: int | None = tx.memoized(("tql key", domain, key), find)
    return found
