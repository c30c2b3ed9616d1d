"""Places in a project's order as texts: text order is their order, and between two there is always room for more.

A new issue has `i` and its number in base 36, eight digits: behind all that were made before. What is put between two
neighbours has more digits behind; what is put before the first counts down from it.
"""

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
WIDTH = 9
_BEHIND = 6
LONGEST = 40
"""A rank that would be longer asks for its neighbourhood to be spread out anew."""


class Crowded(Exception):
    """There is no short text between these two."""


def of_number(number: int) -> str:
    """The rank of the issue with this number in its project, when it is made."""
    return "i" + _text(number, WIDTH - 1)


def between(left: str | None, right: str | None, count: int, *, newest: str) -> list[str]:
    """So many ranks, in order, behind `left` and before `right`; None is the end of the order on that side.

    `newest` is the rank that the next new issue will have: all stay before it. Raises Crowded.
    """
    if right is None and left is None:
        right = newest
    if left is None:
        assert right is not None
        first = _value(right, WIDTH) - count
        if first <= 0:
            raise Crowded
        return [_text(first + n, WIDTH) for n in range(count)]
    if right is None and left < newest:
        return _behind(left, newest, count)
    return _spread(left, right if right is not None else _after(left), count)


def just_before(right: str) -> str:
    """A rank before the first one."""
    return _text(max(_value(right, WIDTH) - 1, 0), WIDTH)


def just_behind(left: str) -> str:
    """A rank behind the last one, and before that of the next new issue."""
    width = max(len(left), WIDTH + _BEHIND)
    return _text(_value(left, width) + 1, width)


def scaled(rank: str, was: tuple[str, str], now: tuple[str, str]) -> str:
    """A rank that stood between two, where it stands between these as they are now: order stays among such ranks."""
    low, high = (_value(end, LONGEST) for end in was)
    left, right = (_value(end, LONGEST) for end in now)
    found = left + (_value(rank, LONGEST) - low) * (right - left) // max(high - low, 1)
    return _shortened(_text(min(max(found, left + 1), right - 1), LONGEST))


def _behind(left: str, newest: str, count: int) -> list[str]:
    """Right behind the last one: a counter of its own, so that putting things last never lengthens a rank."""
    width = max(len(left), WIDTH + _BEHIND)
    first = _value(left, width) + 1
    found = [_text(first + n, width) for n in range(count)]
    return found if found[-1] < newest else _spread(left, newest, count)


def _spread(left: str, right: str, count: int) -> list[str]:
    width = WIDTH
    while width <= LONGEST:
        low, high = _value(left, width), _value(right, width)
        step = (high - low) // (count + 1)
        if step > 0:
            return [_shortened(_text(low + step * (n + 1), width)) for n in range(count)]
        width += 2
    raise Crowded


def _after(left: str) -> str:
    return _text(_value(left, WIDTH) + 1, WIDTH)


def _shortened(rank: str) -> str:
    """Without zeros at the end, which say nothing behind the first nine digits."""
    return rank[:WIDTH] + rank[WIDTH:].rstrip("0")


def _value(rank: str, width: int) -> int:
    return int(rank[:width].ljust(width, "0"), 36)


def _text(value: int, width: int) -> str:
    digits = ""
    while value:
        value, digit = divmod(value, 36)
        digits = _DIGITS[digit] + digits
    return digits.rjust(width, "0")
