"""Search: what is found, in which order, how it is marked, and who finds it."""

from typing import Any

import pytest

from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.test_issues import make


def find(world: World, q: str, who: str = "cy", **more: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call(world, who, "search.query", q=q, **more)["items"]
    return found


def subjects(world: World, q: str, who: str = "cy", **more: Any) -> list[str]:
    return [hit["subject"] for hit in find(world, q, who, **more)]


def comment(world: World, key: str, body: str, who: str = "cy", **more: Any) -> int:
    return int(call(world, who, "comments.create", subject=f"issue:{key}", body=body, **more)["id"])


def test_what_was_written_is_found_by_the_next_call(world: World) -> None:
    key = make(world, title="Cart forgets vouchers", body="Since <b>Tuesday</b> the vouchers are gone.")
    (hit,) = find(world, "VOUCHERS tues")
    assert hit == {
        "subject": "issue:1",
        "kind": "issue",
        "title": f"{key} Cart forgets vouchers",
        "excerpt": "Since &lt;b&gt;<mark>Tuesday</mark>&lt;/b&gt; the <mark>vouchers</mark> are gone.",
        "path": f"/issues/{key}",
        "project": "WEB",
        "space": None,
        "status": "To do",
        "score": hit["score"],
        "updated_at": world.clock.now(),
        "why": "text",
    }
    call(world, "cy", "issues.update", key=key, title="Cart remembers", body="All well")
    assert subjects(world, "vouchers") == []
    assert find(world, "remembers")[0]["why"] == "title"
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert subjects(world, "vouchers") == ["issue:1"]


@pytest.mark.parametrize(
    ("q", "found"),
    [
        ("cafe", ["issue:2"]),
        ("CAFÉ", ["issue:2"]),
        ("blue cart", ["issue:1"]),
        ('"blue cart"', []),
        ('"cart is blue"', ["issue:1"]),
        ("cart -blue", ["issue:3"]),
        ("cart is:done", ["issue:3"]),
        ("cart in:web is:open", ["issue:1"]),
        ("by:@di", ["issue:2"]),
        ("ca", ["issue:3", "issue:2", "issue:1"]),
        ("ca ", []),
        ("colour:blue", []),
        ("nothing like it", []),
        ("is:sideways cart", []),
        ('"', []),
        ("* AND (", []),
    ],
)
def test_words_phrases_and_filters(world: World, q: str, found: list[str]) -> None:
    make(world, title="The cart is blue")
    make(world, "di", title="Café on the corner")
    done = make(world, title="Cart")
    call(world, "cy", "issues.transition", key=done, to_status="done")
    if q == "by:@di":
        q = "corner by:@di"
    assert sorted(subjects(world, q)) == sorted(found)


def test_a_key_comes_first_however_it_is_typed(world: World) -> None:
    first, second = make(world, title="One"), make(world, title="Mentions WEB-1 again")
    for q in (first, "web1", "web 1", " WEB - 1 ".replace(" - ", "-")):
        hits = find(world, q)
        assert (hits[0]["subject"], hits[0]["why"]) == ("issue:1", "key")
    assert subjects(world, first) == ["issue:1", "issue:2"]
    call(world, "cy", "issues.move", keys=[first], project="SEC")
    assert find(world, first)[0]["title"] == "SEC-1 One"
    assert second == "WEB-2"


def test_words_that_nobody_wrote_are_taken_for_the_nearest(world: World) -> None:
    make(world, title="Vouchers in the checkout")
    for q in ("vuochers", "vouchrs", "chekout", "vouchers chekcout"):
        assert subjects(world, q) == ["issue:1"]
    assert "<mark>" not in find(world, "vuochers")[0]["excerpt"]
    assert subjects(world, "xouchers") == []
    assert subjects(world, "zzz") == []


def test_comments_are_found_and_internal_ones_by_no_guest(world: World) -> None:
    key = make(world, title="One")
    call(world, "ana", "projects.member_set", key="WEB", who="@gus", role="viewer")
    open_one = comment(world, key, "The canary sings")
    inner = comment(world, key, "The canary is secret", internal=True)
    assert set(subjects(world, "canary")) == {f"comment:{inner}", f"comment:{open_one}"}
    assert subjects(world, "canary", "gus") == [f"comment:{open_one}"]
    assert subjects(world, "canary", kinds=["issue"]) == []
    (hit,) = find(world, "canary", "gus")
    assert (hit["title"], hit["path"]) == (f"{key} One", f"/issues/{key}#comment-{open_one}")


def test_everybody_finds_what_they_see_and_counts_it_so(world: World) -> None:
    make(world, title="canary")
    make(world, "cy", project="SEC", title="canary")
    make(world, "di", project="PRV", title="canary")
    make(world, "bo", title="canary", level="private")
    found = {who: sorted(subjects(world, "canary", who)) for who in ("ana", "bo", "cy", "di", "gus")}
    assert found == {
        "ana": ["issue:1", "issue:2", "issue:4"],
        "bo": ["issue:1", "issue:2", "issue:4"],
        "cy": ["issue:1", "issue:2"],
        "di": ["issue:1", "issue:3"],
        "gus": [],
    }
    facets = call(world, "cy", "search.query", q="canary")["facets"]
    assert facets == {"kind": {"issue": 2}, "project": {"WEB": 1, "SEC": 1}, "category": {"todo": 2}}
    assert subjects(world, "canary", "cy", project="SEC") == ["issue:2"]
    with refused("not-found"):
        find(world, "canary", project="PRV")


def test_what_is_deleted_archived_or_purged_is_not_found(world: World) -> None:
    key = make(world, title="canary")
    note = comment(world, key, "canary too")
    call(world, "cy", "issues.archive", keys=[key], on=True)
    assert subjects(world, "canary") == []
    assert sorted(subjects(world, "canary is:archived")) == [f"comment:{note}", "issue:1"]
    call(world, "cy", "issues.archive", keys=[key], on=False)
    call(world, "cy", "issues.delete", key=key)
    assert subjects(world, "canary") == []
    call(world, "cy", "trash.restore", ids=[1])
    assert len(subjects(world, "canary")) == 2
    call(world, "bo", "issues.delete", key=key)
    call(world, "bo", "trash.purge", ids=[call(world, "bo", "trash.list")["items"][0]["id"]])
    assert subjects(world, "canary") == []
    eventually(lambda: "canary" not in _indexed(world))


def _indexed(world: World) -> list[str]:
    words: list[str] = world.database.write_now(lambda tx: tx.column("select term from search_word"))
    return words


def test_pages_of_hits_hold_each_once(world: World) -> None:
    for number in range(7):
        make(world, title=f"canary {number}")
        world.clock.advance(1)
    found: list[str] = []
    cursor = None
    while cursor or not found:
        page = call(world, "cy", "search.query", q="canary", limit=3, cursor=cursor)
        found += [hit["subject"] for hit in page["items"]]
        cursor = page["next"]
    assert found == [f"issue:{number}" for number in range(7, 0, -1)]


def test_one_s_own_comes_before_the_rest(world: World) -> None:
    make(world, "di", title="canary")
    make(world, "bo", title="canary")
    assert subjects(world, "canary", "di")[0] == "issue:1"
    assert subjects(world, "canary", "bo")[0] == "issue:2"


def test_the_index_is_made_anew(world: World) -> None:
    key = make(world, title="canary")
    comment(world, key, "canary")
    world.database.write_now(lambda tx: tx.execute("delete from search_text where rowid > 0"))
    assert subjects(world, "canary") == []
    with refused("insufficient-scope"):
        call(world, "cy", "search.reindex")
    job = call(world, "bo", "search.reindex")["job"]
    eventually(lambda: bool(call(world, "bo", "jobs.get", id=job)["ended_at"]))
    assert len(subjects(world, "canary")) == 2


# suggestions and what was looked at


def suggest(world: World, q: str, who: str = "cy", **more: Any) -> list[tuple[str, str]]:
    found = call(world, who, "search.suggest", q=q, **more)
    return [(one["kind"], one["id"]) for one in found if one["kind"] != "command"]


def test_the_palette_suggests_issues_projects_people_and_operations(world: World) -> None:
    make(world, title="Secure the cart")
    make(world, project="SEC", title="Secure the door")
    call(world, "cy", "issues.transition", key="SEC-1", to_status="done")
    assert suggest(world, "sec") == [("issue", "WEB-1"), ("issue", "SEC-1"), ("project", "SEC")]
    assert suggest(world, "sec", context="issue:SEC-1")[0] == ("issue", "SEC-1")
    assert suggest(world, "sec", "gus") == []
    assert suggest(world, "web1")[0] == ("issue", "WEB-1")
    assert suggest(world, "tran") == [("member", world.people["bo"].id)]
    assert suggest(world, " ") == []
    commands = [
        one["id"] for one in call(world, "cy", "search.suggest", q="issues cre") if one["kind"] == "command"
    ]
    assert commands == ["issues.create", "issues.create_tree"]
    assert len(call(world, "cy", "search.suggest", q="s", limit=3)) == 3


def test_what_one_looked_at_or_changed_last_comes_first(world: World) -> None:
    keys = [make(world, "bo", title=f"Number {n}") for n in range(3)]
    world.clock.advance(60)
    call(world, "cy", "activity.seen", subject=f"issue:{keys[0]}")
    world.clock.advance(60)
    call(world, "cy", "issues.update", key=keys[2], title="Mine")
    found = call(world, "cy", "search.recent")
    assert [(hit["subject"], hit["why"]) for hit in found] == [("issue:3", "recent"), ("issue:1", "recent")]
    call(world, "bo", "issues.level_set", key=keys[0], level="private")
    assert [hit["subject"] for hit in call(world, "cy", "search.recent")] == ["issue:3"]


# likeness


def test_issues_that_say_the_same_are_found_before_they_are_made(world: World) -> None:
    make(world, title="Cart forgets vouchers at sign-in", body="They are gone")
    make(world, title="The door squeaks")
    make(world, "di", project="PRV", title="Cart forgets vouchers")
    found = call(world, "cy", "issues.similar", title="vouchers forgotten by the cart")
    assert [(one["issue"]["key"], one["score"]) for one in found] == [("WEB-1", 0.6667)]
    twin = make(world, title="Vouchers vanish from the cart")
    found = call(world, "cy", "issues.similar", key=twin)
    assert [one["issue"]["key"] for one in found] == ["WEB-1"]
    assert call(world, "cy", "issues.similar", title="zzz") == []
    for bad in ({}, {"key": twin, "title": "x"}):
        with refused("invalid-input"):
            call(world, "cy", "issues.similar", **bad)


def test_what_mentions_an_issue_is_listed_under_former_keys_too(world: World) -> None:
    key = make(world, title="One")
    make(world, title="Two", body=f"As in {key}, and not in {key}1 or X{key}.")
    make(world, title="Three", body=f"{key}1 only")
    make(world, "di", project="PRV", title="Hidden", body=key)
    said = comment(world, "WEB-3", f"see ({key})")
    call(world, "cy", "issues.move", keys=[key], project="SEC")
    make(world, title="Four", body="Now SEC-1")
    found = call(world, "cy", "issues.backlinks", key="SEC-1")
    assert {one["subject"] for one in found} == {"issue:5", f"comment:{said}", "issue:2"}
    assert f"As in {key}" in next(one["excerpt"] for one in found if one["subject"] == "issue:2")
