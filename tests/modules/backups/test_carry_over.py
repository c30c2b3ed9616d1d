"""What a restore does not bring back: secrets that were changed since the backup was taken."""

from typing import Any

from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from kbwork.core.jobs.kinds import enqueue
from kbwork.db.tx import Write
from tests.conftest import PASSWORD, World
from tests.modules.backups.test_backups import taken
from tests.modules.backups.test_restore_all import restored, sign_in
from tests.modules.calls import call, call_nobody, eventually, refused
from tests.modules.chat.platforms import SECRET, connected, linked
from tests.modules.desk.helpdesk import customer, open_desk
from tests.modules.flags.flag_project import flag, patch, serve, shop, state, version
from tests.modules.flags.test_triggers import pull
from tests.modules.pages.test_together import Editor, draft
from tests.modules.pages.wiki import page, space
from tests.modules.webhooks.hooks import follow

_NEW = "another sentence of hers"


def opens(world: World, secret: str) -> bool:
    """Whether this secret of a key is one."""
    return _answers(world, secret, "issues.list", {})


def signs_in(world: World, password: str) -> bool:
    return _answers(world, "", "auth.login", {"email": "cy@acme.example", "password": password})


def _answers(world: World, token: str, op: str, value: dict[str, Any]) -> bool:
    """Whether it does, or asks who calls."""
    with Kbwork(world.url, token) as client:
        try:
            client.call(op, value)
        except KbworkProblem as problem:
            if problem.slug != "unauthenticated":
                raise
            return False
    return True


def test_a_key_that_was_rotated_or_narrowed_since_opens_what_it_opened_last(world: World) -> None:
    leaky = call(world, "ana", "keys.create", name="leaky", scopes=["issues:read", "issues:write"])
    kept = call(world, "ana", "keys.create", name="kept", scopes=["issues:read"])
    ident = taken(world)["id"]
    rotated = call(world, "ana", "keys.rotate", id=leaky["id"])
    call(world, "ana", "keys.update", id=leaky["id"], scopes=["issues:read"], networks=["127.0.0.1/32"])
    overlapping = call(world, "ana", "keys.rotate", id=kept["id"], keep_hours=1)
    assert restored(world, ident)["state"] == "done"
    assert [opens(world, one["secret"]) for one in (leaky, rotated, kept, overlapping)] == [
        False,
        True,
        True,
        True,
    ]
    sign_in(world, "ana")
    shown = {one["id"]: one for one in world.session("ana").call("keys.list", {})}[leaky["id"]]
    assert (shown["scopes"], shown["networks"]) == (["issues:read"], ["127.0.0.1/32"])
    assert shown["last4"] == rotated["secret"][-4:]


def test_a_password_that_was_changed_since_stays_changed(world: World) -> None:
    ident = taken(world)["id"]
    world.clock.advance(1)
    call(world, "cy", "auth.password_change", current=PASSWORD, password=_NEW)
    safety = restored(world, ident)["result"]["safety"]
    assert (signs_in(world, PASSWORD), signs_in(world, _NEW)) == (False, True)
    sign_in(world, "ana")
    assert restored(world, safety)["state"] == "done"
    assert (signs_in(world, PASSWORD), signs_in(world, _NEW)) == (False, True)


def _spend(tx: Write, member: str) -> None:
    tx.execute("update recovery_code set used_at = 1 where member = :member", member=member)


def _with_codes(tx: Write, member: str, digest: bytes) -> None:
    tx.execute("update credential set totp = x'01' where member = :member", member=member)
    tx.execute("insert into recovery_code (member, digest) values (:m, :d)", m=member, d=digest)


def test_a_second_factor_that_was_set_up_since_holds_and_a_code_that_was_used_stays_used(
    world: World,
) -> None:
    cy, di = world.people["cy"].id, world.people["di"].id
    world.database.write_now(lambda tx: _with_codes(tx, cy, b"1"))
    ident = taken(world)["id"]
    world.database.write_now(lambda tx: _spend(tx, cy))
    world.database.write_now(lambda tx: _with_codes(tx, di, b"2"))
    assert restored(world, ident)["state"] == "done"
    left: list[dict[str, Any]] = world.database.write_now(lambda tx: tx.all("select * from recovery_code"))
    assert sorted((one["member"], one["used_at"]) for one in left) == sorted([(cy, 1), (di, None)])
    factor = "select count(*) from credential where totp is not null"
    assert world.database.write_now(lambda tx: tx.value(factor)) == 2


def test_a_newer_password_of_the_backup_is_taken(world: World) -> None:
    """As in a safety copy whose member is there with an older one."""
    world.clock.advance(1)
    call(world, "cy", "auth.password_change", current=PASSWORD, password=_NEW)
    ident = taken(world)["id"]
    older = world.database.write_now(
        lambda tx: tx.value("select password from credential where changed_at < :now limit 1", now=tx.now)
    )
    world.database.write_now(
        lambda tx: tx.execute(
            "update credential set password = :older, changed_at = 1 where member = :cy",
            older=older,
            cy=world.people["cy"].id,
        )
    )
    assert restored(world, ident)["state"] == "done"
    assert (signs_in(world, PASSWORD), signs_in(world, _NEW)) == (False, True)


def test_an_invitation_that_was_sent_anew_opens_by_its_last_link(world: World) -> None:
    invited = {"emails": ["new@acme.example"], "role": "member"}
    first = _token(call(world, "ana", "invites.create", **invited))
    ident = taken(world)["id"]
    last = _token(call(world, "ana", "invites.create", **invited))
    assert restored(world, ident)["state"] == "done"
    with Kbwork(world.url, "") as nobody:
        assert nobody.call("invites.info", {"token": last})["email"] == "new@acme.example"
        with refused("not-found"):
            nobody.call("invites.info", {"token": first})


def test_an_invitation_that_somebody_else_made_anew_is_theirs(world: World) -> None:
    """By whom it is decides whether it still holds."""
    address = ["new@acme.example"]
    call(world, "cy", "invites.create", emails=address, role="guest", projects=["SEC"])
    ident = taken(world)["id"]
    last = _token(call(world, "bo", "invites.create", emails=address, role="admin"))
    assert restored(world, ident)["state"] == "done"
    with Kbwork(world.url, "") as nobody:
        told = nobody.call("invites.info", {"token": last})
    assert (told["role"], told["by"]) == ("admin", "Bo Tran")


def _token(made: Any) -> str:
    return str(made).partition("token=")[2].partition("'")[0]


def test_flag_clients_get_a_newer_version_and_sdk_keys_end_when_they_were_to(world: World) -> None:
    shop(world)
    flag(world)
    where = {"project": "shop", "environment": "test"}
    leaky, ending, kept = (call(world, "ana", "flags.key_create", **where, kind="server") for _ in range(3))
    ident = taken(world)["id"]
    call(world, "ana", "flags.key_revoke", **where, id=leaky["id"])
    call(world, "ana", "flags.key_revoke", **where, id=ending["id"], in_hours=1)
    for kind in ("turnFlagOn", "turnFlagOff") * 3:
        patch(world, "cy", "test", {"kind": kind})
    told = {key: version(world, key) for key in ("test", "production")}
    assert restored(world, ident)["state"] == "done"
    assert {key: version(world, key) > told[key] for key in told} == {"test": True, "production": True}
    sign_in(world, "ana")
    left = {one["id"]: one["expires_at"] for one in call(world, "ana", "flags.keys", **where)}
    assert left == {ending["id"]: world.clock.now() + 3600, kept["id"]: None}


def _trigger(world: World, **more: Any) -> dict[str, Any]:
    asked = {"project": "shop", "key": "checkout", "environment": "test", "action": "off"}
    found: dict[str, Any] = call(world, "cy", "flags.trigger_save", **asked | more)
    return found


def _pulled(world: World, trigger: dict[str, Any]) -> int:
    return pull(world, str(trigger["url"]).removeprefix(world.url))[0]


def test_an_address_of_a_flag_that_was_deleted_stays_so_and_one_that_does_less_does_less(
    world: World,
) -> None:
    shop(world)
    flag(world)
    gone, kept, moved = _trigger(world), _trigger(world), _trigger(world, action="on")
    ident = taken(world)["id"]
    call(world, "cy", "flags.trigger_delete", project="shop", id=gone["id"])
    _trigger(world, id=moved["id"], action="off")
    made_since = _trigger(world)
    found = restored(world, ident)
    assert found["result"]["ended"] == [
        f"trigger {gone['id']} of shop/checkout in test was deleted: it had ended since"
    ]
    assert [_pulled(world, one) for one in (gone, kept, moved)] == [404, 200, 200]
    for who in ("ana", "cy"):
        sign_in(world, who)
    assert state(world)["on"] is False
    shown = world.session("cy").call("flags.triggers", {"project": "shop"})
    assert {one["id"]: one["action"] for one in shown} == {kept["id"]: "off", moved["id"]: "off"}
    assert restored(world, found["result"]["safety"])["result"]["ended"] == []
    assert [_pulled(world, one) for one in (gone, kept, made_since)] == [404, 200, 200]


def test_nothing_opens_an_environment_that_was_deleted_since(world: World) -> None:
    shop(world)
    flag(world)
    key = call(world, "ana", "flags.key_create", project="shop", environment="test", kind="server")
    other = call(world, "ana", "flags.key_create", project="shop", environment="production", kind="server")
    trigger = _trigger(world)
    serve(world, 1)
    asked = {"project": "shop", "key": "checkout", "environment": "test"}
    at = {"run_at": (world.clock.now() + 7200) * 1000, "instructions": [{"kind": "turnFlagOn"}]}
    schedule = call(world, "cy", "flags.schedule_create", **asked, **at)["id"]
    ident = taken(world)["id"]
    call(world, "ana", "flags.environment_delete", project="shop", key="test")
    assert restored(world, ident)["result"]["ended"] == [
        f"SDK key {key['id']} (server, …{key['last4']}) of shop/test was revoked: it had ended since",
        f"trigger {trigger['id']} of shop/checkout in test was deleted: it had ended since",
        f"schedule {schedule} of shop/checkout in test was cancelled: it had ended since",
    ]
    sign_in(world, "ana")
    shown = {
        place: [one["id"] for one in call(world, "ana", "flags.keys", project="shop", environment=place)]
        for place in ("test", "production")
    }
    assert shown == {"test": [], "production": [other["id"]]}
    assert _pulled(world, trigger) == 404
    assert world.session("ana").call("flags.schedules", {"project": "shop"}) == []


def test_a_timed_change_that_was_cancelled_or_whose_time_has_passed_is_not_made(world: World) -> None:
    shop(world)
    call(world, "ana", "flags.environment_save", project="shop", key="production", require_approval=True)
    flag(world)
    now = world.clock.now()
    asked = {"project": "shop", "key": "checkout", "instructions": [{"kind": "turnFlagOn"}]}

    def timed(minutes: int, environment: str = "test") -> int:
        at = {"environment": environment, "run_at": (now + 60 * minutes) * 1000}
        return int(call(world, "cy", "flags.schedule_create", **asked | at)["id"])

    due, cancelled, waits = timed(5), timed(500), timed(600)
    late, withdrawn, open_ = (timed(minutes, "production") for minutes in (5, 500, 600))
    for change in (late, withdrawn):
        call(world, "di", "flags.change_review", project="shop", id=change, decision="approve")
    ident = taken(world)["id"]
    call(world, "cy", "flags.schedule_delete", project="shop", key="checkout", id=cancelled)
    call(world, "cy", "flags.change_cancel", project="shop", id=withdrawn)
    world.clock.advance(6 * 60)
    assert restored(world, ident)["result"]["ended"] == [
        f"schedule {due} of shop/checkout in test was cancelled: its time had passed",
        f"schedule {cancelled} of shop/checkout in test was cancelled: it had ended since",
        f"change request {late} of shop/checkout in production was cancelled: its time had passed",
        f"change request {withdrawn} of shop/checkout in production was cancelled: it had ended since",
    ]
    sign_in(world, "ana")
    assert [one["id"] for one in call(world, "ana", "flags.schedules", project="shop")] == [waits]
    found = {one["id"]: one["status"] for one in call(world, "ana", "flags.changes", project="shop")}
    assert found == {late: "cancelled", withdrawn: "cancelled", open_: "pending"}
    world.clock.advance(1)
    assert (state(world)["on"], state(world, "production")["on"]) == (False, False)


def test_a_rollout_that_was_stopped_since_stays_so_and_one_that_goes_on_holds_its_step_anew(
    world: World,
) -> None:
    shop(world)
    plans = {}
    hour = {"weight": 10_000, "hold_minutes": 60}
    later = {"start_at": (world.clock.now() + 300) * 1000}
    for key, more in (("stopped", {}), ("goes-on", {}), ("due", later)):
        flag(world, key, who="ana")
        serve(world, 1, key=key)
        asked = {"project": "shop", "key": key, "environment": "test", "variation": 0}
        plans[key] = call(world, "cy", "flags.plan_save", **asked | more, steps=[hour, hour])["id"]
    ident = taken(world)["id"]
    call(world, "cy", "flags.plan_stop", project="shop", id=plans["stopped"])
    world.clock.advance(3 * 3600)
    sign_in(world, "ana")
    assert restored(world, ident)["result"]["ended"] == [
        f"rollout plan {plans['stopped']} of shop/stopped in test was cancelled: it had ended since",
        f"rollout plan {plans['due']} of shop/due in test was cancelled: its time had passed",
    ]
    sign_in(world, "cy")

    def stands() -> dict[str, tuple[str, int, int | None]]:
        found = world.session("cy").call("flags.plans", {"project": "shop"})
        return {one["key"]: (one["state"], one["step"], one["next_at"]) for one in found}

    eventually(lambda: stands()["goes-on"][2])
    assert stands() == {
        "stopped": ("stopped", 1, None),
        "goes-on": ("running", 1, (world.clock.now() + 3600) * 1000),
        "due": ("stopped", 0, None),
    }


def test_a_webhook_that_was_switched_off_or_has_another_secret_since_stays_so(world: World) -> None:
    hook = {"url": "https://hooks.example.com/kb", "events": ["issue.*"]}
    for name in ("off", "deleted", "rotated"):
        call(world, "ana", "webhooks.save", name=name, **hook)
    ident = taken(world)["id"]
    call(world, "ana", "webhooks.save", id=1, name="off", enabled=False, **hook)
    call(world, "ana", "webhooks.delete", id=2)
    call(world, "ana", "webhooks.rotate_secret", id=3)

    def secret(tx: Write) -> Any:
        return tx.value("select secret from webhook where id = 3")

    before = world.database.write_now(secret)
    assert restored(world, ident)["state"] == "done"
    sign_in(world, "ana")
    found = {one["name"]: one["enabled"] for one in world.session("ana").call("webhooks.list", {})}
    assert found == {"off": False, "deleted": False, "rotated": True}
    assert world.database.write_now(secret) == before


def test_what_waited_for_a_webhook_when_a_backup_was_taken_is_not_sent_again(world: World) -> None:
    hook = {
        "name": "hook",
        "url": "https://hooks.example.com/kb",
        "events": ["issue.*"],
        "batch_seconds": 3600,
    }
    call(world, "ana", "webhooks.save", **hook)
    call(world, "ana", "issues.create", project="WEB", title="Cart")
    follow(world)
    ident = taken(world)["id"]
    assert restored(world, ident)["state"] == "done"
    sign_in(world, "ana")
    found = world.session("ana").call("webhooks.deliveries", {"id": 1})["items"]
    assert [(one["state"], one["next_at"]) for one in found] == [("dropped", None)]


def test_ai_is_asked_by_no_key_and_for_nothing_that_was_taken_from_it_since(world: World) -> None:
    local = {
        "label": "Local",
        "kind": "openai",
        "default_model": "small",
        "models": ["small"],
        "enabled": True,
        "needs_key": True,
        "browser": False,
    }
    on = {"enabled": True, "browser_keys": True, "org_keys": True}
    call(world, "ana", "ai.policy_set", **on, excluded=["project:WEB"])
    for ident in ("revoked", "moved", "kept"):
        call(world, "ana", "ai.provider_save", id=ident, base_url="https://models.example.com", **local)
        call(world, "ana", "ai.key_set", provider=ident, secret="sk-old-0123456789")
    call(world, "ana", "issues.create", project="WEB", title="Cart")
    ident = taken(world)["id"]
    call(world, "ana", "ai.policy_set", **(on | {"browser_keys": False}), excluded=["project:SEC"])
    call(world, "ana", "ai.key_revoke", id="revoked")
    call(world, "ana", "ai.provider_save", id="moved", base_url="https://other.example.com", **local)
    call(world, "ana", "ai.key_set", provider="kept", secret="sk-new-9876543210")
    world.database.write_now(_use)
    assert restored(world, ident)["state"] == "done"
    sign_in(world, "ana")
    found = world.session("ana").call("ai.policy", {})
    assert {one["id"]: one["key_last4"] for one in found["providers"]} == {
        "revoked": None,
        "moved": None,
        "kept": "3210",
    }
    assert (found["excluded"], found["browser_keys"]) == (["project:WEB", "project:SEC"], False)
    assert found["used_month"] == 7
    assert world.database.write_now(lambda tx: tx.value("select count(*) from ai_call")) == 0


def _use(tx: Write) -> None:
    tx.execute("insert into ai_usage values (:day, 'm_x', 'f', 'p', 'm', 1, 0, 3, 4)", day="2027-01-15")
    tx.execute("insert into ai_call (actor, tokens, until) values ('m_x', 10, 9999999999)")


def test_what_waited_for_a_model_when_a_backup_was_taken_has_failed(world: World) -> None:
    def wait(tx: Write) -> None:
        job = enqueue(tx, "ai.run", {}, by=world.people["ana"].id)
        tx.execute("update job set run_at = run_at + 3600 where id = :job", job=job)
        tx.execute(
            "insert into ai_run (job, subject, task, request, asker, state, created_at)"
            " values (:job, 'issue:1', 'summarize', '{}', '{}', 'answered', 0)",
            job=job,
        )

    world.database.write_now(wait)
    made = taken(world)["id"]
    assert restored(world, made)["state"] == "done"
    sign_in(world, "ana")
    (job,) = world.session("ana").call("jobs.list", {"kind": "ai.run"})
    assert (job["state"], job["error"]) == ("failed", "The data were restored meanwhile.")


def test_a_customer_who_was_blocked_or_has_another_password_since_stays_so(world: World) -> None:
    call(world, "ana", "desk.save", project="WEB")
    for name in ("rita", "nat"):
        call(world, "ana", "desk.customer_add", email=f"{name}@rivers.example", name=name)
    ident = taken(world)["id"]
    password = call(world, "ana", "desk.customer_reset", id=1)["password"]
    token = call_nobody(world, "desk.portal_login", email="rita@rivers.example", password=password)["token"]
    call(world, "ana", "desk.customer_block", id=2, blocked=True)
    assert restored(world, ident)["state"] == "done"
    assert not _answers(world, token, "desk.portal_me", {})
    signed_in = {"email": "rita@rivers.example", "password": password}
    assert _answers(world, "", "desk.portal_login", signed_in)
    sign_in(world, "ana")
    shown = world.session("ana").call("desk.customers", {})
    assert {one["name"]: one["blocked"] for one in shown} == {"nat": True, "rita": False}


def test_a_password_opens_the_desks_that_it_opened_last(world: World) -> None:
    call(world, "ana", "desk.save", project="WEB")
    for name in ("rita", "nat"):
        call(world, "ana", "desk.customer_add", email=f"{name}@rivers.example", name=name)

    def opened_by(desks: list[str | None]) -> None:
        for number, one in enumerate(desks):
            world.database.write_now(
                lambda tx, number=number, one=one: tx.execute(  # type: ignore[misc]  # bound now
                    "update customer set password_desks = :desks where id = :id", desks=one, id=number + 1
                )
            )

    opened_by(["[1]", None])
    ident = taken(world)["id"]
    opened_by([None, "[2]"])
    assert restored(world, ident)["state"] == "done"
    kept = world.database.write_now(lambda tx: tx.column("select password_desks from customer order by id"))
    assert kept == [None, "[2]"]


def test_an_answer_that_was_due_goes_to_nobody_a_second_time(world: World) -> None:
    open_desk(world, survey=True)
    with customer(world, "rita") as rita:
        key = rita.ask()
    for minutes in (5, 500):
        at = world.clock.now() + 60 * minutes
        call(world, "cy", "desk.send_reply", key=key, body=f"In {minutes}", send_at=at)
    ident = taken(world)["id"]
    world.clock.advance(6 * 60)
    now = world.clock.now()
    assert restored(world, ident)["state"] == "done"
    sign_in(world, "cy")
    found = world.session("cy").call("desk.waiting_replies", {"project": "WEB"})
    assert {one["body"]: one["failed"] for one in found} == {
        "In 5": "A backup was put back: look whether it went out.",
        "In 500": None,
    }
    said = world.session("cy").call("comments.list", {"subject": f"issue:{key}"})
    assert [one["internal"] for one in said] == [True, True]
    since = world.database.write_now(lambda tx: tx.value("select survey_since from desk"))
    assert since >= now


def test_a_chat_has_no_account_secret_or_channel_that_was_taken_from_it_since(world: World) -> None:
    kept, gone = connected(world), connected(world, name="gone")
    rita, nat = linked(world, kept), linked(world, gone, "di", "U2")
    channel = {"name": "#shop", "events": ["issue.created"], "webhook_url": "https://hooks.example.com/old"}
    for _ in range(2):
        call(world, "bo", "chat.subscription_save", connection=kept["id"], **channel)
    ident = taken(world)["id"]
    (account,) = call(world, "cy", "members.chat_accounts")
    call(world, "cy", "members.chat_unlink", id=account["id"])
    call(world, "bo", "chat.connection_delete", id=gone["id"])
    call(world, "bo", "chat.connection_save", id=kept["id"], secret=SECRET[::-1])
    call(world, "bo", "chat.subscription_save", id=1, webhook_url="https://hooks.example.com/new")
    call(world, "bo", "chat.subscription_delete", id=2)

    def sealed(tx: Write) -> Any:
        return tx.tuples("select secret from chat_connection where id = 1") + tx.tuples(
            "select url from chat_subscription where id = 1"
        )

    before = world.database.write_now(sealed)
    assert restored(world, ident)["state"] == "done"
    sign_in(world, "bo")
    assert world.database.write_now(sealed) == before
    for somebody in (rita, nat):
        assert somebody.says("find cart")["result"] == "refused"
    found = {one["name"]: one for one in world.session("bo").call("chat.connections", {})}
    assert {name: one["linked"] for name, one in found.items()} == {"slack": 0, "gone": 0}
    assert "chat.connection_save" in found["gone"]["last_error"]
    heard = [one["events"] for one in world.session("bo").call("chat.subscriptions", {})]
    assert heard == [["issue.created"], []]


def test_a_document_in_which_several_write_is_of_another_time_than_the_backup(world: World) -> None:
    space(world)
    ident = page(world, "Rules", who="di", body="Begin.")
    here, away = Editor(world, ident), Editor(world, ident, "cy")
    here.type(0, "Kept. ")
    here.push()
    away.pull()
    backup = taken(world)["id"]
    here.type(0, "Lost. ")
    here.push()
    away.pull()
    world.clock.advance(1)
    assert restored(world, backup)["state"] == "done"
    for who in ("di", "cy", "bo"):
        sign_in(world, who)
    assert draft(world, ident) == "Kept. Begin."
    anew = Editor(world, ident, "bo")
    anew.type(0, "New. ")
    anew.push()
    with refused("stale"):
        away.pull()
    away.type(0, "Typed. ")
    with refused("stale"):
        away.push()
    assert draft(world, ident) == str(anew) == "New. Kept. Begin."


def test_what_was_shut_out_of_what_an_older_backup_lacks_stays_so_when_a_newer_one_comes(
    world: World,
) -> None:
    """The data between the two never had any of it."""
    shop(world)
    flag(world)
    where = {"project": "shop", "environment": "test"}
    older = taken(world)["id"]
    leaky, rotated, kept = (
        call(world, "ana", "keys.create", name=name, scopes=["issues:read"])
        for name in ("leaky", "rotated", "kept")
    )
    sdk, sdk_kept = (call(world, "ana", "flags.key_create", **where, kind="server") for _ in range(2))
    gone, left = _trigger(world), _trigger(world)
    at = {"run_at": (world.clock.now() + 7200) * 1000, "instructions": [{"kind": "turnFlagOn"}]}
    cancelled, waits = (
        call(world, "cy", "flags.schedule_create", **where, key="checkout", **at)["id"] for _ in range(2)
    )
    invited = call(world, "ana", "invites.create", emails=["new@acme.example"], role="admin")
    world.clock.advance(1)
    newer = taken(world)["id"]
    call(world, "ana", "keys.revoke", id=leaky["id"])
    turned = call(world, "ana", "keys.rotate", id=rotated["id"])
    call(world, "ana", "flags.key_revoke", **where, id=sdk["id"])
    call(world, "cy", "flags.trigger_delete", project="shop", id=gone["id"])
    call(world, "cy", "flags.schedule_delete", project="shop", key="checkout", id=cancelled)
    for invite in call(world, "ana", "invites.list"):
        if invite["state"] == "pending":
            call(world, "ana", "invites.revoke", id=invite["id"])
    last = _trigger(world)
    world.clock.advance(1)
    safety = restored(world, older)["result"]["safety"]
    sign_in(world, "ana")
    sign_in(world, "cy")
    between = _trigger(world)
    assert between["id"] > last["id"]
    world.clock.advance(1)
    assert restored(world, newer)["result"]["ended"] == [
        f"trigger {gone['id']} of shop/checkout in test was deleted: it had ended since",
        f"schedule {cancelled} of shop/checkout in test was cancelled: it had ended since",
    ]
    assert [opens(world, one["secret"]) for one in (leaky, rotated, turned, kept)] == [
        False,
        False,
        True,
        True,
    ]
    assert [_pulled(world, one) for one in (gone, left)] == [404, 200]
    sign_in(world, "ana")
    assert [one["id"] for one in call(world, "ana", "flags.keys", **where)] == [sdk_kept["id"]]
    assert [one["id"] for one in call(world, "ana", "flags.schedules", project="shop")] == [waits]
    with Kbwork(world.url, "") as nobody, refused("not-found"):
        nobody.call("invites.info", {"token": _token(invited)})
    world.clock.advance(1)
    assert restored(world, safety)["result"]["ended"] == []
    assert [_pulled(world, one) for one in (gone, left, last)] == [404, 200, 200]
    assert [opens(world, one["secret"]) for one in (leaky, rotated, turned, kept)] == [
        False,
        False,
        True,
        True,
    ]
