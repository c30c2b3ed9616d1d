"""GitHub: the archive file, or what its REST interface answers, told apart by content.

The answers are a list of issues as `/repos/o/r/issues` gives them (or a list of such pages), or an object of such
lists under `issues`, `comments`, `labels`, `reviews` and `review_comments`.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kbwork.modules.imports.records import Outcome
from kbwork.modules.imports.sources import github_archive
from kbwork.modules.imports.sources.collector import RecordCollector
from kbwork.modules.imports.sources.github_archive import NOBODY, place_of
from kbwork.modules.imports.sources.parse import json_file, words
from kbwork.modules.imports.sources.parse.document import SourceValue, flat
from kbwork.modules.imports.sources.refusal import SourceRefused

_MOST_NUMBER = 2**31 - 1
_MOST_ADDRESS = 1_000
_REPO = re.compile(r"https?://[^/]+/(?:api/v3/)?(?:repos/)?([^/]+/[^/]+)(?:/.*)?\Z")
_ISSUE = re.compile(r".*/(?:issues|pulls?)/(\d{1,10})(?:[#?].*)?\Z")
_REVIEWED = {
    "approved": "**Approved**",
    "changes_requested": "**Changes requested**",
    "dismissed": "**Review dismissed**",
}


def read(path: Path, place: str, into: RecordCollector) -> None:
    """`place` is the repository where the answers do not name it. Raises SourceRefused."""
    document = json_file.read(path, "GitHub")
    if github_archive.is_one(document):
        github_archive.read(document, into)
    elif isinstance(document, dict) and "magic" in document:
        raise SourceRefused(
            f"magic should be {github_archive.MAGIC!r}, by which a GitHub archive is known: this is another file"
        )
    else:
        _Answers(SourceValue(document, ""), place, into).read()


class _Answers:
    """The answers of the REST interface."""

    def __init__(self, root: SourceValue, place: str, into: RecordCollector) -> None:
        self._root = root
        self._place = place
        self._into = into
        self._threads: dict[str, str | None] = {}
        """Comment on a line -> the comment that its thread hangs on."""
        self._counted: dict[str, tuple[int, str]] = {}
        """Issue -> how many comments GitHub counts on it that were not read yet, and where it says so."""

    def read(self) -> None:
        if isinstance(self._root.value, list):
            self._issues(self._root)
        else:
            self._lists()
        for missing, place in self._counted.values():
            if missing > 0:
                self._into.lose("comments that issues count are not in the file", place, missing)

    def _lists(self) -> None:
        if not isinstance(self._root.value, dict) or "issues" not in self._root.value:
            raise SourceRefused(
                "the file is neither a GitHub archive nor a list of issues nor an object with a list `issues`"
            )
        self._issues(SourceValue(self._root.value["issues"], "issues"))
        for label in self._list("labels"):
            self._label(label)
        for name, take in (
            ("comments", self._comment),
            ("reviews", self._review),
            ("review_comments", self._line),
        ):
            for node in self._list(name):
                take(node)

    def _list(self, name: str) -> Iterator[SourceValue]:
        if self._root.has(name):
            yield from flat(SourceValue(self._root.value[name], name))

    def _issues(self, all_: SourceValue) -> None:
        """In the order of their numbers; one that is on two pages is taken once."""
        nodes: dict[tuple[str, int], SourceValue] = {}
        for node in flat(all_):
            number = node.whole("number", _MOST_NUMBER)
            if not number:
                raise node.refuse("number", "should be 1 or more")
            found = nodes.setdefault((self._project(node), number), node)
            if found is not node:
                self._into.lose("issues that are in the file twice are taken once", node.place)
        for (project, number), node in sorted(nodes.items()):
            self._issue(node, project, number)

    def _project(self, node: SourceValue) -> str:
        for name in ("repository_url", "url", "html_url"):
            text = node.text_or(name)
            if text and (found := _REPO.match(text[:_MOST_ADDRESS])):
                return self._into.project(f"github:{found[1]}", found[1])
        return self._into.project(f"github:{self._place}", self._place)

    def _issue(self, node: SourceValue, project: str, number: int) -> None:
        pull = node.node_or("pull_request")
        status, outcome = _state(node, pull)
        if outcome is not None and pull is not None and not _says_merge(pull):
            self._into.lose(
                "closed pull requests of which the file does not say whether they were merged are taken for done",
                node.place,
            )
        counted = node.value.get("comments")
        if isinstance(counted, int) and 0 < counted <= _MOST_NUMBER:
            self._counted[f"{project}#{number}"] = (counted, node.place)
        for label in node.items_or("labels"):
            self._label(label, project)
        labels = [_name(label) for label in node.items_or("labels")]
        if milestone := node.node_or("milestone"):
            self._into.lose(
                "milestones are kept as labels, such as milestone:1.0, without their days", node.place
            )
            labels.append(words.milestone(milestone.text("title")))
        self._into.issue(
            node.place,
            id=f"{project}#{number}",
            project=project,
            number=number,
            type="pull-request" if pull else "issue",
            title=node.text("title"),
            body=node.text_or("body") or "",
            author=_user(node),
            status=status,
            done=outcome is not None,
            outcome=outcome,
            assignees=[who.text("login") for who in node.items_or("assignees")],
            labels=labels,
            created_at=node.time("created_at"),
            updated_at=node.time_or("updated_at"),
            done_at=node.time_or("closed_at"),
            url=node.text_or("html_url"),
        )

    def _label(self, node: SourceValue, project: str | None = None) -> None:
        project = project or self._project(node)
        if isinstance(node.value, str):
            self._into.label(project, node.value, node.place)
        else:
            self._into.label(
                project, node.text("name"), node.place, node.text_or("color"), node.text_or("description")
            )

    def _comment(self, node: SourceValue) -> None:
        issue = self._of(node, "issue_url")
        if issue is None:
            return
        id = f"{issue}/comment/{node.whole('id')}"
        if issue in self._counted and not self._into.knows(id):
            missing, place = self._counted[issue]
            self._counted[issue] = (missing - 1, place)
        self._add(node, issue, id, body=node.text_or("body") or "", created_at=node.time("created_at"))

    def _review(self, node: SourceValue) -> None:
        issue = self._of(node, "pull_request_url")
        if issue is None:
            return
        head = _REVIEWED.get(node.text("state").lower(), "")
        body = node.text_or("body") or ""
        text = "\n\n".join(part for part in (head, body) if part) or "**Reviewed**"
        id = f"{issue}/review/{node.whole('id')}"
        self._add(node, issue, id, body=text, created_at=node.time_or("submitted_at"))

    def _line(self, node: SourceValue) -> None:
        """A reply in the thread that it answers, else to its review, where that is in the file."""
        issue = self._of(node, "pull_request_url")
        if issue is None:
            return
        review, first = node.whole_or("pull_request_review_id"), node.whole_or("in_reply_to_id")
        where = place_of(node.text_or("path"), node.whole_or("line") or node.whole_or("original_line"))
        body = node.text_or("body") or ""
        id = f"{issue}/line/{node.whole('id')}"
        begun = f"{issue}/line/{first}"
        parent: str | None
        if self._into.knows(begun):
            parent = self._threads.get(begun) or begun
        else:
            parent = f"{issue}/review/{review}" if self._into.knows(f"{issue}/review/{review}") else None
        self._threads[id] = parent
        body = f"{where}\n\n{body}" if where and not first else body
        self._add(node, issue, id, body=body, created_at=node.time("created_at"), parent=parent)

    def _of(self, node: SourceValue, name: str) -> str | None:
        """The id of the issue that a member names by its address; None, and a loss, for one that is not in the file."""
        address = node.text(name)[:_MOST_ADDRESS]
        found = _ISSUE.match(address)
        if found is None:
            raise node.refuse(name, "should be the address of an issue, such as .../issues/5")
        repo = _REPO.match(address)
        id = f"github:{repo[1] if repo else self._place}#{int(found[1])}"
        if self._into.knows_issue(id):
            return id
        self._into.lose("comments on issues that are not in the file are left out", node.place)
        return None

    def _add(self, node: SourceValue, issue: str, id: str, **said: Any) -> None:
        if self._into.knows(id):
            self._into.lose("comments that are in the file twice are taken once", node.place)
            return
        about = {"author": _user(node), "updated_at": node.time_or("updated_at")}
        self._into.comment(node.place, id=id, issue=issue, **about, **said)


def _user(node: SourceValue) -> str:
    user = node.node_or("user")
    return user.text("login") if user else NOBODY


def _name(label: SourceValue) -> str:
    return label.value if isinstance(label.value, str) else label.text("name")


def _state(node: SourceValue, pull: SourceValue | None) -> tuple[str, Outcome | None]:
    state = node.text("state")
    if state == "open":
        return "open", None
    if state != "closed":
        raise node.refuse("state", "should be open or closed")
    if pull is not None:
        if not _says_merge(pull):
            return "closed", "completed"
        return ("merged", "completed") if pull.has("merged_at") else ("closed", "cancelled")
    reason = node.text_or("state_reason")
    if reason == "not_planned":
        return "closed", "cancelled"
    return "closed", "duplicate" if reason == "duplicate" else "completed"


def _says_merge(pull: SourceValue) -> bool:
    """Whether it is said when it was merged, or that it was not; older files say neither."""
    return "merged_at" in pull.value
