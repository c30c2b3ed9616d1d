"""The rules of REST: what is refused before it is read, what a body may be, who may come by cookie, how often."""

import http.client
import json
import threading
from typing import Any
from urllib.parse import urlsplit

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from tests.conftest import PASSWORD, World


def ask(
    world: World, path: str, body: bytes = b"{}", /, method: str = "POST", **headers: str
) -> tuple[int, dict[str, str], Any]:
    """One request as it is written; answers status, headers by lower-case name, and the parsed body."""
    connection = http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=20)
    found = {
        "Content-Type": "application/json",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    try:
        connection.request(method, path, body if method == "POST" else None, found)
        answer = connection.getresponse()
        text = answer.read()
        return (
            answer.status,
            {k.lower(): v for k, v in answer.getheaders()},
            json.loads(text) if text else None,
        )
    finally:
        connection.close()


def key(world: World, handle: str = "ana") -> str:
    return f"Bearer {world.people[handle].key}"


def slug(problem: dict[str, Any]) -> str:
    found: str = problem["type"].removeprefix("/problems/")
    return found


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" ",
        b"null",
        b"[]",
        b'"text"',
        b"1",
        b"{",
        b"{}{}",
        b'{"name": NaN}',
        b'{"name": Infinity}',
        b'{"id": ' + b"9" * 100_000 + b"}",
        b'{"id": 1e400}',
        b'{"id": -1.5E+309}',
        b'{"id": [{"a": -' + b"9" * 400 + b"}]}",
        b'{"name": ' + b"[" * 100_000,
        b'{"a":' * 50_000,
        b'{"name": "a", "name": "b"}',
        b'{"name": "\\ud800"}',
        b'{"name": "\xff"}',
        b"\xff\xfe{\x00}\x00",
        b'\xef\xbb\xbf{"name": "bom"}',
        b"{'name': 'x'}",
        b'{"name": "x",}',
        b"// {}",
    ],
)
def test_a_body_that_is_no_json_object_in_utf8_is_refused(world: World, body: bytes) -> None:
    status, headers, problem = ask(world, "/api/v1/labels.save", body, Authorization=key(world))
    assert (status, slug(problem)) == (400, "invalid-json")
    assert headers["content-type"] == "application/problem+json"
    assert {"type", "title", "status", "detail", "request_id"} <= set(problem)
    assert ask(world, "/api/v1/labels.list", Authorization=key(world))[0] == 200


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "a\0b"),
        ("name", 1),
        ("name", True),
        ("name", []),
        ("id", 2**63),
        ("id", -1),
        ("id", 1.5),
        ("id", "1"),
    ],
)
def test_a_value_that_does_not_fit_is_named(world: World, field: str, value: object) -> None:
    body = json.dumps({"name": "x", field: value}).encode()
    status, _, problem = ask(world, "/api/v1/labels.save", body, Authorization=key(world))
    assert (status, slug(problem), problem["errors"][0]["path"]) == (422, "invalid-input", field)


@pytest.mark.parametrize(
    ("op", "fields", "said"),
    [
        ("projects.create", {"key": "AB", "name": ""}, "name: should hold at least 1 character"),
        ("projects.create", {"key": "AB", "name": "x" * 501}, "name: holds at most 500 characters"),
        (
            "flags.create",
            {"project": "a", "key": "k", "name": "x" * 501},
            "name: holds at most 500 characters",
        ),
        ("issues.get", {"key": "AB-1", "with": ["flags"] * 8}, "with: holds at most 7 entries"),
    ],
)
def test_what_is_too_short_or_long_is_told_in_its_measure(
    world: World, op: str, fields: dict[str, object], said: str
) -> None:
    body = json.dumps(fields).encode()
    status, _, problem = ask(world, f"/api/v1/{op}", body, Authorization=key(world))
    assert (status, problem["detail"]) == (422, said)


def test_whole_floats_are_integers_and_texts_are_cleaned(world: World) -> None:
    body = b'{"name": " caf\\u0065\\u0301\\u0007 \\n two "}'
    label = ask(world, "/api/v1/labels.save", body, Authorization=key(world))[2]
    assert label["name"] == "café two"
    assert (
        ask(world, "/api/v1/labels.save", b'{"id": 1.0, "name": "x"}', Authorization=key(world))[2]["id"] == 1
    )


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/api/v1/labels.list", "GET", 405),
        ("/api/v1/labels.list", "PUT", 405),
        ("/api/v1/labels.list/", "POST", 404),
        ("/api/v1//labels.list", "POST", 404),
        ("/api/v1/Labels.list", "POST", 404),
        ("/api/v1/labels.lst", "POST", 404),
        ("/api/v1/labels", "POST", 404),
        ("/api/v2/labels.list", "POST", 404),
    ],
)
def test_a_path_is_exact_or_not_there(world: World, path: str, method: str, status: int) -> None:
    found, headers, problem = ask(
        world, path, method=method, Authorization=key(world), Accept="application/json"
    )
    assert (found, problem["status"]) == (status, status)
    assert headers.get("allow") == ("POST" if status == 405 else None)


def test_an_operation_that_is_not_there_names_the_nearest_with_and_without_a_key(world: World) -> None:
    for headers in ({}, {"Authorization": key(world)}):
        status, _, problem = ask(world, "/api/v1/labels.lst", **headers)
        assert (status, slug(problem)) == (404, "not-found")
        assert "labels.list" in problem["detail"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Content_Type": "text/plain"},
        {"Content_Type": "application/x-www-form-urlencoded"},
        {"Content_Type": ""},
        {"Content_Encoding": "gzip"},
        {"Content_Encoding": "deflate"},
        {"Content_Encoding": "br"},
    ],
)
def test_only_plain_json_is_taken(world: World, headers: dict[str, str]) -> None:
    status, _, problem = ask(world, "/api/v1/labels.list", Authorization=key(world), **headers)
    assert (status, slug(problem)) == (415, "unsupported-type")


@pytest.mark.parametrize("charset", ["utf-16", "UTF-16LE", '"iso-8859-1"', "", "utf-8; charset=utf-32"])
def test_no_charset_but_utf_8_is_taken(world: World, charset: str) -> None:
    kind = f"application/json; charset={charset}"
    status, _, problem = ask(world, "/api/v1/labels.list", Authorization=key(world), Content_Type=kind)
    assert (status, slug(problem), "in UTF-8" in problem["detail"]) == (415, "unsupported-type", True)


@pytest.mark.parametrize(
    "parameter", ["charset=utf-8", 'Charset="UTF-8"', " charset=us-ascii ", "profile=utf-16", ""]
)
def test_utf_8_may_be_named_in_any_way(world: World, parameter: str) -> None:
    kind = f"application/json;{parameter}"
    assert ask(world, "/api/v1/labels.list", Authorization=key(world), Content_Type=kind)[0] == 200


def test_a_body_over_16_mb_is_refused_before_and_while_it_is_read(world: World) -> None:
    big = b'{"name": "' + b"x" * (16 * 1024 * 1024) + b'"}'
    status, _, problem = ask(world, "/api/v1/labels.save", big, Authorization=key(world))
    assert (status, slug(problem)) == (413, "too-large")

    def parts() -> Any:
        for _ in range(17):
            yield b"x" * 1024 * 1024

    connection = http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=20)
    try:
        connection.request(
            "POST",
            "/api/v1/labels.save",
            parts(),
            {"Content-Type": "application/json", "Authorization": key(world)},
            encode_chunked=True,
        )
        assert connection.getresponse().status == 413
    except (BrokenPipeError, ConnectionResetError):
        pass  # the answer came while the rest was on its way
    finally:
        connection.close()


def test_every_answer_carries_the_sequence(world: World) -> None:
    seq = str(world.database.seq)
    etag = ask(world, "/api/v1/labels.list", Authorization=key(world))[1]["etag"]
    found = [
        ask(world, "/api/v1/labels.list", Authorization=key(world), If_None_Match=f'"x", {etag}'),
        ask(world, "/api/v1/labels.list", Authorization=key(world), If_None_Match="*"),
        ask(world, "/api/v1/labels.list"),
        ask(world, "/api/v1/labels.lst"),
        ask(world, "/api/v1/labels.save", b"{}", Authorization=key(world)),
    ]
    assert [(status, headers["x-kb-seq"]) for status, headers, _ in found] == [
        (304, seq),
        (304, seq),
        (401, seq),
        (404, seq),
        (422, seq),
    ]


def test_a_cookie_is_for_pages_of_this_site_only(world: World) -> None:
    cookie = f"kb={world.people['ana'].session}"
    own = {"Origin": world.url, "Cookie": cookie}
    assert ask(world, "/api/v1/labels.list", **own)[0] == 200
    for foreign in (
        {"Cookie": cookie},
        {"Cookie": cookie, "Origin": "null"},
        {"Cookie": cookie, "Origin": "http://evil.example"},
        {**own, "Sec_Fetch_Site": "cross-site"},
        {**own, "Sec_Fetch_Site": "same-site"},
    ):
        status, _, problem = ask(world, "/api/v1/labels.save", b'{"name": "x"}', **foreign)
        assert (status, slug(problem)) == (403, "not-allowed"), foreign
    assert ask(world, "/api/v1/labels.list", Authorization=key(world), Origin="http://evil.example")[0] == 200
    assert world.key("ana").labels.list() == []


def test_signing_in_on_a_page_puts_the_session_into_a_cookie_that_scripts_cannot_read(world: World) -> None:
    body = json.dumps({"email": "ana@acme.example", "password": "correct horse battery"}).encode()
    status, headers, answer = ask(world, "/api/v1/auth.login", body, Origin=world.url)
    assert (status, answer["token"]) == (200, "")
    cookie = headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    program = ask(world, "/api/v1/auth.login", body)[2]
    assert program["token"].startswith("kbs_")


def test_fifty_times_the_same_key_at_once_is_one_effect(world: World) -> None:
    answers: list[tuple[int, str | None, Any]] = []

    def send() -> None:
        status, headers, answer = ask(
            world,
            "/api/v1/labels.save",
            b'{"name": "once"}',
            Authorization=key(world),
            Idempotency_Key="same",
        )
        answers.append((status, headers.get("idempotent-replayed"), answer))

    threads = [threading.Thread(target=send) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert [status for status, _, _ in answers] == [200] * 50
    assert sorted(str(replayed) for _, replayed, _ in answers) == ["None"] + ["true"] * 49
    assert len({json.dumps(answer) for _, _, answer in answers}) == 1
    assert [label["name"] for label in world.key("ana").labels.list()] == ["once"]


def test_eight_bodies_that_race_under_one_key_have_one_winner(world: World) -> None:
    statuses: list[int] = []

    def send(number: int) -> None:
        body = json.dumps({"name": f"body {number}"}).encode()
        statuses.append(
            ask(world, "/api/v1/labels.save", body, Authorization=key(world), Idempotency_Key="raced")[0]
        )

    threads = [threading.Thread(target=send, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(statuses) == [200] + [422] * 7
    assert len(world.key("ana").labels.list()) == 1


def test_the_same_key_of_another_caller_is_another_key(world: World) -> None:
    for handle in ("ana", "bo"):
        answer = ask(
            world,
            "/api/v1/labels.save",
            json.dumps({"name": handle}).encode(),
            Authorization=key(world, handle),
            Idempotency_Key="shared",
        )
        assert (answer[0], answer[2]["name"]) == (200, handle)


def test_a_key_that_may_do_less_is_never_answered_with_what_its_owner_was_told(world: World) -> None:
    """The secret of a rotated key was kept under the owner's Idempotency-Key."""
    session = {"Authorization": f"Bearer {world.people['ana'].session}", "Idempotency_Key": "rotate-1"}
    ana = world.session("ana")
    whole = ana.call("keys.create", {"name": "whole", "scopes": ["admin"]})["id"]
    narrow = ana.call("keys.create", {"name": "narrow", "scopes": ["keys:write"]})["secret"]
    body = json.dumps({"id": whole}).encode()
    assert ask(world, "/api/v1/keys.rotate", body, **session)[0] == 200
    stolen = {"Authorization": f"Bearer {narrow}", "Idempotency_Key": "rotate-1"}
    status, headers, _ = ask(world, "/api/v1/keys.rotate", body, **stolen)
    assert (status, headers.get("idempotent-replayed")) == (403, None)


def test_keys_of_one_agent_are_one_caller_as_far_as_they_may_do_the_same(world: World) -> None:
    ana = world.session("ana")

    def made(title: str, **limits: Any) -> tuple[int, str | None]:
        asked = {"name": title, "kind": "agent", "agent": "builder", "scopes": ["issues:write"]} | limits
        secret = ana.call("keys.create", asked)["secret"]
        body = json.dumps({"project": "WEB", "title": "Built"}).encode()
        sent = {"Authorization": f"Bearer {secret}", "Idempotency_Key": "build-1"}
        status, headers, _ = ask(world, "/api/v1/issues.create", body, **sent)
        return status, headers.get("idempotent-replayed")

    assert made("first") == (200, None)
    assert made("in its place") == (200, "true")
    assert made("of one project", projects=["WEB"]) == (200, None)
    assert made("of another", projects=["SEC"])[0] == 404
    assert made("of one project, again", projects=["WEB"]) == (200, "true")


def test_a_key_is_forgotten_after_a_day_and_what_failed_may_be_tried_again(world: World) -> None:
    call = {"Authorization": key(world), "Idempotency_Key": "k"}
    assert ask(world, "/api/v1/labels.save", b'{"name": ""}', **call)[0] == 422
    assert ask(world, "/api/v1/labels.save", b'{"name": "a"}', **call)[0] == 200
    world.clock.advance(24 * 3600 + 1)
    assert ask(world, "/api/v1/labels.save", b'{"name": "b"}', **call)[0] == 200


@pytest.mark.parametrize("bad", ["", "x" * 256, "tab\there", "caf\xe9"])
def test_a_key_that_is_no_printable_ascii_of_255_is_refused(world: World, bad: str) -> None:
    status, _, problem = ask(
        world, "/api/v1/labels.save", b'{"name": "x"}', Authorization=key(world), Idempotency_Key=bad
    )
    assert (status, slug(problem)) == (422, "invalid-input")


def test_kept_answers_are_sealed(world: World) -> None:
    ask(
        world,
        "/api/v1/labels.save",
        b'{"name": "canary-in-answer"}',
        Authorization=key(world),
        Idempotency_Key="k",
    )
    rows = world.database.read_now(lambda tx: tx.column("select answer from idempotency"))
    assert len(rows) == 1
    assert b"canary" not in rows[0]


def test_a_revoked_key_is_refused_with_the_next_call(world: World) -> None:
    ana = world.session("ana")
    made = ana.call("keys.create", {"name": "short-lived", "scopes": ["projects:read"]})
    bearer = f"Bearer {made['secret']}"
    assert ask(world, "/api/v1/labels.list", Authorization=bearer)[0] == 200
    ana.call("keys.revoke", {"id": made["id"]})
    assert ask(world, "/api/v1/labels.list", Authorization=bearer)[0] == 401


def test_a_member_who_was_deactivated_is_out_at_once_by_every_road(world: World) -> None:
    cy = world.people["cy"]
    world.session("ana").call("members.deactivate", {"id": cy.id, "on": True})
    for token in (cy.key, cy.session):
        assert ask(world, "/api/v1/labels.list", Authorization=f"Bearer {token}")[0] == 401


def test_a_module_that_is_off_is_not_there(world: World) -> None:
    world.session("ana").call("org.modules_set", {"off": ["labels"]})
    status, _, problem = ask(world, "/api/v1/labels.list", Authorization=key(world))
    assert (status, slug(problem)) == (404, "not-found")
    with pytest.raises(KbworkProblem) as refusal:
        world.key("ana").call("api.batch", {"ops": [{"op": "labels.list"}]})
    assert refusal.value.slug == "conflict"
    world.session("ana").call("org.modules_set", {"on": ["labels"]})
    assert ask(world, "/api/v1/labels.list", Authorization=key(world))[0] == 200


@pytest.mark.parametrize(("remember", "age"), [(None, None), (False, None), (True, 30 * 86400)])
def test_a_browser_keeps_its_session_as_long_as_it_lives_or_until_it_is_closed(
    world: World, remember: bool | None, age: int | None
) -> None:
    connection = http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=20)
    asked = {"email": "cy@acme.example", "password": PASSWORD, "remember": remember}
    headers = {"Content-Type": "application/json", "Origin": world.url}
    try:
        connection.request("POST", "/api/v1/auth.login", json.dumps(asked), headers)
        answer = connection.getresponse()
        answer.read()
    finally:
        connection.close()
    (cookie,) = [text for name, text in answer.getheaders() if name.lower() == "set-cookie" and "kb=" in text]
    lasts = [part.strip() for part in cookie.split(";") if "Max-Age" in part]
    assert lasts == ([f"Max-Age={age}"] if age is not None else [])
