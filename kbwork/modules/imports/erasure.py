"""What imports keep of somebody who is erased: what sources called them."""

import json

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.db.rows import ImportRow
from kbwork.db.tx import Write, json_array
from kbwork.modules.imports import kept_records, queries

_NAMING = (
    "select * from import m where exists (select 1 from json_each(m.mapping, '$.members') e where e.value = :member)"
    " or exists (select 1 from json_each(m.found, '$.people') p where lower(p.value ->> '$.email') = lower(:email))"
    " order by id"
)


def _forget(tx: Write, job: RunningJob) -> Next:
    """Their names at the source go from what was found, mapped and logged, with what was read there."""
    member = job.args["member"]
    email = tx.value("select email from member where id = :member", member=member) or ""
    for row in tx.all(_NAMING, ImportRow, member=member, email=email):
        mapping, found = queries.mapping_of(row), json.loads(row["found"])
        people = found.get("people", [])
        theirs = {name for name, who in mapping["members"].items() if who == member}
        theirs |= {one["id"] for one in people if email and (one["email"] or "").lower() == email.lower()}
        mapping["members"] = {name: who for name, who in mapping["members"].items() if name not in theirs}
        found["people"] = [one for one in people if one["id"] not in theirs]
        queries.put(tx, row["id"], mapping=mapping, found=found)
        kept_records.drop_records(tx, row["id"])
        tx.execute(
            "delete from import_log where import = :id and source in (select value from json_each(:names))",
            id=row["id"],
            names=json_array(sorted(theirs)),
        )
    return Next()


FORGET = JobKind(kind="imports.forget", home=__name__, step=_forget)
