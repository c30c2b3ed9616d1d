"""A stale flag opens the issue that says how it is removed."""

import datetime
import json

from typing_extensions import TypedDict

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.core import zones
from kbwork.core.access import visibility
from kbwork.core.operations import nested
from kbwork.core.operations.declare import write
from kbwork.core.operations.dispatch import authorize
from kbwork.db.rows import FlagProjectRow, FlagRow, ProjectRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.flags import access
from kbwork.modules.flags.definition import served_variations, store
from kbwork.modules.flags.definition.content import packed
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.flag import link
from kbwork.modules.flags.insight import stale
from kbwork.modules.flags.insight.stale import StaleFlag
from kbwork.modules.flags.model import FlagLinked, FlagProjectRef, FlagRef, Json, Ref
from kbwork.modules.issues import CREATION_EVENTS, MOST_ASSIGNEES, create
from kbwork.modules.projects import ISSUE_SEEN
from kbwork.modules.projects import access as projects

_MOST_VALUE = 80
"""A longer value is told by its beginning."""
_TO_DO = """What to do:

- [ ] Take the flag out of the code, and leave there what the variation that is served does.
- [ ] Wait until no program asks for it any more: `flags.insights` counts how often they do.
- [ ] Archive it with `flags.archive`."""


class FlagsCleanUp(Tried):
    project: FlagProjectRef
    key: FlagRef
    to: Ref | None = None
    """Key of the project of work that gets the issue; left out: the one that the flag project is tied to."""


class CleanUp(TypedDict):
    """`key` is the clean-up issue, `issues` are all that you see on the flag."""

    key: str
    """Key of the issue that removes the flag."""
    issues: list[str]
    """Keys of all issues on the flag that the caller sees."""


@write(
    "flags.clean_up",
    scope="flags:write",
    words=(
        "remove a stale flag from the code, open a cleanup ticket, tidy up an old flag, "
        "technical debt of a flag"
    ),
    undo="delete the issue that it made; a link alone is taken away with flags.link",
    emits=[FlagLinked, *CREATION_EVENTS],
    example={"project": "web", "key": "checkout", "to": "WEB"},
)
def clean_up(tx: Write, args: FlagsCleanUp) -> CleanUp:
    """Open the issue that removes a stale flag: why it may go, what each environment serves, and what to do.

    The issue goes to the project of work that the flag project is tied to, or that `to` names (422 where there is
    neither), is assigned to those maintainers who are active and see that project, and is linked to the flag. Where
    none of them does, the project says who gets new issues. You need issues:write, and may make issues there.

    A flag that flags.stale does not tell is 409 with what keeps it; so is an archived one. While a clean-up issue of
    the flag is linked and open, in whichever project, the answer is that one and nothing is made; one that you do not
    see is 409. An issue counts as such by its `source`, which is `flag:<project>/<key>`. A flag has at most 100 issues
    (422).
    """
    authorize(tx.registry.require("issues.create"), tx.caller)
    project = access.editable_project(tx, args.project)
    flag = access.flag(tx, project, args.key)
    target = _target(tx, project, args.to)
    why = stale.of_flag(tx, flag)
    key = _open(tx, project, flag) or _make(tx, target, project, flag, why)
    return done(args, CleanUp(key=key, issues=link.linked(tx, flag["id"])))


def _target(tx: Read, project: FlagProjectRow, named: str | None) -> ProjectRow:
    """The project of work that gets the issue. Raises InvalidInput where none is known, or NotFound."""
    if named is not None:
        return projects.project(tx, named)
    if project["work_project"] is None:
        raise InvalidInput(
            f"The flag project {project['key']} is tied to no project of work: say which one gets the issue.",
            field="to",
        )
    tied = tx.stored("project", [project["work_project"]])
    assert tied is not None
    return projects.project(tx, tied["key"])


def _open(tx: Read, project: FlagProjectRow, flag: FlagRow) -> str | None:
    """The key of the clean-up issue that is open. Raises Conflict for one that the caller does not see."""
    row = tx.one(
        f"select p.key || '-' || i.number as key, {ISSUE_SEEN} as seen from flag_issue l"
        " join issue i on i.id = l.issue join project p on p.id = i.project"
        " where l.flag = :flag and i.source = :source and i.category <> 'done'"
        " and i.archived_at is null and i.deleted_at is null and p.archived_at is null and p.deleted_at is null"
        " order by seen desc, i.id limit 1",
        flag=flag["id"],
        source=store.name_of(project, flag),
        **visibility.binds(tx),
    )
    if row is None:
        return None
    if not row["seen"] or "issues:read" not in tx.caller.scopes:
        raise Conflict(f"An issue to clean up {flag['key']} is open already, and not for you to see.")
    return str(row["key"])


def _make(tx: Write, target: ProjectRow, project: FlagProjectRow, flag: FlagRow, why: StaleFlag) -> str:
    value = {
        "project": target["key"],
        "title": f"Remove the flag {flag['key']}",
        "body": _body(tx, project, flag, why),
        "source": store.name_of(project, flag),
    }
    keepers = _keepers(tx, target, flag)
    made = nested.run(tx, create, value | ({"assignees": keepers} if keepers else {}))
    link.attach(tx, project, flag, made["id"], field="key")
    return str(made["key"])


def _keepers(tx: Read, target: ProjectRow, flag: FlagRow) -> list[str]:
    """The flag's maintainers who are active and see the project, in their order."""
    named = json.loads(flag["meta"])["maintainers"]
    active = set(
        tx.column(
            "select id from member where state = 'active' and id in (select value from json_each(:named))",
            named=json_array(named),
        )
    )
    found = [
        who
        for who in named
        if who in active and target["id"] in projects.roles(visibility.as_member(tx, who))
    ]
    return found[:MOST_ASSIGNEES]


def _body(tx: Read, project: FlagProjectRow, flag: FlagRow, why: StaleFlag) -> str:
    since = datetime.datetime.fromtimestamp(why["since"], zones.of_org(tx)).date()
    reason = why["reason"].partition(": ")[2]
    variations = json.loads(flag["meta"])["variations"]
    served = [
        _line(row["key"], json.loads(row["config"]), variations)
        for row in tx.all(
            "select e.key, c.config from flag_config c join flag_environment e on e.id = c.environment"
            " where c.flag = :flag order by e.id",
            flag=flag["id"],
        )
    ]
    begin = (
        f"The flag `{flag['key']}` of the flag project `{project['key']}` looks ready to be removed: {reason},"
        f" since {since.isoformat()}."
    )
    return "\n\n".join((begin, "What it serves:", "\n".join(served), _TO_DO))


def _line(environment: str, config: Json, variations: list[Json]) -> str:
    state = f"- `{environment}` is {'on' if config['on'] else 'off'}"
    served = served_variations.to_all(config)
    if served is None:
        return f"{state}; what it serves depends on who asks."
    value = f", {_quoted(variations[served])}," if served != served_variations.NO_VALUE else ""
    return f"{state} and serves {served_variations.words(served)}{value} to everybody."


def _quoted(variation: Json) -> str:
    """Its value, and its name where it has one, as code: what stands there mentions nobody."""
    value = packed(variation["value"])
    if len(value) > _MOST_VALUE:
        value = f"{value[:_MOST_VALUE]}..."
    shown = f"{variation['name']} = {value}" if variation["name"] else value
    return f"`{' '.join(shown.split()).replace('`', chr(39))}`"
