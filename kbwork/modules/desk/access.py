"""Who works at desks, and whom of their customers they see."""

from kbwork.base.errors import NotAllowed, NotFound
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.db.rows import CustomerRow, DeskRow, ProjectRow
from kbwork.db.tx import Read, json_array
from kbwork.modules.projects import access as projects

_AT_WORK = "(select d.project from desk d where d.project in (select value from json_each(:kb_work)))"
_THEIRS = (
    "exists (select 1 from request_customer w join issue i on i.id = w.issue where w.customer = c.id and {})"
)
CUSTOMER_SEEN = (
    f"(exists (select 1 from {_AT_WORK}) and (not {_THEIRS.format('1')}"
    f" or {_THEIRS.format(f'i.project in {_AT_WORK}')}))"
)
"""The condition on `customer c`: the caller works at a desk, and the customer has to do with one or with none."""
ELSEWHERE = _THEIRS.format(f"i.project not in {_AT_WORK}")
"""The customer has to do with requests that are not of the caller's desks."""


def desks_at_work(tx: Read) -> str:
    """The desks where the caller works, as a JSON list of projects."""
    return json_array(tx.column(f"select project from {_AT_WORK} order by project", **visibility.binds(tx)))


def require_agent(tx: Read) -> None:
    """Raises NotAllowed for whoever is no member or lead of a project with a desk."""
    found = tx.value(f"select 1 from {_AT_WORK} limit 1", **visibility.binds(tx))
    if found is None:
        raise NotAllowed("This is for members and leads of a project that is a service desk.")


def refuse_guests(tx: Read) -> None:
    """Raises NotAllowed for who is from outside: desks are kept by members."""
    if tx.caller.guest:
        raise NotAllowed("Guests may not do this.")


def require_member(tx: Read, project: int) -> None:
    """Raises NotAllowed for whoever does not work in this project."""
    if tx.caller.guest or not projects.at_least(tx, project, "member"):
        raise NotAllowed("This needs the role member in the project of the desk.")


def customer(tx: Read, ident: int) -> CustomerRow:
    """A customer whom the caller sees. Raises NotAllowed or NotFound."""
    require_agent(tx)
    return named.seen(seen_customer(tx, ident), "customer", ident, "desk.customers")


def seen_customer(tx: Read, ident: int) -> CustomerRow | None:
    """The same; None for one whom the caller does not see."""
    return tx.one(
        f"select c.* from customer c where c.id = :id and {CUSTOMER_SEEN}",
        CustomerRow,
        id=ident,
        **visibility.binds(tx),
    )


def desk(tx: Read, key: str) -> tuple[ProjectRow, DeskRow]:
    """A project that the caller sees, and its desk. Raises NotFound, or NotAllowed for guests."""
    refuse_guests(tx)
    project = projects.project(tx, key)
    row = tx.stored("desk", [project["id"]])
    if row is None:
        raise NotFound(f"{project['key']} is no service desk: an admin makes it one by desk.save.")
    return project, row


def require_keeper(tx: Read, project: ProjectRow) -> None:
    """Whoever sets up a desk leads its project. Raises NotAllowed, or Conflict where it is archived."""
    projects.require_lead(tx, project)
    projects.require_open(project)
