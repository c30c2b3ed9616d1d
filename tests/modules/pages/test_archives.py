"""Archives of pages: those of other tools, and those that mean harm."""

import io
import stat
import zipfile
from typing import Any

import pytest

from tests.conftest import World
from tests.modules.calls import call
from tests.modules.pages.test_exports import PNG
from tests.modules.pages.test_imports import bodies, brought, refusal, zipped
from tests.modules.pages.wiki import outline, space, titles

A, B, C = ("0123456789abcdef0123456789abcde" + sign for sign in "abc")


@pytest.fixture(autouse=True)
def _hand(world: World) -> None:
    space(world)


def files(world: World, made: dict[str, Any]) -> dict[str, str]:
    """The files on a page: name -> id."""
    return {
        one["name"]: one["id"] for one in call(world, "di", "attachments.list", subject=f"page:{made['id']}")
    }


def test_an_export_of_notion(world: World) -> None:
    made = brought(
        world,
        "zip",
        zipped(
            {
                f"Export-1/Home {A}.md": f"# Home\n\n[Second](Home/Second%20{B}.md)\n\n![p](Home/p.png)\n\n"
                f"[Web](https://www.notion.so/team/Second-{B}?pvs=4)",
                f"Export-1/Home/Second {B}.md": f"# Second\n\n[Up](../Home%20{A}.md)",
                f"Export-1/Home/First {A[::-1]}.md": "# First",
                "Export-1/Home/p.png": PNG,
                f"Export-1/Tasks {C}.csv": "Name,Done\nPack | go,Yes\n",
                f"Export-1/Tasks {C}_all.csv": "Name,Done\nPack | go,Yes\nRest,No\n",
                f"Export-1/Tasks/Pack {B[::-1]}.md": "# Pack\n\nDone: Yes\nWho: Bo\n\nText",
            }
        ),
    )
    assert outline(world) == [["Home", ["Second", "First"]], ["Tasks", ["Pack"]]]
    (picture,) = files(world, made[0]).values()
    assert bodies(made) == {
        "Home": f"[[Second]]\n\n![p](/files/{picture})\n\n[[Second|Web]]",
        "Second": "[[Home|Up]]",
        "First": "",
        "Tasks": "| Name | Done |\n| --- | --- |\n| Pack \\| go | Yes |\n| Rest | No |",
        "Pack": "Text",
    }
    assert made[-1]["properties"] == {"Done": "Yes", "Who": "Bo"}


def test_an_archive_of_archives_is_opened_once(world: World) -> None:
    inner = zipped({"a.md": "# A"})
    assert titles(
        brought(world, "zip", zipped({"Part-1.zip": inner, "Part-2.zip": zipped({"b.md": "# B"})}))
    ) == [
        "A",
        "B",
    ]
    assert refusal(world, "zip", zipped({"a.zip": zipped({"b.zip": inner})}))[0] == "invalid-input"
    made = brought(world, "zip", zipped({"a.md": "# C", "a.zip": inner}))
    assert list(files(world, made[0])) == ["a.zip"]


def test_a_vault_of_obsidian(world: World) -> None:
    made = brought(
        world,
        "zip",
        zipped(
            {
                ".obsidian/app.json": "{}",
                "Start.md": "---\ntags: a, b\naliases: [S]\n---\n[[Note#Part|see]] ![[pic one.png|300]] ![[Note]]"
                " [[Nowhere]] `[[Note]]` [[deep/Note2]]",
                "notes/Note.md": "Up: [[Start]]\n\n```\n[[Start]]\n```\n\n[pdf](../files/a.pdf)",
                "notes/deep/Note2.md": "#tag [[Note]]",
                "attachments/pic one.png": PNG,
                "files/a.pdf": b"%PDF-1.4",
                "files/lost.txt": "nobody names it",
            }
        ),
    )
    assert outline(world) == [["notes", [["deep", ["Note2"]], "Note"]], "Start"]
    found = bodies(made)
    on_start = files(world, made[-1])
    assert found["Start"] == (
        f"[[Note#Part|see]] ![](/files/{on_start['pic one.png']}) [[Note]] [[Nowhere]] `[[Note]]` [[Note2]]"
    )
    (pdf,) = files(world, made[3]).values()
    assert found["Note"] == f"Up: [[Start]]\n\n```\n[[Start]]\n```\n\n[pdf](/files/{pdf})"
    assert found["Note2"] == "#tag [[Note]]"
    assert made[-1]["properties"] == {"aliases": ["S"], "labels": ["a", "b"]}
    assert list(files(world, made[0])) == ["lost.txt"]


def test_a_space_of_confluence(world: World) -> None:
    def shown(title: str, body: str, more: str = "") -> str:
        return (
            f"<html><head><title>TEAM : {title}</title></head><body>"
            f'<h1><span id="title-text">TEAM : {title}</span></h1>'
            f'<div id="main-content" class="wiki-content">{body}</div>{more}</body></html>'
        )

    code = '<pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: java; gutter: false">int a;</pre>'
    tasks = '<ul class="inline-task-list"><li class="checked">Done</li><li>Open</li></ul>'
    picture = '<img src="attachments/thumbnails/1/2.png" data-image-src="attachments/1/2.png?v=1">'
    listed = '<div><a href="attachments/1/2.png">map.png</a> (image/png)</div>'
    made = brought(
        world,
        "zip",
        zipped(
            {
                "TEAM/index.html": '<ul><li><a href="Home_1.html">Home</a><ul><li><a href="B_2.html">B</a></li>'
                '<li><a href="A_3.html">A</a></li></ul></li></ul>',
                "TEAM/Home_1.html": shown(
                    "Home", f'<p><a href="B_2.html">To B</a></p>{code}{picture}', listed
                ),
                "TEAM/B_2.html": shown("B", tasks),
                "TEAM/A_3.html": shown("A", "<p>Text</p>"),
                "TEAM/attachments/1/2.png": PNG,
                "TEAM/styles/site.css": "p{}",
            }
        ),
    )
    assert outline(world) == [["Home", ["B", "A"]]]
    (ident,) = files(world, made[0]).values()
    assert list(files(world, made[0])) == ["map.png"]
    assert bodies(made) == {
        "Home": f"[[B|To B]]\n\n```java\nint a;\n```\n\n![](/files/{ident})",
        "B": "- [x] Done\n- [ ] Open",
        "A": "Text",
    }


def test_folders_keep_their_tree(world: World) -> None:
    made = brought(
        world,
        "zip",
        zipped(
            {
                "docs/2 two.md": "---\nweight: 2\n---\n[x]: sub/page.html\n\nSee [x] and [up](/sub/) [gone](no.md)",
                "docs/10 ten.md": "---\nweight: 1\n---\n",
                "docs/sub/_index.md": "# Sub\n\nAbout",
                "docs/sub/page.html": "<title>Page</title><p><a href='../2%20two.md#part'>two</a></p>",
                "docs/sub/empty/x.txt": "x",
            }
        ),
        title="Docs",
    )
    assert outline(world) == [["Docs", ["10 ten", "2 two", ["Sub", ["Page"]]]]]
    found = bodies(made)
    assert found["2 two"] == "[x]: sub/page.html\n\nSee [x] and [[Sub|up]] [gone](no.md)"
    assert found["Page"] == "[[2 two#part|two]]"


def test_names_that_differ_in_case_alone_are_told_apart(world: World) -> None:
    made = brought(
        world,
        "zip",
        zipped(
            {
                "Note.md": "upper",
                "note.md": "lower",
                "a.md": "[u](Note.md) [l](note.md) [any](NOTE.md) ![](X.png) ![](x.png)",
                "X.png": PNG,
                "x.png": PNG + b"2",
            }
        ),
    )
    held = files(world, made[0])
    upper, lower = (f"/files/{held[name]}" for name in ("X.png", "x.png"))
    assert [(one["slug"], one["body"]) for one in made[1:]] == [("note", "upper"), ("note-2", "lower")]
    assert made[0]["body"] == f"[[Note|u]] [[HAND/note-2|l]] [[HAND/note-2|any]] ![]({upper}) ![]({lower})"


def _odd(path: str, mode: int = 0, flags: int = 0) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        info = zipfile.ZipInfo("a.md")
        info.filename = path
        info.external_attr = mode << 16
        archive.writestr(info, "# A")
    return held.getvalue()


def _twice() -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("a.md", "# A")
        archive.writestr("b.md", "# B")
    return held.getvalue().replace(b"b.md", b"a.md")


def _spoiled() -> bytes:
    made = bytearray(zipped({"a.md": "# A" * 100}, zipfile.ZIP_STORED))
    made[60] ^= 1
    return bytes(made)


def _encrypted() -> bytes:
    made = bytearray(zipped({"a.md": "# A"}))
    made[made.index(b"PK\x01\x02") + 8] |= 1
    return bytes(made)


@pytest.mark.parametrize(
    ("data", "slug", "words"),
    [
        (_odd("../a.md"), "invalid-input", "'../a.md' leads out"),
        (_odd("b/../../a.md"), "invalid-input", "leads out"),
        (_odd("..\\a.md"), "invalid-input", "leads out"),
        (_odd("/etc/a.md"), "invalid-input", "absolute"),
        (_odd("C:\\a.md"), "invalid-input", "absolute"),
        (_odd("a\n.md"), "invalid-input", "signs"),
        (_odd("a.md", stat.S_IFLNK | 0o777), "invalid-input", "'a.md' is a symbolic link"),
        (_odd("x" * 1001 + ".md"), "invalid-input", "longer"),
        (_twice(), "invalid-input", "called 'a.md'"),
        (_spoiled(), "invalid-input", "'a.md' is broken"),
        (_encrypted(), "invalid-input", "'a.md' is encrypted"),
        (zipped({"a.md": "# A", "bomb.bin": b"\0" * 5_000_000}), "too-large", "'bomb.bin' grows"),
        (zipped({f"{n}.txt": "" for n in range(5001)}), "too-large", "5,000 entries"),
        (zipped({f"{n}.md": "x" for n in range(501)}), "too-large", "500 pages"),
        (zipped({"a.md": "# A", **{f"{n}.txt": "" for n in range(501)}}), "too-large", "500 files"),
        (zipped({"a.md": "# A", "b/c.md": b"# C\n" + b"x" * 1_000_001}), "too-large", "b/c.md"),
        (zipped({"/".join("abcdefghijklmnopqrstu") + ".md": "x", "z.md": "x"}), "conflict", "20 levels"),
    ],
)
def test_what_means_harm_is_refused_by_its_name(world: World, data: bytes, slug: str, words: str) -> None:
    found, detail = refusal(world, "zip", data)
    assert found == slug
    assert words in detail


def test_names_in_old_letters(world: World) -> None:
    utf8 = zipped({"Über.md": "x"})
    unflagged = utf8.replace(b"\x14\x00\x00\x08", b"\x14\x00\x00\x00")
    assert titles(brought(world, "zip", utf8)) == ["Über"]
    assert titles(brought(world, "zip", unflagged)) == ["Über"]
    old = zipped({"Xber.md": "x"}).replace(b"Xber.md", b"\x9aber.md")
    assert titles(brought(world, "zip", old)) == ["Über"]
