"""The words of texts go into the index together, a moment later or when somebody asks."""

from kbwork.db.deferred import Deferred

WORDS = Deferred(
    home=__name__,
    waiting="search_waiting",
    settle=(
        "insert or replace into search_text (rowid, title, body) select * from search_waiting order by id",
        "delete from search_waiting",
    ),
    asked="search_",
    lasts=True,
)
