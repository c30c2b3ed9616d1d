"""Analytics: SQL over the events of the org, files of them, and reports that run by themselves. For admins."""

from kbwork.modules.analytics.access import is_whole

USES = ("members",)
TABLES = ("report", "report_recipient")
__all__ = ["TABLES", "USES", "is_whole"]
