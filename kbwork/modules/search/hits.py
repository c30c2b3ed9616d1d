"""What the index finds, as far as the caller sees it."""

import re
from typing import Any

from kbwork.base.errors import InvalidInput, NotFound
from kbwork.core.access import visibility
from kbwork.db.deadline import within_deadline
from kbwork.db.tx import Read, Row, json_array
from kbwork.modules import members
from kbwork.modules.projects import ISSUE_SEEN, access
from kbwork.modules.search.excerpts import LOOKED_AT, SearchedWords, excerpt
from kbwork.modules.search.model import SearchHit, Why
from kbwork.modules.search.search_terms import SearchTerms

MOST_RANKED = 2000
KEY_RANK = 1000.0
"""The rank of what was called by its key."""
KINDS = ("issue", "comment", "attachment")
_SCOPES = {"issue": "issues:read", "comment": "comments:read", "attachment": "attachments:read"}
KEY = re.compile(r"^\s*([a-z][a-z0-9]{1,9})[\s-]*(\d{1,15})\s*$", re.IGNORECASE)
_FOUND = f"""
select s.rowid as n, case s.rowid % 4 when 0 then 'issue' when 1 then 'comment' else 'attachment' end as kind,
  case s.rowid % 4 when 0 then 'issue:' || i.id when 1 then 'comment:' || c.id else 'attachment:' || a.id end
    as subject,
  case s.rowid % 4 when 1 then c.id when 2 then a.id end as ref, i.id as issue, i.title,
  p.key || '-' || i.number as key, p.key as project, l.name as status, i.category,
  case s.rowid % 4 when 0 then i.updated_at when 1 then c.created_at else a.created_at end as at,
  i.reporter = :kb_me or exists (select 1 from issue_assignee x where x.issue = i.id and x.who = :kb_me) as own
  from search_text s
  left join search_file f on s.rowid % 4 = 2 and f.id = s.rowid / 4
  left join attachment a on a.id = f.attachment
  left join comment c on c.id = case s.rowid % 4 when 1 then s.rowid / 4
    when 2 then iif(a.subject glob 'comment:*', cast(substr(a.subject, 9) as integer), null) end
  join issue i on i.id = case when s.rowid % 4 = 0 then s.rowid / 4
    else cast(substr(iif(c.id is null, a.subject, c.subject), 7) as integer) end
  join project p on p.id = i.project join lane l on l.id = i.lane
  where s.search_text match :match
  and (s.rowid % 4 <> 0 or :with_issues) and (s.rowid % 4 <> 1 or :with_comments)
  and (s.rowid % 4 <> 2 or :with_attachments)
  and (c.id is null or c.deleted_at is null and (c.internal = 0 or not :kb_guest) and c.subject glob 'issue:*')
  and (a.id is null or c.id is not null or a.subject glob 'issue:*')
  and {ISSUE_SEEN}
"""
"""What fits and is seen. The sight is asked before anything is counted: what one does not see changes no answer."""
_MONTH_S = 30 * 86400


class Search:
    """One search: what fits, best first, and how many of each sort."""

    def __init__(self, tx: Read, asked: SearchTerms, *, kinds: list[str], project: Row | None) -> None:
        self._tx = tx
        self._asked = asked
        self._conditions: list[str] = []
        self._binds: dict[str, Any] = {}
        wanted = set(kinds or KINDS) & set(asked.filters.get("kind", KINDS))
        for kind in KINDS:
            held = {"issues:read", _SCOPES[kind]} <= tx.caller.scopes
            self._binds[f"with_{kind}s"] = int(held and kind in wanted)
        self._narrow(project)

    def rows(self, match: str, wanted: SearchedWords) -> list[Row]:
        """The newest 2,000 that fit, best first: with the words in the title, the caller's own, the newer."""
        if not match:
            return []
        where = "".join(f" and {condition}" for condition in self._conditions)
        rows = self._tx.all(
            f"{_FOUND}{where} order by s.rowid desc limit {MOST_RANKED}",
            match=match,
            **self._binds,
            **visibility.binds(self._tx),
        )
        for row in within_deadline(self._tx, rows):
            row["rank"] = _rank(row, wanted)
        return sorted(rows, key=lambda row: (-row["rank"], -row["n"]))

    def _narrow(self, project: Row | None) -> None:
        filters = self._asked.filters
        keys = filters.get("in", [])
        projects = [access.project(self._tx, key)["id"] for key in keys] if keys else []
        if project is not None:
            projects.append(project["id"])
        if projects:
            self._conditions.append("i.project in (select value from json_each(:projects))")
            self._binds["projects"] = str(projects)
        for number, ref in enumerate(filters.get("by", [])):
            self._conditions.append(
                f"case s.rowid % 4 when 0 then i.reporter when 1 then c.author else a.created_by end = :by{number}"
            )
            self._binds[f"by{number}"] = _author(self._tx, ref)
        states = [state.lower() for state in filters.get("is", [])]
        self._conditions += [_STATES[state] for state in states]
        if "archived" not in states:
            self._conditions.append("i.archived_at is null")


_STATES = {
    "open": "i.category <> 'done'",
    "done": "i.category = 'done'",
    "mine": "exists (select 1 from issue_assignee x where x.issue = i.id and x.who = :kb_me)",
    "unassigned": "not exists (select 1 from issue_assignee x where x.issue = i.id)",
    "archived": "i.archived_at is not null",
}


def _author(tx: Read, ref: str) -> str:
    if "members:read" not in tx.caller.scopes:
        return ref
    row = members.find(tx, ref if ref == "me" or "@" in ref else f"@{ref}")
    return str(row["id"]) if row is not None else ref


def _rank(row: Row, wanted: SearchedWords) -> float:
    """Words in the title weigh most, then being the caller's own; a month weighs a fifth of a point.

    How rare a word is does not count: that would tell of what the caller does not see.
    """
    titled = wanted.share(row["title"]) if row["kind"] == "issue" else 0.0
    return round(4.0 * titled + float(row["own"]) + float(row["at"]) / _MONTH_S / 5, 6)


def by_key(tx: Read, text: str) -> Row | None:
    """The issue whose key this is, with a blank or nothing in place of the dash too, as `rows` has it."""
    found = KEY.match(text)
    if found is None or "issues:read" not in tx.caller.scopes:
        return None
    subject = visibility.canonical(tx, f"{found[1]}-{found[2]}")
    if not subject.startswith("issue:"):
        return None
    rows = by_ids(tx, [int(subject.removeprefix("issue:"))])
    return rows[0] | {"rank": KEY_RANK} if rows else None


def by_ids(tx: Read, issues: list[int]) -> list[Row]:
    """These issues, as far as they are seen, in this order, as `rows` has them: the first ranks 0, the next less."""
    return tx.all(
        "select i.id * 4 as n, 'issue' as kind, 'issue:' || i.id as subject, null as ref, i.id as issue, i.title,"
        " p.key || '-' || i.number as key, p.key as project, l.name as status, i.category,"
        " i.updated_at as at, 0 as own, -cast(wanted.key as real) as rank"
        " from json_each(:ids) wanted cross join issue i on i.id = wanted.value"
        " join project p on p.id = i.project join lane l on l.id = i.lane"
        f" where {ISSUE_SEEN} order by wanted.key",
        ids=json_array(issues),
        **visibility.binds(tx),
    )


def shown(tx: Read, row: Row, wanted: SearchedWords, why: Why | None = None) -> SearchHit:
    """A found row in its shape."""
    title, text = _texts(tx, row)
    if why is None:
        why = "title" if wanted.share(title) == 1.0 else "text"
    path = f"/issues/{row['key']}"
    return SearchHit(
        subject=row["subject"],
        kind=row["kind"],
        title=title,
        excerpt=excerpt(text, wanted),
        path=f"{path}#comment-{row['ref']}" if row["kind"] == "comment" else path,
        project=row["project"],
        space=None,
        status=row["status"],
        score=round(row["rank"], 4),
        updated_at=row["at"],
        why=why,
    )


def _texts(tx: Read, row: Row) -> tuple[str, str]:
    """(title, the beginning of the text) of what was found."""
    title = f"{row['key']} {row['title']}"
    if row["kind"] == "issue":
        return title, tx.value(f"select {_BEGINNING} from issue x where id = :id", id=row["issue"])
    if row["kind"] == "comment":
        return title, tx.value(f"select {_BEGINNING} from comment x where id = :id", id=row["ref"])
    found = tx.one(
        f"select a.name, substr(t.text, 1, {LOOKED_AT + 1}) as text from attachment a"
        " left join attachment_text t on t.attachment = a.id where a.id = :id",
        id=row["ref"],
    )
    assert found is not None
    return found["name"], found["text"] or ""


_BEGINNING = f"substr(x.body, 1, {LOOKED_AT + 1})"


def project_of(tx: Read, key: str | None) -> Row | None:
    """Raises NotFound where the caller does not see it."""
    if not key:
        return None
    if visibility.find(tx, f"project:{key}") is None:
        raise NotFound(f"There is no project {key!r} that you can see.")
    return access.project(tx, key)


def require_kinds(kinds: list[str] | None) -> list[str]:
    """Kinds that the index knows. Raises InvalidInput for another."""
    for kind in kinds or ():
        if kind not in KINDS and kind not in ("project", "member", "page", "asset", "request"):
            raise InvalidInput(f"There is no kind {kind!r} to search.", field="kinds", allowed=list(KINDS))
    return kinds or []
