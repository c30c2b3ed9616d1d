"""Flag projects, flags and segments as subjects."""

from kbwork.core import visibility
from kbwork.core.subjects import Kind, Subject
from kbwork.db.tx import Read, Row
from kbwork.modules.flags import access
from kbwork.modules.flags.definitions import meta_of

_PROJECT = "fp.key = substr(:ref, 1, instr(:ref, '/') - 1)"


def _find_project(tx: Read, ref: str) -> Subject | None:
    row = tx.one(
        f"select fp.* from flag_project fp where fp.key = :key and {access.SEEN}", key=ref, **_binds(tx)
    )
    return Subject(f"flag_project:{ref}", "flag_project", row["name"], f"/flags/{ref}") if row else None


def _find_flag(tx: Read, ref: str) -> Subject | None:
    project, _, key = ref.partition("/")
    row = tx.one(
        "select f.* from flag_project fp join flag f on f.project = fp.id"
        f" where fp.key = :project and f.key = :key and {access.SEEN}",
        project=project,
        key=key,
        **_binds(tx),
    )
    if row is None:
        return None
    state = "archived" if row["archived"] else None
    return Subject(f"flag:{ref}", "flag", meta_of(row)["name"], f"/flags/{project}/{key}", state)


def _find_segment(tx: Read, ref: str) -> Subject | None:
    row = _segment(tx, ref)
    if row is None:
        return None
    project, environment, key = ref.split("/")
    return Subject(f"segment:{ref}", "segment", row["name"], f"/flags/{project}/segments/{environment}/{key}")


def _segment(tx: Read, ref: str) -> Row | None:
    parts = ref.split("/")
    if len(parts) != 3:
        return None
    return tx.one(
        "select s.* from flag_project fp join flag_environment e on e.project = fp.id"
        " join flag_segment s on s.environment = e.id"
        f" where fp.key = :project and e.key = :environment and s.key = :key and {access.SEEN}",
        project=parts[0],
        environment=parts[1],
        key=parts[2],
        **_binds(tx),
    )


def _binds(tx: Read) -> dict[str, object]:
    return visibility.binds(tx)


FLAG_PROJECT = Kind(
    name="flag_project",
    scope="flags:read",
    home=__name__,
    seen=f"exists (select 1 from flag_project fp where fp.key = :ref and {access.SEEN})",
    find=_find_project,
    binds=access.binds,
    rests_on=frozenset({"flag_project"}),
)
FLAG = Kind(
    name="flag",
    scope="flags:read",
    home=__name__,
    seen=f"exists (select 1 from flag_project fp where {_PROJECT} and {access.SEEN})",
    find=_find_flag,
    binds=access.binds,
)
SEGMENT = Kind(
    name="segment",
    scope="flags:read",
    home=__name__,
    seen=f"exists (select 1 from flag_project fp where {_PROJECT} and {access.SEEN})",
    find=_find_segment,
    binds=access.binds,
)
