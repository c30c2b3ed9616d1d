"""Desks and their request types: who sets them up, and what is refused."""

from typing import Any

import pytest

from kbwork.modules.desk import Articles, ArticleText
from tests.conftest import World
from tests.modules.calls import call, call_nobody, refused
from tests.modules.desk.helpdesk import HelpDesk, open_desk


def test_a_project_becomes_a_desk(world: World) -> None:
    seq = world.database.seq
    made = call(world, "ana", "desk.save", project="web", intro="Ask us.")
    assert made == {
        "project": "WEB",
        "name": "Website",
        "intro": "Ask us.",
        "enabled": True,
        "open_signup": False,
        "kb_space": None,
        "show_agents": False,
        "survey": False,
        "reopen_days": None,
        "languages": [],
        "logo": None,
        "reply_to": None,
    }
    assert world.events_since(seq) == [("desk.saved", "project:WEB")]
    assert call(world, "cy", "desk.list") == [made]
    changed = call(
        world, "ana", "desk.save", project="WEB", name="Help", reopen_days=3, languages=["en", "de"]
    )
    assert changed == made | {"name": "Help", "reopen_days": 3, "languages": ["en", "de"]}
    assert call(world, "ana", "desk.save", project="WEB", reopen_days=None)["reopen_days"] is None
    seq = world.database.seq
    call(world, "ana", "desk.save", project="WEB", name="Help")
    assert world.events_since(seq) == []


@pytest.mark.parametrize(
    ("value", "slug"),
    [
        ({"project": "PRV"}, "not-found"),
        ({"project": "WEB", "reply_to": "no address"}, "invalid-input"),
        ({"project": "WEB", "logo": "https://example.com/a.png"}, "invalid-input"),
        ({"project": "WEB", "logo": "/\\example.com/a.png"}, "invalid-input"),
        ({"project": "WEB", "logo": "a_nosuch"}, "invalid-input"),
        ({"project": "WEB", "logo": "//example.com/a.png"}, "invalid-input"),
        ({"project": "WEB", "languages": ["english please"]}, "invalid-input"),
        ({"project": "WEB", "reopen_days": -1}, "invalid-input"),
    ],
)
def test_a_desk_that_does_not_fit_is_refused(world: World, value: dict[str, Any], slug: str) -> None:
    with refused(slug):
        call(world, "ana", "desk.save", **value)


def test_members_and_guests_set_up_none(world: World) -> None:
    for who in ("cy", "gus"):
        with refused("insufficient-scope"):
            call(world, who, "desk.save", project="WEB")
    open_desk(world)
    for op, value in (
        ("desk.list", {}),
        ("desk.request_types", {"project": "WEB"}),
        ("desk.deflection_stats", {"project": "WEB"}),
    ):
        with refused("not-allowed"):
            call(world, "gus", op, **value)


def test_a_form_asks_by_what_was_answered(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    call(world, "ana", "fields.save", key="area", name="Area", kind="select")
    call(world, "ana", "fields.options_set", key="area", options=[{"name": "Order"}, {"name": "Account"}])
    call(world, "ana", "fields.save", key="order_no", name="Order number", kind="text", pattern="[0-9]+")
    kinds = call(
        world,
        "ana",
        "desk.request_type_save",
        project="WEB",
        name="Help with",
        issue_type="task",
        fields=[
            {"field": "area", "label": "What is it about?", "required": True},
            {
                "field": "order_no",
                "required": True,
                "show_if": {"field": "area", "op": "=", "value": "Order"},
            },
            {"field": "description", "required": False},
        ],
    )
    kind = kinds[-1]["id"]
    assert kinds[-1]["fields"][1]["show_if"] == {"field": "area", "op": "=", "value": "Order"}

    def asked(**values: Any) -> list[tuple[str, bool, bool]]:
        found = rita.call("desk.portal_form", type=kind, values=values)["fields"]
        return [(one["key"], one["shown"], one["required"]) for one in found]

    assert asked() == [("area", True, True), ("order_no", False, True), ("description", True, False)]
    assert asked(area="Order")[1] == ("order_no", True, True)
    first = rita.call("desk.portal_form", type=kind)["fields"][0]
    assert first == {
        "key": "area",
        "label": "What is it about?",
        "help": "",
        "kind": "select",
        "required": True,
        "options": ["Order", "Account"],
        "value": None,
        "shown": True,
    }
    with refused("invalid-input") as missing:
        rita.call("desk.portal_create", title="Help", type=kind, values={"area": "Order"})
    assert [one["path"] for one in missing.value.errors] == ["values.order_no"]
    with refused("invalid-input") as wrong:
        rita.call(
            "desk.portal_create", title="Help", type=kind, values={"area": "Order", "order_no": "seven"}
        )
    assert [one["path"] for one in wrong.value.errors] == ["values.order_no"]
    with refused("invalid-input"):
        rita.call("desk.portal_create", title="Help", type=kind, values={"severity": "High"})
    made = rita.call(
        "desk.portal_create", title="Help", type=kind, values={"area": "Account", "order_no": "17"}
    )
    assert call(world, "cy", "issues.get", key=made["key"])["values"] == {"area": "Account"}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"fields": [{"field": "sevirity", "required": True}]}, "no field 'sevirity'"),
        ({"fields": [{"field": "description", "required": True}] * 2}, "asked twice"),
        ({"fields": [{"field": "keeper", "required": True}]}, "No customer can fill in"),
        (
            {
                "fields": [
                    {
                        "field": "description",
                        "required": True,
                        "show_if": {"field": "priority", "op": "=", "value": "high"},
                    }
                ]
            },
            "not asked before",
        ),
        (
            {"fields": [{"field": "priority", "required": True, "show_if": {"role": "admin"}}]},
            "not by roles",
        ),
        ({"issue_type": "bugg"}, "Did you mean"),
        ({"approvers": ["@nobody"]}, "no member"),
        ({"approvers": ["customer:99"]}, "no customer"),
        ({"template": 99}, "no issue template"),
        ({"name": "a QUESTION"}, "already"),
    ],
)
def test_a_request_type_that_does_not_fit_is_refused(world: World, value: dict[str, Any], said: str) -> None:
    open_desk(world)
    call(world, "ana", "fields.save", key="keeper", name="Keeper", kind="member")
    given = {"project": "WEB", "name": "New", "issue_type": "task", "fields": []} | value
    with pytest.raises(Exception, match=said):
        call(world, "ana", "desk.request_type_save", **given)


def test_a_layout_that_asks_what_no_customer_gives_has_no_request_type(world: World) -> None:
    open_desk(world)
    keeper = {"key": "keeper", "name": "Keeper", "kind": "member"}
    call(world, "ana", "fields.save", **keeper)
    layout = {
        "project": "WEB",
        "type": "bug",
        "create": ["keeper"],
        "edit": ["keeper"],
        "required": ["keeper"],
    }
    call(world, "ana", "fields.layout_save", **layout)
    asked = {"project": "WEB", "name": "New", "fields": []}
    seq = world.database.seq
    with refused("invalid-input") as told:
        call(world, "ana", "desk.request_type_save", **asked, issue_type="bug")
    assert [one["path"] for one in told.value.errors] == ["issue_type"]
    assert "Keeper" in told.value.detail
    assert world.events_since(seq) == []
    call(world, "ana", "desk.request_type_save", **asked, issue_type="task")
    call(world, "ana", "fields.save", **keeper, default=world.people["cy"].id)
    call(world, "ana", "desk.request_type_save", **asked | {"name": "Preset"}, issue_type="bug")


def test_a_request_type_goes_and_its_requests_move(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    rita.ask()
    with refused("in-use") as used:
        call(world, "ana", "desk.request_type_delete", id=1)
    assert used.value.extra["uses"] == 1
    left = call(world, "ana", "desk.request_type_delete", id=1, move_to=2)
    assert [one["name"] for one in left] == ["A question"]
    assert rita.call("desk.portal_requests")[0]["request_type"] == "A question"


def test_a_hidden_type_is_not_asked_for_and_its_requests_stay(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    key = rita.ask()
    call(
        world,
        "ana",
        "desk.request_type_save",
        id=1,
        project="WEB",
        name="Something is broken",
        issue_type="bug",
        fields=[],
        hidden=True,
    )
    assert [one["name"] for one in call_nobody(world, "desk.portal_info")[0]["types"]] == ["A question"]
    for op, more in (("desk.portal_form", {}), ("desk.portal_create", {"title": "x"})):
        with refused("not-found"):
            rita.call(op, type=1, **more)
    assert rita.thread(key)["request"]["request_type"] == "Something is broken"


def test_articles_are_read_suggested_and_counted(
    help_desk: HelpDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the module that has pages will declare them."""
    world = help_desk.world
    page = ArticleText(
        id="p_1", title="An empty cart", text="Load it **again**.", excerpt="Load it again.", score=1
    )
    pages = Articles(
        home="kbwork.modules.desk.articles",
        search=lambda tx, space, text, most: [page] if (space, text) == ("HELP", "cart") else [],
        get=lambda tx, space, ident: page if (space, ident) == ("HELP", "p_1") else None,
        any=lambda tx, space: space == "HELP",
    )
    assert world.app is not None
    monkeypatch.setitem(world.app.dispatcher.registry._of, Articles, [pages])
    assert call_nobody(world, "desk.portal_info")[0]["has_articles"] is False
    with refused("not-found"):
        call_nobody(world, "desk.portal_article", id="p_1")
    call(world, "ana", "desk.save", project="WEB", kb_space="HELP")
    assert call_nobody(world, "desk.portal_info")[0]["has_articles"] is True
    suggested = [{"id": "p_1", "title": "An empty cart", "excerpt": "Load it again."}]
    assert call_nobody(world, "desk.portal_suggest", project="web", text="cart") == suggested
    read = {"id": "p_1", "title": "An empty cart", "text": "Load it **again**."}
    assert call_nobody(world, "desk.portal_article", id="p_1") == read
    seq = world.database.seq
    call_nobody(world, "desk.portal_solved", article="p_1", solved=True, text="my cart")
    call_nobody(world, "desk.portal_solved", article="p_1", solved=False)
    assert world.events_since(seq) == [("desk.article_solved", "project:WEB")]
    stats = {"requests": 0, "solved": 1, "top": [["An empty cart", 1]], "viewed": 1}
    assert call(world, "cy", "desk.deflection_stats", project="WEB") == stats
    world.advance(31 * 86400)
    later = world.key("cy").call("desk.deflection_stats", {"project": "WEB"})
    assert (later["viewed"], later["solved"]) == (0, 0)


def test_articles_come_with_pages(help_desk: HelpDesk) -> None:
    world = help_desk.world
    call(world, "ana", "desk.save", project="WEB", kb_space="HELP")
    assert call_nobody(world, "desk.portal_info")[0]["has_articles"] is False
    assert call_nobody(world, "desk.portal_suggest", project="WEB", text="cart") == []
    looked: dict[str, dict[str, Any]] = {
        "desk.portal_article": {"id": "p_1"},
        "desk.portal_solved": {"article": "p_1", "solved": True},
    }
    for op, value in looked.items():
        with refused("not-found"):
            call_nobody(world, op, **value)
    help_desk.rita.ask()
    assert call(world, "cy", "desk.deflection_stats", project="WEB") == {
        "requests": 1,
        "solved": 0,
        "top": [],
        "viewed": 0,
    }


def test_settings_are_taken_back(world: World) -> None:
    before = call(world, "ana", "desk.save", project="WEB", intro="Ask us.", languages=["en"])
    call(world, "ana", "desk.save", project="WEB", name="Help", survey=True, languages=["de"], enabled=False)
    call(world, "ana", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "desk.list") == [before]
    call(world, "ana", "undo.apply", seq=world.database.seq)  # and the other way
    assert call(world, "cy", "desk.list")[0]["survey"] is True


def test_nothing_is_told_of_a_field_that_is_not_asked(help_desk: HelpDesk) -> None:
    """One that the layout may ask for is told once it does, and any other is as one that never was."""
    world, rita = help_desk.world, help_desk.rita
    for key, name in (("churn", "Churn risk"), ("why", "Why so soon")):
        call(world, "ana", "fields.save", key=key, name=name, kind="select", description="CANARY")
        call(world, "ana", "fields.options_set", key=key, options=[{"name": "CANARY"}])
    rule = {"if": {"field": "priority", "op": "=", "value": "urgent"}, "require": ["why"]}
    both = {"create": ["churn", "why"], "edit": ["churn", "why"], "required": []}
    call(world, "ana", "fields.layout_save", project="WEB", type="task", **both, rules=[rule])
    form = {"project": "WEB", "name": "Help with", "issue_type": "task"}
    asked = [{"field": "priority", "required": False}]
    kind = call(world, "ana", "desk.request_type_save", **form, fields=asked)[-1]["id"]

    def refusal(key: str) -> tuple[str, list[Any]]:
        with refused("invalid-input") as told:
            rita.call("desk.portal_form", type=kind, values={key: "CANARY"})
        return told.value.detail.replace(key, ""), [one["allowed"] for one in told.value.errors]

    assert (
        refusal("churn")
        == refusal("never")
        == ("There is no field '' here. Known: priority.", [["priority"]])
    )
    with refused("invalid-input"):
        rita.call("desk.portal_create", title="Help", type=kind, values={"churn": "CANARY"})
    for values, told in (
        ({"why": "CANARY"}, ["priority"]),
        ({"why": "CANARY", "priority": "urgent"}, ["priority", "why"]),
    ):
        found = rita.call("desk.portal_form", type=kind, values=values)["fields"]
        assert [one["key"] for one in found] == told
    key = rita.call("desk.portal_create", title="Help", type=kind, values={"why": "CANARY"})["key"]
    assert call(world, "cy", "issues.get", key=key)["values"] == {}
