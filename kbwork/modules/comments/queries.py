"""Comments as rows, as the caller sees them, and as documents, which are kept."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from pydantic_core import to_json

from kbwork.core.operations.documents import Eyes, Made, ThingDocuments
from kbwork.db.rows import CommentRow
from kbwork.db.tx import Read, json_array
from kbwork.modules.comments import access
from kbwork.modules.comments.model import Comment, Reaction


def stored(tx: Read, ident: int) -> CommentRow:
    """The row of a comment, which must exist."""
    row = tx.stored("comment", [ident])
    assert row is not None
    return row


def title(row: CommentRow) -> str:
    """Its first words: what it is called in lists."""
    return " ".join(row["body"].split())[:80]


def quoted(tx: Read, ident: int) -> str:
    """The words that a comment, which the caller sees, is about, on one line; empty: it is about the whole."""
    try:
        exact = json.loads(stored(tx, ident)["anchor"] or "{}").get("exact")
    except (ValueError, AttributeError, RecursionError):
        return ""  # an archive brought something else
    return " ".join(exact.split()).encode(errors="replace").decode() if isinstance(exact, str) else ""


def shown(tx: Read, rows: list[CommentRow]) -> list[Comment]:
    """Stored comments, which the caller sees, in their shape."""
    reactions = _reactions(tx, [row["id"] for row in rows])
    return [_shown(row, reactions.get(row["id"], [])) for row in rows]


def _shown(row: CommentRow, reactions: list[Reaction]) -> Comment:
    if row["deleted_at"] is not None:
        row, reactions = row | {"author": "", "body": "", "body_doc": None, "anchor": None}, []
    return Comment(
        id=row["id"],
        author=row["author"],
        body=row["body"],
        body_doc=row["body_doc"],
        created_at=row["created_at"],
        edited_at=row["edited_at"],
        internal=bool(row["internal"]),
        parent=row["parent"],
        anchor=row["anchor"],
        reactions=reactions,
        resolved_at=row["resolved_at"],
        resolved_by=row["resolved_by"],
    )


def _reactions(tx: Read, ids: list[int]) -> dict[int, list[Reaction]]:
    found: dict[int, list[Reaction]] = {}
    for row in tx.all(
        "select comment, emoji, count(*) as count, max(who = :me) as mine,"
        " json_group_array(who order by at, who) as who from reaction"
        " where comment in (select value from json_each(:ids)) group by comment, emoji order by min(at), emoji",
        ids=json_array(ids),
        me=access.speaker(tx),
    ):
        who = json.loads(row["who"])[:20]
        reaction = Reaction(emoji=row["emoji"], count=row["count"], mine=bool(row["mine"]), who=who)
        found.setdefault(row["comment"], []).append(reaction)
    return found


_REACTION_BYTES = 200
"""Of somebody who reacted, in a dict."""


class _Facts(NamedTuple):
    """What decides which of its documents somebody is shown."""

    reactions: dict[str, tuple[str, ...]]
    """Who reacted -> with what."""


class CommentEyes(Eyes):
    """By which of the reactions to it are theirs."""

    __slots__ = ("_voice",)

    def __init__(self, tx: Read) -> None:
        self._voice = access.speaker(tx)

    def shown(self, facts: _Facts) -> tuple[str, ...]:
        return facts.reactions.get(self._voice, ())


def _made(tx: Read, _: CommentEyes, comments: list[int]) -> Iterator[Made]:
    ids = json_array(comments)
    rows = tx.all(
        "select * from comment where id in (select value from json_each(:ids))", CommentRow, ids=ids
    )
    reactions: dict[int, dict[str, tuple[str, ...]]] = {}
    for comment, who, emoji in tx.tuples(
        "select comment, who, emoji from reaction where comment in (select value from json_each(:ids))"
        " order by emoji",
        ids=ids,
    ):
        held = reactions.setdefault(comment, {})
        held[who] = (*held.get(who, ()), emoji)
    for row, comment in zip(rows, shown(tx, rows), strict=True):
        facts = _Facts(reactions.get(row["id"], {}))
        yield Made(row["id"], facts, (to_json(comment),), _REACTION_BYTES * len(facts.reactions))


DOCUMENTS = ThingDocuments(kind="comment", table="comment", make=_made)
