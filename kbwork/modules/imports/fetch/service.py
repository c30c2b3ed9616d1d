"""What every service says that repositories are fetched from, and what is the same at each: addresses, limits."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any
from urllib.parse import urljoin, urlsplit

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict, InvalidInput, UpstreamFailed
from kbwork.base.urls import origin_of
from kbwork.core.operations.external import FetchedPage
from kbwork.modules.imports.fetch import page_content
from kbwork.modules.imports.fetch.page_content import PageContent

PAGE_BYTES = 16 * 1024 * 1024
"""A hundred issues whose texts are as long as GitHub lets them be take about this."""
MOST_WAIT_S = 2 * 3600
_UNTOLD_WAIT_S = 60
_BASE = re.compile(r"[A-Za-z0-9._~:/\[\]%-]{1,1000}\Z")
_TOKEN = re.compile(r"[\x21-\x7e]+\Z")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_LINK = re.compile(r'<([^<>]{1,4000})>\s*;[^,<]*\brel="?next"?')
Of = tuple[str, int]
"""A list of one thing: which, and the number of the thing."""


@dataclass(frozen=True, slots=True)
class ListPlace:
    """Where a page stands: in which list of the repository, or in a list of one thing of that."""

    part: int
    of: Of | None
    begins: bool
    """Whether it is the first of its list."""


@dataclass(frozen=True, slots=True)
class RepositoryPage:
    """What an answer brought: JSON as it came, what is in it, and the path of the page behind it."""

    body: bytes
    content: PageContent
    next: str | None
    etag: str | None = None
    """By which the server knows it."""


class FetchedService(ABC):
    """A service with a REST interface. `at` says where a repository is: `repository`, `base_url`, and `token` where one
    was given."""

    name: str
    """What people call it."""
    parts: tuple[tuple[str, str], ...]
    """Each list with its address below that of the repository, in the order in which they are asked for."""
    most_pages: int
    left: str
    """The header that says how many calls are left."""
    reset: str
    """The header that says when there are more."""
    limited: tuple[int, ...] = (429,)
    """What it may answer where the limit of calls is reached."""
    left_out: str
    """What of a repository is not fetched."""

    @abstractmethod
    def place(self, repository: str, base_url: str | None, token: str | None) -> dict[str, str]:
        """Where a repository is, and what opens it. Raises InvalidInput."""

    @abstractmethod
    def home(self, at: dict[str, str]) -> str:
        """The path of the repository itself."""

    @abstractmethod
    def headers(self, at: dict[str, str]) -> dict[str, str]:
        """What signs a call in."""

    @abstractmethod
    def opening(self, page: FetchedPage) -> bytes:
        """How the file begins, by what is answered about the repository. Raises UpstreamFailed for what is none."""

    @abstractmethod
    def frame(self, at: ListPlace, *, last: bool) -> tuple[bytes, bytes]:
        """What goes into the file before a page and behind it; `last`: that is the end."""

    @abstractmethod
    def refusal(self, status: int, at: dict[str, str], of: Of | None) -> str:
        """Why there is no page, and how to mend it."""

    def first(self, at: dict[str, str], part: int) -> str:
        """The path of the first page of a list."""
        return f"{self.home(at)}/{self.parts[part][1]}"

    def hanging(self, part: int, content: PageContent) -> list[Of]:
        """The lists that are to be asked for of each thing on a page."""
        return []

    def first_of(self, at: dict[str, str], part: int, of: Of) -> str:
        """The path of the first page of such a list."""
        raise NotImplementedError

    def instead(self, page: FetchedPage, path: str) -> str | None:
        """What to ask for where this service knows no such question."""
        return None

    def lacking(self, page: FetchedPage, place: ListPlace) -> str | None:
        """What is told where a list cannot be had and the others come without it."""
        return None

    def told(self, counts: dict[str, int]) -> str:
        """How far it is, as a line; `counts` by the names of the lists."""
        comments = counts.get("comments", 0) + counts.get("review_comments", 0)
        return f"Fetched {counts.get('issues', 0):,} issues and {comments:,} comments"

    def rest(self, page: FetchedPage, now: int) -> int | None:
        """How many seconds to wait before the page is asked for again; None where the limit of calls is not
        reached."""
        if page.status not in self.limited:
            return None
        after, left, reset = (page.headers.get(name) for name in ("retry-after", self.left, self.reset))
        if after is not None and after.isdecimal():
            wait = int(after[:9])
        elif left == "0" and reset is not None and reset.isdecimal():
            wait = int(reset[:12]) - now + 1
        elif page.status == 429 or b"rate limit" in page.body[:2000].lower():
            wait = _UNTOLD_WAIT_S
        else:
            return None
        return min(max(1, wait), MOST_WAIT_S)

    def require_good(self, page: FetchedPage, at: dict[str, str], of: Of | None) -> None:
        """Raises Conflict for a refusal, which says how to mend it, and UpstreamFailed for what may go well later."""
        if page.status == 200:
            return
        if page.status >= 500 or page.status == 408:
            raise UpstreamFailed(f"{self.name} answered {page.status}.")
        raise Conflict(self.refusal(page.status, at, of))

    def taken(self, page: FetchedPage, at: dict[str, str], content: PageContent | None) -> RepositoryPage:
        """A page of a list; no content for what is none. Raises UpstreamFailed for that, Conflict where the next one is
        elsewhere."""
        if content is None:
            raise UpstreamFailed(self.strange(page))
        return RepositoryPage(page.body.strip(), content, _next(page, at), page.headers.get("etag"))

    def about(self, page: FetchedPage, name: str) -> dict[str, Any]:
        """What is answered about the repository, which has a member of this name. Raises UpstreamFailed."""
        found = page_content.small_object(page.body)
        if found is None or not isinstance(found.get(name), str):
            raise UpstreamFailed(self.strange(page))
        return found

    def strange(self, page: FetchedPage) -> str:
        return (
            f"What {origin(page.url)} answered is not the JSON that {self.name}'s REST interface answers: check that"
            " base_url is its address."
        )


def require_base(base: str, example: str) -> None:
    """Raises InvalidInput for an address to which no call with a token goes."""
    try:
        parts = urlsplit(base)
        host, named = parts.hostname, parts.port is None or parts.port > 0
    except ValueError:
        host, named, parts = None, False, urlsplit("")
    safe = parts.scheme == "https" or (parts.scheme == "http" and host in _LOOPBACK)
    if not (_BASE.match(base) and host and named and safe):
        raise InvalidInput(f"Write base_url as {example}; http is for this machine alone.", field="base_url")


def require_token(token: str | None, name: str) -> None:
    """Raises InvalidInput for what cannot be one."""
    if token is not None and not _TOKEN.match(token):
        raise InvalidInput(
            f"A token of {name} is one word of ASCII signs: send it without blanks and line ends.",
            field="token",
        )


def placed(repository: str, base: str, token: str | None) -> dict[str, str]:
    """Where a repository is, and what opens it."""
    return {"repository": repository, "base_url": base} | ({"token": token} if token else {})


def is_host(base: str, hosts: Iterable[str | None]) -> bool:
    """Whether an address is one of these hosts."""
    try:
        return urlsplit(base).hostname in hosts
    except ValueError:
        return False


def origin(base: str) -> str:
    """Scheme, host and port of an address."""
    return origin_of(urlsplit(base)).lower()


def _next(page: FetchedPage, at: dict[str, str]) -> str | None:
    found = _LINK.search(page.headers.get("link", ""))
    if found is None:
        return None
    try:
        parts = urlsplit(urljoin(page.url, found[1]))
    except ValueError:
        parts = urlsplit("")
    if origin_of(parts).lower() != origin(at["base_url"]):
        raise Conflict(
            f"The next page is said to be on another server than {origin(at['base_url'])}, where nothing is asked: open"
            " the import anew with the base_url of that server, if it is right."
        )
    return str(parts.path) + (f"?{parts.query}" if parts.query else "")
