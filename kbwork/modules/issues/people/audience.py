"""Who of many sees a comment on an issue: one look for all of them, since a team may have thousands."""

from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, json_array
from kbwork.modules.projects import RATED

_HEARERS = f"""
{RATED}, sight as (
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


def among(tx: Read, whos: list[str], on: IssueRow, *, internal: bool) -> list[str]:
    """Those of these members, teams and agents of whom somebody active sees a comment on this issue."""
    return tx.column(
        _HEARERS,
        whos=json_array(whos),
        issue=on["id"],
        project=on["project"],
        level=on["level"],
        reporter=on["reporter"],
        internal=int(internal),
    )
