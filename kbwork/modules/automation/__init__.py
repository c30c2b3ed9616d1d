"""Automation: rules that run operations when something happens, at a time, or when somebody presses a button."""

USES = ("fields", "issues", "projects", "tql")
TABLES = ("rule", "rule_log", "rule_run", "rule_state")
__all__ = ["TABLES", "USES"]
