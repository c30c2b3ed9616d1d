"""Search: one index over what the caller may see, suggestions for the palette, and what was looked at last."""

from kbwork.modules.search.hits import text_of
from kbwork.modules.search.kinds import matching
from kbwork.modules.search.similar import alike, having, mentioning

USES = ("members", "projects")
TABLES = ("search_column_word", "search_doc", "search_text", "search_waiting", "search_word")
__all__ = ["TABLES", "USES", "alike", "having", "matching", "mentioning", "text_of"]
