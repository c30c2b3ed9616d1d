"""What the doors of one server share."""

from typing import Protocol

from kbwork.api.http.body import Bodies
from kbwork.api.http.proxies import TrustedProxies
from kbwork.api.http.response import Observe
from kbwork.base.dataclasses import dataclass, field
from kbwork.core.operations.dispatch import Dispatcher


class Frame(Protocol):
    """What each of them needs, whatever stands behind it. `base_url` is that of the settings, empty where it is not
    set."""

    @property
    def base_url(self) -> str: ...

    @property
    def observe(self) -> Observe: ...

    @property
    def bodies(self) -> Bodies: ...

    @property
    def proxies(self) -> TrustedProxies: ...

    def begin(self) -> None:
        """A request begins to be answered."""
        ...


@dataclass(frozen=True, slots=True)
class Site:
    """`base_url` is that of the settings, empty where it is not set."""

    dispatcher: Dispatcher
    base_url: str
    observe: Observe
    bodies: Bodies
    proxies: TrustedProxies = field(default_factory=TrustedProxies)
    """Whose word is taken for who calls."""

    def begin(self) -> None:
        """Should other data take the place of these, the request does not touch them."""
        self.dispatcher.database.begin()
