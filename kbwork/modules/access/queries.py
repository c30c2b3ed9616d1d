"""Grants as rows: those of a thing, and those that the caller has."""

from kbwork.base.text import whole_number
from kbwork.core.access import visibility
from kbwork.core.access.grants import GrantTarget, InheritedGrant, Level, wider
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import AccessGrantRow
from kbwork.db.tx import Read, json_array
from kbwork.modules.access.model import Grant


def identities(tx: Read) -> frozenset[str]:
    """As whom the caller may be named: a member, their teams, their role."""
    caller = tx.caller
    if caller.member is None:
        return frozenset()
    return frozenset((caller.member, *visibility.teams(tx), f"role:{caller.role}"))


def held(tx: Read, kind: str) -> dict[str, Level]:
    """What the caller was given on things of a kind, by what stands behind the colon: the widest of each."""
    found: dict[str, Level] = {}
    for row in tx.all(
        "select subject, level from access_grant where who in (select value from json_each(:whos))"
        " and subject >= :first and subject < :behind",
        whos=json_array(sorted(identities(tx))),
        first=f"{kind}:",
        behind=f"{kind};",
    ):
        ref = ref_of(row["subject"])[1]
        level = wider(found.get(ref), row["level"])
        assert level is not None
        found[ref] = level
    return found


def here(tx: Read, subject: str) -> list[AccessGrantRow]:
    """Those that were given on a thing itself, in the order in which they were."""
    return tx.all(
        "select * from access_grant where subject = :subject order by id", AccessGrantRow, subject=subject
    )


def shown(tx: Read, on: GrantTarget) -> list[Grant]:
    """All rights on a thing, its own first, managers before others."""
    own = [
        InheritedGrant(
            row["who"], row["level"], "org", row["granted_by"], row["granted_at"], row["expires_at"]
        )
        for row in here(tx, on.subject)
    ]
    found = [_shown(tx, one, "here") for one in own]
    return found + [_shown(tx, one, one.source) for one in on.inherited]


def _shown(tx: Read, one: InheritedGrant, source: str) -> Grant:
    return Grant(
        {
            "who": one.who,
            "name": name_of(tx, one.who),
            "level": one.level,
            "from": source,  # type: ignore[typeddict-item]  # one of the words of the shape
            "expires_at": one.expires_at,
            "granted_by": one.granted_by,
            "granted_at": one.granted_at,
        }
    )


def name_of(tx: Read, who: str) -> str:
    """What somebody, a team or a role is called."""
    kind, ref = ref_of(who)
    if kind == "role":
        return f"Everybody with the role {ref}"
    if who == "team:admins":
        return "Admins"
    sql = (
        "select name from team where id = :id" if kind == "team" else "select name from member where id = :id"
    )
    return str(tx.value(sql, id=whole_number(ref) if kind == "team" else who) or "")
