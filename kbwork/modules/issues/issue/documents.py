"""Issues as JSON: made once for all who are shown the same, and kept until something about them is changed.

What an issue says of others, its parent and the number of its children, is asked each time: who sees these is another
question.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast

from pydantic_core import to_json

from kbwork.core.operations import etag
from kbwork.db.documents import Document, Documented, Entry, MadeDocument
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, json_array
from kbwork.modules import fields
from kbwork.modules.issues import queries
from kbwork.modules.issues.model import Issue
from kbwork.modules.projects import access as projects

DOCUMENTED = Documented(
    table="issue",
    shared={
        "component": ("name", "name_key"),
        "field": (),
        "field_layout": (),
        "field_option": (),
        "issue_type": ("key",),
        "label": ("name",),
        "lane": ("key", "name"),
        "project": ("key",),
    },
)
_KIND = "issue"
_ROLES: dict[projects.Role | None, int] = {None: 0, "viewer": 1, "reporter": 2, "member": 3, "lead": 4}
_OWN, _WATCHED, _GUEST = 8, 16, 32
_WATCHER_BYTES = 150
"""Of a name in a set."""


class _Facts(NamedTuple):
    """What decides which of its documents somebody is shown, and what is asked beside it."""

    project: int
    reporter: str
    watchers: frozenset[str]
    parent: int | None
    above: bool
    """It has children."""


class _Eyes:
    """Whose answer it is, as far as documents differ by that."""

    __slots__ = ("_guest", "_me", "_roles")

    def __init__(self, tx: Read) -> None:
        self._me = tx.caller.member or ""
        self._guest = _GUEST if tx.caller.guest else 0
        self._roles = {project: _ROLES[role] for project, role in projects.roles(tx).items()}

    def shown(self, facts: _Facts) -> int:
        """One number for all who are shown the same: what they may do, and whether it is theirs or watched by them."""
        return (
            self._roles.get(facts.project, 0)
            | (_OWN if facts.reporter == self._me else 0)
            | (_WATCHED if self._me in facts.watchers else 0)
            | self._guest
        )

    def document(self, entry: Entry | None) -> Document | None:
        """What they are shown of this one, where that is kept."""
        if entry is None:
            return None
        last = entry.last
        if last is not None and last[0] is self:
            return last[1]
        found = entry.shown.get(self.shown(entry.facts))
        if found is not None:
            entry.last = (self, found)
        return found


class Told(NamedTuple):
    """Some issues as JSON."""

    items: list[bytes]
    digest: bytes
    """Of all that they say."""
    entry: Entry | None
    """Of the one that was asked for, where it says nothing of others."""


def texts(tx: Read, issues: Sequence[int]) -> Told:
    """Some issues, which the caller sees, in this order."""
    eyes: _Eyes = tx.cached(
        ("issue eyes", tx.caller.ident, tx.caller.role, tx.caller.projects), lambda: _Eyes(tx)
    )
    entries = tx.documents(_KIND, issues)
    found = [eyes.document(entry) for entry in entries]
    facts: list[Any] = [entry.facts if entry is not None else None for entry in entries]
    if None in found:
        missing = [issue for issue, known in zip(issues, found, strict=True) if known is None]
        made = dict(_made(tx, eyes, missing))
        for at, known in enumerate(found):
            if known is None:
                facts[at], found[at] = made[issues[at]]
    documents = cast(list[Document], found)
    items = [document.pieces[0] for document in documents]
    digests = [document.digest for document in documents]
    open_ = [at for at, document in enumerate(documents) if len(document.pieces) > 1]
    if open_:
        relatives = queries.relatives(
            tx,
            [facts[at].parent for at in open_ if facts[at].parent is not None],
            [issues[at] for at in open_ if facts[at].above],
        )
        for at in open_:
            said = relatives.of(issues[at], facts[at].parent)
            digests.append(b"%b,%b,%b;" % said)
            items[at] = _filled(documents[at].pieces, said)
    alone = entries[0] if len(issues) == 1 and not open_ else None
    return Told(items, etag.digest(b"".join(digests)), alone)


def _filled(pieces: tuple[bytes, ...], said: tuple[bytes, ...]) -> bytes:
    return b"".join([part for pair in zip(pieces, (*said, b""), strict=True) for part in pair])


def _made(tx: Read, eyes: _Eyes, issues: list[int]) -> Iterator[tuple[int, tuple[_Facts, Document]]]:
    rows = queries.rows(tx, issues)
    beside = queries.Beside(tx, rows)
    watchers: dict[int, set[str]] = {}
    for issue, who in tx.tuples(
        "select issue, who from issue_watcher where issue in (select value from json_each(:ids))",
        ids=json_array(issues),
    ):
        watchers.setdefault(issue, set()).add(who)
    keeps = fields.stand_alone(tx)
    for row in rows:
        issue = row["id"]
        facts = _Facts(
            row["project"],
            row["reporter"],
            frozenset(watchers.get(issue, ())),
            row["parent"],
            row["children"] > 0,
        )
        pieces = _pieces(beside.issue(row), row)
        document = Document(pieces, etag.digest(b"\0".join(pieces)))
        if keeps:
            size = _WATCHER_BYTES * len(facts.watchers)
            tx.keep_document(_KIND, issue, MadeDocument(facts, size, eyes.shown(facts), document))
        yield issue, (facts, document)


def _pieces(issue: Issue, row: IssueRow) -> tuple[bytes, ...]:
    """The whole, or with room for its parent, the number of its children and of those that are done."""
    if row["parent"] is None and not row["children"]:
        return (to_json(issue),)
    members: dict[str, Any] = dict(issue)
    counts: dict[str, Any] = dict(issue["counts"])
    first, behind_parent = _split(members, "parent")
    middle, last = _split(behind_parent, "counts")
    before, behind_children = _split(counts, "children")
    between, after = _split(behind_children, "children_done")
    assert not between, "the two counts stand side by side"
    return (
        b'%b,"parent":' % to_json(first)[:-1],
        b',%b,"counts":%b,"children":' % (to_json(middle)[1:-1], to_json(before)[:-1]),
        b',"children_done":',
        b",%b,%b" % (to_json(after)[1:], to_json(last)[1:]),
    )


def _split(members: dict[str, Any], name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What stands before and behind a member."""
    names = list(members)
    at = names.index(name)
    return {one: members[one] for one in names[:at]}, {one: members[one] for one in names[at + 1 :]}
