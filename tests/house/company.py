"""A company of two thousand subjects, written down as it is made, and the rules of who sees what in plain Python.

Nothing here asks the product who sees what: the rules are said once more, from the words of the manual.
"""

import base64
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from kbwork.app import registry
from kbwork.base.caller import Caller
from kbwork.core.access import callers, scopes
from kbwork.core.operations.dispatch import run_in
from kbwork.core.operations.validate import validate
from kbwork.db.tx import Write
from tests.conftest import Person, World

WIDTH = ("viewer", "reporter", "member", "lead")
ISSUES, COMMENTS, FILES = 1150, 620, 130
CORE, OPS = 1, 2
VIEWED = "title ~ zebra"
"""The query of every view."""
TEAMS = {CORE: {"ana", "cy"}, OPS: {"bo", "di", "gus"}}


@dataclass
class Viewer:
    """Somebody who looks: a person, cut by a key to some projects where `only` says so."""

    name: str
    who: str
    id: str
    role: str
    token: str
    only: frozenset[str] | None = None

    @property
    def admin(self) -> bool:
        return self.role in ("owner", "admin")

    @property
    def guest(self) -> bool:
        return self.role == "guest"


@dataclass
class Project:
    key: str
    visibility: str
    roles: dict[str, str]
    """Person, or `team:<n>`, to role."""
    levels: tuple[str | None, ...] = (None, None, None, None, "public", "private", "team:1", "team:2")
    personal: bool = False
    reporters_see: str = "own"
    archived: bool = False
    deleted: bool = False


@dataclass
class Issue:
    id: int
    project: Project
    reporter: str
    level: str | None
    assignees: set[str]
    watchers: set[str] = field(default_factory=set)
    archived: bool = False
    deleted: bool = False


@dataclass
class Comment:
    id: int
    issue: Issue
    author: str
    internal: bool
    deleted: bool = False


@dataclass
class File:
    id: str
    on: "Issue | Comment | Project"
    by: str
    deleted: bool = False


@dataclass
class Company:
    projects: dict[str, Project] = field(default_factory=dict)
    issues: dict[int, Issue] = field(default_factory=dict)
    comments: dict[int, Comment] = field(default_factory=dict)
    files: dict[str, File] = field(default_factory=dict)
    done: list[tuple[str, int, int]] = field(default_factory=list)
    """(who, first event, last event) of each change."""


# The rules.


def role(viewer: Viewer, project: Project) -> str | None:
    """The widest of visibility, membership, teams and being an admin; None who does not see the project."""
    if project.deleted or (viewer.only is not None and project.key not in viewer.only):
        return None
    return would_have(viewer, project)


def would_have(viewer: Viewer, project: Project) -> str | None:
    """The role as if the project lay in no trash."""
    teams = {f"team:{number}" for number, people in TEAMS.items() if viewer.who in people}
    held = [given for who, given in project.roles.items() if who == viewer.who or who in teams]
    if project.visibility == "org" and not viewer.guest:
        held.append("member")
    if viewer.admin and project.visibility != "private":
        held.append("lead")
    widest = max(held, key=WIDTH.index, default=None)
    return "member" if widest == "lead" and viewer.guest else widest


def sees(viewer: Viewer, issue: Issue) -> bool:
    """Who sees an issue, by its project and its level."""
    if issue.deleted or issue.project.deleted:
        return False
    if issue.level == "public" and not viewer.guest and viewer.only is None:
        return True
    held = role(viewer, issue.project)
    if held in (None, "lead"):
        return held == "lead"
    own = viewer.who == issue.reporter or viewer.who in issue.assignees
    narrow = held == "reporter" and issue.project.reporters_see == "own"
    if narrow and not own and viewer.who not in issue.watchers:
        return False
    if own or issue.level in (None, "public"):
        return True
    return issue.level != "private" and viewer.who in TEAMS[int(issue.level.removeprefix("team:"))]


def hears(viewer: Viewer, issue: Issue) -> bool:
    """Of an issue in the trash hears who may bring it back."""
    return sees(viewer, issue) or brings_back(viewer, issue)


def brings_back(viewer: Viewer, issue: Issue) -> bool:
    """Leads, and members what they reported; guests nothing."""
    held = role(viewer, issue.project)
    own = held == "member" and viewer.who == issue.reporter and not viewer.guest
    return issue.deleted and (held == "lead" or own)


def reads(viewer: Viewer, comment: Comment) -> bool:
    """Who sees the issue sees what is said on it; internal notes no guest."""
    return not comment.deleted and sees(viewer, comment.issue) and not (comment.internal and viewer.guest)


def brings_comment_back(viewer: Viewer, comment: Comment) -> bool:
    if not comment.deleted or (comment.internal and viewer.guest) or not hears(viewer, comment.issue):
        return False
    held = role(viewer, comment.issue.project)
    return held == "lead" or (comment.author == viewer.who and held not in (None, "viewer"))


def opens(viewer: Viewer, file: File) -> bool:
    """Who sees what a file hangs on sees the file."""
    if file.deleted:
        return False
    if isinstance(file.on, Issue):
        return sees(viewer, file.on)
    return reads(viewer, file.on) if isinstance(file.on, Comment) else role(viewer, file.on) is not None


def brings_file_back(viewer: Viewer, file: File) -> bool:
    """Who put it there, and who may change what it hangs on, while both may still work there."""
    own, on = file.by == viewer.who, file.on
    if not file.deleted:
        return False
    if isinstance(on, Project):
        held = role(viewer, on)
        return held == "lead" or (held == "member" and own)
    if isinstance(on, Comment):
        held = role(viewer, on.issue.project)
        mine = held not in (None, "viewer") and (own or on.author == viewer.who)
        return reads(viewer, on) and (held == "lead" or mine)
    held = role(viewer, on.project)
    mine = held == "reporter" and (own or on.reporter == viewer.who)
    return hears(viewer, on) and (held in ("member", "lead") or mine)


def hears_of_project(viewer: Viewer, project: Project) -> bool:
    """Of a project in the trash hears who would lead it, so that they learn where it went."""
    trashed = project.deleted and (viewer.only is None or project.key in viewer.only)
    return role(viewer, project) is not None or (trashed and would_have(viewer, project) == "lead")


def brings_project_back(viewer: Viewer, project: Project) -> bool:
    """Deleting a project is for admins who lead it, and so is bringing it back."""
    return project.deleted and viewer.admin and viewer.only is None and would_have(viewer, project) == "lead"


# The making.


def employ(world: World) -> "_Maker":
    """The company on its first day: its teams, projects and views, and nothing in them."""
    maker = _Maker(world)
    world.database.write_now(maker.people_and_projects)
    return maker


def found(world: World) -> Company:
    """Fill the world, in a few large transactions."""
    maker = employ(world)
    world.database.write_now(maker.issues)
    world.database.write_now(maker.comments)
    maker.files()
    world.database.write_now(maker.wear)
    return maker.made


def keys(world: World, only: str) -> list[Viewer]:
    """Owner, admin, member and guest by their keys, and a key of the owner's that is limited to one project."""

    def narrow(tx: Write) -> str:
        ident = tx.value("select id from project where key = :key", key=only)
        columns = {
            "name": "narrow",
            "scopes": sorted(scopes.of_role("owner")),
            "projects": f"[{ident}]",
        }
        return callers.add_key(tx, world.people["ana"].id, columns)[1]

    people = [world.people[who] for who in ("ana", "bo", "cy", "gus")]
    viewers = [Viewer(one.role, one.handle, one.id, one.role, one.key) for one in people]
    ana = people[0]
    secret = world.database.write_now(narrow)
    return [*viewers, Viewer("narrow key", "ana", ana.id, ana.role, secret, frozenset({only}))]


class _Maker:
    """Makes the company and writes down what it makes."""

    def __init__(self, world: World) -> None:
        self.made = Company()
        self._world = world
        self._people = world.people
        self._dice = random.Random(20)
        self._callers = {
            who: Caller(
                member=one.id,
                role=one.role,
                kind="human",
                scopes=scopes.of_role(one.role),
                session=f"s_{who}",  # what is kept of a caller is filed under it
            )
            for who, one in world.people.items()
        }

    def people_and_projects(self, tx: Write) -> None:
        for number, people in TEAMS.items():
            lead, *others = sorted(people)
            self._do(tx, lead, "teams.save", name=f"Team {number}")
            for who in others:
                self._do(tx, lead, "teams.member_set", id=number, who=f"@{who}", role="member")
        some = (None, "public", "private", "team:2")
        self._do(tx, "di", "views.save", name="Shared", tql=VIEWED, shared=True)
        self._do(tx, "di", "views.save", name="Di's own", tql=VIEWED)
        for project in (
            Project("WEB", "org", {"bo": "lead", "gus": "viewer"}),
            Project("SEC", "members", {"cy": "lead", "di": "reporter"}),
            Project("PRV", "private", {"di": "lead"}, some),
            Project("OPN", "org", {"cy": "lead", "gus": "reporter"}),
            Project("ALL", "org", {"di": "lead", "gus": "reporter"}, reporters_see="all"),
            Project("MEM", "members", {"di": "lead", "team:2": "member"}),
            Project("REP", "members", {"di": "lead", "cy": "reporter"}),
            Project("VUE", "members", {"di": "lead", "team:1": "viewer", "gus": "member"}),
            Project("DIM", "private", {"di": "lead", "cy": "reporter", "bo": "viewer"}, some),
            Project("NIL", "private", {"cy": "lead", "di": "member", "gus": "reporter"}, some),
            Project("OWN", "private", {"di": "lead"}, (None,), personal=True),
            Project("MINE", "private", {"cy": "lead"}, (None,), personal=True),
            Project("OLD", "org", {"di": "lead", "gus": "viewer"}),
            Project("OLDM", "members", {"cy": "lead"}),
            Project("GONE", "org", {"cy": "lead", "gus": "member"}),
            Project("GONP", "private", {"bo": "lead", "cy": "member"}, (None, "public")),
            Project("LEFT", "members", {"di": "lead", "cy": "member", "gus": "member"}),
        ):
            self._project(tx, project)

    def _project(self, tx: Write, project: Project) -> None:
        key = project.key
        self.made.projects[key] = project
        if key not in ("WEB", "SEC", "PRV"):
            lead = next(who for who, given in project.roles.items() if given == "lead")
            kind = {"kind": "personal"} if project.personal else {"visibility": project.visibility}
            self._do(tx, lead, "projects.create", key=key, name=f"Project {key}", **kind)
        lead = next(who for who, given in project.roles.items() if given == "lead")
        for who, given in project.roles.items():
            if who != lead and (key, who) != ("SEC", "di"):
                ref = who if who.startswith("team:") else f"@{who}"
                self._do(tx, lead, "projects.member_set", key=key, who=ref, role=given)
        if project.reporters_see != "own":
            self._do(tx, lead, "projects.update", key=key, reporters_see=project.reporters_see)
        self._do(tx, lead, "views.save", name=f"View {key}", tql=VIEWED, project=key)

    def issues(self, tx: Write) -> None:
        for number in range(1, ISSUES + 1):
            project = self._dice.choice(list(self.made.projects.values()))
            maker = self._dice.choice(self._with(project, "reporter", "member", "lead"))
            level = self._dice.choice(project.levels)
            assigned = self._dice.sample(self._with(project, "member", "lead"), k=1)
            assignees = set(assigned) if self._dice.random() < 0.25 else set()
            answer = self._do(
                tx,
                maker,
                "issues.create",
                project=project.key,
                title=f"zebra T{number}",
                body="a stripe",
                level=level,
                assignees=[f"@{who}" for who in sorted(assignees)],
            )
            assert answer["id"] == number
            self.made.issues[number] = Issue(number, project, maker, level, assignees)

    def comments(self, tx: Write) -> None:
        open_to = {number: self._speakers(issue) for number, issue in self.made.issues.items()}
        for number in range(1, COMMENTS + 1):
            issue = self._dice.choice(list(self.made.issues.values()))
            author = self._dice.choice(open_to[issue.id])
            internal = author != "gus" and self._dice.random() < 0.3
            answer = self._do(
                tx,
                author,
                "comments.create",
                subject=f"issue:{issue.id}",
                body=f"zebra C{number}",
                internal=internal,
            )
            assert answer["id"] == number
            issue.watchers.add(author)
            self.made.comments[number] = Comment(number, issue, author, internal)

    def files(self) -> None:
        """By HTTP: bytes are taken in outside of a transaction."""
        places: list[Issue | Comment | Project] = [
            *self._dice.sample(list(self.made.issues.values()), FILES * 5 // 10),
            *self._dice.sample(list(self.made.comments.values()), FILES * 4 // 10),
            *self._dice.choices(list(self.made.projects.values()), k=FILES // 10),
        ]
        for number, on in enumerate(places, 1):
            if isinstance(on, Issue):
                by, subject = self._dice.choice(self._speakers(on)), f"issue:{on.id}"
            elif isinstance(on, Comment):
                by, subject = on.author, f"comment:{on.id}"
            else:
                by = self._dice.choice(self._with(on, "member", "lead"))
                subject = f"project:{on.key}"
            text = f"{'giraffe' if isinstance(on, Project) else 'zebra'} F{number}"
            before = self._world.database.seq
            answer = self._world.key(by).call(
                "attachments.add",
                {
                    "subject": subject,
                    "name": f"F{number}.txt",
                    "data": base64.b64encode(text.encode()).decode(),
                },
            )
            self.made.done.append((by, before + 1, self._world.database.seq))
            self.made.files[answer["id"]] = File(answer["id"], on, by)

    def wear(self, tx: Write) -> None:
        """What time does to a company: things move, are kept apart, put aside and thrown away, and people go."""
        made = self.made
        for issue in self._some(
            made.issues.values(), 60, lambda one: one.project.key in ("REP", "SEC", "NIL")
        ):
            watcher = {"REP": "cy", "SEC": "di", "NIL": "gus"}[issue.project.key]
            if issue.level is None:
                lead = self._lead(issue.project)
                self._do(tx, lead, "issues.watch", key=f"issue:{issue.id}", on=True, members=[f"@{watcher}"])
                issue.watchers.add(watcher)
        for issue in self._some(
            made.issues.values(), 40, lambda one: one.project.key == "OPN" and not one.assignees
        ):
            self._do(tx, "bo", "issues.move", keys=[f"issue:{issue.id}"], project="VUE")
            issue.project = made.projects["VUE"]
        for issue in self._some(made.issues.values(), 60, lambda one: len(one.project.levels) > 1):
            level = self._dice.choice(issue.project.levels)
            lead = self._lead(issue.project)
            self._do(tx, lead, "issues.level_set", key=f"issue:{issue.id}", level=level or "project")
            issue.level = level
        self._throw_away(tx)
        self._put_aside(tx)

    def _throw_away(self, tx: Write) -> None:
        made = self.made
        for file in self._some(made.files.values(), 25):
            on = file.on.issue if isinstance(file.on, Comment) else file.on
            project = on if isinstance(on, Project) else on.project
            self._do(tx, self._lead(project), "attachments.delete", id=file.id)
            file.deleted = True
        for comment in self._some(made.comments.values(), 50):
            self._do(tx, self._lead(comment.issue.project), "comments.delete", id=comment.id)
            comment.deleted = True
        for issue in self._some(made.issues.values(), 70):
            self._do(tx, self._lead(issue.project), "issues.delete", key=f"issue:{issue.id}")
            issue.deleted = True

    def _put_aside(self, tx: Write) -> None:
        """Issues, people and projects."""
        made = self.made
        for issue in self._some(made.issues.values(), 70, lambda one: not one.deleted):
            self._do(tx, self._lead(issue.project), "issues.archive", keys=[f"issue:{issue.id}"], on=True)
            issue.archived = True
        self._do(tx, "di", "projects.member_set", key="LEFT", who="@cy", role="none")
        self._do(tx, "di", "projects.member_set", key="LEFT", who="@gus", role="none")
        made.projects["LEFT"].roles = {"di": "lead"}
        for key in ("OLD", "OLDM"):
            self._do(tx, self._lead(made.projects[key]), "projects.archive", key=key, on=True)
            made.projects[key].archived = True
        for key in ("GONE", "GONP"):
            self._do(tx, "bo", "projects.delete", key=key, confirm_key=key)
            made.projects[key].deleted = True

    def _do(self, tx: Write, who: str, op: str, /, **value: Any) -> Any:
        before = tx.seq
        tx.caller = self._callers[who]
        tx.memo.clear()
        found = registry().require(op)
        answer = run_in(tx, found, validate(found.input, value))
        self.made.done.append((who, before + 1, tx.seq))
        return answer

    def _lead(self, project: Project) -> str:
        return next(who for who, given in project.roles.items() if given == "lead")

    def _with(self, project: Project, *wanted: str) -> list[str]:
        """The people who have one of these roles there."""
        return [one.handle for one in self._people.values() if would_have(_as_viewer(one), project) in wanted]

    def _speakers(self, issue: Issue) -> list[str]:
        allowed = self._with(issue.project, "reporter", "member", "lead")
        return [who for who in allowed if sees(_as_viewer(self._people[who]), issue)]

    def _some(
        self, things: Iterable[Any], most: int, fits: Callable[[Any], bool] = lambda _: True
    ) -> list[Any]:
        fitting = [thing for thing in things if fits(thing)]
        return self._dice.sample(fitting, min(most, len(fitting)))


def _as_viewer(one: Person) -> Viewer:
    return Viewer(one.handle, one.handle, one.id, one.role, one.key)
