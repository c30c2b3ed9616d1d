"""The sample data of a new org."""

from collections import Counter
from pathlib import Path

from kbwork.base.clock import FixedClock
from kbwork.contract.kbwork_client import Kbwork
from kbwork.modules.org.setup import new_setup_link
from kbwork.settings import Settings
from tests.conftest import PASSWORD, World, serving
from tests.modules.calls import call_nobody


def test_a_new_org_begins_with_a_sample_that_goes_as_a_whole(tmp_path: Path, clock: FixedClock) -> None:
    world = World(tmp_path / "data", clock, {})
    with serving(world, Settings()):
        signed_in = call_nobody(
            world,
            "org.setup",
            token=world.database.write_now(new_setup_link),
            org="Acme",
            name="Ana Lund",
            email="ana@acme.example",
            password=PASSWORD,
            sample=True,
        )
        me = signed_in["member"]["id"]
        kinds = Counter(kind for kind, _ in world.events_since(0))
        assert kinds["member.joined"] == kinds["project.created"] == 1
        assert (kinds["issue.created"], kinds["comment.created"]) == (14, 2)
        with Kbwork(world.url, signed_in["token"]) as ana:
            (project,) = ana.projects.list()
            assert (project["key"], project["lead"], project["my_role"]) == ("SAMPLE", me, "lead")
            issues = ana.issues.list(project="SAMPLE")["items"]
            assert Counter(one["lane"] for one in issues) == {
                "backlog": 2,
                "todo": 4,
                "in_progress": 3,
                "in_review": 2,
                "done": 3,
            }
            found = {one["key"]: one for one in issues}
            assert found["SAMPLE-2"]["parent"] == "SAMPLE-1"
            assert found["SAMPLE-2"]["assignees"] == [me]
            assert ana.checklists.list(key="SAMPLE-2")["total"] == 3
            ana.projects.delete(key="SAMPLE", confirm_key="SAMPLE")
            assert ana.projects.list() == []
            assert ana.issues.list()["items"] == []
            assert ana.labels.list() == []
