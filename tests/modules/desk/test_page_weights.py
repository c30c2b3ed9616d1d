"""What pages of the portal weigh on the line, with all that they bring along."""

import gzip
import re
import urllib.request

from tests.api.pages.test_pages import Browser
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.desk.helpdesk import SECRET, open_desk

MOST_BYTES = 30 * 1024


def weight(world: World, browser: Browser, path: str) -> int:
    """A page with its styles and scripts, packed."""
    page = browser.get(path)
    assert page.status == 200, path
    found = len(gzip.compress(page.text.encode()))
    for part in sorted(set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text))):
        with urllib.request.urlopen(world.url + part) as answer:
            found += len(gzip.compress(answer.read()))
    return found


def test_a_page_of_the_portal_is_light(world: World) -> None:
    open_desk(world, intro="Ask us **anything**.", survey=True)
    browser = Browser(world.url)
    pages = ["/portal", "/portal/signin", "/portal/signup", "/portal/forgot"]
    weights = {path: weight(world, browser, path) for path in pages}
    page = browser.get("/portal/signup")
    browser.fill(page, "/portal/signup", name="Nat North", email="nat@north.example", password=SECRET)
    for number in range(30):
        done = browser.post(
            "/portal/new", {"type": 2, "title": f"Question {number}", "asked": ["description"]}
        )
        assert done.status == 303, done.words
        world.advance(200)
    for number in range(30):
        call(
            world, "cy", "comments.create", subject="issue:WEB-1", body=f"Answer {number}: which order is it?"
        )
    pages = ["/portal", "/portal/new?type=1", "/portal/requests/WEB-1", "/portal/account"]
    weights |= {f"{path} signed in": weight(world, browser, path) for path in pages}
    assert max(weights.values()) <= MOST_BYTES, weights
    assert min(weights.values()) > 1000, weights
