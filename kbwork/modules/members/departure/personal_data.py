"""What is kept of a person: rows of all tables that name them, as far as somebody sees what these are about.

No module says here what it keeps: a table is asked by its columns, so that a new one is in it by itself, and a test
holds each column that holds a member to be one that is asked.
"""

from collections.abc import Iterator
from typing import Any

from kbwork.base.dataclasses import dataclass, field
from kbwork.core.access import visibility
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Read, Row

WHO = frozenset(
    {
        *(
            "actor",
            "agent",
            "archived_by",
            "asked_by",
            "assignee",
            "author",
            "by",
            "created_by",
            "decided_by",
        ),
        *(
            "deleted_by",
            "done_by",
            "granted_by",
            "lead",
            "made_by",
            "member",
            "owner",
            "reporter",
            "requested_by",
        ),
        *("resolved_by", "updated_by", "user", "verified_by", "who"),
    }
)
"""Columns that name somebody."""
SECRETS = frozenset(
    {
        *(
            "bot_token",
            "credential",
            "data",
            "diff",
            "digest",
            "images",
            "old_digest",
            "old_secret",
            "password",
        ),
        *("public_key", "salt", "sealed", "secret", "token", "totp", "totp_pending", "totp_step"),
    }
)
"""Columns that open something, or hold bytes: none of them leaves, whatever the table."""
LEFT_OUT = {
    "avatar": "it is a file of its own",
    "challenge": "it is a secret that waits for minutes",
    "credential": "it is secrets alone; when it was changed is in the audit log",
    "idempotency": "it is answers that were given already",
    "issue_lost": "it is a note for clients of what they no longer see",
    "job": "its arguments are for the server",
    "mail": "it is letters on their way, with links that let in",
    "member": "it is the profile",
    "oauth_code": "it is a secret that waits for minutes",
    "recovery_code": "it is secrets alone",
    "rule_run": "it waits for moments",
    "span": "it is what queries ask of the past, beside the events",
    "span_waiting": "it waits for moments",
    "trash": "what is in it is in its own table",
    "undo": "it is what others are taken back by, for a day",
    "upload": "it is a file on its way, for a day",
}
"""Tables that name people and are not taken, and why."""
ALONE = frozenset(
    {"canned_reply", "draft", "mark", "notification_setting", "page_visit", "push_device", "star"}
)
"""What a person has for themself: it is in nobody else's archive of it."""
_KEYED = {"asset": "key", "project": "key", "space": "key"}
"""Kinds whose subjects are named by another column than their number."""
_SCHEMA = """
select t.name as "table", c.name as "column", t.wr as keyed from pragma_table_list t join pragma_table_xinfo(t.name) c
  where t.schema = 'main' and t.type = 'table' and c.hidden = 0 and c.type <> 'BLOB'
    and t.name not glob 'sqlite_*' and t.name not glob 'search_*' order by t.name, c.cid
"""
_WINDOW = 5_000


@dataclass(slots=True)
class PersonalTable:
    """A table that names people."""

    name: str
    columns: list[str] = field(default_factory=list)
    keyed: bool = False
    """Its rows have no number of their own."""

    @property
    def who(self) -> list[str]:
        return [column for column in self.columns if column in WHO]

    @property
    def told(self) -> list[str]:
        return [column for column in self.columns if column not in SECRETS]


@dataclass(frozen=True, slots=True)
class PersonalRows:
    """Some rows of a table: those that are told, how many are not, and where the next begin."""

    rows: list[Row]
    left_out: int
    after: int | None


def tables(tx: Read, *, own: bool) -> list[PersonalTable]:
    """Those that name people; with what is theirs alone where they ask themselves."""
    found: dict[str, PersonalTable] = {}
    for row in tx.all(_SCHEMA):
        found.setdefault(row["table"], PersonalTable(row["table"], keyed=bool(row["keyed"]))).columns.append(
            row["column"]
        )
    return [
        one
        for one in found.values()
        if one.who and one.name not in LEFT_OUT and (own or one.name not in ALONE)
    ]


def rows_of(tx: Read, table: PersonalTable, member: str, after: int) -> PersonalRows:
    """The next that name a person, and that the caller sees what they are about."""
    named = " or ".join(f'"{column}" = :member' for column in table.who)
    columns = ", ".join(f'"{column}"' for column in table.told)
    if table.keyed:
        found = tx.all(f'select {columns} from "{table.name}" where {named}', member=member)
        until = None
    else:
        last: int = tx.value(f'select coalesce(max(rowid), 0) from "{table.name}"')
        until = after + _WINDOW if after + _WINDOW < last else None
        found = tx.all(
            f'select {columns} from "{table.name}" where rowid > :after and rowid <= :until and ({named})',
            member=member,
            after=after,
            until=after + _WINDOW,
        )
    hosts = _hosts(tx, table.name)
    about = [set(_subjects(tx, row, hosts)) for row in found]
    seen = visibility.fitting(tx, set().union(*about), lambda kind: kind.seen)
    told = [row for row, subjects in zip(found, about, strict=True) if subjects <= seen]
    return PersonalRows(told, len(found) - len(told), until)


def _hosts(tx: Read, table: str) -> list[tuple[str, str]]:
    """(kind, column) of the things that a row of a table is, or is about."""
    found: list[tuple[str, str]] = []
    for kind in visibility.things(tx).values():
        if table in (kind.name, kind.table, *kind.trashed):
            found.append((kind.name, "id"))
        if (said := kind.tracked.get(table)) is not None:
            found.append((said.subject, said.key))
        found += [(kind.name, column) for column in kind.parts.get(table, ())]
        found.append((kind.name, kind.name))
    return [one for one in dict.fromkeys(found) if one != ("member", "member")]


def _subjects(tx: Read, row: Row, hosts: list[tuple[str, str]]) -> Iterator[str]:
    subject = row.get("subject")
    if isinstance(subject, str) and ref_of(subject)[0] in visibility.things(tx):
        yield subject
    for kind, column in hosts:
        value = row.get(column)
        if value is not None:
            yield f"{kind}:{_ref(tx, kind, value)}"


def _ref(tx: Read, kind: str, value: Any) -> Any:
    """How subjects name a thing that rows name by its number."""
    if kind not in _KEYED or not isinstance(value, int):
        return value
    sql = f"select {_KEYED[kind]} from {kind} where id = :id"
    return tx.memoized(("key of", kind, value), lambda: tx.value(sql, id=value))
