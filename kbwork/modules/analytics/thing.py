"""Reports as subjects: admins see them, and those who are told when one has run."""

from kbwork.base.text import whole_number
from kbwork.core.access import visibility
from kbwork.core.things.thing import Subject, Thing
from kbwork.db.tx import Read

_SEEN = (
    "(:kb_admin or exists (select 1 from report_recipient t where t.report = cast(:ref as integer)"
    " and (t.who = :kb_me or t.who in (select value from json_each(:kb_teams)))))"
)


def _find(tx: Read, ref: str) -> Subject | None:
    number = whole_number(ref)
    name = (
        tx.value(
            f"select name from report where id = cast(:ref as integer) and {_SEEN}",
            ref=ref,
            **visibility.binds(tx),
        )
        if number is not None
        else None
    )
    if name is None:
        return None
    return Subject(f"report:{number}", "report", name, f"/settings/reports/{number}")


REPORT = Thing(
    name="report",
    scope="members:read",
    home=__name__,
    seen=f"exists (select 1 from report o where o.id = cast(:ref as integer) and {_SEEN})",
    find=_find,
    of_org=True,
    rests_on=frozenset({"report_recipient"}),
)
