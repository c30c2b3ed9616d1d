"""Nobody learns of what is not for them: canary texts in private things, and every operation asked for them.

A canary is `cnry`, a letter that says whose it is, and a word. What a caller sent is taken out of an answer before it
is searched, so that an echo is no leak.
"""

import http.client
import json
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any
from urllib.parse import urlsplit

import pytest

from kbwork.app import registry
from kbwork.base.model import Input
from kbwork.core.access import callers, scopes
from kbwork.core.jobs.kinds import enqueue
from kbwork.core.operations.declare import Operation
from kbwork.db.tx import Write
from kbwork.settings import LimitSettings, Settings, StreamSettings
from tests.conftest import World
from tests.modules.calls import eventually
from tests.wireless import Wireless

CANARY = re.compile(r"cnry([a-z])\w*|PUBX-1\b", re.IGNORECASE)
DOCUMENT = (
    '{"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "cnryPdoc"}]}]}'
)

PRIVATE, NAME, LEVEL, OWN, INNER, NOTE, VIEW = "pnlogcv"
"""Inside a private project; its key and name, which admins see; an issue of a narrower level; Di's keys, sessions,
jobs and invites; what members see and guests do not; an internal note; a view of Di's own, which is for nobody else."""

_ORDER = {"read": 0, "write": 1, "destructive": 2}
LAST = (
    "org.modules_set",
    "auth.policy_set",
    "auth.password_change",
    "auth.session_revoke",
    "auth.logout",
    "members.update",
    "members.owner_transfer",
    "members.deactivate",
    "members.erase",
)
"""What ends the viewer's own rights when it goes well comes last, and is then done once."""
LOGS = ("audit.list", "audit.export")
"""The audit log is every event, for owners. Of what admins do not see it tells the subject and no more."""
_OF_ENTRY = re.compile(r'\\*"subject\\*": ?\\*"[^"\\]*')
"""The subject of an entry in an answer, or in a line of JSON inside of one."""
REFERENCES = frozenset(
    """
    actor agent assignee assignees author components cursor default default_type email external field
    from id into key keys kind label labels lead level member milestone move_to parent project projects
    q refs releases reporter role seq since sort sprint status subject team teams template to to_status
    token transfer_to type types url who workflow
    """.split()  # noqa: SIM905 - forty names read better as a text
)
"""The fields by which a call names something else."""
ABSENT = 900_001
CHOSEN = {
    ("ai.key_set", "label"),
    ("ai.profile_save", "key"),
    ("ai.profile_save", "label"),
    ("ai.provider_save", "id"),
    ("ai.provider_save", "label"),
    ("auth.provider_save", "id"),
    ("fields.save", "key"),
    ("flags.create", "key"),
    ("flags.environment_save", "key"),
    ("flags.project_save", "project"),
    ("flags.segment_save", "key"),
    ("flags.template_save", "key"),
    ("labels.save", "project"),
    ("lanes.save", "key"),
    ("types.save", "key"),
    ("projects.create", "key"),
    ("spaces.save", "key"),
    ("views.save", "external"),
}
"""Fields that name something new."""
TYPED = {("search.suggest", "q"), ("issues.asset_link", "role"), ("views.save", "sort")}
"""Words that name no thing alone: an operation or field, whose names are for everybody, or what somebody chose."""
UNIQUE = CHOSEN | {
    ("assets.type_save", "key"),
    ("fields.save", "name"),
    ("labels.save", "name"),
    ("teams.save", "handle"),
    ("keys.create", "agent"),
    ("invites.create", "emails"),
    ("issues.create", "external"),
}
"""What is unique over things that one does not see: taken is all that is told."""


@dataclass
class Viewer:
    """Somebody who looks, and the sorts of canaries that are not for them."""

    token: str
    hidden: str
    oversees: bool = False
    """The whole audit log is for them."""


@dataclass
class Hidden:
    """The world with its canaries: what names the private things."""

    world: World
    viewers: dict[str, Viewer] = field(default_factory=dict)
    refs: list[str] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    key: str = ""
    session: str = ""
    token: str = ""

    def strangers(self) -> list[tuple[str, str, str]]:
        """(sort, name of a private thing, the same of what is not there)."""
        n = self.numbers
        return [
            (NAME, "CNRYNKEY", "CNRYNKEZ"),
            (NAME, "project:CNRYNKEY", "project:CNRYNKEZ"),
            (PRIVATE, "CNRYPERS", "CNRYPERZ"),
            (PRIVATE, "CNRYNKEY-2", "CNRYNKEZ-2"),
            (PRIVATE, "/issues/CNRYNKEY-2", "/issues/CNRYNKEZ-2"),
            (PRIVATE, f"issue:{n['issue']}", "issue:900001"),
            (PRIVATE, f"comment:{n['comment']}", "comment:900001"),
            (PRIVATE, "cnryPflags", "cnryPflagz"),
            (PRIVATE, "flag:cnryPflags/cnryPflag", "flag:cnryPflags/cnryPflaz"),
            (PRIVATE, "segment:cnryPflags/live/cnryPsegment", "segment:cnryPflags/live/cnryPsegmenz"),
            (PRIVATE, f"flag_change:{n['change']}", "flag_change:900001"),
            (PRIVATE, f"comment:{n['flag said']}", "comment:900001"),
            (PRIVATE, f"comment:{n['change said']}", "comment:900001"),
            (PRIVATE, f"label:{n['label']}", "label:900001"),
            (PRIVATE, f"view:{n['view']}", "view:900001"),
            (VIEW, f"view:{n['own view']}", "view:900001"),
            (INNER, f"view:{n['inner view']}", "view:900001"),
            (PRIVATE, "cnryPlabel", "cnryPlabez"),
            (PRIVATE, "#cnryPlabel", "#cnryPlabez"),
            (LEVEL, "WEB-2", "WEB-0"),
            (LEVEL, "issue:WEB-3", "issue:WEB-0"),
            (OWN, self.key, "k_zzzzqqqqzzzzqqqq"),
            (OWN, f"key:{self.key}", "key:k_zzzzqqqqzzzzqqqq"),
            (OWN, self.session, "s_zzzzqqqqzzzzqqqq"),
            (OWN, self.token, "u_zzzzqqqqzzzzqqqqzzzz"),
            (OWN, f"job:{n['job']}", "job:900001"),
            (INNER, "@cnrygmember", "@cnrygmembez"),
            (INNER, "@cnrygteam", "@cnrygteaz"),
            (INNER, "cnrygmail@acme.example", "cnrygmaiz@acme.example"),
            (INNER, "SEC", "ZEC"),
            (INNER, "SEC-1", "ZEC-1"),
            (INNER, f"team:{n['inner team']}", "team:900001"),
            (INNER, "cnryGlabel", "cnryGlabez"),
            (NOTE, f"comment:{n['web note']}", "comment:900001"),
        ]

    def strange_numbers(self) -> list[tuple[str, str, str, int]]:
        """(sort, module, field, private number): ids of what a field of this module names."""
        n = self.numbers
        return [
            (PRIVATE, "labels", "id", n["label"]),
            (PRIVATE, "labels", "from", n["label"]),
            (PRIVATE, "labels", "into", n["label"]),
            (PRIVATE, "comments", "parent", n["comment"]),
            (NOTE, "comments", "parent", n["web note"]),
            (PRIVATE, "views", "id", n["view"]),
            (VIEW, "views", "id", n["own view"]),
            (INNER, "views", "id", n["inner view"]),
            (PRIVATE, "boards", "id", n["board"]),
            (VIEW, "boards", "id", n["own board"]),
            (INNER, "boards", "id", n["inner board"]),
            (OWN, "jobs", "id", n["job"]),
            (OWN, "invites", "id", n["invite"]),
            (OWN, "undo", "seq", n["seq"]),
            (INNER, "teams", "id", n["inner team"]),
            (INNER, "teams", "team", n["inner team"]),
            (INNER, "members", "team", n["inner team"]),
        ]


class Line:
    """One connection that is used again; REST, and pages."""

    def __init__(self, world: World, token: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=20)
        self._token = token

    def ask(self, method: str, path: str, body: Any = None, **more: str) -> tuple[int, str]:
        """(status, headers and body as one text)."""
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._token}", **more}
        content = None if body is None else json.dumps(body).encode()
        self._connection.request(method, path, content, headers)
        answer = self._connection.getresponse()
        text = answer.read().decode(errors="replace")
        return answer.status, "\n".join(f"{k}: {v}" for k, v in answer.getheaders()) + "\n\n" + text

    def call(self, op: str, body: dict[str, Any]) -> tuple[int, str]:
        return self.ask("POST", f"/api/v1/{op}", body)

    def close(self) -> None:
        self._connection.close()


def leaks(viewer: Viewer, text: str, sent: Any) -> set[str]:
    """The canaries in an answer that are not for this viewer and that they did not send themselves."""
    for part in sorted(_texts(sent), key=len, reverse=True):
        text = text.replace(part, "").replace(part.upper(), "")
    return {found[0] for found in CANARY.finditer(text) if (found[1] or PRIVATE).lower() in viewer.hidden}


def _texts(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value} if value else set()
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return {text for one in inner for text in _texts(one)}


@pytest.fixture
def hidden(world: World) -> Hidden:
    """Di's private things, what WEB hides from some, and those who look at it all."""
    found = Hidden(world)
    _open_things(found)
    _private_project(found)
    _private_flags(found)
    _public_in_private(world)
    _levels(found)
    _of_a_person(found)
    _viewers(found)
    return found


def _open_things(found: Hidden) -> None:
    """WEB as everybody sees it, with a note that guests do not see, and what guests know nothing of."""
    world, ana = found.world, found.world.session("ana")
    ana.call("projects.member_set", {"key": "WEB", "who": "@gus", "role": "reporter"})
    ana.call("boards.save", {"name": "Shop", "tql": "project = WEB", "project": "WEB"})
    ana.call("projects.update", {"key": "WEB", "reporters_see": "all"})
    ana.labels.save(name="bug")
    ana.labels.save(name="cnryGlabel", description="cnryGlabelText", group="cnryGgroup")
    ana.issues.create(project="WEB", title="The cart forgets its vouchers", labels=["bug"])
    ana.comments.create(subject="issue:WEB-1", body="Seen on Tuesday")
    note = ana.call("comments.create", {"subject": "issue:WEB-1", "body": "cnryCnote", "internal": True})
    ana.issues.create(project="SEC", title="cnryGsec", body="cnryGbody")
    ana.call("types.save", {"key": "cnryg-type", "name": "cnryGtype", "description": "cnryGtypeText"})
    ana.call("lanes.save", {"key": "cnryg_lane", "name": "cnryGlane", "category": "todo"})
    team = ana.call(
        "teams.save", {"name": "cnryGteam", "handle": "cnrygteam", "description": "cnryGteamText"}
    )
    view = ana.call("views.save", {"name": "cnryGview", "tql": 'title ~ "cnryGtql"', "project": "SEC"})
    board = ana.call("boards.save", {"name": "cnryGboard", "tql": 'title ~ "cnryGbtql"', "project": "SEC"})
    found.numbers |= {"web note": note["id"], "inner team": team["id"], "inner view": view["id"]}
    found.numbers |= {"inner board": board["id"]}
    world.database.write_now(_stranger)


def _stranger(tx: Write) -> None:
    """A member who shares nothing with guests."""
    member = callers.add_member(tx, name="cnryGmember", email="cnrygmail@acme.example", role="member")
    tx.update("member", member, title="cnryGtitle", about="cnryGabout", pronouns="cnryGpronouns")
    tx.insert("agent", name="cnrygagent", label="cnryGagent", owner=member, created_at=tx.now)
    tx.insert("avatar", member=member, type="image/png", data=b"cnryGavatar")


def _private_project(found: Hidden) -> None:
    """A private project full of canaries, and a personal one."""
    world, di = found.world, found.world.session("di")
    bo = world.session("bo")
    di.call(
        "projects.create",
        {"key": "CNRYNKEY", "name": "cnryNname", "description": "cnryPtext", "visibility": "private"},
    )
    di.call("projects.create", {"key": "CNRYPERS", "name": "cnryPersonal", "kind": "personal"})
    di.call(
        "projects.update",
        {"key": "CNRYNKEY", "icon": "cnryPicon", "color": "cnryPcolor", "labels": ["cnryPproject"]},
    )
    label = di.call(
        "labels.save",
        {"name": "cnryPlabel", "project": "CNRYNKEY", "group": "cnryPgroup", "description": "cnryPlabelText"},
    )
    made = {
        "project": "CNRYNKEY",
        "title": "cnryPepic",
        "type": "epic",
        "body": "cnryPbody",
        "body_doc": DOCUMENT,
    }
    di.call("issues.create", made)
    issue = di.call(
        "issues.create",
        {
            "project": "CNRYNKEY",
            "title": "cnryPtitle",
            "labels": ["cnryPlabel"],
            "parent": "CNRYNKEY-1",
            "source": "cnryPsource",
            "external": "cnryPexternal",
            "assignees": ["me"],
        },
    )
    di.issues.update(key=issue["key"], title="cnryPtitleNow", body="cnryPbodyNow")
    comment = di.call(
        "comments.create",
        {"subject": "issue:CNRYNKEY-1", "body": "cnryPcomment", "anchor": '{"exact": "cnryPanchor"}'},
    )
    note = di.call("comments.create", {"subject": "issue:CNRYNKEY-1", "body": "cnryPnote", "internal": True})
    saved = {
        "name": "cnryPview",
        "tql": 'title ~ "cnryPtql"',
        "icon": "cnryPicon",
        "external": "cnryPexternal",
    }
    view = di.call("views.save", saved | {"project": "CNRYNKEY", "shared": True})
    board = di.call(
        "boards.save", {"name": "cnryPboard", "tql": 'title ~ "cnryPbtql"', "project": "CNRYNKEY"}
    )
    parts = {"name": "cnryPcolumn", "lanes": ["todo"]}, {"name": "cnryPfilter", "tql": 'title ~ "cnryPftql"'}
    di.call("boards.columns_set", {"id": board["id"], "columns": [parts[0]]})
    di.call("boards.quick_filter_save", {"id": board["id"], "filters": [parts[1]]})
    for subject, shared in (
        ("issue:CNRYNKEY-1", True),
        (f"comment:{comment['id']}", False),
        ("issue:new", False),
    ):
        draft = {"subject": subject, "body": "cnryPdraft", "data": {"cnryPfield": 1}}
        di.call("drafts.save", draft | {"shared": shared})
    for subject in ("issue:CNRYNKEY-2", f"view:{view['id']}"):
        di.call("stars.set", {"subject": subject, "on": True, "folder": "cnryPfolder", "label": "cnryPstar"})
    there = {"subject": "CNRYNKEY-1", "state": "editing", "cursor": {"at": "cnryPcursor"}}
    di.call("presence.beat", there)
    di.issues.create(project="CNRYPERS", title="cnryPown")
    bo.call("projects.create", {"key": "OPEN", "name": "Open", "visibility": "org"})
    found.numbers |= {
        "label": label["id"],
        "issue": issue["id"],
        "comment": comment["id"],
        "note": note["id"],
        "view": view["id"],
        "board": board["id"],
        "project": world.database.write_now(
            lambda tx: tx.value("select id from project where key = 'CNRYNKEY'")
        ),
    }
    found.refs += [
        "CNRYNKEY",
        "cnrynkey",
        "CNRYNKEE",
        "project:CNRYNKEY",
        "project:CNRYPERS",
        "CNRYPERS",
        "CNRYNKEY-2",
        "CNRYNKEY-02",
        "issue:CNRYNKEY-1",
        "/issues/CNRYNKEY-1",
        f"{world.url}/projects/CNRYNKEY",
        f"issue:{issue['id']}",
        f"comment:{comment['id']}",
        f"comment:{note['id']}",
        f"label:{label['id']}",
        f"view:{view['id']}",
        str(label["id"]),
        "cnryplabel",
        "cnryplabe",
        "#cnryplabel",
        "cnrypgroup",
        "cnrypexterna",
        "cnryp",
    ]


def _private_flags(found: Hidden) -> None:
    """Flags that are tied to the private project."""

    def make(tx: Write) -> None:
        project = tx.insert(
            "flag_project",
            key="cnryPflags",
            key_folded="cnrypflags",
            name="cnryPflagsName",
            work_project=found.numbers["project"],
            created_at=tx.now,
        )
        tx.insert(
            "flag_environment",
            project=project,
            key="live",
            name="cnryPlive",
            critical=0,
            require_approval=0,
            min_approvals=1,
            allow_self_approval=0,
            version=1,
            key_salt="",
            created_at=tx.now,
        )

    found.world.database.write_now(make)
    di = found.world.session("di")
    flag = {"project": "cnryPflags", "key": "cnryPflag"}
    di.call("flags.create", flag | {"name": "cnryPflagName", "description": "cnryPflagText"})
    on = [{"kind": "turnFlagOn"}]
    di.call("flags.update", flag | {"environment": "live", "instructions": on, "comment": "cnryPcomment"})
    di.call("flags.segment_save", {"project": "cnryPflags", "environment": "live", "key": "cnryPsegment"})
    di.call("flags.link", flag | {"issue": "CNRYNKEY-2", "on": True})
    change = di.call(
        "flags.change_create",
        {
            "project": "cnryPflags",
            "kind": "flag",
            "target": "cnryPflag",
            "environment": "live",
            "instructions": [{"kind": "turnFlagOff"}],
            "comment": "cnryPask",
        },
    )["id"]
    for name, subject in (
        ("flag said", "flag:cnryPflags/cnryPflag"),
        ("change said", f"flag_change:{change}"),
    ):
        said = di.call("comments.create", {"subject": subject, "body": f"cnryP{name}"})
        found.numbers[name] = said["id"]
    found.numbers["change"] = change
    found.refs += ["cnryPflags", "cnrypflag"]


def _public_in_private(world: World) -> None:
    """An issue that every member may read, in a project and under a parent that they may not."""
    di = world.session("di")
    di.call("projects.create", {"key": "PUBX", "name": "cnryNpublic", "visibility": "private"})
    di.issues.create(project="PUBX", title="cnryPparent", type="epic")
    di.call(
        "issues.create", {"project": "PUBX", "title": "Open to all", "level": "public", "parent": "PUBX-1"}
    )
    di.issues.create(project="PUBX", title="Another", level="public")
    di.issues.update(key="PUBX-3", parent="PUBX-1")
    di.issues.update(key="PUBX-3", parent="")
    di.call("issues.create", {"project": "PUBX", "title": "Open above", "type": "epic", "level": "public"})
    di.issues.create(project="PUBX", title="cnryPchild", parent="PUBX-4")
    di.call("flags.link", {"project": "cnryPflags", "key": "cnryPflag", "issue": "PUBX-2", "on": True})


def _levels(found: Hidden) -> None:
    """Issues of WEB that are Di's alone, or her team's."""
    di = found.world.session("di")
    team = di.call("teams.save", {"name": "Own"})["id"]
    found.numbers["team"] = team
    for level in ("private", f"team:{team}"):
        issue = di.issues.create(project="WEB", title="cnryLtitle", body="cnryLbody", level=level)
        comment = di.call("comments.create", {"subject": f"issue:{issue['key']}", "body": "cnryLcomment"})
        di.issues.update(key=issue["key"], title="cnryLtitleNow")
        found.refs += [issue["key"], f"issue:{issue['id']}", f"comment:{comment['id']}"]


def _of_a_person(found: Hidden) -> None:
    """Di's keys, sessions, invites, jobs and preferences."""
    world, di = found.world, found.world.session("di")
    key = di.call("keys.create", {"name": "cnryOkey", "scopes": ["issues:read"], "projects": ["CNRYNKEY"]})
    di.call("members.preferences_set", {"set": {"start_page": "cnryOpage"}})
    invite = di.call(
        "invites.create",
        {
            "emails": ["cnrygvisitor@acme.example"],
            "role": "guest",
            "projects": ["CNRYNKEY"],
            "message": "cnryOmessage",
        },
    )[0]
    view = di.call("views.save", {"name": "cnryVview", "tql": 'title ~ "cnryVtql"', "external": "cnryVview"})
    board = di.call("boards.save", {"name": "cnryVboard", "tql": 'title ~ "cnryVbtql"'})
    di.call("drafts.save", {"subject": "issue:WEB-1", "body": "cnryVdraft"})
    di.call(
        "stars.set", {"subject": "issue:WEB-1", "on": True, "folder": "cnryVfolder", "label": "cnryVstar"}
    )
    me = world.people["di"].id

    def inside(tx: Write) -> tuple[str, int, int, str]:
        callers.add_session(tx, me, kind="app", client="cnryOclient")
        session = tx.value("select id from session where client = 'cnryOclient'")
        job = enqueue(tx, "members.erase", {"member": "cnryOargs"}, by=me, message="cnryOjob")
        tx.execute("update job set run_at = run_at + 3600 where id = :id", id=job)
        last = tx.one("select seq, token from undo where member = :me order by seq desc limit 1", me=me)
        assert last is not None
        return session, job, last["seq"], last["token"]

    session, job, seq, token = world.database.write_now(inside)
    made = world.database.write_now(
        lambda tx: tx.column("select seq from undo where member = :me and op glob '*s.create'", me=me)
    )
    found.numbers |= {
        "job": job,
        "invite": invite["id"],
        "seq": seq,
        "own view": view["id"],
        "own board": board["id"],
    }
    found.numbers |= {f"made {at}": at for at in made}
    found.key, found.session, found.token = key["id"], session, token
    found.refs += [
        key["id"],
        f"key:{key['id']}",
        session,
        f"session:{session}",
        f"job:{job}",
        f"view:{view['id']}",
        f"board:{board['id']}",
        token,
        "@cnrygmember",
        "cnrygmembe",
        "cnrygmail@acme.example",
        "@cnrygteam",
        "agent:cnrygagent",
        "cnryg-typ",
        "cnryg_lan",
    ]


def _viewers(found: Hidden) -> None:
    world, people = found.world, found.world.people
    others = PRIVATE + NAME + LEVEL + OWN + VIEW
    found.viewers = {
        "owner": Viewer(people["ana"].session, PRIVATE + VIEW, oversees=True),
        "admin": Viewer(people["bo"].session, PRIVATE + VIEW),
        "member": Viewer(people["cy"].session, others),
        "guest": Viewer(people["gus"].session, others + INNER + NOTE),
    }

    def key(tx: Write, **columns: Any) -> str:
        return callers.add_key(tx, people["di"].id, {"name": "of Di", **columns})[1]

    web = world.database.write_now(lambda tx: tx.value("select id from project where key = 'WEB'"))
    member = sorted(scopes.of_role("member"))
    narrow = ["activity:read", "activity:write", "api:read", "search:read"]
    world.database.write_now(
        lambda tx: tx.insert("agent", name="helper", label="Helper", owner=people["di"].id, created_at=tx.now)
    )
    for name, columns, out in (
        ("key for WEB", {"scopes": member, "projects": f"[{web}]"}, PRIVATE + NAME),
        (
            "agent for WEB",
            {"scopes": member, "projects": f"[{web}]", "kind": "agent", "agent": "helper"},
            PRIVATE + NAME,
        ),
        ("narrow key", {"scopes": narrow}, PRIVATE + NAME + LEVEL + INNER + NOTE),
    ):
        token = world.database.write_now(partial(key, **columns))
        found.viewers[name] = Viewer(token, out)


VIEWERS = ("owner", "admin", "member", "guest", "key for WEB", "agent for WEB", "narrow key")
EACH = pytest.mark.parametrize("who", VIEWERS)


@cache
def _shapes(takes: type[Input]) -> dict[str, dict[str, Any]]:
    """The fields of an input, each by its JSON Schema."""
    found: dict[str, dict[str, Any]] = takes.model_json_schema().get("properties", {})
    return found


def asked(op: Operation, refs: list[str], numbers: list[int]) -> Iterator[dict[str, Any]]:
    """The example, each switch and choice, and each field that names something set to each private thing."""
    yield op.example
    made = 0
    for name, shape in _shapes(op.input).items():
        for value in _values(name, shape, refs, numbers) if (op.id, name) not in CHOSEN else ():
            made += 1
            fresh = {"name": f"Thing {made}"} if op.id in ("labels.save", "teams.save") else {}
            yield {**op.example, **fresh, name: value}
    if op.id in LOGS:
        yield {}
        yield from ({name: ref} for name in ("actor", "q", "subject") for ref in refs)
    yield from _by_hand(op, refs, numbers)


def _values(name: str, shape: dict[str, Any], refs: list[str], numbers: list[int]) -> list[Any]:
    for branch in shape.get("anyOf", [shape]):
        kind = branch.get("type")
        if "enum" in branch:
            return list(branch["enum"])
        if kind == "boolean":
            return [True]
        if name == "limit":
            return [branch.get("maximum", 100)]
        if kind == "array":
            return [[value] for value in _values(name, branch["items"], refs, numbers)]
        if name in REFERENCES and kind in ("string", "integer") and "const" not in branch:
            return [*refs] if kind == "string" else [*numbers]
    return []


def _by_hand(op: Operation, refs: list[str], numbers: list[int]) -> Iterator[dict[str, Any]]:
    if op.id == "undo.apply":
        yield from ({"seq": number, "dry_run": True} for number in numbers)
        yield from ({"token": ref} for ref in refs)
    elif op.id == "api.batch":
        for ref in refs:
            yield {"ops": [{"op": "issues.get", "input": {"key": ref}}]}
            yield {"ops": [{"op": "subjects.resolve", "input": {"refs": [ref]}}]}
            yield {"ops": [{"op": ref}]}
    elif op.id == "issues.get":
        for ref in (*refs, "PUBX-2", "PUBX-3", "PUBX-4"):
            yield {"key": ref, "with": ["children", "flags", "relations", "transitions", "watchers"]}
    elif op.id in ("issues.history", "activity.list"):
        for ref in ("PUBX-2", "PUBX-3", "PUBX-4"):
            yield {"key": ref} if op.module == "issues" else {"subject": f"issue:{ref}"}
    elif op.id == "issues.list":
        yield from ({"parent": ref} for ref in refs)
        yield {"archived": True, "limit": 200}


ELSEWHERE = ("chat.subscription_test", "subjects.unfurl")


def in_order() -> list[Operation]:
    """Reads first, and what ends the viewer's own rights last. Those that call elsewhere are left out."""
    found = [op for op in registry().operations.values() if op.id not in ELSEWHERE]
    return sorted(found, key=lambda op: (op.id in LAST and 1 + LAST.index(op.id), _ORDER[op.cls], op.id))


@pytest.mark.long
@EACH
def test_no_operation_tells_what_is_not_for_the_caller(hidden: Hidden, who: str) -> None:
    assert hidden.world.on_loop(_told_of_others(hidden, hidden.viewers[who])) == {}


async def _told_of_others(hidden: Hidden, viewer: Viewer) -> dict[str, set[str]]:
    numbers = sorted(set(hidden.numbers.values()))
    found: dict[str, set[str]] = {}
    door = Wireless(hidden.world, viewer.token)
    for op in in_order():
        for value in [op.example] if op.id in LAST else asked(op, hidden.refs, numbers):
            status, text = await door.call(op.id, value)
            assert status < 500 or (status == 502 and op.road == "outside"), (op.id, value, text)
            if op.id in LOGS and status == 200:
                text = "" if viewer.oversees else _OF_ENTRY.sub("", text)
            if leaked := leaks(viewer, text, value):
                found.setdefault(f"{op.id} {sorted(value)}", set()).update(leaked)
            if "/problems/insufficient-scope" in text:
                break
    return found


@pytest.mark.long
@EACH
def test_what_is_not_for_the_caller_is_as_if_it_were_not_there(hidden: Hidden, who: str) -> None:
    """Each reference to a private thing is answered as one to nothing, word for word."""
    assert hidden.world.on_loop(_told_apart(hidden, hidden.viewers[who])) == []


async def _told_apart(hidden: Hidden, viewer: Viewer) -> list[Any]:
    found = []
    door = Wireless(hidden.world, viewer.token)
    subjects = "\n".join(subject for _, subject in hidden.world.events_since(0))
    for op in in_order():
        if op.id in LAST or (op.id in LOGS and viewer.oversees):
            continue
        for name, real, absent in _pairs(hidden, viewer, op):
            if op.id in LOGS and str(real) in subjects:
                continue
            one = _told(op, await door.call(op.id, {**_base(op), name: real}), real)
            other = _told(op, await door.call(op.id, {**_base(op), name: absent}), absent)
            if one != other:
                found.append((op.id, name, real, one, other))
            if one[0] == 403 and "/problems/insufficient-scope" in one[1]:
                break
    return found


def _base(op: Operation) -> dict[str, Any]:
    """The example without what excludes a reference."""
    if op.id == "undo.apply":
        return {"dry_run": True}
    return {} if op.id in LOGS else op.example


def _pairs(hidden: Hidden, viewer: Viewer, op: Operation) -> Iterator[tuple[str, Any, Any]]:
    """(field, reference to a private thing, reference to nothing)."""
    texts = [(real, absent) for sort, real, absent in hidden.strangers() if sort in viewer.hidden]
    marks = [
        (name, n)
        for sort, module, name, n in hidden.strange_numbers()
        if sort in viewer.hidden and module == op.module
    ]
    for name, shape in _shapes(op.input).items():
        if name not in REFERENCES or (op.id, name) in UNIQUE | TYPED:
            continue
        reals = _values(name, shape, [real for real, _ in texts], [])
        yield from (
            (name, *pair)
            for pair in zip(reals, _values(name, shape, [no for _, no in texts], []), strict=True)
            if pair[0] != pair[1]
        )
        numbers = [number for marked, number in marks if marked == name]
        for real in _values(name, shape, [], numbers):
            if real in numbers or isinstance(real, list):
                yield name, real, [ABSENT] if isinstance(real, list) else ABSENT


def _told(op: Operation, answer: tuple[int, str], sent: Any) -> tuple[int, str]:
    """The status, and the answer without the reference. A write that went well says no more, but for the log."""
    status, text = answer
    if status == 200 and op.cls != "read" and op.id not in LOGS:
        return status, ""
    said = re.sub(r'"(request_id|status)": ?("\w+"|\d+),?', "", text.partition("\n\n")[2])
    reference = str(sent[0] if isinstance(sent, list) else sent)
    for part in (reference, reference.removeprefix("team:")):
        said = re.sub(rf"(?<![\w-]){re.escape(part)}(?!\w)", "<it>", said)
    return status, said


def test_the_group_of_a_private_label_lends_no_spelling(hidden: Hidden) -> None:
    made = hidden.world.session("ana").labels.save(name="plain", group="cnrypgroup")
    assert made["group"] == "cnrypgroup"


def test_a_key_for_one_project_takes_nothing_of_the_org_back(hidden: Hidden) -> None:
    world, bo = hidden.world, hidden.world.people["bo"]
    seq = world.database.seq
    world.session("bo").call("org.update", {"name": "New"})
    world.session("bo").labels.save(name="plain")
    web = world.database.write_now(lambda tx: tx.value("select id from project where key = 'WEB'"))
    limited = {"name": "of Bo", "scopes": sorted(scopes.ADMIN), "projects": f"[{web}]"}
    token = world.database.write_now(lambda tx: callers.add_key(tx, bo.id, limited)[1])
    with closing(Line(world, token)) as line:
        for at in (seq + 1, seq + 2):
            _, text = line.call("undo.apply", {"seq": at})
            assert json.loads(text.partition("\n\n")[2])["undone"] == []
    assert world.events_since(seq) == [("org.updated", "org:1"), ("label.saved", "org:1")]


ROADS = ("owner", "member", "guest", "key for WEB", "narrow key")


@pytest.mark.parametrize("who", ROADS)
def test_no_other_road_tells_it_either(hidden: Hidden, who: str) -> None:
    """MCP, the stream, pages and pictures."""
    viewer = hidden.viewers[who]
    with closing(Line(hidden.world, viewer.token)) as line:
        found = {
            **_by_mcp(line, viewer, hidden.refs),
            **_by_pages(line, viewer, hidden.world),
            "stream": leaks(viewer, _streamed(hidden.world, viewer), None),
        }
    assert {road: leaked for road, leaked in found.items() if leaked} == {}


_TOOLS = {
    "issues_get": "key",
    "comments_list": "subject",
    "activity_list": "subject",
    "projects_get": "key",
    "members_mentionable": "subject",
}


def _by_mcp(line: Line, viewer: Viewer, refs: list[str]) -> dict[str, set[str]]:
    asked: list[tuple[str, dict[str, Any]]] = [("tools/list", {})]
    for ref in refs:
        asked.append(("resources/read", {"uri": f"kb://issue/{ref}", "_meta": {"sent": ref}}))
        asked.append(("tools/call", {"name": "subjects_resolve", "arguments": {"refs": [ref]}}))
        asked += [("tools/call", {"name": name, "arguments": {field: ref}}) for name, field in _TOOLS.items()]
    for tool in (
        "projects_list",
        "issues_list",
        "labels_list",
        "members_list",
        "activity_recent",
        "undo_list",
    ):
        asked.append(("tools/call", {"name": tool, "arguments": {}}))
    found = {}
    for method, params in asked:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        status, text = line.ask("POST", "/mcp", body, Accept="application/json, text/event-stream")
        assert status == 200, text
        found[f"{method} {params}"] = leaks(viewer, text, params)
    return found


def _by_pages(line: Line, viewer: Viewer, world: World) -> dict[str, set[str]]:
    stranger = world.database.write_now(lambda tx: tx.value("select member from avatar"))
    found = {}
    for path in (
        "/",
        "/keys",
        "/sessions",
        "/account",
        "/docs",
        "/docs/api",
        "/projects/CNRYNKEY",
        f"/avatars/{stranger}",
    ):
        _, text = line.ask("GET", path, Cookie=f"kb={viewer.token}", Accept="text/html")
        found[path] = leaks(viewer, text, path)
    return found


def _streamed(world: World, viewer: Viewer) -> str:
    """All that the stream tells from the beginning, until it is quiet."""
    connection = http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=20)
    with closing(connection):
        connection.request(
            "GET", "/api/v1/stream?since=0", headers={"Authorization": f"Bearer {viewer.token}"}
        )
        answer = connection.getresponse()
        assert answer.status == 200
        told = ""
        while ": ping" not in told:
            told += answer.readline().decode()
        answer.close()
    return told


@pytest.fixture
def settings() -> Settings:
    """A stream soon says that it is quiet."""
    return Settings(limits=LimitSettings(enabled=False), streams=StreamSettings(ping_seconds=0.2))


@pytest.mark.parametrize("who", ["member", "guest"])
def test_what_happens_out_of_sight_changes_no_answer(hidden: Hidden, who: str) -> None:
    """No count, order, cursor or ETag tells that somebody was at work where the caller may not look."""
    viewer = hidden.viewers[who]
    with closing(Line(hidden.world, viewer.token)) as line:
        eventually(
            lambda: '"push_key":null' not in line.call("notifications.settings", {})[1]
        )  # made behind a start
        before = _seen(line)
        _work_out_of_sight(hidden.world)
        after = _seen(line)
    assert {op: (before[op], after[op]) for op in before if before[op] != after[op]} == {}


def _seen(line: Line) -> dict[str, str]:
    """What each read answers, without the number of the latest event."""
    found = {}
    for op in registry().operations.values():
        if op.cls != "read" or op.id in ("activity.seen", "auth.device_info"):
            continue
        for value in (op.example, {**op.example, **_widest(op)}):
            text = line.call(op.id, value)[1].partition("\n\n")[2]
            text = re.sub(r'^\{"seq":\d+,"access"', '{"access"', text)
            text = re.sub(r'"(request_id|next)":("\w+"|\d+)', "", text)
            found[f"{op.id} {value}"] = text
    return found


def _widest(op: Operation) -> dict[str, Any]:
    shapes = _shapes(op.input)
    wide: dict[str, Any] = {}
    if "limit" in shapes:
        wide["limit"] = _values("limit", shapes["limit"], [], [])[0]
    if "archived" in shapes:
        wide["archived"] = True
    return wide


def _work_out_of_sight(world: World) -> None:
    di = world.session("di")
    di.call("issues.create", {"project": "CNRYNKEY", "title": "More", "labels": ["bug"], "assignees": ["me"]})
    di.call("issues.create", {"project": "WEB", "title": "More", "labels": ["bug"], "level": "private"})
    di.call("issues.create", {"project": "PUBX", "title": "More", "parent": "PUBX-4", "type": "task"})
    di.call("issues.transition", {"key": "CNRYNKEY-2", "to_status": "in_progress"})
    di.call("comments.create", {"subject": "issue:CNRYNKEY-1", "body": "More"})
    di.labels.save(name="more", project="CNRYNKEY")
    di.call("projects.update", {"key": "CNRYNKEY", "description": "More", "labels": ["more"]})
    di.call("projects.create", {"key": "MORE", "name": "More", "visibility": "private"})
    di.call("projects.member_set", {"key": "MORE", "who": "@ana", "role": "viewer"})
    di.call(
        "invites.create", {"emails": ["cnrygvisitor@acme.example"], "role": "guest", "projects": ["MORE"]}
    )
