"""Asking for assets and for check items: rows, paths, relations, who sees what, and what is proposed."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from tests.conftest import World
from tests.modules.calls import call, refused

FIELDS: list[dict[str, Any]] = [
    {"key": "serial", "name": "Serial number", "kind": "text"},
    {"key": "bought", "name": "Bought on", "kind": "date"},
    {"key": "price", "name": "Price", "kind": "number"},
    {"key": "insured", "name": "Insured", "kind": "bool"},
    {"key": "room", "name": "Room", "kind": "select", "options": ["Attic", "Cellar"]},
    {"key": "keeper", "name": "Keeper", "kind": "member"},
    {"key": "docked", "name": "Docked in", "kind": "reference", "target": "DOCK"},
    {"key": "note", "name": "Note", "kind": "text"},
]
DOCK = [{"key": "note", "name": "Note", "kind": "number"}]
"""Both types have a note, each of another kind."""


@pytest.fixture
def house(world: World) -> World:
    """A retired dock, two laptops, and two issues of which one is about both laptops and has steps."""
    call(world, "bo", "assets.type_save", key="DOCK", name="Dock", fields=DOCK)
    call(world, "bo", "assets.type_save", key="LAP", name="Laptop", fields=FIELDS)
    call(world, "bo", "assets.create", type="DOCK", name="Old dock", values={"note": 4})
    values: dict[str, Any] = {
        "serial": "C02 Café", "bought": "2026-11-02", "price": 900, "insured": True, "room": "attic",
        "keeper": "@cy", "docked": "DOCK-1", "note": "lent",
    }  # fmt: skip
    call(world, "bo", "assets.create", type="LAP", name="Ana's laptop", owner="@ana", values=values)
    call(world, "bo", "assets.create", type="LAP", name="Spare", values={"price": 1200.5})
    call(world, "bo", "assets.update", key="DOCK-1", status="retired")
    for title in ("The screen flickers", "Nothing"):
        call(world, "bo", "issues.create", project="WEB", title=title)
    call(world, "bo", "fields.save", key="tool", name="Tool", kind="asset")
    call(world, "bo", "issues.update", key="WEB-2", values={"tool": "LAP-1"})
    for asset in ("LAP-1", "LAP-2"):
        call(world, "bo", "issues.asset_link", key="WEB-1", asset=asset, on=True)
    call(world, "bo", "checklists.add", key="WEB-1", text="Unplug it", assignee="@cy", due_date="2020-01-01")
    call(world, "bo", "checklists.add", key="WEB-1", text="Plug it in again")
    items = call(world, "bo", "checklists.list", key="WEB-1")["items"]
    call(world, "bo", "checklists.update", id=items[1]["id"], done=True)
    return world


def keys(world: World, who: str, tql: str) -> list[str]:
    return [row[0] for row in call(world, who, "tql.run", tql=tql, fields=["key"])["rows"]]


FOUND = {
    "from assets order by key": ["DOCK-1", "LAP-1", "LAP-2"],
    "from assets type = LAP and owner is empty and status = active": ["LAP-2"],
    "from assets refers to (status = retired)": ["LAP-1"],
    "from assets refers to DOCK-1": ["LAP-1"],
    "from assets refers to asset:DOCK-1": ["LAP-1"],
    "from assets referred by any": ["DOCK-1"],
    "from assets referred by (owner = @ana)": ["DOCK-1"],
    "from assets not refers to any order by key desc": ["LAP-2", "DOCK-1"],
    "from assets archived": ["DOCK-1"],
    "from assets LAP-2": ["LAP-2"],
    'from assets name = "spare"': ["LAP-2"],
    "from assets cafe": ["LAP-1"],
    'from assets "old dock"': ["DOCK-1"],
    'from assets serial ~ "cafe*"': ["LAP-1"],
    'from assets "Serial number" is not empty': ["LAP-1"],
    "from assets price >= 1000": ["LAP-2"],
    "from assets LAP.price < 1000 and insured = true": ["LAP-1"],
    "from assets insured != true order by key": ["DOCK-1", "LAP-2"],
    "from assets bought = 2026-11": ["LAP-1"],
    "from assets room = ATTIC": ["LAP-1"],
    "from assets keeper = @cy and docked.status = retired and docked.DOCK.note = 4": ["LAP-1"],
    'from assets LAP.note ~ lent or cf["DOCK.note"] > 3 order by type, key': ["DOCK-1", "LAP-1"],
    "from assets key in assetsOf(@ana)": ["LAP-1"],
    "from assets key in (from issues project = WEB select asset) order by key": ["LAP-1", "LAP-2"],
    "from assets price is not empty order by price desc": ["LAP-2", "LAP-1"],
    "asset = LAP-1": ["WEB-1"],
    'asset = "Ana\'s laptop"': ["WEB-1"],
    "asset has all (LAP-1, LAP-2)": ["WEB-1"],
    "asset is empty": ["WEB-2"],
    "asset.owner = @ana": ["WEB-1"],
    "asset.docked.status = retired": ["WEB-1"],
    "asset in (from assets status = retired)": [],
    "asset in assetsOf(@ana)": ["WEB-1"],
    "linked assets any (price > 1000)": ["WEB-1"],
    "linked assets all (price > 1000)": ["WEB-2"],
    "linked assets count = 2 (type = LAP)": ["WEB-1"],
    "linked assets none (archived) and linked assets any (refers to (archived))": ["WEB-1"],
    "tool = LAP-1": ["WEB-2"],
    "tool.owner = @ana and tool was LAP-1": ["WEB-2"],
    "cf.tool.docked.status = retired": ["WEB-2"],
    "tool is empty": ["WEB-1"],
    "checks any (not done and due < today)": ["WEB-1"],
    "checks any (not done and assignee = me())": [],
    "checks any (mine overdue)": [],
    "checks any (unassigned done)": ["WEB-1"],
    "checks any (unplug)": ["WEB-1"],
    "checks any (open and assignee.role = member)": ["WEB-1"],
    "checks all (done)": ["WEB-2"],
    "checks count >= 2": ["WEB-1"],
    "checks > checks_done": ["WEB-1"],
}


def test_a_text_and_its_tidy_form_find_what_they_say(house: World) -> None:
    for text, wanted in FOUND.items():
        assert keys(house, "bo", text) == wanted, text
        told = call(house, "bo", "tql.check", tql=text)["normal"]
        assert keys(house, "bo", told) == wanted, told


def test_rows_of_assets_have_cells_as_the_shape_has_them(house: World) -> None:
    ana = house.people["ana"].id
    answer = call(house, "bo", "tql.run", tql="from assets type = LAP order by key")
    told = answer["rows"][0]
    assert [column["name"] for column in answer["columns"]] == [
        "key", "name", "type", "status", "owner", "created", "updated",
    ]  # fmt: skip
    assert told[:5] == ["LAP-1", "Ana's laptop", "LAP", "active", ana]
    assert answer["subjects"] == ["asset:LAP-1", "asset:LAP-2"]
    row = call(
        house,
        "bo",
        "tql.run",
        tql="from assets LAP-1 select price, insured, bought, room, docked, docked.name, keeper",
    )["rows"]
    assert row == [[900, True, "2026-11-02", "Attic", "DOCK-1", "Old dock", house.people["cy"].id]]
    grouped = "from assets select count(), sum(price) group by type, docked order by type, docked"
    assert call(house, "bo", "tql.run", tql=grouped)["rows"] == [
        ["DOCK", None, 1, 0], ["LAP", "DOCK-1", 1, 900], ["LAP", None, 1, 1200.5],
    ]  # fmt: skip
    linked = call(house, "bo", "tql.run", tql="order by key", fields=["asset", "asset.owner", "checks"])[
        "rows"
    ]
    assert linked == [[["LAP-1", "LAP-2"], ana, 2], [[], None, 0]]


def test_assets_need_their_scope_whichever_way_a_text_leads_to_them(house: World) -> None:
    secret = house.session("cy").call(
        "keys.create", {"name": "n", "scopes": ["search:read", "issues:read", "members:read"]}
    )["secret"]
    with Kbwork(house.url, secret) as narrow:
        for text in (
            "from assets",
            "asset is empty",
            "order by asset",
            "asset.owner = me()",
            "linked assets any",
            "key in (from issues asset is empty)",
            "select list(asset)",
            "tool.status = active",
        ):
            with pytest.raises(KbworkProblem) as refusal:
                narrow.call("tql.run", {"tql": text})
            assert (refusal.value.slug, refusal.value.extra["scopes"]) == (
                "insufficient-scope",
                ["assets:read"],
            ), text
        for text in ("asset = LAP-1", "asset = nowhere", "asset.serial = C02"):
            with refused("tql-name"):
                narrow.call("tql.run", {"tql": text})
        assert narrow.call("tql.count", {"tql": "checks any (open)"}) == {"count": 1}
        proposed = narrow.call("tql.complete", {"tql": "asset = ", "cursor": 8})
        assert not [one for one in proposed if one["label"].startswith("LAP")]


def test_guests_find_no_asset_and_the_steps_of_what_they_see_alone(house: World) -> None:
    call(house, "bo", "projects.member_set", key="WEB", who="@gus", role="viewer")
    assert keys(house, "gus", "checks any (open) order by key") == ["WEB-1"]
    for text in ("from assets", "asset is not empty", "linked assets any"):
        with refused("insufficient-scope"):
            keys(house, "gus", text)
    call(house, "cy", "issues.create", project="SEC", title="cnry")
    call(house, "cy", "checklists.add", key="SEC-1", text="cnryStep")
    assert keys(house, "cy", "checks any (cnryStep)") == ["SEC-1"]
    for who in ("di", "gus"):
        assert keys(house, who, "checks any (cnryStep)") == []
        assert keys(house, who, 'checks none (text ~ "cnryStep") order by key') == ["WEB-1", "WEB-2"]


def test_what_does_not_fit_assets_is_refused_with_what_to_write(house: World) -> None:
    for text, said in (
        ("refers to LAP-1", "linked assets any"),
        ("from assets owner was @ana", "No history is kept of `owner`"),
        ("from assets serial changed", "No history is kept of"),
        ("asset was LAP-1", "No history is kept of `asset`"),
        ("from assets note = 4", 'cf["DOCK.note"], cf["LAP.note"]'),
        ("from assets status = gone", "active, maintenance, retired"),
        ("from assets type = Car", "no asset type"),
        ("from assets refers to WEB-1", "no asset called so"),
        ("from assets refers to (from issues open)", "says already what is looked at"),
        ("from assets blocks any", "no relation of assets"),
        ("from assets open", "says nothing about assets"),
        ("asset = WEB-1", "no asset called so"),
        ("checks any (estimate = 1)", "no field `estimate`"),
        ("from checks", "checks"),
    ):
        answer = call(house, "bo", "tql.check", tql=text)
        assert not answer["ok"], text
        assert said in answer["errors"][0]["message"], (text, answer["errors"][0]["message"])


def test_a_module_that_is_switched_off_is_not_asked(house: World) -> None:
    call(house, "ana", "org.modules_set", off=["assets", "checklists"])
    for text in (
        "from assets",
        "asset is empty",
        "checks any",
        "checks > 1",
        "key in (from assets select key)",
    ):
        with refused("tql-name"):
            keys(house, "bo", text)


def test_completion_proposes_assets_their_fields_and_what_they_may_be(house: World) -> None:
    def labels(text: str) -> list[str]:
        return [one["label"] for one in call(house, "cy", "tql.complete", tql=text, cursor=len(text))]

    assert "assets" in labels("from ")
    assert {"LAP-1", "DOCK-1", "assetsOf("} <= set(labels("asset = "))
    assert labels("asset = LAP-") == ["LAP-2", "LAP-1"]
    assert {"serial", "price", "LAP.note", "owner", "mine", "archived", "refers to"} <= set(
        labels("from assets ")
    )
    assert {"Laptop", "Dock"} <= set(labels("from assets type = "))
    assert labels("from assets status = re") == ["retired"]
    assert {"Attic", "Cellar"} <= set(labels("from assets room = "))
    assert "serial" in labels("linked assets any (se")
    assert {"overdue", "unassigned", "due"} <= set(labels("checks any ("))
    assert labels("linked") == ["linked assets"]
    assert labels("chec") == ["checks", "checks_done", "checks"]
    fields = {one["name"]: one for one in call(house, "cy", "tql.fields", from_="assets")}
    assert fields["room"]["values"] == ["Attic", "Cellar"]
    assert fields["serial"]["custom"]
    assert "was" not in fields["serial"]["operators"]
    assert "assetsOf(person)" in fields["docked"]["functions"]


def test_an_explanation_tells_of_assets_too(house: World) -> None:
    told = call(house, "bo", "tql.explain", tql="asset = LAP-1 and checks any (mine)", key="WEB-1")
    assert [(part["part"], part["matched"], part["rows"]) for part in told["parts"]] == [
        ("asset = LAP-1", True, 1), ("checks any (mine)", False, 0),
    ]  # fmt: skip
    assert call(house, "bo", "tql.explain", tql="from assets price > 1")["parts"][0]["rows"] == 2
