"""Who is who: accounts on a platform that members linked by a code, and what is done in their name."""

from kbwork.base import ids
from kbwork.base.caller import Caller
from kbwork.base.dataclasses import replace
from kbwork.base.errors import InvalidInput
from kbwork.core import named
from kbwork.core.access import identify
from kbwork.db.rows import ChatAccountRow, ChatConnectionRow
from kbwork.db.tx import Read, Write
from kbwork.modules.chat.model import ChatLinked
from kbwork.modules.members import ChatAccount, ChatAccounts

CODE_LIVES_S = 600
_CODE_CHARS = 10
_SCOPES = frozenset(
    {"comments:read", "comments:write", "issues:read", "issues:write", "projects:read", "search:read"}
)
"""What is done by a chat needs no more, and whoever gets at an account there gets at no more."""
Given = dict[str, dict[str, list[str]]]
"""Members with `scopes`, as `chat.ingest` may be told them."""


def caller_of(tx: Read, row: ChatConnectionRow, user: str, given: Given | None) -> Caller | None:
    """The member whose account this is, with what they may now; None: it is linked to none."""
    member = tx.value(
        "select member from chat_account where connection = :connection and chat_user = :user",
        connection=row["id"],
        user=user,
    )
    found = identify.of_member(tx, member) if member is not None else None
    if found is None or (given is not None and found.member not in given):
        return None
    held = found.scopes & _SCOPES
    if given is not None:
        held &= frozenset(given[found.me()].get("scopes", []))
    return replace(found, scopes=held, via=f"chat:{row['id']}", key=f"chat:{row['id']}:{member}")


def code_for(tx: Write, row: ChatConnectionRow, user: str, name: str) -> str:
    """A code that a member enters to link this account; one that was handed out before ends."""
    tx.execute(
        "delete from chat_code where connection = :connection and chat_user = :user",
        connection=row["id"],
        user=user,
    )
    code = ids.code(_CODE_CHARS)
    tx.insert(
        "chat_code",
        digest=ids.digest(code),
        connection=row["id"],
        chat_user=user,
        name=name or user,
        expires_at=tx.now + CODE_LIVES_S,
    )
    return f"{code[:5]}-{code[5:]}"


def _of_member(tx: Read, member: str) -> list[ChatAccount]:
    rows = tx.all(
        "select * from chat_account where member = :member order by id", ChatAccountRow, member=member
    )
    return [
        ChatAccount(
            id=row["id"],
            connection=row["connection"],
            chat_user=row["chat_user"],
            name=row["name"],
            linked_at=row["linked_at"],
        )
        for row in rows
    ]


def _link(tx: Write, code: str) -> None:
    """Raises InvalidInput for a code that was not handed out, or that ended."""
    written = "".join(sign for sign in code.upper() if sign.isalnum())
    row = tx.one(
        "select * from chat_code where digest = :digest and expires_at > :now",
        digest=ids.digest(written),
        now=tx.now,
    )
    if row is None:
        raise InvalidInput(
            "No chat handed out this code within the last ten minutes: write `link` there for another.",
            field="code",
        )
    user = {"connection": row["connection"], "user": row["chat_user"]}
    tx.execute("delete from chat_code where digest = :digest", digest=row["digest"])
    tx.execute("delete from chat_account where connection = :connection and chat_user = :user", **user)
    tx.insert(
        "chat_account",
        connection=row["connection"],
        chat_user=row["chat_user"],
        name=row["name"],
        member=tx.caller.me(),
        linked_at=tx.now,
    )
    tx.emit(ChatLinked(subject="org:1", payload={"connection": row["connection"], "on": True}))


def _unlink(tx: Write, ident: int) -> None:
    """Raises NotFound, also for another's."""
    row = tx.stored("chat_account", [ident])
    mine = row if row is not None and row["member"] == tx.caller.member else None
    found = named.known(mine, "linked account", ident, "members.chat_accounts")
    tx.delete("chat_account", found["id"])
    tx.emit(ChatLinked(subject="org:1", payload={"connection": found["connection"], "on": False}))


ACCOUNTS = ChatAccounts(home=__name__, of_member=_of_member, link=_link, unlink=_unlink)
