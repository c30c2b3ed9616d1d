"""GitHub's REST interface: what of a repository is asked for, page by page, and what an answer means."""

import re
from urllib.parse import urljoin, urlsplit

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict, InvalidInput, UpstreamFailed
from kbwork.core.operations.external import FetchedPage
from kbwork.modules.imports.fetch import page_count

PUBLIC = "https://api.github.com"
PAGE_BYTES = 16 * 1024 * 1024
"""A hundred issues whose texts are as long as GitHub lets them be take about this."""
MOST_WAIT_S = 2 * 3600
_UNTOLD_WAIT_S = 60
_NAME = re.compile(r"[\w-]{1,100}/(?!\.{1,2}\Z)[\w.-]{1,100}\Z", re.ASCII)
_BASE = re.compile(r"[A-Za-z0-9._~:/\[\]%-]{1,1000}\Z")
_TOKEN = re.compile(r"[\x21-\x7e]+\Z")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_LINK = re.compile(r'<([^<>]{1,4000})>\s*;[^,<]*\brel="?next"?')
PARTS = (
    ("issues", "issues?state=all&sort=created&direction=asc&per_page=100"),
    ("labels", "labels?per_page=100"),
    ("comments", "issues/comments?sort=created&direction=asc&per_page=100"),
    ("review_comments", "pulls/comments?sort=created&direction=asc&per_page=100"),
)
"""Each list with its address below that of the repository. Comments come behind the issues that they are on, replies
behind what they answer."""


@dataclass(frozen=True, slots=True)
class RepositoryPage:
    """What an answer brought: JSON as it came, how much is in it, and the path of the page behind it."""

    body: bytes
    count: int
    next: str | None


def place(repository: str, base_url: str | None, token: str | None) -> dict[str, str]:
    """Where a repository is, and what opens it. Raises InvalidInput."""
    if not _NAME.match(repository):
        raise InvalidInput("Write the repository as owner/name, such as acme/shop.", field="repository")
    base = (base_url or PUBLIC).rstrip("/")
    _require_base(base)
    if token is not None and not _TOKEN.match(token):
        raise InvalidInput(
            "A token of GitHub is one word of ASCII signs: send it without blanks and line ends.",
            field="token",
        )
    return {"repository": repository, "base_url": base} | ({"token": token} if token else {})


def _require_base(base: str) -> None:
    try:
        parts = urlsplit(base)
        host, named = parts.hostname, parts.port is None or parts.port > 0
    except ValueError:
        host, named, parts = None, False, urlsplit("")
    if host in ("github.com", "www.github.com"):
        raise InvalidInput(
            f"GitHub answers programs at {PUBLIC}: leave `base_url` out.", field="base_url", allowed=[PUBLIC]
        )
    safe = parts.scheme == "https" or (parts.scheme == "http" and host in _LOOPBACK)
    if not (_BASE.match(base) and host and named and safe):
        raise InvalidInput(
            "Write base_url as https://github.example.com/api/v3, the address of the REST interface; http is for this"
            " machine alone.",
            field="base_url",
        )


def origin(base: str) -> str:
    """Scheme, host and port of an address."""
    parts = urlsplit(base)
    return f"{parts.scheme}://{parts.netloc}".lower()


def home(at: dict[str, str]) -> str:
    """The path of the repository itself."""
    return f"{urlsplit(at['base_url']).path}/repos/{at['repository']}"


def first(at: dict[str, str], part: int) -> str:
    """The path of the first page of a list."""
    return f"{home(at)}/{PARTS[part][1]}"


def rest(page: FetchedPage, now: int) -> int | None:
    """How many seconds to wait before the page is asked for again; None where the limit of calls is not reached."""
    if page.status not in (403, 429):
        return None
    after, left, reset = (
        page.headers.get(name) for name in ("retry-after", "x-ratelimit-remaining", "x-ratelimit-reset")
    )
    if after is not None and after.isdecimal():
        wait = int(after[:9])
    elif left == "0" and reset is not None and reset.isdecimal():
        wait = int(reset[:12]) - now + 1
    elif page.status == 429 or b"rate limit" in page.body[:2000].lower():
        wait = _UNTOLD_WAIT_S
    else:
        return None
    return min(max(1, wait), MOST_WAIT_S)


def require_good(page: FetchedPage, at: dict[str, str]) -> None:
    """Raises Conflict for a refusal, which says how to mend it, and UpstreamFailed for what may go well later."""
    if page.status == 200:
        return
    if page.status >= 500 or page.status == 408:
        raise UpstreamFailed(f"GitHub answered {page.status}.")
    raise Conflict(_refusal(page.status, at["repository"], token="token" in at))


def _refusal(status: int, name: str, *, token: bool) -> str:
    rights = "a token that may read its metadata, issues and pull requests"
    if status == 401:
        return f"GitHub does not take the token (401): open the import anew with {rights} and is still good."
    if status == 403:
        return f"GitHub does not show {name} (403): open the import anew with {rights}."
    if status == 404:
        mend = f"and that the token is {rights[2:]}" if token else f"and, where it is private, give {rights}"
        return f"There is no repository {name} that may be read (404): check owner and name, {mend}."
    if status == 410:
        return f"The issues of {name} are switched off at GitHub (410): switch them on there for the import."
    if 300 <= status < 400:
        return (
            f"{name} was renamed or moved ({status}): open the import anew with its present owner and name."
        )
    return f"GitHub answered {status} for {name}: check owner, name and base_url, and open the import anew."


def require_repository(page: FetchedPage) -> None:
    """Raises UpstreamFailed for what is no answer about a repository."""
    if not page_count.is_repository(page.body):
        raise UpstreamFailed(_strange(page))


def taken(page: FetchedPage, at: dict[str, str], count: int | None) -> RepositoryPage:
    """A page of a list with so many elements, None for what is no list. Raises UpstreamFailed for what is none,
    Conflict where the next one is elsewhere."""
    if count is None:
        raise UpstreamFailed(_strange(page))
    return RepositoryPage(page.body.strip(), count, _next(page, at))


def _strange(page: FetchedPage) -> str:
    return (
        f"What {origin(page.url)} answered is not the JSON that GitHub's REST interface answers: check that base_url is"
        " its address."
    )


def _next(page: FetchedPage, at: dict[str, str]) -> str | None:
    found = _LINK.search(page.headers.get("link", ""))
    if found is None:
        return None
    try:
        parts = urlsplit(urljoin(page.url, found[1]))
    except ValueError:
        parts = urlsplit("")
    if f"{parts.scheme}://{parts.netloc}".lower() != origin(at["base_url"]):
        raise Conflict(
            f"The next page is said to be on another server than {origin(at['base_url'])}, where nothing is asked: open"
            " the import anew with the base_url of that server, if it is right."
        )
    return str(parts.path) + (f"?{parts.query}" if parts.query else "")
