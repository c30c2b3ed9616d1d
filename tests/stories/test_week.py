"""A team's week in a new project, told through the public client: planned, worked, reviewed, mended, put away."""

import base64
import itertools
import json
from contextlib import closing
from typing import Any

from kbwork.contract.kbwork_client import Kbwork
from tests.conftest import NOW, World
from tests.modules.calls import refused

DAY = 86400


class Week:
    """The shop team: Bo keeps the org, Cy leads, Di works, and Gus, from outside, reports."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.bo, self.cy, self.di, self.gus = (world.key(who) for who in ("bo", "cy", "di", "gus"))
        self.me = {who: world.people[who].id for who in world.people}
        self.began = world.database.seq
        self.epic = self.cart = self.coupon = self.gift = self.note = self.twin = ""

    def next_day(self) -> None:
        self.world.clock.advance(DAY)

    def lane(self, key: str) -> str:
        return str(self.cy.issues.get(key=key)["lane"])


def test_a_team_works_a_week_in_a_new_project(world: World) -> None:
    week = Week(world)
    monday_the_project_is_made(week)
    monday_the_week_is_planned(week)
    tuesday_the_work_begins(week)
    wednesday_it_is_reviewed(week)
    thursday_duplicates_and_a_mistake(week)
    friday_all_is_found_and_put_away(week)
    the_events_tell_it_all(week)


def monday_the_project_is_made(week: Week) -> None:
    bo, cy = week.bo, week.cy
    content: Any = {
        "types": ["story", "task", "bug", "epic"],
        "labels": [{"name": "checkout", "color": "#3366cc"}],
        "components": [{"name": "Cart"}],
        "default_assignee": "component",
        "blockers": "refuse",
    }
    template = bo.projects.template_save(name="Shop front", content=content)[-1]
    assert (template["name"], template["built_in"]) == ("Shop front", False)
    project = cy.projects.create(key="SHOP", name="Shop", template=template["id"], visibility="members")
    assert (project["lead"], project["default_type"], project["my_role"]) == (week.me["cy"], "story", "lead")
    assert [label["name"] for label in cy.labels.list(project="SHOP")] == ["checkout"]

    for client in (week.di, week.gus):
        with refused("not-found"):
            client.projects.get(key="SHOP")
    cy.projects.member_set(key="SHOP", who="@di", role="member")
    people = cy.projects.member_set(key="SHOP", who="@gus", role="reporter")
    assert [(one["who"], one["role"]) for one in people] == [
        (week.me["cy"], "lead"),
        (week.me["di"], "member"),
        (week.me["gus"], "reporter"),
    ]
    with refused("not-allowed"):
        week.di.projects.member_set(key="SHOP", who="@di", role="lead")

    (cart,) = cy.components.list(project="SHOP")
    cart = cy.components.save(id=cart["id"], project="SHOP", name="Cart", lead="@di", assign="lead")
    assert (cart["lead"], cart["assign"]) == (week.me["di"], "lead")

    bo.fields.save(key="impact", name="Impact", kind="select")
    bo.fields.options_set(key="impact", options=[{"name": "Everybody"}, {"name": "Some"}])
    layout = cy.fields.layout_save(
        project="SHOP", type="bug", create=["impact"], edit=["impact"], required=["impact"]
    )
    assert layout["required"] == ["impact"]
    (found,) = cy.issues.template_save(
        project="SHOP",
        name="Defect",
        type="bug",
        input={"body": "Seen by {{me.name}}", "due_date": "{{today+2d}}", "labels": ["checkout"]},
    )
    assert found["name"] == "Defect"


def monday_the_week_is_planned(week: Week) -> None:
    cy, di = week.cy, week.di
    made = cy.issues.create_tree(
        project="SHOP",
        items=[
            {"ref": "epic", "title": "Gift vouchers", "type": "epic"},
            {"ref": "cart", "title": "Keep vouchers in the cart", "parent": "epic", "components": ["cart"]},
            {"ref": "coupon", "title": "Print a voucher", "parent": "epic", "blocks": ["gift"]},
            {"ref": "gift", "title": "Send a voucher as a gift", "parent": "epic"},
        ],
    )
    week.epic, week.cart, week.coupon, week.gift = (issue["key"] for issue in made)
    assert [issue["key"] for issue in made] == ["SHOP-1", "SHOP-2", "SHOP-3", "SHOP-4"]
    assert [issue["assignees"] for issue in made] == [[], [week.me["di"]], [], []]
    assert [issue["blocked"] for issue in made] == [False, False, False, True]

    cy.issues.rank(keys=[week.coupon], before=week.cart)
    tree = cy.issues.tree(key=week.epic)
    assert [child["issue"]["key"] for child in tree["children"]] == [week.coupon, week.cart, week.gift]
    assert (tree["done"], tree["total"]) == (0, 3)

    cy.issues.assign(key=week.coupon, assignees=["@di"])
    cy.issues.assign(key=week.gift, assignees=["me", "@di"])
    with refused("invalid-input"):
        cy.issues.assign(key=week.epic, assignees=["@ana.nobody"])

    line = "wrap gifts nicely !low @di #checkout ~2 due fri under SHOP-1"
    parsed = di.issues.parse(text=line, project="SHOP")["input"]
    assert (parsed["title"], parsed["priority"], parsed["estimate"]) == ("wrap gifts nicely", "low", 2)
    quick = di.issues.create(**parsed)
    assert (quick["parent"], quick["labels"], quick["type"]) == (week.epic, ["checkout"], "story")

    with refused("invalid-input"):
        week.gus.issues.create(project="SHOP", title="Vouchers get lost", type="bug")
    (defect,) = [one for one in cy.issues.templates(project="SHOP") if one["name"] == "Defect"]
    bug = week.gus.issues.create(
        project="SHOP",
        title="Vouchers get lost in the cart",
        template=defect["id"],
        values={"impact": "Everybody"},
    )
    assert (bug["type"], bug["body"], bug["labels"]) == ("bug", "Seen by Gus Field", ["checkout"])
    assert bug["values"] == {"impact": "Everybody"}
    week.note = bug["key"]


def tuesday_the_work_begins(week: Week) -> None:
    week.next_day()
    cy, di, gus = week.cy, week.di, week.gus
    assert di.issues.transition(key=week.coupon, to_status="In progress")["started_at"] == NOW + DAY
    said = di.comments.create(subject=f"issue:{week.coupon}", body="@cy which printer?")
    cy.comments.react(id=said["id"], emoji="👍", on=True)
    cy.comments.create(subject=f"issue:{week.coupon}", body="The small one", parent=said["id"])
    asked, answer = cy.comments.list(subject=f"issue:{week.coupon}")
    assert asked["reactions"] == [{"emoji": "👍", "count": 1, "mine": True, "who": [week.me["cy"]]}]
    assert (answer["parent"], answer["author"]) == (asked["id"], week.me["cy"])
    cy.comments.create(subject=f"issue:{week.note}", body="Sounds like us", internal=True)
    gus.comments.create(subject=f"issue:{week.note}", body="Here is how it looks")

    data = base64.b64encode(b"the voucher vanishes behind the zeppelin").decode()
    file = gus.attachments.add(subject=f"issue:{week.note}", name="seen.txt", data=data)
    assert di.attachments.get(id=file["id"])["data"] == data
    (link,) = di.issues.link_add(key=week.coupon, url="https://example.com/printers", title="Printers")
    assert link["title"] == "Printers"
    (relation,) = di.issues.relation_add(key=week.note, kind="relates", to=[week.cart])
    assert (relation["kind"], relation["issue"]["key"]) == ("relates", week.cart)

    with refused("workflow-refused"):
        cy.issues.transition(key=week.gift, to_status="done")
    assert week.lane(week.gift) == "todo"

    counts = gus.issues.get(key=week.note)["counts"]
    assert (counts["comments"], counts["attachments"]) == (1, 1)
    assert cy.issues.get(key=week.note)["counts"]["comments"] == 2
    assert [one["body"] for one in gus.comments.list(subject=f"issue:{week.note}")] == [
        "Here is how it looks"
    ]
    assert [one["key"] for one in gus.issues.list(project="SHOP")["items"]] == [week.note]
    assert gus.issues.get(key=week.note, with_=["relations"])["relations"] == []
    for op, value in (
        ("issues.get", {"key": week.coupon}),
        ("comments.list", {"subject": f"issue:{week.coupon}"}),
        ("issues.tree", {"key": week.epic}),
    ):
        with refused("not-found"):
            gus.call(op, value)
    with refused("not-allowed"):
        di.issues.level_set(key=week.note, level="private")


def wednesday_it_is_reviewed(week: Week) -> None:
    week.next_day()
    cy, di = week.cy, week.di
    first = di.issues.update(key=week.coupon, body="Print it on A6.")
    di.issues.transition(key=week.coupon, to_status="in_review", comment="Please look")
    with refused("stale"):
        cy.issues.update(key=week.coupon, body="Never seen", if_seq=first["seq"])
    cy.issues.update(key=week.coupon, body="Print it on A4, in two colours, or not at all.")
    back = cy.issues.transition(key=week.coupon, to_status="in_progress", comment="A4 is too large after all")
    assert (back["lane"], back["outcome"]) == ("in_progress", None)
    texts = {one["revision"]: one["body"] for one in cy.issues.revisions(key=week.coupon)}
    assert [texts[number] for number in sorted(texts)][-2] == "Print it on A6."
    wanted = next(number for number, body in texts.items() if body == "Print it on A6.")
    assert di.issues.revision_restore(key=week.coupon, revision=wanted)["body"] == "Print it on A6."
    lanes = [one["to"] for one in cy.issues.history(key=week.coupon, field="status")["items"]]
    assert lanes == ["In progress", "In review", "In progress"]

    done = di.issues.transition(key=week.coupon, to_status="done")
    assert (done["outcome"], done["done_at"]) == ("completed", NOW + 2 * DAY)
    assert cy.issues.get(key=week.gift)["blocked"] is False
    assert cy.issues.transition(key=week.gift, to_status="in_progress")["lane"] == "in_progress"
    tree = cy.issues.tree(key=week.epic)
    assert (tree["done"], tree["total"]) == (1, 4)


def thursday_duplicates_and_a_mistake(week: Week) -> None:
    week.next_day()
    cy, di = week.cy, week.di
    week.twin = twin = di.issues.create(
        project="SHOP", title="The cart: vouchers get lost", type="bug", values={"impact": "Some"}
    )["key"]
    di.comments.create(subject=f"issue:{twin}", body="Also on phones")
    similar = di.issues.similar(key=twin)
    assert similar[0]["issue"]["key"] == week.note
    stays = cy.issues.merge(from_=[twin], into=week.note)
    assert stays["counts"]["comments"] == 3
    closed = cy.issues.get(key=twin, with_=["relations"])
    assert (closed["category"], closed["outcome"]) == ("done", "duplicate")
    assert [(one["kind"], one["issue"]["key"]) for one in closed["relations"]] == [("duplicates", week.note)]

    stray = [cy.issues.create(project="SHOP", title=f"Old thought {n}")["key"] for n in range(3)]
    seq = week.world.database.seq
    tidy: dict[str, Any] = {"keys": [*stray, "SHOP-404"], "changes": {"to_status": "done", "priority": "low"}}
    would = cy.issues.bulk(**tidy, dry_run=True)
    assert (would["changed"], [one["key"] for one in would["skipped"]]) == (3, ["SHOP-404"])
    assert (week.world.database.seq, week.lane(stray[0])) == (seq, "todo")
    did = cy.issues.bulk(**tidy)
    assert (did["changed"], [week.lane(key) for key in stray]) == (3, ["done"] * 3)
    with refused("not-found"):
        di.undo.apply(token=did["undo"])
    cy.undo.apply(token=did["undo"])
    assert [week.lane(key) for key in stray] == ["todo"] * 3
    assert {cy.issues.get(key=key)["priority"] for key in stray} == {"none"}

    wrong = cy.issues.delete(key=week.cart)
    assert wrong["ok"]
    with refused("not-found"):
        di.issues.get(key=week.cart)
    mistake = cy.undo.list(limit=1)[0]
    assert (mistake["op"], mistake["can"]) == ("issues.delete", True)
    cy.undo.apply(token=mistake["token"])
    assert di.issues.get(key=week.cart)["parent"] == week.epic
    assert cy.trash.list()["items"] == []


def friday_all_is_found_and_put_away(week: Week) -> None:
    week.next_day()
    cy, di, gus = week.cy, week.di, week.gus
    assert found(di, "voucher print") == ["issue:" + str(di.issues.get(key=week.coupon)["id"])]
    assert {hit["kind"] for hit in gus.search.query(q="zeppelin")["items"]} == {"attachment"}
    assert found(gus, "small one") == found(gus, "sounds like us") == []
    assert len(found(cy, "sounds like us")) == 1
    rows = cy.call("tql.run", {"tql": "project = SHOP and done order by key", "fields": ["key"]})
    done = [row[0] for row in rows["rows"]]
    assert done == [week.coupon, week.twin]

    post = cy.projects.status_post(key="SHOP", health="on_track", body="Printing is done, gifts are next.")
    assert post["health"] == cy.projects.get(key="SHOP")["health"] == "on_track"
    with refused("not-allowed"):
        di.projects.status_post(key="SHOP", health="paused", body="Holidays")

    assert all(one["archived_at"] for one in cy.issues.archive(keys=done, on=True))
    assert {one["key"] for one in cy.issues.list(project="SHOP")["items"]}.isdisjoint(done)
    with refused("conflict"):
        di.issues.update(key=done[0], title="Once more")

    cy.projects.archive(key="SHOP", on=True)
    assert "SHOP" not in [one["key"] for one in di.projects.list()]
    assert di.issues.get(key=week.coupon)["title"] == "Print a voucher"
    for client, op, value in (
        (di, "issues.create", {"project": "SHOP", "title": "Late"}),
        (di, "comments.create", {"subject": f"issue:{week.cart}", "body": "Late"}),
        (cy, "projects.update", {"key": "SHOP", "name": "Late"}),
    ):
        with refused("conflict"):
            client.call(op, value)


def found(client: Kbwork, q: str) -> list[str]:
    """The subjects that a search finds."""
    return [hit["subject"] for hit in client.search.query(q=q)["items"]]


def the_events_tell_it_all(week: Week) -> None:
    """Each hears of what they see, in the order in which it was done, by the feed and by the stream alike."""
    heard = {}
    for who in ("cy", "di", "gus"):
        client = week.world.key(who)
        heard[who] = list(client.changes(since=week.began, follow=False))
        with closing(client.stream(since=week.began)) as stream:
            assert list(itertools.islice(stream, len(heard[who]))) == heard[who]
    kinds = [event["kind"] for event in heard["cy"]]
    assert list(dict.fromkeys(kinds)) == [
        "project_template.saved",
        "project.created",
        "type.saved",
        "project.updated",
        "label.saved",
        "component.saved",
        "project.members_changed",
        "field.saved",
        "layout.saved",
        "template.saved",
        "issue.created",
        "issue.assigned",
        "issue.related",
        "issue.blocked",
        "issue.ranked",
        "issue.updated",
        "issue.transitioned",
        "comment.created",
        "comment.reacted",
        "attachment.added",
        "issue.linked",
        "issue.unblocked",
        "issue.merged",
        "issue.deleted",
        "issue.restored",
        "project.status_posted",
        "issue.archived",
        "project.archived",
    ]
    assert kinds.count("issue.created") == 10
    undone = {event["payload"]["undo"] for event in heard["cy"] if "undo" in event["payload"]}
    assert len(undone) == 2
    assert heard["di"] == heard["cy"]
    about = {event["subject"] for event in heard["gus"]}
    assert about == {"project:SHOP", f"issue:{week.gus.issues.get(key=week.note)['id']}"}
    told = json.dumps(heard["gus"])
    for hidden in (week.epic, week.cart, week.twin, '"internal": true'):
        assert hidden not in told, hidden
    seqs = {event["seq"] for event in heard["gus"]}
    assert [event["seq"] for event in heard["cy"] if event["seq"] in seqs] == sorted(seqs)
