"""Assets: their types, their values, what refers to what, and the issues that they are about."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.access import callers, scopes
from kbwork.core.things.cascade import Cascade
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.issues.test_issues import make, payloads
from tests.modules.together import slugs, together

SERIAL = {"key": "serial", "name": "Serial number", "kind": "text", "unique": True, "required": True}
FIELDS: list[dict[str, Any]] = [
    SERIAL,
    {"key": "bought", "name": "Bought on", "kind": "date"},
    {"key": "price", "name": "Price", "kind": "number"},
    {"key": "insured", "name": "Insured", "kind": "bool"},
    {"key": "room", "name": "Room", "kind": "select", "options": ["Attic", "Cellar"]},
    {"key": "keeper", "name": "Keeper", "kind": "member"},
    {"key": "docked_in", "name": "Docked in", "kind": "reference", "target": "DOCK"},
    {"key": "manual", "name": "Manual", "kind": "url"},
]


@pytest.fixture
def house(world: World) -> World:
    """Two types: docks, and laptops with a field of each kind."""
    call(world, "bo", "assets.type_save", key="dock", name="Dock")
    call(world, "bo", "assets.type_save", key="LAP", name="Laptop", icon="laptop", fields=FIELDS)
    return world


def laptop(world: World, serial: str = "C02", who: str = "cy", **values: Any) -> dict[str, Any]:
    found: dict[str, Any] = call(
        world, who, "assets.create", name="Laptop", type="LAP", values={"serial": serial} | values
    )
    return found


def dock(world: World, name: str = "Dock") -> str:
    return str(call(world, "cy", "assets.create", name=name, type="dock")["key"])


def change(world: World, who: str = "cy", key: str = "LAP-1", **fields: Any) -> dict[str, Any]:
    found: dict[str, Any] = call(world, who, "assets.update", key=key, **fields)
    return found


def retype(world: World, fields: list[dict[str, Any]]) -> Any:
    return call(world, "bo", "assets.type_save", id=2, name="Laptop", fields=fields)


def without(key: str) -> list[dict[str, Any]]:
    return [field for field in FIELDS if field["key"] != key]


def changed(key: str, **columns: Any) -> list[dict[str, Any]]:
    return [field | columns if field["key"] == key else field for field in FIELDS]


def link(world: World, issue: str, who: str = "cy", asset: str = "LAP-1", **fields: Any) -> Any:
    return call(world, who, "issues.asset_link", key=issue, asset=asset, **{"on": True} | fields)


# types


def test_a_type_is_made_changed_and_taken_away(world: World) -> None:
    seq = world.database.seq
    (made,) = call(world, "bo", "assets.type_save", key="lap", name="Laptop", fields=[SERIAL])
    assert made == {
        "id": 1,
        "key": "LAP",
        "name": "Laptop",
        "description": "",
        "icon": "",
        "position": 1.0,
        "count": 0,
        "fields": [SERIAL | {"options": [], "target": None}],
    }
    (saved,) = call(
        world, "bo", "assets.type_save", id=1, name="Portable", description="To carry", position=4
    )
    assert saved == made | {"name": "Portable", "description": "To carry", "position": 4.0}
    call(world, "bo", "assets.type_save", id=1, name="Portable")
    assert world.events_since(seq) == [("asset_type.saved", "org:1")] * 2
    assert payloads(world, seq, "asset_type.saved")[1]["changes"] == {
        "name": {"from": "Laptop", "to": "Portable"},
        "description": {"from": "", "to": "To carry"},
        "position": {"from": 1.0, "to": 4.0},
    }
    call(world, "bo", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "assets.types") == [made]
    assert call(world, "bo", "assets.type_delete", id=1) == []
    assert world.events_since(seq)[-1] == ("asset_type.deleted", "org:1")
    call(world, "bo", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "assets.types") == [made]


def test_types_are_for_admins_to_change_and_for_members_to_see(house: World) -> None:
    for op, value in (
        ("assets.type_save", {"key": "CAR", "name": "Car"}),
        ("assets.type_delete", {"id": 1}),
    ):
        with refused("insufficient-scope"):
            call(house, "cy", op, **value)
    assert [found["key"] for found in call(house, "cy", "assets.types")] == ["DOCK", "LAP"]
    for op, value in (("assets.types", {}), ("assets.list", {}), ("assets.get", {"key": "LAP-1"})):
        with refused("insufficient-scope"):
            call(house, "gus", op, **value)


@pytest.mark.parametrize(
    ("value", "slug"),
    [
        ({"name": "Car"}, "invalid-input"),
        ({"name": "Car", "key": "C"}, "invalid-input"),
        ({"name": "Car", "key": "LAP"}, "conflict"),
        ({"name": "LAPTOP", "key": "CAR"}, "conflict"),
        ({"name": "Car", "id": 9}, "not-found"),
        ({"name": "Car", "id": 2, "key": "CAR"}, "invalid-input"),
    ],
)
def test_a_type_that_cannot_be_is_refused(house: World, value: dict[str, Any], slug: str) -> None:
    seq = house.database.seq
    with refused(slug):
        call(house, "bo", "assets.type_save", **value)
    assert house.database.seq == seq


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ([SERIAL, SERIAL], "fields[1].key"),
        ([{"key": "a", "name": "A", "kind": "select"}], "fields[0].options"),
        ([{"key": "a", "name": "A", "kind": "select", "options": ["x", "X"]}], "fields[0].options"),
        ([{"key": "a", "name": "A", "kind": "text", "options": ["x"]}], "fields[0].options"),
        ([{"key": "a", "name": "A", "kind": "reference"}], "fields[0].target"),
        ([{"key": "a", "name": "A", "kind": "reference", "target": "CAR"}], "fields[0].target"),
        ([{"key": "a", "name": "A", "kind": "text", "target": "LAP"}], "fields[0].target"),
        ([{"key": "a", "name": "A", "kind": "bool", "unique": True}], "fields[0].unique"),
        ([{"key": "A b", "name": "A", "kind": "bool"}], "fields[0].key"),
        ([{"key": "a", "name": "A", "kind": "colour"}], "fields[0].kind"),
    ],
)
def test_a_field_that_cannot_be_is_named(house: World, fields: list[dict[str, Any]], place: str) -> None:
    with refused("invalid-input") as found:
        retype(house, fields)
    assert found.value.errors[0]["path"] == place


def test_a_type_may_refer_to_itself(world: World) -> None:
    part = {"key": "part_of", "name": "Part of", "kind": "reference", "target": "RACK"}
    call(world, "bo", "assets.type_save", key="RACK", name="Rack", fields=[part])
    call(world, "cy", "assets.create", name="One", type="RACK")
    made = call(world, "cy", "assets.create", name="Two", type="RACK", values={"part_of": "rack-1"})
    assert made["values"] == {"part_of": "RACK-1"}
    call(world, "cy", "assets.update", key="RACK-1", values={"part_of": "RACK-1"})
    assert call(world, "cy", "assets.delete", key="RACK-2") == {"ok": True}
    assert call(world, "cy", "assets.delete", key="RACK-1") == {"ok": True}
    assert call(world, "bo", "assets.type_delete", id=1) == []


def test_a_type_that_something_rests_on_stays(house: World) -> None:
    with refused("conflict"):
        call(house, "bo", "assets.type_delete", id=1)
    laptop(house)
    with refused("in-use") as found:
        call(house, "bo", "assets.type_delete", id=2)
    assert found.value.extra["uses"] == 1
    with refused("not-found"):
        call(house, "bo", "assets.type_delete", id=9)


def test_fields_change_only_where_the_values_still_fit(house: World) -> None:
    laptop(house, room="attic", price=4, docked_in=dock(house))
    laptop(house, "C03", room="Attic")
    with refused("in-use") as found:
        retype(house, without("room"))
    assert found.value.extra["uses"] == 2
    for fields in (
        changed("room", options=["Cellar"]),
        changed("room", unique=True),
        changed("price", kind="text"),
        changed("serial", kind="number"),
        changed("docked_in", target="LAP"),
    ):
        with refused("conflict"):
            retype(house, fields)
    retype(house, changed("room", options=["Attic", "Hall"], required=True))
    retype(house, without("manual"))
    assert call(house, "cy", "assets.get", key="LAP-2")["values"] == {"serial": "C03", "room": "Attic"}


def test_a_field_does_not_go_by_undo_while_assets_have_it(house: World) -> None:
    retype(house, [*FIELDS, {"key": "wheels", "name": "Wheels", "kind": "number"}])
    seq = house.database.seq
    laptop(house, wheels=4)
    with refused("conflict"):
        call(house, "bo", "undo.apply", seq=seq)
    change(house, values={"wheels": None})
    call(house, "bo", "undo.apply", seq=seq)
    with refused("conflict"):
        call(house, "cy", "undo.apply", seq=seq + 2)  # would bring the wheels back


# assets


def test_an_asset_is_made_with_all_its_values(house: World) -> None:
    seq = house.database.seq
    at = dock(house)
    made = call(
        house,
        "cy",
        "assets.create",
        name="  Ana's   laptop ",
        type="lap",
        owner="@ana",
        status="maintenance",
        values={
            "serial": " C02 ",
            "bought": "2026-02-28",
            "price": 1299.5,
            "insured": False,
            "room": "ATTIC",
            "keeper": "@di",
            "docked_in": at.lower(),
            "manual": "https://example.com/manual",
        },
    )
    assert made == {
        "id": 2,
        "key": "LAP-1",
        "name": "Ana's laptop",
        "type": "LAP",
        "owner": house.people["ana"].id,
        "status": "maintenance",
        "values": {
            "serial": "C02",
            "bought": "2026-02-28",
            "price": 1299.5,
            "insured": False,
            "room": "Attic",
            "keeper": house.people["di"].id,
            "docked_in": "DOCK-1",
            "manual": "https://example.com/manual",
        },
        "issues": [],
        "created_at": made["created_at"],
        "updated_at": made["created_at"],
        "created_by": house.people["cy"].id,
    }
    assert house.events_since(seq) == [("asset.created", "asset:DOCK-1"), ("asset.created", "asset:LAP-1")]
    assert call(house, "di", "assets.get", key="2") == call(house, "di", "assets.get", key="lap-1") == made
    assert call(house, "di", "subjects.resolve", refs=["asset:LAP-1"])[0]["title"] == "LAP-1 Ana's laptop"
    call(house, "cy", "undo.apply", seq=seq + 2)
    with refused("not-found"):
        call(house, "cy", "assets.get", key="LAP-1")
    assert laptop(house)["key"] == "LAP-2"  # a number never comes again


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("serial", 4),
        ("serial", "x" * 10_001),
        ("bought", "2026-02-30"),
        ("price", "4"),
        ("price", True),
        ("price", 1e16),
        ("insured", 1),
        ("room", "Garden"),
        ("keeper", "@nobody"),
        ("docked_in", "LAP-1"),
        ("docked_in", "DOCK-9"),
        ("manual", "javascript:alert(1)"),
        ("manual", "https://"),
        ("colour", "red"),
    ],
)
def test_a_value_that_does_not_fit_is_named(house: World, key: str, value: Any) -> None:
    laptop(house)
    seq = house.database.seq
    with refused("invalid-input") as found:
        change(house, values={key: value, "price": 3} if key != "price" else {key: value})
    assert [error["path"] for error in found.value.errors] == [f"values.{key}"]
    assert house.database.seq == seq


def test_everything_that_is_wrong_is_told_at_once(house: World) -> None:
    with refused("invalid-input") as found:
        laptop(house, price="4", bought="soon", serail="C02")
    assert [error["path"] for error in found.value.errors] == [
        "values.price",
        "values.bought",
        "values.serail",
    ]
    assert "'serial'" in found.value.errors[2]["message"]


def test_a_required_value_is_given_and_stays(house: World) -> None:
    for values in ({}, {"serial": None}, {"serial": " "}):
        with refused("invalid-input") as found:
            call(house, "cy", "assets.create", name="Laptop", type="LAP", values=values)
        assert found.value.errors[0]["path"] == "values.serial"
    laptop(house)
    with refused("invalid-input"):
        change(house, values={"serial": None})
    retype(house, changed("price", required=True))
    assert change(house, name="Older")["values"] == {"serial": "C02"}


def test_a_unique_value_is_nobody_elses(house: World) -> None:
    laptop(house)
    with refused("conflict"):
        laptop(house, "C02")
    laptop(house, "C03")
    with refused("conflict"):
        change(house, key="LAP-2", values={"serial": "C02"})
    assert change(house, values={"serial": "C02"})["values"] == {"serial": "C02"}
    seq = house.database.seq
    change(house, values={"serial": "C04"})
    change(house, key="LAP-2", values={"serial": "C02"})
    with refused("conflict"):
        call(house, "cy", "undo.apply", seq=seq + 1)


def test_of_two_at_once_one_gets_the_value(house: World) -> None:
    value = {"name": "Laptop", "type": "LAP", "values": {"serial": "C02"}}
    answers = together(house, "cy", [("assets.create", value)] * 6)
    assert slugs(answers) == ["conflict"] * 5


def test_a_change_is_told_field_by_field(house: World) -> None:
    made = laptop(house, price=4, docked_in=dock(house))
    seq = house.database.seq
    changed_ = change(
        house,
        name="New",
        owner="me",
        values={"price": 5, "docked_in": None, "insured": True, "serial": "C02"},
    )
    assert changed_["values"] == {"serial": "C02", "price": 5, "insured": True}
    (told,) = payloads(house, seq, "asset.updated")
    assert told == {
        "asset": "LAP-1",
        "name": "New",
        "changes": {
            "name": {"from": "Laptop", "to": "New"},
            "owner": {"from": None, "to": house.people["cy"].id},
            "values.price": {"from": 4, "to": 5},
            "values.docked_in": {"from": "DOCK-1", "to": None},
            "values.insured": {"from": None, "to": True},
        },
    }
    change(house, name="New", values={"price": 5})
    assert house.database.seq == seq + 1
    assert change(house, owner="")["owner"] is None
    call(house, "cy", "undo.apply", seq=seq + 2)
    call(house, "cy", "undo.apply", seq=seq + 1)
    assert call(house, "cy", "assets.get", key="LAP-1") == made


def test_what_is_retired_comes_back_by_its_owner_or_an_admin(house: World) -> None:
    laptop(house)
    assert change(house, status="retired", owner="@di")["status"] == "retired"
    assert change(house, status="retired", name="Old")["name"] == "Old"
    with refused("not-allowed"):
        change(house, status="active")
    for who in ("cy", "di", "bo"):
        with refused("conflict"):
            change(house, who, status="maintenance")
    assert change(house, "di", status="active")["status"] == "active"
    change(house, status="retired")
    assert change(house, "bo", status="active")["status"] == "active"


def test_assets_are_found_by_words_type_status_and_what_they_refer_to(house: World) -> None:
    dock(house, "Ölkanne")
    laptop(house, room="Attic", docked_in="DOCK-1")
    laptop(house, "C03", room="Cellar")
    change(house, key="LAP-2", status="retired")

    def keys(**by: Any) -> list[str]:
        return [found["key"] for found in call(house, "cy", "assets.list", **by)]

    assert keys() == ["DOCK-1", "LAP-1", "LAP-2"]
    assert keys(type="lap") == ["LAP-1", "LAP-2"]
    assert keys(status="retired") == ["LAP-2"]
    assert keys(refers_to="dock-1") == ["LAP-1"]
    assert keys(q="ölk") == ["DOCK-1"]
    assert keys(q="laptop cellar") == ["LAP-2"]
    assert keys(q="laptop cellar attic") == []
    assert keys(q="LAP-1", type="LAP") == ["LAP-1"]
    for by in ({"type": "CAR"}, {"refers_to": "LAP-9"}, {"status": "lost"}):
        with refused("invalid-input"):
            keys(**by)


def test_what_others_refer_to_is_not_taken_away(house: World) -> None:
    laptop(house, docked_in=dock(house))
    with refused("in-use") as found:
        call(house, "cy", "assets.delete", key="DOCK-1")
    assert found.value.extra["uses"] == 1
    issue = make(house)
    link(house, issue)
    before = call(house, "cy", "assets.get", key="LAP-1")
    assert call(house, "cy", "assets.delete", key="LAP-1") == {"ok": True}
    assert call(house, "cy", "assets.for_issue", issue=issue) == []
    assert call(house, "cy", "assets.delete", key="DOCK-1") == {"ok": True}
    seq = house.database.seq
    with refused("conflict"):
        call(house, "cy", "undo.apply", seq=seq - 1)
    call(house, "cy", "undo.apply", seq=seq)
    call(house, "cy", "undo.apply", seq=seq - 1)
    assert call(house, "cy", "assets.get", key="LAP-1") == before


def test_a_key_that_is_limited_to_projects_sees_and_changes_none(house: World) -> None:
    laptop(house)
    issue = make(house)
    link(house, issue)

    def narrow(tx: Any) -> str:
        ident = tx.value("select id from project where key = 'WEB'")
        columns = {"name": "narrow", "scopes": sorted(scopes.of_role("member")), "projects": f"[{ident}]"}
        return str(callers.add_key(tx, house.people["cy"].id, columns)[1])

    with Kbwork(house.url, house.database.write_now(narrow)) as limited:
        assert limited.call("assets.list", {}) == limited.call("assets.for_issue", {"issue": issue}) == []
        with refused("not-found"):
            limited.call("assets.get", {"key": "LAP-1"})
        with refused("not-allowed"):
            limited.call("assets.create", {"name": "One", "type": "DOCK"})
        with refused("invalid-input"):
            limited.call("issues.asset_link", {"key": issue, "asset": "LAP-1", "on": False})


def test_who_is_erased_owns_and_keeps_nothing(house: World) -> None:
    laptop(house, keeper="@di")
    change(house, owner="@di")
    name = call(house, "ana", "members.get", id="@di")["name"]
    call(house, "ana", "members.erase", id="@di", confirm_name=name)
    eventually(lambda: call(house, "cy", "assets.get", key="LAP-1")["owner"] is None)
    assert call(house, "cy", "assets.get", key="LAP-1")["values"] == {"serial": "C02"}


# issues


def test_an_issue_is_about_assets(house: World) -> None:
    laptop(house)
    issue = make(house)
    seq = house.database.seq
    (found,) = link(house, issue, asset="lap-1", role="cause")
    assert (found["key"], found["issues"]) == ("LAP-1", [issue])
    assert call(house, "di", "assets.for_issue", issue=issue) == [found]
    subject = f"issue:{call(house, 'cy', 'issues.get', key=issue)['id']}"
    assert house.events_since(seq) == [("asset.linked", subject), ("asset.linked", "asset:LAP-1")]
    payload = {"asset": "LAP-1", "issue": issue, "role": "cause", "on": True}
    assert payloads(house, seq, "asset.linked") == [payload, payload]
    link(house, issue, role="cause")
    assert house.database.seq == seq + 2
    link(house, issue, role="victim")
    assert payloads(house, seq + 2, "asset.linked")[0]["changes"] == {
        "role": {"from": "cause", "to": "victim"}
    }
    call(house, "cy", "undo.apply", seq=seq + 3)
    assert link(house, issue, on=False) == link(house, issue, on=False) == []
    assert payloads(house, seq + 6, "asset.linked")[0] == payload | {"on": False}
    call(house, "cy", "undo.apply", seq=seq + 7)
    assert payloads(house, seq + 8, "asset.linked")[0] == payload | {"undo": seq + 7}
    assert [one["key"] for one in call(house, "cy", "assets.for_issue", issue=issue)] == ["LAP-1"]


def test_linking_needs_the_issue_and_the_asset(house: World) -> None:
    laptop(house)
    issue, private = make(house), make(house, "cy", project="SEC")
    for who, key, asset, slug in (
        ("cy", issue, "LAP-9", "invalid-input"),
        ("cy", "WEB-99", "LAP-1", "not-found"),
        ("di", private, "LAP-1", "not-found"),
    ):
        with refused(slug):
            link(house, key, who, asset)
    change(house, status="retired")
    with refused("conflict"):
        link(house, issue)
    change(house, "bo", status="active")
    link(house, issue)
    change(house, status="retired")
    assert link(house, issue, role="cause")[0]["status"] == "retired"
    assert link(house, issue, on=False) == []


def test_nobody_learns_of_an_issue_from_an_asset(house: World) -> None:
    laptop(house)
    hidden = make(house, "cy", level="private")
    seq = house.database.seq
    link(house, hidden)
    assert call(house, "cy", "assets.get", key="LAP-1")["issues"] == [hidden]
    assert call(house, "di", "assets.get", key="LAP-1")["issues"] == []
    (heard,) = call(house, "di", "api.changes", since=seq)["events"]
    assert (heard["subject"], heard["payload"]["issue"]) == ("asset:LAP-1", None)
    assert call(house, "gus", "api.changes", since=seq)["events"] == []
    with refused("not-found"):
        call(house, "di", "assets.for_issue", issue=hidden)


def test_links_go_where_the_issue_goes(house: World) -> None:
    laptop(house)
    laptop(house, "C03")
    one, other = make(house), make(house)
    link(house, one)
    link(house, one, asset="LAP-2")
    link(house, other, asset="LAP-2")
    seq = house.database.seq
    call(house, "cy", "issues.merge", from_=[one], into=other)
    assert call(house, "cy", "assets.for_issue", issue=one) == []
    assert {found["key"] for found in call(house, "cy", "assets.for_issue", issue=other)} == {
        "LAP-1",
        "LAP-2",
    }
    call(house, "cy", "undo.apply", seq=seq + 1)
    assert [found["key"] for found in call(house, "cy", "assets.for_issue", issue=one)] == ["LAP-1", "LAP-2"]
    parts: list[Cascade] = house.database.read_now(lambda tx: tx.registry.cascades)
    assert "assets" in [part.name for part in parts]
    call(house, "cy", "issues.delete", key=one)
    (entry,) = call(house, "bo", "trash.list")["items"]
    assert call(house, "bo", "trash.purge", ids=[entry["id"]])["purged"] == 1
    assert call(house, "cy", "assets.get", key="LAP-1")["issues"] == []


def test_a_field_of_an_issue_may_name_an_asset(house: World) -> None:
    laptop(house)
    call(house, "bo", "fields.save", key="device", name="Device", kind="asset")
    issue = make(house)
    call(house, "cy", "issues.update", key=issue, values={"device": "lap-1"})
    assert call(house, "cy", "issues.get", key=issue)["values"]["device"] == "LAP-1"
    with refused("invalid-input"):
        call(house, "cy", "issues.update", key=issue, values={"device": "LAP-9"})
