"""Comments: what people say on a subject, in threads."""

USES = ("issues", "projects")
TABLES = ("comment", "reaction")
__all__ = ["TABLES", "USES"]
