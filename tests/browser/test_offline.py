"""The web app in Chromium without a network: it begins, shows what was seen last, and sends what was written later."""

import json
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, expect

from kbwork.api.pages import app
from kbwork.api.pages.response import lasting
from tests.browser.app import choose, comes, on_disk, row, unsent
from tests.browser.chromium import visiting
from tests.conftest import PASSWORD, World
from tests.modules.calls import call
from tests.modules.flags.flag_project import flag, shop
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["node"]

pytestmark = pytest.mark.long

_FETCHED = "() => performance.getEntriesByType('resource').map(entry => entry.name.split('/').pop())"


def opens_with(world: World, name: str, tql: str) -> None:
    view = call(world, "bo", "views.save", name=name, tql=tql, project="WEB")["id"]
    call(world, "bo", "projects.update", key="WEB", default_view=view)


def test_a_day_without_a_network_is_a_day_of_work(node: str, world: World, chromium: Browser) -> None:
    seen, other = issue(world, title="Seen", body="With **words**"), issue(world, title="Not seen")
    call(world, "cy", "comments.create", subject=f"issue:{seen}", body="Said before")
    opens_with(world, "Open ones", "open")
    with visiting(chromium, world.url, with_worker=True) as visitor:
        visitor.sign_in("cy@acme.example", PASSWORD)
        page = visitor.context.new_page()
        page.goto(f"{world.url}/issues/{seen}")
        expect(page.get_by_text("Said before")).to_be_visible()
        page.evaluate("() => navigator.serviceWorker.ready.then(() => caches.match('/issues'))")
        on_disk(page)
        visitor.context.set_offline(True)
        page.goto(f"{world.url}/projects/WEB")
        expect(row(page, other)).to_be_visible()
        expect(page.locator(".filter-bar")).to_contain_text("Open ones")
        expect(page.get_by_text("Offline.")).to_be_visible()
        page.goto(f"{world.url}/issues/{seen}")
        expect(page.locator(".prose strong")).to_have_text("words")
        expect(page.get_by_text("Said before")).to_be_visible()
        page.keyboard.press("p")
        page.locator("dialog input").fill("Urgent")
        page.keyboard.press("Enter")
        expect(page.get_by_text("1 change waits.")).to_be_visible()
        comes(page, lambda: unsent(page), 1)  # on the disk, milliseconds later
        page.reload()
        expect(page.get_by_role("button", name="Priority: Urgent")).to_be_visible()
        assert call(world, "cy", "issues.get", key=seen)["priority"] == "none"
        call(world, "bo", "issues.update", key=other, title="Seen by others")
        visitor.context.set_offline(False)
        expect(page.get_by_text("Offline.")).to_have_count(0, timeout=15_000)
        page.get_by_role("link", name="All issues").click()
        expect(row(page, other)).to_contain_text("Seen by others")
        comes(page, lambda: call(world, "cy", "issues.get", key=seen)["priority"], "urgent")
        page.goto(f"{world.url}/docs")  # what is no screen of the app goes by its worker
        expect(page.get_by_role("heading").first).to_be_visible()
        page.goto(f"{world.url}/")
        page.keyboard.press("Control+k")
        page.locator("dialog input").fill("sign out")
        page.keyboard.press("Enter")
        page.wait_for_url("**/signin?next=**")
        comes(page, lambda: page.evaluate("caches.keys().then(names => names.length)"), 0)


def test_a_tab_of_the_version_before_goes_on_and_is_told_of_the_newer_one(
    node: str, world: World, chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop(world)
    flag(world, "banner")
    key = issue(world)
    with visiting(chromium, world.url, with_worker=True) as visitor:
        visitor.sign_in("cy@acme.example", PASSWORD)
        page = visitor.context.new_page()
        page.goto(f"{world.url}/projects/WEB")
        expect(row(page, key)).to_be_visible()
        page.wait_for_function("() => navigator.serviceWorker.controller")
        files = app._files()
        left = {name: file for name, file in files.items() if name in page.evaluate(_FETCHED)}
        script = app.worker().body
        assert isinstance(script, bytes)
        newer = script.decode()
        for name in files.keys() - left.keys():
            newer = newer.replace(f'"{name}",', "").replace(f',"{name}"', "")
        [entry] = [name for name in left if name.startswith("app-")]
        newer = newer.replace(f'"{entry}"', f'"newer-{entry}"')
        left[f"newer-{entry}"] = left[entry]
        monkeypatch.setattr(app, "_files", lambda: left)
        monkeypatch.setattr(app, "_built", lambda _, kind: lasting(newer.encode(), kind))
        visitor.context.set_offline(True)
        page.keyboard.press("j")
        page.keyboard.press("p")
        choose(page, "urgent")
        expect(page.get_by_text("Offline.")).to_be_visible()
        visitor.context.set_offline(False)
        expect(page.get_by_role("button", name="Load it")).to_be_visible()
        page.get_by_role("link", name="Flags").click()
        expect(page.locator(".row.flag")).to_be_visible()  # of the version that this page is of
        visitor.context.route(
            f"{world.url}/issues", lambda route: route.fulfill(status=502, body="Bad gateway")
        )
        page.goto(f"{world.url}/issues")
        expect(page.get_by_role("heading", name="All issues")).to_be_visible()


def test_a_page_of_the_newest_version_is_not_told_of_it(
    node: str, world: World, chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever visits behind an update is given the newer page by the server, and its worker comes behind that."""
    with visiting(chromium, world.url, with_worker=True) as visitor:
        visitor.sign_in("cy@acme.example", PASSWORD)
        page = visitor.context.new_page()
        page.goto(f"{world.url}/projects/WEB")
        page.wait_for_function("() => navigator.serviceWorker.controller")
        script, files, shell = app.worker().body, app._files(), app._page()
        assert isinstance(script, bytes)
        assert shell is not None
        assert isinstance(shell.body, bytes)
        [entry] = [name for name in files if name.startswith("app-") and name.endswith(".js")]
        newer = files | {f"newer-{entry}": files[entry]}
        with_entry = [
            text.replace(f"{entry}".encode(), f"newer-{entry}".encode()) for text in (script, shell.body)
        ]
        monkeypatch.setattr(app, "_files", lambda: newer)
        monkeypatch.setattr(app, "_built", lambda _, kind: lasting(with_entry[0], kind))
        monkeypatch.setattr(app, "_page", lambda: lasting(with_entry[1]))
        page.goto(f"{world.url}/issues")
        expect(page.get_by_role("heading", name="All issues")).to_be_visible()
        page.wait_for_function(
            "() => navigator.serviceWorker.getRegistration()"
            ".then(one => one.update().then(() => !one.installing && caches.keys()).then(names => names.length === 2))"
        )
        page.wait_for_timeout(300)
        assert page.get_by_role("button", name="Load it").count() == 0


def test_the_app_can_be_installed_and_shared_to(node: str, world: World, chromium: Browser) -> None:
    with urlopen(f"{world.url}/manifest.webmanifest") as answer:
        told = json.load(answer)
        assert answer.headers["content-type"] == "application/manifest+json"
    assert (told["start_url"], told["display"], told["icons"][0]["src"]) == (
        "/",
        "standalone",
        "/favicon.svg",
    )
    target = told["share_target"]
    with visiting(chromium, world.url) as visitor:
        visitor.sign_in("cy@acme.example", PASSWORD)
        page = visitor.context.new_page()
        title, text, link = (target["params"][name] for name in ("title", "text", "url"))
        page.goto(f"{world.url}{target['action']}?{title}=Broken&{text}=See+there&{link}=http://a.example/1")
        expect(page.get_by_role("textbox", name="Title")).to_have_value("Broken")
        page.keyboard.press("Enter")
        expect(page.get_by_text("WEB-1 created").or_(page.get_by_text("SEC-1 created"))).to_be_visible()
        page.wait_for_url(f"{world.url}/")
    [made] = call(world, "cy", "issues.list")["items"]
    assert (made["title"], made["body"]) == ("Broken", "See there\n\nhttp://a.example/1")
