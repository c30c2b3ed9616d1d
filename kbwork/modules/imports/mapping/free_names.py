"""Names that are still free, by a number behind them."""

from collections.abc import Iterator
from itertools import count


def numbered(text: str, most: int, between: str = "") -> Iterator[str]:
    """The text, then with 2, 3, ... behind it, within so many characters; without end."""
    yield text[:most]
    for number in count(2):
        end = f"{between}{number}"
        yield text[: most - len(end)] + end
