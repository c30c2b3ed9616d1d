"""What the doors of one server share."""

from kbwork.api.http.body import Bodies
from kbwork.api.http.proxies import TrustedProxies
from kbwork.api.http.response import Observe
from kbwork.base.dataclasses import dataclass, field
from kbwork.core.operations.dispatch import Dispatcher


@dataclass(frozen=True, slots=True)
class Site:
    """`base_url` is that of the settings, empty where it is not set."""

    dispatcher: Dispatcher
    base_url: str
    observe: Observe
    bodies: Bodies
    proxies: TrustedProxies = field(default_factory=TrustedProxies)
    """Whose word is taken for who calls."""
