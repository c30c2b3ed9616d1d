"""Pages out of single files: what becomes of them, what comes along, who may, and what is refused."""

import base64
import contextlib
import io
import zipfile
from typing import Any

import docx
import pytest

from kbwork import KbworkProblem
from kbwork.modules.pages.imports import source
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.pages.test_exports import PNG, exported
from tests.modules.pages.wiki import outline, page, space, titles
from tests.modules.test_attachments import fetched

HEAD = """---
title: "How we pack"
icon: box
tags: [paper, "tape"]
draft: true
since: 2024-05-01
properties: {"kind": ["a", 1]}
nested:
  deep: [1, 2.5, null]
---

- [ ] Paper first.
"""


@pytest.fixture(autouse=True)
def _hand(world: World) -> None:
    space(world)


def b64(data: bytes | str) -> str:
    return base64.b64encode(data.encode() if isinstance(data, str) else data).decode()


def zipped(entries: dict[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as archive:
        for path, data in entries.items():
            archive.writestr(zipfile.ZipInfo(path), data, method)
    return held.getvalue()


def brought(
    world: World, form: str, data: bytes | str, who: str = "di", /, **more: Any
) -> list[dict[str, Any]]:
    asked = {"space": "HAND", "format": form, "data": b64(data)} | more
    found: list[dict[str, Any]] = call(world, who, "pages.import", **asked)
    return found


def refusal(world: World, form: str, data: bytes | str, who: str = "di", /, **more: Any) -> tuple[str, str]:
    """(slug, detail) of an import that is refused, and made nothing."""
    seq, rows = world.database.seq, _rows(world)
    with pytest.raises(KbworkProblem) as caught:
        brought(world, form, data, who, **more)
    assert (world.events_since(seq), _rows(world)) == ([], rows)
    return caught.value.slug, caught.value.detail


def _rows(world: World) -> list[int]:
    tables = ("page", "page_version", "page_slug", "attachment", "blob")
    return world.database.read_now(lambda tx: [tx.value(f"select count(*) from {one}") for one in tables])


def bodies(pages: list[dict[str, Any]]) -> dict[str, str]:
    return {one["title"]: one["body"] for one in pages}


def test_markdown_has_what_stands_at_its_head(world: World) -> None:
    call(world, "ana", "labels.save", name="paper")
    (made,) = brought(world, "md", HEAD, title="Another")
    assert (made["title"], made["icon"], made["state"], made["labels"]) == (
        "How we pack",
        "box",
        "draft",
        ["paper"],
    )
    assert made["body"] == "- [ ] Paper first.\n"
    assert made["properties"] == {
        "since": "2024-05-01",
        "kind": ["a", 1],
        "nested": {"deep": [1, 2.5, None]},
        "labels": ["tape"],
    }


@pytest.mark.parametrize(
    ("data", "title", "expected", "body"),
    [
        ("# One\n\nText", None, "One", "Text"),
        ("# One\n\nText", "Given", "Given", "# One\n\nText"),
        ("---\ntitle: Said\n---\n# One", "Given", "Said", "# One"),
        ('+++\ntitle = "Toml"\n+++\nText', None, "Toml", "Text"),
        ("---\n: : broken: [\n---\nText", "Given", "Given", "---\n: : broken: [\n---\nText"),
        ("---\na: &x [1]\nb: *x\n---\nText", "Given", "Given", "---\na: &x [1]\nb: *x\n---\nText"),
        ("---\n\nA rule above", "Given", "Given", "---\n\nA rule above"),
        ("\ufeff# Bom\r\n\r\nA\r\nB", None, "Bom", "A\nB"),
    ],
)
def test_a_title_is_found_in_order(
    world: World, data: str, title: str | None, expected: str, body: str
) -> None:
    (made,) = brought(world, "md", data, **({"title": title} if title else {}))
    assert (made["title"], made["body"]) == (expected, body)


@pytest.mark.parametrize("name", ["title", "icon", "tags", "a", "properties"])
def test_halves_of_letters_at_the_head_are_none(world: World, name: str) -> None:
    value = '{"b\\uD800": "c\\uD800"}' if name == "properties" else '"x\\uD800y"'
    (made,) = brought(world, "md", f"---\n{name}: {value}\n---\nText", title="Given")
    assert "\ud800" not in str(made)
    assert made["body"] == "Text"


@pytest.mark.parametrize("value", ["0x" + "f" * 9_000, "1" + ":59" * 9_000, ".inf", ".nan"])
def test_numbers_at_the_head_may_be_as_large_as_they_like(world: World, value: str) -> None:
    for head in (f"a: {value}", f"title: {value}", f"weight: {value}", f"tags: [{value}]"):
        (made,) = brought(world, "md", f"---\n{head}\n---\nText", title="Given")
        assert made["body"].endswith("Text")


def test_without_a_title_it_is_refused_in_words(world: World) -> None:
    slug, detail = refusal(world, "md", "No heading")
    assert slug == "invalid-input"
    assert "has no title" in detail


def test_html_becomes_markdown_and_runs_nothing(world: World) -> None:
    picture = base64.b64encode(PNG).decode()
    html = f"""<html><head><title>Whole</title><style>p{{}}</style></head><body><h1>Top</h1><script>alert(1)</script>
    <p onclick="x()">A <b>bold</b> <i>it</i> <s>no</s> 1 * 2 &lt;tag&gt; <a href="javascript:x()">js</a>
    <a href="https://example.org/a">web</a></p><ul><li>one<ul><li>two</li></ul></li>
    <li><input type="checkbox" checked> done</li></ul><pre><code class="language-python">a = "```"</code></pre>
    <table><tr><th>a</th><th>b|c</th></tr><tr><td>1<br>2</td><td>3</td></tr></table>
    <blockquote><p>q</p></blockquote><img src="data:image/png;base64,{picture}" alt="pic"><iframe src="x">no</iframe>"""
    (made,) = brought(world, "html", html)
    (file,) = call(world, "di", "attachments.list", subject=f"page:{made['id']}")
    assert made["title"] == "Top"
    assert made["body"] == (
        "A **bold** *it* ~~no~~ 1 \\* 2 \\<tag> js\n[web](https://example.org/a)\n\n- one\n  - two\n- [x] done\n\n"
        '````python\na = "```"\n````\n\n| a | b\\|c |\n| --- | --- |\n| 1 2 | 3 |\n\n> q\n\n'
        f"![pic](/files/{file['id']})"
    )
    assert (file["name"], file["content_type"], file["size"]) == ("picture-1.png", "image/png", len(PNG))


def test_documents_of_word_processors_bring_their_pictures(world: World) -> None:
    document = docx.Document()
    document.add_heading("Trip", 1)
    document.add_paragraph("Two ", style="List Bullet").add_run("bold").bold = True
    document.add_table(1, 2).rows[0].cells[1].text = "cell"
    document.add_picture(io.BytesIO(PNG))
    held = io.BytesIO()
    document.save(held)
    (made,) = brought(world, "docx", held.getvalue())
    (file,) = call(world, "di", "attachments.list", subject=f"page:{made['id']}")
    assert made["title"] == "Trip"
    assert "- Two **bold**" in made["body"]
    assert "| cell |" in made["body"]
    assert f"![](/files/{file['id']})" in made["body"]
    assert refusal(world, "docx", b"no document")[0] == "invalid-input"
    assert refusal(world, "docx", zipped({"a.txt": "x"}))[0] == "invalid-input"


def test_a_document_leads_to_no_file_of_the_server(world: World) -> None:
    document = docx.Document()
    document.add_paragraph("Text")
    document.add_picture(io.BytesIO(PNG))
    held = io.BytesIO()
    document.save(held)
    with zipfile.ZipFile(held) as archive:
        parts = {one: archive.read(one) for one in archive.namelist()}
    for name in ("word/document.xml", "word/_rels/document.xml.rels"):
        parts[name] = (
            parts[name]
            .replace(b"r:embed=", b"r:link=")
            .replace(b'Target="media/image1.png"', b'Target="file:///etc/passwd" TargetMode="External"')
        )
    (made,) = brought(world, "docx", zipped({**parts}), title="Linked")
    assert call(world, "di", "attachments.list", subject=f"page:{made['id']}") == []
    assert "root:" not in made["body"]


def test_who_may_make_pages_there_may_bring_some_in(world: World) -> None:
    parent = page(world, "Top")
    (made,) = brought(world, "md", "# One", parent=parent)
    assert outline(world) == [["Top", ["One"]]]
    assert made["owner"] == world.people["di"].id
    call(world, "cy", "spaces.save", key="SHUT", name="Shut", visibility="members")
    with refused("not-found"):
        brought(world, "md", "# One", space="SHUT")
    call(world, "cy", "access.grant_set", subject="space:SHUT", who=world.people["di"].id, level="comment")
    with refused("not-allowed"):
        brought(world, "md", "# One", space="SHUT")
    call(world, "cy", "pages.restrict", id=parent, view=["me"])
    with refused("not-found"):
        brought(world, "md", "# One", parent=parent)
    call(world, "cy", "spaces.archive", key="HAND", on=True)
    with refused("conflict"):
        brought(world, "md", "# One")
    with refused("invalid-input"):
        brought(world, "zip", "x", format="pdf")


def test_a_key_needs_the_scopes_of_what_comes(world: World) -> None:
    secret = call(world, "di", "keys.create", name="writer", scopes=["pages:read", "pages:write"])["secret"]
    client = world._client("writer", secret)
    asked = {"space": "HAND", "format": "md", "data": b64("# One")}
    assert titles(client.call("pages.import", asked)) == ["One"]
    picture = f"# Two\n\n![](data:image/png;base64,{b64(PNG)})"
    with refused("insufficient-scope"):
        client.call("pages.import", asked | {"data": b64(picture)})


def test_agents_and_keys_of_a_project_bring_in_what_they_may_make(world: World) -> None:
    scopes = ["pages:read", "pages:write"]
    asked = {"space": "HAND", "format": "md", "data": b64("# One")}
    made = call(world, "di", "keys.create", name="bot", kind="agent", agent="helper", scopes=scopes)
    seq = world.database.seq
    (by_agent,) = world._client("bot", made["secret"]).call("pages.import", asked)
    assert by_agent["owner"] == world.people["di"].id
    assert [one["via"] for one in world.key("cy").api.changes(since=seq)["events"]] == ["agent:helper"]
    call(world, "bo", "spaces.save", key="SITE", name="Site", kind="project", project="WEB")
    made = call(world, "cy", "keys.create", name="web", scopes=scopes, projects=["WEB"])
    narrow = world._client("narrow", made["secret"])
    seq = world.database.seq
    with refused("not-found"):
        narrow.call("pages.import", asked)
    for parent in (by_agent["id"], "HAND/one"):
        with refused("not-found"):
            narrow.call("pages.import", asked | {"space": "SITE", "parent": parent})
    assert world.events_since(seq) == []
    assert titles(narrow.call("pages.import", asked | {"space": "SITE"})) == ["One"]
    made = call(world, "di", "keys.create", name="reader", scopes=["pages:read"])
    with refused("insufficient-scope"):
        world._client("reader", made["secret"]).call("pages.import", asked)
    call(world, "ana", "org.modules_set", off=["pages"])
    with refused("not-found"):
        brought(world, "md", "# One")


def test_a_guest_brings_in_where_they_were_given_a_right(world: World) -> None:
    with refused("not-found"):
        brought(world, "md", "# One", "gus")
    call(world, "cy", "access.grant_set", subject="space:HAND", who="@gus", level="comment")
    with refused("not-allowed"):
        brought(world, "md", "# One", "gus")
    call(world, "cy", "access.grant_set", subject="space:HAND", who="@gus", level="edit")
    assert titles(brought(world, "md", "# One", "gus")) == ["One"]


def test_it_is_one_change_that_is_taken_back_as_one(world: World) -> None:
    archive = zipped({"a.md": "# A", "a/b.md": "# B", "c.md": "# C"})
    seq = world.database.seq
    assert titles(brought(world, "zip", archive)) == ["A", "B", "C"]
    assert [kind for kind, _ in world.events_since(seq)] == ["page.created"] * 3
    (entry, *_) = call(world, "di", "undo.list")
    assert entry["op"] == "pages.import"
    call(world, "di", "undo.apply", token=entry["token"])
    assert outline(world) == []


def test_two_at_once_get_slugs_of_their_own(world: World) -> None:
    archive = zipped({"rules.md": "See [more](more.md).", "more.md": "Back to [[rules]]."})
    one, other = brought(world, "zip", archive), brought(world, "zip", archive, "bo")
    assert [made["slug"] for made in one] == ["more", "rules"]
    assert [made["slug"] for made in other] == ["more-2", "rules-2"]
    assert bodies(one) == {"more": "Back to [[rules]].", "rules": "See [[more]]."}
    assert bodies(other) == {"more": "Back to [[HAND/rules-2|rules]].", "rules": "See [[HAND/more-2|more]]."}
    backlinks = call(world, "di", "pages.backlinks", id=other[1]["id"])
    assert [row["subject"] for row in backlinks] == [f"page:{other[0]['id']}"]


def test_files_are_counted_and_judged(world: World) -> None:
    archive = zipped({"a.md": "![x](x.png)", "x.png": PNG})
    call(world, "ana", "org.update", allowed_files=[".pdf"])
    assert refusal(world, "zip", archive)[0] == "invalid-input"
    call(world, "ana", "org.update", allowed_files=[])
    call(world, "ana", "org.modules_set", off=["attachments"])
    assert refusal(world, "zip", archive)[0] == "invalid-input"
    assert titles(brought(world, "md", "# One")) == ["One"]


def test_what_takes_too_long_is_ended(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MOST_S", 0)
    slug, detail = refusal(world, "md", "# One")
    assert slug == "too-large"
    assert "too long" in detail


@pytest.mark.parametrize("data", ["<div>" * 20_000, "<table><tr><td>" * 5_000, "<a" * 200_000])
def test_deep_html_is_bounded(world: World, data: str) -> None:
    with contextlib.suppress(KbworkProblem):
        assert len(brought(world, "html", data, title="Deep")) == 1
    assert call(world, "di", "pages.list")["items"] is not None


@pytest.mark.parametrize(
    ("form", "data", "slug"),
    [
        ("md", b"", "invalid-input"),
        ("md", b"# A\0", "invalid-input"),
        ("md", b"# A\n" + b"x" * 1_000_001, "too-large"),
        ("md", b"# A\n" + b"x" * 10_500_000, "too-large"),
        ("md", b"---\n" + b"a" * 101 + b": 1\n---\n", "invalid-input"),
        ("zip", b"PK\x03\x04 cut", "invalid-input"),
        ("zip", zipped({}), "invalid-input"),
        ("zip", zipped({"a.txt": "no page"}), "invalid-input"),
    ],
)
def test_what_is_broken_or_too_large_is_refused(world: World, form: str, data: bytes, slug: str) -> None:
    assert refusal(world, form, data, title="A")[0] == slug


def test_base64_it_has_to_be(world: World) -> None:
    with refused("invalid-input"):
        call(world, "di", "pages.import", space="HAND", format="md", data="***")


def test_an_export_comes_back_as_it_was(world: World) -> None:
    call(world, "ana", "labels.save", name="paper")
    top = page(world, "Rules", who="di", icon="map", labels=["paper"], properties={"kind": ["a", 1]})
    file = call(world, "di", "attachments.add", subject=f"page:{top}", name="a map.png", data=b64(PNG))["id"]
    last = page(
        world, "Zebra", who="di", parent=top, body="See [[Rules]] and [[HAND/aardvark|that]], `[[Rules]]`."
    )
    page(world, "Aardvark", who="di", parent=top, body=f"![Map](/files/{file})")
    page(world, "Deep 10", who="di", parent=last)
    page(world, "Deep 2", who="di", parent=last)
    call(world, "di", "pages.update", id=top, body=f"# Head\n\n[[Zebra|z]] ![Map](/files/{file})")
    name, data = exported(world, top, children=True)
    assert name == "rules.zip"
    space(world, key="BACK", name="Back")
    made = brought(world, "zip", data, space="BACK")
    assert (
        outline(world, key="BACK")
        == outline(world)
        == [["Rules", [["Zebra", ["Deep 10", "Deep 2"]], "Aardvark"]]]
    )
    assert (made[0]["icon"], made[0]["labels"], made[0]["properties"]) == (
        "map",
        ["paper"],
        {"kind": ["a", 1]},
    )
    (copied,) = call(world, "di", "attachments.list", subject=f"page:{made[0]['id']}")
    assert (copied["name"], copied["id"] == file) == ("a-map.png", False)
    assert bodies(made)["Rules"] == f"# Head\n\n[[Zebra|z]] ![Map](/files/{copied['id']})"
    assert bodies(made)["Zebra"] == "See [[Rules]] and [[Aardvark|that]], `[[Rules]]`."
    url = call(world, "di", "attachments.get", id=copied["id"], as_url=True)["url"]
    assert fetched(world, url)[2] == PNG


def test_a_text_that_is_too_long_when_what_it_names_is_filled_in_is_refused(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    named: dict[str, bytes | str] = {"a.md": "# A\n\n[B](b.md)\n", "b.md": "# " + "B" * 200 + "\n"}
    monkeypatch.setattr("kbwork.modules.pages.imports.maker.BODY_CHARS", 150)
    slug, detail = refusal(world, "zip", zipped(named))
    assert (slug, "a.md holds more" in detail) == ("invalid-input", True)
    monkeypatch.setattr("kbwork.modules.pages.imports.maker.BODY_CHARS", 1000)
    assert len(brought(world, "zip", zipped(named))) == 2
