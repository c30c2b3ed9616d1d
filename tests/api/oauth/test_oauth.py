"""Connecting a program by OAuth: the official client against a real server, and every way it is refused."""

import asyncio
import base64
import hashlib
import html
import logging
import re
import ssl
import subprocess
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx2
import pytest
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)

from kbwork.api.oauth.issuer import Issuer, asked_modules, challenge
from kbwork.base.errors import NotAllowed
from kbwork.contract.kbwork_client import Kbwork
from kbwork.core import org_settings
from kbwork.core.access import identify, impersonate
from kbwork.core.access.last_seen import write_down
from kbwork.modules.auth import jobs
from kbwork.modules.auth.oauth import authorization, clients
from kbwork.modules.backups import carry_over
from kbwork.settings import LimitSettings, ServerSettings, Settings
from tests.api.pages.test_pages import Browser, Seen
from tests.conftest import PASSWORD, World, serving
from tests.modules.calls import call, eventually, refused

_NO_AUTHORITIES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Nothing here goes by https, and to load the world's certificates for each request takes longer than the request."""
_get = partial(httpx2.get, verify=_NO_AUTHORITIES)
_post = partial(httpx2.post, verify=_NO_AUTHORITIES)
_options = partial(httpx2.options, verify=_NO_AUTHORITIES)
BACK = "http://localhost:3030/callback"
VERIFIER = "v" * 64


def challenge_of(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


@dataclass
class Storage:
    """What a client keeps between two runs."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


@dataclass
class Somebody:
    """A person with a browser, and a program on their machine that is to be connected."""

    world: World
    handle: str = "cy"
    storage: Storage = field(default_factory=Storage)
    asked: list[str] = field(default_factory=list)
    narrowed: dict[str, Any] = field(default_factory=dict)
    """What they choose on the consent page in place of all that it offers."""
    auth: OAuthClientProvider | None = None

    def browser(self) -> Browser:
        browser = Browser(self.world.url)
        browser.sign_in(self.handle)
        return browser

    def run(self, talk: Callable[[Client], Awaitable[Any]], *, path: str = "/mcp") -> Any:
        return asyncio.run(self._run(talk, self.world.url + path))

    async def _run(self, talk: Callable[[Client], Awaitable[Any]], url: str) -> Any:
        metadata = OAuthClientMetadata(redirect_uris=[BACK], client_name="Test Agent")  # type: ignore[list-item]  # read as an address
        auth = OAuthClientProvider(url, metadata, self.storage, self._open, self._wait)
        self.auth = auth
        async with (
            httpx2.AsyncClient(auth=auth, timeout=20) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            return await talk(client)

    async def _open(self, url: str) -> None:
        self.asked.append(url)

    async def _wait(self) -> AuthorizationCodeResult:
        answer = await asyncio.to_thread(self._agree, self.asked[-1])
        return AuthorizationCodeResult(code=answer["code"], state=answer["state"], iss=answer["iss"])

    def _agree(self, url: str) -> dict[str, str]:
        """Sign in on the way, agree, and come back."""
        browser = Browser(self.world.url)
        page = browser.get(url.removeprefix(self.world.url))
        page = browser.follow(page)
        assert page.path.startswith("/signin?next=%2Fauthorize")
        done = browser.fill(page, "/signin", email=f"{self.handle}@acme.example", password=PASSWORD)
        return came_back(agree(browser, browser.follow(done), **self.narrowed))


def offered(page: Seen, name: str) -> list[str]:
    """The boxes of this name that are ticked."""
    return re.findall(rf'name="{name}" value="([^"]+)" checked', page.text)


def agree(browser: Browser, page: Seen, **chosen: Any) -> Seen:
    assert page.status == 200, page.words
    boxes = {name: offered(page, name) for name in ("scopes", "modules")}
    return browser.fill(page, "/authorize", **{"decision": "approve", **boxes, **chosen})


def back(page: Seen) -> str:
    """Where a page sends the program's person back to."""
    assert page.status == 200, page.words
    found = re.search(r'content="0;url=([^"]+)"', page.text)
    assert found is not None
    return html.unescape(found[1])


def came_back(page: Seen) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(back(page)).query, strict_parsing=True))


@dataclass
class Program:
    """A program that speaks OAuth by hand, to do it wrong."""

    world: World
    id: str = ""
    secret: str = ""
    uri: str = BACK

    def register(self, **metadata: Any) -> httpx2.Response:
        sent = {
            "redirect_uris": [self.uri],
            "client_name": "By Hand",
            "token_endpoint_auth_method": "none",
            **metadata,
        }
        answer = _post(f"{self.world.url}/register", json=sent, timeout=20)
        if answer.status_code == 201:
            self.id, self.secret = answer.json()["client_id"], answer.json().get("client_secret", "")
        return answer

    def path(self, **more: str | None) -> str:
        asked = {
            "response_type": "code",
            "client_id": self.id,
            "redirect_uri": self.uri,
            "state": "st-1",
            "scope": "issues:read issues:write auth:read",
            "code_challenge": challenge_of(VERIFIER),
            "code_challenge_method": "S256",
            "resource": f"{self.world.url}/mcp",
            **more,
        }
        return "/authorize?" + urlencode({name: text for name, text in asked.items() if text is not None})

    def code(self, browser: Browser, asked: dict[str, str | None] | None = None, **chosen: Any) -> str:
        return came_back(agree(browser, browser.get(self.path(**(asked or {}))), **chosen))["code"]

    def post(self, path: str, **fields: str) -> httpx2.Response:
        sent = {"client_id": self.id, **fields}
        if self.secret:
            sent.setdefault("client_secret", self.secret)
        return _post(self.world.url + path, data=sent, timeout=20)

    def exchange(self, code: str, **more: str) -> httpx2.Response:
        fields = {"code": code, "redirect_uri": self.uri, "code_verifier": VERIFIER, **more}
        return self.post("/token", grant_type="authorization_code", **fields)

    def refresh(self, token: str, **more: str) -> httpx2.Response:
        return self.post("/token", grant_type="refresh_token", refresh_token=token, **more)

    def tokens(self, browser: Browser, **chosen: Any) -> dict[str, Any]:
        answer = self.exchange(self.code(browser, **chosen))
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def call(self, tool: str, token: str, **arguments: Any) -> httpx2.Response:
        message = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": tool, "arguments": arguments},
        }
        headers = {
            "Authorization": f"Bearer {token}",
            "Accept": "application/json, text/event-stream",
        }
        return _post(f"{self.world.url}/mcp", json=message, headers=headers, timeout=20)

    def works(self, token: str) -> bool:
        answer = self.call("auth_me", token)
        assert answer.status_code in (200, 401), answer.text
        return answer.status_code == 200


@pytest.fixture
def cy(world: World) -> Browser:
    browser = Browser(world.url)
    browser.sign_in("cy")
    return browser


@pytest.fixture
def program(world: World) -> Program:
    made = Program(world)
    assert made.register().status_code == 201
    return made


def error(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]


def test_the_official_client_signs_in_and_works_as_an_agent(world: World) -> None:
    somebody = Somebody(world)
    seq = world.database.seq

    async def talk(client: Client) -> Any:
        me = await client.call_tool("auth_me", {})
        made = await client.call_tool("issues_create", {"project": "WEB", "title": "By the agent"})
        return me.structured_content, made.structured_content

    me, made = somebody.run(talk)
    assert me["via"] == "agent:test-agent"
    assert me["member"]["handle"] == "cy"
    assert "admin" not in me["scopes"]
    (event,) = [
        row
        for row in world.database.write_now(
            lambda tx: tx.all("select kind, actor, actor_kind, via from events where seq > :seq", seq=seq)
        )
        if row["kind"] == "issue.created"
    ]
    cy_id = world.people["cy"].id
    assert (event["actor"], event["actor_kind"], event["via"]) == (cy_id, "agent", "agent:test-agent")
    assert made["key"] == "WEB-1"
    (grant,) = call(world, "cy", "auth.grants")
    assert (grant["client"], grant["created_at"]) == ("Test Agent", world.clock.now())
    kinds = [kind for kind, _ in world.events_since(seq)]
    assert "auth.granted" in kinds
    assert call(world, "bo", "auth.grants") == []


def test_the_client_comes_back_without_asking_and_refreshes_by_itself(world: World) -> None:
    somebody = Somebody(world)

    async def who(client: Client) -> Any:
        return (await client.call_tool("auth_me", {})).structured_content["via"]

    async def later(client: Client) -> Any:
        first = await who(client)
        world.clock.advance(authorization.ACCESS_S + 1)
        assert somebody.auth is not None
        somebody.auth.context.token_expiry_time = 1
        return first, await who(client)

    assert somebody.run(who) == "agent:test-agent"
    before = somebody.storage.tokens
    assert somebody.run(later) == ("agent:test-agent", "agent:test-agent")
    assert somebody.storage.tokens != before
    assert len(somebody.asked) == 1


def test_the_documents_say_where_to_sign_in(world: World) -> None:
    unknown = _post(f"{world.url}/mcp", json={}, timeout=20)
    at = f"{world.url}/.well-known/oauth-protected-resource/mcp"
    assert (unknown.status_code, unknown.headers["www-authenticate"]) == (
        401,
        f'Bearer resource_metadata="{at}"',
    )
    about = _get(at, timeout=20).json()
    assert (about["resource"], about["authorization_servers"]) == (f"{world.url}/mcp", [world.url])
    assert _get(at.removesuffix("/mcp"), timeout=20).json() == about
    assert "issues:write" in about["scopes_supported"]
    assert not {"admin", "system", "desk:public"}.intersection(about["scopes_supported"])
    answer = _get(
        f"{world.url}/.well-known/oauth-authorization-server",
        headers={"Origin": "https://app.example"},
        timeout=20,
    )
    server = answer.json()
    assert answer.headers["access-control-allow-origin"] == "*"
    assert server["issuer"] == world.url
    assert server["code_challenge_methods_supported"] == ["S256"]
    assert server["authorization_response_iss_parameter_supported"] is True
    assert {
        server[f"{name}_endpoint"] for name in ("authorization", "token", "registration", "revocation")
    } == {f"{world.url}/{path}" for path in ("authorize", "token", "register", "revoke")}


def test_on_the_machine_itself_its_other_name_is_as_good(world: World) -> None:
    port = urlsplit(world.url).port
    other = f"http://localhost:{port}"
    for host, home in ((f"localhost:{port}", other), (f"127.0.0.1:{port}", world.url)):
        answer = _get(f"{world.url}/.well-known/oauth-protected-resource", headers={"Host": host}, timeout=20)
        assert answer.json()["authorization_servers"] == [home]
    asked = _post(f"{world.url}/mcp", json={}, headers={"Host": f"localhost:{port}"}, timeout=20)
    assert asked.headers["www-authenticate"] == challenge(other)


def test_an_address_without_https_that_is_not_this_machine_offers_no_oauth() -> None:
    assert Issuer("http://kb.acme.example:8080", fixed=True).of("kb.acme.example:8080") is None
    assert Issuer("https://kb.acme.example", fixed=True).of("localhost") == "https://kb.acme.example"
    assert Issuer("http://localhost:1", fixed=True).of("127.0.0.1:1") == "http://localhost:1"
    assert challenge(None) == "Bearer"
    for text in (
        "https://evil.example/mcp",
        "h/mcp/",
        "h/mcp#x",
        "h",
        "h/mcp?x=1",
        "h/mcp?modules=a&x=1",
        "",
    ):
        assert asked_modules("h", text) is None
    assert asked_modules("h", "h/mcp") == []
    assert asked_modules("h", "h/mcp?modules=issues,tql") == ["issues", "tql"]


class TestAbroad:
    @pytest.fixture
    def settings(self) -> Settings:
        return Settings(
            limits=LimitSettings(enabled=False), server=ServerSettings(base_url="http://kb.acme.example:8080")
        )

    def test_where_oauth_is_off_nothing_of_it_answers_and_keys_work(self, world: World) -> None:
        for path in ("/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource/mcp"):
            assert _get(world.url + path, timeout=20).status_code == 404
        for path in ("/register", "/token", "/revoke"):
            assert _post(world.url + path, json={}, timeout=20).status_code == 404
        assert Browser(world.url).get("/authorize?client_id=x").status == 404
        assert world.key("cy").call("auth.me", {})["via"].startswith("key:")


class TestHurried:
    @pytest.fixture
    def settings(self) -> Settings:
        return Settings(limits=LimitSettings(public_burst=3, public_per_second=0.01))

    def test_registering_is_limited_by_address(self, world: World) -> None:
        answers = [Program(world).register().status_code for _ in range(4)]
        assert answers == [201, 201, 201, 429]
        late = _post(f"{world.url}/token", data={}, timeout=20)
        assert (late.status_code, int(late.headers["retry-after"]) > 0) == (429, True)


@pytest.mark.parametrize(
    "uri",
    [
        "http://app.example/cb",
        "http://localhost.evil.example/cb",
        "http://127.0.0.1.evil.example/cb",
        "http://127.0.0.2/cb",
        "http://user@localhost/cb",
        "https://user:pw@app.example/cb",
        "https://app.example/cb#part",
        "javascript:alert(1)",
        "data:text/html,x",
        "cursor://callback",
        "file:///etc/passwd",
        "https://",
        "//app.example/cb",
        "/cb",
        "",
        "https://app.example/" + "x" * 2000,
    ],
)
def test_a_redirect_uri_that_does_not_fit_is_not_registered(world: World, uri: str) -> None:
    status, code = error(Program(world).register(redirect_uris=[uri]))
    assert (status, code) in ((400, "invalid_redirect_uri"), (400, "invalid_client_metadata"))


def test_a_registration_is_bounded(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program(world)
    assert program.register(client_name="x" * 20_000).status_code == 413
    assert error(program.register(redirect_uris=[f"{BACK}/{n}" for n in range(11)]))[0] == 400
    assert error(program.register(redirect_uris=[]))[0] == 400
    assert error(program.register(token_endpoint_auth_method="private_key_jwt"))[0] == 400
    assert error(program.register(grant_types=["client_credentials"]))[0] == 400
    for body in (b"", b"[]", b"{", b'{"redirect_uris": null}', b"\xff"):
        assert _post(f"{world.url}/register", content=body, timeout=20).status_code == 400
    assert _get(f"{world.url}/register", timeout=20).status_code == 405
    monkeypatch.setattr(clients, "MOST_WAITING", 3)
    known = []
    for _ in range(5):
        world.clock.advance(1)
        assert program.register().status_code == 201
        known.append(program.id)
    left = world.database.write_now(lambda tx: tx.column("select id from oauth_client order by created_at"))
    assert left == known[2:]


def test_what_is_registered_is_what_is_answered(world: World) -> None:
    program = Program(world)
    answer = program.register(
        client_name="  Bank\u202e of \u0007 Acme ",
        logo_uri="https://app.example/logo.png",
        scope="issues:read nonsense",
        grant_types=["authorization_code", "refresh_token", "urn:other"],
    ).json()
    assert answer["client_name"] == "Bank of Acme"
    assert answer["grant_types"] == ["authorization_code", "refresh_token"]
    assert "logo_uri" not in answer
    assert "scope" not in answer
    assert "client_secret" not in answer
    assert program.register(client_name="\u200b").json()["client_name"] == "localhost"


@pytest.mark.parametrize(
    "uri",
    [
        "https://evil.example/cb",
        "http://localhost:3030/callback/",
        "http://localhost:3030/callback?x=1",
        "http://localhost:3030/Callback",
        "http://localhost:3030/callback#x",
        "http://localhost:3030/x/../callback",
        "http://localhost:3030@evil.example/callback",
        "http://localhost:99999/callback",
        "http://localhost:0/callback",
        "http://localhost.evil.example:3030/callback",
        "http://127.0.0.1:3030/callback",
        "https://localhost:3030/callback",
        "http://LOCALHOST:3030/callback",
        "//localhost:3030/callback",
        "javascript:alert(1)",
        "",
    ],
)
def test_nobody_is_sent_to_an_address_that_was_not_registered(
    program: Program, cy: Browser, uri: str
) -> None:
    page = cy.get(program.path(redirect_uri=uri))
    assert page.status == 422
    assert "location" not in page.headers
    assert not uri or uri not in html.unescape(page.text)
    sent = cy.post(
        "/authorize", {**dict(parse_qsl(urlsplit(program.path(redirect_uri=uri)).query)), "decision": "deny"}
    )
    assert (sent.status, "location" in sent.headers) == (422, False)


def test_on_the_own_machine_any_port_is_right_and_elsewhere_none_but_that(world: World, cy: Browser) -> None:
    program = Program(world)
    program.register(redirect_uris=["http://127.0.0.1/cb?a=1", "https://app.example/cb"])
    for uri in ("http://127.0.0.1:5123/cb?a=1", "http://127.0.0.1/cb?a=1", "https://app.example/cb"):
        page = agree(cy, cy.get(program.path(redirect_uri=uri)))
        assert back(page).startswith(uri + ("&" if "?" in uri else "?") + "code=")
    assert cy.get(program.path(redirect_uri="https://app.example:8443/cb")).status == 422
    uri = "http://127.0.0.1:5123/cb?a=1"
    code = program.code(cy, {"redirect_uri": uri})
    assert error(program.exchange(code, redirect_uri="http://127.0.0.1:5124/cb?a=1"))[0] == 400
    assert program.exchange(code, redirect_uri=uri).status_code == 200


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": None}, "unsupported_response_type"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"code_challenge": "x" * 44}, "invalid_request"),
        ({"resource": "https://evil.example/mcp"}, "invalid_target"),
        ({"scope": "nonsense"}, "invalid_scope"),
        ({"scope": "admin"}, "invalid_scope"),
    ],
)
def test_what_does_not_fit_is_told_to_the_person_who_may_pass_it_on(
    program: Program, cy: Browser, changed: dict[str, str | None], told: str
) -> None:
    """A redirect without a click would send people wherever somebody registered."""
    page = cy.get(program.path(**changed))
    assert (page.status, "location" in page.headers, "http-equiv" in page.text) == (400, False, False)
    (link,) = re.findall(r'href="(http[^"]+)"', page.text)
    answer = dict(parse_qsl(urlsplit(html.unescape(link)).query))
    assert (answer["error"], answer["state"], answer["iss"]) == (told, "st-1", program.world.url)


@pytest.mark.parametrize(
    "twice", ["client_id", "redirect_uri", "scope", "state", "code_challenge", "resource"]
)
def test_a_parameter_stands_once(program: Program, cy: Browser, twice: str) -> None:
    assert cy.get(program.path() + f"&{twice}=https://evil.example").status == 422


def test_a_program_that_is_not_known_is_refused(world: World, program: Program, cy: Browser) -> None:
    assert cy.get(program.path(client_id="nobody")).status == 404
    assert cy.get(program.path(client_id=None)).status == 404
    program.id = "nobody"
    assert error(program.exchange("kbc_x")) == (401, "invalid_client")
    assert error(program.refresh("kbr_x")) == (401, "invalid_client")


def test_the_page_says_who_asks_for_what_and_where_it_leads(program: Program, cy: Browser) -> None:
    page = cy.get(program.path())
    assert "Connect “By Hand”?" in page.words
    for text in ("Cy Moss", "a program on this computer", "Read your account and issues", "Change issues"):
        assert text in page.words
    assert offered(page, "scopes") == ["auth:read", "issues:read", "issues:write"]
    assert {"issues", "auth", "api"} - set(offered(page, "modules")) == {"api"}
    assert page.headers["content-security-policy"].count("frame-ancestors 'none'") == 1
    narrow = cy.get(program.path(resource=f"{program.world.url}/mcp?modules=issues"))
    assert offered(narrow, "modules") == ["issues"]
    every = cy.get(program.path(scope=None))
    assert "projects:write" in offered(every, "scopes")
    assert "admin" not in every.text


def test_denying_is_told_to_the_program_and_gives_nothing(program: Program, cy: Browser) -> None:
    page = cy.fill(cy.get(program.path()), "/authorize", decision="deny")
    answer = came_back(page)
    assert answer == {"error": "access_denied", "state": "st-1", "iss": program.world.url}
    assert call(program.world, "cy", "auth.grants") == []


def test_only_the_own_page_agrees_and_only_for_who_is_signed_in(
    world: World, program: Program, cy: Browser
) -> None:
    page = cy.get(program.path())
    sent = {
        **page.forms["/authorize"],
        "decision": "approve",
        "scopes": ["issues:read"],
        "modules": ["issues"],
    }
    assert cy.post("/authorize", sent, Origin="https://evil.example").status == 403
    assert cy.post("/authorize", sent, Origin=None).status == 403
    assert cy.post("/authorize", sent, Sec_Fetch_Site="cross-site").status == 403
    stranger = Browser(world.url)
    for token in (world.people["cy"].key, program.tokens(cy)["access_token"]):
        answer = stranger.post("/authorize", sent, Authorization=f"Bearer {token}")
        assert answer.status in (303, 403)
        assert "code=" not in answer.text
    again = stranger.follow(stranger.post("/authorize", sent))
    done = stranger.fill(again, "/signin", email="di@acme.example", password=PASSWORD)
    assert offered(stranger.follow(done), "scopes") == ["auth:read", "issues:read", "issues:write"]


@pytest.mark.parametrize(
    "chosen",
    [
        {"scopes": []},
        {"modules": []},
        {"scopes": ["projects:write"]},
        {"scopes": ["admin"]},
        {"modules": ["projects"]},
        {"scopes": ["issues:read", "system"]},
    ],
)
def test_what_was_not_offered_is_not_given(
    program: Program, cy: Browser, chosen: dict[str, list[str]]
) -> None:
    page = agree(cy, cy.get(program.path()), **chosen)
    assert (page.status, "code=" in page.text) == (422, False)


def test_the_rights_of_an_admin_are_never_ticked_and_ask_for_a_fresh_sign_in(
    world: World, program: Program
) -> None:
    bo = Browser(world.url)
    bo.sign_in("bo")
    path = program.path(scope="admin issues:read auth:read")
    assert offered(bo.get(path), "scopes") == ["auth:read", "issues:read"]
    plain = program.tokens(bo)
    assert (
        program.call("auth_me", plain["access_token"]).json()["result"]["structuredContent"]["role"]
        == "member"
    )
    world.clock.advance(601)
    asked = agree(bo, bo.get(path), scopes=["admin", "auth:read"])
    assert "code=" not in asked.text
    done = bo.fill(asked, "/elevate", password=PASSWORD)
    token = program.exchange(came_back(done)["code"]).json()["access_token"]
    me = program.call("auth_me", token).json()["result"]["structuredContent"]
    by_admin = {"admin", "flags:read", "flags:write", "read", "write"}
    assert (me["role"], set(me["scopes"])) == ("admin", {"auth:read"} | by_admin)


def test_a_code_works_once_and_its_second_use_ends_what_came_of_it(program: Program, cy: Browser) -> None:
    code = program.code(cy)
    tokens = program.exchange(code).json()
    assert program.works(tokens["access_token"])
    assert error(program.exchange(code)) == (400, "invalid_grant")
    assert not program.works(tokens["access_token"])
    assert error(program.refresh(tokens["refresh_token"])) == (400, "invalid_grant")


def test_a_code_is_bound_to_its_verifier_client_address_and_time(
    world: World, program: Program, cy: Browser
) -> None:
    code = program.code(cy)
    other = Program(world)
    other.register()
    assert error(other.exchange(code)) == (400, "invalid_grant")
    assert error(program.exchange(code, code_verifier="w" * 64)) == (400, "invalid_grant")
    assert error(program.exchange(code, code_verifier=challenge_of(VERIFIER))) == (400, "invalid_grant")
    assert error(program.exchange(code, code_verifier="")) == (400, "invalid_request")
    assert error(program.exchange(code, redirect_uri="http://localhost:3030/other"))[0] == 400
    assert error(program.exchange(code, resource="https://evil.example/mcp")) == (400, "invalid_target")
    assert error(program.exchange(code[:-1] + "~")) == (400, "invalid_grant")
    assert program.exchange(code, resource=f"{world.url}/mcp").status_code == 200
    late = program.code(cy)
    world.clock.advance(authorization.CODE_S)
    assert error(program.exchange(late)) == (400, "invalid_grant")


def test_what_is_no_form_of_single_parameters_is_refused(program: Program) -> None:
    at = f"{program.world.url}/token"
    assert error(_post(at, json={"grant_type": "authorization_code"}, timeout=20)) == (
        400,
        "invalid_request",
    )
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    for body in (b"code=1&code=2", b"a=%ff", b"&".join(b"f%d=1" % n for n in range(40)), b"\xff=1"):
        assert error(_post(at, content=body, headers=form, timeout=20)) == (400, "invalid_request")
    assert error(program.post("/token", grant_type="password", username="cy", password="x"))[0] == 400
    assert error(program.post("/token", grant_type="client_credentials"))[0] == 400
    assert _post(at, content=b"x" * 20_000, headers=form, timeout=20).status_code == 413
    assert _get(at, timeout=20).status_code == 405
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}
    assert _options(at, headers=asked, timeout=20).headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("method", ["client_secret_post", "client_secret_basic"])
def test_a_client_with_a_secret_proves_itself(world: World, cy: Browser, method: str) -> None:
    program = Program(world)
    answer = program.register(token_endpoint_auth_method=method).json()
    assert (len(answer["client_secret"]) >= 43, answer["client_secret_expires_at"]) == (True, 0)
    secret, program.secret = program.secret, ""
    code = program.code(cy)
    assert error(program.exchange(code)) == (401, "invalid_client")
    assert error(program.exchange(code, client_secret="wrong")) == (401, "invalid_client")
    fields = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": BACK,
        "code_verifier": VERIFIER,
    }
    if method == "client_secret_post":
        assert program.exchange(code, client_secret=secret).status_code == 200
    else:
        by_header = _post(f"{world.url}/token", data=fields, auth=(program.id, secret), timeout=20)
        assert by_header.status_code == 200, by_header.text


def test_a_refresh_token_works_once_and_its_second_use_ends_the_grant(program: Program, cy: Browser) -> None:
    first = program.tokens(cy)
    second = program.refresh(first["refresh_token"]).json()
    assert program.works(second["access_token"])
    seq = program.world.database.seq
    assert error(program.refresh(first["refresh_token"])) == (400, "invalid_grant")
    assert not program.works(first["access_token"])
    assert not program.works(second["access_token"])
    assert error(program.refresh(second["refresh_token"])) == (400, "invalid_grant")
    assert call(program.world, "cy", "auth.grants") == []
    cy_id = program.world.people["cy"].id
    assert program.world.events_since(seq) == [("auth.grant_revoked", f"member:{cy_id}")]


@pytest.mark.parametrize("what", ["refresh", "code"])
def test_of_two_at_once_one_is_answered(program: Program, cy: Browser, what: str) -> None:
    code = program.code(cy)
    token = program.exchange(code).json()["refresh_token"] if what == "refresh" else ""
    gate = threading.Barrier(2)

    def ask(_: int) -> httpx2.Response:
        gate.wait(timeout=20)
        return program.refresh(token) if token else program.exchange(code)

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(ask, range(2)))
    assert sorted(answer.status_code for answer in answers) == [200, 400]
    (won,) = [answer.json() for answer in answers if answer.status_code == 200]
    assert not program.works(won["access_token"])


def test_a_refresh_may_ask_for_less_and_never_for_more(program: Program, cy: Browser) -> None:
    tokens = program.tokens(cy, scopes=["auth:read", "issues:read"])
    assert tokens["scope"] == "auth:read issues:read"
    assert error(program.refresh(tokens["refresh_token"], scope="issues:read issues:write")) == (
        400,
        "invalid_scope",
    )
    less = program.refresh(tokens["refresh_token"], scope="auth:read").json()
    assert less["scope"] == "auth:read"
    assert program.call("auth_me", less["access_token"]).json()["result"]["structuredContent"]["scopes"] == [
        "auth:read"
    ]
    whole = program.refresh(less["refresh_token"]).json()
    me = program.call("auth_me", whole["access_token"]).json()["result"]["structuredContent"]
    assert me["scopes"] == ["auth:read", "issues:read"]


def test_a_client_does_no_more_than_was_given(world: World) -> None:
    chosen = {"scopes": ["auth:read", "issues:read", "projects:read"], "modules": ["issues", "auth"]}
    somebody = Somebody(world, narrowed=chosen)

    async def said(client: Client, name: str, **given: Any) -> str:
        (content,) = (await client.call_tool(name, given)).content
        assert content.type == "text"
        return content.text

    async def talk(client: Client) -> Any:
        names = {tool.name for tool in (await client.list_tools()).tools}
        wrote = await said(client, "issues_create", project="WEB", title="No")
        return names, wrote, await said(client, "projects_list"), await said(client, "auth_me")

    names, wrote, elsewhere, allowed = somebody.run(talk)
    assert {"issues_list", "auth_me", "tools_search"} <= names
    assert {name.partition("_")[0] for name in names} == {"issues", "auth", "tools"}
    assert "insufficient-scope" in wrote
    assert "not-allowed" in elsewhere
    assert '"via":"agent:test-agent"' in allowed


def test_a_client_is_nobody_where_people_decide(program: Program) -> None:
    bo = Browser(program.world.url)
    bo.sign_in("bo")
    held = ["admin", "auth:read", "auth:write", "keys:write", "members:write"]
    page = bo.get(program.path(scope=" ".join(held)))
    code = came_back(agree(bo, page, scopes=held))["code"]
    token = program.exchange(code).json()["access_token"]
    for tool, given in (
        ("members_update", {"id": program.world.people["di"].id, "role": "guest"}),
        ("auth_grant_revoke", {"id": 1, "confirm": True}),
        ("auth_session_revoke", {"id": "others", "confirm": True}),
        ("auth_device_approve", {"user_code": "BCD-FGH-JKL", "approve": True}),
        ("auth_policy_set", {"password_min": 8}),
        ("keys_create", {"name": "mine", "scopes": ["issues:read"]}),
    ):
        result = program.call(tool, token, **given).json()["result"]
        assert result["isError"], tool
        assert "not-allowed" in result["content"][0]["text"] or "elevation" in result["content"][0]["text"], (
            tool
        )


def test_a_token_opens_the_mcp_door_alone(program: Program, cy: Browser) -> None:
    tokens = program.tokens(cy)
    world = program.world
    assert program.works(tokens["access_token"])
    for token in (tokens["access_token"], tokens["refresh_token"]):
        with Kbwork(world.url, token) as kb, refused("unauthenticated"):
            kb.call("auth.me", {})
        head = {"Authorization": f"Bearer {token}"}
        assert _get(f"{world.url}/api/v1/stream", headers=head, timeout=20).status_code == 401
        page = _get(f"{world.url}/keys", headers=head, timeout=20)
        assert page.status_code == 303
        assert _get(f"{world.url}/keys", headers={"Cookie": f"kb={token}"}, timeout=20).status_code == 303
    assert not program.works(tokens["refresh_token"])


def test_a_grant_that_is_revoked_is_over_at_once(program: Program, cy: Browser) -> None:
    world = program.world
    tokens = program.tokens(cy)
    assert program.works(tokens["access_token"])
    (grant,) = call(world, "cy", "auth.grants")
    with refused("not-found"):
        call(world, "bo", "auth.grant_revoke", id=grant["id"])
    with refused("not-allowed"):
        world.key("cy").call("auth.grant_revoke", {"id": grant["id"]})
    assert call(world, "cy", "auth.grant_revoke", id=grant["id"]) == []
    assert not program.works(tokens["access_token"])
    assert error(program.refresh(tokens["refresh_token"])) == (400, "invalid_grant")
    with refused("not-found"):
        call(world, "cy", "auth.grant_revoke", id=grant["id"])


@pytest.mark.parametrize("which", ["access_token", "refresh_token"])
def test_a_client_signs_itself_out(program: Program, cy: Browser, which: str) -> None:
    tokens = program.tokens(cy)
    other = Program(program.world)
    other.register()
    assert other.post("/revoke", token=tokens[which]).status_code == 200
    assert program.post("/revoke", token="kbo_nonsense").status_code == 200
    assert program.works(tokens["access_token"])
    assert program.post("/revoke", token=tokens[which], token_type_hint=which).status_code == 200
    assert not program.works(tokens["access_token"])
    assert call(program.world, "cy", "auth.grants") == []


def test_connecting_again_starts_anew_as_the_same_agent(program: Program, cy: Browser) -> None:
    first, second = program.tokens(cy), program.tokens(cy)
    assert not program.works(first["access_token"])
    me = program.call("auth_me", second["access_token"]).json()["result"]["structuredContent"]
    assert me["via"] == "agent:by-hand"
    assert len(call(program.world, "cy", "auth.grants")) == 1
    di = Browser(program.world.url)
    di.sign_in("di")
    other = program.call("auth_me", program.tokens(di)["access_token"]).json()["result"]["structuredContent"]
    assert (other["via"], other["member"]["handle"]) == ("agent:by-hand-2", "di")


def test_who_leaves_takes_their_clients_along(program: Program, cy: Browser) -> None:
    world = program.world
    tokens, waiting = program.tokens(cy), program.code(cy)
    cy_id = world.people["cy"].id
    call(world, "ana", "members.deactivate", id=cy_id, on=True)
    assert not program.works(tokens["access_token"])
    assert error(program.refresh(tokens["refresh_token"])) == (400, "invalid_grant")
    assert error(program.exchange(waiting)) == (400, "invalid_grant")
    call(world, "ana", "members.deactivate", id=cy_id, on=False)
    assert not program.works(tokens["access_token"])


def test_a_client_never_holds_more_than_its_member_now(program: Program, cy: Browser) -> None:
    world = program.world
    page = cy.get(program.path(scope="auth:read issues:read projects:write"))
    token = program.exchange(came_back(agree(cy, page))["code"]).json()["access_token"]
    call(world, "ana", "members.update", id=world.people["cy"].id, role="guest")
    me = program.call("auth_me", token).json()["result"]["structuredContent"]
    assert (me["role"], me["scopes"]) == ("guest", ["auth:read", "issues:read"])


def test_the_sign_in_policy_holds_for_clients(program: Program, cy: Browser) -> None:
    world = program.world
    tokens = program.tokens(cy)
    world.database.write_now(lambda tx: org_settings.put(tx, "auth.require_2fa", True))
    me = program.call("auth_me", tokens["access_token"]).json()["result"]["structuredContent"]
    assert me["scopes"] == ["auth:read"]
    world.database.write_now(lambda tx: org_settings.put(tx, "auth.allowed_networks", ["203.0.113.0/24"]))
    assert not program.works(tokens["access_token"])
    world.database.write_now(lambda tx: org_settings.put(tx, "auth.allowed_networks", None))
    world.database.write_now(lambda tx: org_settings.put(tx, "auth.session_days", 1))
    world.clock.advance(86400)
    assert error(program.refresh(tokens["refresh_token"])) == (400, "invalid_grant")


def test_a_client_that_is_not_used_for_a_month_is_over(program: Program, cy: Browser) -> None:
    world = program.world
    tokens = program.tokens(cy)
    world.clock.advance(authorization.IDLE_S - 1)
    tokens = program.refresh(tokens["refresh_token"]).json()
    world.clock.advance(authorization.IDLE_S)
    assert error(program.refresh(tokens["refresh_token"])) == (400, "invalid_grant")
    world.database.write_now(jobs.IDLE.run)
    world.database.write_now(jobs.SWEEP.run)
    count = "select (select count(*) from oauth_token) + (select count(*) from oauth_code)"
    assert world.database.write_now(lambda tx: tx.value(count)) == 0
    live = "select count(*) from oauth_grant where revoked_at is null"
    assert world.database.write_now(lambda tx: tx.value(live)) == 0
    world.clock.advance(91 * 86400)
    for _ in range(2):
        world.database.write_now(jobs.SWEEP.run)
    left = "select (select count(*) from oauth_grant) + (select count(*) from oauth_client)"
    assert world.database.write_now(lambda tx: tx.value(left)) == 0


def test_the_page_of_sessions_shows_clients_and_ends_them(program: Program, cy: Browser) -> None:
    token = program.tokens(cy)["access_token"]
    page = cy.get("/sessions")
    assert "By Hand" in page.words
    assert cy.fill(page, "/grants/revoke").headers["location"] == "/sessions"
    assert not program.works(token)
    assert "By Hand" not in cy.get("/sessions").words
    assert cy.post("/grants/revoke", {"id": "99"}).status == 404


def test_nothing_secret_is_logged_or_stored(
    world: World, cy: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    program = Program(world)
    program.register(token_endpoint_auth_method="client_secret_post")
    code = program.code(cy)
    tokens = program.exchange(code).json()
    program.works(tokens["access_token"])
    fresh = program.refresh(tokens["refresh_token"]).json()
    program.refresh(tokens["refresh_token"])
    program.exchange(code, code_verifier="wrong")
    secrets = [code, VERIFIER, program.secret]
    secrets += [pair[name] for pair in (tokens, fresh) for name in ("access_token", "refresh_token")]
    own = "\n".join(record.getMessage() for record in caplog.records if not record.name.startswith("http"))
    files = sorted(str(path) for path in world.folder.glob("kbwork.db*"))
    kept = subprocess.run(
        ["cat", *files], check=True, capture_output=True, timeout=60
    ).stdout  # not opened here
    assert program.id.encode() in kept
    for secret in secrets:
        assert secret
        assert secret not in own
        assert secret.encode() not in kept


def test_what_a_client_starts_goes_on_in_its_name_until_it_ends(program: Program, cy: Browser) -> None:
    world = program.world
    token = program.tokens(cy, modules=["issues", "auth"])["access_token"]
    known = world.database.write_now(lambda tx: identify.lookup(tx, token)).caller
    again = world.database.write_now(
        lambda tx: impersonate.restore_caller(tx, impersonate.caller_args(known))
    )
    assert (again.via, again.scopes, sorted(again.modules or ())) == (
        "agent:by-hand",
        known.scopes,
        ["auth", "issues"],
    )
    (grant,) = call(world, "cy", "auth.grants")
    call(world, "cy", "auth.grant_revoke", id=grant["id"])
    with pytest.raises(NotAllowed):
        world.database.write_now(lambda tx: impersonate.restore_caller(tx, impersonate.caller_args(known)))


def test_a_narrowed_token_is_a_caller_of_its_own(program: Program, cy: Browser) -> None:
    """What is kept in memory for one set of scopes is not answered to another."""
    world = program.world
    first = program.tokens(cy)
    less = program.refresh(first["refresh_token"], scope="issues:read").json()

    def ident(token: str) -> str:
        return world.database.write_now(lambda tx: identify.lookup(tx, token)).caller.ident

    wide, narrow = ident(first["access_token"]), ident(less["access_token"])
    assert wide != narrow
    assert identify.grant_of(wide) == identify.grant_of(narrow)


def test_the_last_use_is_shown(program: Program, cy: Browser) -> None:
    world = program.world
    token = program.tokens(cy)["access_token"]
    (grant,) = call(world, "cy", "auth.grants")
    assert grant["last_used_at"] is None
    world.clock.advance(5)
    assert program.works(token)
    assert world.app is not None
    noted = dict(world.app.dispatcher.seen)
    world.database.write_now(lambda tx: write_down(tx, noted))
    (grant,) = call(world, "cy", "auth.grants")
    assert grant["last_used_at"] == world.clock.now()


def test_a_restore_voids_every_grant(program: Program, cy: Browser) -> None:
    world = program.world
    tokens = program.tokens(cy)
    waiting = program.code(cy)
    world.database.write_now(lambda tx: carry_over.settle(tx, carry_over.CarriedOver(), {"scope": "all"}))
    assert not program.works(tokens["access_token"])
    assert error(program.refresh(tokens["refresh_token"])) == (400, "invalid_grant")
    assert error(program.exchange(waiting)) == (400, "invalid_grant")


def test_nothing_of_an_erased_person_stays_connected(program: Program, cy: Browser) -> None:
    world = program.world
    token = program.tokens(cy)["access_token"]
    program.code(cy)
    call(world, "ana", "members.erase", id=world.people["cy"].id, confirm_name="Cy Moss")
    count = "select (select count(*) from oauth_token) + (select count(*) from oauth_code)"
    eventually(lambda: world.database.write_now(lambda tx: tx.value(count)) == 0)
    assert not program.works(token)


def test_after_a_restart_the_client_is_still_connected(
    program: Program, cy: Browser, settings: Settings, tmp_path: Path
) -> None:
    """Nothing of a connection is in memory alone."""
    world = program.world
    waiting = program.code(cy)
    tokens = program.tokens(cy)
    copy = tmp_path / "copy"
    world.database.write_now(lambda tx: None)
    subprocess.run(["cp", "-r", str(world.folder), str(copy)], check=True, timeout=60)
    with serving(World(copy, world.clock, world.people), settings) as other:
        there = Program(other, id=program.id)
        assert there.works(tokens["access_token"])
        assert there.refresh(tokens["refresh_token"]).status_code == 200
        assert there.exchange(waiting).status_code == 200


def test_a_module_that_was_not_given_is_not_reached_by_way_of_another(program: Program, cy: Browser) -> None:
    page = cy.get(program.path(scope="api:read api:write issues:read issues:write projects:read"))
    chosen = {"scopes": offered(page, "scopes"), "modules": ["api", "projects"]}
    token = program.exchange(came_back(agree(cy, page, **chosen))["code"]).json()["access_token"]
    ops = [{"op": "issues.create", "input": {"project": "WEB", "title": "By way of a batch"}}]
    result = program.call("api_batch", token, ops=ops).json()["result"]
    assert "without the module issues" in result["content"][0]["text"]
    assert call(program.world, "cy", "issues.list", project="WEB")["items"] == []
