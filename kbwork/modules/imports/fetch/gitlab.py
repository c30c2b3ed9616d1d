"""GitLab's REST interface (v4): what of a project is asked for, page by page, and what an answer means.

Comments and links are asked for of each issue, behind the page that it is on: so a step has little to remember.
"""

import json
import re
from urllib.parse import quote, urlsplit

from kbwork.base.errors import InvalidInput
from kbwork.core.operations.external import FetchedPage
from kbwork.modules.imports.fetch import service
from kbwork.modules.imports.fetch.page_content import PageContent
from kbwork.modules.imports.fetch.service import FetchedService, ListPlace, Of

PUBLIC = "https://gitlab.com"
_NAME = re.compile(r"(?:[A-Za-z0-9_][\w.-]{0,254}/){1,30}[A-Za-z0-9_][\w.-]{0,254}\Z", re.ASCII)
_KEYSET = "&pagination=keyset"
_KEPT = ("id", "path_with_namespace", "description", "web_url")
"""What the file says of the project. The answer to one of its maintainers has secrets, too."""
_LISTED = "scope=all&state=all&order_by=created_at&sort=asc&per_page=100"
_THINGS = {"issues": ("issue", "#"), "merge_requests": ("merge_request", "!")}
_RIGHTS = "a token with the scope read_api of somebody who sees all its issues"


class GitLab(FetchedService):
    name = "GitLab"
    parts = (
        ("labels", "labels?per_page=100"),
        ("milestones", "milestones?per_page=100"),
        ("issues", f"issues?{_LISTED}{_KEYSET}"),
        ("merge_requests", f"merge_requests?{_LISTED}"),
    )
    most_pages = 200_000
    """Each issue has one or two of its own."""
    left, reset = "ratelimit-remaining", "ratelimit-reset"
    left_out = "Approvals of merge requests, reactions, time entries, watchers and histories are not fetched."

    def place(self, repository: str, base_url: str | None, token: str | None) -> dict[str, str]:
        if not _NAME.match(repository):
            raise InvalidInput(
                "Write the project with its groups as group/subgroup/project, such as acme/web/shop.",
                field="repository",
            )
        base = (base_url or PUBLIC).rstrip("/").removesuffix("/api/v4")
        service.require_base(base, "https://gitlab.example.com, the address at which people open GitLab")
        service.require_token(token, self.name)
        return service.placed(repository, base, token)

    def home(self, at: dict[str, str]) -> str:
        return f"{urlsplit(at['base_url']).path}/api/v4/projects/{quote(at['repository'], safe='')}"

    def headers(self, at: dict[str, str]) -> dict[str, str]:
        return {"PRIVATE-TOKEN": at["token"]} if "token" in at else {}

    def opening(self, page: FetchedPage) -> bytes:
        found = self.about(page, "path_with_namespace")
        kept = {name: found[name] for name in _KEPT if name in found}
        return b"[" + json.dumps({"project": kept}).encode()

    def frame(self, at: ListPlace, *, last: bool) -> tuple[bytes, bytes]:
        """A list of objects, each with one page, and with the number of what that hangs on."""
        part = self.parts[at.part][0]
        said = f'"{_THINGS[part][0]}":{at.of[1]},"{at.of[0]}"' if at.of else f'"{part}"'
        return f",\n{{{said}:".encode(), b"}]" if last else b"}"

    def hanging(self, part: int, content: PageContent) -> list[Of]:
        name = self.parts[part][0]
        if name not in _THINGS:
            return []
        return [
            (kind, number)
            for number, comments in content["numbered"]
            for kind in (("discussions",) if comments else ()) + (("links",) if name == "issues" else ())
        ]

    def first_of(self, at: dict[str, str], part: int, of: Of) -> str:
        return f"{self.home(at)}/{self.parts[part][0]}/{of[1]}/{of[0]}?per_page=100"

    def told(self, counts: dict[str, int]) -> str:
        issues, merges = counts.get("issues", 0), counts.get("merge_requests", 0)
        return f"Fetched {issues:,} issues and {merges:,} merge requests"

    def instead(self, page: FetchedPage, path: str) -> str | None:
        """Servers of some years ago page issues by numbers alone."""
        return path.replace(_KEYSET, "") if page.status == 405 and _KEYSET in path else None

    def lacking(self, page: FetchedPage, place: ListPlace) -> str | None:
        part = self.parts[place.part][0]
        if place.of is not None and page.status == 404:
            return f"{_THINGS[part][1]}{place.of[1]}: its {place.of[0]} are not there (404): it was deleted meanwhile."
        if place.of is None and place.begins and part != "issues" and page.status in (403, 404):
            return (
                f"The {part.replace('_', ' ')} are not shown ({page.status}) and left out: they are switched off, or"
                " whoever the token is of may not see them."
            )
        return None

    def refusal(self, status: int, at: dict[str, str], of: Of | None) -> str:
        name, given = at["repository"], "token" in at
        if status == 401 and not given:
            what = "comments and links" if of else name
            return (
                f"GitLab shows {what} to whoever signs in alone (401): open the import anew with {_RIGHTS}."
            )
        if status == 401:
            return f"GitLab does not take the token (401): open the import anew with {_RIGHTS}, which is still good."
        if status == 403:
            return f"GitLab does not show {name} (403): open the import anew with {_RIGHTS}."
        if status == 404:
            mend = f"that the token is {_RIGHTS[2:]}" if given else f"where it is private, give {_RIGHTS}"
            return (
                f"There is no project {name} that may be read (404): check the path with all its groups, and"
                f" {mend}."
            )
        if 300 <= status < 400:
            return f"{name} was renamed or moved ({status}): open the import anew with its present path."
        return f"GitLab answered {status} for {name}: check path and base_url, and open the import anew."
