"""Bringing an archive in: project, type and labels are made where they are missing, then issues with their comments."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kbwork.cli.archive import Archive, Comment, Item
from kbwork.contract.client.problem import KbworkProblem
from kbwork.contract.client.sdk import Client

_PULL = {"key": "pull-request", "name": "Pull request", "icon": "git-pull-request"}
_AT_ONCE = 50


class ImportRefused(Exception):
    """The key may not import; one line with what to do."""


@dataclass
class Report:
    """What one run brought."""

    project: str
    issues: int = 0
    pulls: int = 0
    comments: int = 0
    known: int = 0

    def __str__(self) -> str:
        return (
            f"{self.project}: {self.issues} issues, {self.pulls} pull requests and {self.comments} comments"
            f" brought in; {self.known} issues and pull requests were there already"
        )


class Bring:
    """One import into one project. What was brought before is known by its id at the source."""

    def __init__(self, client: Client, project: str, tell: Callable[[int], None]) -> None:
        self._client = client
        self._project = project.upper()
        self._tell = tell

    def run(self, archive: Archive) -> Report:
        """Raises KbworkProblem where the server refuses; what was committed stays, and a second run goes on."""
        report = Report(self._project)
        self._require_admin()
        self._prepare(archive)
        known = self._known()
        for start in range(0, len(archive.items), _AT_ONCE):
            items = archive.items[start : start + _AT_ONCE]
            keys = self._issues(items, known, report)
            self._comments(items, keys, set(known), report)
            self._tell(len(items))
        return report

    def _require_admin(self) -> None:
        """Refused before anything is made. Raises ImportRefused."""
        me = self._client.call("auth.me", {})
        if "admin" not in me["scopes"]:
            raise ImportRefused(
                "An import keeps authors and times, which needs the scope admin: make a key with everything"
                " on the page /keys and pass it with --key-file."
            )

    def _prepare(self, archive: Archive) -> None:
        try:
            self._client.call("projects.get", {"key": self._project})
        except KbworkProblem as problem:
            if problem.slug != "not-found":
                raise
            self._client.call(
                "projects.create", {"key": self._project, "name": archive.repo or self._project}
            )
        if any(item.pull for item in archive.items):
            self._prepare_pulls()
        self._prepare_labels(archive)

    def _prepare_pulls(self) -> None:
        types = self._client.call("types.list", {})
        if _PULL["key"] not in [found["key"] for found in types]:
            self._client.call("types.save", dict(_PULL))
        own = [found["key"] for found in self._client.call("types.list", {"project": self._project})]
        if _PULL["key"] not in own:
            self._client.call("types.projects_set", {"project": self._project, "types": [*own, _PULL["key"]]})

    def _prepare_labels(self, archive: Archive) -> None:
        """Labels of the archive and of its issues, as labels of the project."""
        there = {
            label["name"].lower() for label in self._client.call("labels.list", {"project": self._project})
        }
        wanted: dict[str, dict[str, Any]] = {name: dict(about) for name, about in archive.labels.items()}
        for item in archive.items:
            for name in item.labels:
                wanted.setdefault(name, {})
        calls = []
        for name, about in wanted.items():
            if name.lower() in there:
                continue
            there.add(name.lower())
            color = "#" + about["color"] if about.get("color") else None
            made = {
                "name": name,
                "project": self._project,
                "color": color,
                "description": about.get("description"),
            }
            calls.append({"op": "labels.save", "input": made})
        for start in range(0, len(calls), _AT_ONCE):
            self._client.call("api.batch", {"ops": calls[start : start + _AT_ONCE]})

    def _known(self) -> dict[str, str]:
        """Id at the source -> key of what is there already."""
        rows = self._client.every("issues.list", project=self._project, archived=True, limit=200)
        return {row["external"]: row["key"] for row in rows if row["external"]}

    def _issues(self, items: list[Item], known: dict[str, str], report: Report) -> dict[str, str]:
        """Make those that are new; answers the keys of all by their id at the source."""
        keys = {item.external: known[item.external] for item in items if item.external in known}
        new = [item for item in items if item.external not in keys]
        report.known += len(keys)
        if new:
            calls = [{"op": "issues.create", "input": self._input(item)} for item in new]
            answers = self._client.call("api.batch", {"ops": calls})["results"]
            for item, answer in zip(new, answers, strict=True):
                keys[item.external] = answer["key"]
                report.pulls += item.pull
                report.issues += not item.pull
        return keys

    def _input(self, item: Item) -> dict[str, Any]:
        return {
            "project": self._project,
            "title": " ".join(item.title.split())[:500] or "(no title)",
            "body": item.body.replace("\0", ""),
            "type": _PULL["key"] if item.pull else None,
            "status": item.lane,
            "labels": item.labels,
            "assignees": item.assignees[:20],
            "source": item.url,
            "external": item.external,
            "imported": {
                "author": item.author,
                "number": item.number,
                "created_at": item.created_at,
                "updated_at": item.updated_at,
                "done_at": item.closed_at if item.outcome else None,
                "outcome": item.outcome,
            },
        }

    def _comments(self, items: list[Item], keys: dict[str, str], known: set[str], report: Report) -> None:
        """Bring in the comments; those that are there already answer as they are."""
        calls = []
        there: set[int] = set()
        for item in items:
            key = keys[item.external]
            calls += [self._comment(key, comment) for comment in item.comments]
            if item.comments and item.external in known:
                there.update(
                    found["id"] for found in self._client.call("comments.list", {"subject": f"issue:{key}"})
                )
        for start in range(0, len(calls), _AT_ONCE):
            part = calls[start : start + _AT_ONCE]
            answers = self._client.call("api.batch", {"ops": part})["results"]
            report.comments += len({answer["id"] for answer in answers} - there)

    def _comment(self, key: str, comment: Comment) -> dict[str, Any]:
        return {
            "op": "comments.import",
            "input": {
                "subject": f"issue:{key}",
                "author": comment.author,
                "body": comment.body.replace("\0", ""),
                "created_at": comment.created_at,
                "external": comment.external,
            },
        }
