"""What browsers keep that follow the stream: the same as the service has, as far as each of them may see it."""

import random

import pytest

from tests.browser.chromium import Tab, Wire
from tests.browser.conftest import SignedIn
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.test_sync import issue, store

pytestmark = pytest.mark.long

WORDS = (
    "Show Hide Sort Count Move Export Import Check Warn about Explain Speed up Tidy",
    "orders customers returns invoices stock prices coupons carts parcels labels reports drafts reviews photos",
    "without an address of last year in two currencies by weight with a gift card from the app after checkout",
    "twice slowly too late for guests on small screens in Safari behind a proxy with many lines at month's end",
)
OPEN, MOST_BYTES = 5_000, 130_000
_OF_TWO_YEARS = (
    "update issue set created_at = created_at - 12000 * (5000 - id) + abs(random()) % 12000,"
    " updated_at = created_at - abs(random()) % (12001 * (5001 - id))"
)
"""Each when it was made, one after the other, and touched whenever since."""


def same(tab: Tab, world: World, who: str) -> None:
    """What a tab keeps is what a new snapshot gives."""
    fresh = store(world, who, closed_days=30)
    assert fresh.kinds["issue"]
    for kind, rows in fresh.kinds.items():
        assert tab.kept(kind) == {str(ident): row for ident, row in rows.items()}, kind


def test_what_one_does_is_in_the_stores_of_the_others_and_leaves_that_of_who_may_not_see_it(
    world: World, signed_in: SignedIn
) -> None:
    call(world, "cy", "projects.member_set", key="SEC", who="@di", role="viewer")
    for project in ("WEB", "SEC"):
        issue(world, "cy", project=project, title=f"There before, in {project}")
    cy, bo, di = (signed_in(who).follow() for who in ("cy", "bo", "di"))
    assert {row["key"] for row in di.kept("issue").values()} == {"WEB-1", "SEC-1"}

    made = cy.call("issues.create", project="WEB", title="Cart")
    one, here = {"key": made["key"]}, f"issues[{made['id']}]"
    first = "Object.values(issues).find(one => one.key === 'WEB-1')"
    label = bo.call("labels.save", name="slow")["id"]
    for op, value, check in (
        ("issues.update", {**one, "title": "Cart of many lines"}, f"{here}?.title === 'Cart of many lines'"),
        ("issues.transition", {**one, "to_status": "in_progress"}, f"{here}?.lane === 'in_progress'"),
        ("issues.update", {**one, "labels": ["slow"]}, f"{here}?.labels.includes({label!r})"),
        ("issues.rank", {"keys": [made["key"]], "before": "WEB-1"}, f"{here}?.rank < {first}.rank"),
    ):
        cy.call(op, **value)
        for tab in (cy, bo, di):
            tab.until("issue", f"issues => {check}")
    bo.call("comments.create", subject=f"issue:{made['key']}", body="Seen it, too")
    di.until("issue", f"issues => {here}?.comments === 1")

    bo.call("issues.level_set", **one, level="private")
    di.until("issue", f"issues => !({made['id']} in issues)")
    bo.until("issue", f"issues => {here}?.level === 'private'")
    cy.call("projects.member_set", key="SEC", who="@di", role="none")
    di.until("issue", "issues => Object.values(issues).every(one => one.project === 'WEB')")
    assert "SEC" not in di.kept("project")
    cy.call("issues.delete", key="WEB-1")
    for tab in (bo, di):
        tab.until("issue", "issues => Object.values(issues).every(one => one.key !== 'WEB-1')")
    issue(world, "di", title="Still here")
    for who, tab in (("cy", cy), ("bo", bo), ("di", di)):
        tab.until("issue", "issues => Object.values(issues).some(one => one.title === 'Still here')")
        same(tab, world, who)
    assert [tab.noted("resets") for tab in (cy, bo, di)] == [0, 0, 1]


def test_five_thousand_open_issues_are_there_in_130_kb(world: World, signed_in: SignedIn) -> None:
    chance = random.Random(5)
    for _ in range(OPEN // 50):
        ops = [
            {"op": "issues.create", "input": {"project": "WEB", "title": title(chance)}} for _ in range(50)
        ]
        world.key("cy").call("api.batch", {"ops": ops})
    world.database.write_now(lambda tx: tx.execute(_OF_TWO_YEARS))
    visitor = signed_in("bo")
    page = visitor.context.new_page()
    wire = Wire(page)
    page.goto(f"{world.url}/connect")
    page.evaluate("keeper.follow()")
    tab = Tab(page)
    tab.until("issue", f"issues => Object.keys(issues).length === {OPEN}")
    assert 60_000 < wire.bytes_of("/sync.snapshot") <= MOST_BYTES


def title(chance: random.Random) -> str:
    """Such as people write: what is to be done with what, and where it shows."""
    return " ".join(" ".join(chance.sample(part.split(), chance.randint(1, 2))) for part in WORDS)


def test_ten_tabs_of_a_browser_have_one_stream_and_the_next_takes_it_over(
    world: World, signed_in: SignedIn
) -> None:
    browser = signed_in("cy")
    tabs = [browser.follow() for _ in range(10)]
    assert [tab.noted("streams") for tab in tabs] == [1] + 9 * [0]
    for number, tab in enumerate(tabs):
        tab.call("issues.create", project="WEB", title=f"From tab {number}")
    for tab in tabs:
        tab.until("issue", f"issues => Object.keys(issues).length === {len(tabs)}")
    assert streams(world) == 1
    tabs.pop(0).page.close()
    tabs[0].page.wait_for_function("() => keeper.noted.streams === 1")
    issue(world, "cy", title="For who is left")
    for tab in tabs:
        tab.until("issue", "issues => Object.values(issues).some(one => one.title === 'For who is left')")
    assert sum(tab.noted("streams") for tab in tabs) == 1
    assert streams(world) == 1
    same(tabs[-1], world, "cy")


def streams(world: World) -> int:
    assert world.app is not None
    return world.app.stream.figures["open"]


def test_whoever_is_signed_out_keeps_nothing(world: World, signed_in: SignedIn) -> None:
    issue(world, "cy")
    browser = signed_in("cy")
    tabs = [browser.follow(), browser.follow()]
    assert all(tab.kept("issue") for tab in tabs)
    call(world, "bo", "members.deactivate", id="@cy", on=True)
    for tab in tabs:
        tab.page.wait_for_function("() => keeper.noted.bye === 'unauthenticated'")
        assert (tab.kept("issue"), tab.kept("lane")) == ({}, {})
