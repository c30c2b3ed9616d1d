"""The web app in Chromium: what people do in it by keys and clicks is done, and what they may not see is not there."""

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.browser.app import Opens, choose, comes, intercept, on_disk, opens, pieces, row, settled
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.pages.wiki import page as world_page
from tests.modules.pages.wiki import space as world_space
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long

NASTY = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"


def test_an_issue_is_made_and_worked_on_by_keys_alone(world: World, opens: Opens) -> None:
    call(world, "ana", "labels.save", name="slow")
    page = opens("cy", "/projects/WEB")
    page.keyboard.press("c")
    page.keyboard.type("The cart forgets its vouchers")
    page.keyboard.press("Enter")
    expect(row(page, "WEB-1")).to_contain_text("The cart forgets its vouchers")
    expect(page.locator("dialog")).to_have_count(0)  # its keys are its own until the answer came
    for keys, words in (
        ("s", "In progress"),
        ("p", "High"),
        ("a", "bo"),
        ("d", "tomorrow"),
        ("l", "slow"),
    ):
        page.keyboard.press("j")
        page.keyboard.press(keys)
        choose(page, words)
        if keys == "l":  # several may be chosen: it stays
            page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
    page.keyboard.press("e")  # it opens beside the list
    expect(page.get_by_label("Title")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("The cart keeps its vouchers")
    page.keyboard.press("Enter")
    page.keyboard.press("m")
    page.keyboard.type("Seen *twice* today.")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".said em")).to_have_text("twice")
    expect(page.locator(".peek h1 textarea")).to_have_value("The cart keeps its vouchers")
    settled(page)
    found = call(world, "cy", "issues.get", key="WEB-1")
    assert (found["title"], found["lane"], found["priority"], found["assignees"], found["labels"]) == (
        "The cart keeps its vouchers",
        "in_progress",
        "high",
        [world.people["bo"].id],
        ["slow"],
    )
    assert found["due_date"] is not None
    assert [one["body"] for one in call(world, "bo", "comments.list", subject="issue:WEB-1")] == [
        "Seen *twice* today."
    ]


def test_what_was_done_last_is_taken_back_by_a_key(world: World, opens: Opens) -> None:
    one, other = issue(world), issue(world, title="Basket")
    page = opens("cy", "/projects/WEB")
    for _ in range(2):
        page.keyboard.press("j")
        page.keyboard.press("x")
    expect(page.get_by_role("toolbar")).to_contain_text("2 selected")
    page.keyboard.press("p")
    choose(page, "Urgent")
    settled(page)
    assert {call(world, "cy", "issues.get", key=key)["priority"] for key in (one, other)} == {"urgent"}
    page.keyboard.press("Control+z")
    expect(page.get_by_role("status")).to_contain_text("Taken back: Priority")
    assert {call(world, "cy", "issues.get", key=key)["priority"] for key in (one, other)} == {"none"}
    expect(page.locator(".row.issue .urgent")).to_have_count(0)


def test_what_others_do_is_there_at_once_and_what_is_no_more_ours_is_gone(world: World, opens: Opens) -> None:
    seen, hidden = issue(world, title="Seen"), issue(world, title="Hidden soon")
    cy, di = opens("cy", "/projects/WEB"), opens("di", "/issues")
    expect(row(di, hidden)).to_be_visible()
    row(cy, seen).get_by_role("button", name="Priority").click()
    choose(cy, "Low")
    expect(row(di, seen).get_by_role("button", name="Priority: Low")).to_be_visible()
    call(world, "ana", "issues.level_set", key=hidden, level="private")
    expect(row(di, hidden)).to_have_count(0)
    expect(row(cy, hidden)).to_be_visible()  # it is theirs
    call(world, "ana", "members.deactivate", id="@di", on=True)
    di.wait_for_url("**/signin?next=**")
    kept = di.evaluate("async () => (await indexedDB.databases()).map(one => one.name)")
    assert "kbwork" in kept
    comes(di, lambda: pieces(di), 0)


def test_a_refused_change_is_taken_back_in_its_field_and_said(world: World, opens: Opens) -> None:
    call(world, "cy", "projects.member_set", key="SEC", who="@di", role="viewer")
    key = issue(world, "cy", project="SEC", title="Not theirs to change")
    page = opens("di", "/projects/SEC")
    row(page, key).get_by_role("button", name="Priority").click()
    choose(page, "Urgent")
    refused = row(page, key).locator(".refused")
    expect(refused).to_be_visible()
    expect(row(page, key).locator(".urgent")).to_have_count(0)
    refused.click()
    choose(page, "Leave")
    expect(refused).to_have_count(0)


def test_changes_without_a_network_wait_and_meet_what_others_did(world: World, opens: Opens) -> None:
    both, mine = issue(world, title="Both"), issue(world, title="Mine")
    page = opens("cy", "/projects/WEB")
    expect(row(page, both)).to_be_visible()
    page.context.set_offline(True)
    for key, priority in ((both, "High"), (mine, "Low")):
        row(page, key).get_by_role("button", name="Priority").click()
        choose(page, priority)
        expect(row(page, key).get_by_role("button", name=f"Priority: {priority}")).to_be_visible()
    expect(page.locator(".offline")).to_contain_text("2 changes wait")
    call(world, "bo", "issues.update", key=both, priority="urgent")
    page.context.set_offline(False)
    refused = row(page, both).locator(".refused")
    expect(refused).to_be_visible(timeout=20_000)
    expect(page.locator(".offline")).to_have_count(0)
    expect(row(page, both).locator(".urgent")).to_have_count(1)
    comes(page, lambda: call(world, "cy", "issues.get", key=mine)["priority"], "low")
    refused.click()
    choose(page, "Keep mine")
    expect(refused).to_have_count(0)
    settled(page)
    assert call(world, "cy", "issues.get", key=both)["priority"] == "high"


def test_a_change_that_was_not_sent_is_sent_at_the_next_visit(world: World, opens: Opens) -> None:
    key = issue(world)
    page = opens("cy", "/projects/WEB")
    context = page.context
    expect(row(page, key)).to_be_visible()
    on_disk(page)
    context.route("**/api/v1/sync.push", lambda route: route.abort())
    row(page, key).get_by_role("button", name="Priority").click()
    choose(page, "High")
    expect(page.locator(".offline")).to_contain_text("1 change waits")
    page.close()
    assert call(world, "cy", "issues.get", key=key)["priority"] == "none"
    context.unroute("**/api/v1/sync.push")
    again = context.new_page()
    again.goto(f"{world.url}/projects/WEB")
    expect(row(again, key).get_by_role("button", name="Priority: High")).to_be_visible()
    settled(again)
    assert call(world, "cy", "issues.get", key=key)["priority"] == "high"


def test_the_next_visit_begins_with_what_was_there(world: World, opens: Opens) -> None:
    key = issue(world, title="Here already")
    page = opens("cy", "/projects/WEB")
    expect(row(page, key)).to_be_visible()
    on_disk(page)
    call(world, "bo", "issues.update", key=key, title="Changed meanwhile")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    held: list[Route] = []
    page.route("**/api/v1/sync.delta", lambda route: held.append(route))  # noqa: PLW0108 - a method it does not take
    with page.expect_request("**/api/v1/sync.delta"):
        page.reload()
    expect(row(page, key)).to_contain_text("Here already")
    held[0].continue_()
    page.unroute("**/api/v1/sync.delta")
    expect(row(page, key)).to_contain_text("Changed meanwhile")
    assert "sync.snapshot" not in asked


def test_who_comes_next_sees_nothing_of_who_was_there_and_sends_nothing_of_theirs(
    world: World, opens: Opens
) -> None:
    mine, other = issue(world, project="SEC", title="Not for everybody"), issue(world)
    page = opens("cy", "/issues")
    context = page.context
    expect(row(page, mine)).to_be_visible()
    on_disk(page)
    context.route("**/api/v1/sync.push", lambda route: route.abort())
    row(page, other).get_by_role("button", name="Priority").click()
    choose(page, "High")
    expect(page.locator(".offline")).to_contain_text("1 change waits")
    page.close()
    context.unroute("**/api/v1/sync.push")
    context.add_cookies([{"name": "kb", "value": world.people["di"].session, "url": world.url}])
    next_one = context.new_page()
    shown: list[str] = []
    next_one.expose_function("noted", lambda word: shown.append(word))  # noqa: PLW0108 - a method it does not take
    next_one.add_init_script(
        "new MutationObserver(() => { if (document.body?.textContent.includes('Not for everybody')) noted('seen'); })"
        ".observe(document, { childList: true, subtree: true });"
        "const subscribed = { unsubscribe: async () => noted('pushed to no more') };"
        "const pushManager = { getSubscription: async () => subscribed };"
        "navigator.serviceWorker.getRegistration = async () => ({ pushManager });"
    )
    next_one.goto(f"{world.url}/issues?peek={mine}")
    expect(next_one.locator(".peek h1")).to_contain_text("not yours to see")
    expect(row(next_one, other)).to_be_visible()
    next_one.wait_for_timeout(300)
    expect(row(next_one, mine)).to_have_count(0)
    assert shown == ["pushed to no more"]
    assert call(world, "cy", "issues.get", key=other)["priority"] == "none"
    next_one.close()
    context.add_cookies([{"name": "kb", "value": world.people["cy"].session, "url": world.url}])
    again = context.new_page()
    again.goto(f"{world.url}/issues")
    expect(row(again, other).get_by_role("button", name="Priority: High")).to_be_visible()
    settled(again)
    assert call(world, "cy", "issues.get", key=other)["priority"] == "high"


def test_who_is_here_behind_a_start_without_a_network_has_nothing_of_who_was_there(
    world: World, opens: Opens
) -> None:
    mine, other = issue(world, project="SEC", title="Not for everybody"), issue(world)
    page = opens("cy", "/issues")
    expect(row(page, mine)).to_be_visible()
    on_disk(page)
    for op in ("auth.me", "sync.push"):
        page.context.route(f"**/api/v1/{op}", lambda route: route.abort())
    page.reload()  # from the disk, as long as nobody says who is here
    row(page, other).get_by_role("button", name="Priority").click()
    choose(page, "Low")
    expect(row(page, other).get_by_role("button", name="Priority: Low")).to_be_visible()
    expect(row(page, mine)).to_be_visible()
    page.context.add_cookies([{"name": "kb", "value": world.people["di"].session, "url": world.url}])
    page.context.unroute_all()
    expect(row(page, mine)).to_have_count(0, timeout=15_000)
    expect(row(page, other).get_by_role("button", name="Priority: No priority")).to_be_visible()
    page.wait_for_timeout(300)
    assert call(world, "cy", "issues.get", key=other)["priority"] == "none"


def test_cards_go_where_they_are_put_by_mouse_and_by_keys(world: World, opens: Opens) -> None:
    one, two, three = (issue(world, title=title) for title in ("First", "Second", "Third"))
    call(world, "cy", "issues.transition", key=three, to_status="in_progress")
    page = opens("cy", "/projects/WEB/board")
    doing = page.get_by_role("region", name="In progress")
    # The title leads to it, and is a part of the card.
    row(page, one).get_by_role("link").drag_to(row(page, three))
    expect(doing.locator(".card .key")).to_have_text([one, three])
    settled(page)
    found = call(world, "cy", "issues.get", key=one)
    assert (found["lane"], found["rank"] < call(world, "cy", "issues.get", key=three)["rank"]) == (
        "in_progress",
        True,
    )
    row(page, two).get_by_role("link").focus()
    page.keyboard.press("j")
    for _ in range(4):  # to the card, wherever the cursor is
        if page.locator(".card.on .key").text_content() == two:
            break
        page.keyboard.press("ArrowRight" if page.locator(".card.on").count() else "j")
    page.keyboard.press("Shift+ArrowRight")
    expect(doing.locator(".card .key")).to_have_text([two, one, three])  # by rank
    expect(page.get_by_role("status").filter(has_text=f"{two}: In progress, 1 of 3")).to_have_count(
        1
    )  # read out


def test_words_that_would_be_code_are_words(world: World, opens: Opens) -> None:
    call(world, "ana", "labels.save", name="<b>bold</b>")
    body = f"{NASTY}\n\n[link](javascript:document.title='owned')\n\n![far](https://example.org/x.png)"
    key = issue(world, title=NASTY, body=body, labels=["<b>bold</b>"])
    call(world, "bo", "comments.create", subject=f"issue:{key}", body=body)
    asked: list[str] = []

    def heard(request: Request) -> None:
        asked.append(request.url)

    page = opens("cy", f"/projects/WEB?peek={key}")
    page.on("request", heard)
    expect(page.locator(".said .prose")).to_contain_text("link")
    for path in ("/", "/issues", "/projects/WEB/board", f"/issues/{key}"):
        page.goto(world.url + path)
        expect(page.locator("h1").first).to_be_visible()
    expect(page.locator(".prose a[target=_blank]").first).to_have_text("far")
    page.wait_for_timeout(200)
    assert "owned" not in page.title()
    assert page.locator(".prose [href^='javascript']").count() == 0
    assert all(url.startswith(world.url) for url in asked)


def test_every_screen_is_for_everybody(world: World, opens: Opens) -> None:
    call(world, "ana", "labels.save", name="slow")
    key = issue(world, body="# Head\n\n* one\n* two\n\n`code` and [a link](/docs)", labels=["slow"])
    issue(world, title="Mine", assignees=["me"], due_date="2020-01-01", priority="urgent")
    call(world, "bo", "comments.create", subject=f"issue:{key}", body="Seen")
    page = opens("cy", "/")
    found: list[str] = []
    for path in ("/", "/issues", "/projects/WEB", "/projects/WEB/board", f"/issues/{key}", "/projects/NONE"):
        page.goto(world.url + path)
        expect(page.locator("h1, .empty").first).to_be_visible()
        found += [f"{path}: {fault}" for fault in faults(page)]
    page.goto(f"{world.url}/projects/WEB?peek={key}")
    expect(page.locator(".said .prose")).to_be_visible()
    for keys in ("", "Control+k", "c", "?", "s"):
        if keys:
            page.keyboard.press("Escape")
            expect(page.locator("dialog")).to_have_count(0)
            if keys == "s":
                page.keyboard.press("j")
            page.keyboard.press(keys)
            expect(page.locator("dialog")).to_be_visible()
        found += [f"{keys or 'peek'}: {fault}" for fault in faults(page)]
    assert found == []


def test_an_empty_org_says_what_to_do(world: World, opens: Opens) -> None:
    page = opens("cy", "/")
    expect(page.locator(".empty")).to_contain_text("Nothing is assigned to you.")
    page.get_by_role("button", name="New issue").first.click()
    expect(page.get_by_role("dialog", name="New issue")).to_be_visible()


def sign_out(page: Page) -> None:
    page.keyboard.press("Control+k")
    page.keyboard.type("sign out")
    page.keyboard.press("Enter")


def test_who_signs_out_leaves_nothing_in_any_tab(world: World, opens: Opens) -> None:
    issue(world)
    page = opens("cy", "/projects/WEB")
    other = page.context.new_page()
    other.goto(f"{world.url}/issues")
    expect(other.locator(".row.issue")).to_have_count(1)
    on_disk(page)
    intercept(page, "**/signout", lambda route: route.fulfill(status=202))
    sign_out(page)
    expect(page.get_by_role("status").filter(has_text="You are not signed out")).to_be_visible()
    assert pieces(page) > 1
    page.unroute_all()
    sign_out(page)
    for one in (page, other):
        one.wait_for_url("**/signin?next=**")
    comes(page, lambda: pieces(page), 0)


def test_who_signs_out_by_the_pages_leaves_nothing_either(world: World, opens: Opens) -> None:
    key = issue(world)
    page = opens("cy", f"/projects/WEB?peek={key}")
    page.keyboard.press("m")
    page.keyboard.type("Not said yet")
    on_disk(page)
    page.goto(f"{world.url}/account")
    page.locator("form[action='/signout'] button").first.click()
    page.wait_for_url("**/signin")
    kept = page.evaluate("async () => (await indexedDB.databases()).map(one => one.name)")
    assert "kbwork" not in kept
    assert page.evaluate("sessionStorage.length") == 0


def test_a_first_project_is_a_name(world: World, opens: Opens) -> None:
    page = opens("ana", "/issues")
    page.get_by_role("button", name="New project").first.click()
    page.keyboard.type("Gift cards 2027")
    expect(page.get_by_label("Key")).to_have_value("GC2")
    page.keyboard.press("Enter")
    page.wait_for_url("**/projects/GC2/board")
    page.keyboard.press("c")
    page.keyboard.type("Say hello")
    page.keyboard.press("Enter")
    expect(row(page, "GC2-1")).to_contain_text("Say hello")
    assert call(world, "ana", "projects.get", key="GC2")["name"] == "Gift cards 2027"


def test_a_saved_view_is_what_the_server_finds_and_follows(world: World, opens: Opens) -> None:
    urgent, low = issue(world, priority="urgent"), issue(world, priority="low")
    view = call(world, "cy", "views.save", name="Pressing", tql="priority = urgent or priority = high")
    page = opens("cy", "/")
    page.get_by_role("link", name="Pressing").click()
    expect(row(page, urgent)).to_be_visible()
    expect(page.locator(".row.issue")).to_have_count(1)
    call(world, "cy", "views.save", name="Slight", tql="priority = low")
    held: list[Route] = []
    intercept(page, "**/views.get*", held.append)
    for number, name in enumerate(("Slight", "Pressing"), start=1):
        page.get_by_role("link", name=name).click()
        while len(held) < number:
            page.wait_for_timeout(20)
    held[1].continue_()
    held[0].continue_()  # of the view that one left
    page.wait_for_timeout(300)
    expect(row(page, urgent)).to_be_visible()
    page.unroute_all()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.keyboard.press("j")
    page.keyboard.press("Space")
    expect(page.locator(".peek h1")).to_be_visible()
    assert "views.get" not in asked  # the list is where it was
    page.keyboard.press("Escape")
    call(world, "bo", "issues.update", key=low, priority="high")
    expect(row(page, low)).to_be_visible()
    call(world, "bo", "issues.update", key=urgent, priority="none")
    expect(row(page, urgent)).to_have_count(0)
    call(world, "cy", "views.delete", id=view["id"])
    expect(page.get_by_role("heading", name="There is nothing at this address.")).to_be_visible()


def test_list_and_issue_stand_beside_each_other_where_there_is_room(world: World, opens: Opens) -> None:
    key = issue(world)
    page = opens("cy", f"/projects/WEB?peek={key}")
    for width in (1440, 1100):
        page.set_viewport_size({"width": width, "height": 800})
        left, right = page.locator("main").bounding_box(), page.locator(".peek").bounding_box()
        assert left is not None
        assert right is not None
        assert left["width"] > 400
        assert (left["x"] + left["width"], right["x"] + right["width"]) == (right["x"], width)
    page.set_viewport_size({"width": 390, "height": 800})
    alone = page.locator(".peek").bounding_box()
    assert alone == {"x": 0, "y": 0, "width": 390, "height": 800}


def test_on_a_phone_issues_are_called_by_their_keys(world: World, opens: Opens) -> None:
    """A long title is cut first, and nothing goes beyond the edge."""
    keys = [issue(world, title=title) for title in ("Basket", "Checkout " * 40)]
    page = opens("cy", "/projects/WEB")
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        for key in keys:
            expect(row(page, key).locator(".key")).to_be_in_viewport(ratio=1)
            assert row(page, key).locator(".title").bounding_box()["width"] >= 80
            edge = row(page, key).get_by_role("button", name="Assignee").bounding_box()
            assert edge["x"] + edge["width"] <= width
        assert row(page, keys[0]).locator(".title a").evaluate("it => it.scrollWidth <= it.clientWidth")
    page.set_viewport_size({"width": 1024, "height": 800})
    lefts = [row(page, key).locator(".title").bounding_box()["x"] for key in keys]
    assert lefts[0] == lefts[1]


@pytest.mark.parametrize("width", [390, 1024])
def test_a_note_of_many_words_covers_little_and_keeps_the_way_back(
    world: World, opens: Opens, width: int
) -> None:
    world_space(world)
    ident = world_page(world, "Title without an end " * 20)
    page = opens("cy", f"/pages/{ident}")
    page.set_viewport_size({"width": width, "height": 800})
    page.get_by_role("button", name="More", exact=True).last.click()
    choose(page, "Archive")
    note = page.locator(".note")
    expect(note.get_by_role("button", name="Take back")).to_be_in_viewport(ratio=1)
    box = note.bounding_box()
    assert box is not None
    assert box["height"] < 72
    assert box["x"] > 12
    assert box["x"] + box["width"] <= width - 12
    note.get_by_role("button", name="Take back").click()
    expect(page.get_by_text("Archived: it is read")).to_have_count(0)


def test_a_note_stands_above_what_is_done_with_all_that_is_selected(world: World, opens: Opens) -> None:
    key = issue(world, title="Basket")
    page = opens("cy", "/projects/WEB")
    row(page, key).hover()
    row(page, key).get_by_role("checkbox").click()
    page.set_viewport_size({"width": 700, "height": 800})
    page.keyboard.press("Control+z")  # there is nothing, and that is said
    note, bar = page.locator(".note"), page.locator(".bulk")
    expect(note).to_be_visible()
    expect(bar).to_be_visible()
    above, below = note.bounding_box(), bar.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"]


def test_keys_go_to_what_has_the_focus_and_to_what_is_seen(world: World, opens: Opens) -> None:
    call(world, "cy", "projects.member_set", key="SEC", who="@di", role="member")
    one, two, three = (issue(world, title=title) for title in ("One", "Two", "Three"))
    page = opens("cy", "/projects/WEB")
    for key, held in ((one, []), (three, ["Shift"])):
        row(page, key).hover()
        row(page, key).get_by_role("checkbox").click(modifiers=held)
    expect(page.get_by_role("toolbar")).to_contain_text("3 selected")
    page.keyboard.press("p")
    choose(page, "Low")
    for key in (one, two, three):
        expect(row(page, key).get_by_role("button", name="Priority: Low")).to_be_visible()
    page.get_by_role("toolbar").get_by_role("button", name="Due").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Due")).to_be_visible()
    page.keyboard.press("Escape")
    row(page, two).get_by_role("link").click()
    page.keyboard.press("p")
    choose(page, "High")  # the one that is open, not those that are selected
    expect(page.locator("article")).to_contain_text("High")
    settled(page)
    assert [call(world, "cy", "issues.get", key=key)["priority"] for key in (one, two, three)] == [
        "low",
        "high",
        "low",
    ]
    page.keyboard.press("Escape")
    expect(page.get_by_role("toolbar")).to_contain_text("3 selected")
    page.keyboard.press("c")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Security").click()
    expect(page.get_by_role("toolbar")).to_have_count(0)
    page.keyboard.press("p")
    expect(page.locator("dialog")).to_have_count(0)
    page.keyboard.press("c")
    expect(page.get_by_role("dialog").get_by_role("button", name="Security")).to_be_visible()


def test_rows_that_come_into_sight_are_those_of_their_issues(world: World, opens: Opens) -> None:
    """Of those that left it there is nothing: no mark, no focus."""
    for number in range(120):
        issue(world, title=f"Issue {number}", priority=("low", "urgent")[number % 2])
    page = opens("cy", "/projects/WEB")
    first = page.locator(".row.issue").first
    first.locator("input").check(force=True)
    first.get_by_role("button", name="Priority").focus()
    page.locator(".list").evaluate("list => { list.scrollTop = 2400; }")
    comes(page, lambda: page.locator(".row.issue[aria-rowindex='2']").count(), 0)
    found = page.evaluate(
        """() => [...document.querySelectorAll(".row.issue")].map(row => ({
          id: row.id,
          line: Number(row.getAttribute("aria-rowindex")),
          top: Number(/translateY\\((\\d+)px/.exec(row.style.transform)[1]),
          key: row.querySelector(".key").textContent,
          title: row.querySelector(".title a").textContent,
          link: row.querySelector(".title a").getAttribute("href"),
          priority: row.querySelector("button").getAttribute("aria-label"),
          marked: row.matches(".picked, .on") || row.querySelector("input").checked,
          focused: row.contains(document.activeElement),
        }))"""
    )
    assert len({one["id"] for one in found}) == len(found)
    for one in found:
        number = int(one["key"].removeprefix("WEB-")) - 1
        assert one["title"] == f"Issue {number}"
        assert one["link"] == f"/issues/{one['key']}"
        assert one["priority"] == f"Priority: {('Low', 'Urgent')[number % 2]}"
        assert one["top"] == (one["line"] - 1) * 36
        assert (one["marked"], one["focused"]) == (False, False)
    page.locator(".list").evaluate("list => { list.scrollTop = 0; }")
    expect(page.locator(".row.issue").filter(has=page.locator("input:checked"))).to_have_count(1)
    expect(page.locator(".row.picked")).to_have_attribute("aria-rowindex", "2")
    assert _drawn_by_steps(page, 40) <= 8


def _drawn_by_steps(page: Page, steps: int) -> int:
    """How often rows are put in while the cursor goes down so far. No frame has a gap."""
    page.locator(".list").focus()
    page.evaluate(
        """() => {
          globalThis.drawn = 0;
          const watcher = new MutationObserver(told => { drawn += told.some(one => one.addedNodes.length); });
          watcher.observe(document.querySelector(".whole"), { childList: true });
        }"""
    )
    for _ in range(steps):
        page.keyboard.press("j")
        gaps = page.evaluate(
            """() => new Promise(tell => requestAnimationFrame(() => {
              const list = document.querySelector(".list").getBoundingClientRect();
              const rows = [...document.querySelectorAll(".row")].map(row => row.getBoundingClientRect());
              const [first, last] = [Math.min(...rows.map(row => row.top)), Math.max(...rows.map(row => row.bottom))];
              tell(first > list.top || last < list.bottom);
            }))"""
        )
        assert not gaps
    page.wait_for_timeout(50)
    found: int = page.evaluate("drawn")
    return found


def test_a_title_that_others_changed_meanwhile_is_not_taken_back_unseen(world: World, opens: Opens) -> None:
    key = issue(world, title="Mine at first")
    page = opens("cy", f"/projects/WEB?peek={key}")
    title = page.locator("h1 textarea")
    title.focus()
    call(world, "bo", "issues.update", key=key, title="Theirs by now")
    expect(row(page, key)).to_contain_text("Theirs by now")
    page.keyboard.press("Enter")
    expect(title).to_have_value("Theirs by now")
    title.focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("Mine again")
    call(world, "bo", "issues.update", key=key, title="Theirs again")
    expect(row(page, key)).to_contain_text("Theirs again")
    page.keyboard.press("Enter")
    expect(page.locator(".trouble")).to_contain_text("Theirs again")
    assert call(world, "cy", "issues.get", key=key)["title"] == "Theirs again"
    page.get_by_role("button", name="Keep mine").click()
    expect(page.locator(".trouble")).to_have_count(0)
    expect(title).to_have_value("Mine again")


def test_all_that_was_refused_is_said(world: World, opens: Opens) -> None:
    call(world, "cy", "projects.member_set", key="SEC", who="@di", role="viewer")
    key = issue(world, "cy", project="SEC", title="Not theirs to change")
    page = opens("di", f"/projects/SEC?peek={key}")
    expect(page.locator("h1 textarea")).to_be_visible()
    page.keyboard.press("p")
    choose(page, "Urgent")
    expect(page.locator(".trouble")).to_have_count(1)
    page.keyboard.press("d")
    choose(page, "Tomorrow")
    expect(page.locator(".trouble")).to_have_count(2)
    page.locator(".trouble").first.get_by_role("button", name="Leave").click()
    expect(page.locator(".trouble")).to_contain_text("Due of")


def test_a_tab_of_somebody_who_is_no_more_here_shows_and_sends_nothing(world: World, opens: Opens) -> None:
    key = issue(world)
    page = opens("cy", "/projects/WEB")
    context = page.context
    context.route("**/api/v1/sync.push", lambda route: route.abort())
    row(page, key).get_by_role("button", name="Priority").click()
    choose(page, "High")
    expect(page.locator(".offline")).to_contain_text("1 change waits")
    page.locator("body").press("Control+z")
    expect(page.get_by_role("status").filter(has_text="not sent yet")).to_be_visible()
    context.add_cookies([{"name": "kb", "value": world.people["di"].session, "url": world.url}])
    context.unroute("**/api/v1/sync.push")
    other = context.new_page()
    other.goto(f"{world.url}/issues")
    for one in (page, other):
        expect(row(one, key).get_by_role("button", name="Priority: No priority")).to_be_visible()
    assert call(world, "cy", "issues.get", key=key)["priority"] == "none"


def test_a_server_that_stands_further_back_is_followed_from_there(world: World, opens: Opens) -> None:
    key = issue(world)
    page = opens("cy", "/projects/WEB")
    expect(row(page, key)).to_be_visible()
    on_disk(page)
    page.evaluate(
        """() => new Promise((well) => {
          indexedDB.open("kbwork").onsuccess = ({ target: { result: db } }) => {
            const store = db.transaction("piece", "readwrite").objectStore("piece");
            store.get(0).onsuccess = ({ target: { result: text } }) => {
              store.put(JSON.stringify({ ...JSON.parse(text), seq: 1_000_000 }), 0).onsuccess = () => well(db.close());
            };
          };
        })"""
    )
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.reload()
    expect(row(page, key)).to_be_visible()
    row(page, key).get_by_role("button", name="Priority").click()
    choose(page, "High")
    settled(page)
    page.wait_for_timeout(500)
    assert (asked.count("sync.snapshot"), page.locator(".refused").count()) == (1, 0)
    assert call(world, "cy", "issues.get", key=key)["priority"] == "high"


def test_the_second_of_two_keys_means_nothing_by_itself(world: World, opens: Opens) -> None:
    call(world, "ana", "issues.create", project="WEB", title="The cart forgets its vouchers")
    page = opens("cy", "/projects/WEB")
    expect(row(page, "WEB-1")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("v")
    page.keyboard.press("l")  # it is a list already: no labels are asked for
    page.keyboard.press("g")
    page.keyboard.press("s")
    page.wait_for_url("**/settings")
    expect(page.locator("dialog")).to_have_count(0)
    page.goto(f"{world.url}/projects")
    expect(page.get_by_role("heading", name="Projects").first).to_be_visible()


def test_what_is_written_is_lost_by_no_click_and_no_step_back(world: World, opens: Opens) -> None:
    call(world, "ana", "issues.create", project="WEB", title="The cart forgets its vouchers")
    page = opens("cy", "/projects/WEB")
    row(page, "WEB-1").get_by_role("link").click()
    title = page.get_by_label("Title", exact=True)
    title.fill("The cart keeps its vouchers")
    page.go_back()
    expect(row(page, "WEB-1")).to_contain_text("The cart keeps its vouchers")
    settled(page)
    assert call(world, "cy", "issues.get", key="WEB-1")["title"] == "The cart keeps its vouchers"
    page.get_by_role("button", name="New project").click()
    dialog = page.get_by_role("dialog")
    page.mouse.click(5, 5)
    expect(dialog).to_have_count(0)  # nothing was written
    page.get_by_role("button", name="New project").click()
    dialog.get_by_label("Name", exact=True).fill("Gift cards")
    page.mouse.click(5, 5)
    expect(dialog.get_by_label("Name", exact=True)).to_have_value("Gift cards")
