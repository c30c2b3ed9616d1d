"""Who may see an issue: the condition, and what rests on it.

It stands with projects, since it is made of the roles in them and they count what is seen by it. What may be done with
an issue that is seen is told by the issues' own `access`.
"""

import json

from kbwork.core.access import visibility
from kbwork.db.tx import Read

_OWN = (
    "i.reporter = :kb_me or exists (select 1 from issue_assignee a where a.issue = i.id and a.who = :kb_me)"
)
# `+i.project`: no index is found by this. Most people see most issues, so that whatever else is asked is the better way
# to them: by the projects all issues would be gathered and sorted before the first is told.
ISSUE_SEEN = (
    "i.deleted_at is null and ("
    "(+i.project in (select value from json_each(:kb_full)) and (i.level is null or i.level is 'public'"
    " or +i.project in (select value from json_each(:kb_lead)) or :kb_admin and i.level glob 'team:*'"
    f" or {_OWN}"
    " or coalesce(i.level, '') in (select value from json_each(:kb_teams))))"
    f" or (+i.project in (select value from json_each(:kb_own)) and ({_OWN}"
    " or exists (select 1 from issue_watcher w where w.issue = i.id and w.who = :kb_me)"
    " and (i.level is null or i.level is 'public'"
    " or coalesce(i.level, '') in (select value from json_each(:kb_teams)))))"
    " or (i.level is 'public' and :kb_public"
    " and +i.project in (select id from project where deleted_at is null)))"
)
"""The condition on `issue i`: the caller may see it; 0 or 1, never null, since counts add it up.

A level of null is `project`, the default; `private` is for reporter, assignees and leads; `team:<id>` adds the team.
Those who may see only their own issues of a project see what they reported, are assigned or watch: whoever has a role
in the project sees each of its issues that they are assigned, whatever its level. A connected client without the module
of issues sees none, and nothing that hangs on them: what is bound says so.
"""


def counted(column: str, rollup: str, *, source: str = "issue i", one: bool = False) -> str:
    """SQL that counts the issues that the caller sees by a column of `source`, as (what, issues).

    The counts come from the rollup table, which has a column of the same name, by project. What it cannot know is set
    right from the few issues that are not seen by everyone who sees the project: those with a level, and those of
    projects where the caller sees only their own. `one` narrows it to the value `:counted`.
    """
    name = column.partition(".")[2]
    special, own = (f" and +{column} = :counted", f" and {name} = :counted") if one else ("", "")
    return f"""
with special (what, issues) as (
  select {column}, ({ISSUE_SEEN}) - (i.project in (select value from json_each(:kb_full)))
    from {source} where i.level is not null and i.deleted_at is null{special}
  union all
  select {column}, ({ISSUE_SEEN}) from {source}
    where i.project in (select value from json_each(:kb_own)) and i.level is null and i.deleted_at is null{special}
), uses (what, issues) as (
  select what, issues from special
  union all
  select {name}, issues from {rollup} where project in (select value from json_each(:kb_full)){own}
)
select what, sum(issues) as issues from uses group by what
"""


ISSUE_RESTORABLE = (
    "i.deleted_at is not null and (i.project in (select value from json_each(:kb_lead))"
    " or i.reporter = :kb_me and i.project in (select value from json_each(:kb_work)))"
)
"""The condition on `issue i`: it is in the trash, and the caller could have put it there and may bring it back."""


_MOST_PROJECTS = 50
"""Of so many the counts are added up; who sees more is taken for somebody who sees much."""
_LITTLE = 1000
"""Among so many issues no page is far."""
_COUNTED_FOR_S = 60
_TAKING = 4
"""To take an issue by itself costs as much as to pass by so many in an order."""


def few(tx: Read, page: int) -> str | None:
    """A select of ids among which is every issue that the caller sees, if those are so few that to take them all is
    sooner done than to pass by what others see until there is a page of them; else None.

    It is right however many there are: they are counted once in a minute.
    """
    number, last = tx.cached(
        ("reach", tx.caller.ident, tx.caller.role, tx.caller.projects, tx.now // _COUNTED_FOR_S),
        lambda: _reach(tx),
    )
    if last <= _LITTLE or _TAKING * number * number > page * last:
        return None
    seen = "select id from issue where project in (select value from json_each(:kb_full))"
    return " union ".join([seen, *elsewhere(tx)])


def _reach(tx: Read) -> tuple[int, int]:
    """(about how many issues the caller sees, how many there are)."""
    sight = visibility.binds(tx)
    last = tx.value("select max(id) from issue") or 0
    if len(json.loads(sight["kb_full"])) > _MOST_PROJECTS:
        return last, last
    number: int = tx.value(
        "select coalesce(sum(issues), 0) from project_count where project in (select value from json_each(:kb_full))",
        kb_full=sight["kb_full"],
    )
    if parts := elsewhere(tx):
        ids = " union ".join(parts)
        number += tx.value(f"select count(*) from (select 1 from ({ids}) limit :most)", most=last, **sight)
    return number, last


def elsewhere(tx: Read) -> list[str]:
    """Selects of the ids of issues, of which the caller sees some, beside those of projects that they see all of: what
    is their own in projects where they see no more, and what is public in projects that they do not see."""
    sight = visibility.binds(tx)
    found = []
    if sight["kb_own"] != "[]":
        found += [
            "select id from issue where reporter = :kb_me",
            "select issue as id from issue_assignee where who = :kb_me",
            "select issue as id from issue_watcher where who = :kb_me",
        ]
    if sight["kb_public"]:
        found.append(
            "select id from issue where level = 'public' and project in (select id from project"
            " where deleted_at is null and id not in (select value from json_each(:kb_full)))"
        )
    return found
