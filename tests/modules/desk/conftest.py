"""A desk with two customers."""

from collections.abc import Iterator

import pytest

from tests.conftest import World
from tests.modules.desk.helpdesk import HelpDesk, customer, open_desk


@pytest.fixture
def help_desk(world: World) -> Iterator[HelpDesk]:
    open_desk(world)
    with customer(world, "rita") as rita, customer(world, "nat") as nat:
        yield HelpDesk(world, rita, nat)
