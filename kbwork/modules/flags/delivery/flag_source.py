"""What client libraries get, and what they tell: keys, snapshots, counts of answers."""

import json
from collections.abc import Iterable, Sequence
from typing import Final

from kbwork.core.access.last_seen import month_of
from kbwork.core.ports.flags import (
    NO_VERSION,
    Answered,
    CountBatch,
    Counts,
    EnvironmentData,
    FlagSource,
    SdkKeyRecord,
)
from kbwork.core.seal import Seal
from kbwork.db.rows import FlagEnvironmentRow, SdkKeyRow
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.flags.definition import served_variations
from kbwork.modules.flags.delivery import snapshots
from kbwork.modules.flags.delivery.sdk_keys import LIVING, sealed_for

BATCH_LIVES_S: Final = 2 * 86400
"""So long a batch counts once: an edge may keep one for a day that it had sent before."""
_HOUR_S: Final = 3600
_IDENT_BYTES: Final = 8
_LEAST_EVENTS: Final = 100
"""An upload counts as so many events at least."""


def _key(tx: Read, digest: bytes) -> SdkKeyRecord | None:
    row = tx.one(
        f"select * from sdk_key where digest = :digest and {LIVING}",
        SdkKeyRow,
        digest=digest,
        now=tx.now,
    )
    if row is None:
        return None
    return SdkKeyRecord(
        id=row["id"],
        kind=row["kind"],
        environment=row["environment"],
        ident=digest[:_IDENT_BYTES],
        secret=Seal(tx.secret).open(row["sealed"], sealed_for(row["environment"]), "Make a new SDK key."),
        salt=row["salt"],
        expires_at=row["expires_at"],
    )


def _versions(tx: Read, environments: Sequence[int]) -> dict[int, int]:
    rows = tx.all(
        "select id, version from flag_environment where id in (select value from json_each(:ids))",
        ids=json.dumps(list(environments)),
    )
    return {row["id"]: row["version"] for row in rows}


def _data(tx: Read, environment: int, before: EnvironmentData | None) -> EnvironmentData | None:
    row = tx.one("select * from flag_environment where id = :id", FlagEnvironmentRow, id=environment)
    if row is None:
        return None
    kept = snapshots.KnownEnvironment(before.data, before.marks) if before is not None else snapshots.NOTHING
    found = snapshots.read(tx, row, kept)
    return EnvironmentData(row["version"], row["key_salt"], found.data, found.marks)


def _count(tx: Write, counts: Counts) -> None:
    by_environment: dict[int, list[tuple[Answered, int]]] = {}
    for answered, count in counts.items():
        by_environment.setdefault(answered.environment, []).append((answered, count))
    for environment, found in by_environment.items():
        flags = _flags(tx, environment, (answered.flag for answered, _ in found))
        for answered, count in found:
            if (flag := flags.get(answered.flag)) is not None and _is_known(flag, answered):
                _add(tx, flag, answered, count)


def _take(tx: Write, batch: CountBatch) -> int | None:
    """A batch that came before within two days is not counted again."""
    place = {"key": batch.key.id, "batch": batch.id}
    before = tx.value("select at from sdk_batch where key = :key and batch = :batch", **place)
    if before is not None and before > tx.now - BATCH_LIVES_S:
        return None
    if before is None:
        tx.execute("insert into sdk_batch (key, batch, at) values (:key, :batch, :at)", at=tx.now, **place)
    else:
        tx.execute("update sdk_batch set at = :at where key = :key and batch = :batch", at=tx.now, **place)
    _use(tx, tx.now, events=max(_LEAST_EVENTS, batch.events))
    flags = _flags(tx, batch.key.environment, (answered.flag for answered, _ in batch.counts))
    taken = 0
    for answered, count in batch.counts:
        flag = flags.get(answered.flag)
        if flag is None or not _is_known(flag, answered):
            continue
        if batch.key.kind == "client" and not flag["client_side"]:
            continue
        _add(tx, flag, answered, count)
        taken += 1
    return taken


def _meter(tx: Write, asked: dict[int, int]) -> None:
    for hour, count in asked.items():
        _use(tx, hour * _HOUR_S, evaluations=count)


def _use(tx: Write, at: int, *, evaluations: int = 0, events: int = 0) -> None:
    tx.execute(
        "insert into flag_usage (month, evaluations, events) values (:month, :evaluations, :events)"
        " on conflict do update set evaluations = evaluations + excluded.evaluations,"
        " events = events + excluded.events",
        month=month_of(at),
        evaluations=evaluations,
        events=events,
    )


def _flags(tx: Read, environment: int, keys: Iterable[str]) -> dict[str, Row]:
    """The flags with these keys or aliases, as they are in an environment."""
    rows = tx.all(
        "select k.value as asked, f.id, f.key, json_array_length(f.meta, '$.variations') as variations,"
        " f.meta ->> '$.clientSide' as client_side, c.version, c.evaluated_at"
        " from flag_environment e join json_each(:keys) k"
        " join flag f on f.project = e.project and (f.key = k.value or f.id = (select a.flag from flag_alias a"
        " where a.project = e.project and a.key = k.value and a.dropped_at is null))"
        " join flag_config c on c.flag = f.id and c.environment = e.id where e.id = :environment",
        environment=environment,
        keys=json.dumps(sorted(set(keys))),
    )
    return {row["asked"]: row for row in rows}


def _is_known(flag: Row, answered: Answered) -> bool:
    """Whether the flag has this variation, and has been at this version."""
    if answered.version == NO_VERSION:
        return answered.variation is None
    if not 1 <= answered.version <= flag["version"]:
        return False
    return answered.variation is None or 0 <= answered.variation < flag["variations"]


def _add(tx: Write, flag: Row, answered: Answered, count: int) -> None:
    tx.execute(
        "insert into flag_count (environment, flag, hour, version, variation, count)"
        " values (:environment, :flag, :hour, :version, :variation, :count)"
        " on conflict do update set count = count + excluded.count",
        environment=answered.environment,
        flag=flag["id"],
        hour=answered.hour,
        version=answered.version,
        variation=served_variations.NO_VALUE if answered.variation is None else answered.variation,
        count=count,
    )
    if answered.flag != flag["key"]:
        tx.execute(
            "insert into flag_alias_count (flag, environment, key, hour, count)"
            " values (:flag, :environment, :key, :hour, :count)"
            " on conflict do update set count = count + excluded.count",
            flag=flag["id"],
            environment=answered.environment,
            key=answered.flag,
            hour=answered.hour,
            count=count,
        )
    seen = answered.hour * _HOUR_S
    if flag["evaluated_at"] is None or flag["evaluated_at"] < seen:
        flag["evaluated_at"] = seen
        tx.execute(
            "update flag_config set evaluated_at = :seen where flag = :flag and environment = :environment",
            seen=seen,
            flag=flag["id"],
            environment=answered.environment,
        )


SOURCE = FlagSource(
    home=__name__, key=_key, versions=_versions, data=_data, count=_count, meter=_meter, take=_take
)
