"""The portal as a browser without scripts has it: sign in, ask, read the answer, answer."""

import html
import re

import pytest

from tests.api.pages.test_pages import Browser, Seen
from tests.conftest import World
from tests.modules.calls import call, eventually
from tests.modules.desk.helpdesk import SECRET, HelpDesk, open_desk
from tests.modules.desk.test_customers import letters, link
from tests.modules.desk.test_figures import closed

HOSTILE = "<script>alert(1)</script> <img src=x onerror=alert(2)> [x](javascript:alert(3)) ![y](https://evil.example/p.png)"


@pytest.fixture
def nat(world: World) -> Browser:
    """Signed up by herself."""
    open_desk(world, intro="Ask us **anything**.")
    browser = Browser(world.url)
    page = browser.get("/portal/signup")
    done = browser.fill(page, "/portal/signup", name="Nat North", email="nat@north.example", password=SECRET)
    assert browser.follow(done).path == "/portal"
    return browser


def ask(browser: Browser, title: str, type: int = 1, **answers: str) -> str:
    """Make a request; answers the path of its page."""
    named = {f"v.{key}": value for key, value in answers.items()}
    done = browser.post("/portal/new", {"type": type, "title": title, "asked": list(answers), **named})
    assert done.status == 303, done.words
    return done.headers["location"]


def test_anybody_sees_the_desks_and_signs_in_to_ask(world: World) -> None:
    open_desk(world, intro="Ask us **anything**.")
    browser = Browser(world.url)
    start = browser.get("/portal")
    assert (start.status, "<strong>anything</strong>" in start.text) == (200, True)
    assert "Something is broken" in start.words
    assert "script-src 'self'" in start.headers["content-security-policy"]
    asked = browser.follow(browser.get("/portal/new?type=1"))
    assert asked.path == "/portal/signin?next=%2Fportal%2Fnew%3Ftype%3D1"
    assert asked.forms["/portal/signin"]["next"] == "/portal/new?type=1"


def test_a_request_is_made_and_answered(world: World, nat: Browser) -> None:
    form = nat.get("/portal/new?type=1")
    assert ("What happened?" in form.words, form.forms["/portal/new"]["asked"]) == (True, "description")
    path = ask(nat, "My order did not come", description="Since **Tuesday**")
    assert path == "/portal/requests/WEB-1"
    call(world, "cy", "comments.create", subject="issue:WEB-1", body="canaryword", internal=True)
    call(world, "cy", "comments.create", subject="issue:WEB-1", body="Which order?")
    page = nat.get(path)
    assert "<strong>Tuesday</strong>" in page.text
    assert "Web help" in page.words
    assert "Which order?" in page.words
    assert "canaryword" not in page.text
    nat.follow(nat.fill(page, "/portal/comment", body="Number 17"))
    assert "Number 17" in nat.get(path).words
    assert "WEB-1" in nat.get("/portal").words
    closed = nat.follow(
        nat.post("/portal/transition", {"key": "WEB-1", "action": "close", "body": "It came"})
    )
    assert "Reopen" in closed.words
    assert "It came" in closed.words
    refused = nat.post("/portal/transition", {"key": "WEB-1", "action": "close", "body": "Once more"})
    assert (refused.status, "Once more" in refused.text) == (409, True)


def test_what_others_write_does_nothing(world: World, nat: Browser) -> None:
    path = ask(nat, HOSTILE, description=HOSTILE)
    call(world, "cy", "comments.create", subject="issue:WEB-1", body=HOSTILE)
    call(world, "ana", "desk.save", project="WEB", intro=HOSTILE, name=HOSTILE[:80])
    for page in (nat.get(path), nat.get("/portal")):
        assert page.status == 200
        assert "<script>alert" not in page.text
        assert not re.search(r"<[^>]*(onerror|javascript:|evil\.example)", page.text)


def test_a_form_asks_for_more_by_what_was_answered(world: World, nat: Browser) -> None:
    call(world, "ana", "fields.save", key="area", name="Area", kind="select")
    call(world, "ana", "fields.options_set", key="area", options=[{"name": "Order"}, {"name": "Account"}])
    call(world, "ana", "fields.save", key="order_no", name="Order number", kind="number")
    kinds = call(
        world,
        "ana",
        "desk.request_type_save",
        project="WEB",
        name="Help with",
        issue_type="task",
        fields=[
            {"field": "area", "required": True},
            {
                "field": "order_no",
                "required": True,
                "show_if": {"field": "area", "op": "=", "value": "Order"},
            },
        ],
    )
    asked = {"type": kinds[-1]["id"], "title": "Help", "asked": ["area"], "v.area": "Order"}
    page = nat.post("/portal/new", asked)
    assert "There is more to answer" in page.words
    assert "Order number" in page.words
    more = asked | {"asked": ["area", "order_no"], "v.order_no": ""}
    missing = nat.post("/portal/new", more)
    assert (missing.status, 'aria-invalid="true"' in missing.text) == (422, True)
    assert 'value="Help"' in missing.text
    done = nat.post("/portal/new", more | {"v.order_no": "17"})
    assert done.status == 303
    assert call(world, "cy", "issues.get", key="WEB-1")["values"] == {"area": "Order", "order_no": 17}


def test_the_requests_of_others_are_not_there(help_desk: HelpDesk, world: World) -> None:
    key = help_desk.rita.ask("canaryword")
    browser = Browser(world.url)
    page = browser.get("/portal/signup")
    browser.fill(page, "/portal/signup", name="Sol", email="sol@south.example", password=SECRET)
    foreign, unknown = browser.get(f"/portal/requests/{key}"), browser.get("/portal/requests/WEB-99")
    assert (foreign.status, foreign.text.replace(key, "KEY")) == (404, unknown.text.replace("WEB-99", "KEY"))
    assert browser.post("/portal/comment", {"key": key, "body": "x"}).status == 404
    assert "canaryword" not in browser.get("/portal").text


def test_the_cookie_is_the_portals_own(world: World, nat: Browser) -> None:
    assert set(nat.cookies) == {"kb_portal"}
    assert nat.follow(nat.get("/")).path == "/signin"
    foreign = nat.post("/portal/comment", {"key": "WEB-1", "body": "x"}, Origin="https://evil.example")
    assert foreign.status == 403
    token = nat.cookies["kb_portal"]
    page = nat.get("/portal")
    nat.fill(page, "/portal/signout")
    assert nat.cookies == {}
    nat.cookies["kb_portal"] = token
    assert "Sign in" in nat.get("/portal").words
    assert nat.follow(nat.get("/portal/requests/WEB-1")).path.startswith("/portal/signin")
    assert "kb_portal" not in nat.cookies


def test_a_wrong_password_is_told(world: World, nat: Browser) -> None:
    browser = Browser(world.url)
    page = browser.get("/portal/signin?next=https://evil.example/")
    assert page.forms["/portal/signin"]["next"] == "/portal"
    seen = browser.fill(page, "/portal/signin", email="nat@north.example", password="wrong horse")
    assert (seen.status, 'role="alert"' in seen.text, "wrong horse" in seen.text) == (401, True, False)
    done = browser.fill(page, "/portal/signin", email="nat@north.example", password=SECRET)
    assert browser.follow(done).path == "/portal"


def test_signing_up_and_a_new_password_go_by_letters(mailed: World) -> None:
    open_desk(mailed)
    browser = Browser(mailed.url)
    page = browser.get("/portal/signup")
    sent = browser.fill(page, "/portal/signup", name="Nat", email="nat@north.example", password=SECRET)
    assert "Look into your mailbox" in sent.words
    mailed.advance(1)
    eventually(lambda: letters(mailed, "nat@north.example"))
    page = browser.get(f"/portal/verify?token={link(letters(mailed, 'nat@north.example')[0])}")
    short = browser.fill(page, "/portal/verify", password="short")
    assert (short.status, "Finish your sign-up" in short.words) == (422, True)
    assert browser.follow(browser.fill(page, "/portal/verify", password=SECRET)).path == "/portal"
    assert browser.fill(page, "/portal/verify", password=SECRET).status == 404
    forgotten = browser.fill(browser.get("/portal/forgot"), "/portal/forgot", email="nat@north.example")
    assert "a letter with a link is on its way" in forgotten.words
    mailed.advance(1)
    eventually(lambda: len(letters(mailed, "nat@north.example")) == 2)
    page = browser.get(f"/portal/reset?token={link(letters(mailed, 'nat@north.example')[1])}")
    assert browser.fill(page, "/portal/reset", password="short").status == 422
    done = browser.fill(page, "/portal/reset", password="six mice under a stair")
    assert browser.follow(done).path == "/portal"


def test_pages_say_where_there_is_nothing(world: World) -> None:
    browser = Browser(world.url)
    assert "No desk is open now" in browser.get("/portal").words
    assert "Nobody signs up here" in browser.get("/portal/signup").words
    assert browser.get("/portal/articles/none").status == 404
    open_desk(world)
    found = browser.get("/portal/articles?desk=WEB&q=cart")
    assert (found.status, "No article fits" in found.words) == (200, True)


@pytest.mark.parametrize("key", ["WEB-1\r", "WEB-1\x0b", " web-1 ", "issue:1"])
def test_what_was_said_is_shown_however_the_key_is_written(world: World, nat: Browser, key: str) -> None:
    ask(nat, "My order did not come", description="Since Tuesday")
    done = nat.post("/portal/comment", {"key": key, "body": "Number 17"})
    assert (done.status, "Number 17" in nat.follow(done).words) == (303, True)


@pytest.mark.parametrize(
    ("kind", "value"), [("number", "inf"), ("number", "nan"), ("duration", "1e999"), ("cascade", "[" * 5000)]
)
def test_an_answer_that_is_none_is_told_on_the_form(
    world: World, nat: Browser, kind: str, value: str
) -> None:
    call(world, "ana", "fields.save", key="howmany", name="How many", kind=kind, projects=["WEB"])
    asked = [{"field": "howmany", "required": True}]
    call(
        world,
        "ana",
        "desk.request_type_save",
        project="WEB",
        name="Some",
        issue_type="task",
        fields=asked,
    )
    page = nat.post(
        "/portal/new", {"type": 3, "title": "Cups please", "asked": "howmany", "v.howmany": value}
    )
    assert (page.status, "Cups please" in page.text) == (422, True)


def test_whoever_is_signed_in_may_write_at_length(world: World, nat: Browser) -> None:
    ask(nat, "My order did not come", description="\N{CYRILLIC SMALL LETTER ZHE}" * 30_000)
    refused = Browser(world.url).post("/portal/new", {"type": 1, "title": "x" * 100_000})
    assert refused.status == 413


def test_a_double_click_asks_once(world: World, nat: Browser) -> None:
    page = nat.get("/portal/new?type=1")
    sent = [
        nat.fill(page, "/portal/new", title="My order", **{"v.description": "Since Tuesday"}) for _ in "12"
    ]
    assert [one.headers["location"] for one in sent] == ["/portal/requests/WEB-1"] * 2
    changed = nat.fill(page, "/portal/new", title="My other order", **{"v.description": ""})
    assert changed.headers["location"] == "/portal/requests/WEB-2"  # who went back and wrote another one
    again = nat.fill(nat.get("/portal/new?type=1"), "/portal/new", title="My order", **{"v.description": ""})
    assert again.headers["location"] == "/portal/requests/WEB-3"
    page = nat.get("/portal/requests/WEB-1")
    for _ in "12":
        assert nat.fill(page, "/portal/comment", body="Number 17").status == 303
        closing = {**page.forms["/portal/comment"], "action": "close", "body": ""}
        assert nat.post("/portal/transition", closing).status == 303
    assert [one["body"] for one in call(world, "cy", "comments.list", subject="issue:WEB-1")] == ["Number 17"]


def test_how_it_went_is_said_on_a_page(world: World) -> None:
    with closed(world) as (rita, key, survey):
        browser = Browser(world.url)
        browser.cookies["kb_portal"] = rita.token
        assert "How did it go?" in browser.get(f"/portal/requests/{key}").words
        nobody = Browser(world.url)
        page = nobody.get(f"/portal/survey?token={survey['token']}&score=4")
        assert re.search(r'value="4" required checked', page.text)
        empty = nobody.post("/portal/survey", {"token": survey["token"], "comment": "Long story"})
        assert (empty.status, "Long story" in empty.text, "Choose one" in empty.words) == (422, True, True)
        fields = {"token": survey["token"], "score": "4", "comment": "Quick"}
        assert "Thank you" in nobody.post("/portal/survey", fields).words
        wrong = nobody.post("/portal/survey", fields | {"token": "x"})
        assert (wrong.status, "Quick" in wrong.text) == (404, True)
        assert "You gave 4 of 5" in browser.get(f"/portal/requests/{key}").words


def test_an_account_is_changed_on_its_page(world: World, nat: Browser) -> None:
    call(world, "ana", "desk.save", project="WEB", languages=["en", "de"])
    page = nat.get("/portal/account")
    assert "Write to nat@north.example" in page.words
    saved = nat.follow(nat.post("/portal/account", {"name": "Nat N.", "locale": "de"}))
    assert ("Saved." in saved.words, "<option selected>de" in saved.text) == (True, True)
    (found,) = call(world, "ana", "desk.customers", q="Nat N.")
    assert (found["locale"], found["notify"]) == ("de", False)
    wrong = nat.post(
        "/portal/account/password", {"current": "wrong horse", "password": "six mice under a stair"}
    )
    assert (wrong.status, "wrong horse" in wrong.text) == (422, False)
    done = nat.post("/portal/account/password", {"current": SECRET, "password": "six mice under a stair"})
    assert "Saved." in nat.follow(done).words
    assert Browser(world.url).get("/portal/account").status == 303


def test_a_request_is_shared_on_its_page(world: World, nat: Browser) -> None:
    path = ask(nat, "My order did not come", description="Since Tuesday")
    assert "Nobody but you" in nat.get(path).words
    shared = nat.follow(nat.post("/portal/watch", {"key": "WEB-1", "add": "lou@lake.example"}))
    assert "lou@lake.example" in shared.words
    refused = nat.post("/portal/watch", {"key": "WEB-1", "add": "no address"})
    assert (refused.status, 'value="no address"' in refused.text) == (422, True)
    gone = nat.follow(nat.post("/portal/watch", {"key": "WEB-1", "remove": "lou@lake.example"}))
    assert "lou@lake.example" not in gone.words


def multipart(name: str, data: str, **fields: str) -> str:
    """A form with a file, as a browser writes it."""
    parts = [
        f'--XX\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}'
        for key, value in fields.items()
    ]
    about = (
        f'--XX\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\nContent-Type: text/html'
    )
    return "\r\n".join([*parts, f"{about}\r\n\r\n{data}", "--XX--", ""])


def test_a_file_is_sent_by_a_form_and_saved(world: World, nat: Browser) -> None:
    path = ask(nat, "My order did not come", description="Since Tuesday")

    def send(browser: Browser, body: str) -> Seen:
        headers = {
            "Origin": world.url,
            "Sec-Fetch-Site": "same-origin",
            "Accept": "text/html",
            "Content-Type": "multipart/form-data; boundary=XX",
        }
        return browser._exchange("POST", "/portal/file", body, headers)

    form = nat.get(path).forms["/portal/file"]
    fields = {"key": form["key"], "once": form["once"]}
    evil = "<script>alert(1)</script>\r\n--X"
    for _ in "12":
        assert send(nat, multipart("evil.html", evil, **fields)).status == 303
    page = nat.get(path)
    assert page.text.count("evil.html") == 1
    link = html.unescape(re.search(r'href="(/portal/file[^"]*)"', page.text)[1])  # type: ignore[index]  # it is there
    saved = nat.get(link)
    assert (saved.status, saved.text) == (200, evil)
    assert saved.headers["content-disposition"].startswith("attachment;")
    assert "sandbox" in saved.headers["content-security-policy"]
    assert send(nat, multipart("", "", **fields)).status == 422
    assert send(Browser(world.url), multipart("evil.html", evil, **fields)).status == 401
    assert Browser(world.url).get(link).status == 303
    other = Browser(world.url)
    start = other.get("/portal/signup")
    other.fill(start, "/portal/signup", name="Sol", email="sol@south.example", password=SECRET)
    assert (other.get(link).status, send(other, multipart("a.txt", "x", **fields)).status) == (404, 404)
