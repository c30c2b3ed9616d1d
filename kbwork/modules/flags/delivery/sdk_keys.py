"""SDK keys: what opens an environment to client libraries."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from kbwork.base import ids
from kbwork.base.errors import NotFound
from kbwork.base.model import Id, Int
from kbwork.core.operations.declare import destructive, write
from kbwork.core.seal import Seal
from kbwork.db.rows import FlagEnvironmentRow, SdkKeyRow
from kbwork.db.tx import Read, Write, with_columns
from kbwork.flagengine.envelope import SnapshotKey
from kbwork.modules.flags import access
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.definition import store
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.model import (
    EnvironmentRef,
    FlagProjectRef,
    KeyKind,
    SdkKey,
    SdkKeyCreated,
    SdkKeyRevoked,
)

_WHY = "a key is not taken back: revoke it"
_PREFIX: dict[KeyKind, str] = {"server": "srv_", "client": "cli_"}
_LENGTH: dict[KeyKind, int] = {"server": 40, "client": 24}
_HOUR_S = 3600
_SALT_BYTES = 16
LIVING = "revoked_at is null and (expires_at is null or expires_at > :now)"
"""SQL for rows of `sdk_key`."""
Hours = Annotated[Int | None, Field(ge=0, le=8760)]


class FlagsKeys(Tried):
    project: FlagProjectRef
    environment: EnvironmentRef


@write(
    "flags.keys",
    scope="admin",
    words="list sdk keys, which sdk keys exist, client-side id",
    undo=_WHY,
    example={"project": "web", "environment": "production"},
)
def keys(tx: Write, args: FlagsKeys) -> list[SdkKey]:
    """List the SDK keys that open an environment, oldest first: a client-side ID whole, a server key by its end."""
    project = access.project(tx, args.project)
    access.require_admin(tx)
    return done(args, _shown(tx, access.environment(tx, project, args.environment)))


class FlagsKeyCreate(Tried):
    project: FlagProjectRef
    environment: EnvironmentRef
    kind: KeyKind
    """`server` for back ends, secret; `client` for browsers and apps, public."""
    expire_others_in_hours: Hours = None
    """For rotation: the environment's other keys of this kind end after so many hours."""


class NewSdkKey(SdkKey):
    """`secret` is the key itself; that of a server is not shown again."""

    secret: str
    """The key itself."""


@write(
    "flags.key_create",
    scope="admin",
    words="sdk key, client-side id, connect an app to flags, key for an environment, rotate sdk key",
    undo=_WHY,
    emits=[SdkKeyCreated, SdkKeyRevoked],
    example={"project": "web", "environment": "production", "kind": "server"},
)
def key_create(tx: Write, args: FlagsKeyCreate) -> NewSdkKey:
    """Make an SDK key. A server key stands in this answer and never again; of a client-side ID nothing is secret."""
    place = access.place(tx, access.administered_project(tx, args.project), args.environment)
    if args.expire_others_in_hours is not None:
        for row in _living(tx, place.environment):
            if row["kind"] == args.kind:
                _expire(tx, place, row, args.expire_others_in_hours)
    secret = _PREFIX[args.kind] + ids.token("")[: _LENGTH[args.kind]]
    salt = ids.random_bytes(_SALT_BYTES)
    key = tx.insert(
        "sdk_key",
        environment=place.environment["id"],
        kind=args.kind,
        digest=ids.digest(secret),
        last4=secret[-4:],
        value=secret if args.kind == "client" else None,
        salt=salt,
        sealed=Seal(tx.secret).seal(SnapshotKey.of(secret, salt).secret, sealed_for(place.environment["id"])),
        created_by=tx.caller.actor,
        created_at=tx.now,
    )
    _tell(tx, SdkKeyCreated, place, {"id": key, "kind": args.kind, "expires_at": None})
    (made,) = [one for one in _shown(tx, place.environment) if one["id"] == key]
    return done(args, NewSdkKey(**made, secret=secret))


class FlagsKeyRevoke(Tried):
    project: FlagProjectRef
    environment: EnvironmentRef
    id: Id
    """Id of the key, from `flags.keys`."""
    in_hours: Hours = None
    """It ends after so many hours; left out or 0: now."""


@destructive(
    "flags.key_revoke",
    scope="admin",
    words="revoke an sdk key, disable a leaked sdk key, end a client-side id",
    undo=_WHY,
    emits=[SdkKeyRevoked],
    example={"project": "web", "environment": "production", "id": 1},
)
def key_revoke(tx: Write, args: FlagsKeyRevoke) -> list[SdkKey]:
    """Revoke an SDK key, now or later. Whoever holds it keeps what they have, and gets no more. Answers the others."""
    place = access.place(tx, access.administered_project(tx, args.project), args.environment)
    row = next((one for one in _living(tx, place.environment) if one["id"] == args.id), None)
    if row is None:
        raise NotFound(f"{place.environment['key']} has no SDK key {args.id}; flags.keys shows them.")
    _expire(tx, place, row, args.in_hours or 0)
    return done(args, _shown(tx, place.environment))


def sealed_for(environment: int) -> str:
    """Where a sealed snapshot key belongs."""
    return f"sdk_key:{environment}"


def _living(tx: Read, environment: FlagEnvironmentRow) -> list[SdkKeyRow]:
    return tx.all(
        f"select * from sdk_key where environment = :id and {LIVING} order by id",
        SdkKeyRow,
        id=environment["id"],
        now=tx.now,
    )


def _expire(tx: Write, place: ProjectEnvironment, row: SdkKeyRow, hours: int) -> None:
    """End a key in so many hours, never later than it was to end."""
    ends = tx.now + hours * _HOUR_S
    if not hours:
        tx.update("sdk_key", row["id"], revoked_at=tx.now)
    elif row["expires_at"] is None or row["expires_at"] > ends:
        tx.update("sdk_key", row["id"], expires_at=ends)
    else:
        return
    _tell(tx, SdkKeyRevoked, place, with_columns(row, {"expires_at": ends}))


def _tell(
    tx: Write,
    event: type[SdkKeyCreated | SdkKeyRevoked],
    place: ProjectEnvironment,
    row: Mapping[str, Any],
) -> None:
    """`expires_at` is when it ends, or ended."""
    payload = {
        "environment": place.environment["key"],
        "key": row["id"],
        "kind": row["kind"],
        "expires_at": row["expires_at"],
    }
    tx.emit(event(subject=store.project_name(place.project), payload=payload))


def _shown(tx: Read, environment: FlagEnvironmentRow) -> list[SdkKey]:
    return [
        SdkKey(
            id=row["id"],
            environment=environment["key"],
            kind=row["kind"],
            last4=row["last4"],
            value=row["value"],
            created_at=row["created_at"],
            expires_at=row["expires_at"],
        )
        for row in _living(tx, environment)
    ]
