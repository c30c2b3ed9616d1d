"""What GitLab calls projects, issues and people in its answers, and what they are called in records."""

import re

from kbwork.modules.imports.sources.collector import RecordCollector
from kbwork.modules.imports.sources.github_archive import NOBODY
from kbwork.modules.imports.sources.parse.document import SourceValue

MOST_NUMBER = 2**31 - 1
_MOST_ADDRESS = 1_000
_FULL = re.compile(r"([^#!\s]+)[#!]\d{1,10}\Z")
_WEB = re.compile(r"(https?://[^/]+/(.+?))/(?:-/)?(?:issues|work_items|merge_requests)/\d{1,10}\Z")
_API = re.compile(r".*/projects/(\d{1,18})/issues/(\d{1,10})\Z")


class GitLabNames:
    """Of one file. `place` is the project where nothing in it says which."""

    def __init__(self, place: str, into: RecordCollector) -> None:
        self._place = place
        self._into = into
        self._ids: dict[int, str] = {}
        """GitLab's number of a project -> its id in records."""
        self._home: str | None = None
        self._web: str | None = None

    def project(self, about: SourceValue) -> None:
        """What is said of a project itself."""
        path = about.text("path_with_namespace")
        id = self._into.project(f"gitlab:{path}", path, description=about.text_or("description") or "")
        self._home = self._home or id
        self._web = self._web or about.text_or("web_url")
        if (number := about.whole_or("id")) is not None:
            self._ids.setdefault(number, id)

    def learn(self, node: SourceValue) -> None:
        """Take down whose an issue or merge request is."""
        path, web = self._path(node)
        id = self._into.project(f"gitlab:{path}", path)
        self._home = self._home or id
        self._web = self._web or web
        if (number := node.whole_or("project_id")) is not None:
            self._ids.setdefault(number, id)

    def project_of(self, node: SourceValue) -> str:
        """The project of an issue or merge request that was learned."""
        number = node.whole_or("project_id")
        if number is not None:
            return self._ids[number]
        path = self._path(node)[0]
        return self._into.project(f"gitlab:{path}", path)

    def home(self) -> str:
        """The project that the file is of, or the first where it is of several."""
        if self._home is None:
            self._home = self._into.project(f"gitlab:{self._place}", self._place)
        return self._home

    def web(self) -> str | None:
        """Where people find that project."""
        return self._web

    def issue(self, node: SourceValue) -> str:
        """The id of an issue, be it of a project that is not in the file."""
        number = node.whole_or("project_id")
        known = self._ids.get(number) if number is not None else None
        return f"{known or f'gitlab:{self._path(node)[0]}'}#{node.whole('iid', MOST_NUMBER)}"

    def of(self, node: SourceValue, number: int, mark: str) -> str:
        """The id of what a note is on that has a number in the same project."""
        project = node.whole_or("project_id")
        known = self._ids.get(project) if project is not None else None
        return f"{known or self.home()}{mark}{number}"

    def at(self, address: str) -> str | None:
        """The id of an issue by its address in the interface; None where its project is not known."""
        found = _API.match(address[:_MOST_ADDRESS])
        project = self._ids.get(int(found[1])) if found else None
        return f"{project}#{int(found[2])}" if found and project else None

    def _path(self, node: SourceValue) -> tuple[str, str | None]:
        """(path of its project, address of that) of an issue or merge request."""
        web = _WEB.match((node.text_or("web_url") or "")[:_MOST_ADDRESS])
        full = node.node_or("references")
        said = _FULL.match((full.text_or("full") or "")[:_MOST_ADDRESS]) if full else None
        path = said[1] if said else web[2] if web else self._place
        return path, web[1] if web else None


def person(node: SourceValue, name: str, into: RecordCollector) -> str:
    """Somebody whom a member names, or who is the node itself: under the name by which they sign in."""
    who = node.node_or(name) if name else node
    if who is None:
        return NOBODY
    handle = who.text("username")
    return into.person(handle, who.place, who.text_or("name"), handle) or NOBODY
