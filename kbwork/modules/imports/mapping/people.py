"""Whom the source names, as members, as bare names, or invited where the mapping says so."""

from kbwork.base.errors import Problem
from kbwork.core.operations import nested
from kbwork.db.tx import Read, Write
from kbwork.modules import members
from kbwork.modules.imports.mapping import proposal as mappings
from kbwork.modules.imports.model import Mapping
from kbwork.modules.imports.records import PersonRecord

_RESERVED = ("system", "anonymous", "me")


def bare(tx: Read, source: str, who: str) -> str:
    """A name that nobody here answers to: it holds no right."""
    name = " ".join(who.replace(":", " ").split()) or "unknown"
    if name in _RESERVED or name.startswith("m_") or members.find(tx, name) is not None:
        name = f"{name} ({source})"
    return name[:500]


def settle(tx: Write, mapping: Mapping, person: PersonRecord) -> str | None:
    """Whom a person is from now on, where the mapping does not say; invited where it says so. None: as it was.

    Raises a Problem where the invite is refused.
    """
    wanted = mapping["members"].get(person["id"])
    if wanted == "invite":
        return _invited(tx, person)
    if wanted is None:
        found = mappings.member_of(tx, person["email"], person["handle"] or person["id"], person.get("known"))
        return None if found == "name_only" else found
    return None


def _invited(tx: Write, person: PersonRecord) -> str | None:
    address = person["email"]
    if not address:
        return "name_only"
    known = members.find(tx, address)
    if known is None:
        nested.run(tx, "invites.create", {"emails": [address], "role": "member"})
        known = members.find(tx, address)
    if known is None:
        raise Problem(f"{address} could not be invited.")
    return str(known["id"])
