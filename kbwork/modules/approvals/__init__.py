"""Approvals: people agree before an issue goes a way of its workflow that asks for it."""

USES = ("fields", "issues", "projects", "workflows")
TABLES = ("approval", "approval_approver", "approval_vote")
__all__ = ["TABLES", "USES"]
