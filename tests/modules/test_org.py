"""The org: its settings, modules, banner, logo and usage."""

import base64
from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from tests.conftest import NOW, World
from tests.modules.calls import call, call_nobody, eventually, refused
from tests.modules.workflows.sample_workflows import LANES, flow

GIF = base64.b64encode(b"GIF89a" + b"\0" * 20).decode()


def test_everybody_sees_the_org_and_guests_less_of_it(world: World) -> None:
    call(
        world,
        "bo",
        "org.update",
        legal={"imprint": "https://acme.example/imprint"},
        allowed_files=[".PDF", ".pdf"],
    )
    seen = call(world, "cy", "org.get")
    modules = seen.pop("modules")
    assert modules["labels"] is True
    assert seen == {
        "name": "Acme",
        "slug": "acme",
        "logo": None,
        "zone": "UTC",
        "locale": "en",
        "plan": "self-hosted",
        "default_role": "member",
        "guests": True,
        "public_links": True,
        "week_start": 1,
        "retention": {"audit_days": 365, "trash_days": 30, "events_days": 365, "attachments_days": None},
        "issue_defaults": {},
        "allowed_files": [".pdf"],
        "banner": None,
        "legal": {"imprint": "https://acme.example/imprint"},
        "created_at": NOW,
    }
    guest = call(world, "gus", "org.get")
    assert (guest["name"], guest["retention"], guest["legal"], guest["allowed_files"]) == ("Acme", {}, {}, [])


def test_an_admin_changes_settings_and_all_else_stays(world: World) -> None:
    seq = world.database.seq
    changed = call(
        world, "bo", "org.update", zone="Europe/Berlin", retention={"trash_days": 60, "audit_days": None}
    )
    assert changed["zone"] == "Europe/Berlin"
    assert changed["retention"] == {
        "audit_days": None,
        "trash_days": 60,
        "events_days": 365,
        "attachments_days": None,
    }
    assert world.events_since(seq) == [("org.updated", "org:1")]
    (event,) = call(world, "gus", "api.changes", since=seq)["events"]
    assert event["payload"]["changes"]["zone"] == {"from": "UTC", "to": "Europe/Berlin"}
    seq = world.database.seq
    call(world, "bo", "org.update", zone="Europe/Berlin")
    assert world.events_since(seq) == []
    call(world, "bo", "undo.apply", seq=seq)
    assert call(world, "cy", "org.get")["zone"] == "UTC"
    with refused("insufficient-scope"):
        call(world, "cy", "org.update", name="Mine")


@pytest.mark.parametrize(
    "value",
    [
        {"zone": "Europe/Berlim"},
        {"locale": "!"},
        {"week_start": 7},
        {"slug": "No Slug"},
        {"default_role": "admin"},
        {"retention": {"trash_days": 0}},
        {"issue_defaults": {"types": ["bugg"]}},
        {"issue_defaults": {"workflow": 99}},
        {"name": " "},
    ],
)
def test_a_setting_that_does_not_fit_is_refused(world: World, value: dict[str, Any]) -> None:
    with refused("invalid-input"):
        world.session("bo").call("org.update", value)


def test_an_unknown_zone_is_refused_with_the_nearest(world: World) -> None:
    with pytest.raises(Exception, match="Europe/Berlin"):
        call(world, "bo", "org.update", zone="Europe/Berlim")


def test_defaults_for_new_projects_are_merged(world: World) -> None:
    call(world, "bo", "org.update", issue_defaults={"visibility": "members", "types": ["bug"]})
    changed = call(world, "bo", "org.update", issue_defaults={"visibility": None})
    assert changed["issue_defaults"] == {"types": ["bug"]}


def test_new_projects_move_along_the_default_workflow_which_is_in_force(world: World) -> None:
    bo = world.session("bo")
    draft = bo.call("workflows.save", flow(name="Later") | {"draft": True})["id"]
    with pytest.raises(KbworkProblem) as refusal:
        call(world, "bo", "org.update", issue_defaults={"workflow": draft})
    assert refusal.value.errors[0]["path"] == "issue_defaults.workflow"
    flowing = bo.call("workflows.save", flow(name="Soon"))["id"]
    call(world, "bo", "org.update", issue_defaults={"workflow": flowing})
    call(world, "bo", "projects.create", key="NEW", name="New")
    assert [row["key"] for row in call(world, "bo", "lanes.list", project="NEW")] == LANES


def test_a_module_that_is_off_hides_its_operations(world: World) -> None:
    seq = world.database.seq
    changed = call(world, "bo", "org.modules_set", off=["labels"])
    assert changed["modules"]["labels"] is False
    assert world.events_since(seq) == [("org.modules_changed", "org:1")]
    with refused("not-found"):
        call(world, "cy", "labels.list")
    with refused("unauthenticated"):
        call_nobody(world, "labels.list")
    seq = world.database.seq
    assert call(world, "bo", "org.modules_set", on=["labels", "issues"])["modules"]["labels"] is True
    assert call(world, "cy", "labels.list") == []
    assert world.events_since(seq) == [("org.modules_changed", "org:1")]
    for value in ({"off": ["issues"]}, {"off": ["lables"]}, {"on": ["labels"], "off": ["labels"]}):
        with refused("invalid-input"):
            world.session("bo").call("org.modules_set", value)
    assert call(world, "cy", "labels.list") == []


def test_a_banner_is_shown_changed_and_goes_by_itself(world: World) -> None:
    with refused("invalid-input"):
        call(world, "bo", "org.banner_set", level="warning")
    seq = world.database.seq
    call(world, "bo", "org.banner_set", text="We move on Sunday.", until=NOW + 60)
    assert call(world, "gus", "org.get")["banner"] == {
        "text": "We move on Sunday.",
        "level": "info",
        "until": NOW + 60,
    }
    changed = call(world, "bo", "org.banner_set", level="warning")["banner"]
    assert changed == {"text": "We move on Sunday.", "level": "warning", "until": NOW + 60}
    with refused("invalid-input"):
        call(world, "bo", "org.banner_set", text="x", until=NOW)
    world.advance(61)
    eventually(lambda: call(world, "cy", "org.get")["banner"] is None)
    assert world.events_since(seq) == [("org.banner_set", "org:1")] * 3
    call(world, "bo", "org.banner_set", text="again")
    assert call(world, "bo", "org.banner_set", text="")["banner"] is None


def test_a_logo_is_a_picture_and_its_address_changes_with_it(world: World) -> None:
    seq = world.database.seq
    logo = call(world, "bo", "org.logo_set", data=GIF)["logo"]
    assert logo.startswith("/logo?v=")
    assert call(world, "bo", "org.logo_set", data=GIF, dark=True)["logo"] == logo
    assert world.events_since(seq) == [("org.updated", "org:1")] * 2
    with refused("invalid-input"):
        call(world, "bo", "org.logo_set", data="PHN2Zz4=")
    assert call(world, "bo", "org.logo_set", data=None)["logo"] is None


def test_usage_counts_calls_of_keys_by_month(world: World) -> None:
    world.database.write_now(lambda tx: tx.execute("insert into key_calls values ('k_old', '2026-12', 7)"))
    usage = call(world, "bo", "org.usage", months=2)
    assert [month["month"] for month in usage["months"]] == ["2027-01", "2026-12"]
    assert [month["machine_calls"] for month in usage["months"]] == [0, 7]
    assert (usage["months"][0]["people"], usage["months"][0]["storage_bytes"] > 0) == (5, True)
    assert (usage["limits"], usage["by_key"]) == ({}, [{"key": "k_old", "name": "", "calls": 7}])
    with refused("insufficient-scope"):
        call(world, "cy", "org.usage")
