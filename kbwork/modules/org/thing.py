"""The org as a subject: whoever is signed in sees it, admins change it by a session or a key without a limit."""

from kbwork.core import org_settings
from kbwork.core.things.thing import Revertible, Subject, Thing
from kbwork.db.tx import Read


def _find(tx: Read, ref: str) -> Subject | None:
    if ref != "1" or tx.caller.member is None:
        return None
    return Subject("org:1", "org", org_settings.get(tx, "org.name"), "/")


def _editable(tx: Read, ref: str) -> bool:
    return tx.caller.admin and tx.caller.projects is None


ORG = Thing(
    name="org",
    scope="members:read",
    home=__name__,
    seen=":ref = '1' and :kb_admin",
    find=_find,
    undo=Revertible(editable=_editable),
)
