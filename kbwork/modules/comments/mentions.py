"""Whom a text mentions: `@handle` at the start of a word, outside code and links."""

import re

from kbwork.base.patterns import pattern
from kbwork.core.access import visibility
from kbwork.core.ports.comments import CommentTarget
from kbwork.db.tx import Read
from kbwork.modules import members

MOST_CHARS = 100_000
"""What stands behind them mentions nobody: a hostile text of a million characters takes a second to read."""
MOST = 50
"""Handles that are looked up in one text."""

_ESCAPED = pattern(r"(?<!\\)((?:\\\\)*)\\@")
_UNHEARD = pattern(r"<(pre|code|a)\b[^>]*>.*?</\1>", re.DOTALL)
_TAG = pattern(r"</?(?:[a-z0-9]+)[^>]*>|<!--.*?-->", re.DOTALL)
_PAGE = pattern(r"\[\[[^\[\]\n]*\]\]")
_MENTION = pattern(
    r"(?:^|[^\w@/.\\+\0-])\0*@([a-z0-9][a-z0-9._-]{0,38})(?![\w@-])", re.IGNORECASE | re.MULTILINE
)
"""A NUL stands where a tag was: emphasis may begin before a handle, and nothing begins inside one."""


def handles(text: str) -> list[str]:
    """The handles that a Markdown text mentions, in lower case, in order and once each."""
    if "@" not in text:
        return []
    import cmarkgfm  # noqa: PLC0415 - most texts mention nobody

    source = _ESCAPED.sub(r"\1 ", text[:MOST_CHARS])
    html = cmarkgfm.github_flavored_markdown_to_html(source)
    words = _PAGE.sub(" ", _TAG.sub("\0", _UNHEARD.sub(" ", html)))
    return list(dict.fromkeys(match[1].lower() for match in _MENTION.finditer(words)))


def mentioned(tx: Read, text: str, on: CommentTarget, *, internal: bool, before: str = "") -> list[str]:
    """Ids of the members, teams and agents that a comment mentions and who see it; not those mentioned `before`.

    A handle that the caller does not see mentions nobody. A team is mentioned where one of its people sees it, an
    agent where its owner does. Of a text the first 50 new handles count, and it names a team once, however many are in
    it.
    """
    known = {_bare(handle) for handle in handles(before)}
    asked = [handle for handle in handles(text) if _bare(handle) not in known][:MOST]
    found = list(dict.fromkeys(who for handle in asked if (who := whom(tx, handle)) is not None))
    heard = set(on.audience(found, internal=internal)) if found else set()
    return [who for who in found if who in heard]


def whom(tx: Read, handle: str) -> str | None:
    """Whom a handle means; a dot behind it may end the sentence."""
    for name in dict.fromkeys((handle, _bare(handle))):
        member = members.find(tx, f"@{name}")
        if member is not None:
            return str(member["id"])
        team = tx.value(
            f"select t.id from team t where lower(t.handle) = :name and {members.TEAM_SEEN}",
            name=name,
            **visibility.binds(tx),
        )
        if team is not None:
            return f"team:{team}"
        if tx.one("select 1 from agent where name = :name", name=name) is not None:
            return f"agent:{name}"
    return None


def _bare(handle: str) -> str:
    """Without what may be the end of a sentence."""
    return handle.rstrip("._-")
