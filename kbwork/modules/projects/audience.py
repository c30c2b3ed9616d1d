"""Who of many sees what is in a project: one look for all of them, since a team may have thousands. Who hears of it."""

from typing import Any

from kbwork.base.events import DomainEvent
from kbwork.db.tx import Read, Write, json_array

_WIDTH = "case {0} when 'viewer' then 0 when 'reporter' then 1 when 'member' then 2 when 'lead' then 3 end"
PEOPLE = """
with behind (who, member) as (
  select value, value from json_each(:whos) where instr(value, ':') = 0
  union all
  select 'team:' || t.team, t.member from json_each(:whos) w
    join team_member t on w.value glob 'team:*' and t.team = cast(substr(w.value, 6) as integer)
  union all
  select w.value, a.owner from json_each(:whos) w
    join agent a on w.value glob 'agent:*' and a.name = substr(w.value, 7)
), person as materialized (
  select id, role, role in ('owner', 'admin') as admin from member
    where state = 'active' and (role <> 'guest' or not :internal) and id in (select member from behind)
)
"""
"""Who stands behind each of `:whos`: `person` has those who are active, without guests where it is `:internal`."""
RATED = f"""
{PEOPLE}, theirs as materialized (
  select t.member, 'team:' || t.team as team from person cross join team_member t on t.member = person.id
  union all
  select id, 'team:admins' from person where admin
), held as materialized (
  select who as member, max({_WIDTH.format("role")}) as width from (
    select who, role from project_member where project = :project
    union all
    select x.member, pm.role from project_member pm join theirs x on x.team = pm.who where pm.project = :project
  ) group by who
), rated (id, role, admin, width) as materialized (
  select person.id, person.role, admin, case
      when admin and p.visibility <> 'private' then 3
      when person.role = 'guest' then min(held.width, 2)
      when p.visibility = 'org' then max(coalesce(held.width, 2), 2)
      else held.width end
    from person join project p on p.id = :project and p.deleted_at is null left join held on held.member = person.id
)
"""
"""Their roles in `:project` too: the same as each of them finds by looking. Without one `width` is null."""


_TRASHED = (
    "select person.id from person join project p on p.id = :project and p.deleted_at is not null"
    " and p.visibility <> 'private' where admin"
)
"""Who sees what is tied to a project while that lies in the trash."""


def of_team(tx: Read, whos: list[str], project: int | None) -> list[str]:
    """Those of these members, teams and agents of whom somebody active, no guest, is in a project; None: in the org."""
    among = f"select id from rated where width is not null union all {_TRASHED}"
    seen = "select id from person" if project is None else among
    return tx.column(
        f"{PEOPLE if project is None else RATED} select distinct who from behind where member in ({seen})",
        whos=json_array(whos),
        internal=1,
        **({} if project is None else {"project": project}),
    )


def tell(tx: Write, event: type[DomainEvent], project: int | None, **told: Any) -> None:
    """An event of the org is for its members, one of a project for those who see it."""
    key = tx.value("select key from project where id = :id", id=project)
    subject = f"project:{key}" if key is not None else "org:1"
    tx.emit(event(subject=subject, heard_by="seen" if key is not None else "members", **told))
