"""What a webhook's requests are signed with: made here, shown once, sealed in the file."""

import contextlib
from typing import Annotated

from pydantic import Field

from kbwork.base import ids
from kbwork.base.errors import MasterKeyLost
from kbwork.base.model import Id, Input, Int
from kbwork.core.operations.declare import write
from kbwork.core.seal import Seal
from kbwork.db.rows import WebhookRow
from kbwork.db.tx import Read, Write
from kbwork.modules.webhooks import queries
from kbwork.modules.webhooks.model import RotatedSecret, WebhookSaved

PREFIX = "whsec_"
_HOUR_S = 3600
_MEND = "Give this webhook a new secret: webhooks.rotate_secret."


class WebhooksRotateSecret(Input):
    id: Id
    """Id of the webhook."""
    keep_hours: Annotated[Int, Field(ge=0, le=720)] | None = None
    """Hours that both secrets sign; left out: the new one alone."""


@write(
    "webhooks.rotate_secret",
    scope="admin",
    words="new signing secret, webhook secret leaked, roll the secret of a webhook, change the signing key",
    undo="a secret is not taken back: rotate it again",
    emits=[WebhookSaved],
    example={"id": 1, "keep_hours": 24},
)
def rotate_secret(tx: Write, args: WebhooksRotateSecret) -> RotatedSecret:
    """Give a webhook a new secret, which is in the answer and never shown again.

    For `keep_hours` its requests carry two signatures, separated by a comma, so that a receiver may change over when it
    likes. A secret that still signed from an earlier rotation ends now.
    """
    row = queries.stored(tx, args.id)
    kept_s = (args.keep_hours or 0) * _HOUR_S
    secret = ids.token(PREFIX)
    tx.update(
        "webhook",
        row["id"],
        secret=sealed(tx, row["id"], secret),
        old_secret=row["secret"] if kept_s else None,
        old_until=tx.now + kept_s if kept_s else None,
        updated_at=tx.now,
    )
    payload = {"name": row["name"], "rotated": True, "keep_hours": args.keep_hours or 0}
    tx.emit(WebhookSaved(subject=f"webhook:{row['id']}", payload=payload))
    return RotatedSecret(secret=secret)


def sealed(tx: Read, webhook: int, secret: str) -> bytes:
    return Seal(tx.secret).seal(secret.encode(), _place(webhook))


def signing(tx: Read, row: WebhookRow) -> list[str]:
    """The secrets that sign now, the newest first. Raises MasterKeyLost."""
    found = [_opened(tx, row, row["secret"])]
    if row["old_secret"] is not None and (row["old_until"] or 0) > tx.now:
        with contextlib.suppress(MasterKeyLost):  # that is what the new one mends
            found.append(_opened(tx, row, row["old_secret"]))
    return found


def _opened(tx: Read, row: WebhookRow, kept: bytes) -> str:
    return Seal(tx.secret).open(kept, _place(row["id"]), _MEND).decode()


def _place(webhook: int) -> str:
    return f"webhook:{webhook}"
