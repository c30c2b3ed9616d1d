"""The issues of a project of a data file, and what hangs on them, as lines."""

import json
from collections.abc import Iterator
from typing import Any

from kbwork.db.tx import Read, Row, json_array
from kbwork.modules import fields
from kbwork.modules.imports.kbz.portable_names import Choices, PortableNames

Line = dict[str, Any]
_AT_ONCE = 200
_SAME = (
    "number",
    "title",
    "body",
    "body_doc",
    "outcome",
    "priority",
    "estimate",
    "start_date",
    "due_date",
    "lock_reason",
    "rank",
    "source",
    "external",
    "created_at",
    "updated_at",
    "status_at",
    "started_at",
    "done_at",
    "archived_at",
)
_PLAIN_KINDS = (
    "text",
    "paragraph",
    "number",
    "bool",
    "date",
    "datetime",
    "duration",
    "select",
    "multi_select",
    "cascade",
    "url",
    "rating",
)
"""Kinds whose values are told in `values` as well: a later import of the same file sees whether they changed."""
_ON = "issue in (select value from json_each(:ids))"
_HISTORY = """
select e.subject, e.at, e.actor, e.actor_kind, e.via, e.payload -> '$.changes' as changes from events e
  where e.subject in (select 'issue:' || value from json_each(:ids)) and e.kind = 'issue.updated'
  and e.payload -> '$.changes' is not null order by e.subject, e.seq
"""
_SPANS = """
select * from span where subject in (select 'issue:' || value from json_each(:ids)) order by subject, from_at, id
"""
_COMMENTS = """
select c.*, cast(substr(c.subject, 7) as integer) as issue from comment c
  where c.subject in (select 'issue:' || value from json_each(:ids)) and (c.deleted_at is null
  or exists (select 1 from comment r where r.parent = c.id and r.deleted_at is null))
  order by c.parent is not null, c.created_at, c.id
"""
_RELATIONS = """
select r.*, k.key from relation r join relation_kind k on k.id = r.kind
  where r.src in (select id from issue where project = :project)
  or r.dst in (select id from issue where project = :project) order by r.id
"""


class IssueLines:
    """Of one project."""

    def __init__(self, tx: Read, project: Row, naming: PortableNames, choices: Choices) -> None:
        self._tx = tx
        self._project = project
        self._key = project["key"]
        self._naming = naming
        self._choices = choices
        self._types = _column(tx, "select id, key as value from issue_type")
        self._lanes = _column(tx, "select id, key as value from lane")
        self._labels = _column(tx, "select id, name as value from label")
        self._components = _column(tx, "select id, name as value from component")

    def labels(self) -> Iterator[Line]:
        """Its own, and those of the org that its issues carry."""
        rows = self._tx.all(
            "select * from label where project = :project or project is null and id in (select l.label"
            " from issue_label l join issue i on i.id = l.issue where i.project = :project) order by id",
            project=self._project["id"],
        )
        for row in rows:
            told = {name: row[name] for name in ("name", "color", "description", "family")}
            yield told | {"project": self._key, "shared": row["project"] is None}

    def components(self) -> Iterator[Line]:
        for row in self._tx.all(
            "select * from component where project = :project order by id", project=self._project["id"]
        ):
            yield {
                "project": self._key,
                "name": row["name"],
                "description": row["description"],
                "lead": self._naming.who(row["lead"]),
                "assign": row["assign"],
                "archived": bool(row["archived"]),
            }

    def issues(self) -> Iterator[Line]:
        """Each issue that is in no trash."""
        for rows in self._some():
            beside = _Beside(self._tx, json_array(row["id"] for row in rows))
            values = fields.values_of(self._tx, [row["id"] for row in rows])
            for row in rows:
                yield self._issue(row, beside, values[row["id"]])

    def comments(self) -> Iterator[Line]:
        for rows in self._some():
            ids = json_array(row["id"] for row in rows)
            comments = self._tx.all(_COMMENTS, ids=ids)
            reactions = self._tx.all(
                "select * from reaction where comment in (select value from json_each(:ids)) order by at, emoji, who",
                ids=json_array(row["id"] for row in comments),
            )
            for row in comments:
                yield self._comment(row, [one for one in reactions if one["comment"] == row["id"]])

    def relations(self) -> Iterator[Line]:
        """Those with an end in the project, but for ends in the trash."""
        for row in self._tx.all(_RELATIONS, project=self._project["id"]):
            one, other = self._naming.issue(row["src"]), self._naming.issue(row["dst"])
            if one and other:
                yield {
                    "one": one,
                    "kind": row["key"],
                    "other": other,
                    "lag_days": row["lag_days"],
                    "created_at": row["created_at"],
                    "created_by": self._naming.by(row["created_by"]),
                }

    def attachments(self) -> Iterator[tuple[Line, bytes]]:
        """Each file with the checksum of its bytes: on issues and their comments, and on the project."""
        for row in self._tx.all(
            "select a.*, x.text, length(b.bytes) as held from attachment a join blob b on b.hash = a.hash"
            " left join attachment_text x on x.attachment = a.id where a.deleted_at is null and a.subject in"
            " (select 'project:' || key from project_key where project = :project) order by a.created_at, a.id",
            project=self._project["id"],
        ):
            yield self._attachment(row, None, None), row["hash"]
        for rows in self._some():
            yield from self._files(json_array(row["id"] for row in rows))

    def _files(self, ids: str) -> Iterator[tuple[Line, bytes]]:
        rows = self._tx.all(
            "with place (subject, issue, comment) as (select 'issue:' || value, value, null from json_each(:ids)"
            " union all select 'comment:' || c.id, cast(substr(c.subject, 7) as integer), c.id from comment c"
            " where c.deleted_at is null and c.subject in (select 'issue:' || value from json_each(:ids)))"
            " select a.*, p.issue, p.comment, x.text, length(b.bytes) as held from place p"
            " join attachment a on a.subject = p.subject"
            " join blob b on b.hash = a.hash left join attachment_text x on x.attachment = a.id"
            " where a.deleted_at is null order by a.created_at, a.id",
            ids=ids,
        )
        for row in rows:
            yield self._attachment(row, row["issue"], row["comment"]), row["hash"]

    def _attachment(self, row: Row, issue: int | None, comment: int | None) -> Line:
        return {
            "id": row["id"],
            "project": self._key,
            "issue": self._naming.issue(issue),
            "comment": comment,
            "name": row["name"],
            "content_type": row["content_type"],
            "size": row["size"],
            "sha256": row["hash"].hex(),
            "there": row["held"] == row["size"],
            "text": row["text"],
            "created_at": row["created_at"],
            "created_by": self._naming.by(row["created_by"]),
        }

    def _some(self) -> Iterator[list[Row]]:
        after = 0
        while rows := self._tx.all(
            "select * from issue where project = :project and id > :after and deleted_at is null"
            " order by id limit :most",
            project=self._project["id"],
            after=after,
            most=_AT_ONCE,
        ):
            yield rows
            after = rows[-1]["id"]

    def _issue(self, row: Row, beside: "_Beside", values: dict[str, Any]) -> Line:
        naming, ident = self._naming, row["id"]
        level = naming.who(row["level"]) if (row["level"] or "").startswith("team:") else row["level"]
        kinds = {field["key"]: field["kind"] for field in self._choices.fields.values()}
        return {name: row[name] for name in _SAME} | {
            "project": self._key,
            "type": self._types[row["type"]],
            "lane": self._lanes[row["lane"]],
            "reporter": naming.by(row["reporter"]),
            "created_by": naming.by(row["created_by"]),
            "assignees": [naming.by(one["who"]) for one in beside.of("issue_assignee", ident)],
            "labels": [self._labels[one["label"]] for one in beside.of("issue_label", ident)],
            "components": [self._components[one["component"]] for one in beside.of("issue_component", ident)],
            "parent": naming.issue(row["parent"]),
            "level": level or ("private" if row["level"] else None),
            "locked": bool(row["locked"]),
            "values": {name: value for name, value in values.items() if kinds.get(name) in _PLAIN_KINDS},
            "held": self._held(beside.of("issue_value", ident)),
            "watchers": self._each(beside.of("issue_watcher", ident), "who", ("reason", "at")),
            "votes": self._each(beside.of("issue_vote", ident), "who", ("at",)),
            "revisions": self._each(
                beside.of("issue_revision", ident), "who", ("revision", "at", "via", "title", "body")
            ),
            "checks": [self._check(one) for one in beside.of("check_item", ident)],
            "links": self._each(
                beside.of("web_link", ident), "created_by", ("url", "title", "kind", "created_at")
            ),
            "assets": self._each(
                beside.of("asset_issue", ident), "created_by", ("asset", "role", "created_at")
            ),
            "former_numbers": [
                one["number"]
                for one in beside.of("former_number", ident)
                if one["project"] == self._project["id"]
            ],
            "spans": [told for one in beside.spans.get(ident, []) if (told := self._span(one))],
            "history": [self._change(one) for one in beside.history.get(ident, [])],
        }

    def _each(self, rows: list[Row], who: str, same: tuple[str, ...]) -> list[Line]:
        return [{who: self._naming.by(row[who])} | {name: row[name] for name in same} for row in rows]

    def _held(self, rows: list[Row]) -> list[Line]:
        found = []
        for row in rows:
            field = self._choices.fields.get(row["field"])
            value = self._choices.value(field, row["value"]) if field else None
            if field and value is not None:
                told = {
                    "field": field["key"],
                    "position": row["position"],
                    "value": value,
                    "unit": row["unit"],
                }
                found.append(told)
        return found

    def _check(self, row: Row) -> Line:
        return {
            "text": row["text"],
            "assignee": self._naming.who(row["assignee"]),
            "due_date": row["due_date"],
            "done_at": row["done_at"],
            "done_by": self._naming.who(row["done_by"]),
            "promoted": self._naming.issue(row["promoted"]),
            "created_at": row["created_at"],
            "created_by": self._naming.by(row["created_by"]),
        }

    def _span(self, row: Row) -> Line | None:
        """None for a value that nothing stands for any more."""
        field, value = row["field"], self._spanned(row["field"], row["value"])
        if value is None:
            return None
        if field.startswith("field:"):
            field = f"field:{self._choices.fields[int(field.partition(':')[2])]['key']}"
        return {
            "field": field,
            "value": value,
            "from_at": row["from_at"],
            "to_at": row["to_at"],
            "by": self._naming.by(row["by"]),
        }

    def _spanned(self, field: str, value: str) -> Any:
        named = {
            "type": self._types,
            "lane": self._lanes,
            "label": self._labels,
            "component": self._components,
        }
        if field in named:
            return named[field].get(int(value))
        if field == "project":
            return self._tx.value("select key from project where id = :id", id=int(value))
        if field == "parent":
            return self._naming.issue(int(value))
        if field in ("assignee", "reporter") or (field == "level" and value.startswith("team:")):
            return self._naming.who(value)
        if field.startswith("field:"):
            known = self._choices.fields.get(int(field.partition(":")[2]))
            return self._choices.value(known, value) if known else None
        return value

    def _change(self, row: Row) -> Line:
        changes = {}
        for name, sides in json.loads(row["changes"]).items():
            named = name in ("assignees", "reporter") or name.startswith("values.")
            if name == "parent":
                changes[name] = {side: key and self._naming.key(key) for side, key in sides.items()}
            else:
                changes[name] = self._naming.told(sides) if named else sides
        return {
            "at": row["at"],
            "who": self._naming.by(row["actor"]),
            "who_kind": row["actor_kind"],
            "via": row["via"],
            "changes": changes,
        }

    def _comment(self, row: Row, reactions: list[Row]) -> Line:
        stub = row["stub"] == 1 or row["deleted_at"] is not None
        same = ("id", "parent", "created_at", "edited_at", "resolved_at", "deleted_at")
        said = ("body_doc", "anchor", "external")
        return {name: row[name] for name in same} | {
            "issue": self._naming.issue(row["issue"]),
            "author": "" if stub else self._naming.by(row["author"]),
            "body": "" if stub else row["body"],
            "internal": bool(row["internal"]),
            "resolved_by": self._naming.who(row["resolved_by"]),
            "stub": stub,
            **{name: None if stub else row[name] for name in said},
            "reactions": [] if stub else self._each(reactions, "who", ("emoji", "at")),
        }


class _Beside:
    """What stands in other tables about some issues."""

    _TABLES: tuple[tuple[str, str], ...] = (
        ("issue_assignee", "position"),
        ("issue_label", "label"),
        ("issue_component", "component"),
        ("issue_value", "field, position"),
        ("issue_watcher", "at, who"),
        ("issue_vote", "at, who"),
        ("issue_revision", "revision"),
        ("check_item", "position, id"),
        ("web_link", "id"),
        ("former_number", "number"),
    )

    def __init__(self, tx: Read, ids: str) -> None:
        self._found: dict[str, dict[int, list[Row]]] = {}
        for table, order in self._TABLES:
            rows = tx.all(f"select * from {table} where {_ON} order by issue, {order}", ids=ids)
            self._found[table] = _grouped(rows, "issue")
        assets = tx.all(
            "select l.issue, a.key as asset, l.role, l.created_at, l.created_by from asset_issue l"
            f" join asset a on a.id = l.asset where l.{_ON} order by l.issue, l.created_at, a.id",
            ids=ids,
        )
        self._found["asset_issue"] = _grouped(assets, "issue")
        self.spans = _by_subject(tx.all(_SPANS, ids=ids))
        self.history = _by_subject(tx.all(_HISTORY, ids=ids))

    def of(self, table: str, issue: int) -> list[Row]:
        return self._found[table].get(issue, [])


def _grouped(rows: list[Row], name: str) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(row[name], []).append(row)
    return found


def _by_subject(rows: list[Row]) -> dict[int, list[Row]]:
    return _grouped([row | {"on": int(row["subject"].partition(":")[2])} for row in rows], "on")


def _column(tx: Read, sql: str) -> dict[int, str]:
    return {row["id"]: row["value"] for row in tx.all(sql)}
