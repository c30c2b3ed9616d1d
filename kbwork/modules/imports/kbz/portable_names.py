"""What things of a data file are called in a kbz file: names that mean the same in another org."""

import hashlib
import re
from collections.abc import Iterable
from typing import Any

from kbwork.core import named
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Read, Row

_ISSUE_KEY = re.compile(r"([A-Z][A-Z0-9]{1,9})-([1-9][0-9]{0,12})")
_TEAM = re.compile(r"team:[0-9]{1,15}")
_AT_ONCE = 100_000
_BARE = """
select reporter from issue where project = :project union select created_by from issue where project = :project
union select a.who from issue_assignee a join issue i on i.id = a.issue where i.project = :project
union select c.author from comment c join issue i on c.subject = 'issue:' || i.id where i.project = :project
"""


def org(tx: Read) -> str:
    """What tells this org from others for good: made of its first member, who stays even when they are erased."""
    first = tx.value("select id from member order by created_at, id limit 1") or ""
    return hashlib.blake2b(f"kbz:{first}".encode(), digest_size=6).hexdigest()


class People:
    """Whoever is named in a file, by the identity in the data file, and which names are taken. `erased` are called by
    nothing but that identity."""

    def __init__(self, erased: Iterable[str] = ()) -> None:
        self.known: dict[str, Row] = {}
        self.called: set[str] = set()
        self.erased = frozenset(erased)


class PortableNames:
    """Of one project. Whoever is named is one of `people` afterwards."""

    def __init__(self, tx: Read, project: ProjectRow, people: People) -> None:
        self.tx = tx
        self.project = project
        self.people = people.known
        self._erased = people.erased
        self._called = people.called
        self._called.update(name for name in tx.column(_BARE, project=project["id"]) if not _identity(name))
        self._issues: dict[int, str] = {}
        self._rows: dict[tuple[str, int], str | None] = {}
        self.keys = set(tx.column("select key from project_key where project = :id", id=project["id"]))
        """The keys that the project has or had."""

    def who(self, ref: str | None) -> str | None:
        """The id of somebody; None for nobody."""
        if not ref:
            return None
        if _TEAM.fullmatch(ref):
            return self.team(int(ref_of(ref)[1]))
        if ref not in self.people:
            self.people[ref] = self._person(ref)
        called: str = self.people[ref]["id"]
        return called

    def by(self, ref: str) -> str:
        """As `who`, for a column that is never empty."""
        return self.who(ref) or "system"

    def _person(self, ref: str) -> Row:
        if ref in self._erased:
            return {"id": ref, "name": named.FORMER_MEMBER, "known": ref, "handle": None, "email": None}
        row = self.tx.one("select name, handle, email from member where id = :id", id=ref)
        if row is None and ref.startswith("customer:"):
            name = self.tx.value("select name from customer where 'customer:' || id = :ref", ref=ref)
            ref = f"{name or 'somebody'} (customer)"  # a number means another one elsewhere
        if row is None:
            return {"id": ref[:500], "name": ref[:500], "known": ref[:500], "handle": None, "email": None}
        name = row["name"][:400] or row["handle"]
        free = (
            one for one in (name, f"{name} ({row['handle']})", f"{name} {ref}") if one not in self._called
        )
        called = next(free)
        self._called.add(called)
        return {
            "id": called,
            "name": name,
            "known": ref,
            "handle": row["handle"] or None,
            "email": row["email"],
        }

    def team(self, ident: int) -> str | None:
        """`team:<handle>`; None for one that is gone."""
        handle = self.tx.value("select handle from team where id = :id", id=ident)
        return f"team:{handle}" if handle is not None else None

    def issue(self, ident: int | None) -> str | None:
        """`WEB#12`, whichever project it is of; None for none and for one in the trash."""
        if ident is None:
            return None
        if ident not in self._issues:
            if len(self._issues) > _AT_ONCE:
                self._issues.clear()
            self._issues[ident] = (
                self.tx.value(
                    "select p.key || '#' || i.number from issue i join project p on p.id = i.project"
                    " where i.id = :id and i.deleted_at is null and p.deleted_at is null",
                    id=ident,
                )
                or ""
            )
        return self._issues[ident] or None

    def named(self, table: str, ident: int | None, column: str = "key") -> str | None:
        """What a row of a table is called; None for none and for one that is gone."""
        if ident is None:
            return None
        if (table, ident) not in self._rows:
            self._rows[table, ident] = self.tx.value(f"select {column} from {table} where id = :id", id=ident)
        return self._rows[table, ident]

    def key(self, text: str) -> str:
        """`WEB-12` as `WEB#12`, where that is an issue of the project."""
        found = _ISSUE_KEY.fullmatch(text)
        if found is None or found[1] not in self.keys:
            return text
        return f"{self.project['key']}#{found[2]}"

    def told(self, value: Any) -> Any:
        """A value of JSON, in which people become `{"$who": id}`, teams `{"$team": name}`."""
        if isinstance(value, dict):
            return {name: self.told(one) for name, one in value.items()}
        if isinstance(value, list):
            return [self.told(one) for one in value]
        if isinstance(value, str) and value.startswith("m_") and self._is_member(value):
            return {"$who": self.who(value)}
        if isinstance(value, str) and _TEAM.fullmatch(value):
            return {"$team": self.who(value)}
        return value

    def _is_member(self, ref: str) -> bool:
        return ref in self.people or self.tx.one("select 1 from member where id = :id", id=ref) is not None


def _identity(name: str) -> bool:
    return name.startswith("m_") or ":" in name
