"""The words of backups."""

from typing import Literal

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

BackupKind = Literal["manual", "scheduled", "safety"]
Every = Literal["off", "hourly", "daily", "weekly"]


class Backup(TypedDict):
    """One archive. `bytes` and `sha256` are its own; `place` is `backups` for the folder beside the data."""

    id: str
    at: int
    kind: BackupKind
    bytes: int
    sha256: str
    seq: int
    version: str
    verified_at: int | None
    place: str
    note: str


class BackupSchedule(TypedDict):
    """`targets` are the places that the operator named in `kbwork.toml`; `target` null is the folder `backups`."""

    every: Every
    keep: int
    target: str | None
    targets: list[str]
    next_at: int | None
    last_error: str | None


class Backups(TypedDict):
    items: list[Backup]
    schedule: BackupSchedule


class BackupCheck(TypedDict):
    name: str
    ok: bool
    detail: str


class Verified(TypedDict):
    ok: bool
    checks: list[BackupCheck]


class Fetched(TypedDict):
    name: str
    url: str
    size: int
    sha256: str


class BackupCreated(DomainEvent):
    kind = "backup.created"
    audience = "admin"
    scope = "admin"


class BackupRestored(DomainEvent):
    kind = "backup.restored"
    audience = "admin"
    scope = "admin"


class BackupFailed(DomainEvent):
    kind = "backup.failed"
    audience = "admin"
    scope = "admin"
