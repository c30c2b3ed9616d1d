"""The addresses of the web app: one page for who is signed in, and files that are kept for ever."""

import re
from typing import Any

import pytest

from kbwork.api.pages import app
from kbwork.core import org_settings
from tests.api.pages.test_pages import Browser
from tests.conftest import World
from tests.modules.calls import call

pytestmark = pytest.mark.skipif(app._page() is None, reason="installed without the web files")


@pytest.fixture
def stranger(world: World) -> Browser:
    return Browser(world.url)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/issues",
        "/issues/WEB-1",
        "/projects",
        "/projects/WEB",
        "/projects/WEB/board",
        "/projects/WEB/table",
        "/sprints/1/timeline",
        "/boards/1",
        "/views/1",
        "/flags",
        "/flags/shop/new-checkout/history?env=production",
        "/flags/shop/changes/3",
        "/flags/shop/segments/test/beta.testers",
        "/issues?peek=WEB-1",
        "/inbox",
        "/inbox/settings",
        "/flags/shop/new-till",
        "/settings/import",
    ],
)
def test_each_screen_is_the_same_page_for_who_is_signed_in(
    world: World, stranger: Browser, path: str
) -> None:
    asked = stranger.get(path)
    assert asked.status == 303
    assert asked.headers["location"].startswith("/signin")
    stranger.sign_in()
    page = stranger.get(path)
    assert (page.status, page.headers["cache-control"]) == (200, "no-cache")
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert Browser(world.url).get(path).status == 303  # nobody else's visit changed that


def test_files_have_their_digest_in_the_name_and_are_kept(stranger: Browser) -> None:
    stranger.sign_in()
    names = re.findall(r'(?:href|src)="(/app/[^"]+)"', stranger.get("/").text)
    assert len(names) == 4
    for name in names:
        file = stranger.get(name)
        assert file.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert file.headers["content-type"].startswith(("text/javascript", "text/css"))
    gone = stranger.get("/app/app-OLD.js")
    assert gone.status == 404
    assert "load the page again" in gone.words


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/worker.js", "text/javascript; charset=utf-8"),
        ("/manifest.webmanifest", "application/manifest+json"),
    ],
)
def test_what_keeps_its_name_is_asked_for_each_time(stranger: Browser, path: str, kind: str) -> None:
    file = stranger.get(path)
    assert (file.status, file.headers["content-type"], file.headers["cache-control"]) == (
        200,
        kind,
        "no-cache",
    )
    assert stranger.get("/app/worker.js").status == 404  # from there it would stand before nothing


@pytest.mark.parametrize(
    ("policy", "provider", "reached"),
    [
        ({}, {}, "https://models.example:8443"),
        ({"enabled": False}, {}, "'none'"),
        ({"browser_keys": False}, {}, "'none'"),
        ({}, {"browser": False}, "'none'"),
        ({}, {"enabled": False}, "'none'"),
        ({}, {"base_url": "http://[::1]:9/v1"}, "'none'"),
    ],
)
def test_models_are_asked_where_admins_let_browsers_ask_and_nowhere_else(
    world: World, stranger: Browser, policy: dict[str, Any], provider: dict[str, Any], reached: str
) -> None:
    on = {"enabled": True, "browser_keys": True, "org_keys": False, "excluded": []}
    call(world, "bo", "ai.policy_set", **(on | policy))
    one = {
        "id": "vendor",
        "label": "Vendor",
        "kind": "openai",
        "base_url": "https://models.example:8443/v1",
        "default_model": "small",
        "models": ["small"],
        "enabled": True,
        "needs_key": True,
        "browser": True,
    }
    call(world, "bo", "ai.provider_save", **(one | provider))
    assert stranger.get("/asker.js").headers["location"].startswith("/signin")
    stranger.sign_in()
    file = stranger.get("/asker.js")
    assert (file.status, file.headers["cache-control"]) == (200, "private, no-store")
    assert file.headers["content-security-policy"] == f"default-src 'none'; connect-src {reached}"
    assert "connect-src 'self';" in stranger.get("/issues").headers["content-security-policy"]


def test_models_are_asked_nowhere_while_the_module_is_off(world: World, stranger: Browser) -> None:
    stranger.sign_in()
    world.database.write_now(lambda tx: org_settings.put(tx, "module.ai", False))
    assert stranger.get("/asker.js").headers["content-security-policy"].endswith("connect-src 'none'")


def test_who_reads_no_issues_is_shown_the_ways_to_connect(world: World, stranger: Browser) -> None:
    stranger.sign_in()
    world.database.write_now(lambda tx: org_settings.put(tx, "auth.require_2fa", True))
    assert stranger.get("/issues").headers["location"] == "/connect"
    assert "second factor" in stranger.get("/").words


@pytest.mark.parametrize(
    "path",
    ["/issue", "/projects/WEB/boards", "/sprints/1/list", "/issues/WEB-1/more", "/projects/", "/views/x"],
)
def test_there_are_no_other_screens(stranger: Browser, path: str) -> None:
    stranger.sign_in()
    assert stranger.get(path).status in (303, 404)
