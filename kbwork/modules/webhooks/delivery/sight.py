"""What a webhook hears: what its author may hear of now, of its project alone where it has one."""

from typing import Any

from kbwork.base.errors import Problem
from kbwork.core.access import authors, visibility
from kbwork.core.events import feed
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import WebhookRow
from kbwork.db.tx import Read, Row
from kbwork.modules.tql import time_limit
from kbwork.tql import tree as t

_GOING = frozenset({"issue.deleted", "issue.purged"})
"""An issue in the trash fits no query: that it went there is told whatever it was."""


class Unasked(Exception):
    """The condition of a webhook cannot be asked any more; the text says why."""


def author(tx: Read, hook: WebhookRow) -> Read | None:
    """The snapshot as the author sees it, with the scopes of whoever saved it; None where they are no admin."""
    return authors.seen_by(tx, hook["author"], hook["scopes"], "webhook")


class HookSight:
    """Which of some events are for whom: authors and queries are asked once for all of them."""

    def __init__(self, tx: Read, rows: list[Row]) -> None:
        self._tx = tx
        self._rows = rows
        self._issues = sorted(
            {int(ref) for kind, ref in (ref_of(row["subject"]) for row in rows) if kind == "issue"}
        )
        self._payloads: dict[int, dict[str, Any]] = {}
        self._heard: dict[str | None, set[int]] = {}
        self._fitting: dict[tuple[str | None, str, str], set[int]] = {}

    def is_for(self, hook: WebhookRow, row: Row) -> bool:
        """Whether this webhook is told of it; of what was brought in none is. Raises Unasked."""
        payload = self._payload(row)
        seen = author(self._tx, hook)
        if seen is None or "import" in payload:
            return False
        who = seen.caller.key
        if who not in self._heard:
            self._heard[who] = {one["seq"] for one in visibility.heard(seen, self._rows)}
        if row["seq"] not in self._heard[who]:
            return False
        if hook["project"] is not None and not _in_project(seen, hook["project"], row, payload):
            return False
        return not hook["tql"] or self._matches(seen, hook, row)

    def _payload(self, row: Row) -> dict[str, Any]:
        found = self._payloads.get(row["seq"])
        if found is None:
            found = self._payloads[row["seq"]] = feed.stored_payload(row["payload"])
        return found

    def _matches(self, seen: Read, hook: WebhookRow, row: Row) -> bool:
        kind, ref = ref_of(row["subject"])
        language = seen.registry.language
        if kind != "issue" or language is None:
            return False
        if row["kind"] in _GOING:
            return True

        asked = (seen.caller.key, hook["tql"], hook["names"])
        if asked not in self._fitting:
            try:
                with time_limit.bounded(self._tx, t.QueryNode()):
                    self._fitting[asked] = language.fitting(seen, hook["tql"], self._issues, hook["names"])
            except Problem as problem:
                raise Unasked(f"Its query cannot be asked any more: {problem.detail}") from None
        return int(ref) in self._fitting[asked]


def _in_project(seen: Read, project: int, row: Row, payload: dict[str, Any]) -> bool:
    """By what it is about; of other things by what the event says. What is of no project is told to no such webhook."""
    kind, ref = ref_of(row["subject"])
    named = [payload.get(name) for name in ("project", "from_project", "to_project")]
    if kind == "project":
        named.append(ref)
    elif kind == "issue" and not any(named):
        return bool(seen.value("select 1 from issue where id = :id and project = :p", id=int(ref), p=project))
    keys: set[object] = seen.memoized(
        ("keys of", project),
        lambda: set(seen.column("select key from project_key where project = :p", p=project)),
    )
    return any(isinstance(key, str) and key in keys for key in named)
