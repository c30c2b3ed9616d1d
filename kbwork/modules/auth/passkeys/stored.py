"""Passkeys as rows, and the questions that they were asked."""

import json
from typing import Any, Literal

from kbwork.base import ids
from kbwork.base.dataclasses import dataclass
from kbwork.db.rows import ChallengeRow, PasskeyRow
from kbwork.db.tx import Read, Write
from kbwork.modules.auth.model import Passkey
from kbwork.modules.auth.passkeys import ceremonies

LIVES_S = 300
Purpose = Literal["register", "sign-in", "second factor", "elevate"]
_PURPOSE = "passkey "


@dataclass(frozen=True, slots=True)
class Question:
    """What a passkey was asked to sign, and what for."""

    purpose: Purpose
    member: str | None
    """Whose passkey is to sign; None: anybody's."""
    data: dict[str, Any]


def ask(tx: Write, purpose: Purpose, member: str | None, data: dict[str, Any]) -> str:
    """A new question; answers the token that is to be signed, which is kept as a hash alone."""
    token = ids.token("kbl_")
    tx.insert(
        "challenge",
        digest=ids.digest(token),
        purpose=_PURPOSE + purpose,
        member=member,
        data=json.dumps(data),
        created_at=tx.now,
        expires_at=tx.now + LIVES_S,
    )
    return token


def asked(tx: Read, token: str, *purposes: Purpose) -> Question | None:
    """The question of a token, while it waits for an answer."""
    found = tx.one(
        "select * from challenge where digest = :digest and expires_at > :now"
        " and purpose in (select value from json_each(:purposes))",
        ChallengeRow,
        digest=ids.digest(token),
        now=tx.now,
        purposes=json.dumps([_PURPOSE + purpose for purpose in purposes]),
    )
    if found is None:
        return None
    purpose: Any = found["purpose"].removeprefix(_PURPOSE)
    return Question(purpose, found["member"], json.loads(found["data"]))


def answered(tx: Write, token: str, *purposes: Purpose) -> Question | None:
    """The same, which ends with it: a question is answered once, rightly or not."""
    found = asked(tx, token, *purposes)
    if found is not None:
        tx.execute("delete from challenge where digest = :digest", digest=ids.digest(token))
    return found


def of_member(tx: Read, member: str) -> list[PasskeyRow]:
    """A member's passkeys, oldest first."""
    return tx.all(
        "select * from passkey where member = :member order by created_at, id", PasskeyRow, member=member
    )


def of_credential(tx: Read, credential: bytes) -> PasskeyRow | None:
    """The passkey that goes by this name at its authenticator."""
    return tx.one("select * from passkey where credential = :credential", PasskeyRow, credential=credential)


def shown(tx: Read, member: str) -> list[Passkey]:
    """A member's passkeys as they see them."""
    return [
        Passkey(
            id=row["id"], name=row["name"], created_at=row["created_at"], last_used_at=row["last_used_at"]
        )
        for row in of_member(tx, member)
    ]


def descriptors(rows: list[PasskeyRow]) -> list[dict[str, Any]]:
    """Passkeys as a browser is told of them."""
    return [
        {
            "type": "public-key",
            "id": ceremonies.base64url(row["credential"]),
            "transports": json.loads(row["transports"]),
        }
        for row in rows
    ]
