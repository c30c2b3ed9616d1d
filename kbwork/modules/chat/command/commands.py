"""Commands: `create TITLE`, `find WORDS`, `status KEY [STATUS]`, `comment KEY TEXT`, `link`, `help`.

Each is answered in words. Whoever is linked acts as themselves; others are customers of the desk, where there is one.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from kbwork.base.caller import SYSTEM, Caller
from kbwork.base.errors import Problem
from kbwork.core import org_settings
from kbwork.core.access import impersonate
from kbwork.core.operations import nested
from kbwork.core.ports import mail
from kbwork.db.rows import ChatConnectionRow
from kbwork.db.tx import Read, Write
from kbwork.modules import desk
from kbwork.modules.chat.command import accounts
from kbwork.modules.chat.platform.platforms import ChatMessage

HELP = (
    "create TITLE: make an issue. find WORDS: look for issues. status KEY: how one stands; status KEY STATUS moves it. "
    "comment KEY TEXT: say something there. link: act as yourself."
)
_STRANGER = "You are not linked to a member: write `link` first."
_MOST_FOUND = 5
_TITLE_CHARS = 200


class ChatCommand(NamedTuple):
    """What somebody said, and where."""

    connection: ChatConnectionRow
    message: ChatMessage
    rest: str
    """Behind the name of the command."""


def answer(tx: Write, row: ChatConnectionRow, message: ChatMessage, caller: Caller | None) -> str:
    """What is said to it. What is refused changes nothing, and the answer says why."""
    word, _, rest = message.text.strip().partition(" ")
    name = word.lower().lstrip("/")
    if message.kind == "message":
        name, rest = "create", message.text
    asked = ChatCommand(row, message, rest.strip())
    if name == "link":
        return _link(tx, asked)
    if caller is None:
        return _for_stranger(tx, asked, name)
    command = _COMMANDS.get(name)
    if command is None:
        return HELP
    try:
        with tx.attempt(), impersonate.instead(tx, caller):
            return command(tx, asked)
    except Problem as problem:
        return problem.detail


def _link(tx: Write, asked: ChatCommand) -> str:
    code = accounts.code_for(tx, asked.connection, asked.message.user, asked.message.name)
    return f"Enter this code within ten minutes, at {mail.origin(tx)}/account: {code}"


def _for_stranger(tx: Write, asked: ChatCommand, name: str) -> str:
    """A desk takes requests from everybody it lets in, and tells each how their own stand."""
    about: dict[str, Any] = {"chat_user": asked.message.user, "connection": asked.connection["id"]}
    key = tx.value("select key from project where id = :id", id=asked.connection["project"])
    if name == "create":
        op, about = "desk.chat_request", about | {"text": asked.rest, "project": key}
        about |= {"provider": asked.connection["provider"], "channel": asked.message.channel}
        about |= {"chat_name": asked.message.name} if asked.message.name else {}
    elif name == "status":
        op, about = "desk.chat_status", about | {"key": asked.rest}
    else:
        return HELP if name in ("", "help") or name not in _COMMANDS else _STRANGER
    desks = [] if org_settings.module_off(tx, "desk") else desk.open_desks(tx)
    if not asked.rest or asked.connection["project"] not in [home["id"] for home, _ in desks]:
        return _STRANGER
    try:
        with tx.attempt(), impersonate.instead(tx, SYSTEM):
            told = nested.run(tx, op, about)
    except Problem as problem:
        return problem.detail
    return str(told["reply"] or _STRANGER)


def _create(tx: Write, asked: ChatCommand) -> str:
    """The first line is the title, the rest says more."""
    title, _, body = asked.rest.partition("\n")
    if not title.strip():
        return "Write what it is about: create TITLE."
    key = tx.value("select key from project where id = :id", id=asked.connection["project"])
    value = {"project": key, "title": title.strip()[:_TITLE_CHARS], "body": body.strip()}
    made = nested.run(tx, "issues.create", value)
    return f"{made['key']} is made: {_url(tx, made['key'])}"


def _find(tx: Write, asked: ChatCommand) -> str:
    if not asked.rest:
        return "Write what to look for: find WORDS."
    found = nested.run(tx, "search.query", {"q": asked.rest, "kinds": ["issue"], "limit": _MOST_FOUND})
    lines = [
        f"{one['path'].rpartition('/')[2]} {one['title']} ({one['status']}): {mail.origin(tx)}{one['path']}"
        for one in found["items"]
    ]
    return "\n".join(lines) or "Nothing that you see has these words."


def _status(tx: Write, asked: ChatCommand) -> str:
    key, _, target = asked.rest.partition(" ")
    if not key:
        return "Write of which issue: status KEY."
    if target.strip():
        nested.run(tx, "issues.transition", {"key": key, "to_status": target.strip()})
    return told(tx, nested.run(tx, "issues.get", {"key": key}))


def _comment(tx: Write, asked: ChatCommand) -> str:
    key, _, text = asked.rest.partition(" ")
    if not text.strip():
        return "Write of which issue, and what: comment KEY TEXT."
    found = nested.run(tx, "issues.get", {"key": key})
    nested.run(tx, "comments.create", {"subject": f"issue:{found['key']}", "body": text.strip()})
    return f"It is said on {found['key']}: {_url(tx, found['key'])}"


def _help(_: Write, __: ChatCommand) -> str:
    return HELP


_COMMANDS: dict[str, Callable[[Write, ChatCommand], str]] = {
    "comment": _comment,
    "create": _create,
    "find": _find,
    "help": _help,
    "status": _status,
}


def told(tx: Read, issue: dict[str, Any]) -> str:
    """How an issue stands, in a line."""
    return f"{issue['key']} {issue['title']}: {standing(tx, issue)}. {_url(tx, issue['key'])}"


def standing(tx: Read, issue: dict[str, Any]) -> str:
    """Its lane, and whose it is."""
    lane = tx.value("select name from lane where key = :key", key=issue["lane"]) or issue["lane"]
    names = [
        str(tx.value("select name from member where id = :id", id=who) or who) for who in issue["assignees"]
    ]
    return f"{lane}, {', '.join(names)}" if names else f"{lane}, nobody's"


def _url(tx: Read, key: str) -> str:
    return f"{mail.origin(tx)}/issues/{key}"
