"""An edge beside the server: whatever is asked, both answer the same bytes.

`pytest tests/edge/test_model.py --steps 10000` asks by ten thousand contexts, which takes a minute or two.
"""

import http.client
import json
from collections import Counter
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from kbwork.db.tx import Write
from tests.api.sdk.requests import FLAGS as EVERY
from tests.api.sdk.requests import sdk_key
from tests.conftest import World
from tests.edge.service import Edge
from tests.flagengine.random_flags import FLAGS, SEGMENTS, Making
from tests.modules.calls import call, eventually
from tests.modules.flags.flag_project import flag, shop, version

CONTEXTS = 40
"""By each world of flags."""
Said = tuple[int, str | None, bytes]


class Asking:
    """A connection that stays open."""

    def __init__(self, url: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)

    def ask(self, path: str, key: str, body: bytes) -> Said:
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        self._connection.request("POST", path, body, headers)
        answer = self._connection.getresponse()
        return answer.status, answer.headers["ETag"], answer.read()

    def close(self) -> None:
        self._connection.close()


def made(world: World) -> None:
    """Flags and segments that the worlds are laid over; every second flag is for pages, too."""
    shop(world, "test")
    for place, key in enumerate(FLAGS):
        variations = [{"value": {"n": number}} for number in range(3)]
        flag(world, key, kind="json", variations=variations, client_side=place % 2 == 0)
    for key in SEGMENTS:
        call(world, "ana", "flags.segment_save", project="shop", environment="test", key=key)


def laid(tx: Write, data: dict[str, Any]) -> None:
    """This world in the place of what is there, as a change of everything."""
    for key, one in data["flags"].items():
        config = {name: part for name, part in one.items() if name not in ("variations", "archived")}
        config = {"rules": [], "targets": [], "prerequisites": [], **config}
        tx.execute(
            "update flag_config set config = :config, version = version + 1"
            " where flag = (select id from flag where key = :key)",
            config=json.dumps(config),
            key=key,
        )
    for key, one in data["segments"].items():
        tx.execute(
            "update flag_segment set body = :body, version = version + 1 where key = :key",
            body=json.dumps(one),
            key=key,
        )
    tx.execute("update flag_environment set version = version + 1 where key = 'test'")


def asked(making: Making) -> bytes:
    """A context as OpenFeature has it."""

    def keyed(part: Any) -> Any:
        if not isinstance(part, dict):
            return part
        return {"targetingKey" if name == "key" else name: value for name, value in part.items()}

    raw = making.context()
    if isinstance(raw, dict) and raw.get("kind") == "multi":
        raw = {name: keyed(part) for name, part in raw.items()}
    return json.dumps({"context": keyed(raw)}).encode()


def test_both_answer_the_same_bytes(world: World, tmp_path: Path, steps: int) -> None:
    made(world)
    keys = [sdk_key(world), sdk_key(world, "client")]
    met: Counter[int] = Counter()
    with (
        Edge(tmp_path, world.url, keys).serving() as edge,
        closing(Asking(edge.front.url)) as ours,
        closing(Asking(world.url)) as theirs,
    ):
        edge.ready()
        for seed in range(max(1, steps // CONTEXTS)):
            making = Making(seed)
            making._broken = 0  # what is broken is no configuration that the server would take
            data = making.data()
            world.database.write_now(partial(laid, data=data))
            eventually(partial(edge.has, version(world, "test")))
            for _ in range(CONTEXTS):
                body = asked(making)
                for key in keys:
                    for path in (EVERY, *(f"{EVERY}/{name}" for name in FLAGS)):
                        found = ours.ask(path, key, body)
                        assert found == theirs.ask(path, key, body), (seed, path, body)
                        met[found[0]] += 1
    assert met.keys() >= {200, 404}
    assert met[200] > sum(met.values()) / 2, met
