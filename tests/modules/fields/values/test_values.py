"""Values of fields: what each kind takes, what is kept, and what somebody sees of it."""

import typing
import unicodedata
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kbwork.base.errors import InvalidInput
from kbwork.db.tx import Read, Write
from kbwork.modules import fields
from kbwork.modules.fields.model import COMPUTED, Kind
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.fields.sample_values import acting, field, issue, looking, place, put, values

SIMPLE = (
    "text",
    "paragraph",
    "url",
    "number",
    "money",
    "bool",
    "date",
    "datetime",
    "duration",
    "rating",
    "member",
    "members",
    "team",
    "issue",
)

GOOD: list[tuple[str, Any, Any]] = [
    ("text", "  a word ", "a word"),
    ("text", "e\u0301", "\u00e9"),
    ("paragraph", "# Head\n\nbody ", "# Head\n\nbody "),
    ("url", "https://example.com/a?b#c", "https://example.com/a?b#c"),
    ("url", "http://localhost:80", "http://localhost:80"),
    ("number", 3, 3),
    ("number", 3.0, 3),
    ("number", -0.25, -0.25),
    ("number", 0, 0),
    ("money", {"amount": 12.5, "currency": "eur"}, {"amount": 12.5, "currency": "EUR"}),
    ("money", {"amount": 0, "currency": "USD"}, {"amount": 0, "currency": "USD"}),
    ("bool", True, True),
    ("bool", False, False),
    ("date", "2026-02-28", "2026-02-28"),
    ("datetime", 0, 0),
    ("datetime", 1_800_000_000.0, 1_800_000_000),
    ("duration", 0, 0),
    ("duration", 90, 90),
    ("rating", 5, 5),
    ("select", "high", "High"),
    ("select", "  LOW ", "Low"),
    ("multi_select", ["web", "iOS"], ["iOS", "web"]),
    ("multi_select", ["web", "WEB"], ["web"]),
    ("cascade", ["eu"], ["EU"]),
    ("cascade", ["EU", "Berlin"], ["EU", "Berlin"]),
    ("cascade", ["US", "Berlin"], ["US", "Berlin"]),
    ("team", 1, 1),
    ("team", "team:1", 1),
    ("issue", "web-2", "WEB-2"),
    ("issue", "issue:WEB-2", "WEB-2"),
]
ONE_WORLD = (
    HealthCheck.function_scoped_fixture,
    HealthCheck.too_slow,
)  # each example finds what the last one left
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(10**300, 10**400)
    | st.floats(allow_nan=False)
    | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["amount", "currency", "x"]), inner)
    ),
    max_leaves=5,
)
BAD: list[tuple[str, Any]] = [
    ("text", 3),
    ("text", "x" * 4001),
    ("text", "a\0b"),
    ("paragraph", ["x"]),
    ("url", "ftp://example.com"),
    ("url", "https://"),
    ("url", "javascript:alert(1)"),
    ("url", "https://a b"),
    ("url", "http://[::1"),
    ("url", 3),
    ("number", "3"),
    ("number", True),
    ("number", 1e16),
    ("number", {}),
    ("money", 3),
    ("money", {"amount": 3}),
    ("money", {"amount": "3", "currency": "EUR"}),
    ("money", {"amount": 3, "currency": "EURO"}),
    ("money", {"amount": 3, "currency": "EUR", "more": 1}),
    ("bool", 1),
    ("bool", "true"),
    ("date", "2026-02-29"),
    ("date", "2026-2-1"),
    ("date", 20260201),
    ("datetime", "2026-02-28T00:00:00Z"),
    ("datetime", -1),
    ("datetime", 1.5),
    ("duration", -1),
    ("duration", 0.5),
    ("rating", 0),
    ("rating", 6),
    ("rating", 4.5),
    ("rating", True),
    ("select", "Hihg"),
    ("select", ["High"]),
    ("select", 900),
    ("select", True),
    ("multi_select", "web"),
    ("multi_select", ["web", "desktop"]),
    ("multi_select", [None]),
    ("cascade", "EU"),
    ("cascade", ["Berlin"]),
    ("cascade", ["EU", "Boston"]),
    ("member", "@nobody"),
    ("member", 3),
    ("member", ["@cy"]),
    ("members", "@cy"),
    ("members", ["@cy", 3]),
    ("team", 900),
    ("team", "Shop"),
    ("team", True),
    ("issue", "WEB-900"),
    ("issue", 1),
    ("issue", "PRV-1"),
    ("page", "abc"),
    ("asset", "LAP-1"),
    ("formula", 3),
    ("rollup", 3),
]


@pytest.fixture
def at_work(world: World) -> World:
    """A field of every kind, called as its kind; WEB-1 is there to have values."""
    for kind in (*SIMPLE, "page", "asset"):
        field(world, f"my_{kind}", kind)
    for kind in ("formula", "rollup"):
        field(world, f"my_{kind}", kind, formula="estimate * 2")
    field(world, "my_select", "select", ["High", "Low"])
    field(world, "my_multi_select", "multi_select", ["iOS", "web", "Android"])
    field(world, "my_cascade", "cascade")
    tree = [
        {"name": "EU"},
        {"name": "Berlin", "parent": "EU"},
        {"name": "US"},
        {"name": "Berlin", "parent": "US"},
        {"name": "Boston", "parent": "US"},
    ]
    call(world, "bo", "fields.options_set", key="my_cascade", options=tree)
    call(world, "bo", "teams.save", name="Shop")
    issue(world)
    issue(world, title="Two")
    call(world, "di", "issues.create", project="PRV", title="Di's own")
    return world


def kept(world: World, who: str = "cy") -> dict[str, Any]:
    """The values of WEB-1 without the computed fields, which are there always."""
    found = values(world, "WEB-1", who)
    assert (found.pop("my_formula"), found.pop("my_rollup")) == (None, None)
    return found


def test_a_value_of_each_kind_is_kept_and_cleared(at_work: World) -> None:
    cy = at_work.people["cy"].id
    di = at_work.people["di"].id
    people: list[tuple[str, Any, Any]] = [
        ("member", "me", cy),
        ("member", "@di", di),
        ("members", ["@di", "me", di], [di, cy]),
    ]
    for kind, value, shown in (*GOOD, *people):
        key = f"my_{kind}"
        put(at_work, "WEB-1", {key: value})
        assert kept(at_work) == {key: shown}, (kind, value)
        assert put(at_work, "WEB-1", {key: value}) == {}, (kind, value)
        put(at_work, "WEB-1", {key: None})
        assert kept(at_work) == {}, (kind, value)


@pytest.mark.parametrize(
    ("kind", "empty"),
    [
        ("text", ""),
        ("text", "  "),
        ("paragraph", "\n"),
        ("url", ""),
        ("date", ""),
        ("select", ""),
        ("member", ""),
        ("issue", ""),
        ("multi_select", []),
        ("members", []),
        ("cascade", []),
    ],
)
def test_what_is_empty_is_no_value(at_work: World, kind: str, empty: object) -> None:
    assert put(at_work, "WEB-1", {f"my_{kind}": empty}) == {}
    assert kept(at_work) == {}


def test_what_does_not_fit_its_kind_is_refused_at_its_key(at_work: World) -> None:
    for kind, value in BAD:
        key = f"my_{kind}"
        with pytest.raises(InvalidInput) as refusal:
            put(at_work, "WEB-1", {key: value})
        assert [error["path"] for error in refusal.value.extra["errors"]] == [f"values.{key}"], (kind, value)
    assert kept(at_work) == {}


def test_all_that_does_not_fit_is_named_at_once(at_work: World) -> None:
    with pytest.raises(InvalidInput) as refusal:
        put(at_work, "WEB-1", {"my_number": "x", "my_text": "fits", "severity": 1, "my_rating": 9})
    paths = [error["path"] for error in refusal.value.extra["errors"]]
    assert paths == ["values.my_number", "values.severity", "values.my_rating"]


def test_an_unknown_key_or_option_names_the_nearest(at_work: World) -> None:
    for value, says in (({"my_slect": "High"}, "my_select"), ({"my_select": "Hgih"}, "'High'")):
        with pytest.raises(InvalidInput) as refusal:
            put(at_work, "WEB-1", value)
        assert f"Did you mean {says}?" in refusal.value.detail


def test_a_field_is_known_by_key_name_and_id_and_is_given_once(at_work: World) -> None:
    for name in ("my_number", "MY_NUMBER", "my NUMBER", "4"):
        put(at_work, "WEB-1", {name: 7})
        assert kept(at_work) == {"my_number": 7}, name
        put(at_work, "WEB-1", {name: None})
    with pytest.raises(InvalidInput):
        put(at_work, "WEB-1", {"my_number": 7, "My number": 8})


def test_an_option_is_known_by_its_id(at_work: World) -> None:
    options = {
        option["name"]: option["id"]
        for option in call(at_work, "cy", "fields.get", key="my_select")["options"]
    }
    for ref in (options["Low"], str(options["Low"])):
        put(at_work, "WEB-1", {"my_select": ref})
        assert kept(at_work) == {"my_select": "Low"}
        put(at_work, "WEB-1", {"my_select": None})


def test_an_archived_option_stays_where_it_is_and_is_not_chosen_anew(at_work: World) -> None:
    put(at_work, "WEB-1", {"my_select": "Low", "my_multi_select": ["web"]})
    call(
        at_work,
        "bo",
        "fields.options_set",
        key="my_select",
        options=[{"name": "High"}, {"name": "Low", "archived": True}],
    )
    shown = [{"name": "iOS"}, {"name": "web", "archived": True}, {"name": "Android"}]
    call(at_work, "bo", "fields.options_set", key="my_multi_select", options=shown)
    assert put(at_work, "WEB-1", {"my_select": "Low", "my_multi_select": ["web", "iOS"]}) == {
        "values.my_multi_select": (["web"], ["iOS", "web"])
    }
    for key, value in (("my_select", "Low"), ("my_multi_select", ["web"])):
        with pytest.raises(InvalidInput) as refusal:
            put(at_work, "WEB-2", {key: value})
        assert "web" not in refusal.value.extra["errors"][0]["allowed"]


def test_who_left_stays_and_is_not_chosen_anew(at_work: World) -> None:
    di = at_work.people["di"].id
    put(at_work, "WEB-1", {"my_member": "@di", "my_members": ["@di"]})
    call(at_work, "ana", "members.deactivate", id="@di", on=True)
    assert put(at_work, "WEB-1", {"my_member": di, "my_members": [di, "me"]}) == {
        "values.my_members": ([di], [di, at_work.people["cy"].id])
    }
    with pytest.raises(InvalidInput):
        put(at_work, "WEB-2", {"my_member": di})


def test_a_change_tells_both_sides_as_they_are_shown(at_work: World) -> None:
    put(
        at_work,
        "WEB-1",
        {"my_select": "High", "my_money": {"amount": 5, "currency": "EUR"}, "my_cascade": ["EU", "Berlin"]},
    )
    changes = put(
        at_work,
        "WEB-1",
        {
            "my_select": "Low",
            "my_money": {"amount": 5, "currency": "USD"},
            "my_cascade": ["US"],
            "my_bool": False,
            "my_paragraph": "Some words",
        },
    )
    assert changes == {
        "values.my_select": ("High", "Low"),
        "values.my_money": ({"amount": 5, "currency": "EUR"}, {"amount": 5, "currency": "USD"}),
        "values.my_cascade": (["EU", "Berlin"], ["US"]),
        "values.my_bool": (None, False),
        "values.my_paragraph": {"from_size": 0, "to_size": 10, "revision": None},
    }
    assert kept(at_work) == {
        "my_select": "Low",
        "my_money": {"amount": 5, "currency": "USD"},
        "my_cascade": ["US"],
        "my_bool": False,
        "my_paragraph": "Some words",
    }


def test_a_change_does_not_tell_personal_values_and_references(at_work: World) -> None:
    field(at_work, "phone", "text", personal=True)
    assert put(at_work, "WEB-1", {"phone": "555", "my_issue": "WEB-2"}) == {
        "values.phone": (None, None),
        "values.my_issue": (None, None),
    }


def test_an_issue_that_one_does_not_see_is_not_named(at_work: World) -> None:
    put(at_work, "WEB-1", {"my_issue": "PRV-1"}, who="di")
    assert kept(at_work, "di") == {"my_issue": "PRV-1"}
    assert kept(at_work, "cy") == {}
    assert kept(at_work, "ana") == {}


def test_options_are_shown_by_their_present_names(at_work: World) -> None:
    put(at_work, "WEB-1", {"my_select": "High"})
    options = call(at_work, "cy", "fields.get", key="my_select")["options"]
    wanted = [{"id": option["id"], "name": f"{option['name']}est"} for option in options]
    call(at_work, "bo", "fields.options_set", key="my_select", options=wanted)
    assert kept(at_work) == {"my_select": "Highest"}


@pytest.mark.parametrize(
    ("kind", "limits", "good", "bad"),
    [
        ("number", {"min": -1, "max": 2.5}, [-1, 0, 2.5], [-1.01, 3]),
        ("duration", {"max": 60}, [0, 60], [61]),
        ("money", {"min": 1}, [{"amount": 1, "currency": "EUR"}], [{"amount": 0.5, "currency": "EUR"}]),
        ("text", {"min": 2, "max": 3}, ["ab", "abc"], ["a", "abcd"]),
        ("text", {"pattern": "^[A-Z]{2}-\\d+$"}, ["AB-12"], ["ab-12", "AB-12 ", "xAB-12"][:1]),
        ("paragraph", {"pattern": "steps"}, ["the steps\nare"], ["nothing"]),
        ("url", {"pattern": "^https://git\\."}, ["https://git.example/a"], ["https://example.com"]),
    ],
)
def test_limits_are_asked_of_what_is_given(
    world: World, kind: str, limits: dict[str, Any], good: list[Any], bad: list[Any]
) -> None:
    field(world, "limited", kind, **limits)
    issue(world)
    for value in good:
        put(world, "WEB-1", {"limited": value})
    for value in bad:
        with pytest.raises(InvalidInput):
            put(world, "WEB-1", {"limited": value})


def test_a_field_that_is_not_laid_out_takes_no_value_and_hides_what_is_there(at_work: World) -> None:
    put(at_work, "WEB-1", {"my_number": 7, "my_text": "a"})
    task = {"project": "WEB", "type": "task", "required": []}
    call(at_work, "bo", "fields.layout_save", **task, create=["my_text"], edit=["my_text", "my_bool"])
    assert values(at_work, "WEB-1") == {"my_text": "a"}
    with pytest.raises(InvalidInput):
        put(at_work, "WEB-1", {"my_number": 8})
    put(at_work, "WEB-1", {"my_bool": True})
    call(at_work, "bo", "fields.layout_save", **task, create=[], edit=["my_number", "my_bool"])
    assert values(at_work, "WEB-1") == {"my_number": 7, "my_bool": True}
    assert put(at_work, "WEB-1", {"my_text": None}) == {"values.my_text": ("a", None)}
    with pytest.raises(InvalidInput):
        put(at_work, "WEB-1", {"my_text": None})


def test_fields_are_for_projects_and_types(world: World) -> None:
    field(world, "web_only", "text", projects=["WEB"])
    field(world, "bugs_only", "text", types=["Bug"])
    issue(world)
    issue(world, project="SEC")
    issue(world, type="bug")
    for key, taken in (("WEB-1", {"web_only"}), ("SEC-1", set()), ("WEB-2", {"web_only", "bugs_only"})):
        for name in ("web_only", "bugs_only"):
            if name in taken:
                put(world, key, {name: "x"})
            else:
                with pytest.raises(InvalidInput):
                    put(world, key, {name: "x"})


def test_many_values_keep_their_rows(at_work: World) -> None:
    def rows() -> list[tuple[int, Any]]:
        found = looking(
            at_work,
            "cy",
            lambda tx: tx.all("select position, value from issue_value order by position"),
        )
        return [(row["position"], row["value"]) for row in found]

    put(at_work, "WEB-1", {"my_multi_select": ["iOS", "web"]})
    before = dict(rows())
    put(at_work, "WEB-1", {"my_multi_select": ["Android", "web"]})
    after = dict(rows())
    assert sorted(after) == [1, 2]
    assert after[1] == before[1]
    assert kept(at_work) == {"my_multi_select": ["web", "Android"]}
    assert put(at_work, "WEB-1", {"my_multi_select": ["Android", "web"]}) == {}


def test_moving_drops_what_the_target_does_not_know(at_work: World) -> None:
    field(at_work, "web_only", "text", projects=["WEB"])
    put(at_work, "WEB-1", {"web_only": "x", "my_number": 7})

    def move(tx: Write) -> Any:
        row = place(tx, "WEB-1")
        sec = tx.value("select id from project where key = 'SEC'")
        dropped = fields.drop_unknown(tx, row["id"], sec, row["type"])
        return dropped, fields.held(tx, row["id"]).values()

    dropped, left = acting(at_work, "cy", move)
    assert (dropped.names, dropped.changes) == (["Web only"], {"values.web_only": ("x", None)})
    assert [value for each in left for value in each] == [(7, None)]


def test_defaults_fill_what_is_not_named(at_work: World) -> None:
    field(at_work, "risk", "select", ["Low", "High"])
    call(at_work, "bo", "fields.save", key="risk", name="Risk", kind="select", default="low")
    field(at_work, "hours", "number", default=8)
    field(at_work, "owner", "member", default="@di")

    def made(given: dict[str, Any]) -> dict[str, Any]:
        def make(tx: Write) -> dict[str, Any]:
            row = place(tx, "WEB-2")
            wanted = fields.resolve(tx, row["project"], row["type"], given)
            wanted = fields.defaults(tx, row["project"], row["type"], wanted)
            fields.write(tx, row["id"], wanted)
            found = fields.values_of(tx, [row["id"]])[row["id"]]
            fields.write(tx, row["id"], {ident: [] for ident in wanted})
            return {key: found.get(key) for key in ("risk", "hours", "owner")}

        return acting(at_work, "cy", make)

    di = at_work.people["di"].id
    assert made({}) == {"risk": "Low", "hours": 8, "owner": di}
    assert made({"risk": "High", "hours": None}) == {"risk": "High", "hours": None, "owner": di}
    call(
        at_work,
        "bo",
        "fields.options_set",
        key="risk",
        options=[{"name": "Low", "archived": True}, {"name": "High"}],
    )
    call(at_work, "ana", "members.deactivate", id="@di", on=True)
    assert made({}) == {"risk": None, "hours": 8, "owner": None}


def test_a_field_in_the_trash_hides_its_values_and_undo_brings_them_back(at_work: World) -> None:
    put(at_work, "WEB-1", {"my_number": 7})
    seq = at_work.database.seq
    left = call(at_work, "bo", "fields.delete", key="my_number")
    assert "my_number" not in [each["key"] for each in left]
    assert kept(at_work) == {}
    with pytest.raises(InvalidInput):
        put(at_work, "WEB-1", {"my_number": 8})
    call(at_work, "bo", "undo.apply", seq=seq + 1)
    assert kept(at_work) == {"my_number": 7}


def test_values_of_many_issues_are_asked_at_once(at_work: World, monkeypatch: pytest.MonkeyPatch) -> None:
    put(at_work, "WEB-1", {"my_issue": "WEB-2", "my_select": "High", "my_text": "a"})
    put(at_work, "WEB-2", {"my_issue": "WEB-1", "my_select": "Low"})

    def look(tx: Read) -> tuple[list[dict[str, Any]], int]:
        idents = [place(tx, key)["id"] for key in ("WEB-1", "WEB-2")]
        fields.values_of(tx, idents)
        asked: list[str] = []
        run = tx._run

        def counted(sql: str, binds: dict[str, Any]) -> list[tuple[Any, ...]]:
            asked.append(sql)
            return run(sql, binds)

        monkeypatch.setattr(tx, "_run", counted)
        found = fields.values_of(tx, idents)
        return list(found.values()), len(asked)

    found, queries = looking(at_work, "cy", look)
    assert [each["my_issue"] for each in found] == ["WEB-2", "WEB-1"]
    computed = len(COMPUTED)
    assert (
        queries <= 3 + computed
    )  # the values, the keys of issues, the issues' projects and types; each formula


@settings(max_examples=60, suppress_health_check=ONE_WORLD)
@given(data=st.data())
def test_whatever_is_kept_reads_as_it_was_given(at_work: World, data: st.DataObject) -> None:
    number = st.one_of(st.integers(-(10**15), 10**15), st.floats(-1e15, 1e15, allow_nan=False))
    words = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1).filter(
        lambda text: text == unicodedata.normalize("NFC", text)
    )
    wanted = data.draw(
        st.fixed_dictionaries(
            {},
            optional={
                "my_text": words,
                "my_number": number,
                "my_money": st.fixed_dictionaries(
                    {"amount": number, "currency": st.sampled_from(["EUR", "JPY"])}
                ),
                "my_bool": st.booleans(),
                "my_date": st.dates().map(str),
                "my_datetime": st.integers(0, 253_402_300_799),
                "my_rating": st.integers(1, 5),
                "my_select": st.sampled_from(["High", "Low"]),
                "my_cascade": st.sampled_from([["EU"], ["EU", "Berlin"], ["US", "Boston"]]),
            },
        )
    )
    put(at_work, "WEB-1", wanted)
    assert kept(at_work) == wanted
    put(at_work, "WEB-1", dict.fromkeys(wanted))
    assert kept(at_work) == {}


@settings(max_examples=100, suppress_health_check=ONE_WORLD)
@given(value=JSON)
def test_whatever_is_given_is_taken_or_refused(at_work: World, value: Any) -> None:
    def give(tx: Read) -> list[str]:
        row = place(tx, "WEB-1")
        refused = []
        for kind in typing.get_args(Kind):
            try:
                fields.resolve(tx, row["project"], row["type"], {f"my_{kind}": value})
            except InvalidInput as refusal:
                refused.append(refusal.extra["errors"][0]["path"])
        return refused

    assert set(looking(at_work, "cy", give)) <= {f"values.my_{kind}" for kind in typing.get_args(Kind)}


def test_many_wrong_values_are_told_as_far_as_twenty(at_work: World) -> None:
    with pytest.raises(InvalidInput) as refusal:
        put(at_work, "WEB-1", {f"none_{number}": 1 for number in range(1000)})
    assert len(refusal.value.extra["errors"]) == 20
