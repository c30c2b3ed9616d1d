"""Living a year at Fernhill Outdoor: everybody does their work through the operations, at the times of their days."""

import asyncio
import base64
import datetime
import heapq
import itertools
import json
import random
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

from kbwork.app import open_data, registry
from kbwork.base import ids
from kbwork.base.clock import Clock, FixedClock
from kbwork.base.dataclasses import dataclass
from kbwork.core import org_settings
from kbwork.core.access import callers, identify, impersonate, scopes
from kbwork.core.events import cursors
from kbwork.core.operations.call import Credentials
from kbwork.core.operations.dispatch import Dispatcher
from kbwork.core.operations.limits import Limits, Rates
from kbwork.core.ports.flags import Answered, Counts, FlagSource
from kbwork.db.database import Database
from kbwork.db.tx import Read, Write
from kbwork.demo import documents, help_desk, story
from kbwork.modules import ai, auth
from kbwork.modules.notifications.follow import follower
from kbwork.modules.org.setup import create_org, is_set_up

DAY_S = 86400
DAYS = 365
INBOX_DAYS = 5
ISSUES = 170
"""Beside the requests of customers."""
MARK = "org.demo"
_FLAGS = "shop"
_HOUR_S = 3600
_WRITTEN_HOURS_AGO = 340 * 24
_AUTOMATED_HOURS_AGO = 0.05
"""Behind all else: what a rule does comes a moment later, and would not be the same each time."""
_SEED = 11
Deed = Callable[[], Coroutine[Any, Any, None]]


class NoDemo(Exception):
    """The folder holds data that are not the demo world; one line for the operator."""


@dataclass(frozen=True, slots=True)
class Built:
    """How to sign in, and what was made."""

    email: str
    password: str
    issues: int
    events: int


def build(folder: Path, clock: Clock) -> Built:
    """Make the demo world in an empty folder; it ends now. Raises NoDemo for a folder that has an org."""
    began = clock.now() - clock.now() % DAY_S - DAYS * DAY_S
    moving = FixedClock(began)
    database = open_data(folder, moving)
    try:
        if database.read_now(is_set_up):
            raise NoDemo(f"{folder} holds an org already: name an empty folder for the demo")
        password = f"{ids.code(4)}-{ids.code(4)}-{ids.code(4)}".lower()
        year = Year(database, moving, began, clock.now(), password)
        asyncio.run(year.live())
        events = database.seq
    finally:
        database.close()
    return Built(_email(story.PEOPLE[0]), password, year.issues, events)


def is_demo(tx: Read) -> bool:
    """Whether these data are the demo world."""
    return bool(org_settings.get(tx, MARK))


def how_to_sign_in(tx: Read) -> str | None:
    """What is said of it at each start; None for data that are not of the demo.

    The password is kept in clear, since nothing in that world is anybody's.
    """
    found = org_settings.get(tx, MARK)
    if not isinstance(found, dict):
        return None
    return f"Sign in as {_email(story.PEOPLE[0])} with the password {found['password']}"


class Year:
    """What everybody does, in the order of time."""

    def __init__(self, database: Database, clock: FixedClock, began: int, ends: int, password: str) -> None:
        self._database = database
        self._clock = clock
        self._began, self._ends = began, ends
        self._chance = random.Random(_SEED)  # noqa: S311 - the same year for everybody, and no secret
        self._fills = random.Random(_SEED)  # noqa: S311 - what own fields hold makes no other year
        self._dispatcher = Dispatcher(registry(), database, Limits(Rates(enabled=False)), clock)
        self._tokens: dict[str, str | None] = {}
        self._deeds: list[tuple[int, int, Deed]] = []
        self._count = itertools.count()
        self._password = password
        self._hash = auth.hashed(password)
        self._keys_by_title: dict[str, str] = {}
        self._asked: set[str] = set()
        self._request_types: dict[str, int] = {}
        self.issues = 0

    async def live(self) -> None:
        """Found the org, plan what happens, and let it happen day by day."""
        self._database.attach(asyncio.get_running_loop())
        self._keys = await self._database.write(self._found)
        await self._set_up()
        self._plan()
        while self._deeds:
            at, _, deed = heapq.heappop(self._deeds)
            if at <= self._ends:
                self._clock.advance(max(0, at - self._clock.now()))
                await deed()
        self._clock.advance(max(0, self._ends - self._clock.now()))
        await self._save_views()
        await self._save_boards()
        await self._plan_sprints()
        await self._database.write(self._count_answers)
        await self._database.write(self._leave)

    async def do(self, who: str, op: str, /, **value: Any) -> Any:
        """Somebody calls an operation. A name that ends in `_` is sent without it."""
        credentials = Credentials(token=self._tokens[who])
        call = self._dispatcher.admit(op, credentials)
        body = json.dumps({name.rstrip("_"): item for name, item in value.items()}).encode()
        return json.loads((await self._dispatcher.run(call, body)).body)

    def _found(self, tx: Write) -> list[str]:
        """The org, its people, and a key for each, with which they act until the year is over."""
        keys = []
        for person in story.PEOPLE:
            if person.role == "owner":
                member = create_org(tx, story.ORG, person.name, _email(person), self._hash)
            else:
                member = callers.add_member(tx, name=person.name, email=_email(person), role=person.role)
                auth.store(tx, member, self._hash)
            tx.update("member", member, handle=person.handle, title=person.title, zone=person.zone)
            held = sorted(scopes.of_role(person.role))
            key, self._tokens[person.handle] = callers.add_key(tx, member, {"name": "demo", "scopes": held})
            keys.append(key)
        org_settings.put(tx, MARK, {"password": self._password})
        return keys

    def _leave(self, tx: Write) -> None:
        """The keys of the year open nothing any more, and inboxes hold the last days."""
        last_days = tx.value("select max(seq) from events where at < :at", at=self._ends - INBOX_DAYS * DAY_S)
        cursors.move(tx, follower.FOLLOWER.name, last_days or 0)
        for key in self._keys:
            tx.execute("update key set revoked_at = :now where id = :key", now=tx.now, key=key)
        tx.execute("delete from customer_token")
        tx.execute("update customer set password = :password", password=self._hash)

    async def _set_up(self) -> None:
        for name, color, description in story.LABELS:
            await self.do("jonas", "labels.save", name=name, color=color, description=description)
        await self.do(
            "jonas",
            "checklists.template_save",
            name="Before release",
            kind="story",
            items=["Tried by somebody else", "Texts in all languages", "Announced"],
        )
        await self._make_fields()
        for project in story.PROJECTS:
            await self.do(
                "mara",
                "projects.create",
                key=project.key,
                name=project.name,
                kind=project.kind,
                description=project.description,
                visibility=project.visibility,
                lead=f"@{project.lead}",
            )
            for handle in project.team:
                role = "lead" if handle == project.lead else "member"
                await self.do("mara", "projects.member_set", key=project.key, who=f"@{handle}", role=role)
            for part in project.parts:
                await self.do(project.lead, "components.save", project=project.key, name=part)
        await self.do("mara", "projects.member_set", key="OPS", who="@rosa", role="reporter")
        await self.do("jonas", "flags.project_save", project=_FLAGS, name="Web shop", work_project="SHOP")
        for name in ("Test", "Production"):
            await self.do("jonas", "flags.environment_save", project=_FLAGS, key=name.lower(), name=name)

    async def _make_fields(self) -> None:
        """What bugs and stories hold beside the usual."""
        severity = {"key": "severity", "name": "Severity", "description": "What customers notice of it"}
        await self.do("jonas", "fields.save", **severity, kind="select", types=["bug"])
        options = [{"name": name, "color": color} for name, color in story.SEVERITIES]
        await self.do("jonas", "fields.options_set", key="severity", options=options)
        worth = {"key": "worth", "name": "Worth", "description": "How much customers would like it"}
        await self.do("jonas", "fields.save", **worth, kind="rating", types=["story"])

    def _plan(self) -> None:
        """Aims in the first weeks, then one issue after the other; flags when what they guard is there."""
        wanted = [(project, issue) for project in story.PROJECTS for issue in project.issues]
        self._chance.shuffle(wanted)
        for project in story.PROJECTS:
            for number, aim in enumerate(project.aims):
                self._at(number + 1, partial(self._make_aim, project, aim))
        days = sorted(self._chance.uniform(8, DAYS - 1) for _ in range(ISSUES - self._aims()))
        for day, (project, issue) in zip(days, wanted, strict=False):
            self._at(day, partial(self._make, project, issue, day))
        for flag in story.FLAGS:
            self._at(flag.came, partial(self._make_flag, flag))
            for day, percent in flag.steps:
                self._at(day, partial(self._roll_out, flag, percent))
        self._ago(story.SPRINTS.ended_days * 24, self._end_sprint)
        self._ago(story.SPRINTS.began_days * 24, self._begin_sprint)
        for hours, who, where, text in story.ASKED:
            self._ago(hours, partial(self._ask, who, where, text))
        for hours, who, where, due_in in story.GIVEN:
            self._ago(hours, partial(self._give, who, where, due_in))
        self._ago(_WRITTEN_HOURS_AGO, self._write_pages)
        self._ago(story.ANSWER[0], self._answer)
        self._ago(story.TO_AGREE[0], self._ask_to_agree)
        self._ago(story.PROPOSED[0], self._propose)
        self._ago(_AUTOMATED_HOURS_AGO, self._automate)
        self._ago(story.ROLLED_OUT_NEXT[1], self._ask_for_approval)
        self._ago(help_desk.REQUESTS[0].hours + 1, self._open_desk)
        for request in help_desk.REQUESTS:
            self._ago(request.hours, partial(self._ask_desk, request))

    def _aims(self) -> int:
        return sum(len(project.aims) for project in story.PROJECTS)

    def _at(self, day: float, deed: Deed) -> None:
        """On a working day, between eight and six."""
        whole = int(day)
        while (self._began // DAY_S + whole + 3) % 7 >= 5:  # the first of January 1970 was a Thursday
            whole += 1
        at = self._began + whole * DAY_S + int(self._chance.uniform(8, 18) * 3600)
        heapq.heappush(self._deeds, (at, next(self._count), deed))

    def _ago(self, hours: float, deed: Deed) -> None:
        """So long before now, whatever day that is."""
        heapq.heappush(self._deeds, (self._ends - int(hours * 3600), next(self._count), deed))

    async def _open_issues(self, who: str, project: str) -> list[str]:
        """At most one, of which something happened lately, and about which nobody was asked yet."""
        tql = f"project = {project} and type != epic and open order by updated desc"
        rows = (await self.do(who, "tql.run", tql=tql, fields=["key"], limit=20))["rows"]
        found = [key for [key] in rows if key not in self._asked][:1]
        self._asked.update(found)
        return found

    async def _ask(self, who: str, project: str, text: str) -> None:
        for key in await self._open_issues(who, project):
            await self.do(who, "comments.create", subject=key, body=text)

    async def _give(self, who: str, project: str, due_in: int) -> None:
        due = datetime.datetime.fromtimestamp(self._ends + due_in * DAY_S, datetime.UTC).date().isoformat()
        for key in await self._open_issues(who, project):
            await self.do(who, "issues.update", key=key, due_date=due, priority="high")
            await self.do(who, "issues.assign", key=key, assignees=["@mara"])

    async def _answer(self) -> None:
        _, who, project, question, answer = story.ANSWER
        for key in await self._open_issues(who, project):
            asked = await self.do("mara", "comments.create", subject=key, body=question)
            await self.do(who, "comments.create", subject=key, body=answer, parent=asked["id"])

    async def _ask_to_agree(self) -> None:
        """From now on an aim of the shop is reached when somebody else says so."""
        _, who, aim, why = story.TO_AGREE
        key = self._keys_by_title[aim]
        (standard,) = await self.do("jonas", "workflows.list")
        ways = [
            {"name": lane["name"], "from": ["*"], "to": lane["key"]}
            | ({"approvers": ["@mara", "@priya"]} if lane["key"] == "done" else {})
            for lane in standard["lanes"]
        ]
        lanes = [lane["key"] for lane in standard["lanes"]]
        flow = await self.do(
            "jonas", "workflows.save", name="Aims", start=standard["start"], lanes=lanes, transitions=ways
        )
        await self.do(
            "jonas", "workflows.assign", id=flow["id"], project=key.partition("-")[0], types=["epic"]
        )
        await self.do(who, "approvals.request", key=key, to_status="done", note=why)

    async def _automate(self) -> None:
        for op, value in story.KEPT_BY_ADMINS:
            await self.do("jonas", op, **value)

    async def _propose(self) -> None:
        """A model of the house was tried, proposed something, and is off again."""
        await self.do("jonas", "ai.provider_save", **story.PROVIDER)
        await self.do("jonas", "ai.profile_save", **story.READER)
        policy = {"enabled": True, "browser_keys": False, "org_keys": False, "excluded": ["project:OPS"]}
        await self.do("jonas", "ai.policy_set", **policy)
        _, who, project, answer = story.PROPOSED
        for key in await self._open_issues(who, project):
            subject = (await self.do(who, "issues.get", key=key))["id"]
            value = {"subject": f"issue:{subject}", "body": answer}
            made = ai.AISuggestion(f"issue:{subject}", "draft_reply", answer, "comments.create", value)
            await self._database.write(partial(_suggest, who, made))

    async def _open_desk(self) -> None:
        """Customers are let in: they sign in to the portal as Mara does to the app."""
        self._request_types = await help_desk.open_desk(self.do)
        for one in help_desk.CUSTOMERS:
            added = await self.do(help_desk.AGENT, "desk.customer_add", email=one.email, name=one.name)
            self._tokens[""] = None
            signed_in = await self.do("", "desk.portal_login", email=one.email, password=added["password"])
            self._tokens[one.handle] = signed_in["token"]

    async def _ask_desk(self, request: help_desk.DemoRequest) -> None:
        await help_desk.ask(self.do, request, self._request_types[request.kind])
        self.issues += 1

    async def _ask_for_approval(self) -> None:
        """From now on nobody changes what customers see by themselves."""
        key, _, why = story.ROLLED_OUT_NEXT
        place = {"project": _FLAGS, "key": "production"}
        await self.do("jonas", "flags.environment_save", **place, critical=True, require_approval=True)
        await self.do(
            "jonas",
            "flags.change_create",
            project=_FLAGS,
            environment="production",
            kind="flag",
            target=key,
            instructions=[{"kind": "updateFallthroughVariationOrRollout", "variation": 0}],
            comment=why,
        )

    async def _make_aim(self, project: story.DemoProject, aim: str) -> None:
        made = await self.do(
            project.lead,
            "issues.create",
            project=project.key,
            title=aim,
            type="epic",
            assignees=[f"@{project.lead}"],
        )
        self.issues += 1
        self._keys_by_title[aim] = made["key"]

    async def _make(self, project: story.DemoProject, issue: tuple[str, str, str], day: float) -> None:
        kind, part, title = issue
        chance = self._chance
        who = chance.choice(project.team)
        body = chance.choice(story.BODIES[kind]).format(
            title=title, where=chance.choice(story.WHERE), aim=chance.choice(project.aims).lower()
        )
        wanted = chance.sample([name for name, _, _ in story.LABELS], chance.choice((0, 1, 1, 2)))
        found: dict[str, Any] = {"labels": wanted, "components": [part], "body": body}
        if chance.random() < 0.4:
            found["priority"] = chance.choice(("urgent", "high", "medium", "medium", "low"))
        if chance.random() < 0.5:
            found["estimate"] = chance.choice((1, 2, 3, 5, 8))
        if kind == "story" and chance.random() < 0.6:
            found["parent"] = f"{project.key}-{chance.randrange(len(project.aims)) + 1}"
        if kind == "bug":
            found["values"] = {"severity": self._fills.choice(story.SEVERITIES)[0]}
        elif kind == "story":
            found["values"] = {"worth": self._fills.randint(2, 5)}
        made = await self.do(who, "issues.create", project=project.key, title=title, type=kind, **found)
        self.issues += 1
        self._keys_by_title[title] = made["key"]
        self._plan_life(project, made["key"], kind, day)

    def _plan_life(self, project: story.DemoProject, key: str, kind: str, day: float) -> None:
        """It is talked about, taken up, done step by step, and mostly closed."""
        chance = self._chance
        doer = chance.choice(project.team)
        starts = day + chance.expovariate(1 / 12)
        ends = starts + chance.expovariate(1 / 9) + 1
        for _ in range(chance.choice((0, 1, 1, 2, 3))):
            self._at(chance.uniform(day + 0.5, ends + 2), partial(self._say, project, key, kind))
        if chance.random() < 0.25:
            self._at(day + 1, partial(self._list_steps, key, kind, doer))
        if chance.random() < 0.12:
            self._at(day + 1, partial(self._add_file, project, key))
        if chance.random() < 0.85:
            self._at(starts, partial(self._begin, key, doer))
            if chance.random() < 0.85:
                self._at(ends, partial(self._end, key, doer))

    async def _say(self, project: story.DemoProject, key: str, kind: str) -> None:
        who, other = self._chance.sample((*project.team, project.lead), 2)
        body = self._chance.choice(story.SAID[kind]).format(other=other)
        await self.do(who, "comments.create", subject=key, body=body)

    async def _list_steps(self, key: str, kind: str, who: str) -> None:
        await self.do(who, "checklists.add", key=key, text="\n".join(story.STEPS[kind]))

    async def _add_file(self, project: story.DemoProject, key: str) -> None:
        name, text = self._chance.choice(story.FILES)
        data = base64.b64encode(text.encode()).decode()
        await self.do(self._chance.choice(project.team), "attachments.add", subject=key, name=name, data=data)

    async def _begin(self, key: str, who: str) -> None:
        await self.do(who, "issues.assign", key=key, assignees=["me"])
        await self.do(who, "issues.transition", key=key, to_status="in_progress")

    async def _end(self, key: str, who: str) -> None:
        steps = (await self.do(who, "checklists.list", key=key))["items"]
        for step in steps:
            await self.do(who, "checklists.update", id=step["id"], done=True)
        issue = await self.do(who, "issues.get", key=key)
        if issue["category"] != "in_progress":
            return
        given = {"outcome": "cancelled"} if self._chance.random() < 0.08 else {}
        await self.do(who, "issues.transition", key=key, to_status="done", **given)

    async def _make_flag(self, flag: story.DemoFlag) -> None:
        place = {"project": _FLAGS, "key": flag.key}
        await self.do(
            "jonas",
            "flags.create",
            **place,
            name=flag.name,
            description=flag.description,
            template="release",
            maintainers=[f"@{flag.owner}"],
        )
        issue = self._keys_by_title.get(flag.issue)
        if issue is not None:
            await self.do("jonas", "flags.link", **place, issue=issue, on=True)

    async def _roll_out(self, flag: story.DemoFlag, percent: int) -> None:
        """So many of the people who come to the shop get it."""
        weights = [
            {"variation": 0, "weight": percent * 1000},
            {"variation": 1, "weight": (100 - percent) * 1000},
        ]
        await self.do(
            "jonas",
            "flags.update",
            project=_FLAGS,
            key=flag.key,
            environment="production",
            instructions=[
                {"kind": "turnFlagOn"},
                {"kind": "updateFallthroughVariationOrRollout", "rollout": {"variations": weights}},
            ],
            comment=f"{percent} percent",
        )

    async def _save_views(self) -> None:
        for who, name, query, project, layout in story.VIEWS:
            value = {"name": name, "tql": query, "sort": "-priority", "project": project, "layout": layout}
            await self.do(who, "views.save", **value, shared=True)

    async def _save_boards(self) -> None:
        for board in story.BOARDS:
            made = await self.do(
                board.owner,
                "boards.save",
                name=board.name,
                project=board.project,
                tql=board.query,
                swimlanes=board.swimlanes,
            )
            columns = [
                {"name": name, "lanes": list(lanes), "limit": limit, "hard": hard}
                for name, lanes, limit, hard in board.columns
            ]
            await self.do(board.owner, "boards.columns_set", id=made["id"], columns=columns)
            filters = [{"name": name, "tql": query} for name, query in board.filters]
            await self.do(board.owner, "boards.quick_filter_save", id=made["id"], filters=filters)

    async def _write_pages(self) -> None:
        for space in documents.SPACES:
            value = {
                "key": space.key,
                "name": space.name,
                "kind": space.kind,
                "description": space.description,
            }
            await self.do(space.owner, "spaces.save", **value)
        ids: dict[str, str] = {}
        for page in documents.PAGES:
            made = await self.do(
                page.who,
                "pages.create",
                space=page.space,
                title=page.title,
                body=page.body,
                icon=page.icon,
                parent=ids.get(page.parent or ""),
            )
            ids[page.title] = made["id"]

    async def _begin_sprint(self) -> None:
        """The one that is done by now, with what is open and small enough."""
        told = story.SPRINTS
        made = await self._make_sprint(told.names[0], told.goals[0], told.began_days)
        await self._fill_sprint(made)
        await self.do(told.who, "sprints.start", id=made)

    async def _end_sprint(self) -> None:
        """It is completed, and the next one begins with what was left of it and more."""
        told = story.SPRINTS
        (first,) = await self.do(told.who, "sprints.list", state="active")
        made = await self._make_sprint(told.names[1], told.goals[1], told.ended_days)
        await self.do(told.who, "sprints.complete", id=first["id"], unfinished="next")
        await self._fill_sprint(made)
        await self._give_days(told.names[1], told.ended_days)
        await self.do(told.who, "sprints.start", id=made)

    async def _give_days(self, name: str, days_ago: int) -> None:
        """When each issue of a sprint begins and is due, one after the other and some at once."""
        told = story.SPRINTS
        first = datetime.datetime.fromtimestamp(self._ends - days_ago * DAY_S, datetime.UTC).date()
        tql = f"sprint = '{name}' order by key"
        rows = (await self.do(told.who, "tql.run", tql=tql, fields=["key"], limit=told.days))["rows"]
        for at, [key] in enumerate(rows):
            start = first + datetime.timedelta(days=at * 4 % 9)
            due = start + datetime.timedelta(days=2 + at % 4)
            value = {"start_date": start.isoformat(), "due_date": due.isoformat()}
            await self.do(told.who, "issues.update", key=key, **value)

    async def _plan_sprints(self) -> None:
        """One more is planned, and people have said how much they can do."""
        told = story.SPRINTS
        made = await self._make_sprint(told.names[2], told.goals[2], told.ended_days - told.days)
        await self._fill_sprint(made)
        capacity = {f"@{who}": points for who, points in told.capacity}
        await self.do(told.who, "sprints.capacity_set", id=made, capacity=capacity)

    async def _make_sprint(self, name: str, goal: str, days_ago: int) -> int:
        first = datetime.datetime.fromtimestamp(self._ends - days_ago * DAY_S, datetime.UTC).date()
        last = first + datetime.timedelta(days=story.SPRINTS.days - 1)
        value = {"name": name, "goal": goal, "start_date": first.isoformat(), "end_date": last.isoformat()}
        made = await self.do(story.SPRINTS.who, "sprints.create", projects=[story.SPRINTS.project], **value)
        return int(made["id"])

    async def _fill_sprint(self, sprint: int) -> None:
        told = story.SPRINTS
        tql = f"project = {told.project} and type != epic and open and sprint is empty order by created desc"
        rows = (await self.do(told.who, "tql.run", tql=tql, fields=["key"], limit=told.issues))["rows"]
        if rows:
            await self.do(told.who, "sprints.add", id=sprint, keys=[key for [key] in rows])

    def _count_answers(self, tx: Write) -> None:
        """What the shop asked its flags in the last week, hour by hour."""
        environment = tx.value(
            "select e.id from flag_environment e join flag_project p on p.id = e.project"
            " where p.key = :key and e.key = 'production'",
            key=_FLAGS,
        )
        counts: Counts = {}
        for flag in story.FLAGS:
            version = tx.value(
                "select c.version from flag_config c join flag f on f.id = c.flag"
                " where f.key = :key and c.environment = :environment",
                key=flag.key,
                environment=environment,
            )
            percent = flag.steps[-1][1] if flag.steps else 0
            for hour in range(tx.now // _HOUR_S - 7 * 24, tx.now // _HOUR_S):
                asked = flag.answers if 7 <= hour % 24 <= 21 else flag.answers // 8
                for variation, share in ((0, percent), (1, 100 - percent)):
                    count = int(asked * share / 100 * self._chance.uniform(0.8, 1.2))
                    if count:
                        counts[Answered(environment, flag.key, version, variation, hour)] = count
        for source in registry().of(FlagSource):
            source.count(tx, counts)


def _suggest(who: str, made: ai.AISuggestion, tx: Write) -> None:
    """Somebody asked for it in a session, whose keys of the year open nothing any more."""
    caller = identify.of_member(tx, tx.value("select id from member where handle = :who", who=who))
    assert caller is not None
    with impersonate.instead(tx, caller):
        ai.propose(tx, made)


def _email(person: story.DemoPerson) -> str:
    return f"{person.handle}@fernhill.example"
