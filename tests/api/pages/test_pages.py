import base64
import hashlib
import hmac
import html
import http.client
import json
import re
import shutil
import struct
import urllib.request
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import pytest

from kbwork import __version__
from kbwork.api.pages import static_files
from kbwork.api.pages.docs.samples import samples
from kbwork.api.pages.docs.schema_types import SchemaType, kind_of
from kbwork.api.pages.render import since
from kbwork.api.pages.request import own_path
from kbwork.api.pages.response import SAFETY
from kbwork.api.pages.scopes import chosen, told
from kbwork.api.sdk import wheel
from kbwork.base.clock import FixedClock
from kbwork.base.errors import every_problem
from kbwork.contract import FOLDER, load
from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from kbwork.core import org_settings
from kbwork.modules.org.setup import new_setup_link
from kbwork.settings import ServerSettings, Settings
from tests.conftest import PASSWORD, Person, World, serving

_ASKS = {"Accept": "text/html,application/xhtml+xml"}


@dataclass
class Seen:
    """One answer as a browser has it."""

    status: int
    headers: dict[str, str]
    text: str
    path: str

    @property
    def forms(self) -> dict[str, dict[str, str]]:
        """Action -> the fields that the form holds before anybody types."""
        reader = _Forms()
        reader.feed(self.text)
        return reader.found

    @property
    def words(self) -> str:
        return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", self.text)))


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, dict[str, str]] = {}
        self._at: dict[str, str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = dict(attrs)
        if tag == "form":
            self._at = self.found.setdefault(at.get("action") or "", {})
        elif tag == "input" and self._at is not None and (name := at.get("name")) and _sent(at):
            self._at[name] = at.get("value") or ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._at = None


def _sent(at: dict[str, str | None]) -> bool:
    """Whether this field goes along as it stands; what is ticked is said in the test."""
    return at.get("type") != "checkbox" and (at.get("type") != "radio" or "checked" in at)


@dataclass
class Browser:
    """A browser without scripts: keeps cookies, sends its Origin with forms, follows when it is told to."""

    url: str
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, *, method: str = "GET", **headers: str) -> Seen:
        return self._exchange(method, path, None, {**_ASKS, **headers})

    def post(self, path: str, fields: Any = (), **headers: str | None) -> Seen:
        sent = {
            **_ASKS,
            "Content-Type": "application/x-www-form-urlencoded",
            "Origin": self.url,
            "Sec-Fetch-Site": "same-origin",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        kept = {name: value for name, value in sent.items() if value is not None}
        return self._exchange("POST", path, urlencode(fields, doseq=True), kept)

    def fill(self, page: Seen, action: str, **typed: Any) -> Seen:
        """Send a form of the page with what was typed into it."""
        return self.post(action, {**page.forms[action], **typed})

    def follow(self, seen: Seen) -> Seen:
        assert seen.status == 303
        return self.get(seen.headers["location"])

    def sign_in(self, handle: str = "ana") -> Seen:
        page = self.get("/signin")
        return self.fill(page, "/signin", email=f"{handle}@acme.example", password=PASSWORD)

    def _exchange(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Seen:
        parts = urlsplit(self.url)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=20)
        if self.cookies:
            headers = {**headers, "Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                pair, *rest = value.split("; ")
                key, _, held = pair.partition("=")
                self.cookies[key] = held
                if "Max-Age=0" in rest:
                    del self.cookies[key]
        connection.close()
        return Seen(answer.status, {k.lower(): v for k, v in answer.getheaders()}, text, path)


@pytest.fixture
def browser(world: World) -> Browser:
    return Browser(world.url)


@pytest.fixture
def ana(browser: Browser) -> Browser:
    """Signed in as the owner."""
    assert browser.sign_in().headers["location"] == "/"
    return browser


def totp(secret: str, now: int) -> str:
    """The six digits of an authenticator app (RFC 6238)."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    mac = hmac.new(key, struct.pack(">Q", now // 30), hashlib.sha1).digest()
    at = mac[-1] & 15
    return f"{(struct.unpack('>I', mac[at : at + 4])[0] & 0x7FFFFFFF) % 1_000_000:06d}"


def test_signing_in_gives_a_cookie_that_scripts_cannot_read_and_leads_home(browser: Browser) -> None:
    assert browser.follow(browser.get("/")).path == "/signin"
    done = browser.sign_in()
    assert (done.status, done.headers["location"]) == (303, "/")
    cookie = done.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert browser.follow(done).status == 200
    home = browser.get("/connect")
    assert home.status == 200
    assert "You are Ana Lund, owner of Acme." in home.words
    assert browser.follow(browser.get("/signin?next=/keys")).path == "/keys"


def test_a_wrong_password_is_told_and_the_address_kept(browser: Browser) -> None:
    page = browser.get("/signin?next=/keys")
    seen = browser.fill(page, "/signin", email="ana@acme.example", password="wrong horse battery")
    assert seen.status == 401
    assert 'role="alert"' in seen.text
    assert 'value="ana@acme.example"' in seen.text
    assert "wrong horse" not in seen.text
    assert seen.forms["/signin"]["next"] == "/keys"
    assert browser.cookies == {} or "kb" not in browser.cookies


def test_what_needs_a_sign_in_asks_for_it_and_comes_back(browser: Browser) -> None:
    page = browser.follow(browser.get("/device?code=AB-CD"))
    assert page.status == 200
    done = browser.fill(page, "/signin", email="cy@acme.example", password=PASSWORD)
    assert done.headers["location"] == "/device?code=AB-CD"


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "\\\\evil",
        "/a\r\nb",
        "",
    ],
)
def test_nobody_is_led_to_another_site(elsewhere: str, browser: Browser) -> None:
    assert own_path(elsewhere) == "/"
    page = browser.get(f"/signin?next={quote(elsewhere)}")
    done = browser.fill(page, "/signin", email="ana@acme.example", password=PASSWORD, next=elsewhere)
    assert done.headers["location"] == "/"


def test_paths_of_this_site_are_kept() -> None:
    assert own_path("/device?code=AB-CD&x=1") == "/device?code=AB-CD&x=1"
    assert own_path("/") == "/"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": None},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Sec_Fetch_Site": "none"},
        {"Origin": None, "Authorization": "Bearer x"},
    ],
)
@pytest.mark.parametrize(
    "path", ["/signin", "/signout", "/keys/new", "/keys/revoke", "/device", "/account/password", "/elevate"]
)
def test_a_form_of_another_site_is_refused(
    path: str, headers: dict[str, str | None], world: World, ana: Browser
) -> None:
    seq = world.database.seq
    seen = ana.post(path, {"name": "x", "rights": "read", "email": "a@b.c", "password": "x" * 12}, **headers)
    assert seen.status == 403
    assert world.database.seq == seq
    assert ana.get("/keys").status == 200


@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data; boundary=x", "application/json", None])
def test_only_urlencoded_forms_are_read(kind: str | None, ana: Browser) -> None:
    assert ana.post("/signout", Content_Type=kind).status == 415
    assert ana.get("/keys").status == 200


def test_a_form_that_is_too_large_or_too_long_is_refused(ana: Browser) -> None:
    assert ana.post("/keys/new", {"name": "x" * 300_000}).status == 413
    assert ana.post("/keys/new", [("f", "x")] * 1200).status == 422


def test_signing_out_ends_the_session_and_the_cookie_and_forgets_the_browser(
    world: World, ana: Browser
) -> None:
    def known() -> int:
        found: int = world.database.read_now(lambda tx: tx.value("select count(*) from known_device"))
        return found

    token = ana.cookies["kb"]
    assert known() == 1
    assert ana.fill(ana.get("/connect"), "/signout").headers["location"] == "/signin"
    assert known() == 0
    assert "kb" not in ana.cookies
    with pytest.raises(KbworkProblem) as refused:
        Kbwork(world.url, token).call("auth.me")
    assert refused.value.status == 401
    assert ana.post("/signout").headers["location"] == "/signin"


def test_a_key_is_made_shown_once_and_works(world: World, ana: Browser) -> None:
    page = ana.get("/keys/new")
    made = ana.fill(
        page, "/keys/new", name="deploy script", rights="choose", scopes=["issues:read", "auth:read"]
    )
    assert made.status == 200
    assert made.headers["cache-control"] == "no-store"
    secret = re.search(r"kb_[\w-]{43}", made.text)
    assert secret is not None
    answer = Kbwork(world.url, secret[0]).call("auth.me")
    assert answer["scopes"] == ["auth:read", "issues:read"]
    again = ana.fill(
        page, "/keys/new", name="deploy script", rights="choose", scopes=["issues:read", "auth:read"]
    )
    assert secret[0] in again.text
    listed = ana.get("/keys")
    assert secret[0] not in listed.text
    assert listed.text.count("deploy script") == 2  # its name, and the question before it is revoked


def test_the_presets_of_a_new_key_hold_what_they_say() -> None:
    held = ["admin", "issues:read", "issues:write", "pages:read", "read", "write"]
    assert chosen("read", [], held) == ["issues:read", "pages:read"]
    assert chosen("work", [], held) == ["issues:read", "issues:write", "pages:read"]
    assert chosen("all", [], held) == held
    assert chosen("choose", ["issues:read"], held) == ["issues:read"]
    assert told(["issues:read"]) == "issues:read"
    assert told(["a:read", "b:read", "c:read", "c:write"]) == "reads 3 areas, writes 1"
    assert told(["admin", "a:read"]) == "admin and 1 more"
    assert told([]) == "nothing"


def test_a_key_without_rights_or_name_is_refused_with_what_was_typed(ana: Browser) -> None:
    page = ana.get("/keys/new")
    seen = ana.fill(page, "/keys/new", name="robot", rights="choose", projects="WEB, SEC")
    assert seen.status == 422
    assert "Choose what the key may do." in seen.words
    assert 'value="robot"' in seen.text
    assert 'value="WEB, SEC"' in seen.text
    blank = ana.fill(page, "/keys/new", name=" ", rights="read")
    assert blank.status == 422
    assert (
        'id="f-name" name="name" type="text" value=" " required autocomplete="off" autofocus aria-invalid="true"'
        in (" ".join(blank.text.split()))
    )


def test_scopes_that_open_nothing_yet_are_not_offered(world: World, ana: Browser) -> None:
    operations = load("openapi.json")["paths"].values()
    used = {scope for item in operations for scope in item.get("post", {}).get("x-kb-scopes", ())}
    offered = re.findall(r'name="scopes" value="([a-z:]+)"', ana.get("/keys/new").text)
    assert offered
    assert set(offered) <= used
    begun = Kbwork(world.url, "").call("auth.device_start", {"client": "laptop"})
    offered = re.findall(
        r'name="scopes" value="([a-z:]+)"', ana.get(f"/device?code={begun['user_code']}").text
    )
    assert "issues:write" in offered
    assert set(offered) <= used


def test_a_bad_name_of_an_agent_is_told_in_words(ana: Browser) -> None:
    page = ana.get("/keys/new")
    seen = ana.fill(page, "/keys/new", name="bot", rights="read", kind="agent", agent="My Bot!")
    assert seen.status == 422
    assert "Agent: Write it in small letters, digits and hyphens, such as build-bot." in seen.words
    assert "should match" not in seen.words


def test_a_key_for_an_agent_with_limits(world: World, ana: Browser) -> None:
    page = ana.get("/keys/new")
    made = ana.fill(
        page,
        "/keys/new",
        name="bot",
        rights="work",
        kind="agent",
        agent="helper",
        projects="WEB",
        networks="127.0.0.0/8, ::1/128",
        days="30",
    )
    secret = re.search(r"kb_[\w-]{43}", made.text)
    assert secret is not None
    key = next(key for key in world.session("ana").call("keys.list") if key["name"] == "bot")
    assert (key["kind"], key["agent"], key["projects"]) == ("agent", "helper", ["WEB"])
    assert key["networks"] == ["127.0.0.0/8", "::1/128"]
    assert key["expires_at"] == world.clock.now() + 30 * 86400
    assert "agent helper" in ana.get("/keys").words


def test_a_key_is_rotated_and_revoked(world: World, ana: Browser) -> None:
    made = ana.fill(ana.get("/keys/new"), "/keys/new", name="one", rights="read")
    first = re.findall(r"kb_[\w-]{43}", made.text)[0]
    key = next(key for key in world.session("ana").call("keys.list") if key["name"] == "one")
    rotated = ana.post("/keys/rotate", {"id": key["id"], "keep_hours": "24", "once": "abc"})
    second = re.findall(r"kb_[\w-]{43}", rotated.text)[0]
    assert first != second
    assert Kbwork(world.url, first).call("auth.me")["role"] == "owner"
    assert "old secret still works" in ana.get("/keys").words
    assert ana.follow(ana.post("/keys/revoke", {"id": key["id"]})).status == 200
    with pytest.raises(KbworkProblem):
        Kbwork(world.url, second).call("auth.me")
    missing = ana.post("/keys/revoke", {"id": "k_nobody"})
    assert missing.status == 404
    assert 'role="alert"' in missing.text


def test_a_form_that_needs_elevation_waits_for_the_password_and_goes_on(world: World, ana: Browser) -> None:
    world.clock.advance(3600)
    page = ana.get("/keys/new")
    asked = ana.fill(page, "/keys/new", name="late key", rights="read")
    assert asked.status == 403
    assert "Confirm that it is you" in asked.words
    wrong = ana.fill(asked, "/elevate", password="not this one")
    assert wrong.status in (401, 403, 422)
    made = ana.fill(wrong, "/elevate", password=PASSWORD)
    assert made.status == 200
    assert "late key is ready" in made.words
    assert parse_qs(asked.forms["/elevate"]["carry"])["name"] == ["late key"]


def test_elevating_goes_on_with_forms_of_ours_only(ana: Browser) -> None:
    for then in ("/signin/nope", "/elevate", "/docs"):
        seen = ana.post("/elevate", {"password": PASSWORD, "next": then, "carry": "a=b"})
        assert seen.status == 404
    assert ana.fill(ana.get("/elevate?next=/account"), "/elevate", password=PASSWORD).headers["location"] == (
        "/account"
    )


def test_no_password_lies_about_in_a_page(world: World, ana: Browser) -> None:
    world.clock.advance(3600)
    page = ana.get("/keys/new")
    asked = ana.fill(page, "/keys/new", name="k", rights="read", password="secret one", code="123456")
    assert "secret one" not in asked.text
    assert "123456" not in asked.text


def test_a_device_is_approved_with_the_scopes_that_stay_ticked(world: World, ana: Browser) -> None:
    anyone = Kbwork(world.url, "")
    begun = anyone.call(
        "auth.device_start", {"client": "<b>laptop</b>", "scopes": ["issues:read", "issues:write"]}
    )
    page = ana.get(f"/device?code={begun['user_code'].lower()}")
    assert page.status == 200
    assert "&lt;b&gt;laptop" in page.text
    assert begun["user_code"] in page.words
    none = ana.fill(page, "/device", decision="approve")
    assert none.status == 422
    assert "Choose at least one" in none.words
    done = ana.fill(page, "/device", decision="approve", scopes=["issues:read"])
    assert "is connected" in done.words
    answer = anyone.call("auth.device_poll", {"device_code": begun["device_code"]})
    assert answer["state"] == "approved"
    assert answer["key"]["scopes"] == ["issues:read"]


def test_a_device_is_denied(world: World, ana: Browser) -> None:
    anyone = Kbwork(world.url, "")
    begun = anyone.call("auth.device_start", {"client": "editor"})
    page = ana.get(f"/device?code={begun['user_code']}")
    assert "Denied" in ana.fill(page, "/device", decision="deny").words
    assert anyone.call("auth.device_poll", {"device_code": begun["device_code"]})["state"] == "denied"


def test_a_device_code_that_nobody_knows_is_told(ana: Browser) -> None:
    seen = ana.get("/device?code=AAAA-BBBB")
    assert seen.status == 404
    assert 'role="alert"' in seen.text
    assert 'value="AAAA-BBBB"' in seen.text
    assert ana.get("/device").status == 200


def test_the_second_factor_is_set_up_asked_for_and_taken_away(world: World, ana: Browser) -> None:
    begun = ana.fill(ana.get("/account"), "/account/factor")
    secret = begun.forms["/account/factor/confirm"]["secret"]
    assert 'src="data:image/svg+xml' in begun.text
    wrong = ana.fill(begun, "/account/factor/confirm", code="000000")
    assert wrong.status in (401, 422)
    assert wrong.forms["/account/factor/confirm"]["secret"] == secret
    on = ana.fill(wrong, "/account/factor/confirm", code=totp(secret, world.clock.now()))
    assert "The second factor is on" in on.words
    ana.post("/signout")
    asked = ana.sign_in()
    assert asked.status == 200
    assert "kb" not in ana.cookies
    missed = ana.fill(asked, "/signin/code", code="111111")
    assert missed.status == 401
    world.clock.advance(60)
    done = ana.fill(missed, "/signin/code", code=totp(secret, world.clock.now()))
    assert done.headers["location"] == "/"
    assert "asks for a code" in ana.get("/account").words
    off = ana.follow(ana.post("/account/factor/disable"))
    assert "The second factor is off" in off.words


def test_an_altered_factor_form_draws_no_foreign_code(ana: Browser) -> None:
    seen = ana.post("/account/factor/confirm", {"code": "1", "uri": "https://evil.example", "secret": "x"})
    assert seen.status == 422
    assert "data:image" not in seen.text


def test_sessions_are_listed_and_ended(world: World, ana: Browser) -> None:
    page = ana.get("/sessions")
    assert "this one" in page.words
    assert ana.follow(ana.post("/sessions/revoke", {"id": "others"})).status == 200
    assert ana.get("/sessions").text.count("<li>") == 1
    with pytest.raises(KbworkProblem):
        world.session("ana").call("auth.me")
    assert ana.post("/sessions/revoke", {"id": "s_nope"}).status == 404


def test_the_password_is_changed(ana: Browser) -> None:
    page = ana.get("/account")
    wrong = ana.fill(page, "/account/password", current="nope nope nope", password="a new long password")
    assert wrong.status in (401, 403, 422)
    short = ana.fill(page, "/account/password", current=PASSWORD, password="short")
    assert short.status == 422
    assert "holds 10 to 256 characters" in short.words
    done = ana.follow(ana.fill(page, "/account/password", current=PASSWORD, password="a new long password"))
    assert "Your password is changed" in done.words


def test_an_invitation_is_accepted(world: World, browser: Browser) -> None:
    made = world.session("ana").call("invites.create", {"emails": ["eve@acme.example"], "role": "member"})
    path = made[0]["path"]
    token = parse_qs(urlsplit(path).query).get("token", [path.rpartition("/")[2]])[0]
    page = browser.get(f"/invite?token={token}")
    assert "Join Acme" in page.words
    assert "eve@acme.example" in page.words
    short = browser.fill(page, "/invite", name="Eve Hart", password="short")
    assert short.status == 422
    assert 'value="Eve Hart"' in short.text
    done = browser.fill(short, "/invite", name="Eve Hart", password=PASSWORD)
    assert done.headers["location"] == "/"
    assert "You are Eve Hart, member of Acme." in browser.get("/connect").words
    used = browser.get(f"/invite?token={token}")
    assert used.status == 404
    assert "This invitation does not work" in used.words


def test_a_link_that_is_over_is_explained(browser: Browser) -> None:
    fields = {"token": "kbi_old", "org": "B", "name": "B", "email": "b@b.example", "password": PASSWORD}
    for seen in (browser.get("/setup?token=kbi_old"), browser.post("/setup", fields)):
        assert seen.status == 409
        assert "This set-up link does not work" in seen.words
        assert "set up already" in seen.words


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/signin",
        "/setup?token=x",
        "/keys",
        "/keys/new",
        "/sessions",
        "/account",
        "/device",
        "/elevate",
        "/signin/forgot",
        "/signin/link",
        "/docs",
    ],
)
def test_every_page_carries_the_headers_of_safety(path: str, ana: Browser) -> None:
    if path == "/signin":
        ana.cookies.clear()
    seen = ana.get(path)
    assert seen.status == (409 if "/setup" in path else 200)
    for name, value in SAFETY.items():
        assert seen.headers[name.lower()] == value
    assert seen.headers["x-content-type-options"] == "nosniff"
    assert "server" not in seen.headers
    assert "unsafe" not in seen.headers["content-security-policy"]
    assert not re.search(r"<script(?! src=)|<style|\sstyle=|\son\w+=|javascript:", seen.text)


def test_pages_of_a_person_are_not_kept_by_anybody(ana: Browser) -> None:
    for path in ("/connect", "/keys", "/sessions", "/account"):
        assert ana.get(path).headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/static/site.css", "text/css; charset=utf-8"),
        ("/static/site.js", "text/javascript; charset=utf-8"),
        ("/favicon.svg", "image/svg+xml"),
        ("/robots.txt", "text/plain; charset=utf-8"),
        ("/clients/kbwork.py", "text/x-python; charset=utf-8"),
        ("/api/v1/openapi.json", "application/json"),
        ("/docs/tutorial", "text/html; charset=utf-8"),
    ],
)
def test_files_are_asked_for_again_by_their_etag(path: str, kind: str, browser: Browser) -> None:
    first = browser.get(path)
    assert (first.status, first.headers["content-type"]) == (200, kind)
    again = browser.get(path, **{"If-None-Match": first.headers["etag"]})
    assert (again.status, again.text) == (304, "")
    head = browser.get(path, method="HEAD")
    assert (head.status, head.text) == (200, "")
    assert head.headers["content-length"] == first.headers["content-length"]


def test_the_document_of_the_api_is_found_where_many_look_first(browser: Browser) -> None:
    seen = browser.get("/openapi.json")
    assert (seen.status, seen.headers["location"]) == (303, "/api/v1/openapi.json")


def test_the_client_is_handed_out_as_it_is(browser: Browser) -> None:
    seen = browser.get("/clients/kbwork.py")
    assert seen.text == (FOLDER / "kbwork_client.py").read_text(encoding="utf-8")
    assert seen.headers["content-disposition"] == 'attachment; filename="kbwork.py"'


def test_what_programs_install_is_handed_out_where_it_was_built(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static_files, "_CLIENTS", tmp_path)
    read = static_files._client_files.__wrapped__
    monkeypatch.setattr(static_files, "_client_files", cache(read))
    assert browser.get("/clients/kbwork-client.tgz").status == 404
    package = tmp_path / f"kbwork-client-{__version__}.tgz"
    package.write_bytes(b"packed")
    monkeypatch.setattr(static_files, "_client_files", cache(read))
    seen = browser.get(f"/clients/{package.name}")
    assert (seen.status, seen.headers["content-type"], seen.text) == (200, "application/gzip", "packed")
    assert browser.get("/clients/kbwork.vsix").status == 404
    (tmp_path / "kbwork.vsix").write_bytes(b"zipped")
    monkeypatch.setattr(static_files, "_client_files", cache(read))
    seen = browser.get("/clients/kbwork.vsix")
    assert (seen.status, seen.headers["content-type"], seen.text) == (200, "application/vsix", "zipped")
    newest = browser.get("/clients/kbwork-client.tgz")
    assert (newest.status, newest.headers["location"]) == (303, f"/clients/{package.name}")
    for other in (
        "kbwork-client.js",
        "kbwork-client-0.0.1.tgz",
        f"../{package.name}",
        "kbwork-client.",
        ".tgz",
    ):
        assert browser.get(f"/clients/{other}").status == 404, other


def test_the_flag_library_for_python_is_handed_out_as_a_wheel(world: World) -> None:
    address = f"{world.url}/clients/{wheel.NAME}"
    with urllib.request.urlopen(address) as seen:
        assert (seen.status, seen.headers["content-type"]) == (200, "application/zip")
        assert seen.read() == wheel.flag_wheel()
    assert Browser(world.url).get("/clients/kbwork_flags-0.0.1-py3-none-any.whl").status == 404


@pytest.mark.parametrize(
    "path",
    ["/nope", "/docs/nope", "/docs/../settings", "/docs/decisions/../concepts", "/static/../web.py", "/static/x.py",
     "/problems/nope", "/docs/api/nope", "/docs/api/labels.nope", "/wp-admin.php", "/docs/contents.json"],
)  # fmt: skip
def test_what_is_not_there_is_told_in_the_form_that_was_asked_for(path: str, browser: Browser) -> None:
    page = browser.get(path)
    assert page.status == 404
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    program = browser.get(path, Accept="*/*")
    assert program.status == 404
    assert program.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("DELETE", "/keys", "GET, HEAD"),
        ("PUT", "/signin", "GET, HEAD, POST"),
        ("GET", "/signout", None),
        ("POST", "/docs/tutorial", "GET, HEAD"),
        ("POST", "/favicon.svg", "GET, HEAD"),
    ],
)
def test_a_wrong_method_is_refused(method: str, path: str, allow: str | None, browser: Browser) -> None:
    seen = browser.get(path, method=method)
    assert seen.status == (404 if allow is None else 405)
    assert seen.headers.get("allow") == allow


@pytest.mark.parametrize(
    ("path", "there"),
    [
        ("/docs/", "/docs"),
        ("/docs/tutorial/", "/docs/tutorial"),
        ("/keys/", "/keys"),
        ("//evil.example/", "/"),
    ],
)
def test_a_slash_too_many_is_taken_away(path: str, there: str, browser: Browser) -> None:
    seen = browser.get(path)
    assert (seen.status, seen.headers["location"]) == (303, there)


def test_names_that_look_like_markup_are_shown_as_text(world: World, ana: Browser) -> None:
    name = "<script>alert(1)</script>\"'&"
    ana.fill(ana.get("/keys/new"), "/keys/new", name=name, rights="read")
    listed = ana.get("/keys")
    assert "<script>alert" not in listed.text
    assert html.escape(name).replace("&#x27;", "&#39;").replace("&quot;", "&#34;") in listed.text


def test_the_manual_is_searched(browser: Browser) -> None:
    form = browser.get("/docs/search")
    assert "Write some words" in form.words
    found = browser.get("/docs/search?q=rotate+a+%3Cb%3Ekey")
    assert found.status == 200
    assert "&lt;b&gt;" in found.text
    assert 'href="/docs/howto-keys' in found.text
    assert '<a href="/docs/api/keys.rotate"><code>keys.rotate</code></a>' in found.text
    for path in re.findall(r'href="(/docs/(?!search)[^"]+)"', found.text):
        page = browser.get(path.partition("#")[0])
        assert page.status == 200
        assert "#" not in path or f'id="{path.partition("#")[2]}"' in page.text, path
    assert "Nothing in the manual" in browser.get("/docs/search?q=qqxyzzy").words
    assert 'action="/docs/search"' in browser.get("/docs/tutorial").text


def test_every_problem_has_a_page(browser: Browser) -> None:
    for kind in every_problem():
        seen = browser.get(f"/problems/{kind.slug}")
        assert seen.status == 200, kind.slug
        assert html.escape(kind.title) in seen.text.replace("&#39;", "&#x27;")


def test_every_module_and_operation_has_a_reference(browser: Browser) -> None:
    for path in load("openapi.json")["paths"]:
        op = path.removeprefix("/api/v1/")
        if "." in op and not op.endswith(".json"):
            seen = browser.get(f"/docs/api/{op}")
            assert seen.status == 200, op
            assert f'id="{op}"' in seen.text
    overview = browser.get("/docs/api")
    for name in load("cli.json")["modules"]:
        assert f'href="/docs/api/{name}"' in overview.text
        module = browser.get(f"/docs/api/{name}")
        assert (module.status, len(module.text) < 40_000) == (200, True), name
    assert '<li id="labels.save"><a href="/docs/api/labels.save">' in browser.get("/docs/api/labels").text


def test_an_operation_is_shown_with_what_its_example_answers(browser: Browser) -> None:
    sample = load("answers.json")["labels.save"]
    text = json.dumps(sample, ensure_ascii=False, indent=2)
    assert html.escape(text) in browser.get("/docs/api/labels.save").text.replace("&#34;", "&quot;")
    assert "Answers, in a sample org" not in browser.get("/docs/api/audit.record").text


def test_the_list_of_events_names_them_all(browser: Browser) -> None:
    seen = browser.get("/docs/events")
    for kind in load("events.json"):
        assert f'<tr id="{kind}">' in seen.text


def test_the_first_link_makes_the_org_and_signs_its_owner_in(tmp_path: Path, clock: FixedClock) -> None:
    world = World(tmp_path / "data", clock, {})
    with serving(world, Settings()):
        link = world.database.write_now(new_setup_link)
        browser = Browser(world.url)
        wrong = browser.get("/setup?token=kbi_wrong")
        assert (wrong.status, wrong.forms) == (404, {})
        assert "prints a new one when it starts" in wrong.words
        page = browser.get(f"/setup?token={link}")
        typed = {"org": "Acme & Sons", "name": "Ana Lund", "email": "ana@acme.example"}
        short = browser.fill(page, "/setup", **typed, password="short")
        assert short.status == 422
        assert 'value="Acme &amp; Sons"' in short.text
        assert "holds 10 to 256 characters" in short.words
        odd = browser.fill(page, "/setup", **{**typed, "email": "ana", "name": " "}, password=PASSWORD)
        assert odd.status == 422
        assert "Write it as name@example.com." in odd.words
        assert "Write something here." in odd.words
        assert "should" not in odd.words
        chosen = browser.fill(page, "/setup", **typed, password="short", begin="import")
        assert re.findall(r'value="(\w+)" checked', chosen.text) == ["import"]
        done = browser.fill(short, "/setup", **typed, password=PASSWORD, begin="own", project=" ")
        assert (done.status, done.headers["location"]) == (303, "/settings/start")
        home = browser.get("/connect")
        assert "You are Ana Lund, owner of Acme & Sons." in home.words
        assert "Make the first project" in home.words
        sessions = browser.get("/sessions").words
        assert "Browser" in sessions
        assert "etup" not in sessions
        assert browser.get(f"/setup?token={link}").status == 409


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Website", "WEB"),
        ("Our new über-shop", "ONUS"),
        ("3drawing", "DRA"),
        ("2 a", "WORK"),
        ("網站", "WORK"),
    ],
)
def test_who_names_a_project_begins_on_its_board(
    tmp_path: Path, clock: FixedClock, name: str, key: str
) -> None:
    world = World(tmp_path / "data", clock, {})
    with serving(world, Settings()):
        browser = Browser(world.url)
        page = browser.get(f"/setup?token={world.database.write_now(new_setup_link)}")
        typed = {"org": "Acme", "name": "Ana Lund", "email": "ana@acme.example", "password": PASSWORD}
        long = browser.fill(page, "/setup", **typed, begin="own", project="x" * 501)
        assert (long.status, "Project: " in long.words) == (422, True)
        assert 'id="f-project" name="project" type="text" value="xxx' in long.text
        assert 'aria-describedby="h-project"' in long.text
        done = browser.fill(long, "/setup", **typed, begin="own", project=name)
        assert (done.status, done.headers["location"]) == (303, f"/projects/{key}/board")
        found = world.database.read_now(lambda tx: tx.all("select key, name from project"))
        assert [(row["key"], row["name"]) for row in found] == [(key, name)]


def test_where_there_is_no_org_nobody_is_asked_to_sign_in(tmp_path: Path, clock: FixedClock) -> None:
    world = World(tmp_path / "data", clock, {})
    with serving(world, Settings()):
        browser = Browser(world.url)
        page = browser.get("/signin?next=/projects")
        assert (page.status, page.forms) == (200, {})
        assert "Open the set-up link that kbwork serve printed" in page.words


def test_a_second_factor_that_the_org_asks_for_comes_first(world: World, browser: Browser) -> None:
    browser.sign_in("cy")
    world.database.write_now(lambda tx: org_settings.put(tx, "auth.require_2fa", True))
    assert "Set up a second factor first" in browser.get("/").words
    assert browser.get("/keys").status == 403
    assert browser.get("/account").status == 200


def test_behind_https_the_cookie_is_for_https_alone_and_the_origin_is_the_outer_one(
    template: tuple[Path, dict[str, Person]], tmp_path: Path, clock: FixedClock
) -> None:
    world = World(tmp_path / "data", clock, template[1])
    shutil.copytree(template[0], world.folder)
    with serving(world, Settings(server=ServerSettings(base_url="https://work.example.org"))):
        browser = Browser(world.url)
        page = browser.get("/signin")
        typed = {**page.forms["/signin"], "email": "ana@acme.example", "password": PASSWORD}
        refused = browser.post("/signin", typed)
        assert refused.status == 403
        assert "a page of https://work.example.org" in refused.words
        done = browser.post("/signin", typed, Origin="https://work.example.org")
        assert done.status == 303
        name, _, rest = done.headers["set-cookie"].partition("=")
        assert name in ("__Host-kb", "kb_device")
        assert rest.endswith("; Secure")
        assert "kbwork login --url https://work.example.org" in browser.get("/connect").words


def test_a_device_that_asks_for_nothing_gets_what_its_owner_ticks(world: World, ana: Browser) -> None:
    begun = Kbwork(world.url, "").call("auth.device_start", {"client": "laptop"})
    page = ana.get(f"/device?code={begun['user_code']}")
    assert "Choose what it may do" in page.words
    offered = re.findall(r'name="scopes" value="([a-z:]+)" checked', page.text)
    assert "issues:write" in offered
    assert "admin" not in offered


@pytest.mark.parametrize(
    ("schema", "text", "more"),
    [
        ({"type": "integer", "minimum": 0, "maximum": 2**53 - 1}, "integer", {"limits": "at least 0"}),
        ({"type": "integer", "minimum": 1, "maximum": 200}, "integer", {"limits": "1 to 200"}),
        (
            {"type": "string", "minLength": 1, "maxLength": 4000},
            "string",
            {"limits": "1 to 4,000 characters"},
        ),
        ({"type": "string", "format": "date"}, "date", {}),
        ({"enum": ["a", "b"]}, "one of", {"values": ["a", "b"]}),
        ({"const": "a"}, "one of", {"values": ["a"]}),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string", {"nullable": True}),
        ({"$ref": "#/components/schemas/Label"}, "Label", {"shapes": ["Label"]}),
        (
            {"type": "array", "items": {"$ref": "#/components/schemas/Label"}, "maxItems": 5},
            "list of Label",
            {"shapes": ["Label"], "limits": "at most 5 entries"},
        ),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "object of integer", {}),
        ({"type": "object"}, "object", {}),
        ({}, "any JSON", {}),
    ],
)
def test_a_schema_is_told_in_words(schema: dict[str, Any], text: str, more: dict[str, Any]) -> None:
    assert kind_of(schema) == SchemaType(text, **more)


def test_one_call_as_every_client_makes_it() -> None:
    made = samples("things.import", {"from": "it's", "at": 2}, confirm=True)
    assert made == {
        "curl": (
            'curl "$KBWORK_URL/api/v1/things.import" \\\n'
            '  -H "Authorization: Bearer $KBWORK_KEY" \\\n'
            '  -H "Content-Type: application/json" \\\n'
            """  -d '{"from": "it'"'"'s", "at": 2}'"""
        ),
        "Python": 'from kbwork import Kbwork\n\nKbwork().things.import_(from_="it\'s", at=2)',
        "TypeScript": (
            'import { kbwork } from "@kbwork/client";\n\nconst kb = kbwork({ url, key });\n'
            """const answer = await kb.things.import({ from: "it's", at: 2 });"""
        ),
        "Command line": """kbwork things import --from 'it'"'"'s' --at 2""",
        "MCP": json.dumps(
            {"name": "things_import", "arguments": {"from": "it's", "at": 2, "confirm": True}}, indent=2
        ),
    }


def test_a_long_call_of_the_typescript_client_has_a_line_for_each_field() -> None:
    example = {"name": "x" * 40, "due-by": {"days": [1, 2]}}
    assert samples("things.save", example, confirm=False)["TypeScript"].partition("await ")[2] == (
        f'kb.things.save({{\n  name: "{"x" * 40}",\n  "due-by": {{"days": [1, 2]}},\n}});'
    )
    assert samples("things.list", {}, confirm=False)["TypeScript"].endswith("await kb.things.list();")


def test_times_are_told_as_people_say_them() -> None:
    now = 1_800_000_000
    assert [since(now - ago, now) for ago in (0, 50, 90, 7200, 86400 * 40, -86400 * 30 + 5)] == [
        "just now",
        "just now",
        "2 minutes ago",
        "2 hours ago",
        "1 month ago",
        "in 30 days",
    ]
