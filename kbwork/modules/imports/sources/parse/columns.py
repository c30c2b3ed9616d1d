"""Which column of a table is which field: by what was asked for, else by the names that tools give their columns."""

import re

from kbwork.base.dataclasses import dataclass
from kbwork.issuefields import IMPORTED
from kbwork.modules.imports.sources.parse import times
from kbwork.modules.imports.sources.refusal import SourceRefused, shown

_USUAL = {
    "id": "issuekey key number # no identifier id issueid cardid taskid gid ticket ticketid ticketnumber",
    "title": "summary title subject name cardname taskname issuetitle task",
    "body": "description body notes carddescription content details text",
    "type": "issuetype type tracker tasktype kind",
    "status": "status state listname list sectioncolumn section column lane stage",
    "resolution": "resolution closereason statereason",
    "priority": "priority",
    "author": "reporter author creator createdby openedby requester requestedby",
    "assignees": "assignee assignees assignedto owner owners members",
    "labels": "labels label tags tag keywords",
    "components": "components component category module area",
    "parent": "parentkey parent parentid parentissue parenttask",
    "project": "projectkey project projects projectname boardname repository",
    **{field.input: field.usual for field in IMPORTED},
    "created_at": "created createdat createdon creationdate datecreated opened openedat",
    "updated_at": "updated updatedat updatedon lastmodified modified modifiedat lastactivity lastactivitydate",
    "done_at": "resolved resolvedat closed closedat closedon completedat completed completedon resolutiondate finished",
    "url": "url link cardurl permalink htmlurl issueurl weburl",
    "comment": "comment comments",
}
_DAYS = tuple(field.input for field in IMPORTED if field.kind == "date")
_NUMBERS = tuple(field.input for field in IMPORTED if field.kind == "number")
TIMES = ("created_at", "updated_at", "done_at")
MANY = ("assignees", "labels", "components", "comment", "other_id")
"""Fields to which more than one column may go; so do `relation:<kind>` and `values`."""
FIELDS = (*_USUAL, "other_id", "values", "")
_CUSTOM = re.compile(r"custom field \((.*)\)\Z", re.IGNORECASE)
_LINK = re.compile(r"(inward|outward) issue link \((.*)\)\Z", re.IGNORECASE)
_LINKS = {
    "blocks": "relation:blocks",
    "blockedby": "relation:blocks back",
    "relatedto": "relation:relates",
    "relatedissues": "relation:relates",
    "duplicateof": "relation:duplicates",
}
_KINDS = {
    "duplicate": "duplicates",
    "cloners": "clones",
    "relates": "relates",
    "blocks": "blocks",
    "causes": "causes",
}


@dataclass
class SourceColumn:
    """`field` is one of FIELDS or `relation:<kind>`; `back` turns that round; `order` is that of days in slashes.

    `stands_in`: it is taken for the title, since none says that it is.
    """

    index: int
    name: str
    field: str
    asked: bool = False
    order: str | None = None
    back: bool = False
    stands_in: bool = False

    @property
    def told(self) -> str:
        """The field as a mapping names it."""
        return f"{self.field}{' back' if self.back else ''}{f' {self.order}' if self.order else ''}"

    @property
    def dated(self) -> bool:
        return self.field in _DAYS or self.field in TIMES

    @property
    def profiled(self) -> bool:
        """Whether its cells have to look like something."""
        return self.dated or self.field in _NUMBERS


def columns(header: list[str], asked: dict[str, str]) -> list[SourceColumn]:
    """Every column with its field. Raises SourceRefused for a mapping that names what is not there."""
    names = [name or f"column {index + 1}" for index, name in enumerate(header)]
    for name, field in asked.items():
        if name not in names:
            raise SourceRefused(f"columns: there is no column {shown(name)}")
        _parsed(0, name, field)
    found = [
        _parsed(index, name, asked[name]) if name in asked else SourceColumn(index, name, "values")
        for index, name in enumerate(names)
    ]
    _spare(found)
    _guess(found)
    _require(found)
    return found


def takes_many(field: str) -> bool:
    """Whether several columns may go there."""
    return field in MANY or field in {"values", ""} or field.startswith("relation:")


def _spare(found: list[SourceColumn]) -> None:
    """Of columns with one name, the first goes to a field that takes one alone; the others are fields of their own."""
    taken = set()
    for column in found:
        if column.asked and not takes_many(column.field):
            if (column.name, column.field) in taken:
                column.field, column.order = "values", None
            taken.add((column.name, column.field))


def _parsed(index: int, name: str, field: str) -> SourceColumn:
    field, _, order = field.strip().partition(" ")
    column = SourceColumn(index, name, field, asked=True)
    relation = re.fullmatch(r"relation:\S{1,100}", field) is not None
    if order == "back" and relation:
        column.back = True
    elif order in {"d/m", "m/d"} and column.dated:
        column.order = order
    elif order or not (relation or field in FIELDS):
        raise SourceRefused(
            f"columns.{name}: {shown(field + (' ' + order if order else ''))} is no field; one of"
            f" {', '.join(known for known in FIELDS if known)}, relation:<kind>, or empty for none;"
            " behind a time or day d/m or m/d"
        )
    return column


def _guess(found: list[SourceColumn]) -> None:
    free = [column for column in found if not column.asked]
    taken = {column.field for column in found if column.asked}
    plain = {column.index: _plain(column.name) for column in free}
    for field, usual in _USUAL.items():
        if field in taken:
            continue
        for name in usual.split():
            same = [column for column in free if plain[column.index] == name and column.field == "values"]
            for column in same if field in MANY else same[:1]:
                column.field = field
            if same:
                break
    ids = _USUAL["id"].split()
    for column in free:
        if column.field == "values":
            _guess_link(column, plain[column.index])
            if plain[column.index] in ids:
                column.field = "other_id"


def _guess_link(column: SourceColumn, plain: str) -> None:
    if found := _LINK.match(column.name):
        kind = "-".join(found[2].lower().split()) or "relates"
        column.field = f"relation:{_KINDS.get(kind, kind)}"
        column.back = found[1].lower() == "inward"
    elif plain in _LINKS:
        column.field, _, back = _LINKS[plain].partition(" ")
        column.back = bool(back)


def _require(found: list[SourceColumn]) -> None:
    if all(column.field != "title" for column in found):
        _stand_in(found)
    fields = [column.field for column in found]
    for field in fields:
        if not takes_many(field) and fields.count(field) > 1:
            raise SourceRefused(f"columns: more than one goes to {field}")


def _stand_in(found: list[SourceColumn]) -> None:
    """The first that holds nothing else becomes the title; people see which before anything comes in, and choose."""
    free = next((column for column in found if column.field == "values" and not column.asked), None)
    if free is None:
        raise SourceRefused(
            "row 1: no column holds a title (Title, Summary, Name, Subject): map one of"
            f" {', '.join(shown(column.name) for column in found[:10])} to title"
        )
    free.field, free.stands_in = "title", True


def _plain(name: str) -> str:
    custom = _CUSTOM.match(name)
    return re.sub(r"[^a-z0-9#]", "", (custom[1] if custom else name).lower())


@dataclass
class ColumnProfile:
    """What the cells of a column of days, times or numbers look like."""

    cells: int = 0
    fit: int = 0
    orders: frozenset[str] = frozenset()
    first: str = ""
    """The place of the first day in slashes that can be read both ways."""

    def add(self, column: SourceColumn, cell: str, row: int) -> None:
        self.cells += 1
        if not column.dated:
            self.fit += number(cell) is not None
            return
        order = times.order(cell)
        self.fit += order is not None or times.read(cell) is not None
        if order is not None:
            self.orders |= {order}
            if order == "?" and not self.first:
                self.first = f"row {row}, column {column.name}"


def number(cell: str) -> float | None:
    """A number as it is written in a cell; None for what is none, or too large."""
    text = cell.strip().replace("\u00a0", "")
    if re.fullmatch(r"-?\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,20})?", text):
        text = text.replace(",", "")
    if not re.fullmatch(r"-?\d{1,20}(?:[.,]\d{1,20})?", text):
        return None
    found = float(text.replace(",", "."))
    return found if abs(found) <= 1e15 else None
