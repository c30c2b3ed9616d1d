"""Files as subjects: the trash and undo know them by their id."""

from kbwork.base.dataclasses import replace
from kbwork.base.errors import Problem
from kbwork.core.access import visibility
from kbwork.core.ports.files import FileTarget
from kbwork.core.ports.search import Searchable, SearchableByHost
from kbwork.core.things.thing import Hosts, Subject, Thing, Trashable, condition
from kbwork.db.rows import AttachmentRow
from kbwork.db.tx import Read, Tracked
from kbwork.modules.attachments import access, removal, targets
from kbwork.modules.attachments.model import AttachmentPurged


def _find(tx: Read, ref: str) -> Subject | None:
    row = access.find(tx, ref)
    if row is None:
        return None
    on = visibility.find(tx, row["subject"])
    path = f"{on.path.partition('#')[0]}#attachment-{row['id']}" if on is not None else "/"
    return Subject(f"attachment:{row['id']}", "attachment", row["name"], path, on=row["subject"])


def _deletable(tx: Read, ref: str) -> bool:
    row = tx.stored("attachment", [ref])
    on = _place(tx, row) if row is not None else None
    return row is not None and on is not None and access.may_delete(tx, row, on)


def _place(tx: Read, row: AttachmentRow) -> FileTarget | None:
    """What it hangs on, where the caller sees that and files may be changed there."""
    try:
        on = targets.target(tx, row["subject"])
        targets.require_awake(on)
    except Problem:
        return None
    return on


def _searchable_on(hosts: Hosts) -> Searchable | None:
    host = hosts[0]
    found = host.search if isinstance(host.search, Searchable) else None
    if isinstance(host.search, SearchableByHost):
        found = host.search.on(hosts[1:])
    if found is None or host.files is None or condition(host.files.seen, hosts[1:]) is None:
        return None
    return replace(
        found,
        texts=SEARCHABLE.texts,
        rows=f"{found.rows} join attachment f on f.subject glob '{host.name}:*'"
        f" and {found.ref} = substr(f.subject, {len(host.name) + 2})",
        ref="f.id",
        seen=f"f.deleted_at is null and {found.seen}",
        title="f.name",
        within=found.title,
        body="coalesce((select t.text from attachment_text t where t.attachment = f.id), '')",
        at="f.created_at",
        author="f.created_by",
        heading="''",
        scopes=found.scopes if hosts[1:] else found.scopes | {host.scope},
        suggested=None,
    )


SEARCHABLE = SearchableByHost(
    texts="select f.id as ref, f.name as title, coalesce(t.text, '') as body from attachment f"
    " left join attachment_text t on t.attachment = f.id where f.deleted_at is null",
    on=_searchable_on,
)

ATTACHMENT = Thing(
    name="attachment",
    scope="attachments:read",
    home=__name__,
    seen=access.seen_on,
    find=_find,
    hangs_by="subject",
    hangs_on=lambda host: host.files is not None,
    tracked={"attachment": Tracked("attachment", "id", {})},
    trash=Trashable(
        deletable=_deletable,
        tables=frozenset({"attachment"}),
        restorable=access.restorable_on,
        deleted_by="attachments.delete",
        restore=removal.restore,
        purge=removal.purge,
        purged=AttachmentPurged,
    ),
    search=SEARCHABLE,
    order=3,
)
