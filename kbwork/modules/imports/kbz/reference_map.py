"""Who and what lines of ours name, as they are called here."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from kbwork.base.errors import Problem
from kbwork.base.text import folded
from kbwork.core.ports.archive import ArchivedList
from kbwork.db.rows import FieldRow, ProjectRow
from kbwork.db.tx import ConstraintViolated, Row, Write
from kbwork.modules import issues
from kbwork.modules.imports.kbz.manifest import Column, columns
from kbwork.modules.imports.load.record_content import OWN
from kbwork.modules.imports.load.translate import RecordTranslator
from kbwork.modules.imports.model import Mapping

Warn = Callable[[str, str], None]
Find = Callable[[str], int | None]
"""The id here of an issue of the source."""
Made = Callable[[str, str, ProjectRow, str], None]
"""Told what was made: sort, id at the source, project, subject."""


class ReferenceMap:
    """For as long as one transaction. Nothing is known of what is not here."""

    def __init__(  # noqa: PLR0913 - what a loader knows of one import, by name
        self, tx: Write, shaping: RecordTranslator, mapping: Mapping, *, warn: Warn, find: Find, made: Made
    ) -> None:
        self.tx = tx
        self.project: ProjectRow
        self.at = ""
        self.touched = False
        self._shaping = shaping
        self._mapping = mapping
        self._warn, self._find, self._made = warn, find, made
        self._home = ""
        self._lists: dict[str, ArchivedList] = {}
        self._became: dict[tuple[str, str], Any] = {}
        self._teams: dict[str, str | None] = {}
        self._erased: frozenset[str] | None = None
        self._keepers: dict[str, Callable[[Any], Any]] = {
            "person": self.who,
            "member": self.member,
            "doer": self._doer,
            "issue": self.of_archive,
            "peopled": lambda value: json.dumps(self.here(value), ensure_ascii=False),
            "json": partial(json.dumps, ensure_ascii=False),
        }

    def begin(self, project: ProjectRow, home: str, at: str, lists: dict[str, ArchivedList]) -> None:
        """What follows is of a line with these lists; `home` is its project at the source (`kbz:<org>/WEB`), `at` what
        the line is called there."""
        self.project, self._home, self.at, self._lists, self.touched = project, home, at, lists, False

    # -- people ------------------------------------------------------------------------------------------------

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
            self._erased = frozenset(self.tx.column("select id from member where state = 'erased'"))
        return who in self._erased

    def team(self, ref: str) -> str | None:
        """`team:<id>` of `team:<handle>`."""
        if ref not in self._teams:
            handle = ref.partition(":")[2]
            found = self.tx.value("select id from team where lower(handle) = lower(:handle)", handle=handle)
            self._teams[ref] = f"team:{found}" if found is not None else None
        return self._teams[ref]

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

    # -- rows by what they are called ------------------------------------------------------------------------------

    def of_archive(self, text: str | None) -> int | None:
        """The issue that `WEB#12` of the archive became."""
        return self._find(f"{self._home[: self._home.rfind('/') + 1]}{text}") if text else None

    def issue(self, text: str) -> int | None:
        """The issue that is `WEB#12` at the source: the one of it, else the one that has the key here."""
        found = self.of_archive(text)
        if found is not None:
            return found
        row = issues.find(self.tx, text.replace("#", "-"))
        return int(row["id"]) if row is not None else None

    def named(self, table: str, name: str, column: str = "key") -> int | None:
        """The row here that is called so: in words of the org as they were mapped, in those of a project its own."""
        match table:
            case "workflow":
                found = self._became.get((table, name))
            case "project" if name == self._home.rpartition("/")[2]:
                found = self.project["id"]
            case "project":
                found = self.tx.value("select project from project_key where key = :key", key=name)
            case "label" | "component":
                found = self.tx.value(
                    f"select id from {table} where name_key = :name and coalesce(project, :project) = :project"
                    " order by project is null",
                    name=folded(name),
                    project=self.project["id"],
                )
            case "lane":
                key = self.mapped(table, name)
                found = self.tx.value("select id from lane where key = :key and heir is null", key=key)
            case _:
                name = self.mapped(table, name)
                found = self.tx.value(f"select id from {table} where {column} = :name", name=name)
        return int(found) if found is not None else None

    def mapped(self, table: str, name: str) -> str:
        """What a lane or type of the source is to be here, by key; of other tables the same."""
        if table == "issue_type":
            return self._mapping["types"].get(name) or name
        return self._mapping["statuses"].get(name, name) if table == "lane" else name

    def key(self, table: str, name: str) -> str:
        """The key here of a lane or type of the source; its own where there is none."""
        key = self.mapped(table, name)
        return key if table != "lane" or self.named(table, name) is not None else name

    def field(self, key: str) -> FieldRow | None:
        """The own field here that one of the source became."""
        named = self._mapping["fields"].get(key, OWN + key)
        if not named.startswith(OWN):
            return None
        return self.tx.one(
            "select * from field where key = :key and home = 'issue' and deleted_at is null",
            FieldRow,
            key=named.removeprefix(OWN),
        )

    def is_left_out(self, table: str, name: str) -> bool:
        """Whether somebody asked that nothing here stands for it."""
        return table == "field" and self._mapping["fields"].get(name, OWN + name) == ""

    def become(self, table: str, name: str, here: Any) -> None:
        """From now on the name stands for the row with this key; of a workflow, which has none, this id."""
        match table:
            case "field":
                self._mapping["fields"][name] = OWN + here
            case "issue_type":
                self._mapping["types"][name] = here
            case "lane":
                self._mapping["statuses"][name] = here
            case _:
                self._became[table, name] = here

    # -- elements of lists -----------------------------------------------------------------------------------------

    def rows(self, name: str, elements: list[Any]) -> list[Row]:
        """The elements of a list of the line as rows, without what they hang on; not of what names what is not here."""
        declared = self._lists[name]
        parts = columns(declared)
        gone: list[str] = []
        values = [{parts[0].name: one} for one in elements] if declared.bare else elements
        found = [row for one in values if (row := self._row(parts, one, gone)) is not None]
        if declared.bare:
            found = [{parts[0].name: one} for one in dict.fromkeys(row[parts[0].name] for row in found)]
        if gone and declared.gone:
            self.warn(declared.gone.format(", ".join(gone[:20])))
        return found

    def _row(self, parts: list[Column], element: Row, gone: list[str]) -> Row | None:
        row = {}
        for column in parts:
            value = element[column.name]
            row[column.name] = self.kept(column, value)
            if row[column.name] is None and not column.optional:
                gone.append(str(value))
                return None
        return row

    def kept(self, column: Column, value: Any) -> Any:
        """A value as its column keeps it; None for what is not here."""
        ref = column.ref
        if ref is None or value is None:
            return int(value) if column.flag else value
        if ref.sort == "named":
            return self.named(ref.table, value, ref.column)
        if ref.sort == "person" and not column.optional:
            return self.by(value)
        return self._keepers[ref.sort](value)

    def given(self, column: Column, value: Any) -> Any:
        """A value as an operation takes it."""
        if column.ref is not None and column.ref.sort == "named":
            return self.key(column.ref.table, value)
        peopled = column.ref is not None and column.ref.sort == "peopled"
        return self.here(value, alone=True) if peopled else value

    def _doer(self, ref: str) -> str | None:
        """Who is to do something: nobody who was erased."""
        who = self.who(ref)
        return None if who is not None and self.is_erased(who) else who

    # -- what is said of it ----------------------------------------------------------------------------------------

    def attempt(self, what: str, lay: Callable[[], Any]) -> Any:
        """What `lay` answers; where it is refused that is left out, with a word, and None."""
        try:
            with self.tx.attempt():
                return lay()
        except (Problem, ConstraintViolated) as refused:
            why = refused.detail if isinstance(refused, Problem) else refused
            self.warn(f"{what} is left out: {why}")
            return None

    def made(self, what: str, external: str, subject: str) -> None:
        """Something was made: sort, id at the source, subject."""
        self._made(what, f"{self.at}/{external}", self.project, subject)

    def warn(self, why: str) -> None:
        """Say what is not as it was."""
        self._warn(self.at, why)
