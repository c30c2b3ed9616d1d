"""Teams as subjects."""

from kbwork.core.access import visibility
from kbwork.core.things.synced import SyncedKind
from kbwork.core.things.thing import Revertible, Subject, Thing
from kbwork.db.rows import TeamRow
from kbwork.db.tx import Read
from kbwork.modules import members
from kbwork.modules.teams import queries
from kbwork.modules.teams.model import ADMINS, Team
from kbwork.modules.teams.searchable import SEARCHABLE


def _find(tx: Read, ref: str) -> Subject | None:
    if ref in ("admins", str(ADMINS)):
        return None if tx.caller.guest else Subject("team:admins", "team", "Admins", "/teams/admins")
    row = queries.seen(tx, int(ref)) if ref.isdecimal() and len(ref) < 16 else None
    return (
        Subject(f"team:{row['id']}", "team", row["name"], f"/teams/{row['handle']}")
        if row is not None
        else None
    )


def _editable(tx: Read, ref: str) -> bool:
    row = queries.seen(tx, int(ref)) if ref.isdecimal() and len(ref) < 16 else None
    return row is not None and not row["managed"] and queries.leads(tx, row["id"])


def _reference(tx: Read, ref: str) -> str | None:
    if not ref.startswith("@"):
        return None
    found = tx.value("select id from team where lower(handle) = lower(:handle)", handle=ref[1:])
    return f"team:{found}" if found is not None else "team:admins" if ref == "@admins" else None


TEAM = Thing(
    name="team",
    table="team",
    scope="members:read",
    home=__name__,
    search=SEARCHABLE,
    seen=f"exists (select 1 from team t where t.id = cast(:ref as integer) and {members.TEAM_SEEN})",
    find=_find,
    of_org=True,
    references=_reference,
    undo=Revertible(editable=_editable),
)


def _all(tx: Read) -> list[Team]:
    """The admins, who are always there, and the others."""
    rows = tx.all(
        f"select t.* from team t where {members.TEAM_SEEN} order by t.id", TeamRow, **visibility.binds(tx)
    )
    admins = [] if tx.caller.guest else [queries.admins(tx)]
    return [*admins, *queries.shown(tx, rows)]


TEAMS = SyncedKind(
    home=__name__,
    kind="team",
    scope="members:read",
    columns=("id", "name", "handle", "icon", "parent", "open", "members"),
    rows=_all,
)
