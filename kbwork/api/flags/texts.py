"""Texts of operations as the flag REST says them: its names, its paths, its statuses."""

import re

from kbwork.api.flags import names as words
from kbwork.api.flags.routes import Bound

_OPERATION = re.compile(r"(?<!['\w.-])flags\.[a-z_]+(?!['\w-])")
NAMED = re.compile(r"`([a-z]+(?:_[a-z]+)+)`")
"""A field in a text."""
_SECONDS = re.compile(r", the other times in seconds")


class Texts:
    """What operations say to people."""

    def __init__(self, bound: list[Bound]) -> None:
        self._calls = {
            one.route.op: f"{one.route.method} {one.route.path.removeprefix('/orgs/{org}')}" for one in bound
        }  # where an operation has several paths, the last is the one that changes what is there

    def spoken(self, text: str) -> str:
        """A refusal: fields in camelCase, and paths in the place of operations."""
        text = NAMED.sub(lambda found: f"`{words.camel(found[1])}`", text)
        return _OPERATION.sub(lambda found: self._calls.get(found[0], found[0]), text)

    def described(self, text: str) -> str:
        """A page of the reference: what is 422 there is 400 here, and all times are milliseconds."""
        return _SECONDS.sub("", re.sub(r"\b422\b", "400", self.spoken(text)))
