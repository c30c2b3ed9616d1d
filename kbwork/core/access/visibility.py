"""Who sees what, as one SQL condition. Every read, list, feed, stream and search asks here.

A module says for each kind of thing who its viewers are (`Thing.seen`); this room joins them into the
condition on events and binds what is known of the caller.

Here is decided, too, what a connected client sees that was given some modules (`Caller.modules`): things of kinds that
these declare, unless they hang on a thing of another, and events of kinds that these declare, unless they are told of a
thing of another. Whoever was given all is asked nothing of this.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from pydantic_core import to_json

from kbwork.base.caller import Caller
from kbwork.core.access import scopes
from kbwork.core.things.thing import Condition, Hosts, Subject, Thing, among, condition, ref_of
from kbwork.db.tx import Read, Row, json_array

_INNER = ("owner", "admin", "member")
_KIND = "substr({0}, 1, instr({0}, ':') - 1)"
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


def number(tx: Read) -> int:
    """A number for what decides what the caller sees, beside the things: who sees something else has another.

    Clients that keep things compare it; it is the same after a restart.
    """

    def make() -> int:
        told = {
            name: sorted(json.loads(value), key=str) if isinstance(value, str) and value[:1] == "[" else value
            for name, value in binds(tx).items()
        }
        return int(hashlib.sha256(to_json([tx.caller.role, sorted(told.items())])).hexdigest()[:12], 16)

    found: int = tx.cached(("sight number", tx.caller.ident, tx.caller.role, tx.caller.projects), make)
    return found


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


def reads(tx: Read, name: str) -> bool:
    """Whether the caller may read things of this kind at all: by a scope, and by a module that they were given."""
    kind = things(tx).get(name)
    return kind is not None and _reads(tx.caller, kind)


def _reads(caller: Caller, kind: Thing) -> bool:
    return kind.scope in caller.scopes and (caller.modules is None or kind.module in caller.modules)


def holds(tx: Read, name: str) -> bool:
    """Whether the module of this kind of thing is for the caller, whatever their scopes."""
    kind = things(tx).get(name)
    return kind is None or tx.caller.holds(kind.module)


def of_held_modules(tx: Read, rows: list[Row]) -> list[Row]:
    """Those of these events (with `kind` and `subject`) that are of modules that the caller was given."""
    if tx.caller.modules is None:
        return rows
    kinds, others = set(_held_events(tx)), set(_others(tx, of_org=False))
    return [
        row
        for row in rows
        if row["kind"] in kinds and ref_of(row["subject"])[0] not in others and _concerns(tx, row["subject"])
    ]


def hosts_held(tx: Read, subject: str) -> str:
    """The condition, begun by `and`, that this column holds no subject of a module that the caller was not given;
    empty for whoever was given all."""
    if tx.caller.modules is None:
        return ""
    return f" and {_KIND.format(subject)} not in (select value from json_each(:kb_others))"


def _held_events(tx: Read) -> list[str]:
    """The kinds of events that are of modules that the caller was given."""
    return [kind for kind, module in tx.registry.event_modules.items() if tx.caller.holds(module)]


def _others(tx: Read, *, of_org: bool) -> list[str]:
    """The kinds of things that are of modules that the caller was not given; with or without those of the org itself,
    since events of any module stand on these."""
    kinds = things(tx).values()
    return [one.name for one in kinds if not tx.caller.holds(one.module) and (of_org or not one.of_org)]


def _concerns(tx: Read, subject: str) -> bool:
    """Whether the module that this thing is of beside that of its kind, if there is one, is for the caller."""
    name, ref = ref_of(subject)
    kind = things(tx).get(name)
    return kind is None or kind.concerns is None or tx.caller.holds(kind.concerns(tx, ref))


def _given(tx: Read) -> dict[str, Any]:
    """What is bound for a connected client that was given some modules."""
    if tx.caller.modules is None:
        return {}
    return {
        "kb_events": json_array(_held_events(tx)),
        "kb_others": json_array(_others(tx, of_org=True)),
        "kb_apart": json_array(_others(tx, of_org=False)),
    }


def _caller(tx: Read) -> dict[str, Any]:
    caller = tx.caller
    return {
        **_given(tx),
        "kb_me": caller.member or "",
        "kb_admin": int(caller.admin),
        "kb_member": int(caller.role in _INNER and caller.projects is None),
        "kb_guest": int(caller.guest),
        "kb_teams": json_array(teams(tx)),
        "kb_scopes": json_array(sorted(caller.scopes)),
    }


def events(tx: Read, about: Collection[str | Subject]) -> str:
    """The condition on `events e` that is true where the caller may hear of the event now.

    `about` are the subjects that the events have, of few kinds: each makes the statement longer. One that was found
    says itself what it hangs on. Whoever has a page of events that are about anything asks `heard`.
    """
    caller = tx.caller
    seen: dict[str, list[str]] = {}
    found = {one.id: one.on for one in about if isinstance(one, Subject) and one.on is not None}
    for kind, hosts, _ in _apart(tx, (one if isinstance(one, str) else one.id for one in about), found):
        said = condition(kind.seen, hosts)
        if said is not None:
            seen.setdefault(kind.name, []).append(f"({said})")
    by_subject = among({name: " or ".join(said) for name, said in seen.items()}, "e.subject")
    signed_in = int(caller.member is not None)
    inner = int(caller.role in _INNER)
    scoped = "e.scope in (select value from json_each(:kb_scopes))"
    given = (
        "e.kind in (select value from json_each(:kb_events))"
        f" and {_KIND.format('e.subject')} not in (select value from json_each(:kb_apart)) and "
    )
    return (
        f"({given if caller.modules is not None else ''}case e.audience when 'audit' then 0"
        f" when 'everyone' then {signed_in} and {scoped}"
        f" when 'members' then {inner} and {scoped}"
        f" when 'admin' then {int(caller.admin)} and {scoped}"
        f" when 'starter' then {int(caller.admin)} or e.actor = :kb_me"
        f" else (e.audience <> 'team' or {inner}) and ({by_subject}) end)"
    )


def heard(tx: Read, rows: list[Row]) -> list[Row]:
    """Those of these events (with `kind`, `subject`, `audience`, `scope` and `actor`) that the caller may hear of now.

    What they are about is asked of each kind once, for all of them.
    """
    rows = of_held_modules(tx, rows)
    by_subject = [row["subject"] for row in rows if row["audience"] not in _AT_LARGE]
    seen = fitting(tx, by_subject, lambda kind: kind.seen)
    return [row for row in rows if _hears(tx.caller, row, seen)]


def oversees(caller: Caller) -> bool:
    """Whether the audit log is whole for the caller: an owner, by no key that is limited to projects."""
    return caller.role == "owner" and caller.projects is None


def disclosed(tx: Read, subjects: Iterable[str]) -> frozenset[str]:
    """Those of these subjects of which the audit log tells this admin all that was told.

    They are those that the caller sees, with what is of the org itself. Owners need not see what their scopes let them
    read. What is gone for good is seen by nobody.
    """
    found: set[str] = set()
    asked: set[str] = set()
    for subject in set(subjects):
        kind = things(tx).get(ref_of(subject)[0])
        if kind is not None and kind.of_org:
            found.add(subject)
        elif not oversees(tx.caller):
            asked.add(subject)
        elif kind is None or kind.scope in tx.caller.scopes:
            found.add(subject)
    return fitting(tx, asked, lambda kind: kind.seen) | found


def _hears(caller: Caller, row: Row, seen: frozenset[str]) -> bool:
    """The same as `events` says in SQL."""
    audience, scoped, inner = row["audience"], row["scope"] in caller.scopes, caller.role in _INNER
    if audience not in _AT_LARGE:
        return (inner or audience != "team") and row["subject"] in seen
    if audience == "starter":
        return caller.admin or row["actor"] == (caller.member or "")
    allowed = {"everyone": caller.member is not None, "members": inner, "admin": caller.admin}
    return scoped and allowed.get(audience, False)


def fitting(tx: Read, subjects: Iterable[str], asked: Callable[[Thing], Condition | None]) -> frozenset[str]:
    """Those of these subjects for which what is asked of their kind holds and whose kind the caller may read.

    Each kind is asked once for all its subjects, and one that hangs on others once for each kind of these: no statement
    grows with the number of kinds. A kind without a condition has none.
    """
    found: set[str] = set()
    for kind, hosts, refs in _apart(tx, subjects):
        wanted = asked(kind)
        sql = condition(wanted, hosts) if wanted is not None else None
        if sql is not None:
            held = f"select :name || ':' || r.value from json_each(:refs) r where {sql.replace(':ref', 'r.value')}"
            found.update(tx.column(held, name=kind.name, refs=json_array(refs), **binds(tx)))
    return frozenset(found)


def _apart(
    tx: Read, subjects: Iterable[str], on: Mapping[str, str] = MappingProxyType({})
) -> Iterator[tuple[Thing, Hosts, list[Any]]]:
    """(kind, kinds of what they hang on, references) of those of these subjects whose kind the caller may read. `on`:
    what some of them are known to hang on."""
    apart: dict[str, set[str]] = {}
    for subject in subjects:
        name, ref = ref_of(subject)
        apart.setdefault(name, set()).add(ref)
    for name, refs in apart.items():
        kind = things(tx).get(name)
        if kind is not None and _reads(tx.caller, kind):
            for hosts, some in by_hosts(tx, kind, sorted(refs), on):
                if all(tx.caller.holds(host.module) for host in hosts):
                    yield kind, hosts, some


def by_hosts(
    tx: Read, kind: Thing, refs: list[Any], on: Mapping[str, str] = MappingProxyType({})
) -> Iterator[tuple[Hosts, list[Any]]]:
    """Things of a kind by the kinds of what they hang on, whoever sees them; together where theirs hangs on nothing.

    `on`: what some of them are known to hang on. Of each kind on the way all its things are looked up at once.
    """
    if kind.hosts is None:
        yield (), refs
        return
    known = [(ref, on[f"{kind.name}:{ref}"]) for ref in refs if f"{kind.name}:{ref}" in on]
    if len(known) < len(refs):
        others = [ref for ref in refs if f"{kind.name}:{ref}" not in on]
        known += tx.tuples(kind.hosts, refs=json_array(others))
    hanging: dict[str, dict[str, list[Any]]] = {}
    for ref, subject in known:
        name, host_ref = ref_of(subject)
        hanging.setdefault(name, {}).setdefault(host_ref, []).append(ref)
    for name, held in hanging.items():
        host = things(tx).get(name)
        if host is not None:
            for beyond, some in by_hosts(tx, host, list(held)):
                yield (host, *beyond), [ref for one in some for ref in held[str(one)]]


def count(tx: Read, kind: str, refs: list[Any]) -> int:
    """How many of these subjects of a kind the caller sees, in the trash too where they may bring them back."""
    seen = fitting(tx, (f"{kind}:{ref}" for ref in refs), lambda found: found.seen)
    return sum(f"{kind}:{ref}" in seen for ref in refs)


def role_of(tx: Read, member: str) -> str:
    """The role of a member; of somebody who is active no more that of nobody, `anonymous`."""
    found: str = tx.cached(
        ("role of", member),
        lambda: (
            tx.value("select role from member where id = :id and state = 'active'", id=member) or "anonymous"
        ),
    )
    return found


def as_member(tx: Read, member: str) -> Read:
    """The snapshot as this member sees it, with all that their role may."""
    role = role_of(tx, member)
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
    name, _ = ref_of(subject)
    found = find_named(tx, subject) if reads(tx, name) else None
    if found is None or tx.caller.modules is None:
        return found
    held = found.on is None or holds(tx, ref_of(found.on)[0])
    return found if held and _concerns(tx, found.id) else None


def referred(tx: Read, ref: str) -> Subject | None:
    """The subject that a reference names, short ones such as `WEB-12` and `@ana` too, if the caller may see it."""
    return find(tx, canonical(tx, ref))


def find_named(tx: Read, subject: str) -> Subject | None:
    """The same of what is merely named by something else, as its project or a team is: that needs the scope, and no
    module."""
    name, ref = ref_of(subject)
    kind = things(tx).get(name)
    if kind is None or kind.scope not in tx.caller.scopes:
        return None
    return kind.find(tx, ref)
