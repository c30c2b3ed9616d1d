"""What pages begin with: built in, of the org, of a space; who keeps it, and what becomes of its placeholders."""

from typing import Any

import pytest

from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.pages.wiki import page, space

BUILT_IN = ["Meeting notes", "Decision", "Runbook", "Retrospective", "Product requirements", "How-to"]
TEXT = "{{date}} {{ author }} in {{space}}: {{title}} {{ .Values.x }} {{{{}}"


@pytest.fixture(autouse=True)
def handbook(world: World) -> None:
    space(world)


def saved(world: World, who: str = "cy", **more: Any) -> int:
    """The id of a template."""
    found = call(world, who, "pages.template_save", **{"space": "HAND", "name": "Visit", "body": TEXT} | more)
    return max(int(one["id"]) for one in found)


def names(world: World, who: str, **asked: Any) -> list[str]:
    return [one["name"] for one in call(world, who, "pages.templates", **asked)]


def test_a_page_begins_with_what_a_template_says(world: World) -> None:
    ident = saved(world, properties={"by": ["{{author}}", 1], "kind": "visit"}, icon="map")
    made = call(world, "di", "pages.create", space="HAND", title="Ghent {{date}}", template=ident)
    me = call(world, "di", "members.get", id="me")["name"]
    assert made["body"] == f"2027-01-15 {me} in Handbook: Ghent {{{{date}}}} {{{{ .Values.x }}}} {{{{{{{{}}}}"
    assert (made["properties"], made["icon"]) == ({"by": [me, 1], "kind": "visit"}, "map")
    own: dict[str, Any] = {"body": "Mine", "properties": {"kind": "trip"}, "icon": ""}
    made = call(world, "di", "pages.create", space="HAND", title="Bruges", template=ident, **own)
    assert (made["body"], made["properties"]["kind"], made["icon"]) == ("Mine", "trip", None)
    assert (
        call(world, "di", "pages.create", space="HAND", title="Gone", template=ident, body="")["body"] == ""
    )


def test_built_in_ones_are_there_and_stay(world: World) -> None:
    found = call(world, "di", "pages.templates")
    assert [one["name"] for one in found] == BUILT_IN
    assert all(one["built_in"] and one["space"] is None for one in found)
    for one in found:
        made = call(world, "di", "pages.create", space="HAND", title=one["name"], template=one["id"])
        assert "{{" not in made["body"]
        assert made["icon"] == one["icon"]
    for asked in ({"id": 1, "name": "Mine", "body": ""}, {"id": 6, "name": "How-to", "body": ""}):
        with refused("not-allowed"):
            call(world, "ana", "pages.template_save", **asked)
    with refused("not-allowed"):
        call(world, "ana", "pages.template_delete", id=1)
    assert saved(world) > 100


def test_who_manages_a_space_keeps_its_own_and_admins_those_of_all(world: World) -> None:
    seq = world.database.seq
    ident = saved(world)
    assert world.events_since(seq) == [("page_template.saved", "space:HAND")]
    everywhere = saved(world, "ana", space=None, name="Everywhere")
    assert world.events_since(seq)[1:] == [("page_template.saved", "org:1")]
    assert names(world, "di", space="HAND") == ["Everywhere", "Visit", *BUILT_IN]
    for who, one, home in (("di", ident, "HAND"), ("cy", everywhere, None)):
        for more in ({"id": one}, {"space": home}):
            with refused("not-allowed"):
                saved(world, who, **{"space": None, "name": "Another"} | more)
        with refused("not-allowed"):
            call(world, who, "pages.template_delete", id=one)
    assert names(world, "gus") == BUILT_IN
    with refused("not-found"):
        call(world, "gus", "pages.template_delete", id=everywhere)
    call(world, "cy", "spaces.archive", key="HAND", on=True)
    with refused("conflict"):
        saved(world, id=ident)


def test_a_template_changes_field_by_field_and_comes_back(world: World) -> None:
    ident = saved(world, properties={"kind": "visit"}, icon="map")
    seq = world.database.seq
    saved(world, id=ident)
    assert world.events_since(seq) == []
    saved(world, id=ident, name="Trip", body="Anew")
    (one,) = [one for one in call(world, "cy", "pages.templates") if one["id"] == ident]
    assert (one["name"], one["body"], one["icon"]) == ("Trip", "Anew", "map")
    assert one["properties"] == {"kind": "visit"}
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert "Visit" in names(world, "cy")
    assert names(world, "cy") == [
        one["name"] for one in call(world, "cy", "pages.templates") if one["name"] != "Trip"
    ]
    call(world, "cy", "pages.template_delete", id=ident)
    assert names(world, "cy") == BUILT_IN
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert names(world, "cy") == ["Visit", *BUILT_IN]


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"body": "{{tomorrow}}"}, "invalid-input"),
        ({"properties": {"a": [{"b": "{{auhtor}}"}]}}, "invalid-input"),
        ({"properties": {"a": "x" * 70_000}}, "invalid-input"),
        ({"body": "x" * 50_001}, "invalid-input"),
        ({"name": "VISIT"}, "conflict"),
        ({"space": "NONE"}, "not-found"),
        ({"id": 999}, "not-found"),
    ],
)
def test_a_template_that_does_not_fit_is_refused(world: World, asked: dict[str, Any], why: str) -> None:
    saved(world)
    with refused(why):
        saved(world, **{"name": "Another"} | asked)


def test_a_template_of_another_space_is_none(world: World) -> None:
    space(world, key="SEC", name="Secrets", visibility="members")
    ident = saved(world, space="SEC")
    assert names(world, "di") == BUILT_IN
    assert names(world, "cy", space="HAND") == BUILT_IN
    for wrong in (ident, 0, 99, 999):
        with refused("invalid-input"):
            page(world, "Page", template=wrong)
    call(world, "cy", "spaces.archive", key="SEC", on=False)


def test_a_purged_space_leaves_no_template(world: World) -> None:
    saved(world, "ana")
    entry = call(world, "ana", "spaces.delete", key="HAND", confirm_key="HAND")["trash"]
    assert names(world, "cy") == BUILT_IN
    call(world, "ana", "trash.purge", ids=[entry])
    assert world.database.read_now(lambda tx: tx.value("select count(*) from page_template")) == 0
