"""The archive in which working groups keep the issues and pull requests of a GitHub repository."""

from collections import Counter
from typing import Any

from kbwork.modules.imports.records import Outcome
from kbwork.modules.imports.sources.collector import RecordCollector
from kbwork.modules.imports.sources.parse.document import SourceValue

MAGIC = "E!vIA5L86J2I"
NOBODY = "ghost"
"""Whom GitHub shows for an account that is gone."""
_MOST_NUMBER = 2**31 - 1
_REVIEWED = {
    "APPROVED": "**Approved**",
    "CHANGES_REQUESTED": "**Changes requested**",
    "DISMISSED": "**Review dismissed**",
}
_SAID = "**Reviewed**"


def is_one(document: Any) -> bool:
    return isinstance(document, dict) and document.get("magic") == MAGIC


def read(document: Any, into: RecordCollector) -> None:
    """Raises SourceRefused with the place of whatever does not fit."""
    root = SourceValue(document, "")
    repo = into.line(root.text("repo"), "repo")
    if not repo:
        raise root.refuse("repo", "should be owner/name")
    project = into.project(f"github:{repo}", repo)
    for label in root.items("labels"):
        into.label(
            project, label.text("name"), label.place, label.text_or("color"), label.text_or("description")
        )
    items = [
        *((_number(node), "issue", node) for node in root.items("issues")),
        *((_number(node), "pull-request", node) for node in root.items("pulls")),
    ]
    for _, kind, node in sorted(items, key=lambda item: item[0]):
        _Issue(node, project, into).read(kind)


def _number(node: SourceValue) -> int:
    return node.whole("number", _MOST_NUMBER)


def by(node: SourceValue) -> str:
    """Who wrote it."""
    return node.text_or("author") or NOBODY


class _Issue:
    """An issue or pull request with all that hangs on it."""

    def __init__(self, node: SourceValue, project: str, into: RecordCollector) -> None:
        self._node = node
        self._into = into
        self._project = project
        self._id = f"{project}#{_number(node)}"
        self._same: Counter[str] = Counter()

    def read(self, kind: str) -> None:
        node = self._node
        state, outcome = self._state(kind)
        if node.has("authorAssociation"):
            self._into.lose("how authors stand to the repository (authorAssociation) is left out", node.place)
        self._into.issue(
            node.place,
            id=self._id,
            project=self._project,
            number=_number(node),
            type=kind,
            title=node.text("title"),
            body=node.text_or("body") or "",
            author=by(node),
            status=state,
            done=outcome is not None,
            outcome=outcome,
            assignees=[who.line() for who in node.items("assignees")],
            labels=[label.line() for label in node.items("labels")],
            created_at=node.time("createdAt"),
            updated_at=node.time("updatedAt"),
            done_at=node.time_or("closedAt") or node.time_or("mergedAt"),
            url=node.text("url"),
            values=self._values() if kind == "pull-request" else {},
        )
        for comment in node.items("comments"):
            self._comment(comment)
        if kind == "pull-request":
            for review in node.items("reviews"):
                self._review(review)

    def _state(self, kind: str) -> tuple[str, Outcome | None]:
        state = self._node.text("state")
        if state == "OPEN":
            return "open", None
        if state == "MERGED" and kind == "pull-request":
            return "merged", "completed"
        if state == "CLOSED":
            return "closed", "cancelled" if kind == "pull-request" else "completed"
        raise self._node.refuse("state", "should be OPEN, CLOSED or, of a pull request, MERGED")

    def _values(self) -> dict[str, str | None]:
        commit = self._node.node_or("mergeCommit")
        return {
            "Base branch": self._node.text_or("baseRefName"),
            "Head branch": self._node.text_or("headRefName"),
            "Head repository": self._node.text_or("headRepository"),
            "Merged by": self._node.text_or("mergedBy"),
            "Merge commit": commit.text_or("oid") if commit else None,
        }

    def _comment(self, node: SourceValue) -> None:
        created_at = node.time("createdAt")
        self._into.comment(
            node.place,
            id=self._once(f"{self._id}/comment/{created_at}-{by(node)}"),
            issue=self._id,
            author=by(node),
            body=node.text("body"),
            created_at=created_at,
            updated_at=node.time_or("updatedAt"),
        )

    def _review(self, node: SourceValue) -> None:
        """A comment that begins with what the review decided; what it says about lines are replies to it."""
        id = f"{self._id}/review/{node.text('id')}"
        if node.has("commit"):
            self._into.lose("the commits that reviews were about are left out", node.place)
        head = _REVIEWED.get(node.text("state"), "")
        body = node.text_or("body") or ""
        self._into.comment(
            node.place,
            id=id,
            issue=self._id,
            author=by(node),
            body="\n\n".join(part for part in (head, body) if part) or _SAID,
            created_at=node.time("createdAt"),
            updated_at=node.time_or("updatedAt"),
        )
        for comment in node.items("comments"):
            self._line(comment, id, by(node))

    def _line(self, node: SourceValue, review: str, author: str) -> None:
        created_at = node.time("createdAt")
        where = place_of(
            node.text_or("path"),
            node.whole_or("line") or node.whole_or("originalLine"),
            node.whole_or("originalPosition"),
        )
        self._into.comment(
            node.place,
            id=self._once(f"{review}/comment/{created_at}-{node.whole_or('originalPosition') or 0}"),
            issue=self._id,
            parent=review,
            author=node.text_or("author") or author,
            body=f"{where}\n\n{node.text('body')}" if where else node.text("body"),
            created_at=created_at,
            updated_at=node.time_or("updatedAt"),
        )

    def _once(self, id: str) -> str:
        """Comments have no ids there: theirs are time and author, with a number where that is not enough."""
        self._same[id] += 1
        return id if self._same[id] == 1 else f"{id}-{self._same[id]}"


def place_of(path: str | None, line: int | None, position: int | None = None) -> str:
    """What a comment on a change is about, as a first line; empty where nothing says so."""
    file = f"`{path.replace('`', '')}`" if path else ""
    if line:
        return f"{file}, line {line}:" if file else f"Line {line}:"
    if position:
        return f"{file}, position {position} of the diff:" if file else f"Position {position} of the diff:"
    return f"{file}:" if file else ""
