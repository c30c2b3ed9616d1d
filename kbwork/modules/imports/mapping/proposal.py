"""What is proposed to become of a source's own words, and whether what somebody asks for can be."""

import json
import re
from collections.abc import Container
from typing import Any, cast

from kbwork.base.errors import InvalidInput
from kbwork.base.text import did_you_mean, folded, numbered
from kbwork.db.rows import LaneRow
from kbwork.db.tx import Read
from kbwork.modules import members, types, workflows
from kbwork.modules.imports.load.record_content import OWN
from kbwork.modules.imports.mapping import default_words
from kbwork.modules.imports.model import Mapping
from kbwork.modules.imports.queries import ImportJobRow
from kbwork.modules.imports.records import FoundContent, FoundPerson
from kbwork.modules.imports.sources.parse.columns import takes_many

_TYPE_KEY = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_PROJECT_KEY = re.compile(r"[A-Z][A-Z0-9]{1,9}")
PULL = "pull-request"
KINDS = ("labels", "components", "comments", "relations", "attachments")
"""Kinds of records that can stay out."""
_ALONE = ("invite", "name_only")
_IDENTITY = (
    "select 1 from member where id = :known union all select 1 from agent where 'agent:' || name = :known"
)


def proposed(tx: Read, row: ImportJobRow, found: FoundContent) -> tuple[Mapping, list[str]]:
    """The mapping that suits what was found, and what is lost by it."""
    if row["source"] == "kbz":
        return _own(tx, row, found), []
    losses: list[str] = []
    names = members.by_name(tx)
    mapping = Mapping(
        projects=_projects(tx, row, found),
        names=_names(found),
        types={word: _type(tx, word, losses) for word in found["types"]},
        statuses=_statuses(tx, found),
        fields=_fields(tx, found),
        members={one["id"]: _proposed_member(tx, one, names) for one in found["people"]},
        skip=[],
    )
    unmapped = sorted(name for name in found["fields"] if not mapping["fields"][name].startswith(OWN))
    if unmapped:
        losses.append(f"fields without an own field here are left out: {', '.join(unmapped[:20])}")
    return mapping, losses


def _own(tx: Read, row: ImportJobRow, found: FoundContent) -> Mapping:
    """Of projects of ours: words stay what they are, and what is missing here is made."""
    return Mapping(
        projects=_projects(tx, row, found),
        names=_names(found),
        types={word: word for word in found["types"]},
        statuses={word: word for word in found["statuses"]},
        fields={name: OWN + name for name in found["fields"]},
        members={
            one["id"]: member_of(tx, one["email"], one["handle"] or one["id"], one.get("known"))
            for one in found["people"]
        },
        skip=[],
    )


def _projects(tx: Read, row: ImportJobRow, found: FoundContent) -> dict[str, str]:
    """Where each goes: as was asked, to the project that was made of it before, else to a new one. What only happens to
    have the key, such as that of a file's name, is not mixed with it unasked."""
    keys: dict[str, str] = {}
    for one in found["projects"]:
        asked = row["project"] or _brought(tx, one["id"])
        keys[one["id"]] = asked or free_key(tx, _project_key(one["key"], one["name"]), set(keys.values()))
    return keys


def _names(found: FoundContent) -> dict[str, str]:
    return {one["id"]: one["name"] for one in found["projects"]}


def _brought(tx: Read, source: str) -> str | None:
    """The key of the project that was made of one of the source before."""
    found = tx.value(
        "select p.key from import_item m join project p on p.id = m.project"
        " where m.external = :source and m.subject glob 'project:*' and p.deleted_at is null"
        " order by m.id desc limit 1",
        source=source,
    )
    return str(found) if found is not None else None


def free_key(tx: Read, key: str, taken: Container[str] = ()) -> str:
    """A key that was never given out, nor is among `taken`: this one, else with a number behind it."""
    given = "select 1 from project_key where key = :key"
    return next(one for one in numbered(key, 10) if one not in taken and tx.value(given, key=one) is None)


def require_fits(tx: Read, row: ImportJobRow, mapping: Mapping) -> None:
    """Raises InvalidInput naming the first that does not fit."""
    for source, key in mapping["projects"].items():
        if not _PROJECT_KEY.fullmatch(key):
            raise InvalidInput(f"{key!r} is no key of a project.", field=f"projects.{source}")
    for source, name in mapping["types"].items():
        if name is not None and not _TYPE_KEY.fullmatch(name):
            raise InvalidInput(f"{name!r} is no key of a type.", field=f"types.{source}")
    own = row["source"] == "kbz"
    for source, lane in mapping["statuses"].items():
        if not (own and lane == source):
            workflows.lanes.by_name(tx, lane, field=f"statuses.{source}")
    _require_people(tx, row, mapping["members"])
    _require_fields(tx, row, mapping["fields"])


def _require_people(tx: Read, row: ImportJobRow, named: dict[str, str]) -> None:
    nameless = {one["id"] for one in json.loads(row["found"])["people"] if not one["email"]}
    for source, who in named.items():
        if who == "invite" and source in nameless:
            raise InvalidInput(f"The source knows no address of {source}.", field=f"members.{source}")
        agent = row["source"] == "kbz" and tx.value(_IDENTITY, known=who) is not None
        if who not in _ALONE and not agent and members.find(tx, who) is None:
            raise InvalidInput(
                f"{who!r} is no member; a member's id, invite or name_only.", field=f"members.{source}"
            )


def _require_fields(tx: Read, row: ImportJobRow, named: dict[str, str]) -> None:
    known = [OWN + key for key in tx.column("select key from field where home = 'issue'")]
    for source, field in named.items():
        plain = row["source"] == "csv" and not field.startswith(OWN)
        plain = plain or (row["source"] == "kbz" and field == OWN + source)
        if field and not plain and field not in known:
            hint = did_you_mean(field, known)
            text = f"There is no own field {field!r}; one is named as {OWN}severity.{hint}"
            raise InvalidInput(text, field=f"fields.{source}", allowed=known[:100])


def _project_key(key: str | None, name: str) -> str:
    if key:
        return key
    plain = re.sub(r"[^A-Z0-9]", "", name.rpartition("/")[2].upper())[:10]
    return plain if _PROJECT_KEY.fullmatch(plain) else "IMPORT"


def _type(tx: Read, word: str, losses: list[str]) -> str | None:
    if word == PULL:
        return PULL
    if word == "issue":
        return None
    rows = types.every(tx)
    for wanted in (word, default_words.type_key(word)):
        for row in rows:
            if folded(wanted) in (row["key"], folded(row["name"])):
                return str(row["key"])
    losses.append(f"there is no type {word!r} here: its issues get the project's default type")
    return None


def _statuses(tx: Read, found: FoundContent) -> dict[str, str]:
    rows = workflows.lanes.staying(tx)
    done = [row for row in rows if row["category"] == "done"]
    proposals: dict[str, str] = {}
    for word, status in found["statuses"].items():
        lane = _named(rows, word, done=status["done"])
        proposals[word] = lane["key"] if lane else done[0]["key"] if status["done"] else "todo"
        if not status["done"] and lane is None:
            proposals[word] = _start(tx)
        for outcome in status["outcomes"]:
            own = next((row for row in done if row["outcome"] == outcome), None)
            if own is not None and lane is None and own["key"] != proposals[word]:
                proposals[f"{word}:{outcome}"] = own["key"]
    return proposals


def _named(rows: list[LaneRow], word: str, *, done: bool) -> LaneRow | None:
    for wanted in (folded(word), default_words.lane_key(word)):
        for row in rows:
            fits = (row["category"] == "done") == done
            if fits and wanted in (row["key"], folded(row["name"])):
                return row
    return None


def _start(tx: Read) -> str:
    """Where the workflow of a new project begins."""
    standard = tx.value("select id from workflow where builtin = 1")
    return str(workflows.graph(tx, standard).start["key"])


def _fields(tx: Read, found: FoundContent) -> dict[str, str]:
    """Own fields by their names; the columns of a table are what the reader took them for."""
    keys = {
        name: OWN + field["key"]
        for field in tx.all("select key, name from field where home = 'issue'")
        for name in (folded(field["name"]), field["key"])
    }
    own = {name: keys.get(folded(name), "") for name in found["fields"]}
    return own | {
        column: (own.get(column) or field) if field == "values" else field
        for column, field in found["columns"].items()
    }


def _proposed_member(tx: Read, person: FoundPerson, names: dict[str, str]) -> str:
    """As `member_of`, else the one member of that very name: people see who that is before anything comes in."""
    found = member_of(tx, person["email"], person["handle"] or person["id"])
    if found == "name_only" and not person["email"]:
        return names.get(folded(person["name"]), found)
    return found


def member_of(tx: Read, email: str | None, handle: str | None, known: str | None = None) -> str:
    """A member by the id that they have where the file is from this org, be it one who was erased since, then by
    address, then by handle, else `name_only`."""
    if known is not None and tx.value(_IDENTITY, known=known) is not None:
        return known
    for ref in (email, handle):
        if ref and ref != "me" and not ref.startswith("m_"):
            found = members.find(tx, ref)
            if found is not None and found["state"] in ("active", "invited"):
                return str(found["id"])
    return "name_only"


def released(fields: dict[str, str], named: dict[str, str]) -> dict[str, str]:
    """The columns of a table: one that holds what another is named for now, and what one alone can, becomes text of its
    own."""
    taken = {_held(field) for field in named.values() if not takes_many(_held(field))}
    return {
        column: "values" if column not in named and _held(field) in taken else field
        for column, field in fields.items()
    }


def _held(field: str) -> str:
    """Without how its days are written."""
    return "values" if field.startswith(OWN) else field.partition(" ")[0]


def merged(mapping: Mapping, given: dict[str, Any]) -> Mapping:
    """The mapping with what was asked for."""
    parts: dict[str, Any] = {**mapping}
    for name, value in given.items():
        parts[name] = value if isinstance(value, list) else {**parts[name], **value}
    return cast(Mapping, parts)
