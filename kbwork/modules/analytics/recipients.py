"""Who is told when a report has run."""

from kbwork.base.errors import InvalidInput
from kbwork.base.text import whole_number
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Read, Write
from kbwork.modules import members

ADMINS = "team:admins"
_THERE = (
    "(r.who = 'team:admins' or exists (select 1 from member m where m.id = r.who and m.state <> 'erased')"
    " or exists (select 1 from team t where 'team:' || t.id = r.who))"
)
"""Of a team that was deleted nothing is told."""


def checked(tx: Read, asked: list[str]) -> list[str]:
    """As identities, each once. Raises InvalidInput for one that is not there, or not at work here."""
    return list(dict.fromkeys(_identity(tx, ref, f"recipients[{place}]") for place, ref in enumerate(asked)))


def _identity(tx: Read, ref: str, field: str) -> str:
    kind, name = ref_of(ref.strip())
    if kind == "team":
        number = whole_number(name)
        if name == "admins" or number == 0:
            return ADMINS
        team = visibility.find_named(tx, f"team:{number}") if number is not None else None
        return named.seen(team, "team", name, "teams.list", field=field).id
    row = members.by_ref(tx, name if kind == "member" else ref, field=field)
    if row["state"] != "active" or row["role"] == "guest":
        raise InvalidInput(
            f"{row['name']} is a guest, or not active: active members are told of reports.", field=field
        )
    return str(row["id"])


def of(tx: Read, report: int) -> list[str]:
    """Those who are there, in the order in which they were named."""
    return tx.column(
        f"select r.who from report_recipient r where r.report = :report and {_THERE} order by r.position",
        report=report,
    )


def put(tx: Write, report: int, who: list[str]) -> None:
    """These, and no others."""
    forget(tx, report)
    for position, one in enumerate(who):
        tx.execute(
            "insert into report_recipient (report, who, position) values (:report, :who, :position)",
            report=report,
            who=one,
            position=position,
        )


def forget(tx: Write, report: int) -> None:
    tx.execute("delete from report_recipient where report = :report", report=report)
