"""What the manual writes in the query language is asked of the sample org, and answers."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from kbwork.api.pages.docs.query_words import query_words
from kbwork.base.clock import FixedClock
from kbwork.contract import load
from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from kbwork.demo import build
from kbwork.settings import LimitSettings, Settings
from kbwork.tql import meanings
from kbwork.tql.words import AGGREGATES, COLLECTIONS, FLAGS, FUNCTIONS, RELATIONS, UNITS, WHEN
from tests.conftest import NOW, World, at_work
from tests.servers import SharedServer
from tests.tql.written_texts import manual_conditions, manual_examples, manual_refusals

EMPTY_HERE = 2
"""So many examples may find nothing in the sample org."""


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory, shared_server: SharedServer) -> Iterator[World]:
    """The sample org, with what its year leaves out: days, a team, what blocks what, and things."""
    room = tmp_path_factory.mktemp("sample")
    built = build.build(room / "made", FixedClock(NOW))
    settings = Settings(limits=LimitSettings(enabled=False))
    with at_work((room / "made", {}), room / "data", FixedClock(NOW), settings, shared_server) as world:
        for handle in ("jonas", "priya"):
            told = {"email": f"{handle}@fernhill.example", "password": built.password}
            token = world._client(f"{handle} before", "").call("auth.login", told)["token"]
            world._client(handle, token)
        _add(world.clients["jonas"])
        yield world


def _add(jonas: Kbwork) -> None:
    team = jonas.call("teams.save", {"name": "Web", "handle": "web"})
    for who in ("@tomas", "@noor"):
        jonas.call("teams.member_set", {"id": team["id"], "who": who, "role": "member"})
    scanner = {
        "key": "SCN",
        "name": "Scanner",
        "fields": [{"key": "bought", "name": "Bought on", "kind": "date"}],
    }
    jonas.call("assets.type_save", scanner)
    for status, bought in (("maintenance", "2024-05-06"), ("active", "2026-11-02")):
        thing = {"type": "SCN", "name": "Scanner", "status": status, "values": {"bought": bought}}
        jonas.call("assets.create", thing)
    first, second, third = keys(jonas, "project = SHOP and open and assignee = @priya limit 3")
    for key in (first, second):
        jonas.call("issues.update", {"key": key, "start_date": ""})
    for days in ("2027-01-01", "2027-01-05", "2027-01-18"):
        jonas.call("issues.update", {"key": first, "due_date": days, "priority": "low"})
    jonas.call("issues.update", {"key": second, "due_date": "2027-01-10", "priority": "high"})
    jonas.call("issues.asset_link", {"key": second, "asset": "SCN-1", "on": True})
    (held,) = keys(jonas, "project = SHOP and open and assignee is empty limit 1")
    jonas.call("issues.relation_add", {"key": first, "kind": "blocks", "to": ["SHOP-20", held]})
    (bug,) = keys(jonas, "project = SHOP and type = bug limit 1")
    jonas.call("issues.update", {"key": bug, "labels": ["asked for", "regression"]})
    jonas.call("issues.assign", {"key": third, "assignees": ["@noor"]})
    jonas.call("checklists.add", {"key": second, "text": "Ask the customer", "assignee": "@priya"})
    office = keys(jonas, "project = OPS and type = task and done limit 2")
    jonas.call("issues.update", {"key": office[0], "parent": "OPS-1"})
    jonas.call("issues.transition", {"key": office[1], "to_status": "in_progress"})
    jonas.call("issues.relation_add", {"key": office[1], "kind": "blocks", "to": [second]})


def keys(client: Kbwork, text: str) -> list[str]:
    return [key for (key,) in client.call("tql.run", {"tql": text, "fields": ["key"]})["rows"]]


@pytest.fixture
def asked(sample: World) -> Callable[[str], list[Any]]:
    """The rows that Priya finds."""

    def ask(text: str) -> list[Any]:
        found: list[Any] = sample.clients["priya"].call("tql.run", {"tql": text})["rows"]
        return found

    return ask


def test_there_are_examples_for_many_tasks() -> None:
    assert len(manual_examples()) == len(set(manual_examples())) >= 60


def test_every_example_answers_and_nearly_all_find_something(asked: Callable[[str], list[Any]]) -> None:
    assert len([text for text in manual_examples() if not asked(text)]) <= EMPTY_HERE


def test_every_error_of_the_manual_is_told_so(asked: Callable[[str], list[Any]]) -> None:
    assert len(manual_refusals()) >= 12
    for text, told in manual_refusals():
        with pytest.raises(KbworkProblem) as refused:
            asked(text)
        assert refused.value.errors[0]["message"] == told, text


def test_what_the_reference_writes_is_asked_as_it_stands(sample: World) -> None:
    priya = sample.clients["priya"]
    told = {text: priya.call("tql.check", {"tql": text})["errors"] for text in manual_conditions()}
    assert {text: errors for text, errors in told.items() if errors} == {}
    assert len(told) >= 16


def _said(name: str, kind: str, operator: str) -> str:
    """A condition with this operator."""
    value = _VALUES.get(kind, "low" if name == "priority" else "empty")
    if operator == "..":
        return f"{name} = {value}.."
    if operator in {"changed", "is empty"}:
        return f"{name} {operator}"
    if operator == "unchanged for":
        return f"{name} {operator} 1d"
    return (
        f"{name} {operator} ({value})"
        if operator[-2:] == "in" or "has" in operator
        else f"{name} {operator} {value}"
    )


_VALUES = {
    "a text": '"x"',
    "a number": "1",
    "a length of time": "1d",
    "a time": "today",
    "a day": "today",
    "true or false": "true",
}


def test_every_operator_that_the_manual_lists_is_taken(sample: World) -> None:
    told: dict[str, Any] = {}
    for source in (one for one in load("tql.json")["sources"] if one["asked"]):
        for field in source["fields"]:
            for name in (field["name"], *field["aliases"]):
                for operator in field["operators"]:
                    text = f"from {source['name']} where {_said(name, field['kind'], operator)}"
                    told[text] = sample.clients["priya"].call("tql.check", {"tql": text})["errors"]
    assert {text: errors for text, errors in told.items() if errors} == {}
    assert len(told) > 500


def test_the_manual_lists_the_fields_that_can_be_asked_for(sample: World) -> None:
    for source in (one for one in load("tql.json")["sources"] if one["asked"]):
        listed = {name for field in source["fields"] for name in (field["name"], *field["aliases"])}
        found = sample.clients["priya"].call("tql.fields", {"from": source["name"]})
        served = {field["name"] for field in found if not field["custom"]} - set(source["flags"])
        assert {name.lower() for name in listed} == {name.lower() for name in served}, source["name"]


def test_every_word_of_the_language_has_a_meaning() -> None:
    for words, means in (
        (FLAGS, meanings.FLAGS),
        (RELATIONS, meanings.RELATIONS),
        (COLLECTIONS, meanings.COLLECTIONS),
        ((one.name for one in FUNCTIONS.values()), meanings.FUNCTIONS),
        (AGGREGATES, meanings.AGGREGATES),
        (WHEN, meanings.WHEN),
        (UNITS, meanings.UNITS),
    ):
        assert list(words) == list(means)


def test_the_page_of_words_is_made_of_the_contract() -> None:
    page = query_words()
    words = load("tql.json")
    for source in words["sources"]:
        assert f"## {source['name'].capitalize()}\n" in page
        assert all(f"| `{field['name']}`" in page for field in source["fields"])
    assert all(f"| `{function['call']}` | {function['means']} |" in page for function in words["functions"])
