"""Who sees a file: who sees what it hangs on."""

from collections.abc import Iterable

from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.ports.files import FileTarget
from kbwork.core.things.thing import Hosts, Thing, among, chains, condition, ref_of
from kbwork.db.rows import AttachmentRow
from kbwork.db.tx import Read
from kbwork.modules import comments
from kbwork.modules.attachments import targets

_OWN = "f.created_by in (select value from json_each(:kb_voices))"
_THIS = "exists (select 1 from attachment f where f.id = :ref and {})"


def seen_among(kinds: Iterable[Thing]) -> str:
    """The condition on `attachment f`: it is there, on one of these kinds, and the caller may see it."""
    known = list(kinds)
    hosts: dict[str, list[str]] = {}
    for kind in known:
        if kind.files is not None:
            said = [condition(kind.files.seen, beyond) for beyond in chains(kind, known)]
            hosts[kind.name] = [f"({one})" for one in said if one is not None]
    seen = {name: " or ".join(said) for name, said in hosts.items() if said}
    return f"f.deleted_at is null and {among(seen, 'f.subject')}"


def seen_on(hosts: Hosts) -> str | None:
    """Files are seen as the kind says on which they hang."""
    host = hosts[0]
    seen = condition(host.files.seen, hosts[1:]) if host.files is not None else None
    if seen is None:
        return None
    return _THIS.format(f"f.deleted_at is null and {among({host.name: seen}, 'f.subject')}")


def restorable_on(hosts: Hosts) -> str | None:
    """The caller could have put it into the trash, and may bring it back."""
    host = hosts[0]
    if host.files is None:
        return None
    said = (host.files.known, host.files.edits, host.files.adds)
    known, edits, adds = (condition(one, hosts[1:]) for one in said)
    if known is None:
        return None
    may = among({host.name: f"({known}) and (({edits}) or {_OWN} and ({adds}))"}, "f.subject")
    return _THIS.format(f"f.deleted_at is not null and {may}")


def find(tx: Read, ident: str) -> AttachmentRow | None:
    """The file, if it is there and the caller sees it."""
    row = tx.one("select * from attachment where id = :id and deleted_at is null", AttachmentRow, id=ident)
    if row is None:
        return None
    files, ref = targets.hosts(tx, row["subject"])
    host = visibility.things(tx)[ref_of(row["subject"])[0]]
    beyond = next((hosts for hosts, _ in visibility.by_hosts(tx, host, [ref])), ())
    seen = condition(files.seen, beyond)
    if seen is None or not all(tx.caller.holds(one.module) for one in (host, *beyond)):
        return None
    return row if tx.value(f"select {seen}", ref=ref, **visibility.binds(tx)) else None


def attachment(tx: Read, ident: str) -> AttachmentRow:
    """As `find`. Raises NotFound."""
    return named.seen(find(tx, ident), "file", ident)


def may_delete(tx: Read, row: AttachmentRow, on: FileTarget) -> bool:
    """Whoever added it, while they may add there still, and whoever may change what it hangs on."""
    return on.edits or (on.adds and row["created_by"] in comments.voices(tx))
