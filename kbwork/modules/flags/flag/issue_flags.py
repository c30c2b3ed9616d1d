"""The flags of an issue with what they serve, for whoever looks at the issue."""

import json

from kbwork.core.access import visibility
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read
from kbwork.modules.flags import access
from kbwork.modules.flags.definition import served_variations
from kbwork.modules.flags.model import Json
from kbwork.modules.issues import Flags, IssueFlag, IssueFlagState


def _shown(tx: Read, issue: IssueRow) -> list[IssueFlag]:
    """By flag project and key."""
    if not visibility.reads(tx, "flag"):
        return []
    found: dict[int, IssueFlag] = {}
    for row in tx.all(
        "select f.id, fp.key as project, f.key, f.meta, f.archived, e.key as environment, c.config"
        " from flag_issue l join flag f on f.id = l.flag join flag_project fp on fp.id = f.project"
        " left join flag_environment e on e.project = fp.id"
        " left join flag_config c on c.flag = f.id and c.environment = e.id"
        f" where l.issue = :issue and {access.SEEN} order by fp.key, f.key, e.id",
        issue=issue["id"],
        **visibility.binds(tx),
    ):
        meta: Json = json.loads(row["meta"])
        if row["id"] not in found:
            found[row["id"]] = IssueFlag(
                project=row["project"],
                key=row["key"],
                name=meta["name"],
                archived=bool(row["archived"]),
                environments={},
            )
        if row["environment"] is not None:
            state = _state(meta, json.loads(row["config"]), archived=bool(row["archived"]))
            found[row["id"]]["environments"][row["environment"]] = state
    return list(found.values())


def _state(meta: Json, config: Json, *, archived: bool) -> IssueFlagState:
    served = served_variations.NO_VALUE if archived else served_variations.to_all(config)
    if served is None:
        return IssueFlagState(on=config["on"], serves=None)
    return IssueFlagState(on=config["on"], serves=served_variations.called(meta["variations"], served))


ON_ISSUES = Flags(home=__name__, shown=_shown)
