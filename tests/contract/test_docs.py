import html
import http.client
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from click.testing import CliRunner
from PIL import Image

import kbwork
from kbwork.api.pages.docs import markdown
from kbwork.api.pages.docs.problems import texts
from kbwork.base.errors import every_problem
from kbwork.cli.commands.docs import docs
from kbwork.contract import load
from kbwork.settings import Settings
from tests.browser import pictures
from tests.conftest import World

DOCS = Path(kbwork.__file__).parent / "docs"
PAGES = sorted(DOCS.glob("*.md"))
CONTENTS = json.loads((DOCS / "contents.json").read_bytes())
GENERATED = {"api", "events", "changelog", "tql-words"}
WITH_PACKAGE = ("tutorial", "flags-tutorial", "flags-python")
"""Pages whose programs run where kbwork is installed."""
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def blocks(page: Path, *kinds: str) -> list[tuple[str, str]]:
    """The code blocks of these kinds, in their order."""
    return [(kind, text) for kind, text in _BLOCK.findall(page.read_text(encoding="utf-8")) if kind in kinds]


def test_every_page_is_listed_and_every_listed_page_is_there() -> None:
    listed = [name for group in CONTENTS for name in group["pages"]]
    assert len(listed) == len(set(listed))
    assert set(listed) - GENERATED == {page.stem for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_begins_with_its_title_and_keeps_to_the_width(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert re.match(r"# \S", text)
    assert len(re.findall(r"^# ", _BLOCK.sub("", text), re.MULTILINE)) == 1
    wide = [line for line in text.splitlines() if len(line) > 120 and not line.startswith("|")]
    assert wide == []


def test_every_problem_has_its_heading_and_no_heading_is_left_over() -> None:
    assert sorted(texts()) == [problem.slug for problem in every_problem()]
    for slug, text in texts().items():
        assert re.search(r"^> \S", text, re.MULTILINE), slug


def test_every_setting_is_named_under_its_section() -> None:
    manual = (DOCS / "operations-manual.md").read_text(encoding="utf-8")
    for section, keys in tomllib.loads(Settings().as_toml()).items():
        table = re.search(rf"^\| `\[{section}\]` .*?(?=\n\n)", manual, re.DOTALL | re.MULTILINE)
        assert table is not None, section
        assert set(re.findall(r"^\| `(\w+)` \|", table[0], re.MULTILINE)) == set(keys), section


def test_every_event_and_operation_that_is_named_is_there() -> None:
    operations = {path.rpartition("/")[2] for path in load("openapi.json")["paths"]}
    kinds = set(load("events.json"))
    modules = {op.partition(".")[0] for op in operations if "." in op}
    subjects = {kind.partition(".")[0] for kind in kinds}
    for page in PAGES:
        for name in re.findall(r"`([a-z]+\.(?!jsonl)[a-z_]+)`", page.read_text(encoding="utf-8")):
            if name.partition(".")[0] in modules:
                assert name in operations | kinds, f"{page.name}: {name}"
            elif name.partition(".")[0] in subjects:
                assert name in kinds, f"{page.name}: {name}"


def test_every_link_of_the_manual_leads_somewhere(world: World) -> None:
    waiting, seen = ["/docs"], {"/docs": ""}
    broken = []
    while waiting:
        path = waiting.pop()
        status, text = _get(world.url, path)
        if status not in (200, 303):
            broken.append(path)
        seen[path] = text
        for link in re.findall(r'href="([^"]+)"', text):
            target = urlsplit(urljoin(path, html.unescape(link)))
            if target.netloc or target.path in seen or not target.path.startswith("/docs"):
                continue
            seen[target.path] = ""
            waiting.append(target.path)
    assert broken == []
    assert not _lost_anchors(seen)


def _lost_anchors(seen: dict[str, str]) -> list[str]:
    lost = []
    for path, text in seen.items():
        for link in re.findall(r'href="([^"]*#[^"]+)"', text):
            target = urlsplit(urljoin(path, html.unescape(link)))
            if target.path in seen and f'id="{target.fragment}"' not in seen[target.path]:
                lost.append(f"{path} -> {link}")
    return lost


def _get(url: str, path: str) -> tuple[int, str]:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=20)
    connection.request("GET", path, headers={"Accept": "text/html"})
    answer = connection.getresponse()
    text = answer.read().decode(errors="replace")
    connection.close()
    return answer.status, text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_block_of_a_page_runs_as_it_stands(page: Path, world: World, tmp_path: Path) -> None:
    found = blocks(page, "bash", "python")
    place = tmp_path / "work"
    place.mkdir()
    if page.stem not in WITH_PACKAGE and any(kind == "python" for kind, _ in found):
        shutil.copy(DOCS.parent / "contract" / "kbwork_client.py", place / "kbwork.py")
    environ = {
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "HOME": str(tmp_path),
        "KBWORK_URL": world.url,
        "KBWORK_KEY": world.people["ana"].key,
    }
    for kind, text in found:
        command = ["bash", "-euo", "pipefail", "-c", text] if kind == "bash" else [sys.executable, "-c", text]
        done = subprocess.run(
            command, cwd=place, env=environ, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
        assert done.stdout or "-O" in text, text


def test_blocks_that_are_not_run_are_of_a_kind_that_says_so() -> None:
    for page in PAGES:
        for kind, text in blocks(page, "bash"):
            assert text.startswith(("kbwork ", "curl ")), f"{page.name}: {kind}: {text}"
        fences = re.findall(r"^```(\w*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        known = {"sh", "bash", "python", "js", "jsx", "ts", "json", "ini", "yaml", "sql", "dockerfile"}
        assert set(fences[::2]) <= known, page.name
        # tests/web, tests/modules/webhooks and tests/api/sdk run them
        assert "js" not in fences or page.stem in {"typescript", "howto-webhooks", "flags-clients"}


def test_clients_are_told_the_address_in_files_that_can_be_read() -> None:
    found = [json.loads(text) for _, text in blocks(DOCS / "howto-mcp.md", "json")]
    told = [entry for file in found for entry in next(iter(file.values())).values()]
    addresses = [entry.get("url") or entry["args"][-1] for entry in told if "url" in entry or "args" in entry]
    assert len(told) == len(addresses) >= 5
    assert {address.partition("?")[0] for address in addresses} == {"https://kb.acme.example/mcp"}
    assert {next(iter(file)) for file in found} == {"mcpServers", "servers"}


def test_docs_are_printed_by_the_command() -> None:
    listed = CliRunner().invoke(docs, [])
    assert listed.exit_code == 0
    names = [line.split()[0] for line in listed.output.splitlines()]
    assert names == [name for group in CONTENTS for name in group["pages"]]
    for name, holds in (
        ("events", "`issue.created`"),
        ("changelog", "## Added"),
        ("api", "`issues.create`"),
        ("tql-words", "| `assignee`"),
    ):
        made = CliRunner().invoke(docs, [name])
        assert (made.exit_code, holds in made.output) == (0, True), name
    for page in PAGES:
        assert page.stem in listed.output
        shown = CliRunner().invoke(docs, [page.stem])
        assert shown.output == page.read_text(encoding="utf-8")
    missing = CliRunner().invoke(docs, ["tutorail"])
    assert missing.exit_code == 2
    assert "tutorial" in missing.output


@pytest.mark.parametrize(
    ("words", "page", "holds"),
    [
        ("restore a backup", "operations-manual", "backup"),
        ("unassigned bugs older than a month", "tql-examples", "type = bug and unassigned"),
        ("BLOCKERSOF", "tql-words", "blockersOf(key"),
        ("laptop serial number", "assets", "serial"),
        ("cursor mcp.json", "howto-mcp", "mcp.json"),
    ],
)
def test_words_are_found_in_the_manual_best_first(words: str, page: str, holds: str) -> None:
    made = CliRunner().invoke(docs, ["search", *words.split()])
    assert made.exit_code == 0
    first, line, *_ = made.output.splitlines()
    assert (first.partition(":")[0], holds in line) == (page, True), made.output


def test_words_that_the_manual_has_not_are_told_so() -> None:
    made = CliRunner().invoke(docs, ["search", "xylophone"])
    assert (made.exit_code, "nothing about 'xylophone'" in made.output) == (1, True)
    twice = CliRunner().invoke(docs, ["tutorial", "concepts"])
    assert (twice.exit_code, "docs search tutorial concepts" in twice.output) == (2, True)


@pytest.mark.parametrize(
    "source",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        '<img src=x onerror="alert(1)">',
        "[x](data:text/html,<script>1</script>)",
        "<a href='vbscript:x' onclick='y'>z</a>",
    ],
)
def test_the_manual_carries_no_scripts_even_if_a_page_did(source: str) -> None:
    made = markdown.clean(source)
    assert not re.search(
        r"<script|<img|href=\"(javascript|data|vbscript)|onerror=|onclick=", made.replace("&lt;", "")
    )


def test_pictures_are_shown_as_the_theme_has_them_and_none_is_left_over(world: World) -> None:
    shown: list[tuple[str, str]] = []
    for page in PAGES:
        shown += re.findall(
            r"!\[([^\]]*)\]\(pictures/([a-z-]+)-light\.webp\)", page.read_text(encoding="utf-8")
        )
    assert all(words for words, _ in shown)
    assert sorted(name for _, name in shown) == sorted(pictures.SCREENS)
    files = {f"{name}-{theme}.webp" for name in pictures.SCREENS for theme in pictures.THEMES}
    assert {path.name for path in pictures.FOLDER.iterdir()} == files
    for path in pictures.FOLDER.iterdir():
        assert path.stat().st_size < 80_000, path
        with Image.open(path) as picture:
            assert picture.size == markdown.PICTURE_SIZE, path
    made = markdown.clean("![words](pictures/board-light.webp)")
    assert '<source srcset="pictures/board-dark.webp" media="(prefers-color-scheme: dark)">' in made
    assert 'loading="lazy" src="pictures/board-light.webp" alt="words">' in made
    assert _get(world.url, "/docs/pictures/board-dark.webp")[0] == 200
    assert _get(world.url, "/docs/pictures/..%2Fhowto-app.md")[0] == 404
    assert "<img" not in markdown.clean(
        "![x](https://elsewhere.example/x.webp) ![y](pictures/../x-light.webp)"
    )


def test_headings_are_gone_to_by_their_words() -> None:
    made = markdown.page("# A `title`\n\n## Events and the stream\n\ntext\n\n### More\n")
    assert made.title == "A title"
    assert made.contents == [("events-and-the-stream", "Events and the stream")]
    assert '<h2 id="events-and-the-stream">' in made.html
    assert "<h1" not in made.html


def test_the_readme_holds_the_two_commands_and_the_gate() -> None:
    text = (DOCS.parent.parent / "README.md").read_text(encoding="utf-8")
    assert "python3 -m venv .venv && .venv/bin/pip install -e . && .venv/bin/kbwork serve\n" in text
    assert "python3 -m venv .venv && .venv/bin/pip install -e '.[dev]' && .venv/bin/pytest\n" in text
    for command in ("ruff format --check .", "ruff check .", "mypy", "pytest"):
        assert command in text
    for room in DOCS.parent.iterdir():
        if not room.name.startswith("_") and room.is_dir() and any(room.glob("*.*")):
            assert f"`{room.name}/`" in text
