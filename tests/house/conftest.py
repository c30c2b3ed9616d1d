"""The world of the examples: what the operations' examples name is there."""

import http.client
import itertools
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from kbwork.app import registry
from kbwork.base.clock import FixedClock
from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.access import scopes
from kbwork.core.jobs.kinds import enqueue
from kbwork.db.tx import Write
from kbwork.settings import LimitSettings, Settings
from tests.conftest import NOW, Person, World, at_work, serving
from tests.modules.calls import eventually
from tests.modules.chat.test_posts import waiting
from tests.modules.flags.flag_project import AT_WORK
from tests.modules.notifications.inboxes import follow
from tests.modules.workflows.sample_workflows import flow
from tests.servers import SharedServer


class Door:
    """Raw REST: a status, headers and a body, without a client's help."""

    def __init__(self, world: World) -> None:
        self._place = urlsplit(world.url).netloc

    def post(self, op: str, body: Any, token: str | None, **headers: str) -> tuple[int, dict[str, str], Any]:
        """Post JSON (or raw bytes); answers status, headers by lower-case name, and the parsed body."""
        connection = http.client.HTTPConnection(self._place, timeout=60)
        try:
            found = {"Content-Type": "application/json", **headers}
            if token is not None:
                found["Authorization"] = f"Bearer {token}"
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            connection.request("POST", f"/api/v1/{op}", content, found)
            answer = connection.getresponse()
            text = answer.read()
            return (
                answer.status,
                {k.lower(): v for k, v in answer.getheaders()},
                json.loads(text) if text else None,
            )
        finally:
            connection.close()


@pytest.fixture
def door(request: pytest.FixtureRequest) -> Door:
    """REST of the world that the test lives in."""
    return Door(request.getfixturevalue("lived_in" if "lived_in" in request.fixturenames else "world"))


@pytest.fixture(scope="session")
def lived_in_template(
    template: tuple[Path, dict[str, Person]], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, Person]]:
    """The data folder of the world of the examples, made once and copied for each test."""
    folder = tmp_path_factory.mktemp("lived-in") / "data"
    shutil.copytree(template[0], folder)
    with serving(
        World(folder, FixedClock(NOW), template[1]), Settings(limits=LimitSettings(enabled=False))
    ) as world:
        with world.at_rest():  # else what is done beside comes in between, sooner or later
            _live(world)
        eventually(lambda: waiting(world) == 0)  # the channel that is not reached is given up
    return folder, template[1]


@pytest.fixture
def lived_in_again(
    lived_in_template: tuple[Path, dict[str, Person]],
    tmp_path: Path,
    settings: Settings,
    shared_server: SharedServer,
) -> Callable[[], AbstractContextManager[World]]:
    """Makes the world of the examples anew, as often as it is called."""
    numbers = itertools.count(1)

    def again() -> AbstractContextManager[World]:
        folder = tmp_path / f"again-{next(numbers)}"
        return at_work(lived_in_template, folder, FixedClock(NOW), settings, shared_server)

    return again


@pytest.fixture
def lived_in(lived_in_again: Callable[[], AbstractContextManager[World]]) -> Iterator[World]:
    """What examples name: issues, the labels and components 1 and 2, a comment, a job, a team, a
    done, an active and a planned sprint."""
    with lived_in_again() as made:
        yield made


def _live(world: World) -> None:
    ana = world.session("ana")
    ana.labels.save(name="bug")
    ana.labels.save(name="defect")
    for title in ("The cart forgets its vouchers", "Vouchers of the year before", "Cart, empty"):
        ana.issues.create(project="WEB", title=title)
    ana.call("fields.save", {"key": "severity", "name": "Severity", "kind": "select"})
    ana.call("fields.options_set", {"key": "severity", "options": [{"name": "High"}, {"name": "Low"}]})
    ana.call("issues.relation_add", {"key": "WEB-1", "kind": "relates", "to": ["WEB-2"]})
    ana.call("issues.link_add", {"key": "WEB-1", "url": "https://example.com/vouchers"})
    ana.call("issues.delete", {"key": "WEB-3"})
    for name in ("Cart", "Stock"):
        ana.call("components.save", {"project": "WEB", "name": name})
    ana.comments.create(subject="issue:WEB-1", body="Seen on Tuesday")
    ana.call("checklists.add", {"key": "WEB-1", "text": "Write the test\nMend it"})
    ana.call("checklists.template_save", {"name": "Ship", "kind": "epic", "items": ["Tell support"]})
    serial = {"key": "serial", "name": "Serial number", "kind": "text"}
    ana.call("assets.type_save", {"key": "LAP", "name": "Laptop", "fields": [serial]})
    ana.call("assets.type_save", {"key": "PHN", "name": "Phone", "fields": []})
    ana.call("assets.create", {"type": "LAP", "name": "Bo's laptop"})
    ana.call("views.save", {"name": "Open", "tql": "open", "project": "WEB"})
    ana.call("boards.save", {"name": "Shop", "tql": "project = WEB", "project": "WEB"})
    ana.call("drafts.save", {"subject": "issue:WEB-1", "body": "Seen again on"})
    for subject in ("issue:WEB-2", "project:WEB"):
        ana.call("stars.set", {"subject": subject, "on": True})
    _tell_elsewhere(ana)
    counted = {"name": "Issues", "sql": "select count(*) as number from events", "every": "manual"}
    ana.call("analytics.report_save", counted)
    _ai(ana)
    ana.call("automation.save", registry().require("automation.save").example | {"enabled": False})
    ana.call("teams.save", {"name": "Shop"})
    ana.call("teams.member_set", {"id": 1, "who": "@di", "role": "member"})
    ana.call("teams.rota_save", registry().require("teams.rota_save").example)
    for op, value in AT_WORK:
        ana.call(op, value)
    world.session("bo").comments.create(subject="issue:WEB-2", body="Which year, @ana?")
    _ask_for_approval(world)
    _write_pages(ana)
    _serve_customers(world)
    _plan(world)
    follow(world)
    world.database.write_now(lambda tx: _job_of_next_hour(tx, world.people["ana"].id))
    world.database.write_now(lambda tx: _propose(tx, world.people["ana"].id))


def _tell_elsewhere(ana: Kbwork) -> None:
    """Webhooks, channels of a chat and a mailbox."""
    hook = {
        "name": "Shop window",
        "url": "http://127.0.0.1:9/kbwork",
        "events": ["issue.*"],
        "enabled": False,
    }
    ana.call("webhooks.save", hook)
    ana.call("mail.mailbox_save", registry().require("mail.mailbox_save").example)
    ana.call("chat.connection_save", registry().require("chat.connection_save").example)
    channel = registry().require("chat.subscription_save").example | {
        "webhook_url": "http://127.0.0.1:9/channel"
    }
    ana.call("chat.subscription_save", channel)


def _ai(ana: Kbwork) -> None:
    """AI is on, by a provider that the operator lists nowhere: nothing is asked of it."""
    ana.call("ai.policy_set", {"enabled": True, "browser_keys": False, "org_keys": True, "excluded": []})
    local = registry().require("ai.provider_save").example
    ana.call("ai.provider_save", local | {"base_url": "http://127.0.0.1:9/v1"})
    ana.call("ai.profile_save", registry().require("ai.profile_save").example)


def _propose(tx: Write, by: str) -> None:
    """A model proposed something about WEB-1."""
    asker = {
        "member": by,
        "key": None,
        "scopes": sorted(scopes.of_role("owner")),
        "kind": "human",
        "rule": None,
    }
    tx.execute(
        "insert into ai_proposal (subject, task, answer, op, input, state, asked_by, asker, created_at)"
        " values ('issue:1', 'classify', 'high', 'issues.update', :input, 'open', :by, :asker, :now)",
        input=json.dumps({"key": "WEB-1", "priority": "high"}),
        by=by,
        asker=json.dumps(asker),
        now=tx.now,
    )


def _write_pages(ana: Kbwork) -> None:
    """A handbook: a page with versions and links, one below it, and one that is a draft."""
    ana.call("spaces.save", {"key": "HAND", "name": "Handbook", "description": "How we work"})
    welcome = {
        "space": "HAND",
        "title": "Welcome",
        "body": "# First day\n\n- Say hello.\n\n# Later\n\nSee WEB-1.",
    }
    ana.call("pages.create", welcome)
    ana.call(
        "pages.update",
        {"id": "HAND/welcome", "body": f"{welcome['body']}\n\nRead [[Rules]].", "note": "Rules"},
    )
    ana.call(
        "pages.create", {"space": "HAND", "title": "Holidays", "parent": "1", "body": "As [[Welcome]] says."}
    )
    ana.call("pages.create", {"space": "HAND", "title": "How we plan", "body": "On Mondays.", "draft": True})
    ana.call("comments.create", {"subject": "page:1", "body": "Since when?"})
    ana.call("pages.template_save", registry().require("pages.template_save").example | {"name": "Trip"})


def _ask_for_approval(world: World) -> None:
    """Epics of WEB are begun when others agree: one of two was asked for."""
    ana, bo = world.session("ana"), world.session("bo")
    flow_ = ana.call("workflows.save", flow("Careful", approvers=["@ana", "@bo"]))
    ana.call("workflows.assign", {"id": flow_["id"], "project": "WEB", "types": ["epic"]})
    for title in ("A shop for the depot", "A shop for the road"):
        bo.call("issues.create", {"project": "WEB", "title": title, "type": "epic"})
    bo.call("approvals.request", {"key": "WEB-4", "to_status": "in_progress", "note": "All agreed on it"})


def _serve_customers(world: World) -> None:
    """WEB is a service desk with two request types and two customers, of whom the first has a request: WEB-6."""
    ana = world.session("ana")
    ana.call("desk.save", {"project": "WEB", "name": "Web help", "open_signup": True})
    for name, kind in (("A fault", "bug"), ("A question", "task")):
        ana.call("desk.request_type_save", {"project": "WEB", "name": name, "issue_type": kind, "fields": []})
    ana.call("desk.queue_save", {"project": "WEB", "name": "All that is open", "tql": "open"})
    said = {"name": "Thanks", "text": "Thank you, {{customer.first_name}}.", "project": "WEB", "shared": True}
    ana.call("desk.reply_save", said)
    for name in ("Sol", "Tess"):
        made = {"email": f"{name.lower()}@rivers.example", "name": f"{name} Rivers"}
        password = ana.call("desk.customer_add", made)["password"]
        if name == "Sol":
            with Kbwork(world.url, "") as nobody:
                signed_in = {"email": made["email"], "password": password}
                token = nobody.call("desk.portal_login", signed_in)["token"]
            with Kbwork(world.url, token) as sol:
                asked = {
                    "title": "My order did not come",
                    "type": 1,
                    "values": {"description": "Since Tuesday"},
                }
                sol.call("desk.portal_create", asked)
    on_monday = {"key": "WEB-6", "body": "It comes today.", "send_at": world.clock.now() + 86400}
    ana.call("desk.send_reply", on_monday)


def _plan(world: World) -> None:
    """A done sprint, an active one of a team, and a planned one."""
    ana = world.session("ana")
    key = ana.issues.create(project="WEB", title="Vouchers by mail")["key"]
    for name, more in (("Sprint 12", {}), ("Sprint 13", {"team": 1}), ("Sprint 14", {})):
        ana.call("sprints.create", {"name": name, "projects": ["WEB"], **more})
    for ident in (1, 2):
        ana.call("sprints.add", {"id": ident, "keys": [key]})
        ana.call("sprints.start", {"id": ident, "end_date": "2027-02-12"})
        if ident == 1:
            ana.call("sprints.complete", {"id": 1, "unfinished": "backlog"})


def _job_of_next_hour(tx: Write, by: str) -> None:
    job = enqueue(tx, "members.erase", {}, by=by)
    tx.execute("update job set run_at = run_at + 3600 where id = :id", id=job)
