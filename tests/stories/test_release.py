"""A feature is released behind a flag, goes wrong, is stopped, mended, and the flag is put away."""

from typing import Any

from kbwork.flags import Client
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.flags.flag_project import agent

DAY_S = 86400
PRODUCTION: dict[str, Any] = {"project": "shop", "environment": "production"}
FLAG: dict[str, Any] = {"project": "shop", "key": "new-checkout"}
ANYBODY = {"key": "someone"}


class Release:
    """The shop: Cy releases, Di looks over it, Bo is on call, and a robot of Cy's watches. `shop` is its back end."""

    def __init__(self, world: World) -> None:
        call(world, "ana", "flags.project_save", project="shop", name="The shop", work_project="WEB")
        call(world, "ana", "flags.environment_save", project="shop", key="production", critical=True)
        key = call(world, "ana", "flags.key_create", **PRODUCTION, kind="server")["secret"]
        self.world = world
        self.robot = agent(world, "cy")
        self.shop = Client(sdk_key=key, base_url=world.url, flush_interval_ms=60_000)

    def call(self, who: str, op: str, **value: Any) -> Any:
        return call(self.world, who, op, **value)

    def change(self, who: str, *instructions: dict[str, Any], comment: str = "") -> dict[str, Any]:
        """Instructions on the flag in production."""
        asked = {**FLAG, "environment": "production", "instructions": list(instructions), "comment": comment}
        done: dict[str, Any] = self.call(who, "flags.update", **asked)
        return done

    def served(self, key: str) -> bool:
        """Whether the back end shows this one the new checkout."""
        return self.shop.boolean("new-checkout", False, {"key": key})

    def share(self) -> int:
        """How many of a thousand it shows it to."""
        return sum(self.served(f"u{number}") for number in range(1000))


def test_a_release_from_the_first_flag_to_the_last(world: World) -> None:
    release = Release(world)
    with release.shop:
        assert release.shop.ready()
        the_flag_is_made_from_a_template(release)
        the_team_goes_first(release)
        a_tenth_follows_the_next_day(release)
        a_robot_asks_for_the_rest_and_a_person_approves(release)
        it_goes_wrong_and_is_stopped(release)
        it_is_mended_and_goes_back_to_what_it_was(release)
        the_flag_is_put_away(release)
    told = [kind for kind, subject in world.events_since(0) if subject == "flag:shop/new-checkout"]
    assert told[:3] == ["flag.created", "flag.linked", "flag.updated"]
    assert told[-1] == "flag.archived"


def the_flag_is_made_from_a_template(release: Release) -> None:
    issue = release.call("cy", "issues.create", project="WEB", title="A checkout of one page")["key"]
    made = release.call("cy", "flags.create", **FLAG, template="release", name="New checkout")
    assert (made["temporary"], made["tags"]) == (True, ["release"])
    assert release.call("cy", "flags.link", **FLAG, issue=issue, on=True) == [issue]
    assert not release.served("cy")


def the_team_goes_first(release: Release) -> None:
    release.call("cy", "flags.segment_save", **PRODUCTION, key="team", included=["cy", "di"])
    clause = {"op": "segmentMatch", "values": ["team"]}
    release.change(
        "cy",
        {"kind": "turnFlagOn"},
        {"kind": "addRule", "variation": 0, "clauses": [clause]},
        {"kind": "updateFallthroughVariationOrRollout", "variation": 1},
        comment="The team tries it",
    )
    eventually(lambda: release.served("cy"))
    assert release.share() == 0


def a_tenth_follows_the_next_day(release: Release) -> None:
    tenth = [{"variation": 0, "weight": 10_000}, {"variation": 1, "weight": 90_000}]
    roll = {"kind": "updateFallthroughVariationOrRollout", "rollout": {"variations": tenth}}
    tomorrow = (release.world.clock.now() + DAY_S) * 1000
    asked = {**FLAG, "environment": "production", "instructions": [roll], "run_at": tomorrow}
    assert release.call("cy", "flags.schedule_create", **asked)["outcome"] == "applied"
    release.world.advance(DAY_S)
    eventually(lambda: release.share() > 0)
    assert 60 <= release.share() <= 140


def a_robot_asks_for_the_rest_and_a_person_approves(release: Release) -> None:
    all_of_them = {"kind": "updateFallthroughVariationOrRollout", "variation": 0}
    asked = {**FLAG, "environment": "production", "instructions": [all_of_them], "comment": "No errors"}
    proposed = release.robot.call("flags.update", asked)
    assert proposed["outcome"] == "changeRequest"
    decision = {"project": "shop", "id": proposed["change"]["id"], "decision": "approve"}
    with refused("not-allowed"):
        release.robot.call("flags.change_review", decision)
    (shown,) = release.call("di", "flags.get", **FLAG)["changes"]
    assert (shown["status"], shown["comment"]) == ("pending", "No errors")
    assert release.call("di", "flags.change_review", **decision)["status"] == "applied"
    eventually(lambda: release.share() == 1000)


def it_goes_wrong_and_is_stopped(release: Release) -> None:
    for _ in range(40):
        release.share()  # a night of traffic
    release.shop.flush()
    eventually(lambda: release.call("bo", "flags.insights", **FLAG)["series"] != [])
    stop = {"kind": "turnFlagOff"}
    reach = release.call("bo", "flags.impact", **FLAG, environment="production", instructions=[stop])
    assert (reach["risk"], reach["streams"], reach["segments"]) == ("high", 1, ["team"])
    tag = {"kind": "addTags", "values": ["kill-switch"]}
    release.call("bo", "flags.update", **FLAG, instructions=[tag])
    release.change("bo", stop, comment="Orders are lost")
    eventually(lambda: not release.served("cy"))
    assert release.call("bo", "flags.kill_switches", project="shop") == [
        {"key": "new-checkout", "environment": "production", "on": False}
    ]


def it_is_mended_and_goes_back_to_what_it_was(release: Release) -> None:
    stop, before, *_ = release.call("cy", "flags.history", **FLAG, environment="production")
    assert (stop["who"], stop["comment"]) == (release.world.people["bo"].id, "Orders are lost")
    release.call("cy", "flags.restore", **FLAG, revision=before["id"])
    eventually(lambda: release.share() == 1000)


def the_flag_is_put_away(release: Release) -> None:
    release.call("cy", "flags.archive", **FLAG)
    eventually(lambda: release.shop.boolean_detail("new-checkout", True, ANYBODY).reason == "ERROR")
    assert release.shop.boolean("new-checkout", True, ANYBODY) is True
    assert release.call("cy", "flags.list", project="shop") == []
