"""What is said of data that are not of their shape."""

from pydantic import ValidationError


def unfit(error: ValidationError, under: str = "") -> str:
    """Where the first thing stands that is wrong, below `under`, and what is wrong with it; one line."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in ((under,) if under else ()) + first["loc"])
    said = first["msg"].removeprefix("Value error, ")
    return f"{place}: {said}" if place else said
