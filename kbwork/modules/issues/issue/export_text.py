"""An issue as one text for a person or a prompt, within a budget of tokens."""

import datetime
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.model import Input
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.core.references import IssueRef
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read
from kbwork.issuefields import SIMPLE
from kbwork.modules import fields, members
from kbwork.modules.issues import access, queries
from kbwork.modules.issues.issue import history
from kbwork.modules.issues.model import Issue
from kbwork.modules.issues.relations import relation_kinds, relations

With = Literal["comments", "history", "relations", "checklist", "git"]
_TOKEN_BYTES = 4
_CUT = "\n\n[cut]"
_HISTORY = 50
_OWN = "values."
"""What changes of own fields begin with."""
_PEOPLE = ("assignees", "reporter")
_SIMPLE = sorted(SIMPLE, key=lambda field: field.kind)
"""Days before numbers."""


class Brief(TypedDict):
    """Markdown. `truncated` says that not all of it fitted."""

    text: str
    """The issue as Markdown."""
    truncated: bool
    """Whether something was left out to fit `max_tokens`."""


class IssuesExportText(Input):
    key: IssueRef
    with_: Annotated[list[With], Field(max_length=5)] | None = Field(None, alias="with")
    """What to add; parts of modules that are not there add nothing."""
    max_tokens: Annotated[int, Field(ge=100, le=1_000_000)] | None = None
    """Counted as four bytes of UTF-8 each; without it all is in the text."""


@read(
    "issues.export_text",
    scope="issues:read",
    words=(
        "ticket as markdown, summarize an issue, brief, everything about a ticket in one text, "
        "read a ticket with its comments, catch me up on, context for a prompt"
    ),
    example={"key": "WEB-1", "with": ["comments", "relations"], "max_tokens": 2000},
)
def export_text(tx: Read, args: IssuesExportText) -> Brief:
    """Put an issue into one Markdown text: its facts, its description, and what `with` names, as far as you see it.

    Replies stand under their thread, indented as quotes; notes for the team say that they are internal. Where the
    budget is short, the facts stay, the description is cut at its end, and of threads and history the latest stay.
    """
    row = access.get(tx, args.key)
    issue = queries.shown(tx, [row])[0]
    named = args.with_ or []
    budget = _Budget(args.max_tokens)
    budget.add(_facts(tx, issue, row))
    lists = [
        ("Relations", _relations(tx, row["id"]) if "relations" in named else []),
        ("Checklist", _part(tx, "checklists", row["id"]) if "checklist" in named else []),
        ("Comments", _comments(tx, row["id"]) if "comments" in named else []),
        ("History", _history(tx, issue["key"]) if "history" in named else []),
    ]
    wanted = sum(_size(line) for _, lines in lists for line in lines)
    budget.add(issue["body"], keep=min(wanted, budget.left // 2))
    for title, lines in lists:
        budget.add_latest(f"## {title}", lines)
    return Brief(text="\n\n".join(budget.parts), truncated=budget.truncated)


class _Budget:
    """Takes parts of the text while there is room for them."""

    def __init__(self, max_tokens: int | None) -> None:
        self.left = max_tokens * _TOKEN_BYTES if max_tokens is not None else 1 << 40
        self.parts: list[str] = []
        self.truncated = False

    def add(self, text: str, *, keep: int = 0) -> None:
        """A text, cut where it leaves less than `keep` bytes for what follows."""
        text = text.strip()
        if not text:
            return
        room = self.left - keep
        if _size(text) > room:
            self.truncated = True
            text = text.encode()[: max(0, room - len(_CUT) - 2)].decode(errors="ignore") + _CUT
        self._take(text)

    def add_latest(self, title: str, lines: list[str]) -> None:
        """As many of the lines as there is room for, the last ones first; in their order."""
        kept: list[str] = []
        room = self.left - _size(title)
        for line in reversed(lines):
            if _size(line) > room:
                self.truncated = True
                break
            room -= _size(line)
            kept.insert(0, line)
        if kept:
            self._take("\n\n".join([title, *kept]))

    def _take(self, text: str) -> None:
        self.parts.append(text)
        self.left -= _size(text)


def _size(text: str) -> int:
    """Bytes, with the blank line behind."""
    return len(text.encode()) + 2


def _facts(tx: Read, issue: Issue, row: IssueRow) -> str:
    people = ", ".join(_name(tx, who) for who in issue["assignees"])
    facts = {
        "Type": issue["type"],
        "Status": issue["status"] + (f" ({issue['outcome']})" if issue["outcome"] else ""),
        "Priority": issue["priority"],
        "Assignees": people or "nobody",
        "Reporter": _name(tx, issue["reporter"]),
        "Labels": ", ".join(issue["labels"]),
        "Components": ", ".join(issue["components"]),
        "Parent": issue["parent"],
        **{
            field.name.capitalize(): fields.plain_words(row[field.column])
            for field in _SIMPLE
            if row[field.column] is not None
        },
        "Blocked": "yes" if issue["blocked"] else None,
    }
    lines = [f"- {name}: {value}" for name, value in facts.items() if value]
    own = (fields.in_words(tx, key, value) for key, value in issue["values"].items())
    lines += [f"- {name}: {value}" for name, value in own]
    return f"# {issue['key']} {issue['title']}\n\n" + "\n".join(lines)


def _name(tx: Read, who: str) -> str:
    """A person's name as far as the caller sees them, else the identity."""
    if not who.startswith("m_") or not members.seen(tx, who):
        return who
    return str(tx.value("select name from member where id = :who", who=who) or who)


def _relations(tx: Read, issue: int) -> list[str]:
    words = {row["key"]: row for row in relation_kinds.rows(tx)}
    return [
        f"- {words[one['kind']]['inverse' if one['direction'] == 'in' else 'name']} {one['issue']['key']}"
        f" {one['issue']['title']} ({one['issue']['status']})"
        for one in relations.of_issue(tx, issue)
    ]


def _comments(tx: Read, issue: int) -> list[str]:
    return _part(tx, "comments", issue) if visibility.reads(tx, "comment") else []


def _part(tx: Read, name: str, issue: int) -> list[str]:
    """The module that keeps such parts says them."""
    part = next((part for part in tx.registry.cascades if part.name == name), None)
    if part is None or part.text is None or not tx.caller.holds(part.module):
        return []
    found: list[str] = part.text(tx, f"issue:{issue}")
    return found


def _history(tx: Read, key: str) -> list[str]:
    page = history.history(tx, history.IssuesHistory(key=key, limit=_HISTORY))
    lines = []
    for change in reversed(page["items"]):
        day = _day(change["at"])
        field = change["field"]
        title = fields.in_words(tx, field.removeprefix(_OWN), "")[0] if field.startswith(_OWN) else field
        sides = f"{_said(tx, field, change['from'])} to {_said(tx, field, change['to'])}"
        lines.append(f"- {day} {_name(tx, change['who'])}: {title} {sides}")
    return lines


def _said(tx: Read, field: str, value: Any) -> str:
    if value in (None, "", []):
        return "nothing"
    if field.startswith(_OWN):
        return fields.in_words(tx, field.removeprefix(_OWN), value)[1]
    if field in _PEOPLE:
        return ", ".join(_name(tx, who) for who in ([value] if isinstance(value, str) else value))
    return _day(value) if field == "archived_at" else fields.plain_words(value)


def _day(at: int) -> str:
    return datetime.datetime.fromtimestamp(at, datetime.UTC).date().isoformat()
