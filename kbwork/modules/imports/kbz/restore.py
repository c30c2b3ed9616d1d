"""What lines of ours hold beside what records of every source have: put on what was made of them, as it was."""

from collections.abc import Iterable
from functools import partial
from typing import Any, cast

from kbwork.base.text import folded
from kbwork.core.operations import nested
from kbwork.core.ports.archive import FEW, ArchivedList, ArchiveHook
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Row, Write
from kbwork.modules import attachments, issues
from kbwork.modules.imports.kbz import manifest
from kbwork.modules.imports.kbz.manifest import LineShape, columns
from kbwork.modules.imports.kbz.reference_map import ReferenceMap
from kbwork.modules.imports.records import (
    AttachmentRecord,
    CommentRecord,
    IssueRecord,
    Outside,
    PastRecord,
    ProjectRecord,
    RelationMore,
)

_PROJECT, _ISSUE, _COMMENT = "projects.jsonl", "issues.jsonl", "comments.jsonl"


class ArchiveRestorer:
    """In one transaction."""

    def __init__(self, tx: Write, refs: ReferenceMap) -> None:
        self.tx = tx
        self._refs = refs
        hooks: list[ArchiveHook] = tx.registry.of(ArchiveHook)
        self._hooks = {(one.line, one.name): one.restored for one in hooks if one.restored is not None}

    def project(self, record: ProjectRecord, project: ProjectRow, *, new: bool) -> None:
        """Make what it speaks with where that is missing, and a project that is new what it was.

        Things of the org that are here stay as they are.
        """
        lists = self._begin(_PROJECT, project, record["id"], record["id"])
        line, ident = record["more"], project["id"]
        names = sorted(lists, key=lambda name: lists[name].late)
        words = [name for name in names if "." in name]
        self._restore(_PROJECT, words, ident, line)
        if new:
            self._hooks[_PROJECT, ""](self._refs, ident, line)
            self._restore(_PROJECT, [name for name in names if name not in words], ident, line)

    def columns(self, file: str, line: dict[str, Any]) -> Row:
        """Some members of a line, which names nothing that its project does not have, as columns of its row."""
        declared = columns(manifest.lines()[file].line)
        return {one.name: self._refs.kept(one, line[one.name]) for one in declared if one.name in line}

    def issue(self, ident: int, record: IssueRecord, project: ProjectRow) -> None:
        """Everything that the record says of an issue that was made with a title alone."""
        lists = self._begin(_ISSUE, project, record["project"], record["id"])
        parent = (record["parent"] or "").rpartition("/")[2]
        said = {"reporter": record["author"], "source": record["url"], "parent": parent or None}
        line = cast("Row", record) | record["more"] | said
        self._hooks[_ISSUE, ""](self._refs, ident, line)
        self._restore(_ISSUE, [name for name in lists if not lists[name].late], ident, line)

    def comment(self, ident: int, record: CommentRecord, parent: int | None, project: ProjectRow) -> None:
        """Everything that the record says of a comment that was made with its text alone."""
        lists = self._begin(_COMMENT, project, "", record["id"])
        line = cast("Row", record) | record["more"] | {"parent": parent}
        self._hooks[_COMMENT, ""](self._refs, ident, line)
        self._restore(_COMMENT, lists, ident, line)

    def relation(self, ends: tuple[str, str], kind: str, more: RelationMore) -> None:
        """When two issues, by subject, that were related now were so at the source, and by whom."""
        row = {name: more[name] for name in ("lag_days", "created_at")}
        issues.date_imported(self.tx, ends, kind, row | {"created_by": self._refs.by(more["created_by"])})

    def attachment(self, subject: str, record: AttachmentRecord, content: bytes) -> str:
        """Hang a file on a subject; answers its id."""
        row = {
            "name": record["name"],
            "content_type": record["content_type"],
            "size": len(content),
            "hash": bytes.fromhex(record["sha256"]),
            "created_at": record["created_at"] if record["created_at"] is not None else self.tx.now,
            "created_by": self._refs.by(record["author"] or ""),
        }
        return attachments.add_imported(self.tx, subject, row, content, record["text"])

    def past(self, ident: int, record: PastRecord, project: ProjectRow, *, touched: bool) -> None:
        """What an issue was, and what comes last. `touched`: somebody worked on it meanwhile, whose work stays."""
        lists = self._begin(_ISSUE, project, record["project"], record["id"])
        self._refs.touched = touched
        line = cast("Row", record)
        small = [name for name in lists if lists[name].late and lists[name].most <= FEW]
        if record["first"]:
            for one in record["outside"]:
                self._outside(ident, one)
            self._restore(_ISSUE, ["held", *small], ident, line | {"held": record["late"]})
            if not touched:
                issues.finish_imported(self.tx, ident, line)
        self._restore(_ISSUE, [name for name in lists if name in line and name not in small], ident, line)

    def _outside(self, ident: int, one: Outside) -> None:
        other = issues.find(self.tx, one["key"])
        if other is None:
            self._refs.warn(f"{one['relation']}: there is no {one['key']} here: the relation is left out.")
            return
        ends = (f"issue:{ident}", f"issue:{other['id']}")
        ends = (ends[1], ends[0]) if one["turned"] else ends
        issues.relate_imported(self.tx, ends[0], one["relation"], ends[1])
        self.relation(ends, one["relation"], one["more"])

    # -- lists --------------------------------------------------------------------------------------------------

    def _begin(self, file: str, project: ProjectRow, home: str, at: str) -> dict[str, ArchivedList]:
        lists = manifest.lines()[file].lists
        self._refs.begin(project, home, at, lists)
        return lists

    def _restore(self, file: str, names: Iterable[str], ident: int, line: Row) -> None:
        shape = manifest.lines()[file]
        for name in names:
            declared, elements = shape.lists[name], shape.elements(line, name)
            hook = self._hooks.get((file, name))
            if hook is not None:
                hook(self._refs, ident, elements)
            elif declared.saved_by and "." in name:
                for one in elements:
                    self._settle(declared, one)
            elif declared.saved_by:
                for one in elements:
                    what = declared.name[:-1]
                    self._refs.attempt(f"The {what} {one['name']}", partial(self._save, declared, what, one))
            elif declared.restored:
                self._insert(shape, declared, ident, elements)
            if file == _PROJECT:
                self.tx.memo.clear()

    def _insert(self, shape: LineShape, declared: ArchivedList, ident: int, elements: list[Any]) -> None:
        """Rows with no spans of their own: the past brings those. One that is there stays; others come behind."""
        by, subject = shape.hung_by(declared), shape.subject(declared)
        on = {by: f"{subject}{ident}" if subject else ident}
        rows = self._refs.rows(declared.name, elements)
        first = 0
        if rows and declared.numbered:
            last = f"select coalesce(max({declared.numbered}), -1) from {declared.table} where {by} = :{by}"
            first = self.tx.value(last, **on) + 1
        for number, row in enumerate(rows, first):
            columns = on | row | ({declared.numbered: number} if declared.numbered else {})
            names, values = ", ".join(columns), ", ".join(f":{name}" for name in columns)
            self.tx.execute(
                f"insert into {declared.table} ({names}) values ({values}) on conflict do nothing", **columns
            )

    def _settle(self, declared: ArchivedList, one: Row) -> None:
        """One of the org's things: that which is known here, of its key first, else a new one."""
        refs, table, what = self._refs, declared.table, declared.name.rpartition(".")[2]
        key = refs.mapped(table, one["key"])
        known = self.tx.value(
            f"select key from {table} where {declared.known} order by key <> :key",
            key=key,
            name=one["name"],
            folded=folded(one["name"]),
        )
        refs.become(table, one["key"], known or key)
        if known is None:
            nested.run(self.tx, declared.saved_by, _filled(one | {"key": key}))
            refs.made(what, f"{what[:-1].replace('_', '-')}/{one['key']}", f"{what[:-1]}:{key}")

    def _save(self, declared: ArchivedList, what: str, one: Row) -> None:
        """One of the project's things, of what the operation takes."""
        given = {"project": self._refs.project["key"]} | {
            column.name: self._refs.given(column, one[column.name]) for column in columns(declared)
        }
        taken = self.tx.registry.require(declared.saved_by).input.model_fields
        nested.run(
            self.tx, declared.saved_by, _filled({name: given[name] for name in given if name in taken})
        )
        if declared.noted:
            made = self.tx.value(f"select max(id) from {declared.table}")
            self._refs.made(declared.name, f"{what}/{one['name']}", f"{what}:{made}")


def _filled(value: Row) -> Row:
    """Without what is null or empty: an operation takes its own for that."""
    return {name: one for name, one in value.items() if one is not None and one != ""}
