"""GitLab: what its REST interface (v4) answers about a project.

A list of issues as `/projects/ID/issues` gives them, or an object with lists under `issues`, `merge_requests`,
`labels` and `milestones`, and the `project`; or a list of such objects. One that has `discussions`, `notes` or `links`
says as `issue` or `merge_request` whose they are. A list may be a list of pages.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kbwork.base.text import folded
from kbwork.modules.imports.records import Outcome
from kbwork.modules.imports.sources.collector import RecordCollector
from kbwork.modules.imports.sources.gitlab_discussions import DiscussionReader
from kbwork.modules.imports.sources.gitlab_names import MOST_NUMBER, GitLabNames, person
from kbwork.modules.imports.sources.parse import json_file, words
from kbwork.modules.imports.sources.parse.document import SourceValue, flat
from kbwork.modules.imports.sources.refusal import SourceRefused

_UPLOAD = re.compile(r"\]\((/uploads/[0-9a-f]{32}/)")
_NOT_TAKEN = (
    ("epic", "in which epics issues are is left out"),
    ("iteration", "in which iterations issues are is left out"),
    ("upvotes", "thumbs up and down are left out"),
    ("downvotes", "thumbs up and down are left out"),
    ("discussion_locked", "locked discussions are open here"),
    ("moved_to_id", "issues that moved on are closed here, and where they went is left out"),
    ("service_desk_reply_to", "who wrote by the service desk is known as GitLab's bot alone"),
)
"""Members of an issue that say something when they are neither empty nor 0, and what is lost of them."""


def read(path: Path, place: str, into: RecordCollector) -> None:
    """`place` is the project where the answers do not name it. Raises SourceRefused."""
    _Answers(SourceValue(json_file.read(path, "GitLab"), ""), place, into).read()


def _parts(root: SourceValue) -> list[SourceValue]:
    """The objects of lists that a document is."""
    if isinstance(root.value, list):
        first = root.value[0] if root.value else []
        if not isinstance(first, dict) or "iid" in first:
            return [SourceValue({"issues": root.value}, root.place)]
        parts = list(root.items())
    else:
        parts = [root]
    if not any(
        isinstance(one.value, dict) and {"issues", "merge_requests"} & one.value.keys() for one in parts
    ):
        raise SourceRefused("the file is neither a list of issues nor an object with a list `issues`")
    return parts


class _Answers:
    def __init__(self, root: SourceValue, place: str, into: RecordCollector) -> None:
        self._parts = _parts(root)
        self._alone = isinstance(root.value, list) and self._parts[0].place == root.place
        self._into = into
        self._names = GitLabNames(place, into)
        self._talk = DiscussionReader(self._names, self._text, into)
        self._groups: dict[str, SourceValue] = {}
        """Labels of groups, by their folded names: only those come that something carries."""

    def read(self) -> None:
        for part in self._parts:
            if about := part.node_or("project"):
                self._names.project(about)
        issues, merges = list(self._each("issues")), list(self._each("merge_requests"))
        for node in (*issues, *merges):
            self._names.learn(node)
        for label in self._each("labels"):
            self._label(label)
        for milestone in self._each("milestones"):
            self._milestone(milestone, self._names.home())
        for mark, nodes in (("#", issues), ("!", merges)):
            for project, number, node in self._ordered(nodes, mark):
                self._issue(node, project, number, mark)
        self._talk.read(self._parts)

    def _each(self, name: str) -> Iterator[SourceValue]:
        for part in self._parts:
            if part.has(name):
                place = part.place if self._alone else f"{part.place}.{name}".lstrip(".")
                yield from flat(SourceValue(part.value[name], place))

    def _ordered(self, nodes: list[SourceValue], mark: str) -> list[tuple[str, int, SourceValue]]:
        """In the order of their numbers; one that is on two pages is taken once."""
        found: dict[tuple[str, int], SourceValue] = {}
        for node in nodes:
            number = node.whole("iid", MOST_NUMBER)
            if not number:
                raise node.refuse("iid", "should be 1 or more")
            if found.setdefault((self._names.project_of(node), number), node) is not node:
                what = "issues" if mark == "#" else "merge requests"
                self._into.lose(f"{what} that are in the file twice are taken once", node.place)
        return [(*key, node) for key, node in sorted(found.items(), key=lambda item: item[0])]

    # -- labels -------------------------------------------------------------------------------------------

    def _label(self, node: SourceValue) -> None:
        name = node.text("name")
        if node.value.get("is_project_label") is False:
            self._groups.setdefault(folded(name), node)
            return
        about = (node.text_or("color"), node.text_or("description"))
        self._into.label(self._names.home(), name, node.place, *about)

    def _label_of(self, project: str, label: SourceValue) -> str:
        """A label that something carries: its name, or, where they were asked for so, all of it."""
        whole = label if isinstance(label.value, dict) else None
        name = whole.text("name") if whole else label.line()
        known = whole or self._groups.get(folded(name))
        about = (known.text_or("color"), known.text_or("description")) if known else ()
        self._into.label(project, name, label.place, *about)
        return name

    def _milestone(self, node: SourceValue, project: str) -> str:
        name = words.milestone(node.text("title"))
        days = [
            f"{word} {day}."
            for word, day in (("Starts", node.day_or("start_date")), ("Due", node.day_or("due_date")))
            if day
        ]
        about = "\n\n".join(part for part in (" ".join(days), node.text_or("description") or "") if part)
        self._into.label(project, name, node.place, None, about or None)
        self._into.lose(
            "milestones are kept as labels, such as milestone:1.0; their days stand in what the label says",
            node.place,
        )
        return name

    # -- issues -------------------------------------------------------------------------------------------

    def _issue(self, node: SourceValue, project: str, number: int, mark: str) -> None:
        id = f"{project}{mark}{number}"
        status, outcome = _state(node, merge=mark == "!")
        labels = [self._label_of(project, label) for label in node.items_or("labels")]
        if milestone := node.node_or("milestone"):
            labels.append(self._milestone(milestone, project))
        self._lose(node)
        self._talk.counted(id, node)
        about = self._of_merge(node) if mark == "!" else self._of_issue(node, number)
        self._into.issue(
            node.place,
            id=id,
            project=project,
            title=node.text("title"),
            body=self._text(node.text_or("description") or "", node),
            author=person(node, "author", self._into),
            status=status,
            done=outcome is not None,
            outcome=outcome,
            assignees=[person(who, "", self._into) for who in node.items_or("assignees")],
            labels=labels,
            created_at=node.time("created_at"),
            updated_at=node.time_or("updated_at"),
            done_at=node.time_or("merged_at") or node.time_or("closed_at"),
            url=node.text_or("web_url"),
            **about,
        )

    def _of_issue(self, node: SourceValue, number: int) -> dict[str, Any]:
        """What issues alone have. Times of work are in seconds, as own fields of the kind `duration` take them."""
        times = node.node_or("time_stats")
        weight = node.whole_or("weight", 10**9)
        severity = node.text_or("severity")
        private = node.value.get("confidential") is True
        if private:
            self._into.lose(
                "confidential issues are private: reporter, assignees and leads of the project see them",
                node.place,
            )
        return {
            "number": number,
            "type": (node.text_or("issue_type") or "issue").lower(),
            "estimate": None if weight is None else float(weight),
            "start_date": node.day_or("start_date"),
            "due_date": node.day_or("due_date"),
            "private": private,
            "values": {
                "Time estimate": (times.whole_or("time_estimate") if times else None) or None,
                "Time spent": (times.whole_or("total_time_spent") if times else None) or None,
                "Severity": None if severity == "UNKNOWN" else severity,
                "Health": node.text_or("health_status"),
            },
        }

    def _of_merge(self, node: SourceValue) -> dict[str, Any]:
        """What merge requests alone have. Their numbers are not those of issues: they take the next ones."""
        by = "merge_user" if node.has("merge_user") else "merged_by"
        return {
            "type": "pull-request",
            "private": False,
            "values": {
                "Base branch": node.text_or("target_branch"),
                "Head branch": node.text_or("source_branch"),
                "Merged by": person(node, by, self._into) if node.has(by) else None,
                "Merge commit": node.text_or("merge_commit_sha"),
                "Reviewers": [person(who, "", self._into) for who in node.items_or("reviewers")],
            },
        }

    def _lose(self, node: SourceValue) -> None:
        for name, what in _NOT_TAKEN:
            if node.value.get(name):
                self._into.lose(what, node.place)

    def _text(self, text: str, node: SourceValue) -> str:
        """A text whose files are named by their whole address: here `/uploads` would be another place."""
        web = self._names.web()
        if web is None or "/uploads/" not in text:
            return text
        told, count = _UPLOAD.subn(lambda found: f"]({web}{found[1]}", text)
        if count:
            self._into.lose("files in texts stay at GitLab, where the texts lead", node.place, count)
        return told


def _state(node: SourceValue, *, merge: bool) -> tuple[str, Outcome | None]:
    state = node.text("state")
    if state in {"opened", "reopened", "locked"}:
        return "open", None
    if state == "merged" and merge:
        return "merged", "completed"
    if state != "closed":
        raise node.refuse("state", f"should be opened, closed{' or merged' if merge else ''}")
    links = node.node_or("_links")
    if merge or node.has("moved_to_id"):
        return "closed", "cancelled"
    return "closed", "duplicate" if links and links.has("closed_as_duplicate_of") else "completed"
