"""Issues that come along when a project is copied."""

from typing import Any

from kbwork.core.access import visibility
from kbwork.core.operations import nested
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Read, Write
from kbwork.issuefields import SIMPLE
from kbwork.modules.issues import queries
from kbwork.modules.issues.issue.create import create
from kbwork.modules.issues.issue.read import get
from kbwork.modules.issues.structure.clone import own_values
from kbwork.modules.projects import ISSUE_SEEN, CopiedIssues
from kbwork.modules.projects import access as projects

_SAME = (
    "title",
    "body",
    "body_doc",
    "type",
    "priority",
    "labels",
    "components",
    "level",
    *(field.input for field in SIMPLE),
)


def _pick(tx: Write, source: ProjectRow, most: int) -> list[int]:
    found: list[int] = tx.column(
        f"select i.id from issue i where i.project = :project and i.archived_at is null and {ISSUE_SEEN}"
        " order by i.level_no desc, i.rank, i.id limit :most",
        project=source["id"],
        most=most,
        **visibility.binds(tx),
    )
    return found


def _copy(tx: Write, project: str, ident: int, made: dict[str, str]) -> str | None:
    subject = f"issue:{ident}"
    if visibility.find(tx, subject) is None:
        return None
    source: dict[str, Any] = dict(nested.run(tx, get, {"key": subject}))
    value = {name: source[name] for name in _SAME if source[name] not in (None, "", [], {})}
    values = own_values(tx, queries.stored(tx, ident), projects.project(tx, project))
    value |= {"project": project, "assignees": [], "values": values}
    parent = tx.value("select parent from issue where id = :id", id=ident)
    if parent is not None and str(parent) in made:
        value["parent"] = made[str(parent)]
    return str(nested.run(tx, create, value)["key"])


def _key_of(tx: Read, ident: int) -> str:
    found = tx.one(
        "select p.key, i.number from issue i join project p on p.id = i.project where i.id = :id", id=ident
    )
    return f"{found['key']}-{found['number']}" if found is not None else f"issue:{ident}"


ISSUES = CopiedIssues(home=__name__, pick=_pick, copy=_copy, key=_key_of)
