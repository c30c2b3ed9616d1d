"""Pages as files: what is in them, who gets them, and that nothing in them runs or asks elsewhere."""

import base64
import io
import json
import re
import zipfile
from typing import Any

import docx
import pypdf
import pytest

from kbwork.modules.pages.exports.formats import as_pdf
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.pages.wiki import page, space
from tests.modules.test_attachments import fetched

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@pytest.fixture
def ident(world: World) -> str:
    space(world)
    return page(world, "Rules", who="di", body="# One\n\nSee [[More|more]], [[Wages]] and `[[Code]]`.\n")


def exported(world: World, ident: str, who: str = "di", form: str = "md", **more: Any) -> tuple[str, bytes]:
    """The name and the bytes of an export."""
    found = call(world, who, "pages.export", id=ident, format=form, **more)
    status, _, body = fetched(world, found["url"])
    assert status == 200
    return found["name"], body


def archived(world: World, ident: str, who: str = "di", form: str = "md", **more: Any) -> dict[str, str]:
    """The texts in an archive, by their paths."""
    name, data = exported(world, ident, who, form, **more)
    assert name.endswith(".zip")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {one: archive.read(one).decode(errors="replace") for one in archive.namelist()}


def attached(world: World, subject: str, who: str = "di", name: str = "a map.png", data: bytes = PNG) -> str:
    text = base64.b64encode(data).decode()
    return str(call(world, who, "attachments.add", subject=subject, name=name, data=text)["id"])


def test_markdown_says_what_is_known_of_a_page_and_has_its_text_as_it_is(world: World, ident: str) -> None:
    call(world, "di", "pages.update", id=ident, icon="map", properties={"kind": ["a", 1]}, labels=[])
    seq = world.database.seq
    name, data = exported(world, ident)
    body = call(world, "di", "pages.get", id=ident)["body"]
    assert name == "rules.md"
    assert (
        data.decode() == f'---\ntitle: "Rules"\nicon: "map"\nproperties: {{"kind": ["a", 1]}}\n---\n\n{body}'
    )
    assert world.events_since(seq) == []


def test_files_that_a_text_names_lie_beside_it(world: World, ident: str) -> None:
    one, other = (
        attached(world, f"page:{ident}"),
        attached(world, f"page:{ident}", name="notes.txt", data=b"Hi"),
    )
    below = page(world, "Below", who="di", parent=ident, body=f"[Notes](/files/{other})")
    body = f"![Map](/files/{one})\n\n```\n![Map](/files/{one})\n```\n\n[Gone](/files/gone)"
    call(world, "di", "pages.update", id=ident, body=body)
    found = archived(world, ident, children=True)
    assert list(found) == ["rules.md", "rules/below.md", f"files/{one}-a-map.png", f"files/{other}-notes.txt"]
    assert found["rules.md"].endswith(body.replace(f"/files/{one}", f"files/{one}-a-map.png", 1))
    assert found["rules/below.md"].endswith(f"[Notes](../files/{other}-notes.txt)")
    assert list(archived(world, below)) == ["below.md", f"files/{other}-notes.txt"]


def test_html_needs_nothing_else_and_runs_nothing(world: World, ident: str) -> None:
    picture = attached(world, f"page:{ident}")
    drawing = attached(world, f"page:{ident}", name="x.svg", data=b"<svg onload='alert(1)'></svg>")
    body = (
        f"![A <map>](/files/{picture}) ![S](/files/{drawing}) ![E](https://example.com/x.png)\n\n"
        "<script>alert(1)</script> <img src=x onerror=alert(1)>\n\n[a](javascript:alert(1)) [b](data:text/html,x)\n\n"
        "- [x] Done\n\n[[Gone|<b>]] `[[Code]]`\n\n|a|\n|-|\n|1|\n"
    )
    call(world, "di", "pages.update", id=ident, body=body, title="Rules <&>")
    name, data = exported(world, ident, form="html")
    text = data.decode()
    assert name == "rules.html"
    assert f'<img src="data:image/png;base64,{base64.b64encode(PNG).decode()}" alt="A &lt;map&gt;">' in text
    assert (
        re.findall(
            r"<(?:script|svg|iframe|object|link)|<[^>]*(?:onerror|onload)=|javascript:|data:text", text
        )
        == []
    )
    assert re.findall(r'src="(?!data:image/png)', text) == []
    assert '<a href="https://example.com/x.png">E</a>' in text
    assert "<title>Rules &lt;&amp;&gt;</title>" in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=alert(1)&gt;" in text
    assert "&lt;b&gt;" in text
    assert "<code>[[Code]]</code>" in text
    assert "default-src 'none'" in text


def test_pages_lead_to_each_other_in_an_archive(world: World, ident: str) -> None:
    more = page(world, "More", who="di", parent=ident, body="Back to [[Rules]], [over](/pages/1).")
    page(world, "Wages", body="Other")
    call(world, "di", "pages.archive", id=page(world, "Old", who="di", parent=ident), on=True)
    found = archived(world, ident, form="html", children=True)
    assert list(found) == ["rules.html", "rules/more.html"]
    assert '<a href="rules/more.html">more</a>' in found["rules.html"]
    assert re.search(r'<a href="http://[^"]+/pages/\d+">Wages</a>', found["rules.html"])
    assert '<a href="../rules.html">Rules</a>, <a href="../rules.html">over</a>' in found["rules/more.html"]
    call(world, "cy", "pages.update", id=more, title="Files")
    call(world, "cy", "pages.move", ids=[more], top=True)
    assert exported(world, more)[0] == "files.md"


def test_what_was_said_comes_along_when_asked_for(world: World, ident: str) -> None:
    first = call(world, "cy", "comments.create", subject=f"page:{ident}", body="Why <b>?\nReally")["id"]
    call(world, "cy", "comments.create", subject=f"page:{ident}", body="Later")
    call(world, "di", "comments.create", subject=f"page:{ident}", body="So.", parent=first)
    gone = call(world, "di", "comments.create", subject=f"page:{ident}", body="Never")["id"]
    call(world, "di", "comments.delete", id=gone)
    assert "Comments" not in exported(world, ident)[1].decode()
    text = exported(world, ident, comments=True)[1].decode()
    said = text.partition("## Comments\n")[2]
    names = [call(world, who, "members.get", id="me")["name"] for who in ("cy", "di", "cy")]
    assert re.findall(r"\*\*(.+?)\*\*", said) == names
    assert "> Why <b>?\n> Really\n" in said
    assert "Never" not in said
    html = exported(world, ident, form="html", comments=True)[1].decode()
    assert html.count("<article") == 3
    assert html.count('class="reply"') == 1
    assert "<b>" not in html
    world.database.write_now(lambda tx: tx.execute("update comment set internal = 1 where body = 'Later'"))
    assert "Later" not in exported(world, ident, comments=True)[1].decode()


def test_an_export_has_what_its_caller_sees(world: World, ident: str) -> None:
    secret = page(world, "Canary", parent=ident, body="canary")
    call(world, "cy", "pages.restrict", id=secret, view=["@cy"])
    file = attached(world, f"page:{secret}", who="cy", name="canary.txt", data=b"canary")
    call(world, "cy", "pages.update", id=ident, body=f"[File](/files/{file}) [[Canary]]")
    call(world, "cy", "pages.update", id=ident, body="A draft", draft=True)
    assert list(archived(world, ident, "cy", children=True)) == [
        "rules.md",
        "rules/canary.md",
        f"files/{file}-canary.txt",
    ]
    name, data = exported(world, ident, children=True)
    assert name == "rules.md"
    assert f"[File](/files/{file})" in data.decode()
    html = exported(world, ident, form="html", children=True)[1].decode()
    assert f"/pages/{secret}" not in html
    for who, one in (("di", secret), ("gus", ident)):
        with refused("not-found"):
            call(world, who, "pages.export", id=one, format="md")
    with refused("invalid-input"):
        call(world, "di", "pages.export", id=ident, format="odt")


def test_a_link_lasts_five_minutes_and_as_long_as_the_page_is_seen(world: World, ident: str) -> None:
    url = call(world, "di", "pages.export", id=ident, format="html")["url"]
    status, headers, _ = fetched(world, url)
    assert status == 200
    assert headers["content-disposition"].startswith("attachment")
    assert fetched(world, url + "x")[0] == 404
    call(world, "cy", "pages.restrict", id=ident, view=["@cy"])
    assert fetched(world, url)[0] == 200, "its owner sees it all the same"
    call(world, "cy", "pages.update", id=ident, owner="@cy")
    assert fetched(world, url)[0] == 404
    url = call(world, "cy", "pages.export", id=ident, format="html")["url"]
    world.clock.advance(301)
    assert fetched(world, url)[0] == 404


def test_what_is_too_much_is_refused(world: World, ident: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page(world, "Below", who="di", parent=ident)
    for name, most in (("MOST_PAGES", 1), ("MOST_CHARS", 10)):
        with monkeypatch.context() as changed, refused("conflict"):
            changed.setattr(f"kbwork.modules.pages.exports.material.{name}", most)
            call(world, "di", "pages.export", id=ident, format="md", children=True)
    file = attached(world, f"page:{ident}")
    call(world, "di", "pages.update", id=ident, body=f"![A](/files/{file})")
    for name in ("MOST_FILES", "MOST_FILE_BYTES"):
        with monkeypatch.context() as changed, refused("conflict"):
            changed.setattr(f"kbwork.modules.pages.exports.material.{name}", 0)
            call(world, "di", "pages.export", id=ident, format="md")
    assert json.loads(json.dumps(exported(world, ident, form="html")[0])) == "rules.html"


def test_exports_are_kept_among_the_uploads_of_who_asked(
    world: World, ident: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        exported(world, ident)
    with monkeypatch.context() as changed, refused("rate-limited"):
        changed.setattr("kbwork.modules.uploads.kept.MOST_OF_ONE", 2)
        call(world, "di", "pages.export", id=ident, format="md")
    folder = world.folder / "uploads"
    assert len(list(folder.iterdir())) == 2
    world.advance(24 * 3600 + 120)
    eventually(lambda: not list(folder.iterdir()))


LONG = """Some *soft* **loud** ~~gone~~ `code` text with [a link](https://example.com/?a=1&b=2) and [[More]].

1. One
   - Inner

     More of it
2. Two

> Quoted

```python
def f(): pass
```

| a | b |
|---|---|
| **1** | 2 <b> |

- [x] Done

***

### Smaller 🎉
"""


def test_a_word_processor_opens_what_was_written(world: World, ident: str) -> None:
    picture = attached(world, f"page:{ident}")
    page(world, "More", who="di", parent=ident)
    call(world, "di", "pages.update", id=ident, body=f"{LONG}\n![Map](/files/{picture}) ![Odd](/files/none)")
    call(world, "cy", "comments.create", subject=f"page:{ident}", body="Why?")
    _, data = exported(world, ident, form="docx", comments=True)
    document = docx.Document(io.BytesIO(data))
    lines = [one.text.strip() for one in document.paragraphs]
    assert lines[:2] == ["Rules", "Some soft loud gone code text with a link and More."]
    for line in (
        "1.\tOne",
        "\u2022\tInner",
        "More of it",
        "2.\tTwo",
        "def f(): pass",
        "\u2022\t[x] Done",
        "Odd",
        "Why?",
    ):
        assert line in lines
    assert [one.text for one in document.paragraphs if one.style and one.style.name == "Heading 3"] == [
        "Smaller 🎉"
    ]
    assert [[cell.text for cell in row.cells] for row in document.tables[0].rows] == [
        ["a", "b"],
        ["1", "2 <b>"],
    ]
    assert len(document.inline_shapes) == 1
    targets = {one.target_ref for one in document.part.rels.values() if one.is_external}
    assert "https://example.com/?a=1&b=2" in targets
    assert list(archived(world, ident, form="docx", children=True)) == ["rules.docx", "rules/more.docx"]


def test_a_printer_gets_what_was_written(world: World, ident: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(as_pdf, "FOLDERS", ())
    picture = attached(world, f"page:{ident}")
    body = f"{LONG}\n![Map](/files/{picture})\n\n{'word ' * 4000}\n\n{'x' * 3000}\n\n    {'y' * 300}\n"
    call(
        world,
        "di",
        "pages.update",
        id=ident,
        body=f"{body}\n|a|\n|-|\n|{'cell ' * 150}|\n|{'long ' * 900}|\n",
    )
    name, data = exported(world, ident, form="pdf")
    assert name == "rules.pdf"
    found = pypdf.PdfReader(io.BytesIO(data))
    text = " ".join(one.extract_text() for one in found.pages)
    assert found.metadata is not None
    assert found.metadata.title == "Rules"
    for words in (
        "Rules",
        "Some soft loud gone code text",
        "def f(): pass",
        "[x] Done",
        "[party popper]",
        "2 <b>",
    ):
        assert words in text
    assert (text.count("word"), text.count("cell"), text.count("long")) == (4000, 150, 900)
    assert sum(len(one.images) for one in found.pages) == 1
    for odd in ("\u05d0\u05d1", "\u65e5\u672c"):
        call(world, "di", "pages.update", id=ident, body=odd)
        with refused("invalid-input"):
            call(world, "di", "pages.export", id=ident, format="pdf")
    with monkeypatch.context() as changed, refused("conflict"):
        changed.setattr("kbwork.modules.pages.exports.formats.blocks.MOST", 1)
        call(world, "di", "pages.export", id=ident, format="docx")


@pytest.mark.parametrize(
    "body", ["> " * 3000 + "a", "- " * 3000 + "a", "<" * 5000, "*" * 5000, "|a" * 300, "\ufffe\u2028"]
)
@pytest.mark.parametrize("form", ["html", "docx", "pdf"])
def test_hostile_texts_are_written_too(world: World, ident: str, body: str, form: str) -> None:
    call(world, "di", "pages.update", id=ident, body=f"{body}\n\n{body}\n|-|\n|a|")
    assert exported(world, ident, form=form)[0] == f"rules.{form}"


def test_a_picture_counts_wherever_it_stands(
    world: World, ident: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of its places holds all of it."""
    picture = attached(world, f"page:{ident}")
    call(world, "di", "pages.update", id=ident, body=f"![A](/files/{picture})\n\n" * 3)
    for name, most in (("MOST_FILES", 2), ("MOST_FILE_BYTES", 3 * len(PNG) - 1)):
        with monkeypatch.context() as patched:
            patched.setattr(f"kbwork.modules.pages.exports.material.{name}", most)
            with refused("conflict"):
                exported(world, ident, form="html")
    assert exported(world, ident, form="html")[1].count(b"data:image/png") == 3
