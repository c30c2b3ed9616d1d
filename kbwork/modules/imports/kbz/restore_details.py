"""What issues and comments of ours have beside those of every source: put on them when they are made, as it was."""

from collections.abc import Callable, Mapping
from typing import Any

from kbwork.base.errors import InvalidInput
from kbwork.base.model import folded
from kbwork.core.operations.dispatch import run_as_operation
from kbwork.db.tx import Row, Write
from kbwork.modules import attachments, checklists, issues
from kbwork.modules.imports.kbz import line_types
from kbwork.modules.imports.kbz.reference_map import ReferenceMap, place
from kbwork.modules.imports.records import (
    AttachmentRecord,
    CommentRecord,
    IssueRecord,
    Outside,
    PastRecord,
    RelationMore,
)

Warn = Callable[[str, str], None]
Find = Callable[[str], int | None]
"""The id here of an issue of the source."""


class DetailRestorer:
    """In one transaction."""

    def __init__(self, tx: Write, folk: ReferenceMap, warn: Warn, find: Find) -> None:
        self.tx = tx
        self._folk = folk
        self._warn = warn
        self._find = find
        self._source = ""
        """Before the key of a project in the ids of the source."""

    # -- an issue when it is made -------------------------------------------------------------------------

    def issue(self, ident: int, record: IssueRecord, project: Row) -> None:
        """Everything that the record says of an issue that was made with a title alone."""
        more = record["more"]
        self._source = _source(record["project"])
        self._columns(ident, record, more)
        self._sets(ident, record, project)
        self._held(ident, record["id"], more["held"])
        self._people(ident, more)
        self._texts(ident, more)
        self._beside(ident, record, project, more)

    def _columns(self, ident: int, record: IssueRecord, more: line_types.KbzIssueMore) -> None:
        row = self.tx.stored("issue", [ident]) or {}
        kept = row["number"] == record["number"]
        taken = self.tx.value(
            "select 1 from issue where project = :project and external = :external",
            project=row["project"],
            external=more["external"],
        )
        done = row["category"] == "done"
        self.tx.execute(
            "update issue set body = :body, body_doc = :body_doc, priority = :priority, reporter = :reporter,"
            " created_by = :created_by, parent = :parent, estimate = :estimate, start_date = :start_date,"
            " due_date = :due_date, rank = :rank, level = :level, source = :source, external = :external,"
            " outcome = :outcome, done_at = :done_at, status_at = :status_at, started_at = :started_at where id = :id",
            id=ident,
            body=record["body"],
            body_doc=self._document(record["id"], record["body"], more["body_doc"]),
            priority=record["priority"] if record["priority"] in _PRIORITIES else "none",
            reporter=self._folk.by(record["author"] or ""),
            created_by=self._folk.by(more["created_by"]),
            parent=self._parent(row, record),
            estimate=None if record["estimate"] is None else float(record["estimate"]),
            start_date=record["start_date"],
            due_date=record["due_date"],
            rank=more["rank"] if kept else row["rank"],
            level=self._level(record["id"], more["level"]),
            source=record["url"],
            external=more["external"] if more["external"] and taken is None else record["id"],
            outcome=record["outcome"] if done else None,
            done_at=(record["done_at"] or row["done_at"]) if done else None,
            status_at=more["status_at"],
            started_at=more["started_at"],
        )

    def _document(self, at: str, body: str, document: str | None) -> str | None:
        """A rich document; none where it is not one."""
        try:
            return issues.document(body, document)
        except InvalidInput as refused:
            self._warn(at, f"Its text is kept without its form: {refused.detail}")
            return None

    def _parent(self, row: Row, record: IssueRecord) -> int | None:
        above = self._find(record["parent"]) if record["parent"] else None
        if above is None:
            return None
        level = self.tx.value("select level_no from issue where id = :id", id=above)
        if level > row["level_no"]:
            return above
        self._warn(record["id"], "Its parent's type does not stand above its own: it has no parent here.")
        return None

    def _level(self, at: str, level: str | None) -> str | None:
        """Who sees it: what is for a team that is not here is for nobody but those it names."""
        if level is None or not level.startswith("team:"):
            return level if level in ("public", "private") else None
        found = self._folk.team(level)
        if found is None:
            self._warn(at, f"It is for the team {level.partition(':')[2]}, which is not here: it is private.")
        return found or "private"

    def _sets(self, ident: int, record: IssueRecord, project: Row) -> None:
        labels = {
            row["name_key"]: row["id"]
            for row in self.tx.all(
                "select * from label where project is null or project = :id order by project is not null",
                id=project["id"],
            )
        }
        for name in record["labels"]:
            if (label := labels.get(folded(name))) is not None:
                self._add("issue_label", issue=ident, label=label)
        for name in record["components"]:
            component = self.tx.value(
                "select id from component where project = :project and name_key = :name",
                project=project["id"],
                name=folded(name),
            )
            if component is not None:
                self._add("issue_component", issue=ident, component=component)
        for position, who in enumerate(dict.fromkeys(self._folk.by(who) for who in record["assignees"])):
            self._add("issue_assignee", issue=ident, who=who, position=position)

    def _held(self, ident: int, at: str, held: list[line_types.KbzFieldValue]) -> None:
        gone = set()
        forgotten = self._is_forgotten(ident)
        for one in held:
            field = self._folk.field(one["field"])
            if field is not None and field["personal"] and forgotten:
                continue
            value = self._element(field, one["value"]) if field is not None else None
            if field is None or value is None:
                gone.add(one["field"])
                continue
            self._add(
                "issue_value",
                issue=ident,
                field=field["id"],
                position=one["position"],
                value=value,
                unit=one["unit"],
            )
        if gone:
            self._warn(at, f"Not here, and left out, is what these fields held: {', '.join(sorted(gone))}.")

    def _is_forgotten(self, ident: int) -> bool:
        """Whether whoever reported an issue was erased: personal fields hold nothing of them."""
        return self._folk.is_erased(str(self.tx.value("select reporter from issue where id = :id", id=ident)))

    def _element(self, field: Row, value: Any) -> Any:
        if field["kind"] == "issue":
            return self._issue_at(value) if isinstance(value, str) else None
        return self._folk.element(field, value)

    def _issue_at(self, text: str) -> int | None:
        """The issue that is `WEB#12` at the source: the one of it, else the one that has the key here."""
        found = self._find(f"{self._source}{text}")
        if found is not None or (named := place(text)) is None:
            return found
        row = issues.find(self.tx, f"{named[0]}-{named[1]}")
        return int(row["id"]) if row is not None else None

    def _people(self, ident: int, more: line_types.KbzIssueMore | PastRecord) -> None:
        for watcher in more["watchers"]:
            if who := self._folk.member(watcher["who"]):
                self._add("issue_watcher", issue=ident, who=who, reason=watcher["reason"], at=watcher["at"])
        for vote in more["votes"]:
            if who := self._folk.member(vote["who"]):
                self._add("issue_vote", issue=ident, who=who, at=vote["at"])

    def _texts(self, ident: int, more: line_types.KbzIssueMore | PastRecord) -> None:
        for one in more["revisions"]:
            self._add(
                "issue_revision",
                issue=ident,
                revision=one["revision"],
                at=one["at"],
                who=self._folk.by(one["who"]),
                via=one["via"],
                title=one["title"],
                body=one["body"],
            )

    def _beside(self, ident: int, record: IssueRecord, project: Row, more: line_types.KbzIssueMore) -> None:
        for link in more["links"]:
            told = {"issue": ident, **link, "created_by": self._folk.by(link["created_by"])}
            self._add("web_link", **told)
        gone = []
        for one in more["assets"]:
            asset = self.tx.value("select id from asset where key = :key", key=one["asset"])
            if asset is None:
                gone.append(one["asset"])
                continue
            self._add(
                "asset_issue",
                asset=asset,
                issue=ident,
                role=one["role"],
                created_at=one["created_at"],
                created_by=self._folk.by(one["created_by"]),
            )
        if gone:
            self._warn(record["id"], f"Not here are the assets {', '.join(gone[:20])}: it is not about them.")
        for number in more["former_numbers"]:
            free = self.tx.value(
                "select 1 from issue where project = :project and number = :number",
                project=project["id"],
                number=number,
            )
            if free is None:
                self._add("former_number", project=project["id"], number=number, issue=ident)

    def _add(self, table: str, **columns: Any) -> int:
        """A row with no span of its own: the past brings those. Answers 0 where there is such a row."""
        names = ", ".join(columns)
        values = ", ".join(f":{name}" for name in columns)
        return self.tx.execute(
            f"insert into {table} ({names}) values ({values}) on conflict do nothing", **columns
        )

    # -- a comment, a relation, a file --------------------------------------------------------------------

    def comment(self, ident: int, record: CommentRecord, parent: int | None) -> None:
        """Everything that the record says of a comment that was made with its text alone."""
        more = record["more"]
        subject = self.tx.value("select subject from comment where id = :id", id=ident)
        taken = self.tx.value(
            "select 1 from comment where subject = :subject and external = :external and id <> :id",
            subject=subject,
            external=more["external"],
            id=ident,
        )
        stub = more["stub"]
        external = more["external"] if more["external"] and taken is None else record["id"]
        self.tx.execute(
            "update comment set author = :author, body = :body, body_doc = :body_doc, edited_at = :edited_at,"
            " internal = :internal, parent = :parent, anchor = :anchor, resolved_at = :resolved_at,"
            " resolved_by = :resolved_by, stub = :stub, external = :external where id = :id",
            id=ident,
            author="" if stub else self._folk.by(record["author"] or ""),
            body="" if stub else record["body"],
            body_doc=None if stub else self._document(record["id"], record["body"], more["body_doc"]),
            edited_at=more["edited_at"],
            internal=int(record["internal"]),
            parent=parent,
            anchor=more["anchor"],
            resolved_at=more["resolved_at"],
            resolved_by=self._folk.who(more["resolved_by"]),
            stub=int(stub),
            external=None if stub else external,
        )
        if stub:
            at = more["deleted_at"] or self.tx.now
            self.tx.execute("update comment set deleted_at = :at where id = :id", at=at, id=ident)
        for one in more["reactions"]:
            if who := self._folk.member(one["who"]):
                self._add("reaction", comment=ident, who=who, emoji=one["emoji"], at=one["at"])

    def relation(self, ends: tuple[str, str], kind: str, more: RelationMore) -> None:
        """When two issues, by subject, that were related now were so at the source, and by whom."""
        src, dst = (int(end.partition(":")[2]) for end in ends)
        self.tx.execute(
            "update relation set lag_days = :lag, created_at = :at, created_by = :by where"
            " (src = :src and dst = :dst or src = :dst and dst = :src) and kind in"
            " (select id from relation_kind where :kind in (key, name, inverse))",
            lag=more["lag_days"],
            at=more["created_at"],
            by=self._folk.by(more["created_by"]),
            src=src,
            dst=dst,
            kind=kind,
        )

    def attachment(self, subject: str, record: AttachmentRecord, content: bytes) -> str:
        """Hang a file on a subject; answers its id."""
        row = {
            "name": record["name"],
            "content_type": record["content_type"],
            "size": len(content),
            "hash": bytes.fromhex(record["sha256"]),
            "created_at": record["created_at"] if record["created_at"] is not None else self.tx.now,
            "created_by": self._folk.by(record["author"] or ""),
        }
        return attachments.add_imported(self.tx, subject, row, content, record["text"])

    # -- when all else is there ---------------------------------------------------------------------------

    def past(self, ident: int, record: PastRecord, *, touched: bool) -> None:
        """What an issue was, and what comes last. `touched`: somebody worked on it meanwhile, whose work stays."""
        self._source = _source(record["project"])
        if record["first"]:
            self._at_last(ident, record, touched=touched)
        self._people(ident, record)
        self._texts(ident, record)
        self._spans(ident, record["spans"], touched=touched)
        self._history(ident, record["history"])

    def _at_last(self, ident: int, record: PastRecord, *, touched: bool) -> None:
        for one in record["outside"]:
            self._outside(ident, record["id"], one)
        self._held(ident, record["id"], record["late"])
        checklists.add_imported(self.tx, ident, [self._check(one) for one in record["checks"]])
        if touched:
            return
        self.tx.execute("delete from span where subject = :subject", subject=f"issue:{ident}")
        self.tx.execute(
            "update issue set updated_at = coalesce(:updated_at, updated_at), archived_at = :archived_at,"
            " locked = :locked, lock_reason = :lock_reason where id = :id",
            id=ident,
            updated_at=record["updated_at"],
            archived_at=record["archived_at"],
            locked=int(record["locked"]),
            lock_reason=record["lock_reason"],
        )

    def _check(self, one: line_types.KbzCheck) -> dict[str, Any]:
        return {
            **one,
            "assignee": self._doing(one["assignee"]),
            "done_by": self._folk.who(one["done_by"]),
            "promoted": self._find(f"{self._source}{one['promoted']}") if one["promoted"] else None,
            "created_by": self._folk.by(one["created_by"]),
        }

    def _doing(self, ref: str | None) -> str | None:
        """Who is to do something: nobody who was erased."""
        who = self._folk.who(ref)
        return None if who is not None and self._folk.is_erased(who) else who

    def _outside(self, ident: int, at: str, one: Outside) -> None:
        other = issues.find(self.tx, one["key"])
        if other is None:
            self._warn(at, f"{one['relation']}: there is no {one['key']} here: the relation is left out.")
            return
        ends = (f"issue:{ident}", f"issue:{other['id']}")
        ends = (ends[1], ends[0]) if one["turned"] else ends
        issues.relate_imported(self.tx, ends[0], one["relation"], ends[1])
        self.relation(ends, one["relation"], one["more"])

    def _spans(self, ident: int, spans: list[line_types.KbzSpan], *, touched: bool) -> None:
        """What was held when, in place of what the making of it here wrote down."""
        subject = f"issue:{ident}"
        for one in spans:
            if touched and one["to_at"] is None:
                continue
            found = self._spanned(ident, one)
            if found is not None:
                self.tx.execute(
                    "insert into span (subject, field, value, from_at, to_at, by)"
                    " values (:subject, :field, :value, :from_at, :to_at, :by)",
                    subject=subject,
                    field=found[0],
                    value=str(found[1]),
                    from_at=one["from_at"],
                    to_at=one["to_at"],
                    by=self._folk.by(one["by"]),
                )

    def _spanned(self, ident: int, one: line_types.KbzSpan) -> tuple[str, Any] | None:
        """(field, value) as they are kept; None for what is not here."""
        field, value = one["field"], one["value"]
        if field.startswith("field:"):
            own = self._folk.field(field.partition(":")[2])
            if own is not None and own["personal"] and self._is_forgotten(ident):
                return None
            found = self._element(own, value) if own is not None else None
            return (f"field:{own['id']}", found) if own is not None and found is not None else None
        if not isinstance(value, str):
            return None
        found = self._value(ident, field, value)
        return (field, found) if found is not None else None

    def _value(self, ident: int, field: str, value: str) -> Any:
        if field in ("lane", "type", "label", "component"):
            return self._word(ident, field, value)
        if field == "project":
            return self._project(ident, value)
        if field == "parent":
            return self._issue_at(value)
        if field in ("assignee", "reporter") or value.startswith("team:"):
            return self._folk.who(value)
        return value

    def _word(self, ident: int, field: str, value: str) -> int | None:
        if field == "lane":
            row = self._folk.lane(value)
            found = row["id"] if row is not None else None
        elif field == "type":
            key = self._folk.type(value)
            found = self.tx.value("select id from issue_type where key = :key", key=key)
        else:
            found = self.tx.value(
                f"select t.id from {field} t join issue i on i.id = :id where t.name_key = :name"
                " and coalesce(t.project, i.project) = i.project",
                id=ident,
                name=folded(value),
            )
        return int(found) if found is not None else None

    def _project(self, ident: int, key: str) -> int | None:
        """The project that it is in, or was in."""
        own = self.tx.one(
            "select i.project, m.external from issue i join import_item m on m.subject = 'issue:' || i.id"
            " where i.id = :id order by m.id desc limit 1",
            id=ident,
        )
        if own is not None and own["external"].startswith(f"{self._source}{key}#"):
            return int(own["project"])
        found = self.tx.value("select project from project_key where key = :key", key=key)
        return int(found) if found is not None else None

    def _history(self, ident: int, history: list[line_types.KbzChange]) -> None:
        """The changes that issues.history tells, for the history alone: nobody hears of them."""
        update = self.tx.registry.require("issues.update")

        def tell(tx: Write) -> None:
            for one in history:
                issues.backfill_history(
                    tx,
                    ident,
                    {name: self._change(name, sides) for name, sides in one["changes"].items()},
                    (one["at"], self._folk.by(one["who"]), one["who_kind"], one["via"]),
                )

        if history:
            run_as_operation(self.tx, update, tell, "")

    def _change(self, name: str, sides: Mapping[str, Any]) -> dict[str, Any]:
        if name == "parent":
            return {side: self._key(key) if isinstance(key, str) else key for side, key in sides.items()}
        found: dict[str, Any] = self._folk.here(dict(sides))
        return found

    def _key(self, text: str) -> str:
        found = self._find(f"{self._source}{text}")
        row = self.tx.stored("issue", [found]) if found is not None else None
        return issues.key_of(self.tx, row) if row is not None else text.replace("#", "-")


_PRIORITIES = ("urgent", "high", "medium", "low", "none")


def _source(project: str) -> str:
    """`kbz:<org>/` of `kbz:<org>/WEB`."""
    return project[: project.rfind("/") + 1]
