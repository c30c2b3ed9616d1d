"""The query language over the data: names found, texts run, checked, completed, explained and translated."""

USES = (
    "assets",
    "attachments",
    "comments",
    "fields",
    "issues",
    "labels",
    "members",
    "projects",
    "search",
    "teams",
    "workflows",
)
TABLES = ()
__all__ = ["TABLES", "USES"]
