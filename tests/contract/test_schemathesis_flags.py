"""A fuzzer that knows only the document of the flag REST finds no fault in it."""

from pathlib import Path

import pytest

from tests.api.flags.requests import Place
from tests.conftest import World
from tests.contract import fuzzer

_NAMES = """
[parameters]
"path.org" = "1"
"path.proj" = "web"
"path.env" = "test"
"path.flag" = "checkout"
"path.seg" = "staff"
"path.key" = "beta"
"path.id" = 1
"query.dryRun" = true

[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "409", "413", "414", "415", "429"]
"""
"""What is there to ask about, where dry runs keep it; and 414, which the tool does not count among refusals."""


@pytest.mark.long
@pytest.mark.timeout(950)
def test_no_answer_of_the_flag_rest_is_off_its_document(world: World, tmp_path: Path) -> None:
    place = Place(world).fill()
    turn_on = {"environmentKey": "test", "instructions": [{"kind": "turnFlagOn"}]}
    place.done("POST", "/projects/web/environments/test/keys", {"kind": "server"})
    place.done("POST", "/projects/web/flags/checkout/schedules", turn_on | {"runAt": 1_898_586_000_000})
    place.done("POST", "/projects/web/change-requests", {"kind": "flag", "targetKey": "checkout", **turn_on})
    (tmp_path / "schemathesis.toml").write_text(_NAMES)
    assert fuzzer.faults(f"{world.url}/api/v1/flags-openapi.json", place.token, tmp_path) == ""
