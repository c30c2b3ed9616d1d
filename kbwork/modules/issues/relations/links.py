"""Pages elsewhere that belong to an issue."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from kbwork.base.errors import Conflict, NotFound
from kbwork.base.model import Id, Input, Name
from kbwork.core import named
from kbwork.core.operations.declare import destructive, read, write
from kbwork.core.references import IssueRef
from kbwork.db.rows import IssueRow, WebLinkRow
from kbwork.db.tx import Read, Write
from kbwork.modules.issues import access, event_payloads, preconditions, queries
from kbwork.modules.issues.events import IssueLinked, IssueUnlinked
from kbwork.modules.issues.model import WebLink

MOST = 200


def _web(url: str) -> str:
    url = url.strip()
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        parts, host = None, None
    if (
        parts is None
        or parts.scheme.lower() not in ("http", "https")
        or not host
        or any(c.isspace() for c in url)
    ):
        raise PydanticCustomError("web_address", "should be an address that starts with http:// or https://")
    return url


Url = Annotated[str, Field(max_length=2000), AfterValidator(_web)]


class IssuesLinks(Input):
    key: IssueRef


@read(
    "issues.links",
    scope="issues:read",
    words="web links of an issue, which pull requests, urls, documents linked",
    example={"key": "WEB-1"},
)
def links(tx: Read, args: IssuesLinks) -> list[WebLink]:
    """List the web links of an issue, oldest first."""
    return of_issue(tx, access.get(tx, args.key)["id"])


class IssuesLinkAdd(Input):
    key: IssueRef
    url: Url
    """Address of the page, http or https."""
    title: Name | None = None
    """The address without its scheme unless given."""
    kind: Annotated[str, Field(max_length=40, pattern=r"^[a-z0-9_-]*$")] | None = None
    """A word of your choice, such as `design` or `docs`; `page` unless given."""


@write(
    "issues.link_add",
    scope="issues:write",
    words=(
        "add a link, link a pull request, link a document, url, attach a web page, "
        "link to a design, reference a commit, figma, merge request"
    ),
    emits=[IssueLinked],
    example={"key": "WEB-1", "url": "https://example.com/spec", "title": "The specification"},
)
def link_add(tx: Write, args: IssuesLinkAdd) -> list[WebLink]:
    """Add a web link to an issue. An address that it has already takes the title and kind given now.

    An issue has 200 links at most (409).
    """
    row = preconditions.changeable(tx, args.key)
    known = tx.one(
        "select * from web_link where issue = :id and url = :url", WebLinkRow, id=row["id"], url=args.url
    )
    if known is None:
        if row["links"] >= MOST:
            raise Conflict(f"{queries.key_of(tx, row)} has {MOST} links, and more are not to be.")
        title = args.title or args.url.partition("://")[2].rstrip("/")[:500]
        tx.insert(
            "web_link",
            issue=row["id"],
            url=args.url,
            title=title,
            kind=args.kind or "page",
            created_at=tx.now,
            created_by=tx.caller.actor,
        )
        _tell(tx, row, args.url, title)
        return of_issue(tx, row["id"])
    columns = {"title": args.title or known["title"], "kind": args.kind or known["kind"]}
    changes = named.changes(known, columns)
    if changes:
        tx.update("web_link", known["id"], **columns)
        payload = event_payloads.common_payload(tx, row) | {"url": args.url, "title": columns["title"]}
        tx.emit(IssueLinked(subject=f"issue:{row['id']}", payload=payload, changes=changes))
        event_payloads.touch(tx, row["id"])
    return of_issue(tx, row["id"])


class IssuesLinkDelete(Input):
    id: Id
    """Id of the link, from `issues.links`."""


@destructive(
    "issues.link_delete",
    scope="issues:write",
    words="remove a link, take a url off, wrong link",
    emits=[IssueUnlinked],
    example={"id": 1},
)
def link_delete(tx: Write, args: IssuesLinkDelete) -> list[WebLink]:
    """Take a web link off its issue; answers what the issue has left."""
    found = tx.one("select * from web_link where id = :id", WebLinkRow, id=args.id)
    if found is None or access.find(tx, f"issue:{found['issue']}") is None:
        raise NotFound(f"There is no web link {args.id} that you can see; issues.links shows them.")
    row = preconditions.changeable(tx, f"issue:{found['issue']}")
    tx.delete("web_link", found["id"])
    payload = event_payloads.common_payload(tx, row) | {"url": found["url"], "title": found["title"]}
    tx.emit(IssueUnlinked(subject=f"issue:{row['id']}", payload=payload))
    event_payloads.touch(tx, row["id"])
    return of_issue(tx, row["id"])


def of_issue(tx: Read, issue: int) -> list[WebLink]:
    """The web links of an issue."""
    return [
        WebLink(
            id=row["id"],
            url=row["url"],
            title=row["title"],
            kind=row["kind"],
            icon=None,
            created_by=row["created_by"],
            created_at=row["created_at"],
        )
        for row in tx.all("select * from web_link where issue = :id order by id", WebLinkRow, id=issue)
    ]


def _tell(tx: Write, row: IssueRow, url: str, title: str) -> None:
    tx.emit(
        IssueLinked(
            subject=f"issue:{row['id']}",
            payload=event_payloads.common_payload(tx, row) | {"url": url, "title": title},
        )
    )
    event_payloads.touch(tx, row["id"])
