"""Who is told of which change, and what a page begins with."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kbwork._build import system_node
from kbwork.flags import Client, Detail, TestData
from tests.flags.service import CLIENT_ID, MIRA, Service, flag, served
from tests.modules.calls import eventually

STAFF = [{"clauses": [{"op": "segmentMatch", "values": ["staff"]}], "variation": 1}]


@pytest.fixture
def flags() -> TestData:
    return TestData({"on": True, "other": 1})


@pytest.fixture
def client(flags: TestData) -> Iterator[Client]:
    with Client(source=flags) as found:
        yield found


def test_whoever_listens_to_a_flag_hears_of_it_and_of_what_it_rests_on(
    flags: TestData, client: Client
) -> None:
    heard: list[str] = []
    flags.put("needs", flag(prerequisites=[{"key": "on", "variation": 0}], rules=STAFF))
    end = client.listen("needs", heard.append)
    client.listen("none", heard.append)
    flags.set("other", 2)
    assert heard == []
    flags.set("on", False)
    flags.put_segment("staff", {"included": ["mira"]})
    flags.put_segment("guests", {})
    assert heard == ["needs", "needs"]
    end()
    flags.remove("needs")
    flags.set("none", 1)
    assert heard == ["needs", "needs", "none"]


def test_whoever_watches_a_value_hears_when_this_context_gets_another(
    flags: TestData, client: Client
) -> None:
    heard: list[Detail] = []
    end = client.watch("on", MIRA, heard.append)
    flags.set_for("on", "bo", False)
    flags.set("other", 2)
    assert heard == []
    flags.set_for("on", "mira", False)
    assert [(one.value, one.reason) for one in heard] == [(False, "TARGETING_MATCH")]
    end()
    flags.set("on", True)
    assert len(heard) == 1


def test_a_listener_that_fails_stops_no_other(
    flags: TestData, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(_: Any) -> None:
        raise ValueError("of the program's own")

    heard: list[str] = []
    client.listen("on", fails)
    client.listen("on", heard.append)
    flags.set("on", False)
    assert heard == ["on"]
    assert "of the program's own" in caplog.text


def world(service: Service) -> None:
    target = {"contextKind": "user", "variation": 1, "values": ["mira@acme.example"]}
    service.flags = {
        "open": flag("</script>", clientSide=True, targets=[target]),
        "needs": flag(clientSide=True, prerequisites=[{"key": "hidden", "variation": 0}]),
        "hidden": flag("secret"),
        "closed": flag("secret"),
    }


def test_a_page_begins_with_the_flags_that_it_may_see() -> None:
    with served() as service:
        world(service)
        with Client(sdk_key="srv_" + "k" * 40, base_url=service.url) as client:
            assert client.ready()
            state = client.all_flags_state()
            assert state is not None
            assert client.all_flags_state() is state
        found = json.loads(state)
        assert sorted(found["flags"]) == ["hidden", "needs", "open"]
        assert (found["format"], found["environment"]["version"], found["hashedKeys"]) == (1, 1, True)
        assert "secret" not in state
        assert "mira@acme" not in state
        assert "<" not in state
        with Client(offline=True) as away:
            assert away.all_flags_state() is None


PAGE = """
import { createClient } from "@kbwork/flags/browser";
const [clientId, baseUrl, bootstrap, key] = JSON.parse(process.argv[2]);
for (const form of [bootstrap, JSON.parse(bootstrap)]) {
  const flags = createClient({ clientId, baseUrl, bootstrap: form, context: { key }, sendEvents: false });
  console.log(await flags.ready(5000), flags.string("open", "none"), flags.boolean("needs", false), flags.version);
  await flags.close();
}
"""


def test_what_a_page_begins_with_is_what_its_client_takes(tmp_path: Path) -> None:
    node = system_node()
    package = Path(__file__).parents[2] / "kbwork" / "web" / "clients"
    built = sorted(package.glob("flags-*.tgz"))
    if node is None or not built:
        pytest.skip("there is no Node, or nothing built for it")
    library = tmp_path / "node_modules" / "@kbwork" / "flags"
    library.mkdir(parents=True)
    subprocess.run(["tar", "xzf", built[-1], "-C", library, "--strip-components=1"], check=True)
    (tmp_path / "page.mjs").write_text(PAGE)
    with served() as service:
        world(service)
        with Client(sdk_key="srv_" + "k" * 40, base_url=service.url) as client:
            assert client.ready()
            state = client.all_flags_state()
        service.status["snapshot"] = service.status["stream"] = 503
        asked = json.dumps([CLIENT_ID, service.url, state, "bo"])
        ran = subprocess.run(
            [node, "page.mjs", asked], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
        )
    assert ran.stdout.splitlines() == ["true </script> true 1"] * 2


def test_a_subscriber_hears_each_snapshot(client: Client, flags: TestData) -> None:
    heard: list[int | None] = []
    end = client.subscribe(lambda: heard.append(client.version))
    flags.set("on", False)
    eventually(lambda: heard == [2])
    end()
    flags.set("on", True)
    assert heard == [2]
