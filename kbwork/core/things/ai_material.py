"""What AI reads: each kind of subject says what its things are for a model, and what they are part of."""

from collections.abc import Callable
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.db.tx import Read

Readable = Callable[[str], bool]
"""Whether AI may read this subject, which is near the one that it was asked about."""


@dataclass(frozen=True, kw_only=True)
class ReadableByAI:
    """How AI reads the subjects of a kind. A kind without it is read as search has it: by its title and text."""

    within: Callable[[Read, str], list[str] | None]
    """The thing with this reference under its present name, and all that it is a part of, nearest first, whoever asks;
    None where it is not there. What is excluded from AI takes along its parts."""
    material: Callable[[Read, str, Readable | None], dict[str, Any]] | None = None
    """What a model is given of a thing that the caller sees, as JSON. Of what is near it only what is readable; None:
    nothing of that, since the answer is for others as well."""
