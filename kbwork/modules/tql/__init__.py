"""The query language over the data: names found, texts run, checked, completed, explained and translated."""

from kbwork.modules.tql import kept_names, query_parser
from kbwork.modules.tql.execute import time_limit
from kbwork.modules.tql.execute.query_run import QueryRun
from kbwork.modules.tql.model import TqlColumn
from kbwork.modules.tql.ports import SavedViews
from kbwork.modules.tql.query_parser import RunnableQuery

USES = ("issues", "projects", "search", "workflows")
TABLES = ()
__all__ = [
    "TABLES",
    "USES",
    "QueryRun",
    "RunnableQuery",
    "SavedViews",
    "TqlColumn",
    "kept_names",
    "query_parser",
    "time_limit",
]
