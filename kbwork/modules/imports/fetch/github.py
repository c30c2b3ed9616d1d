"""GitHub's REST interface: what of a repository is asked for, page by page, and what an answer means."""

import re
from urllib.parse import urlsplit

from kbwork.base.errors import InvalidInput
from kbwork.core.operations.external import FetchedPage
from kbwork.modules.imports.fetch import service
from kbwork.modules.imports.fetch.service import FetchedService, ListPlace, Of

PUBLIC = "https://api.github.com"
_NAME = re.compile(r"[\w-]{1,100}/(?!\.{1,2}\Z)[\w.-]{1,100}\Z", re.ASCII)


class GitHub(FetchedService):
    name = "GitHub"
    parts = (
        ("issues", "issues?state=all&sort=created&direction=asc&per_page=100"),
        ("labels", "labels?per_page=100"),
        ("comments", "issues/comments?sort=created&direction=asc&per_page=100"),
        ("review_comments", "pulls/comments?sort=created&direction=asc&per_page=100"),
    )
    """Comments come behind the issues that they are on, replies behind what they answer."""
    most_pages = 20_000
    left, reset = "x-ratelimit-remaining", "x-ratelimit-reset"
    limited = (403, 429)
    left_out = "Verdicts and summaries of reviews are not fetched; comments on lines are."

    def place(self, repository: str, base_url: str | None, token: str | None) -> dict[str, str]:
        if not _NAME.match(repository):
            raise InvalidInput("Write the repository as owner/name, such as acme/shop.", field="repository")
        base = (base_url or PUBLIC).rstrip("/")
        if service.is_host(base, ("github.com", "www.github.com")):
            raise InvalidInput(
                f"GitHub answers programs at {PUBLIC}: leave `base_url` out.",
                field="base_url",
                allowed=[PUBLIC],
            )
        service.require_base(base, "https://github.example.com/api/v3, the address of the REST interface")
        service.require_token(token, self.name)
        return service.placed(repository, base, token)

    def home(self, at: dict[str, str]) -> str:
        return f"{urlsplit(at['base_url']).path}/repos/{at['repository']}"

    def headers(self, at: dict[str, str]) -> dict[str, str]:
        return {"Authorization": f"Bearer {at['token']}"} if "token" in at else {}

    def opening(self, page: FetchedPage) -> bytes:
        self.about(page, "full_name")
        return b""

    def frame(self, at: ListPlace, *, last: bool) -> tuple[bytes, bytes]:
        """One object of lists of pages."""
        name = self.parts[at.part][0]
        before = (f'{"{" if at.part == 0 else "],"}"{name}":[' if at.begins else ",").encode()
        return before, b"]}" if last else b""

    def refusal(self, status: int, at: dict[str, str], of: Of | None) -> str:
        name, rights = at["repository"], "a token that may read its metadata, issues and pull requests"
        if status == 401:
            return (
                f"GitHub does not take the token (401): open the import anew with {rights} and is still good."
            )
        if status == 403:
            return f"GitHub does not show {name} (403): open the import anew with {rights}."
        if status == 404:
            if "token" in at:
                mend = f"and that the token is {rights[2:]}"
            else:
                mend = f"and, where it is private, give {rights}"
            return f"There is no repository {name} that may be read (404): check owner and name, {mend}."
        if status == 410:
            return (
                f"The issues of {name} are switched off at GitHub (410): switch them on there for the import."
            )
        if 300 <= status < 400:
            return f"{name} was renamed or moved ({status}): open the import anew with its present owner and name."
        return (
            f"GitHub answered {status} for {name}: check owner, name and base_url, and open the import anew."
        )
