"""What an issue is about, in the archive of a project; the asset itself stays with its org."""

from kbwork.core.ports.archive import ArchivedList, Person, Sort, Time, named

ON_ISSUES = ArchivedList(
    "issues.jsonl",
    "assets",
    table="asset_issue",
    order="created_at, asset",
    gone="Not here are the assets {}: it is not about them.",
    columns={"created_by": Person, "asset": named("asset"), "role": Sort, "created_at": Time},
)
