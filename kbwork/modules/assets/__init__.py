"""Assets: typed records of what the org has, with values, references and the issues that they are about."""

from kbwork.modules.assets.linking import Link, link, of_issue, unlink
from kbwork.modules.assets.model import Asset, AssetLinked

USES = ("members", "projects")
TABLES = ("asset", "asset_issue", "asset_type", "asset_value")
__all__ = ["TABLES", "USES", "Asset", "AssetLinked", "Link", "link", "of_issue", "unlink"]
