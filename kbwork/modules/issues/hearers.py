"""Who of many sees a comment on an issue: one look for all of them, since a team may have thousands."""

from kbwork.db.tx import Read, Row, marks

_WIDTH = "case {0} when 'viewer' then 0 when 'reporter' then 1 when 'member' then 2 when 'lead' then 3 end"
_HEARERS = f"""
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
), theirs as materialized (
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
), sight as (
  select r.*, r.width = 1 and p.reporters_see = 'own' as narrow,
    :level is null or :level is 'public'
      or exists (select 1 from theirs x where x.member = r.id and x.team = :level) as levelled
    from rated r join project p on p.id = :project
), seer as materialized (
  select id from sight s where :level is 'public' and role <> 'guest' or width is not null and (
    width = 3 or id = :reporter or id in (select who from issue_assignee where issue = :issue)
    or levelled and (not narrow or id in (select who from issue_watcher where issue = :issue))
    or admin and not narrow and :level glob 'team:*'
  )
)
select distinct who from behind where member in (select id from seer)
"""
"""The rules of roles and levels for all of them at once: the same as each of them finds by looking."""


def among(tx: Read, whos: list[str], on: Row, *, internal: bool) -> list[str]:
    """Those of these members, teams and agents of whom somebody active sees a comment on this issue."""
    return tx.column(
        _HEARERS,
        whos=marks(whos),
        issue=on["id"],
        project=on["project"],
        level=on["level"],
        reporter=on["reporter"],
        internal=int(internal),
    )
