"""The words of stars."""

from typing_extensions import TypedDict


class Star(TypedDict):
    """Something that the caller starred. Nobody else is told of it."""

    id: int
    """Id of the star, for `stars.reorder`."""
    subject: str
    """What it is on, such as `issue:12`."""
    title: str
    """What that is called."""
    label: str | None
    """What the caller calls it; null: by its title."""
    folder: str | None
    """Folder that it lies in; null: none."""
    position: int
    """Its place among all stars of the caller, from 0 on; those of what they do not see have places, too."""
