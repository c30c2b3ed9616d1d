"""The assets that an issue is about."""

from typing import Annotated

from pydantic import StringConstraints

from kbwork.base.model import Input, Text
from kbwork.core.operations.declare import write
from kbwork.core.references import IssueRef
from kbwork.db.tx import Write
from kbwork.modules import assets
from kbwork.modules.issues import event_payloads, preconditions, queries


class IssuesAssetLink(Input):
    key: IssueRef
    asset: Text
    """Key or id of the asset."""
    on: bool
    """false takes the link away."""
    role: Annotated[str, StringConstraints(pattern=r"^[a-z0-9_-]{1,40}$")] | None = None
    """What the asset is to the issue, in a word of your choice: `affected` unless given, or `cause`."""


@write(
    "issues.asset_link",
    scope="issues:write",
    words="link a laptop to a ticket, this ticket is about a device, connect an asset, unlink",
    guests=False,
    emits=[assets.AssetLinked],
    example={"key": "WEB-1", "asset": "LAP-1", "on": True, "role": "cause"},
)
def asset_link(tx: Write, args: IssuesAssetLink) -> list[assets.Asset]:
    """Say that an issue is about an asset, or is not; answers those that it is about.

    You change the issue and see the asset (422). What is so already is no change, but for a `role` that differs. A
    retired asset keeps its links and gets no new one, and an issue is about 200 at most (409).
    """
    row = preconditions.changeable(tx, args.key)
    wanted = assets.Link(row["id"], queries.key_of(tx, row), args.role or "affected")
    change = assets.link if args.on else assets.unlink
    if change(tx, args.asset, wanted):
        event_payloads.touch(tx, row["id"])
    return assets.of_issue(tx, row["id"])
