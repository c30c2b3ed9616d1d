"""Texts of pages: versions, drafts, late writes, links, sections."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbwork.contract.kbwork_client import KbworkProblem
from kbwork.modules.pages.history import version_rows
from kbwork.modules.pages.text import line_diff, line_match, merge
from kbwork.pagefiles import markdown
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.issues.test_issues import make, payloads
from tests.modules.pages.wiki import page, space, titles
from tests.modules.together import slugs, together

TEXT = "# One\n\nfirst\n\n# Two\n\nsecond\n\n# Three\n\nthird\n"
_LINES = st.lists(st.sampled_from(["a", "b", "c", "", "  x", "# d"]), max_size=12).map("\n".join)


@given(_LINES, _LINES, _LINES)
def test_nothing_that_both_leave_alone_is_lost_in_a_merge(base: str, one: str, other: str) -> None:
    assert merge.merged(base, one, base) == one
    assert merge.merged(base, base, other) == other
    assert merge.merged(base, one, one) == one
    assert merge.merged(base, one, other) == merge.merged(base, other, one)


@given(st.lists(st.text("abc", max_size=2), max_size=30), st.lists(st.text("abc", max_size=2), max_size=30))
def test_blocks_are_what_two_texts_have_in_common(one: list[str], other: list[str]) -> None:
    found = line_match.blocks(one, other)
    for start, at, size in found:
        assert one[start : start + size] == other[at : at + size]
        assert size > 0
    assert found == sorted(found)
    for (start, at, size), (behind, there, _) in itertools.pairwise(found):
        assert start + size <= behind
        assert at + size <= there


@given(st.integers(0, 9), st.integers(0, 9), st.text("xyz", min_size=1, max_size=3))
def test_changes_of_lines_that_do_not_touch_are_both_kept(first: int, second: int, word: str) -> None:
    base = [f"line {number}\n" for number in range(10)]
    one, other = list(base), list(base)
    one[first], other[second] = f"{word} one\n", f"{word} other\n"
    found = merge.merged("".join(base), "".join(one), "".join(other))
    if abs(first - second) < 2:
        assert found is None
    else:
        assert found is not None
        assert f"{word} one\n" in found
        assert f"{word} other\n" in found


def test_long_texts_that_are_all_alike_take_no_time() -> None:
    one, other = "a\nb\n" * 50_000, "b\na\nc\n" * 40_000
    merge.merged(one, other, one + "d")
    assert line_diff.hunks(one, other)


@given(_LINES, _LINES)
def test_a_diff_says_how_one_text_becomes_the_other(older: str, newer: str) -> None:
    before, after = line_match.lines(older), line_match.lines(newer)
    at = 0
    made: list[str] = []
    for hunk in line_diff.hunks(older, newer):
        made += [line.removesuffix("\n") for line in before[at : hunk["from_line"] - 1]]
        at = hunk["from_line"] - 1 + sum(line["kind"] != "added" for line in hunk["lines"])
        assert len(made) == hunk["to_line"] - 1
        made += [line["text"] for line in hunk["lines"] if line["kind"] != "removed"]
    made += [line.removesuffix("\n") for line in before[at:]]
    assert made == [line.removesuffix("\n") for line in after]


def test_what_a_text_names() -> None:
    text = (
        "See [[Home  page]], [[HAND/setup|Setup]] and `[[no]]`, \\[[no]] WEB-12 @cy. [WEB-3](http://x)\n"
        "```\nWEB-4\n```\nhttps://x.example/WEB-5 mail@di x@di \\WEB-6 ``WEB-7 ` WEB-8``\n\n"
        "    WEB-9\n- a\n\n    WEB-10\n"
    )
    assert [(one.kind, one.words) for one in markdown.named(text)] == [
        ("page", "Home page"),
        ("page", "HAND/setup|Setup"),
        ("issue", "WEB-12"),
        ("mention", "cy"),
        ("issue", "WEB-10"),
    ]


@given(st.text("[]`@#\\ab-1AB\n ", max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    markdown.named(text)
    for heading in markdown.headings(text):
        assert markdown.section(text, heading["text"]) is not None


def test_versions_are_kept_and_those_of_a_burst_are_one(world: World) -> None:
    space(world)
    page(world, "Welcome", body="1")
    for body in ("2", "3"):
        call(world, "cy", "pages.update", id="1", body=body)
    call(world, "di", "pages.update", id="1", body="4")
    call(world, "di", "pages.update", id="1", body="5", note="Five")
    world.advance(version_rows.BURST_S)
    call(world, "di", "pages.update", id="1", body="6")
    world.advance(version_rows.BURST_S)
    call(world, "di", "pages.update", id="1", body="7")
    found = call(world, "di", "pages.versions", id="1")
    shown = [(one["version"], one["note"], one["published"], one["size"]) for one in found["items"]]
    assert shown == [
        (7, "", True, 8),
        (6, "", True, 8),
        (5, "Five", True, 8),
        (4, "", True, 8),
        (3, "", True, 8),
        (1, "", True, 8),
    ]
    assert call(world, "di", "pages.get", id="1", version=2)["body"] == "2", "within the burst, for a day"
    world.advance(version_rows.KEPT_S + 700)
    rows = call(world, "di", "pages.versions", id="1", limit=4)
    assert [one["version"] for one in rows["items"]] == [7, 6, 5, 4]
    rest = call(world, "di", "pages.versions", id="1", limit=4, cursor=rows["next"])
    assert [one["version"] for one in rest["items"]] == [3, 1]


def test_versions_are_compared_and_brought_back(world: World) -> None:
    space(world)
    page(world, "Welcome", body="one\n<b>two</b>\n")
    call(world, "di", "pages.update", id="1", title="Hello", body="one\n<i>three</i>\n", note="Three")
    found = call(world, "cy", "pages.version_diff", id="1", from_=1)
    assert found["title"] == "Hello"
    assert found["hunks"] == [
        {
            "from_line": 1,
            "to_line": 1,
            "lines": [
                {"kind": "same", "text": "one"},
                {"kind": "removed", "text": "<b>two</b>"},
                {"kind": "added", "text": "<i>three</i>"},
            ],
        }
    ]
    assert "&lt;b&gt;two&lt;/b&gt;" in found["html"]
    assert "<b>" not in found["html"]
    seq = world.database.seq
    back = call(world, "cy", "pages.version_restore", id="1", version=1)
    assert (back["title"], back["body"], back["version"], back["slug"]) == (
        "Welcome",
        "one\n<b>two</b>\n",
        3,
        "welcome",
    )
    assert payloads(world, seq, "page.updated")[0]["note"] == "Version 1 again"
    assert call(world, "cy", "pages.get", id="1", version=2)["title"] == "Hello"
    with refused("not-found"):
        call(world, "cy", "pages.version_restore", id="1", version=9)
    with refused("not-found"):
        call(world, "cy", "pages.version_diff", id="1", from_=1, to=9)


def test_late_writes_are_brought_together_where_they_do_not_touch(world: World) -> None:
    space(world)
    page(world, "Welcome", body=TEXT)
    call(world, "di", "pages.update", id="1", version=1, body=TEXT.replace("first", "FIRST"))
    done = call(world, "cy", "pages.update", id="1", version=1, body=TEXT.replace("third", "THIRD"))
    assert done["body"] == TEXT.replace("first", "FIRST").replace("third", "THIRD")
    assert done["version"] == 3
    titled = call(world, "cy", "pages.update", id="1", version=1, title="Hello")
    assert (titled["title"], titled["body"]) == ("Hello", done["body"])
    with pytest.raises(KbworkProblem) as stale:
        call(world, "di", "pages.update", id="1", version=1, body=TEXT.replace("first", "primo"))
    assert stale.value.slug == "stale"
    assert stale.value.extra["current"]["body"] == done["body"]
    assert stale.value.extra["yours"]["body"] == TEXT.replace("first", "primo")
    with refused("stale"):
        call(world, "di", "pages.update", id="1", version=1, title="Ciao")
    with refused("stale"):
        call(world, "di", "pages.update", id="1", version=77, body="x")


def test_of_two_who_change_one_line_at_once_one_is_told(world: World) -> None:
    space(world)
    page(world, "Welcome", body=TEXT)
    asked = [
        ("pages.update", {"id": "1", "version": 1, "body": TEXT.replace("first", word)})
        for word in ("uno", "primo")
    ]
    assert slugs(together(world, "cy", asked)) == ["stale"]
    apart = [
        (
            "pages.update",
            {"id": "1", "version": 2, "body": call(world, "cy", "pages.get", id="1")["body"] + "\nmore\n"},
        ),
        ("pages.update", {"id": "1", "version": 2, "title": "Both"}),
    ]
    assert slugs(together(world, "cy", apart)) == []
    found = call(world, "cy", "pages.get", id="1")
    assert (found["title"], found["body"].endswith("more\n")) == ("Both", True)


def test_changes_wait_beside_the_page_until_they_are_published(world: World) -> None:
    space(world, visibility="members")
    call(world, "cy", "access.grant_set", subject="space:HAND", who="@di", level="view")
    page(world, "Welcome", body=TEXT)
    seq = world.database.seq
    waiting = call(
        world, "cy", "pages.update", id="1", title="Soon", body=TEXT.replace("first", "FIRST"), draft=True
    )
    assert (waiting["title"], waiting["has_draft"], waiting["version"]) == ("Soon", True, 2)
    assert payloads(world, seq, "page.updated")[0]["title"] == "Welcome"
    read = call(world, "di", "pages.get", id="1")
    assert (read["title"], read["body"], read["has_draft"], read["version"]) == ("Welcome", TEXT, False, 1)
    for value in ({"draft": True}, {"version": 2}):
        with refused("not-found"):
            call(world, "di", "pages.get", id="1", **value)
    assert [one["version"] for one in call(world, "di", "pages.versions", id="1")["items"]] == [1]
    assert call(world, "cy", "pages.get", id="1", draft=True) == waiting
    call(world, "cy", "pages.update", id="1", body=TEXT.replace("third", "THIRD"))
    done = call(world, "cy", "pages.publish", id="1", note="Now")
    assert done["body"] == TEXT.replace("first", "FIRST").replace("third", "THIRD")
    assert (done["title"], done["slug"], done["has_draft"]) == ("Soon", "soon", False)
    assert call(world, "di", "pages.get", id="HAND/welcome")["title"] == "Soon"
    seq = world.database.seq
    assert call(world, "cy", "pages.publish", id="1") == done
    assert world.events_since(seq) == []


def test_changes_that_touch_what_was_published_meanwhile_are_told_and_stay(world: World) -> None:
    space(world)
    page(world, "Welcome", body=TEXT)
    call(world, "cy", "pages.update", id="1", body=TEXT.replace("first", "uno"), draft=True)
    call(world, "di", "pages.update", id="1", body=TEXT.replace("first", "primo"))
    with pytest.raises(KbworkProblem) as stale:
        call(world, "cy", "pages.publish", id="1")
    assert stale.value.extra["yours"]["body"] == TEXT.replace("first", "uno")
    assert "primo" in stale.value.extra["current"]["body"]
    assert "uno" in call(world, "cy", "pages.get", id="1", draft=True)["body"]
    dropped = call(world, "cy", "pages.discard", id="1")
    assert (dropped["has_draft"], "primo" in dropped["body"]) == (False, True)
    assert "uno" in call(world, "cy", "pages.get", id="1", version=2)["body"], "it stays among the versions"
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "pages.get", id="1")["has_draft"] is True


def test_a_page_that_was_never_published_has_nothing_to_go_back_to(world: World) -> None:
    space(world)
    page(world, "Welcome", draft=True)
    with refused("conflict"):
        call(world, "cy", "pages.discard", id="1")
    again = call(world, "cy", "pages.update", id="1", body="more")
    assert (again["state"], again["body"]) == ("draft", "more")


def test_undo_sets_a_text_back_as_a_new_version(world: World) -> None:
    space(world)
    page(world, "Welcome", body="one [[Nowhere]]")
    call(world, "cy", "pages.update", id="1", body="two", title="Hello", note="Two")
    call(world, "cy", "undo.apply", seq=world.database.seq)
    found = call(world, "cy", "pages.get", id="1")
    assert (found["title"], found["body"], found["version"], found["slug"]) == (
        "Welcome",
        "one [[Nowhere]]",
        3,
        "welcome",
    )
    assert len(call(world, "cy", "pages.broken_links", space="HAND")) == 1
    assert call(world, "cy", "pages.get", id="1", version=2)["body"] == "two"
    call(world, "di", "pages.update", id="1", body="three")
    with refused("conflict"):
        call(world, "cy", "undo.apply", seq=world.database.seq - 1)
    call(world, "di", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "pages.get", id="1")["body"] == "one [[Nowhere]]"


def test_undo_of_making_and_publishing_a_page(world: World) -> None:
    space(world)
    page(world, "Welcome", draft=True, body="one")
    call(world, "cy", "pages.publish", id="1")
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "pages.get", id="1")["state"] == "draft"
    made = world.database.seq
    page(world, "Other")
    call(world, "cy", "undo.apply", seq=made + 1)
    assert titles(call(world, "cy", "pages.list")["items"]) == ["Welcome"]
    assert call(world, "cy", "trash.list")["items"][0]["title"] == "Other"


def test_something_is_added_at_the_end_or_to_a_section(world: World) -> None:
    space(world)
    page(world, "Log", body=TEXT)
    assert call(world, "di", "pages.append", id="1", body="last")["body"] == f"{TEXT}\nlast"
    found = call(world, "di", "pages.append", id="1", body="- more\n", section="two")["body"]
    assert found == "# One\n\nfirst\n\n# Two\n\nsecond\n\n- more\n\n# Three\n\nthird\n\nlast"
    with pytest.raises(KbworkProblem) as unknown:
        call(world, "di", "pages.append", id="1", body="x", section="Four")
    assert unknown.value.errors[0]["allowed"] == ["One", "Two", "Three"]
    part = call(world, "di", "pages.get", id="1", section="Two")
    assert part["body"] == "# Two\n\nsecond\n\n- more\n"
    with refused("invalid-input"):
        call(world, "di", "pages.get", id="1", section="Four")
    empty = page(world, "Empty")
    assert call(world, "di", "pages.append", id=empty, body="first")["body"] == "first"


def test_links_lead_on_when_a_page_is_called_otherwise(world: World) -> None:
    space(world)
    page(world, "Welcome")
    page(world, "Names it", body="See [[Welcome]] and [[HAND/welcome]], [[Nowhere]] and [[NONE/x]]")
    assert call(world, "di", "pages.backlinks", id="1") == [
        {
            "subject": "page:2",
            "title": "Names it",
            "excerpt": "See [[Welcome]] and [[HAND/welcome]], [[Nowhere]] and [[NONE/x]]",
        }
    ]
    assert call(world, "di", "pages.get", id="1")["counts"]["backlinks"] == 1
    call(world, "di", "pages.update", id="1", title="Hello")
    assert titles(call(world, "di", "pages.backlinks", id="1")) == ["Names it"]
    assert page(world, "Welcome") == "3"
    assert call(world, "di", "pages.get", id="3")["slug"] == "welcome-2"
    broken = [
        {"page": "2", "target": "Nowhere", "why": "missing"},
        {"page": "2", "target": "NONE/x", "why": "missing"},
    ]
    assert call(world, "di", "pages.broken_links", space="HAND") == broken
    page(world, "Nowhere")
    assert call(world, "di", "pages.broken_links", space="HAND") == broken[1:]
    call(world, "di", "pages.delete", id="1")
    assert call(world, "di", "pages.broken_links", space="HAND")[0] == {
        "page": "2",
        "target": "Welcome",
        "why": "deleted",
    }


def test_issues_know_the_pages_that_name_them(world: World) -> None:
    space(world)
    key = make(world)
    page(world, "Names it", body=f"As {key} says")
    page(world, "In code", body=f"`{key}`")
    secret = page(world, "Secret", body=f"{key} again")
    call(world, "cy", "pages.restrict", id=secret, view=["@cy"])
    assert call(world, "di", "issues.backlinks", key=key) == [
        {"subject": "page:1", "title": "Names it", "excerpt": f"As {key} says"}
    ]
    assert titles(call(world, "cy", "issues.backlinks", key=key)) == ["Secret", "Names it"]


def test_a_link_to_what_one_does_not_see_is_as_one_to_nothing(world: World) -> None:
    space(world)
    space(world, key="OWN", kind="personal")
    page(world, "Names it", body="[[Secret]] [[OWN/diary]] [[Old]]")
    secret = page(world, "Secret")
    page(world, "Diary", space="OWN")
    old = page(world, "Old")
    call(world, "cy", "pages.archive", id=old, on=True)
    call(world, "cy", "pages.restrict", id=secret, view=["@cy"])

    def broken(who: str) -> list[tuple[str, str]]:
        return [(one["target"], one["why"]) for one in call(world, who, "pages.broken_links", space="HAND")]

    assert broken("cy") == [("Old", "archived")]
    assert broken("di") == [("Secret", "missing"), ("OWN/diary", "missing"), ("Old", "archived")]
    call(world, "cy", "pages.delete", id=secret)
    assert broken("di")[0] == ("Secret", "missing")
    assert broken("cy")[0] == ("Secret", "deleted")


def test_a_document_goes_with_its_markdown(world: World) -> None:
    space(world)
    doc = '{"type": "doc", "content": [{"type": "paragraph"}]}'
    page(world, "Welcome", body="one", body_doc=doc)
    assert call(world, "cy", "pages.get", id="1")["body_doc"] == doc
    assert call(world, "cy", "pages.get", id="1", format="md")["body_doc"] is None
    found = call(world, "cy", "pages.get", id="1", format="doc")
    assert (found["body"], found["body_doc"]) == ("", doc)
    assert call(world, "cy", "pages.update", id="1", title="Hello")["body_doc"] == doc
    assert call(world, "cy", "pages.update", id="1", body="two")["body_doc"] is None
    with refused("invalid-input"):
        call(world, "cy", "pages.update", id="1", body_doc=doc)


def test_lists_are_narrowed(world: World) -> None:
    space(world)
    call(world, "bo", "labels.save", name="howto")
    page(world, "One", labels=["howto"])
    world.advance(10)
    page(world, "Two", who="di")
    world.advance(10)
    page(world, "Three", draft=True)

    assert [one["title"] for one in call(world, "cy", "pages.list")["items"]] == ["Three", "Two", "One"]
    for asked, expected in (
        ({"label": "HowTo"}, ["One"]),
        ({"author": "@di"}, ["Two"]),
        ({"q": "tw"}, ["Two"]),
        ({"state": "draft"}, ["Three"]),
        ({"state": "published", "space": "hand"}, ["Two", "One"]),
        ({"updated_since": 1_800_000_005}, ["Three", "Two"]),
    ):
        assert [one["title"] for one in call(world, "cy", "pages.list", **asked)["items"]] == expected, asked
    first = call(world, "cy", "pages.list", limit=2)
    rest = call(world, "cy", "pages.list", limit=2, cursor=first["next"])
    assert ([one["title"] for one in rest["items"]], rest["next"]) == (["One"], None)
    assert call(world, "bo", "labels.list")[0]["pages"] == 1
    call(world, "bo", "labels.delete", id=1)
    assert call(world, "cy", "pages.get", id="1")["labels"] == []
