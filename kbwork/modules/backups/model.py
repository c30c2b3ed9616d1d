"""The words of backups."""

from typing import Literal

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

BackupKind = Literal["manual", "scheduled", "safety"]
Every = Literal["off", "hourly", "daily", "weekly"]


class Backup(TypedDict):
    """One archive. `bytes` and `sha256` are its own; `place` is `backups` for the folder beside the data."""

    id: str
    """Id of the backup, which begins with its time."""
    at: int
    """Moment whose state it holds, in Unix seconds."""
    kind: BackupKind
    """Why it was taken: by hand, by the schedule, or before a restore."""
    bytes: int
    """Size of the archive in bytes."""
    sha256: str
    """Checksum of the archive, in hex."""
    seq: int
    """Number of the latest event in it."""
    version: str
    """Version of kbwork that took it."""
    verified_at: int | None
    """When it was last checked and found good, in Unix seconds; null: never."""
    place: str
    """Where it lies: `backups` beside the data, or a place that the operator named."""
    note: str
    """What was noted of it; empty: nothing."""


class BackupSchedule(TypedDict):
    """`targets` are the places that the operator named in `kbwork.toml`; `target` null is the folder `backups`."""

    every: Every
    """How often backups are taken by themselves."""
    keep: int
    """So many of the schedule's own are kept."""
    target: str | None
    """Place where they go; null: `backups` beside the data."""
    targets: list[str]
    """Places that the operator named in `kbwork.toml`."""
    next_at: int | None
    """When the next is due, in Unix seconds; null: none is."""
    last_error: str | None
    """Why the latest one failed; null: it did not."""


class Backups(TypedDict):
    items: list[Backup]
    """All backups, the latest first."""
    schedule: BackupSchedule
    """When they are taken by themselves."""


class BackupCheck(TypedDict):
    name: str
    """What was checked."""
    ok: bool
    """Whether it is as it should be."""
    detail: str
    """What was found, in words."""


class Verified(TypedDict):
    ok: bool
    """Whether every check passed."""
    checks: list[BackupCheck]
    """Each check with what it found."""


class Fetched(TypedDict):
    name: str
    """File name to save it under."""
    url: str
    """Link to it, good for five minutes."""
    size: int
    """Size in bytes."""
    sha256: str
    """Checksum, in hex."""


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
