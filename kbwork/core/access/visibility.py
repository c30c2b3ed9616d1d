"""Who sees what, as one SQL condition. Every read, list, feed, stream and search asks here.

A module says for each kind of thing who its viewers are (`Thing.seen`); this room joins them into the
condition on events and binds what is known of the caller.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from kbwork.base.caller import Caller
from kbwork.core.access import scopes
from kbwork.core.things.thing import Subject, Thing, ref_of
from kbwork.db.tx import Read, Row, json_array

_NOBODY = "0"
_INNER = ("owner", "admin", "member")
_AT_LARGE = frozenset({"audit", "everyone", "members", "admin", "starter"})
"""Audiences that hear of an event whatever it is about; the others do where they see that, `team` without guests."""


def binds(tx: Read) -> dict[str, Any]:
    """Everything that conditions of all kinds bind, kept until access changes."""

    def make() -> dict[str, Any]:
        found = _caller(tx)
        for kind in things(tx).values():
            if kind.binds is not None:
                found |= kind.binds(tx)
        return found

    answer: dict[str, Any] = tx.cached(("sight", tx.caller.ident, tx.caller.role, tx.caller.projects), make)
    return answer


def things(tx: Read) -> dict[str, Thing]:
    """The kinds of things that the modules declare."""
    found: dict[str, Thing] = tx.registry.things
    return found


def teams(tx: Read) -> list[str]:
    """The caller's teams as identities; `team:admins` follows the role."""
    if tx.caller.member is None:
        return []
    own = tx.column("select 'team:' || team from team_member where member = :me", me=tx.caller.member)
    return [*own, "team:admins"] if tx.caller.admin else own


def _caller(tx: Read) -> dict[str, Any]:
    caller = tx.caller
    return {
        "kb_me": caller.member or "",
        "kb_admin": int(caller.admin),
        "kb_member": int(caller.role in _INNER and caller.projects is None),
        "kb_guest": int(caller.guest),
        "kb_teams": json_array(teams(tx)),
        "kb_scopes": json_array(sorted(caller.scopes)),
    }


def events(tx: Read, among: Collection[str]) -> str:
    """The condition on `events e` that is true where the caller may hear of the event now.

    `among` names the kinds of things that the events are about, of which there are few: each makes the statement
    longer. Whoever has a page of events that are about anything asks `heard`.
    """
    caller = tx.caller
    cases = []
    for name in among:
        kind = things(tx).get(name)
        if kind is not None and kind.scope in caller.scopes:
            seen = kind.seen.replace(":ref", "substr(e.subject, instr(e.subject, ':') + 1)")
            cases.append(f"when '{kind.name}' then ({seen})")
    kind_of = "substr(e.subject, 1, instr(e.subject, ':') - 1)"
    by_subject = f"case {kind_of} {' '.join(cases)} else 0 end" if cases else _NOBODY
    signed_in = int(caller.member is not None)
    inner = int(caller.role in _INNER)
    scoped = "e.scope in (select value from json_each(:kb_scopes))"
    return (
        "(case e.audience when 'audit' then 0"
        f" when 'everyone' then {signed_in} and {scoped}"
        f" when 'members' then {inner} and {scoped}"
        f" when 'admin' then {int(caller.admin)} and {scoped}"
        f" when 'starter' then {int(caller.admin)} or e.actor = :kb_me"
        f" else (e.audience <> 'team' or {inner}) and ({by_subject}) end)"
    )


def heard(tx: Read, rows: list[Row]) -> list[Row]:
    """Those of these events (with `subject`, `audience`, `scope` and `actor`) that the caller may hear of now.

    What they are about is asked of each kind once, for all of them.
    """
    by_subject = [row["subject"] for row in rows if row["audience"] not in _AT_LARGE]
    seen = fitting(tx, by_subject, lambda kind: kind.seen)
    return [row for row in rows if _hears(tx.caller, row, seen)]


def _hears(caller: Caller, row: Row, seen: frozenset[str]) -> bool:
    """The same as `events` says in SQL."""
    audience, scoped, inner = row["audience"], row["scope"] in caller.scopes, caller.role in _INNER
    if audience not in _AT_LARGE:
        return (inner or audience != "team") and row["subject"] in seen
    if audience == "starter":
        return caller.admin or row["actor"] == (caller.member or "")
    allowed = {"everyone": caller.member is not None, "members": inner, "admin": caller.admin}
    return scoped and allowed.get(audience, False)


def fitting(tx: Read, subjects: Iterable[str], condition: Callable[[Thing], str | None]) -> frozenset[str]:
    """Those of these subjects for which their kind's condition over `:ref` holds and whose kind the caller may read.

    Each kind is asked once for all its subjects; one without a condition has none.
    """
    asked: dict[str, set[str]] = {}
    for subject in subjects:
        asked.setdefault(ref_of(subject)[0], set()).add(ref_of(subject)[1])
    found: set[str] = set()
    for name, refs in asked.items():
        kind = things(tx).get(name)
        sql = condition(kind) if kind is not None and kind.scope in tx.caller.scopes else None
        if sql is not None:
            held = f"select :name || ':' || r.value from json_each(:refs) r where {sql.replace(':ref', 'r.value')}"
            found.update(tx.column(held, name=name, refs=json_array(sorted(refs)), **binds(tx)))
    return frozenset(found)


def count(tx: Read, kind: str, refs: list[Any]) -> int:
    """How many of these subjects of a kind the caller sees, in the trash too where they may bring them back."""
    found = things(tx).get(kind)
    if found is None or found.scope not in tx.caller.scopes:
        return 0
    seen = found.seen.replace(":ref", "r.value")
    sql = f"select count(*) from json_each(:refs) r where {seen}"
    return int(tx.value(sql, refs=json_array(refs), **binds(tx))) if refs else 0


def as_member(tx: Read, member: str) -> Read:
    """The snapshot as this member sees it, with all that their role may."""
    role = tx.value("select role from member where id = :id and state = 'active'", id=member) or "anonymous"
    return tx.as_caller(Caller(member=member, role=role, kind="human", scopes=scopes.of_role(role)))


def canonical(tx: Read, ref: str) -> str:
    """A subject as events write it, whether or not it is seen: `WEB-1` and `issue:WEB-1` are `issue:1`."""
    name, rest = ref_of(ref.strip())
    for kind in things(tx).values():
        if kind.references is not None and name in ("", kind.name):
            subject = kind.references(tx, rest)
            if subject is not None:
                return subject
    return ref.strip()


def known_as(tx: Read, subject: str) -> list[str]:
    """The subject under every name that its events stand under."""
    name, ref = ref_of(subject)
    kind = things(tx).get(name)
    refs = kind.former(tx, ref) if kind is not None and kind.former is not None else []
    return [f"{name}:{one}" for one in refs] or [subject]


def find(tx: Read, subject: str) -> Subject | None:
    """The subject with this id, if it is there and the caller may see it."""
    name, ref = ref_of(subject)
    kind = things(tx).get(name)
    if kind is None or kind.scope not in tx.caller.scopes:
        return None
    return kind.find(tx, ref)
