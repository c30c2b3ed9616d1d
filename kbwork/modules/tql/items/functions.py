"""What the functions of the language give that look beyond one issue."""

import datetime
import hashlib
import re
from collections.abc import Iterable
from typing import Any

from kbwork.core import zones
from kbwork.core.access import visibility
from kbwork.core.ports.query_source import DEPTH, QueryFunction, several
from kbwork.db.tx import Read, json_array
from kbwork.modules import search
from kbwork.modules.projects import ISSUE_SEEN
from kbwork.modules.tql.compile import full_text
from kbwork.modules.tql.names.db_names import ident_of

_RECENT = 20
_SIMILAR = 20
_MOST = 10_000
_KEYS = (
    "select p.key || '-' || i.number as key from issue i join project p on p.id = i.project"
    " join json_each(:ids) wanted on wanted.value = i.id where {seen} order by wanted.key"
)


def keys_of(tx: Read, ids: Iterable[int]) -> list[str]:
    """The keys of those of these issues that the caller sees, in this order."""
    return tx.column(_KEYS.format(seen=ISSUE_SEEN), ids=json_array(ids), **visibility.binds(tx))


def last_visit(tx: Read) -> list[int]:
    """When the caller last looked at something, before the last half hour: the visit that is over."""
    found = tx.value(
        "select max(at) from mark where member = :me and at < :now - 1800",
        me=tx.caller.member or "",
        now=tx.now,
    )
    return [] if found is None else [found]


def recent(tx: Read, most: Any = _RECENT) -> list[str]:
    """The issues that the caller opened last."""
    ids = tx.column(
        "select cast(substr(subject, 7) as integer) from mark where member = :me and substr(subject, 1, 6) = 'issue:'"
        " order by at desc, subject limit :most",
        me=tx.caller.member or "",
        most=_count(most),
    )
    return keys_of(tx, ids)


def mentioned_me(tx: Read) -> list[str]:
    """Issues whose body or comments name the caller's handle, or that of one of their teams."""
    me = tx.caller.member or ""
    handles = tx.column(
        "select handle from member where id = :me union select t.handle from team_member tm"
        " join team t on t.id = tm.team where tm.member = :me",
        me=me,
    )
    if not handles:
        return []
    wanted = re.compile(
        rf"(?<![\w@.])@(?:{'|'.join(re.escape(one) for one in handles)})(?![\w-]|\.\w)", re.IGNORECASE
    )
    found = full_text.holding(tx, handles, wanted.search)
    return keys_of(tx, sorted(found))


def assigned_ever(tx: Read, who: Any) -> list[str]:
    """Issues that somebody has or had."""
    ids = tx.column(
        "select distinct cast(substr(subject, 7) as integer) from spell where field = 'assignee'"
        " and value in (select value from json_each(:who)) and subject >= 'issue:' and subject < 'issue;'",
        who=json_array(several(who)),
    )
    return keys_of(tx, ids)


def similar(tx: Read, key: Any) -> list[str]:
    """Issues that share most words of this one's title and body, best first; 20 at most."""
    own = ident_of(tx, "issue", str(key))
    row = tx.one("select title, body from issue where id = :id", id=own)
    if row is None:
        return []
    near = search.alike(tx, row["title"], row["body"], but=own, project=None)
    return keys_of(tx, [ident for ident, _ in near[:_SIMILAR]])


def dependents_of(tx: Read, key: Any, depth: Any = DEPTH) -> list[str]:
    return _along(tx, key, depth, "src", "dst")


def blockers_of(tx: Read, key: Any, depth: Any = DEPTH) -> list[str]:
    return _along(tx, key, depth, "dst", "src")


def _along(tx: Read, key: Any, depth: Any, here: str, there: str) -> list[str]:
    """Along blocking relations, so many steps, through issues that the caller sees."""
    ids = tx.column(
        "with recursive walk (id, depth) as (select :id, 0 union"
        f" select i.id, w.depth + 1 from walk w join relation r on r.{here} = w.id"
        f" join relation_kind k on k.id = r.kind and k.blocks join issue i on i.id = r.{there}"
        f" where w.depth < :most and {ISSUE_SEEN})"
        " select id from walk where depth > 0 group by id order by min(depth), id limit :limit",
        id=ident_of(tx, "issue", str(key)),
        most=min(_count(depth), DEPTH),
        limit=_MOST,
        **visibility.binds(tx),
    )
    return keys_of(tx, ids)


def random(tx: Read, most: Any) -> list[str]:
    """A sample that stays the same for the caller all day."""
    day = datetime.datetime.fromtimestamp(tx.now, zones.of_caller(tx)).date().isoformat()
    seed = int.from_bytes(hashlib.sha256(f"{day} {tx.caller.actor}".encode()).digest()[:4], "big") | 1
    ids = tx.column(
        f"select i.id from issue i where i.archived_at is null and {ISSUE_SEEN}"
        " order by (i.id * 2654435761 + :seed) * 40503 % 1000003, i.id limit :most",
        seed=seed,
        most=_count(most),
        **visibility.binds(tx),
    )
    return keys_of(tx, ids)


def _count(most: Any) -> int:
    return max(0, min(int(most), _MOST)) if isinstance(most, int | float) else _MOST


LAST_VISIT = QueryFunction(home=__name__, name="lastVisit", call=last_visit)
RECENT = QueryFunction(home=__name__, name="recent", call=recent)
MENTIONED_ME = QueryFunction(home=__name__, name="mentionedMe", call=mentioned_me)
ASSIGNED_EVER = QueryFunction(home=__name__, name="assignedEver", call=assigned_ever)
SIMILAR = QueryFunction(home=__name__, name="similar", call=similar)
DEPENDENTS_OF = QueryFunction(home=__name__, name="dependentsOf", call=dependents_of)
BLOCKERS_OF = QueryFunction(home=__name__, name="blockersOf", call=blockers_of)
RANDOM = QueryFunction(home=__name__, name="random", call=random)
