"""Full text: which things hold the words of a pattern.

Everything that looks into texts comes through here. The index of words finds candidates for the long texts; whether a
text beyond ASCII really matches, the language's own reading of texts decides.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kbwork.base.text import fold
from kbwork.core.access import visibility
from kbwork.db.deadline import within_deadline
from kbwork.db.tx import Read, Row, json_array
from kbwork.modules import assets, members
from kbwork.modules.attachments import access as file_access
from kbwork.modules.members import MEMBER_SEEN
from kbwork.modules.projects import access
from kbwork.modules.tql.compile.visibility import COMMENT_SEEN, seen
from kbwork.modules.tql.names.asset_fields import asset_fields
from kbwork.tql.evaluator import text_match

WEIGHED = 2_000
"""So many issues at most are weighed against each other."""
_WEIGHTS = (6.0, 1.0, 1.0)
"""What a word counts in the title, the body and the comments."""
_FEW = 20_000
"""So few ids narrow the next look."""
_BEYOND = "*[^ -~\t\n\r]*"
_ISSUE_SEEN = seen("issues", "i")
_COMMENT_ROWS = "comment c join issue i on i.id = cast(substr(c.subject, 7) as integer)"
_COMMENT_SEEN = f"substr(c.subject, 1, 6) = 'issue:' and {COMMENT_SEEN} and {_ISSUE_SEEN}"


@dataclass(frozen=True, slots=True)
class TextColumn:
    """Where texts stand: the id that is told, the text, the rows and the condition that the caller sees them.

    `index`: the column in the index of words, the id there, and which sort of row it is; None where there is none.
    `binds`: what the rows and the condition name.
    """

    ident: str
    text: str
    rows: str
    seen: str
    index: tuple[str, str, int] | None = None
    binds: Mapping[str, Any] = field(default_factory=dict)

    @property
    def all(self) -> str:
        return f"select distinct {self.ident} from {self.rows} where {self.seen}"


def _issue(column: str, index: str = "") -> TextColumn:
    said = f"i.{column} is not null and i.{column} <> '' and {_ISSUE_SEEN}"
    return TextColumn("i.id", f"i.{column}", "issue i", said, (index, "i.id", 0) if index else None)


_ASSET_VALUES = "asset_value v join asset a on a.id = v.asset"
PLACES: dict[str, TextColumn] = {
    "assets.name": TextColumn("a.id", "a.name", "asset a", assets.SEEN),
    "assets.key": TextColumn("a.id", "a.key", "asset a", assets.SEEN),
    "assets.text": TextColumn(
        "a.id",
        "v.value",
        f"{_ASSET_VALUES} join asset_type y on y.id = a.type join json_each(y.fields) f on f.value ->> 'key' = v.field",
        f"f.value ->> 'kind' in ('text', 'select', 'url') and {assets.SEEN}",
    ),
    "checks.text": TextColumn("k.id", "k.text", "check_item k join issue i on i.id = k.issue", _ISSUE_SEEN),
    "issues.title": _issue("title", "title"),
    "issues.body": _issue("body", "body"),
    "issues.external": _issue("external"),
    "issues.source": _issue("source"),
    "issues.comment": TextColumn("i.id", "c.body", _COMMENT_ROWS, _COMMENT_SEEN, ("body", "c.id", 1)),
    "comments.text": TextColumn("c.id", "c.body", _COMMENT_ROWS, _COMMENT_SEEN, ("body", "c.id", 1)),
    "attachments.name": TextColumn("f.id", "f.name", "attachment f", file_access.FILE_SEEN),
    "attachments.text": TextColumn(
        "f.id", "t.text", "attachment f join attachment_text t on t.attachment = f.id", file_access.FILE_SEEN
    ),
    "issues.text": TextColumn("i.id", "i.title", "issue i", _ISSUE_SEEN),
    **{
        f"members.{name}": TextColumn(
            "m.id", f"m.{name}", "member m", f"m.{name} is not null and {MEMBER_SEEN}"
        )
        for name in ("name", "handle", "title", "zone")
    },
    **{
        f"projects.{name}": TextColumn("p.id", f"p.{name}", "project p", access.SEEN)
        for name in ("name", "kind", "visibility")
    },
    **{
        f"teams.{name}": TextColumn("t.id", f"t.{name}", "team t", members.TEAM_SEEN)
        for name in ("name", "handle")
    },
}


_TOGETHER = {
    "attachments.text": ("attachments.name", "attachments.text"),
    "assets.text": ("assets.name", "assets.key", "assets.text"),
}
"""Fields whose texts stand in several places, that which all things have first."""


def matching(tx: Read, field: str, pattern: str) -> set[Any]:
    """The ids of what matches a pattern. Several texts of one thing together must hold what the pattern asks for."""
    found: set[Any] = tx.memoized(("tql text", field, pattern), lambda: _matching(tx, field, pattern))
    return found


def same(tx: Read, field: str, text: str) -> set[Any]:
    """The ids of what has exactly this text but for case and accents, or one such among several."""
    form = fold(text)
    found: set[Any] = set()
    for place in _places(tx, field):
        near = f"(lower({place.text}) = :form or {place.text} glob :beyond)"
        rows = _rows(tx, place, near, form=form, beyond=_BEYOND)
        found.update(row["id"] for row in rows if fold(row["text"]) == form)
    return found


def scores(tx: Read, pattern: str) -> dict[int, float]:
    """How well issues fit a pattern: the less the better; those not named fit least. What fits is few enough to weigh.

    Each term counts six times in the title, and once each in the body and in what is said there. How rare a word is,
    how often it stands somewhere and what else has it counts for nothing: the order rests on what the caller sees of
    these issues, and tells of nothing else.
    """
    among = matching(tx, "issues.text", pattern)
    wanted = [term for either in text_match.terms(pattern) for term in either if not term.without]
    found = dict.fromkeys(among, 0.0)
    for place, weight in zip(_places(tx, "issues.text"), _WEIGHTS, strict=False):
        for term in wanted:
            for ident in set(_holding(tx, place, term, among)):
                found[ident] -= weight
    return found


def holding(tx: Read, needles: Iterable[str], fits: Callable[[str], object]) -> set[int]:
    """Issues of which the body, or a comment where the caller may read those, has one of these words and fits."""
    found: set[int] = set()
    for place in _places(tx, "issues.text")[1:]:
        for needle in needles:
            term = text_match.terms(needle)[0][0]
            rows = _rows(tx, place, *_indexed(place, term))
            found.update(row["id"] for row in rows if fits(row["text"]))
    return found


def _places(tx: Read, field: str) -> list[TextColumn]:
    """The texts of a field; of an own field too (`cf:<id>`)."""
    if field.startswith("cf:"):
        own = int(field.removeprefix("cf:"))
        rows = "issue_value v join issue i on i.id = v.issue"
        return [TextColumn("v.issue", "v.value", rows, f"v.field = {own} and {_ISSUE_SEEN}")]
    if field.startswith("assets.cf."):
        own_field = asset_fields(tx)[field.removeprefix("assets.")]
        said = f"v.field = :own and a.type in (select value from json_each(:types)) and {assets.SEEN}"
        binds = {"own": own_field.key, "types": json_array(own_field.types)}
        return [TextColumn("a.id", "v.value", _ASSET_VALUES, said, binds=binds)]
    if field in _TOGETHER:
        return [PLACES[name] for name in _TOGETHER[field]]
    if field != "issues.text":
        return [PLACES[field]]
    names = ["issues.title", "issues.body"]
    names += ["issues.comment"] if "comments:read" in tx.caller.scopes else []
    return [PLACES[name] for name in names]


def _matching(tx: Read, field: str, pattern: str) -> set[Any]:
    """Term by term: each of what all must hold narrows what is left. What must not be there is looked for last."""
    places = _places(tx, field)
    left: set[Any] | None = None
    for either in sorted(text_match.terms(pattern), key=lambda either: any(term.without for term in either)):
        found: set[Any] = set()
        for term in either:
            held = {one for place in places for one in _holding(tx, place, term, left)}
            found |= ((_all(tx, field, places) if left is None else left) - held) if term.without else held
        left = found if left is None else left & found
    return _all(tx, field, places) if left is None else left


def _all(tx: Read, field: str, places: list[TextColumn]) -> set[Any]:
    """What has such a text at all."""
    place = PLACES["issues.text"] if field == "issues.text" else places[0]
    found: set[Any] = tx.memoized(
        ("tql every", field), lambda: set(tx.column(place.all, **place.binds, **visibility.binds(tx)))
    )
    return found


def _holding(tx: Read, place: TextColumn, term: text_match.Term, among: set[Any] | None) -> Iterator[Any]:
    """The ids of texts that hold a term, whether or not it is one that must not be there."""
    plain = f'"{" ".join(term.words)}"{"*" if term.prefix else ""}'
    near, binds = _indexed(place, term) if place.index else _read(place, term)
    if among is not None and len(among) <= _FEW:
        near += f" and {place.ident} in (select value from json_each(:among))"
        binds["among"] = json_array(among)
    certain = place.index is not None
    for row in within_deadline(tx, _rows(tx, place, near, binds)):
        if (certain and row["text"].isascii()) or text_match.matches(plain, [row["text"]]):
            yield row["id"]


def _indexed(place: TextColumn, term: text_match.Term) -> tuple[str, dict[str, Any]]:
    """By the index of words. It keeps the sharp s that reads as ss here."""
    assert place.index is not None
    column, ident, sort = place.index
    spelled = dict.fromkeys((" ".join(term.words), " ".join(term.words).replace("ss", "ß")))
    star = " *" if term.prefix else ""
    match = " OR ".join(f'{column} : "{words}"{star}' for words in spelled)
    rows = f"select rowid / 4 from search_text where search_text match :match and rowid % 4 = {sort}"
    return f"{ident} in ({rows})", {"match": match}


def _read(place: TextColumn, term: text_match.Term) -> tuple[str, dict[str, Any]]:
    """By reading the texts: those that have every word somewhere, and those beyond ASCII."""
    held = " and ".join(f"instr(lower({place.text}), :w{at})" for at in range(len(term.words)))
    binds: dict[str, Any] = {f"w{at}": word for at, word in enumerate(term.words)}
    return f"({held} or {place.text} glob :beyond)", {**binds, "beyond": _BEYOND}


def _rows(
    tx: Read, place: TextColumn, near: str, binds: dict[str, Any] | None = None, **more: Any
) -> list[Row]:
    sql = f"select {place.ident} as id, {place.text} as text from {place.rows} where {near} and {place.seen}"
    return tx.all(sql, **(binds or {}), **more, **place.binds, **visibility.binds(tx))
