"""Whatever happens, what a customer is told holds nothing that is not theirs."""

import json
import random
import re
from typing import Any

import pytest

from kbwork.app import registry
from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from tests.conftest import World
from tests.modules.calls import call, call_nobody
from tests.modules.desk.helpdesk import Customer, HelpDesk

WORD = re.compile(r"cnry[a-z]+", re.IGNORECASE)
"""A canary says whose it is: `cnryrita...`, `cnrynat...`, and `cnryteam...` of what is for the team."""
PORTAL = sorted(op.id for op in registry().operations.values() if "desk:portal" in op.scopes)
PUBLIC = sorted(op.id for op in registry().operations.values() if op.module == "desk" and op.public)


def told(client: Kbwork, op: str, value: dict[str, Any]) -> str:
    """The whole answer, be it a refusal, without what was sent."""
    try:
        answer = json.dumps(client.call(op, value))
    except KbworkProblem as problem:
        answer = f"{problem.title} {problem.detail} {problem.extra}"
    for sent in map(str, value.values()):
        answer = answer.replace(sent, "")
    return answer


def values(op: str, keys: list[str]) -> list[dict[str, Any]]:
    """Inputs that name each of the issues, or nothing."""
    fields = registry().require(op).input.model_fields
    example = registry().require(op).example
    return [{**example, "key": key} for key in keys] if "key" in fields else [example]


def look(customer: Customer, keys: list[str], own: str) -> None:
    """Ask every operation for every issue: only words of one's own come back."""
    looks = [op for op in PORTAL if op not in ("desk.portal_logout", "desk.portal_create")]
    for op in looks:
        for value in values(op, keys):
            found = set(WORD.findall(told(customer.client, op, value)))
            assert all(word.lower().startswith(own) for word in found), (op, value, found)


@pytest.mark.parametrize("seed", range(4))
def test_customers_see_nothing_of_each_other_nor_of_the_team(help_desk: HelpDesk, seed: int) -> None:
    """Some hundred things happen by chance: what both may see is looked at after each dozen."""
    world, chance = help_desk.world, random.Random(seed)
    people = {"rita": help_desk.rita, "nat": help_desk.nat}
    owners: dict[str, str] = {}
    for name, person in people.items():
        for number in range(2):
            owners[person.ask(f"cnry{name}title{number}", description=f"cnry{name}text")] = name
    for number in range(2):
        made = call(
            world, "cy", "issues.create", project="WEB", title=f"cnryteam{number}", body="cnryteambody"
        )
        owners[made["key"]] = "team"
    keys = list(owners)
    for turn in range(60):
        key = chance.choice(keys)
        happen(world, people, owners, key, chance)
        if turn % 12 == 11:
            for name, person in people.items():
                look(person, keys, f"cnry{name}")


def happen(
    world: World, people: dict[str, Customer], owners: dict[str, str], key: str, chance: random.Random
) -> None:
    """One thing, be it refused."""
    owner, other = owners[key], chance.choice(list(owners))
    subject = f"issue:{key}"
    deeds: list[tuple[str, dict[str, Any]]] = [
        ("comments.create", {"subject": subject, "body": "cnryteamnote", "internal": True}),
        ("comments.create", {"subject": subject, "body": f"cnry{owner}answer"}),
        ("issues.merge", {"from": [key], "into": other}),
        ("issues.relation_add", {"key": key, "kind": "relates", "to": [other]}),
        ("issues.update", {"key": key, "labels": ["cnryteamlabel"]}),
        ("issues.assign", {"key": key, "assignees": ["@cy"]}),
        ("issues.set_level", {"key": key, "level": "private"}),
        ("issues.split", {"key": key, "parts": [{"title": f"cnry{owner}part"}]}),
        ("issues.clone", {"key": key}),
    ]
    op, value = chance.choice(deeds)
    try:
        if owner in people and chance.random() < 0.3:
            people[owner].call("desk.portal_comment", key=key, body=f"cnry{owner}said")
        else:
            world.session("ana").call(op, value)
    except KbworkProblem:
        pass


def test_what_anybody_is_told_names_no_customer_and_no_request(help_desk: HelpDesk) -> None:
    world = help_desk.world
    key = help_desk.rita.ask("cnryritatitle", description="cnryritatext")
    call(world, "cy", "comments.create", subject=f"issue:{key}", body="cnryteamnote", internal=True)
    with Kbwork(world.url, "") as nobody:
        for op in PUBLIC:
            for value in values(op, [key]):
                answer = told(nobody, op, value)
                assert not WORD.search(answer), op
                assert help_desk.rita.email not in answer, op


def test_a_customer_is_told_of_no_member(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    key = rita.ask()
    call(world, "cy", "issues.assign", key=key, assignees=["@cy"])
    call(world, "cy", "comments.create", subject=f"issue:{key}", body="Which order?")
    assert "Cy Moss" not in json.dumps(rita.thread(key))
    call(world, "ana", "desk.save", project="WEB", show_agents=True)
    assert rita.thread(key)["comments"][0]["author"] == "Cy Moss"


def test_two_who_ask_at_once_have_a_request_each(help_desk: HelpDesk) -> None:
    keys = {help_desk.rita.ask(), help_desk.nat.ask(), help_desk.rita.ask()}
    assert len(keys) == 3
    assert {len(one.call("desk.portal_requests")) for one in (help_desk.rita, help_desk.nat)} == {1, 2}


def test_the_same_call_twice_has_one_effect(help_desk: HelpDesk) -> None:
    """The key is the customer's: another customer's call with it is another call."""
    rita, nat = help_desk.rita.client, help_desk.nat.client
    asked = {"title": "Once", "type": 2, "values": {}}
    first = rita.call("desk.portal_create", asked, idempotency_key="once")
    assert rita.call("desk.portal_create", asked, idempotency_key="once") == first
    assert nat.call("desk.portal_create", asked, idempotency_key="once")["key"] != first["key"]
    info = call_nobody(help_desk.world, "desk.portal_info")
    assert len(info) == 1
