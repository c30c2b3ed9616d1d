"""Search: what is found, in which order, how it is marked, and who finds it."""

import random
from typing import Any

import pytest

from kbwork.app import registry
from kbwork.core.jobs.kinds import RunningJob
from kbwork.db.deadline import within_deadline
from kbwork.db.tx import OverBudget, Write
from kbwork.modules.search import reindex, typos
from kbwork.modules.search.excerpts import SearchedWords, excerpt
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.issues.test_issues import make
from tests.modules.pages.wiki import page, space


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
        "within": None,
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
        ("* NOT NEITHER (", []),
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


def test_what_has_the_name_of_others_tells_where_it_belongs(world: World) -> None:
    """Files what they hang on, pages the one above them, if one sees that, and else their space."""
    keys = [make(world, title=title) for title in ("Basket", "Checkout")]
    comment(world, keys[1], "See there")
    for subject in (*keys, "comment:1"):
        call(world, "cy", "attachments.add", subject=subject, name="report.txt", data="YQ==")
    assert sorted(hit["within"] for hit in find(world, "report.txt")) == [
        "WEB-1 Basket",
        "WEB-2 Checkout",
        "WEB-2 Checkout",
    ]
    space(world)
    above = page(world, "Secret", draft=True)
    below = page(world, "Minutes", parent=above)
    page(world, "Minutes")
    call(world, "cy", "attachments.add", subject=f"page:{below}", name="Minutes.txt", data="YQ==")
    call(world, "cy", "access.grant_set", subject="space:HAND", who="@gus", level="view")
    for who, places in (("cy", ["Handbook", "Secret"]), ("gus", ["Handbook", "Handbook"])):
        found = find(world, "minutes", who)
        assert sorted(hit["within"] for hit in found if hit["kind"] == "page") == places
        assert [hit["within"] for hit in found if hit["kind"] == "attachment"] == ["Minutes"]


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


def test_a_query_keeps_to_the_kinds_and_the_project_that_are_asked_for(world: World) -> None:
    make(world, title="One")
    make(world, project="SEC", title="Two")
    note = comment(world, "SEC-1", "its status = done soon")
    for q in ("category = todo", "status = todo"):
        assert sorted(subjects(world, q)) == ["issue:1", "issue:2"]
        found = call(world, "cy", "search.query", q=q, project="SEC", kinds=["issue", "comment"])
        assert [hit["subject"] for hit in found["items"]] == ["issue:2"]
        assert found["facets"] == {"kind": {"issue": 1}, "project": {"SEC": 1}, "category": {"todo": 1}}
        assert found["tql"].endswith("and project = SEC")
    assert subjects(world, "status = done", project="SEC", kinds=["comment"]) == [f"comment:{note}"]
    assert subjects(world, "category = todo", kinds=["attachment"]) == []


def test_a_key_is_found_in_its_project_and_among_issues_only(world: World) -> None:
    key = make(world, title="One")
    note = comment(world, key, f"as {key} says")
    assert subjects(world, key, project="WEB") == ["issue:1", f"comment:{note}"]
    assert subjects(world, key, project="SEC") == []
    assert subjects(world, key, kinds=["comment"]) == [f"comment:{note}"]


def test_a_search_of_a_project_reads_as_a_query_about_it(world: World) -> None:
    make(world, title="canary")
    asked = {"q": "canary ", "project": "WEB"}
    assert call(world, "cy", "search.query", **asked)["tql"] == 'text ~ "canary" and project = WEB'
    assert call(world, "cy", "search.query", **asked, kinds=["comment"])["tql"] is None


def test_the_index_made_anew_has_nothing_of_what_is_gone(world: World) -> None:
    keys = [make(world, title=f"canary {number}") for number in range(4)]
    comment(world, keys[0], "canary")

    def spoil(tx: Write) -> None:
        tx.execute("update issue set title = 'wren' where id = 2")
        for row in (2, 2**40):
            tx.execute("delete from search_text where rowid = :row", row=row)
            tx.execute("insert into search_text (rowid, title, body) values (:row, 'ghost', '')", row=row)
        for subject in ("issue:2", "issue:7", "comment:9", "attachment:a_gone"):
            kind, _, ref = subject.partition(":")
            tx.execute(
                "insert into search_entry (kind, ref, title, body) values (:kind, :ref, 'ghost', '')",
                kind=kind,
                ref=int(ref) if ref.isdigit() else ref,
            )

    world.database.write_now(spoil)
    assert "ghost" in _indexed(world)
    job = call(world, "bo", "search.reindex")["job"]
    eventually(lambda: bool(call(world, "bo", "jobs.get", id=job)["ended_at"]))
    assert subjects(world, "wren") == ["issue:2"]
    assert len(subjects(world, "canary")) == 4
    assert world.database.write_now(
        lambda tx: tx.column(
            "select kind || ref from search_doc where kind not in ('member', 'project') order by id"
        )
    ) == [
        *(f"issue{number}" for number in (1, 2, 3, 4)),
        "comment1",
    ]
    assert (
        world.database.write_now(
            lambda tx: tx.column("select id from search_doc where id not in (select rowid from search_text)")
        )
        == []
    )
    assert (
        world.database.write_now(
            lambda tx: tx.column(
                "select rowid from search_text where rowid not in (select id from search_doc)"
            )
        )
        == []
    )


def test_long_texts_are_indexed_a_few_at_a_time(world: World) -> None:
    def steps(tx: Write) -> list[int]:
        for number, size in enumerate((900_000,) * 9 + (10,) * 3):
            tx.execute(
                "insert into comment (subject, author, body, created_at, internal)"
                " values ('issue:1', 'x', :body, 1, 0)",
                body=f"w{number} " + "x" * size,
            )
        assert reindex.REINDEX.step is not None
        args: dict[str, Any] = {"kinds": ["comment"], "at": 0}
        ends: list[int] = []
        while args["kinds"]:
            args = reindex.REINDEX.step(tx, RunningJob(1, reindex.REINDEX.kind, args, 0)).args or {
                "kinds": [],
                "at": 0,
            }
            ends.append(args["at"])
        return ends

    assert world.database.write_now(steps) == [4, 8, 0]
    assert "w11" in _indexed(world)


# what is bounded


@pytest.mark.parametrize(
    ("text", "words", "open_end", "marked"),
    [
        ("x " * 9000 + "the Café", ["cafe"], False, "<mark>Café</mark>"),
        ("é " * 9000 + "vouchers <b>", ["vouch"], True, "<mark>vouchers</mark> &lt;b&gt;"),
        ("vouchers", ["vouch"], False, None),
        ("x " * 10_000 + "cafe", ["cafe"], False, None),
        ("x" * 30_000, ["cafe"], False, None),
        ("", ["cafe"], False, None),
    ],
)
def test_an_excerpt_stands_where_the_first_word_is_found_early_enough(
    text: str, words: list[str], open_end: bool, marked: str | None
) -> None:
    found = excerpt(text, SearchedWords([words], open_end=open_end))
    assert len(found) < 250
    if marked is None:
        assert found == text[:160].strip() + ("..." if len(text) > 160 else "") or found.endswith(" ...")
        assert "<mark>" not in found
    else:
        assert found.endswith(marked)
        assert found.startswith("...")


def test_words_are_found_in_the_same_places_however_often_they_are_looked_for() -> None:
    chance = random.Random(1)
    for _ in range(2000):
        groups = [["".join(chance.choices("ab_1é-", k=3))[: chance.randint(1, 3)]] for _ in range(3)]
        text = "".join(chance.choices(chance.choice(["ab_1 -.'", "ab_1 -.'é"]), k=30))
        wanted = SearchedWords(groups, open_end=chance.random() < 0.5)
        begin, end = sorted(chance.choices(range(31), k=2))
        first, *others = (list(wanted.within(text, begin, end)) for _ in range(60))
        assert all(found == first for found in others)
        assert all(text[one:other].isalnum() or "_" in text[one:other] for one, other in first)


def test_of_many_words_the_first_few_are_taken_for_mistyped(world: World) -> None:
    make(world, title="Vouchers in the checkout")
    assert subjects(world, " ".join(["vuochers"] * 8)) == ["issue:1"]
    assert subjects(world, " ".join(["vuochers"] * 9)) == []
    assert subjects(world, " ".join(["vuochers"] * 8 + ["checkout"])) == ["issue:1"]


def test_looking_for_near_words_ends_with_the_time_of_the_call(world: World) -> None:
    make(world, title="vouchers")

    def late(tx: Write) -> None:
        terms = within_deadline(tx, ["vouchers"])
        tx.deadline = 0.0
        with pytest.raises(OverBudget):
            list(terms)
        with pytest.raises(OverBudget):
            typos.near(tx, "vuochers")
        tx.deadline, tx.over = None, False
        assert typos.near(tx, "vuochers") == ["vouchers"]

    world.database.write_now(late)


@pytest.mark.parametrize(
    ("one", "other", "away"),
    [
        ("cart", "cart", 0),
        ("cart", "crat", 1),
        ("cart", "care", 1),
        ("cart", "cards", 2),
        ("cart", "wagon", 3),
    ],
)
def test_words_are_some_letters_apart(one: str, other: str, away: int) -> None:
    assert typos.distance(one, other, 2) == typos.distance(other, one, 2) == away
    assert away > 2 or len(set(one) ^ set(other)) <= 2 * away


def test_full_text_never_runs_on_the_loop() -> None:
    for op in ("search.query", "search.suggest", "issues.similar", "issues.backlinks"):
        assert registry().require(op).threaded, op


def test_the_palette_knows_a_new_name_at_once_and_shows_guests_only_their_people(world: World) -> None:
    bo, cy = world.people["bo"].id, world.people["cy"].id
    assert suggest(world, "mos") == [("member", cy)]
    assert suggest(world, "mos", "gus") == []
    world.database.write_now(lambda tx: tx.update("member", bo, name="Bo Mossgrün"))
    assert suggest(world, "mos") == [("member", bo), ("member", cy)]
    assert suggest(world, "mossgrun") == [("member", bo)]
    call(world, "ana", "projects.member_set", key="WEB", who="@gus", role="viewer")
    call(world, "ana", "projects.member_set", key="WEB", who="@cy", role="lead")
    assert suggest(world, "mos", "gus") == [("member", bo), ("member", cy)]
    assert suggest(world, "park", "gus") == []
    assert suggest(world, "mos cy") == [("member", cy)]
    assert suggest(world, "webs") == [("project", "WEB")]
    call(world, "ana", "projects.archive", key="WEB", on=True)
    assert suggest(world, "webs") == []
    assert suggest(world, "priv") == []


# things that have names


def named(world: World, q: str, who: str = "ana", **more: Any) -> list[tuple[str, str]]:
    return [(hit["subject"], hit["path"]) for hit in find(world, q, who, **more)]


def test_things_are_found_by_their_names(world: World) -> None:
    bo = world.people["bo"].id
    call(world, "bo", "members.profile_set", title="Keeper of the quokka")
    label = call(world, "ana", "labels.save", name="quokka", description="Of Rottnest")["id"]
    team = call(world, "ana", "teams.save", name="Quokkas", description="All of them")["id"]
    view = call(world, "ana", "views.save", name="Mine", tql="title ~ quokka")["id"]
    board = call(world, "ana", "boards.save", name="Quokka board", tql="project = WEB", project="WEB")["id"]
    call(world, "ana", "projects.update", key="WEB", description="A shop for quokkas")
    call(world, "ana", "flags.project_save", project="shop", name="Shop")
    call(
        world,
        "ana",
        "flags.create",
        project="shop",
        key="new-quokka",
        name="New one",
        template="release",
        tags=["island"],
    )
    found = {
        (f"member:{bo}", "/members/bo"),
        (f"label:{label}", f"/labels/{label}"),
        (f"team:{team}", "/teams/quokkas"),
        (f"view:{view}", f"/views/{view}"),
        (f"board:{board}", f"/boards/{board}"),
        ("project:WEB", "/projects/WEB"),
        ("flag:shop/new-quokka", "/flags/shop/new-quokka"),
    }
    assert set(named(world, "quokka")) == found
    assert set(named(world, "quokka", "cy")) == {one for one in found if one[0] != f"view:{view}"}
    assert named(world, "quokka", "gus") == []
    assert named(world, "island") == [("flag:shop/new-quokka", "/flags/shop/new-quokka")]
    assert named(world, "kind:label quokka") == [(f"label:{label}", f"/labels/{label}")]
    assert {hit["project"] for hit in find(world, "quokka in:web", "ana")} == {"WEB"}
    (hit,) = find(world, "kind:member quokka", "ana")
    assert (hit["title"], hit["excerpt"]) == ("Bo Tran", "@bo Keeper of the <mark>quokka</mark>")


def test_a_name_is_found_as_it_is_now(world: World) -> None:
    call(world, "bo", "projects.key_change", key="WEB", new_key="SHOP")
    assert named(world, "kind:project shop") == [("project:SHOP", "/projects/SHOP")]
    label = call(world, "ana", "labels.save", name="wombat")["id"]
    call(world, "ana", "labels.save", id=label, name="dingo")
    view = call(world, "ana", "views.save", name="dingo", tql="title ~ a")["id"]
    assert {subject for subject, _ in named(world, "dingo")} == {f"label:{label}", f"view:{view}"}
    assert named(world, "wombat") == []
    call(world, "ana", "labels.delete", id=label)
    call(world, "ana", "views.delete", id=view)
    assert named(world, "dingo") == []
    (entry,) = call(world, "ana", "trash.list")["items"]
    call(world, "ana", "trash.restore", ids=[entry["id"]])
    assert named(world, "dingo") == [(f"view:{view}", f"/views/{view}")]
    call(world, "ana", "projects.archive", key="SHOP", on=True)
    assert named(world, "kind:project shop") == []
    assert named(world, "kind:project shop is:archived") == [("project:SHOP", "/projects/SHOP")]


def test_people_are_found_as_long_as_they_are_known_and_never_by_their_address(world: World) -> None:
    cy = world.people["cy"].id
    assert named(world, "cy moss") == [(f"member:{cy}", "/members/cy")]
    assert named(world, "acme.example") == []
    call(world, "ana", "members.deactivate", id="@cy", on=True)
    assert named(world, "moss") == []
    assert named(world, "moss is:archived") == [(f"member:{cy}", "/members/cy")]
    call(world, "ana", "members.erase", id="@cy", confirm_name="Cy Moss")
    eventually(lambda: named(world, "moss is:archived") == [])
