"""What small named lists share."""

import json

import pytest

from kbwork.base.errors import InvalidInput, NotFound
from kbwork.base.model import Input
from kbwork.base.text import did_you_mean
from kbwork.core import named
from kbwork.db.tx import Write
from tests.conftest import World


def test_a_sentence_ends_with_the_nearest_name() -> None:
    assert did_you_mean("labls", ["lanes", "labels"]) == " Did you mean labels?"


def test_a_sentence_ends_with_the_name_as_it_is_written_there() -> None:
    assert did_you_mean("labls", ["labels"], repr) == " Did you mean 'labels'?"
    assert did_you_mean("an", ["ana"], "@{}".format) == " Did you mean @ana?"


def test_a_sentence_ends_with_nothing_where_no_name_is_near() -> None:
    assert did_you_mean("xyz", ["labels"]) == ""
    assert did_you_mean("labels", []) == ""


def test_what_is_there_is_answered() -> None:
    row = {"id": 3}
    assert named.known(row, "lane", 3) is row
    assert named.seen(row, "lane", 3, "lanes.list", field="lane") is row


def test_what_is_not_there_is_not_found() -> None:
    with pytest.raises(NotFound) as refused:
        named.known(None, "lane", "done", "lanes.list")
    assert refused.value.detail == "There is no lane 'done'; lanes.list shows them."
    with pytest.raises(NotFound) as refused:
        named.known(None, "lane", 3)
    assert refused.value.detail == "There is no lane 3."


def test_of_what_not_all_see_it_is_said_so() -> None:
    with pytest.raises(NotFound) as refused:
        named.seen(None, "view", 3, "views.list")
    assert refused.value.detail == "There is no view 3 that you can see; views.list shows them."


def test_what_a_field_names_and_is_not_there_is_refused_at_the_field() -> None:
    with pytest.raises(InvalidInput) as refused:
        named.seen(None, "issue", "WEB-9", field="parent")
    assert refused.value.detail == "There is no issue 'WEB-9' that you can see."
    assert refused.value.extra == {"errors": [{"path": "parent", "message": refused.value.detail}]}


_LANE = {"name": "Done", "name_key": "done", "wip": 3, "stops_sla": 0, "rules": "[]"}


def test_only_what_would_be_other_differs() -> None:
    assert named.diff(_LANE, {"name": "Done", "wip": None, "stops_sla": 1}) == {"wip": None, "stops_sla": 1}
    assert named.diff(_LANE, {}) == {}


def test_changes_have_both_sides_in_the_order_of_what_is_wanted() -> None:
    wanted = {"wip": None, "stops_sla": 0, "name": "Ready", "name_key": "ready"}
    assert list(named.changes(_LANE, wanted).items()) == [("wip", (3, None)), ("name", ("Done", "Ready"))]


def test_changes_are_told_as_the_shape_has_them() -> None:
    told = named.changes(_LANE, {"stops_sla": 1, "rules": "[1]"}, stops_sla=bool, rules=json.loads, wip=str)
    assert told == {"stops_sla": (False, True), "rules": ([], [1])}


def test_changes_are_told_among_some_in_their_order() -> None:
    wanted = {"name": "Ready", "rules": "[1]", "wip": 4}
    assert list(named.changes(_LANE, wanted, ("wip", "name", "color"))) == ["wip", "name"]


def _taken(tx: Write) -> list[object]:
    """Of a label that is there: who else has its name, in another case, but for itself, and within some."""
    label = tx.insert("label", name="Épreuve", name_key="épreuve", color="#d64545", description="")
    return [
        (named.taken(tx, "label", "ÉPREUVE", None) or {}).get("name"),
        named.taken(tx, "label", "épreuve", label),
        named.taken(tx, "label", "epreuve", None),
        (named.taken(tx, "label", "Épreuve", None, "project is :home", home=None) or {}).get("name"),
        named.taken(tx, "label", "Épreuve", None, "project is :home", home=1),
    ]


def test_a_name_is_taken_in_any_case_by_another_row_within_some(world: World) -> None:
    assert world.database.write_now(_taken) == ["Épreuve", None, None, "Épreuve", None]


class _Tried(Input):
    name: str | None = None
    color: str | None = None
    wip: int | None = None
    open: bool | None = None


def test_an_input_says_what_it_holds_and_null_is_nothing() -> None:
    given = _Tried(name="Done", color="#FF0000", wip=None, open=False)
    assert list(given.filled("wip", "name", color=str.lower, open=int).items()) == [
        ("name", "Done"),
        ("color", "#ff0000"),
        ("open", 0),
    ]
    assert given.filled("wip") == {}
