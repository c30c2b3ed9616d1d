"""Assets: typed records of what the org has, with values, references and the issues that they are about."""

from kbwork.modules.assets.issue_links import Link, link, of_issue, unlink
from kbwork.modules.assets.model import Asset, AssetLinked
from kbwork.modules.assets.queries import SEEN
from kbwork.modules.assets.queries import types as every_type

USES = ("members", "projects")
TABLES = ("asset", "asset_issue", "asset_type", "asset_value")
__all__ = [
    "SEEN",
    "TABLES",
    "USES",
    "Asset",
    "AssetLinked",
    "Link",
    "every_type",
    "link",
    "of_issue",
    "unlink",
]
