"""Jobs as subjects: for whoever started one, and for admins."""

from kbwork.base.text import whole_number
from kbwork.core.things.thing import Subject, Thing
from kbwork.db.tx import Read
from kbwork.modules.jobs import queries


def _find(tx: Read, ref: str) -> Subject | None:
    row = tx.one("select id, kind, state, by from job where id = :id", id=whole_number(ref))
    if row is None or not (row["by"] == tx.caller.member or tx.caller.admin):
        return None
    return Subject(f"job:{row['id']}", "job", row["kind"], f"/jobs/{row['id']}", row["state"])


JOB = Thing(
    name="job",
    scope="api:read",
    home=__name__,
    seen="exists (select 1 from job j where j.id = cast(:ref as integer) and (j.by = :kb_me or :kb_admin))",
    find=_find,
    concerns=queries.module,
    of_org=True,
)
