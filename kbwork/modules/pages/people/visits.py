"""Who opened a page, as numbers: once for each person and day."""

from kbwork.db.tx import Read, json_array

DAY_S = 86_400
COUNTED_DAYS = 30
"""So many days count where a page says how often it was opened."""


def first_day(tx: Read, days: int) -> int:
    """The first of the latest days, today among them, in days since 1970."""
    return tx.now // DAY_S - days + 1


def counts(tx: Read, pages: list[int]) -> dict[int, int]:
    """How often each of these was opened lately."""
    return dict(
        tx.tuples(
            "select page, count(*) from page_visit where page in (select value from json_each(:ids))"
            " and day >= :since group by page",
            ids=json_array(pages),
            since=first_day(tx, COUNTED_DAYS),
        )
    )
