"""Labels as subjects: `#bug` stands for one."""

from kbwork.base.text import folded, whole_number
from kbwork.core.access import visibility
from kbwork.core.things.synced import SyncedKind
from kbwork.core.things.thing import Revertible, Subject, Thing
from kbwork.db.tx import Read
from kbwork.modules.labels import queries, validation
from kbwork.modules.labels.searchable import SEARCHABLE


def _find(tx: Read, ref: str) -> Subject | None:
    number = whole_number(ref)
    row = queries.row(tx, number) if number is not None else None
    return Subject(f"label:{row['id']}", "label", row["name"], f"/labels/{row['id']}") if row else None


def _reference(tx: Read, ref: str) -> str | None:
    """Of labels with one name the org's, else that of the project whose key comes first."""
    if not ref.startswith("#"):
        return None
    found = tx.value(
        "select l.id from label l left join project p on p.id = l.project"
        f" where l.name_key = :name and {queries.LABEL_SEEN} order by p.key limit 1",
        name=folded(ref[1:]),
        **visibility.binds(tx),
    )
    return f"label:{found}" if found is not None else None


LABEL = Thing(
    name="label",
    scope="projects:read",
    home=__name__,
    search=SEARCHABLE,
    seen=f"exists (select 1 from label l where l.id = cast(:ref as integer) and {queries.LABEL_SEEN})",
    find=_find,
    references=_reference,
    undo=Revertible(checks={"label": validation.check_label, "issue_label": validation.check_use}),
)

LABELS = SyncedKind(
    home=__name__,
    kind="label",
    scope="projects:read",
    columns=("id", "name", "color", "project", "group"),
    rows=queries.listed,
)
