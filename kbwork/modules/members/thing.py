"""Members as subjects."""

from kbwork.core.access import visibility
from kbwork.core.things.synced import SyncedKind
from kbwork.core.things.thing import Revertible, Subject, Thing
from kbwork.db.rows import MemberRow
from kbwork.db.tx import Read
from kbwork.modules.members import queries
from kbwork.modules.members.documents import DOCUMENTS
from kbwork.modules.members.model import Member
from kbwork.modules.members.searchable import SEARCHABLE


def _find(tx: Read, ref: str) -> Subject | None:
    row = queries.seen(tx, ref)
    if row is None:
        return None
    return Subject(f"member:{row['id']}", "member", row["name"], f"/members/{row['handle']}", row["state"])


def _editable(tx: Read, ref: str) -> bool:
    return tx.caller.admin or ref == tx.caller.member


def _reference(tx: Read, ref: str) -> str | None:
    if not ref.startswith("@"):
        return None
    row = queries.find(tx, ref)
    return f"member:{row['id']}" if row is not None else None


MEMBER = Thing(
    name="member",
    document=DOCUMENTS,
    scope="members:read",
    home=__name__,
    search=SEARCHABLE,
    seen=f"exists (select 1 from member m where m.id = :ref and {queries.MEMBER_SEEN})",
    find=_find,
    of_org=True,
    references=_reference,
    undo=Revertible(
        editable=_editable,
        volatile=frozenset({"last_seen_at"}),
    ),
)


def _all(tx: Read) -> list[Member]:
    """Those who were ever here and are seen: what is older names them, too."""
    rows = tx.all(
        f"select m.* from member m where m.state <> 'invited' and {queries.MEMBER_SEEN} order by m.id",
        MemberRow,
        **visibility.binds(tx),
    )
    return queries.shown(tx, rows)


MEMBERS = SyncedKind(
    home=__name__,
    kind="member",
    scope="members:read",
    columns=("id", "name", "handle", "avatar", "role", "state", "title", "zone", "teams"),
    rows=_all,
)
