"""Whichever road one looks by, one sees the same: what the rules say, nothing more and nothing less."""

import itertools
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import pytest

from kbwork.app import registry
from kbwork.base.errors import NotFound
from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.access import identify
from kbwork.core.operations.validate import validate
from kbwork.db.tx import Write
from tests.conftest import World, run
from tests.house import company
from tests.house.company import Comment, Company, Project, Viewer

pytestmark = pytest.mark.usefixtures("earnest_loop")  # on either road
ONLY = "VUE"
"""The one project of the narrow key."""
FEW = 3
"""Of so many issues and comments one is asked for its events, or its files, by itself; others have the rest."""


@dataclass
class Eyes:
    """A viewer at the company."""

    world: World
    made: Company
    viewer: Viewer
    client: Kbwork

    def issues(self, *, aside: bool = True) -> set[int]:
        """The issues that the rules show, without those put aside where a list leaves them out."""
        seen = [one for one in self.made.issues.values() if company.sees(self.viewer, one)]
        return {one.id for one in seen if aside or not (one.archived or one.project.archived)}

    def comments(self) -> set[int]:
        return {one.id for one in self.made.comments.values() if company.reads(self.viewer, one)}

    def files(self) -> set[str]:
        return {one.id for one in self.made.files.values() if company.opens(self.viewer, one)}

    def projects(self) -> set[str]:
        return {one.key for one in self.made.projects.values() if company.role(self.viewer, one)}

    def views(self) -> set[str]:
        """A project's views, and what is shared, but for a key of some projects."""
        shared = {"Shared"} if self.viewer.only is None else set()
        return shared | {f"View {key}" for key in self.projects()}

    def trash(self) -> set[str]:
        """The subjects that the rules let this viewer bring back."""
        made, viewer = self.made, self.viewer
        return {
            *(f"issue:{one.id}" for one in made.issues.values() if company.brings_back(viewer, one)),
            *(
                f"comment:{one.id}"
                for one in made.comments.values()
                if company.brings_comment_back(viewer, one)
            ),
            *(f"attachment:{one.id}" for one in made.files.values() if company.brings_file_back(viewer, one)),
            *(
                f"project:{one.key}"
                for one in made.projects.values()
                if company.brings_project_back(viewer, one)
            ),
        }

    def hears(self, subject: str, payload: dict[str, Any]) -> bool:
        """Whether the rules tell this viewer of an event about an issue or a project."""
        kind, _, ref = subject.partition(":")
        if kind == "project":
            return company.hears_of_project(self.viewer, self.made.projects[ref])
        about: Any = self.made.comments.get(payload.get("comment", 0))
        if "attachment" in payload:
            about = self.made.files[payload["attachment"]].on
        inner = isinstance(about, Comment) and about.internal
        return company.hears(self.viewer, self.made.issues[int(ref)]) and not (inner and self.viewer.guest)


Sets = tuple[str, set[Any], set[Any]]
"""A road, what it shows, and what the rules say."""


@pytest.mark.long
def test_every_road_shows_each_viewer_exactly_the_same_set(world: World) -> None:
    begun = world.database.seq
    made = company.found(world)
    assert len(made.issues) + len(made.comments) + len(made.files) + len(made.projects) > 1900
    wrong: list[str] = []
    sizes = []
    for viewer in company.keys(world, ONLY):
        with Kbwork(world.url, viewer.token) as client:
            eyes = Eyes(world, made, viewer, client)
            sizes.append((len(eyes.issues()), len(eyes.comments()), len(eyes.files()), len(eyes.trash())))
            for road, shown, expected in _roads(eyes, begun):
                if shown != expected:
                    leaked, lost = sorted(shown - expected), sorted(expected - shown)
                    wrong.append(f"{viewer.name} by {road}: leaked {leaked[:5]}, lost {lost[:5]}")
    assert len(set(sizes)) == len(sizes)
    assert not wrong, "\n".join(wrong)


def _roads(eyes: Eyes, begun: int) -> Iterator[Sets]:
    yield from _one_by_one(eyes)
    yield from _lists(eyes)
    yield from _found_by_search(eyes)
    yield from _told(eyes)
    yield from _resolved(eyes)
    yield from _own(eyes, begun)


def _one_by_one(eyes: Eyes) -> Iterator[Sets]:
    """Each subject asked for by itself: in the process, since these are many thousand calls."""
    made, viewer = eyes.made, eyes.viewer
    got: dict[str, set[Any]] = {}

    def look(tx: Write) -> None:
        tx.caller = identify.lookup(tx, viewer.token).caller

        def ask(op: str, **value: Any) -> Any:
            tx.memo.clear()
            operation = registry().require(op)
            try:
                return operation.fn(tx, validate(operation.input, value))
            except NotFound:
                return None

        shown = {n: ask("issues.get", key=f"issue:{n}") for n in made.issues}
        got["issues.get"] = {n for n, one in shown.items() if one}
        got["counts.comments"] = {(n, one["counts"]["comments"]) for n, one in shown.items() if one}
        said = {n: ask("comments.list", subject=f"issue:{n}") for n in made.issues}
        got["comments.list"] = {one["id"] for comments in said.values() for one in comments or ()}
        got["comments.list opens"] = {n for n, comments in said.items() if comments is not None}
        carrying = {file.on.id for file in made.files.values() if isinstance(file.on, Comment)}
        asked = carrying | set(list(made.comments)[::FEW])
        issues, projects = [f"issue:{n}" for n in made.issues], [f"project:{key}" for key in made.projects]
        places = [*issues, *projects, *(f"comment:{n}" for n in asked)]
        hung = {place: ask("attachments.list", subject=place) for place in places}
        got["attachments.list"] = {one["id"] for files in hung.values() for one in files or ()}
        got["attachments.list opens"] = {place for place, files in hung.items() if files is not None}
        got["attachments.get"] = {ident for ident in made.files if ask("attachments.get", id=ident)}
        told = {place: ask("activity.list", subject=place) for place in (*issues[::FEW], *projects)}
        got["activity.list"] = {event["seq"] for events in told.values() for event in events or ()}
        got["asked"] = asked | set(told)

    eyes.world.database.write_now(look)
    seen = eyes.issues()
    yield "issues.get", got["issues.get"], seen
    said = [made.comments[n].issue.id for n in eyes.comments()]
    yield "counts.comments", got["counts.comments"], {(n, said.count(n)) for n in seen}
    yield "comments.list", got["comments.list"], eyes.comments()
    yield "comments.list opens", got["comments.list opens"], seen
    yield "attachments.list", got["attachments.list"], eyes.files()
    yield "attachments.get", got["attachments.get"], eyes.files()
    yield (
        "attachments.list opens",
        got["attachments.list opens"],
        {f"issue:{n}" for n in seen}
        | {f"comment:{n}" for n in eyes.comments() & got["asked"]}
        | {f"project:{key}" for key in eyes.projects()},
    )
    told = {event["seq"] for event in _heard(eyes) if event["subject"] in got["asked"]}
    yield "activity.list", got["activity.list"], told


def _lists(eyes: Eyes) -> Iterator[Sets]:
    client = eyes.client
    yield "issues.list", _ids(client.every("issues.list", limit=200)), eyes.issues(aside=False)
    with_aside = client.every("issues.list", limit=170, archived=True, sort="title")
    yield "issues.list archived", _ids(with_aside), eyes.issues()
    yield "tql.run", _by_query(client), eyes.issues(aside=False)
    shown = {one["key"] for one in client.call("projects.list", {"archived": True}) if one["my_role"]}
    yield "projects.list", shown, eyes.projects()
    views = {one["name"]: one["id"] for one in client.call("views.list", {})}
    yield "views.list", set(views), eyes.views()
    counted = client.call("views.get", {"id": views[f"View {ONLY}"]})["count"]
    yield "views.get counts", {counted}, {len(eyes.issues(aside=False))}
    trash = {one["subject"] for one in client.every("trash.list", limit=90)}
    yield "trash.list", trash, eyes.trash()


def _ids(rows: Iterable[dict[str, Any]]) -> set[int]:
    found = [row["id"] for row in rows]
    assert len(found) == len(set(found)), "a page repeats what another showed"
    return set(found)


def _by_query(client: Kbwork) -> set[int]:
    found: list[str] = []
    asked: dict[str, Any] = {"tql": "title ~ zebra order by key", "limit": 400}
    while True:
        page = client.call("tql.run", asked)
        found += page["subjects"]
        if page["next"] is None:
            break
        asked["cursor"] = page["next"]
    assert len(found) == len(set(found))
    return {int(subject.removeprefix("issue:")) for subject in found}


def _found_by_search(eyes: Eyes) -> Iterator[Sets]:
    """The word that is in every issue, comment, file of one, and query of a view; and that of every project."""
    made = eyes.made
    found = _hits(eyes.client, "zebra")
    hung = {ident for ident in eyes.files() if not isinstance(made.files[ident].on, Project)}
    yield (
        "search.query",
        {hit["subject"] for hit in found if hit["kind"] != "view"},
        {f"issue:{n}" for n in eyes.issues()}
        | {f"comment:{n}" for n in eyes.comments()}
        | {f"attachment:{ident}" for ident in hung},
    )
    yield "search.query views", {hit["title"] for hit in found if hit["kind"] == "view"}, eyes.views()
    files = {hit["subject"] for hit in _hits(eyes.client, "giraffe")}
    yield "search.query files of projects", files, {f"attachment:{ident}" for ident in eyes.files() - hung}
    projects = {hit["project"] for hit in _hits(eyes.client, "kind:project project")}
    yield "search.query projects", projects, eyes.projects() - {"WEB", "SEC", "PRV"}


def _hits(client: Kbwork, q: str) -> list[dict[str, Any]]:
    found = [
        hit for either in (q, f"is:archived {q}") for hit in client.every("search.query", q=either, limit=200)
    ]
    assert len(found) == len({hit["subject"] for hit in found})
    return found


def _told(eyes: Eyes) -> Iterator[Sets]:
    client = eyes.client
    changes = list(client.changes(follow=False))
    expected = {event["seq"] for event in _heard(eyes)}
    about = {e["seq"] for e in changes if e["subject"].startswith(("issue:", "project:"))}
    yield "api.changes", about, expected
    with closing(client.stream(since=0)) as stream:
        told = list(itertools.islice(stream, len(changes)))
    yield "stream", {json.dumps(one) for one in told}, {json.dumps(one) for one in changes}
    recent = [event["seq"] for event in client.call("activity.recent", {"limit": 100})]
    assert recent == sorted(recent, reverse=True)
    yield "activity.recent", set(recent), {event["seq"] for event in changes[-100:]}


def _heard(eyes: Eyes) -> list[dict[str, Any]]:
    """The stored events about issues and projects that the rules let this viewer hear of."""
    stored = eyes.world.database.write_now(
        lambda tx: tx.all(
            "select seq, subject, json(payload) as payload from events"
            " where audience <> 'audit' and (subject glob 'issue:*' or subject glob 'project:*')"
        )
    )
    return [row for row in stored if eyes.hears(row["subject"], json.loads(row["payload"]))]


def _resolved(eyes: Eyes) -> Iterator[Sets]:
    made = eyes.made
    refs = [
        *(f"issue:{n}" for n in made.issues),
        *(f"comment:{n}" for n in made.comments),
        *(f"attachment:{ident}" for ident in made.files),
        *(f"project:{key}" for key in made.projects),
    ]
    allowed: set[str] = set()
    for start in range(0, len(refs), 100):
        part = refs[start : start + 100]
        rows = eyes.client.call("subjects.resolve", {"refs": part})
        assert [row["ref"] for row in rows] == part
        allowed |= {row["subject"] for row in rows if row["allowed"]}
    yield (
        "subjects.resolve",
        allowed,
        {f"issue:{n}" for n in eyes.issues()}
        | {f"comment:{n}" for n in eyes.comments()}
        | {f"attachment:{ident}" for ident in eyes.files()}
        | {f"project:{key}" for key in eyes.projects()},
    )


def _own(eyes: Eyes, begun: int) -> Iterator[Sets]:
    """One's own changes and nobody's else; of what one sees no more the title is not told."""
    rows = [row for row in eyes.client.call("undo.list", {"limit": 200}) if row["seq"] > begun]
    mine = [first for who, first, last in eyes.made.done if who == eyes.viewer.who and last >= first]
    yield "undo.list", {row["seq"] for row in rows}, set(sorted(mine)[-200:])
    titles = {int(found[1]) for row in rows for found in re.finditer(r"\bT(\d+)\b", row["summary"])}
    subjects = _subjects(eyes, [row["seq"] for row in rows])
    about = {int(subject.removeprefix("issue:")) for subject in subjects if subject.startswith("issue:")}
    yield "undo.list titles", titles, about & eyes.issues()


def _subjects(eyes: Eyes, seqs: list[int]) -> list[str]:
    found: list[str] = eyes.world.database.write_now(
        lambda tx: tx.column(
            "select subject from events where seq in (select value from json_each(:seqs))",
            seqs=json.dumps(seqs),
        )
    )
    return found


def test_a_file_goes_from_search_with_the_comment_that_it_hangs_on(world: World) -> None:
    cy, di = world.key("cy"), world.key("di")
    key = cy.issues.create(project="WEB", title="Zoo")["key"]
    comment = cy.comments.create(subject=f"issue:{key}", body="Look")["id"]
    cy.attachments.add(subject=f"comment:{comment}", name="a.txt", data="b2thcGk=")
    assert [hit["title"] for hit in di.search.query(q="okapi")["items"]] == ["a.txt"]
    cy.comments.delete(id=comment)
    assert di.search.query(q="okapi")["items"] == []


def test_search_finds_what_one_sees_behind_thousands_that_one_does_not(world: World) -> None:
    for number in range(3):
        world.key("cy").issues.create(project="WEB", title=f"okapi {number}")

    def hidden(tx: Write) -> None:
        person = world.people["di"]
        issue = run(tx, person, "issues.create", {"project": "PRV", "title": "Hidden"})
        for _ in range(2000):
            run(tx, person, "comments.create", {"subject": f"issue:{issue['id']}", "body": "okapi"})

    world.database.write_now(hidden)
    found = world.key("cy").search.query(q="okapi")
    assert sorted(hit["subject"] for hit in found["items"]) == ["issue:1", "issue:2", "issue:3"]


def test_who_could_not_delete_a_project_does_not_bring_it_back(world: World) -> None:
    world.session("bo").projects.delete(key="SEC", confirm_key="SEC")
    assert world.session("cy").trash.list()["items"] == []
    assert world.session("cy").trash.restore(ids=[1])["restored"] == []


def test_the_trash_does_not_offer_what_cannot_come_back(world: World) -> None:
    bo = world.session("bo")
    key = bo.issues.create(project="WEB", title="Zoo")["key"]
    bo.issues.delete(key=key)
    bo.projects.archive(key="WEB", on=True)
    offered = [entry["id"] for entry in bo.trash.list()["items"] if entry["can_restore"]]
    assert [bo.trash.restore(ids=[ident])["failed"] for ident in offered] == [[] for _ in offered]


def test_an_admin_who_sees_a_private_project_sees_what_is_for_a_team_in_it(world: World) -> None:
    di = world.session("di")
    team = di.teams.save(name="Keepers")["id"]
    di.projects.member_set(key="PRV", who="@bo", role="viewer")
    key = di.issues.create(project="PRV", title="Zoo", level=f"team:{team}")["key"]
    assert world.session("bo").issues.get(key=key)["title"] == "Zoo"
