"""A receiver, and a server whose operator lists it."""

import pytest

from kbwork._build import system_node
from tests.modules.webhooks.heard import receiver, settings

__all__ = ["receiver", "settings"]


@pytest.fixture(scope="session")
def node() -> str:
    """The system's Node."""
    found = system_node()
    if found is None:
        pytest.skip("no Node 20 or newer to test with")
    return found
