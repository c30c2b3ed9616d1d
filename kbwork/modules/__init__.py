"""The product: one folder a module. This list is its table of contents."""

MODULES = (
    "activity",
    "api",
    "audit",
    "auth",
    "comments",
    "invites",
    "issues",
    "jobs",
    "keys",
    "labels",
    "lanes",
    "members",
    "org",
    "projects",
    "subjects",
    "teams",
    "types",
    "undo",
    "workflows",
)
