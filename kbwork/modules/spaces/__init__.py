"""Spaces: trees of pages under one key, with who may see and change them."""

from kbwork.modules.spaces import access, queries
from kbwork.modules.spaces.model import SpaceKey, SpaceRef
from kbwork.modules.spaces.ports import PageCounts, PageState, PageSummary, SpaceContent, TreeNode

USES = ("access", "projects", "trash")
TABLES = ("space",)
__all__ = [
    "TABLES",
    "USES",
    "PageCounts",
    "PageState",
    "PageSummary",
    "SpaceContent",
    "SpaceKey",
    "SpaceRef",
    "TreeNode",
    "access",
    "queries",
]
