"""Approvals: people agree before an issue goes a way of its workflow that asks for it."""

from kbwork.modules.approvals.votes import ask_from_outside, decide_from_outside

USES = ("fields", "issues", "projects", "workflows")
TABLES = ("approval", "approval_approver", "approval_vote")
__all__ = ["TABLES", "USES", "ask_from_outside", "decide_from_outside"]
