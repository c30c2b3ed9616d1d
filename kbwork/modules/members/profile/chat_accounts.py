"""Accounts on chat platforms that are somebody's: commands from there are theirs."""

from typing import Annotated

from pydantic import Field

from kbwork.base.errors import Conflict
from kbwork.base.model import Empty, Id, Input
from kbwork.core import org_settings
from kbwork.core.operations.declare import destructive, read, write
from kbwork.db.tx import Read, Write
from kbwork.modules.members.model import ChatAccount
from kbwork.modules.members.ports import ChatAccounts

_WHY = "link it, or take the link away, again"


@read(
    "members.chat_accounts",
    scope="members:read",
    words="am I linked to slack, my slack account, my teams account, linked chats",
    example={},
)
def chat_accounts(tx: Read, args: Empty) -> list[ChatAccount]:
    """List your accounts on chat platforms: commands from there are yours."""
    return [one for accounts in _on(tx) for one in accounts.of_member(tx, tx.caller.me())]


class MembersChatLink(Input):
    code: Annotated[str, Field(min_length=1, max_length=40)]
    """The code that `link` handed out in the chat within the last ten minutes."""


@write(
    "members.chat_link",
    scope="members:write",
    words="link my slack account, connect my chat account, enter the code from slack",
    people="session",
    undo=_WHY,
    emits=[],
    example={"code": "BCDFG-HJKLM"},
)
def chat_link(tx: Write, args: MembersChatLink) -> list[ChatAccount]:
    """Link the account on a chat platform that was handed out this code: from then on its commands are yours.

    Signed in only: no key links an account. An account is one member's; whoever had it before has it no more. Answers
    all of yours. A code is good once, for ten minutes (422).
    """
    found = _on(tx)
    if not found:
        raise Conflict("The module chat is switched off in this org.")
    for accounts in found:
        accounts.link(tx, args.code)
    return [one for accounts in found for one in accounts.of_member(tx, tx.caller.me())]


class MembersChatUnlink(Input):
    id: Id
    """Id of the link, from `members.chat_accounts`."""


@destructive(
    "members.chat_unlink",
    scope="members:write",
    words="unlink slack, disconnect my chat account",
    undo=_WHY,
    emits=[],
    example={"id": 1},
)
def chat_unlink(tx: Write, args: MembersChatUnlink) -> list[ChatAccount]:
    """Take away the link of one of your accounts on chat platforms. Answers those that are left; another's is 404."""
    for accounts in tx.registry.of(ChatAccounts):
        accounts.unlink(tx, args.id)
    return [one for accounts in _on(tx) for one in accounts.of_member(tx, tx.caller.me())]


def _on(tx: Read) -> list[ChatAccounts]:
    return [one for one in tx.registry.of(ChatAccounts) if not org_settings.home_off(tx, one.home)]
