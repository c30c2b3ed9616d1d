"""Requests in the query language."""

import pytest

from tests.modules.calls import call
from tests.modules.desk.helpdesk import HelpDesk


@pytest.mark.parametrize(
    ("tql", "found"),
    [
        ("from requests", ["WEB-1", "WEB-2"]),
        ("from requests open", ["WEB-1", "WEB-2"]),
        ("channel = portal", ["WEB-1", "WEB-2"]),
        ("channel = mail", []),
        ('request_type = "A question"', ["WEB-2"]),
        ('customer = "Rita Rivers"', ["WEB-1"]),
        ('customer = "nat@rivers.example"', ["WEB-2"]),
        ('participant = "Nat Rivers"', ["WEB-1", "WEB-2"]),
        ("customer is empty", ["WEB-3"]),
        ("project = WEB", ["WEB-1", "WEB-2", "WEB-3"]),
    ],
)
def test_requests_are_asked_for(help_desk: HelpDesk, tql: str, found: list[str]) -> None:
    world, nat = help_desk.world, help_desk.nat
    first = help_desk.rita.ask()
    nat.ask(type=2)
    call(world, "cy", "issues.create", project="WEB", title="No request")
    call(world, "cy", "desk.requester_set", key=first, add=[nat.email])
    rows = call(world, "cy", "tql.run", tql=tql)["rows"]
    assert sorted(row[0] for row in rows) == found


def test_they_are_told_by_name(help_desk: HelpDesk) -> None:
    help_desk.rita.ask()
    told = call(
        help_desk.world, "cy", "tql.run", tql="from requests select key, customer, request_type, channel"
    )
    assert told["rows"] == [["WEB-1", "Rita Rivers", "Something is broken", "portal"]]
    grouped = call(
        help_desk.world, "cy", "tql.run", tql="from requests group by customer select customer, count()"
    )
    assert grouped["rows"] == [["Rita Rivers", 1]]
