"""Who a bearer token belongs to. Owns the tables of callers; the modules that manage them write through here."""

import ipaddress
import json

from kbwork.base import ids
from kbwork.base.caller import ANONYMOUS, ActorKind, Caller, of_customer
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Unauthenticated
from kbwork.core import org_settings
from kbwork.core.access import scopes
from kbwork.db.tx import Read, Row

CALLER_TABLES = frozenset(
    {
        "member",
        "session",
        "key",
        "agent",
        "team",
        "team_member",
        "credential",
        "passkey",
        "oauth_grant",
        "customer_token",
    }
)
CONNECTED = "kbo_"
"""What access tokens of clients connected by OAuth begin with."""
OF_CUSTOMER = "kbp_"
"""What tokens of the customers of service desks begin with."""
PORTAL = "portal:"
"""What the `session` of a customer begins with; the digest of the token follows."""
PREFIXES = ("kb_", "kbs_", CONNECTED, OF_CUSTOMER)
GRANT = "grant:"
"""What the `key` of a caller begins with that is a client connected by OAuth; the number of the grant follows."""
WITHOUT_FACTOR = frozenset({"auth:read", "auth:write"})
"""All that a session may do where the policy asks for a second factor and its member has none: set one up."""
_FACTOR = "(c.totp is not null or exists (select 1 from passkey p where p.member = m.id))"
"""Whether the member `m` with the credentials `c` has a second factor in force."""
_ASK_AGAIN_S = 60


@dataclass(frozen=True, slots=True)
class Known:
    """A token that was looked up: the caller it stands for and until when."""

    caller: Caller
    expires_at: int
    networks: tuple[str, ...]
    known_at: int

    @property
    def asked_again_at(self) -> int:
        """From then on it is looked up again although nothing is known to have changed: the clock may have moved a role
        or a key."""
        return self.known_at + _ASK_AGAIN_S + 1


def lookup(tx: Read, token: str) -> Known:
    """The caller of a token. Raises Unauthenticated without saying which part was wrong."""
    if token.startswith("kbs_"):
        return _session(tx, ids.digest(token))
    if token.startswith("kb_"):
        return _key(tx, ids.digest(token))
    if token.startswith(CONNECTED):
        return _grant(tx, ids.digest(token))
    if token.startswith(OF_CUSTOMER):
        return _customer(tx, ids.digest(token))
    raise _refused()


def session_lives_s(tx: Read, token: str) -> int:
    """How long the session with this token may live from now on, in seconds; 0 where there is none."""
    ends = tx.value("select expires_at from session where digest = :digest", digest=ids.digest(token))
    return max(0, ends - tx.trusted_now) if ends is not None else 0


def admit_address(known: Known, address: str | None, now: int) -> Caller:
    """The caller, if the token still lives and may be used from this address."""
    if known.expires_at <= now or not in_networks(address, known.networks):
        raise _refused()
    return known.caller


def stale(known: Known, now: int) -> bool:
    """Whether it is to be looked up again, by the clock."""
    return not known.known_at <= now < known.asked_again_at


def in_networks(address: str | None, networks: tuple[str, ...]) -> bool:
    """Whether an address lies in one of the networks; no networks allow every address."""
    if not networks:
        return True
    try:
        found = ipaddress.ip_address(address or "")
    except ValueError:
        return False
    return any(found in ipaddress.ip_network(network, strict=False) for network in networks)


def _session(tx: Read, digest: bytes) -> Known:
    row = tx.one(
        "select s.id, s.expires_at, s.idle_until, s.elevated_until, m.id as member, m.role, m.state, m.guest_until,"
        f" {_FACTOR} or s.factor as factor"
        " from session s join member m on m.id = s.member left join credential c on c.member = m.id"
        " where s.digest = :digest",
        digest=digest,
    )
    if row is None or row["state"] != "active":
        raise _refused()
    held = scopes.of_role(row["role"])
    if not row["factor"] and org_settings.get(tx, "auth.require_2fa"):
        held &= WITHOUT_FACTOR
    caller = Caller(
        member=row["member"],
        role=row["role"],
        kind="human",
        scopes=held,
        session=row["id"],
        elevated_until=row["elevated_until"] or 0,
    )
    mistrusted_s = tx.now - tx.trusted_now
    ends = min(row["expires_at"], row["idle_until"]) + mistrusted_s
    return Known(caller, min(ends, row["guest_until"] or ends), _policy_networks(tx), tx.now)


def _customer(tx: Read, digest: bytes) -> Known:
    """A customer who is not blocked."""
    row = tx.one(
        "select t.customer, t.expires_at from customer_token t join customer c on c.id = t.customer"
        " where t.digest = :digest and c.blocked_at is null",
        digest=digest,
    )
    if row is None:
        raise _refused()
    return Known(
        of_customer(row["customer"], session=PORTAL + digest.hex()),
        row["expires_at"] + tx.now - tx.trusted_now,
        (),
        tx.now,
    )


def _key(tx: Read, digest: bytes) -> Known:
    row = tx.one(
        "select k.id, k.kind, k.agent, k.scopes, k.projects, k.networks, k.expires_at, k.revoked_at, k.digest,"
        " k.old_digest, k.old_until, m.id as member, m.role, m.state, m.guest_until"
        " from key k join member m on m.id = k.owner where k.digest = :digest or k.old_digest = :digest",
        digest=digest,
    )
    if row is None or row["state"] != "active" or row["revoked_at"] is not None:
        raise _refused()
    ends = [row["expires_at"], row["guest_until"]]
    leaving = row["digest"] != digest
    if leaving:
        ends.append(row["old_until"] or 0)
    own: tuple[str, ...] = tuple(json.loads(row["networks"]))
    expires_at = min([end for end in ends if end is not None], default=1 << 60)
    return Known(_key_caller(row, leaving=leaving), expires_at, own or _policy_networks(tx), tx.now)


def of_member(tx: Read, member: str) -> Caller | None:
    """A member as themselves, without a session; None where they are not active."""
    role = tx.value("select role from member where id = :id and state = 'active'", id=member)
    return Caller(member=member, role=role, kind="human", scopes=scopes.of_role(role)) if role else None


def _grant(tx: Read, digest: bytes) -> Known:
    row = tx.one(
        f"select t.scopes as asked, t.expires_at, m.guest_until, g.*, m.role, {_FACTOR} as factor"
        " from oauth_token t join oauth_grant g on g.id = t.grant_id and g.revoked_at is null"
        " join member m on m.id = g.member and m.state = 'active' left join credential c on c.member = m.id"
        " where t.digest = :digest and t.kind = 'access'",
        digest=digest,
    )
    if row is None:
        raise _refused()
    ends = min(row["expires_at"], row["guest_until"] or row["expires_at"])
    return Known(_grant_caller(tx, row, json.loads(row["asked"])), ends, _policy_networks(tx), tx.now)


def _of_grant(tx: Read, grant: int) -> Caller | None:
    row = tx.one(
        f"select g.*, m.role, {_FACTOR} as factor from oauth_grant g"
        " join member m on m.id = g.member and m.state = 'active' left join credential c on c.member = m.id"
        " where g.id = :grant and g.revoked_at is null",
        grant=grant,
    )
    return _grant_caller(tx, row, json.loads(row["scopes"])) if row is not None else None


def _grant_caller(tx: Read, row: Row, asked: list[str]) -> Caller:
    """An agent of the member, with what a token asked for as far as the grant, the role and the policy allow it."""
    given = scopes.meant(frozenset(json.loads(row["scopes"])))
    wanted = given.intersection(scopes.meant(frozenset(asked)))
    role = _agent_role(row["role"], given)
    held = scopes.of_role(role)
    if not row["factor"] and org_settings.get(tx, "auth.require_2fa"):
        held &= WITHOUT_FACTOR
    narrowed = "" if wanted == given else ":" + ids.digest(" ".join(sorted(wanted))).hex()[:16]
    return Caller(
        member=row["member"],
        role=role,
        kind="agent",
        scopes=wanted & held,
        via=f"agent:{row['agent']}",
        key=f"{GRANT}{row['id']}{narrowed}",  # what was found out for one set of scopes is not for another
        modules=frozenset(json.loads(row["modules"])) if row["modules"] is not None else None,
    )


def grant_of(key: str) -> int:
    """The number of the grant in the `key` of a caller that begins with GRANT."""
    return int(key.removeprefix(GRANT).partition(":")[0])


def of_key(tx: Read, key: str) -> Caller | None:
    """The caller behind a key by its id, or behind a grant; None where it opens nothing any more."""
    if key.startswith(GRANT):
        return _of_grant(tx, grant_of(key))
    row = tx.one(
        "select k.id, k.kind, k.agent, k.scopes, k.projects, m.id as member, m.role"
        " from key k join member m on m.id = k.owner and m.state = 'active'"
        " where k.id = :id and k.revoked_at is null and (k.expires_at is null or k.expires_at > :now)",
        id=key,
        now=tx.now,
    )
    return _key_caller(row) if row is not None else None


def _key_caller(row: Row, *, leaving: bool = False) -> Caller:
    asked = scopes.meant(frozenset(json.loads(row["scopes"])))
    agent = row["kind"] == "agent"
    role = _agent_role(row["role"], asked) if agent else row["role"]
    projects = json.loads(row["projects"])
    kind: ActorKind = "agent" if agent else "key"
    return Caller(
        member=row["member"],
        role=role,
        kind=kind,
        scopes=asked & scopes.of_role(role),
        via=f"agent:{row['agent']}" if agent else f"key:{row['id']}",
        key=row["id"],
        projects=frozenset(projects) if projects else None,
        leaving=leaving,
    )


def _agent_role(role: str, asked: frozenset[str]) -> str:
    """An agent of an admin is one only where that was said."""
    return "member" if role in ("owner", "admin") and "admin" not in asked else role


def _policy_networks(tx: Read) -> tuple[str, ...]:
    found = tx.value("select value from setting where name = 'auth.allowed_networks'")
    return tuple(json.loads(found)) if found and found != "null" else ()


def _refused() -> Unauthenticated:
    return Unauthenticated(
        "Send a valid key or session as `Authorization: Bearer ...`; this one is not known"
    )


__all__ = [
    "ANONYMOUS",
    "CALLER_TABLES",
    "CONNECTED",
    "GRANT",
    "PREFIXES",
    "Known",
    "admit_address",
    "grant_of",
    "in_networks",
    "lookup",
    "of_key",
    "of_member",
    "stale",
]
