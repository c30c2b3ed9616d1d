"""The org as a subject: whoever is signed in sees it, admins change it by a session or a key without a limit."""

from kbwork.core import org_settings
from kbwork.core.ports.files import Fileable, FileTarget
from kbwork.core.things.thing import Revertible, Subject, Thing
from kbwork.db.tx import Read


def _find(tx: Read, ref: str) -> Subject | None:
    if ref != "1" or tx.caller.member is None:
        return None
    return Subject("org:1", "org", org_settings.get(tx, "org.name"), "/")


def _editable(tx: Read, ref: str) -> bool:
    return tx.caller.admin and tx.caller.projects is None


def _file_target(tx: Read, ref: str) -> FileTarget | None:
    if ref != "1" or tx.caller.member is None:
        return None
    admin = _editable(tx, ref)
    return FileTarget("org:1", adds=admin, edits=admin)


ORG = Thing(
    name="org",
    scope="members:read",
    home=__name__,
    seen=":ref = '1' and :kb_admin",
    find=_find,
    of_org=True,
    order=5,
    undo=Revertible(editable=_editable),
    files=Fileable(
        target=_file_target,
        told=lambda tx, ref: {},
        who_adds="on the org an admin",
        seen="1",
        known="1",
        adds=":kb_admin and :kb_member",
        edits=":kb_admin and :kb_member",
    ),
)
