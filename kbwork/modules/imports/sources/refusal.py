"""Why a file cannot be brought in."""

_LONGEST = 400


class SourceRefused(Exception):
    """The file is not what it should be; one printable line with the place in it."""

    def __init__(self, text: str) -> None:
        super().__init__(line(text))


def line(text: str) -> str:
    """What can be printed of a text, on one line that is not long."""
    cut = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
    return "".join(sign if sign.isprintable() else " " for sign in cut)


def shown(value: str) -> str:
    """A value of the file as it is named in a line: in quotes, not long."""
    return repr(value if len(value) <= 60 else f"{value[:60]}...")
