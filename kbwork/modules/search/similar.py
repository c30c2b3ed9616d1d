"""Issues like a text, and texts that mention an issue."""

import itertools
import re

from kbwork.base.text import fold
from kbwork.core.access import visibility
from kbwork.db.deadline import within_deadline
from kbwork.db.tx import Read, Row
from kbwork.modules.projects import ISSUE_SEEN
from kbwork.modules.search.kinds import documents
from kbwork.modules.search.search_terms import any_of

_WORD = re.compile(r"\w{4,}")
_MOST_WORDS = 60
_MOST_RANKED = 2000
_LEAST = 0.2


def alike(
    tx: Read, title: str, body: str, *, but: int | None, project: int | None
) -> list[tuple[int, float]]:
    """(issue, score) of the issues that have the words of a title, and of a text, the best first; 1: all of them."""
    wanted = _words(title), _words(body)
    if not wanted[0] | wanted[1]:
        return []
    rows = tx.all(
        f"select i.id, i.title, substr(i.body, 1, 4000) as body from {documents('issue')} cross join issue i"
        f" where i.id = kb_doc.ref and {ISSUE_SEEN} and i.id is not :but"
        " and (:project is null or i.project = :project) order by kb_text.rowid desc limit :ranked",
        match=any_of(sorted(wanted[0] | wanted[1])[:_MOST_WORDS]),
        ranked=_MOST_RANKED,
        but=but,
        project=project,
        **visibility.binds(tx),
    )
    scores = {row["id"]: _likeness(wanted, row) for row in within_deadline(tx, rows)}
    best = sorted(scores.items(), key=lambda one: (-one[1], -one[0]))
    return [(ident, round(score, 4)) for ident, score in best if score >= _LEAST]


def _likeness(wanted: tuple[set[str], set[str]], row: Row) -> float:
    """How many of the words are there: those of the title count three times."""
    title, body = wanted
    said = _words(row["title"]), _words(row["title"] + " " + row["body"])
    parts = [(3.0, title, said[0] if title & said[0] else said[1]), (1.0, body, said[1])]
    weighed = [(weight, len(words & there) / len(words)) for weight, words, there in parts if words]
    return sum(weight * share for weight, share in weighed) / sum(weight for weight, _ in weighed)


def _words(text: str) -> set[str]:
    """Words of four letters and more; shorter ones are in every text."""
    return set(_WORD.findall(fold(text[:4000])))


def having(tx: Read, words: list[str], most: int) -> list[str]:
    """The newest subjects of whatever kind whose title or text has these words in this order, whoever sees them."""
    return tx.column(
        "select kb_doc.kind || ':' || kb_doc.ref from search_text kb_text"
        " cross join search_doc kb_doc on kb_doc.id = kb_text.rowid where kb_text.search_text match :match"
        " order by kb_text.rowid desc limit :most",
        match='"' + " ".join(words).replace('"', "") + '"',
        most=most,
    )


def mentioning(tx: Read, keys: list[str], most: int) -> list[Row]:
    """Issues and comments that name one of these keys, the newest first: (kind, id, issue, text).

    They are of what the caller sees; internal notes are not for guests.
    """
    match = " OR ".join('"' + key.casefold().replace("-", " ") + '"' for key in keys)
    rows = tx.all(
        "select iif(c.id is null, 'issue', 'comment') as kind, coalesce(c.id, i.id) as id, i.id as issue"
        " from search_text kb_text cross join search_doc kb_doc"
        " on kb_doc.id = kb_text.rowid and kb_doc.kind in ('issue', 'comment')"
        " left join comment c on kb_doc.kind = 'comment' and c.id = kb_doc.ref"
        " join issue i on i.id = iif(c.id is null, kb_doc.ref, cast(substr(c.subject, 7) as integer))"
        f" where kb_text.search_text match :match and {ISSUE_SEEN}"
        " and (c.id is null or c.subject glob 'issue:*' and (c.internal = 0 or not :kb_guest))"
        " order by kb_text.rowid desc limit 2000",
        match=match,
        **visibility.binds(tx),
    )
    named = re.compile(r"(?<![\w-])(" + "|".join(map(re.escape, keys)) + r")(?![\w-])", re.IGNORECASE)
    texts = (row | {"text": tx.value(_TEXTS[row["kind"]], id=row["id"])} for row in within_deadline(tx, rows))
    return list(itertools.islice((row for row in texts if named.search(row["text"])), most))


_TEXTS = {
    "issue": "select title || char(10) || body from issue where id = :id",
    "comment": "select body from comment where id = :id",
}
"""Read one by one: there may be many long ones, and few are told."""
