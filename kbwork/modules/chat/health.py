"""Whether chats are reached, as the doctor and the metrics ask."""

from collections.abc import Iterator

from kbwork.core.data_check import DataCheck, Finding
from kbwork.core.figures import DataFigures
from kbwork.db.tx import Read
from kbwork.modules.chat.connection import queries


def _look(tx: Read) -> Iterator[Finding]:
    failing = [row for row in queries.every(tx) if row["last_error"] is not None]
    for row in failing:
        yield Finding("chat", False, f"the connection {row['name']!r} says: {row['last_error']}")
    if not failing:
        yield Finding("chat", True, "no chat fails")


def _figures(tx: Read) -> dict[str, float]:
    return {"waiting": float(tx.value("select count(*) from chat_post"))}


HEALTH = DataCheck(home=__name__, look=_look)
FIGURES = DataFigures(home=__name__, prefix="kbwork_chat", about="Chats", read=_figures)
