"""What was brought in, by its id at the source: what the source said, and what stood here behind it."""

import hashlib
import json
from typing import Any

from kbwork.db.rows import ImportItemRow
from kbwork.db.tx import Read, Row, Write

Hashes = dict[str, str]


def hashed(fields: dict[str, Any]) -> Hashes:
    """A short hash of each field."""
    return {
        name: hashlib.blake2b(
            json.dumps(value, ensure_ascii=False, sort_keys=True).encode(), digest_size=6
        ).hexdigest()
        for name, value in fields.items()
    }


def find(tx: Read, project: int, external: str) -> ImportItemRow | None:
    """What was brought into the project from this place of the source."""
    return tx.one(
        "select * from import_item where project = :project and external = :external",
        ImportItemRow,
        project=project,
        external=external,
    )


def keep(tx: Write, row: Row) -> None:
    """Note something that was made: `row` are the columns but the last."""
    columns = {**row, "said": json.dumps(row["said"]), "wrote": json.dumps(row["wrote"]), "seq": tx.seq}
    tx.execute(
        "insert into import_item (import, project, external, subject, said, wrote, seq)"
        " values (:import, :project, :external, :subject, :said, :wrote, :seq)",
        **columns,
    )


def renew(tx: Write, item: ImportItemRow, said: Hashes, wrote: Hashes) -> None:
    """Note what the source says now, and what stands here behind it."""
    tx.execute(
        "update import_item set said = :said, wrote = :wrote, seq = :seq where id = :id",
        said=json.dumps(said),
        wrote=json.dumps(wrote),
        seq=tx.seq,
        id=item["id"],
    )


def sides(item: ImportItemRow) -> tuple[Hashes, Hashes]:
    """(what the source said, what stood here behind it)."""
    return json.loads(item["said"]), json.loads(item["wrote"])


def drop(tx: Write, item: int) -> None:
    tx.execute("delete from import_item where id = :id", id=item)


def changed_here(tx: Read, item: ImportItemRow) -> bool:
    """Whether anything happened to it that no import did."""
    found = tx.value(
        "select 1 from events where subject = :subject and seq > :seq and payload ->> '$.import' is null"
        " and payload <> jsonb('{}') limit 1",
        subject=item["subject"],
        seq=item["seq"],
    )
    return found is not None
