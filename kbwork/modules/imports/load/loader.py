"""Bringing records in, through the public operations: each whole, or logged and left out."""

import json
from collections import Counter
from typing import Any

from kbwork.base.errors import Conflict, Problem
from kbwork.base.text import folded
from kbwork.core.operations import nested
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import ImportItemRow, IssueRow, ProjectRow
from kbwork.db.tx import ConstraintViolated, Write
from kbwork.issuefields import IMPORTED
from kbwork.modules import attachments, comments, issues, types
from kbwork.modules.imports import imported_items, queries
from kbwork.modules.imports.kbz.reference_map import ReferenceMap
from kbwork.modules.imports.kbz.restore import ArchiveRestorer
from kbwork.modules.imports.load.dry_run import labels_of, project_row
from kbwork.modules.imports.load.record_content import (
    is_skipped,
    key_of,
    place_of,
    present_values,
    source_values,
)
from kbwork.modules.imports.load.translate import RecordTranslator
from kbwork.modules.imports.mapping import people
from kbwork.modules.imports.mapping.proposal import PULL
from kbwork.modules.imports.model import Mapping
from kbwork.modules.imports.queries import ImportJobRow
from kbwork.modules.imports.records import (
    AttachmentRecord,
    CommentRecord,
    ComponentRecord,
    IssueRecord,
    LabelRecord,
    PastRecord,
    PersonRecord,
    ProjectRecord,
    Record,
    RelationRecord,
)
from kbwork.modules.projects import access as projects

_OPTIONAL = frozenset(field.input for field in IMPORTED)


class RecordLoader:
    """One import in one transaction. `tally` counts what became of the records."""

    def __init__(self, tx: Write, row: ImportJobRow, since: int | None = None) -> None:
        self.tx = tx
        self.tally: Counter[str] = Counter()
        self.mapping: Mapping = queries.mapping_of(row)
        self.learned = False
        """The mapping knows somebody more than before."""
        self._row = row
        self._since = since
        self._skip = frozenset(self.mapping["skip"])
        self._shaping = RecordTranslator(tx, row["source"], self.mapping, self._warn)
        refs = ReferenceMap(
            tx, self._shaping, self.mapping, warn=self._warn, find=self._ident_of, made=self._made
        )
        self._archive = ArchiveRestorer(tx, refs)
        self._projects: dict[str, ProjectRow] = {}
        self._highest: dict[str, int] = json.loads(row["highest"])

    # -- one record ---------------------------------------------------------------------------------------

    def record(self, record: Record, content: bytes | None = None) -> None:
        """Bring one in. What a project is refused ends the import (Problem); anything else is logged and left out.

        `content` are the bytes of a file.
        """
        if is_skipped(record, self._skip, self._since):
            self.tally["skipped"] += 1
            return
        if record["kind"] == "project":
            self._project(record)
            return
        try:
            with self.tx.attempt():
                self._bring(record, content)
        except (Problem, ConstraintViolated) as refused:
            why = refused.detail if isinstance(refused, Problem) else str(refused)
            self.tally["errors"] += 1
            queries.log(self.tx, self._row["id"], "error", place_of(record), why)

    def _bring(self, record: Record, content: bytes | None) -> None:
        match record["kind"]:
            case "label":
                self._label(record)
            case "component":
                self._component(record)
            case "person":
                self._person(record)
            case "issue":
                self._issue(record)
            case "comment":
                self._comment(record)
            case "relation":
                self._relation(record)
            case "attachment":
                self._attachment(record, content)
            case "past":
                self._past(record)

    # -- what issues need ---------------------------------------------------------------------------------

    def _project(self, record: ProjectRecord) -> None:
        """The project where it goes, made when it is not there, with the types that it needs."""
        key = key_of(self.mapping, self._row, record["id"])
        missing = project_row(self.tx, key) is None
        if missing:
            name = self.mapping["names"].get(record["id"], record["name"])
            made = {"key": key, "name": name, "description": record["description"]}
            nested.run(self.tx, "projects.create", made)
        project = projects.project(self.tx, key)
        if missing:
            self._made("projects", record["id"], project, f"project:{key}")
        if "more" in record:
            self._archive.project(record, project, new=missing)
            self.learned = True
            project = projects.project(self.tx, key)
        self._types(project)
        if number := self._highest.get(record["id"]):
            issues.reserve_numbers(self.tx, project["id"], number)

    def _types(self, project: ProjectRow) -> None:
        tx = self.tx
        wanted = [name for word, name in self.mapping["types"].items() if name and word not in self._skip]
        known = {row["key"] for row in types.every(tx)}
        for word, name in self.mapping["types"].items():
            if name and name not in known and word not in self._skip:
                known.add(name)
                icon = {"icon": "git-pull-request"} if name == PULL else {}
                label = "Pull request" if name == PULL else word[:100]
                nested.run(tx, "types.save", {"key": name, "name": label, **icon})
                self._made("types", f"type/{name}", project, f"type:{name}")
        own = [one["key"] for one in types.of_project(tx, project["id"])]
        if more := [name for name in dict.fromkeys(wanted) if name not in own]:
            nested.run(tx, "types.projects_set", {"project": project["key"], "types": [*own, *more]})

    def _label(self, record: LabelRecord) -> None:
        project = self._target(record["project"])
        if folded(record["name"]) in labels_of(self.tx, project["id"]):
            return
        value = {"name": record["name"], "project": project["key"], "color": record["color"]}
        if record["description"]:
            value["description"] = record["description"][:4000]
        if "more" in record and record["more"]["family"]:
            value["group"] = record["more"]["family"]
        label = nested.run(self.tx, "labels.save", value)
        self._made("labels", record["id"], project, f"label:{label['id']}")

    def _component(self, record: ComponentRecord) -> None:
        project = self._target(record["project"])
        known = self.tx.value(
            "select 1 from component where project = :project and name_key = :name",
            project=project["id"],
            name=folded(record["name"]),
        )
        if known is None:
            made = nested.run(self.tx, "components.save", {"project": project["key"], "name": record["name"]})
            if "more" in record:
                self.tx.update(
                    "component", made["id"], **self._archive.columns("components.jsonl", record["more"])
                )
            self._made("components", record["id"], project, f"component:{made['id']}")

    def _person(self, record: PersonRecord) -> None:
        found = people.settle(self.tx, self.mapping, record)
        if found is not None:
            self.mapping["members"][record["id"]] = found
            self.learned = True
            self.tally["members"] += 1

    # -- issues -------------------------------------------------------------------------------------------

    def _issue(self, record: IssueRecord) -> None:
        project = self._target(record["project"])
        item = imported_items.find(self.tx, project["id"], record["id"])
        said = imported_items.hashed(source_values(record, self.mapping))
        if item is not None:
            self._again(item, said, record)
            return
        own = record["more"]["external"] if "more" in record else None
        if self._is_there(project["id"], record["id"]) or (own and self._is_there(project["id"], own)):
            self.tally["same"] += 1
            return
        if "more" in record:
            made = self._remake(record, project)
        else:
            made = self._create(
                record, self._shaping.issue(record, project, self._issue_of(record["parent"]))
            )
        self.tally[f"type:{record['type']}"] += 1
        self._made(
            "issues",
            record["id"],
            project,
            f"issue:{made['id']}",
            (said, imported_items.hashed(present_values(made))),
        )

    def _remake(self, record: IssueRecord, project: ProjectRow) -> dict[str, Any]:
        """Make an issue of ours with what it takes to be there, and put everything else on it."""
        value = self._shaping.issue(record, project, None)
        names = ("project", "title", "status", "imported", "type", "external")
        made = nested.run(self.tx, "issues.create", {name: value[name] for name in names})
        lane = self.mapping["statuses"].get(record["status"], record["status"])
        if made["lane"] != lane:
            self._warn(record["id"], f"The workflow here has no lane {lane}: it stands in {made['lane']}.")
        self._archive.issue(made["id"], record, project)
        return dict(nested.run(self.tx, "issues.get", {"key": f"issue:{made['id']}"}))

    def _create(self, record: IssueRecord, value: dict[str, Any]) -> dict[str, Any]:
        """Make it; where a field that may be empty is refused, without that, and else without own fields."""
        try:
            with self.tx.attempt():
                return dict(nested.run(self.tx, "issues.create", value))
        except Problem as refused:
            fewer = self._without_unfit(record, value, refused)
        return self._create(record, fewer)

    def _without_unfit(self, record: IssueRecord, value: dict[str, Any], refused: Problem) -> dict[str, Any]:
        """An input without what was refused of it, which is logged. Raises the refusal where that is nothing."""
        paths = {error["path"] for error in refused.extra.get("errors", ())}
        if unfit := sorted(name for name in paths & _OPTIONAL if value.get(name) is not None):
            self._warn(record["id"], f"Left out is {', '.join(unfit)}: {refused.detail}")
            return value | dict.fromkeys(unfit)
        if not value.get("values"):
            raise refused
        self._warn(record["id"], f"Its own fields are left out: {refused.detail}")
        return value | {"values": {}}

    def _renew(self, record: IssueRecord, issue: int, value: dict[str, Any], was: dict[str, Any]) -> None:
        """Change it; without a field that may be empty, where it is refused."""
        try:
            with self.tx.attempt():
                if "level" in value:  # before what puts back the time
                    level = {"key": f"issue:{issue}", "level": value["level"] or "project"}
                    nested.run(self.tx, "issues.level_set", level)
                plain = {name: one for name, one in value.items() if name != "level"}
                issues.update_imported(self.tx, issue, plain, was)
                return
        except Problem as refused:
            fewer = self._without_unfit(record, value, refused)
        self._renew(record, issue, fewer, was)

    def _again(self, item: ImportItemRow, said: imported_items.Hashes, record: IssueRecord) -> None:
        """The same one again: what changed at the source, and nobody edited here since, changes."""
        before, wrote = imported_items.sides(item)
        if before == said:
            self.tally["same"] += 1
            return
        issue = self._live(item)
        if issue is None:
            self.tally["kept"] += 1
            return
        key = f"issue:{issue['id']}"
        now = self._stands(key)
        moved = {name for name in said if said[name] != before.get(name)}
        edited = {name for name in moved if now[name] != wrote.get(name)}
        if edited:
            self.tally["kept"] += 1
            names = ", ".join(sorted(edited))
            self._warn(record["id"], f"Changed at the source and here, and left as it is here: {names}.", key)
        fresh = moved - edited
        if fresh:
            project = self.tx.stored("project", [issue["project"]])
            assert project is not None
            value = self._shaping.issue(record, project, self._issue_of(record["parent"]))
            self._renew(record, issue["id"], {name: value[name] for name in fresh}, value["imported"])
            now = self._stands(key)
            self.tally["changed"] += 1
        imported_items.renew(self.tx, item, said, wrote | {name: now[name] for name in fresh})

    def _stands(self, key: str) -> imported_items.Hashes:
        return imported_items.hashed(present_values(nested.run(self.tx, "issues.get", {"key": key})))

    # -- what hangs on them -------------------------------------------------------------------------------

    def _comment(self, record: CommentRecord) -> None:
        subject, project = self._found(record["issue"])
        if subject is None or project is None:
            self.tally["skipped"] += 1
            return
        said = imported_items.hashed({"body": record["body"]})
        item = imported_items.find(self.tx, project["id"], record["id"])
        if item is not None:
            self._comment_again(item, said, record)
            return
        value = {
            "subject": subject,
            "author": self._shaping.who(record["author"]),
            "body": record["body"],
            "created_at": record["created_at"],
            "external": record["id"],
            "internal": record["internal"],
        }
        above = imported_items.find(self.tx, project["id"], record["parent"]) if record["parent"] else None
        parent = int(ref_of(above["subject"])[1]) if above is not None else None
        if "more" not in record and parent is not None:
            value["parent"] = parent
        made = nested.run(self.tx, "comments.import", value)
        if "more" in record:
            self._archive.comment(made["id"], record, parent, project)
        self._made(
            "comments", record["id"], project, f"comment:{made['id']}", (said, self._body_of(made["id"]))
        )

    def _comment_again(self, item: ImportItemRow, said: imported_items.Hashes, record: CommentRecord) -> None:
        before, wrote = imported_items.sides(item)
        ident = int(ref_of(item["subject"])[1])
        if before == said:
            self.tally["same"] += 1
        elif self._body_of(ident) == wrote:
            comments.update_imported(self.tx, ident, record["body"], record["updated_at"])
            imported_items.renew(self.tx, item, said, self._body_of(ident))
            self.tally["changed"] += 1
        else:
            self._warn(record["id"], "The comment changed at the source and here; it stays as it is here.")
            imported_items.renew(self.tx, item, said, wrote)
            self.tally["kept"] += 1

    def _body_of(self, comment: int) -> imported_items.Hashes:
        body = self.tx.value("select body from comment where id = :id and deleted_at is null", id=comment)
        return imported_items.hashed({"body": body})

    def _relation(self, record: RelationRecord) -> None:
        source, project = self._found(record["from"])
        target, _ = self._found(record["to"])
        external = place_of(record)
        if source is None or project is None or target is None:
            self.tally["skipped"] += 1
            return
        if imported_items.find(self.tx, project["id"], external) is not None:
            self.tally["same"] += 1
            return
        kind = self._relation_kind(record)
        issues.relate_imported(self.tx, source, kind, target)
        if "more" in record:
            self._archive.relation((source, target), kind, record["more"])
        self._made("relations", external, project, f"relation:{source}")

    def _relation_kind(self, record: RelationRecord) -> str:
        known = self.tx.column(
            "select key from relation_kind union select name from relation_kind"
            " union select inverse from relation_kind"
        )
        if folded(record["relation"]) in {folded(one) for one in known}:
            return record["relation"]
        return "relates"

    def _attachment(self, record: AttachmentRecord, content: bytes | None) -> None:
        project = self._target(record["project"])
        if imported_items.find(self.tx, project["id"], record["id"]) is not None:
            if content is not None:
                attachments.mend(self.tx, bytes.fromhex(record["sha256"]), content)
            self.tally["same"] += 1
            return
        if not record["there"]:
            self.tally["skipped"] += 1
            return
        if content is None:
            raise Conflict("Its bytes are not kept any more: send the file anew, and open it anew.")
        on = record["comment"] or record["issue"]
        item = imported_items.find(self.tx, project["id"], on) if on else None
        if on and item is None:
            self.tally["skipped"] += 1
            return
        subject = item["subject"] if item is not None else f"project:{project['key']}"
        ident = self._archive.attachment(subject, record, content)
        self._made("attachments", record["id"], project, f"attachment:{ident}")

    def _past(self, record: PastRecord) -> None:
        """What comes last, once: on what this import made."""
        project = self._target(record["project"])
        item = imported_items.find(self.tx, project["id"], record["issue"] or record["project"])
        if item is None or item["import"] != self._row["id"]:
            return
        if imported_items.find(self.tx, project["id"], record["id"]) is not None:
            return
        ident = ref_of(item["subject"])[1]
        touched = imported_items.changed_here(self.tx, item)
        if record["issue"] is not None:
            if self._live(item) is None:
                return
            self._archive.past(int(ident), record, project, touched=touched)
            if record["late"]:
                said, _ = imported_items.sides(item)
                imported_items.renew(self.tx, item, said, self._stands(item["subject"]))
        elif record["archived_at"] is not None and not touched:
            self.tx.update("project", project["id"], archived_at=record["archived_at"])
        self._made("pasts", record["id"], project, f"past:{ident}")

    # -- words --------------------------------------------------------------------------------------------

    def _target(self, source: str) -> ProjectRow:
        """The project where one of the source goes. Raises NotFound."""
        key = key_of(self.mapping, self._row, source)
        if key not in self._projects:
            self._projects[key] = projects.project(self.tx, key)
        return self._projects[key]

    def _found(self, issue: str) -> tuple[str | None, ProjectRow | None]:
        """(subject, project) of an issue of the source; nothing where it did not come in."""
        for source in self.mapping["projects"]:
            if source in self._skip:
                continue
            project = self._target(source)
            item = imported_items.find(self.tx, project["id"], issue)
            if item is not None and self._live(item) is not None:
                return item["subject"], project
        return None, None

    def _live(self, item: ImportItemRow) -> IssueRow | None:
        """The issue that was brought in, unless it went since."""
        row = self.tx.stored("issue", [int(ref_of(item["subject"])[1])])
        return row if row is not None and row["deleted_at"] is None else None

    def _issue_of(self, issue: str | None) -> str | None:
        return self._found(issue)[0] if issue else None

    def _ident_of(self, issue: str) -> int | None:
        """The id here of an issue of the source."""
        found = self._found(issue)[0]
        return int(ref_of(found)[1]) if found is not None else None

    def _is_there(self, project: int, external: str) -> bool:
        """Whether somebody else brought the same one in."""
        found = self.tx.value(
            "select 1 from issue where project = :project and external = :external and deleted_at is null",
            project=project,
            external=external,
        )
        return found is not None

    def _warn(self, place: str, why: str, subject: str | None = None) -> None:
        queries.log(self.tx, self._row["id"], "warning", place, why, subject=subject)

    def _made(
        self,
        what: str,
        external: str,
        project: ProjectRow,
        subject: str,
        sides: tuple[imported_items.Hashes, imported_items.Hashes] = ({}, {}),
    ) -> None:
        self.tally[what] += 1
        row = {
            "import": self._row["id"],
            "project": project["id"],
            "external": external,
            "subject": subject,
            "said": sides[0],
            "wrote": sides[1],
        }
        imported_items.keep(self.tx, row)
