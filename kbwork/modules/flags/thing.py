"""Flag projects, flags, segments and change requests as subjects."""

from kbwork.base.text import whole_number
from kbwork.core.access import visibility
from kbwork.core.things.thing import Elsewhere, Revertible, Subject, Thing
from kbwork.db.rows import FlagProjectRow, FlagSegmentRow
from kbwork.db.tx import Read, Row
from kbwork.modules.flags import access
from kbwork.modules.flags.comments import (
    IN_CHANGE,
    IN_PROJECT,
    NAMED,
    ON_CHANGES,
    ON_FLAGS,
    change_editable,
    flag_editable,
)
from kbwork.modules.flags.definition.content import meta_of
from kbwork.modules.flags.flag.documents import DOCUMENTS
from kbwork.modules.flags.searchable import SEARCHABLE


def _find_project(tx: Read, ref: str) -> Subject | None:
    row = tx.one(
        f"select fp.* from flag_project fp where fp.key = :key and {access.SEEN}",
        FlagProjectRow,
        key=ref,
        **visibility.binds(tx),
    )
    return Subject(f"flag_project:{ref}", "flag_project", row["name"], f"/flags/{ref}") if row else None


def _find_flag(tx: Read, ref: str) -> Subject | None:
    project, _, key = ref.partition("/")
    row = tx.one(
        "select f.*, fp.key as project_key from flag_project fp join flag f on f.project = fp.id"
        f" where fp.key_folded = :project and {NAMED} and {access.SEEN}",
        project=project.lower(),
        key=key,
        **visibility.binds(tx),
    )
    if row is None:
        return None
    state = "archived" if row["archived"] else None
    at = row["project_key"]
    return Subject(
        f"flag:{at}/{row['first_key']}", "flag", meta_of(row)["name"], f"/flags/{at}/{row['key']}", state
    )


def _find_segment(tx: Read, ref: str) -> Subject | None:
    row = _segment(tx, ref)
    if row is None:
        return None
    project, environment, key = ref.split("/")
    return Subject(f"segment:{ref}", "segment", row["name"], f"/flags/{project}/segments/{environment}/{key}")


def _segment(tx: Read, ref: str) -> FlagSegmentRow | None:
    parts = ref.split("/")
    if len(parts) != 3:
        return None
    return tx.one(
        "select s.* from flag_project fp join flag_environment e on e.project = fp.id"
        " join flag_segment s on s.environment = e.id"
        f" where fp.key = :project and e.key = :environment and s.key = :key and {access.SEEN}",
        FlagSegmentRow,
        project=parts[0],
        environment=parts[1],
        key=parts[2],
        **visibility.binds(tx),
    )


def _change(tx: Read, ref: str) -> Row | None:
    return tx.one(
        "select c.*, e.key as environment_key, fp.key as project_key,"
        " (select f.first_key from flag f where f.project = c.project and f.key = c.target) as first_key"
        " from flag_change c join flag_environment e on e.id = c.environment join flag_project fp on fp.id = c.project"
        f" where c.id = :id and {access.SEEN}",
        id=whole_number(ref),
        **visibility.binds(tx),
    )


def _find_change(tx: Read, ref: str) -> Subject | None:
    row = _change(tx, ref)
    if row is None:
        return None
    title = f"Change {row['id']} of {row['target']} in {row['environment_key']}"
    path = f"/flags/{row['project_key']}/changes/{row['id']}"
    return Subject(f"flag_change:{row['id']}", "flag_change", title, path, row["status"])


def _told_on(tx: Read, ref: str) -> Elsewhere | None:
    """What became of a change is told on what it changes."""
    row = _change(tx, ref)
    if row is None:
        return None
    of_flag = [row["first_key"] or row["target"]]
    parts = of_flag if row["kind"] == "flag" else [row["environment_key"], row["target"]]
    parts = [row["project_key"], *parts]
    return Elsewhere(f"{row['kind']}:{'/'.join(parts)}", "change", row["id"])


FLAG_PROJECT = Thing(
    name="flag_project",
    scope="flags:read",
    home=__name__,
    seen=f"exists (select 1 from flag_project fp where fp.key = :ref and {access.SEEN})",
    find=_find_project,
    binds=access.binds,
    rests_on=frozenset({"flag_project"}),
)
FLAG = Thing(
    name="flag",
    document=DOCUMENTS,
    scope="flags:read",
    home=__name__,
    search=SEARCHABLE,
    seen=f"exists (select 1 from flag_project fp where {IN_PROJECT} and {access.SEEN})",
    find=_find_flag,
    binds=access.binds,
    comments=ON_FLAGS,
    undo=Revertible(editable=flag_editable),
)
SEGMENT = Thing(
    name="segment",
    scope="flags:read",
    home=__name__,
    seen=f"exists (select 1 from flag_project fp where {IN_PROJECT} and {access.SEEN})",
    find=_find_segment,
    binds=access.binds,
)
CHANGE = Thing(
    name="flag_change",
    scope="flags:read",
    home=__name__,
    seen=f"exists (select 1 from flag_project fp where {IN_CHANGE} and {access.SEEN})",
    find=_find_change,
    binds=access.binds,
    comments=ON_CHANGES,
    elsewhere=_told_on,
    undo=Revertible(editable=change_editable),
)
