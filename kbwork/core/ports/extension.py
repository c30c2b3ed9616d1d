"""Points where a module asks those above it: it says what it asks, and they declare what they answer.

A module whose rows change may have to take along rows of modules that use it, in the same transaction, and it must not
know them. So it declares a subclass of `Extension` with the functions that it calls; a module above makes an instance
in one of its files, and `tx.registry.of(...)` finds it.
"""

from kbwork.base.dataclasses import dataclass


def module_of(home: str) -> str:
    """The module in whose folder a file stands, given as its `__name__`; empty for a file that is of none."""
    _, modules, rest = home.partition("kbwork.modules.")
    return rest.partition(".")[0] if modules else ""


@dataclass(frozen=True, kw_only=True)
class Extension:
    """What a module declares for one that it uses."""

    home: str
    """The file that declares it: `__name__`."""
