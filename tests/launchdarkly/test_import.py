"""`kbwork flags import`: flags from LaunchDarkly, held against its own rules."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from kbwork.cli.command_line import main
from kbwork.flagengine.contexts import prepare
from kbwork.launchdarkly import export, sample_contexts
from kbwork.launchdarkly.compare import Expected, by_engine
from kbwork.launchdarkly.evaluate import LaunchDarklyEvaluator, parts
from kbwork.launchdarkly.export import ExportedEnvironment, LaunchDarklyExport
from kbwork.launchdarkly.plan import plan_import
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.flags.flag_project import flag, shop

Json = dict[str, Any]

HALVES = {"variations": [{"variation": 0, "weight": 50_000}, {"variation": 1, "weight": 50_000}]}


def clause(attribute: str, op: str, *values: Any, **more: Any) -> Json:
    return {"attribute": attribute, "op": op, "values": list(values), "negate": False, **more}


def in_segment(*keys: str, **more: Any) -> Json:
    return clause("", "segmentMatch", *keys, contextKind="user", **more)


def sdk_flag(key: str, **more: Any) -> Json:
    """A flag as SDKs read it, which serves its first variation."""
    plain = {
        "key": key,
        "version": 7,
        "on": True,
        "salt": f"salt of {key}",
        "variations": [True, False],
        "offVariation": 1,
        "fallthrough": {"variation": 0},
        "targets": [],
        "contextTargets": [],
        "rules": [],
        "prerequisites": [],
        "trackEvents": False,
        "trackEventsFallthrough": False,
        "debugEventsUntilDate": None,
        "clientSideAvailability": {"usingMobileKey": True, "usingEnvironmentId": False},
        "clientSide": False,
    }
    return plain | more


def sdk_segment(key: str, **more: Any) -> Json:
    plain = {"key": key, "version": 3, "included": [], "excluded": [], "rules": [], "salt": f"salt of {key}"}
    return plain | more


def by_key(*owners: Json) -> dict[str, Json]:
    return {owner["key"]: owner for owner in owners}


SEGMENTS = by_key(
    sdk_segment("beta", rules=[{"id": "r1", "clauses": [in_segment("staff", "paying")]}], excluded=["ed"]),
    sdk_segment(
        "staff", included=["ana", "bo"], includedContexts=[{"contextKind": "org", "values": ["globex"]}]
    ),
    sdk_segment(
        "paying",
        rules=[
            {
                "id": "r2",
                "clauses": [clause("plan", "in", "pro", "team")],
                "weight": 40_000,
                "bucketBy": "account",
                "rolloutContextKind": "user",
            }
        ],
    ),
)
FLAGS = by_key(
    sdk_flag("zeta", prerequisites=[{"key": "alpha", "variation": 1}], fallthrough={"rollout": HALVES}),
    sdk_flag(
        "alpha",
        variations=["red", "green", "blue"],
        targets=[{"variation": 0, "values": ["ana", "di"]}, {"variation": 1, "values": ["ana", "bo"]}],
        contextTargets=[
            {"contextKind": "org", "variation": 2, "values": ["acme"]},
            {"contextKind": "user", "variation": 1, "values": []},
            {"contextKind": "user", "variation": 0, "values": []},
        ],
        rules=[
            {"id": "first", "variation": 2, "clauses": [in_segment("beta")]},
            {
                "id": "second",
                "clauses": [
                    clause("/odd/name~", "startsWith", "x"),
                    clause("/place/city", "in", "Porto", 7, contextKind="user", negate=True),
                ],
                "rollout": {
                    "kind": "rollout",
                    "contextKind": "org",
                    "bucketBy": "/plan/name",
                    "variations": [
                        {"variation": 0, "weight": 10_000},
                        {"variation": 1, "weight": 90_000, "untracked": False},
                    ],
                },
            },
            {
                "id": "third",
                "variation": 0,
                "clauses": [
                    clause("version", "semVerGreaterThan", "2.1"),
                    clause("since", "before", "2026-03-01T09:00:00Z"),
                ],
            },
            {"id": "fourth", "variation": 1, "clauses": [clause("kind", "in", "device")]},
            {
                "id": "fifth",
                "variation": 1,
                "clauses": [clause("mail", "matches", r"^[a-z]+@acme\.example$")],
            },
        ],
        fallthrough={"variation": 1},
    ),
    sdk_flag("limits", variations=[10, 20.5], on=False, clientSideAvailability={"usingEnvironmentId": True}),
    sdk_flag("theme", variations=[{"dark": True}, [1, 2]], offVariation=None, on=False),
)


def listed(**more: Any) -> Json:
    """What the REST API lists, of two environments."""

    def state(source: Json, **more: Any) -> Json:
        names = (
            "on",
            "salt",
            "targets",
            "contextTargets",
            "rules",
            "prerequisites",
            "offVariation",
            "fallthrough",
        )
        return {name: source[name] for name in names} | {"archived": False, "_site": {}} | more

    items = [
        {
            "key": source["key"],
            "name": f"The flag {source['key']}",
            "description": "Moved",
            "kind": "multivariate",
            "variations": [
                {"_id": "x", "value": value, "name": f"V{n}"} for n, value in enumerate(source["variations"])
            ],
            "tags": ["web", "old"],
            "temporary": False,
            "archived": source["key"] == "limits",
            "clientSideAvailability": {"usingMobileKey": False, "usingEnvironmentId": True},
            "defaults": {"onVariation": 1, "offVariation": 0},
            "environments": {"test": state(source, on=True), "production": state(source, salt="another")},
        }
        for source in FLAGS.values()
    ]
    segments = {name: {"items": list(SEGMENTS.values())} for name in ("test", "production")}
    return {"items": items, "totalCount": len(items), "segments": segments} | more


def run(world: World, folder: Path, content: Any, *more: str, who: str = "bo") -> int:
    path, key = folder / "export.json", folder / "key"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    key.write_text(world.people[who].key)
    line = ["flags", "import", str(path), "--project", "shop", "--server", world.url, "--key-file", str(key)]
    return main([*line, *more])


def sdk(**more: Any) -> Json:
    return {"flags": FLAGS, "segments": SEGMENTS} | more


def test_what_an_sdk_reads_comes_in_and_answers_the_same(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(world, tmp_path, sdk(), "--env", "production") == 0
    told = capsys.readouterr()
    assert told.err == ""
    lines = told.out.splitlines()
    assert lines[:2] == ["flag project shop: made", "environment production: made"]
    assert (
        lines[-2]
        == "shop: 4 flags and 3 segments: 7 made, 0 changed, 0 the same, 0 waiting, 0 refused, 0 left out"
    )
    assert lines[-1].endswith(" contexts, 0 answers differ")
    assert int(lines[-1].split()[0]) > 150
    alpha = call(world, "bo", "flags.get", project="shop", key="alpha")
    assert alpha["kind"] == "string"
    assert [one["values"] for one in alpha["environments"]["production"]["targets"]] == [
        ["acme"],
        ["ana", "bo"],
        ["di"],
    ]
    kinds = {key: call(world, "bo", "flags.get", project="shop", key=key)["kind"] for key in FLAGS}
    assert kinds == {"alpha": "string", "limits": "number", "theme": "json", "zeta": "bool"}
    assert call(world, "bo", "flags.get", project="shop", key="limits")["client_side"]


def test_a_second_run_changes_nothing_and_a_change_is_one_change(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(world, tmp_path, sdk(), "--env", "test") == 0
    before = world.database.write_now(lambda tx: tx.value("select max(seq) from events"))
    capsys.readouterr()
    assert run(world, tmp_path, sdk(), "--env", "test", who="cy") == 0
    told = capsys.readouterr().out.splitlines()
    assert (
        told[0]
        == "shop: 4 flags and 3 segments: 0 made, 0 changed, 7 the same, 0 waiting, 0 refused, 0 left out"
    )
    assert world.events_since(before) == []
    changed = FLAGS | {"zeta": FLAGS["zeta"] | {"on": False, "salt": "newer"}}
    assert run(world, tmp_path, sdk(flags=changed), "--env", "test", "--dry-run") == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "flag zeta: would be changed"
    assert told[1].startswith("shop: 4 flags and 3 segments: 0 would be made, 1 would be changed, 6 the same")
    assert len(told) == 2
    assert world.events_since(before) == []
    assert run(world, tmp_path, sdk(flags=changed), "--env", "test") == 0
    assert [kind for kind, _ in world.events_since(before)] == ["flag.updated"]


def test_what_the_rest_api_lists_comes_in_with_its_names_and_environments(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(world, tmp_path, listed()) == 0
    found = call(world, "bo", "flags.get", project="shop", key="alpha")
    assert (found["name"], found["description"], found["tags"]) == ("The flag alpha", "Moved", ["old", "web"])
    assert (found["temporary"], found["client_side"], found["defaults"]) == (False, True, {"on": 1, "off": 0})
    assert [one["name"] for one in found["variations"]] == ["V0", "V1", "V2"]
    assert set(found["environments"]) == {"test", "production"}
    assert call(world, "bo", "flags.get", project="shop", key="limits")["archived"]
    capsys.readouterr()
    assert run(world, tmp_path, listed()) == 0
    assert "0 made, 0 changed, 10 the same" in capsys.readouterr().out


def test_variations_come_and_go_and_archived_flags_come_back(world: World, tmp_path: Path) -> None:
    def bring(*variations: str, **more: Any) -> Json:
        one = sdk_flag(
            "size", variations=list(variations), fallthrough={"variation": len(variations) - 1}, **more
        )
        assert run(world, tmp_path, {"flags": by_key(one, sdk_flag("other"))}, "--env", "test") == 0
        found: Json = call(world, "bo", "flags.get", project="shop", key="size")
        assert [one["value"] for one in found["variations"]] == list(variations)
        return found

    bring("s", "m")
    named = {"kind": "updateVariation", "index": 1, "name": "Middle"}
    call(world, "bo", "flags.update", project="shop", key="size", instructions=[named])
    assert bring("s", "m", "l")["variations"][1]["name"] == "Middle"
    assert bring("s", "M")["variations"][1] == {"value": "M", "name": "Middle", "description": ""}
    assert bring("s", "M", archived=True)["archived"]
    assert not bring("s", "M", "XL")["archived"]


def test_one_environment_of_a_list_may_be_taken(world: World, tmp_path: Path) -> None:
    assert run(world, tmp_path, listed(), "--env", "test") == 0
    assert [one["key"] for one in call(world, "bo", "flags.environments", project="shop")] == ["test"]
    assert run(world, tmp_path, listed(), "--env", "nowhere") == 2


def test_a_dry_run_writes_nothing(world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = world.database.write_now(lambda tx: tx.value("select max(seq) from events"))
    assert run(world, tmp_path, listed(), "--dry-run") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "flag project shop: would be made"
    assert lines[-1].startswith("shop: 4 flags and 6 segments: 10 would be made")
    assert world.events_since(before) == []


def rollout(**more: Any) -> Json:
    return {"fallthrough": {"rollout": HALVES | more}}


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"rules": [{"variation": 0, "clauses": [clause("a", "sounds like", "b")]}]}, "op should be one of"),
        ({"rules": [{"variation": 0, "clauses": [clause("a", "in")]}]}, "should have at least 1 item"),
        ({"rules": [{"variation": 0, "clauses": [clause("a", "before", "noon")]}]}, "should be a date"),
        ({"rules": [{"variation": 0, "clauses": [clause("a", "matches", "(?=b)")]}]}, "is no pattern"),
        (
            {"rules": [{"variation": 0, "clauses": [clause("/a//b", "in", 1, contextKind="user")]}]},
            "should name",
        ),
        ({"rules": [{"variation": 0, "clauses": []}]}, "rules[0] has no clauses"),
        (
            {"rules": [{"variation": 0, "clauses": [in_segment("lost")]}]},
            "the segment lost, which is not in the file",
        ),
        (
            {"rules": [{"variation": 0, "clauses": [in_segment("endless")]}]},
            "the segment endless, which is left out",
        ),
        ({"rules": [{"clauses": [clause("a", "in", 1)]}]}, "rules[0] serves neither"),
        (rollout(seed=61), "fallthrough has a rollout with a seed"),
        (rollout(bucketBy="kind"), "fallthrough goes by the kind of the context"),
        (rollout(kind="experiment"), "fallthrough serves an experiment"),
        (rollout(variations=[{"variation": 0, "weight": 5}]), "weights that sum to 5"),
        (rollout() | {"salt": ""}, "does not have its salt"),
        ({"variations": [True, "yes"]}, "several kinds: bool, string"),
        ({"variations": ["a", "b", "a"]}, "is the value of variation 0"),
        ({"variations": [1, 1.0]}, "is the value of variation 0"),
        ({"variations": []}, "at least 1 item"),
        ({"offVariation": 2}, "the variations are 0 to 1"),
        ({"prerequisites": [{"key": "lost", "variation": 0}]}, "waits for the flag lost"),
        ({"prerequisites": [{"key": "odd", "variation": 0}]}, "waits for the flag odd"),
    ],
)
def test_what_cannot_be_said_is_named_and_left_out_with_what_waits_for_it(given: Json, why: str) -> None:
    flags = by_key(
        sdk_flag("odd", **given),
        sdk_flag("waiting", prerequisites=[{"key": "odd", "variation": 0}]),
        sdk_flag("sound"),
    )
    place = ExportedEnvironment(flags, by_key(sdk_segment("endless", unbounded=True)))
    told = {
        key: {"variations": [{"value": value} for value in one["variations"]]} for key, one in flags.items()
    }
    made = plan_import(LaunchDarklyExport(told, {"test": place}))
    assert list(made.flags) == list(made.configs["test"]) == ["sound"]
    lines = "\n".join(made.left_out)
    assert why in lines
    assert "flag waiting: test: it waits for the flag odd, which is left out" in lines
    assert len(made.left_out) == 2 + ("endless" in lines)


def test_circles_and_unbounded_segments_are_left_out(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    segments = by_key(
        sdk_segment("one", rules=[{"clauses": [in_segment("two")]}]),
        sdk_segment("two", rules=[{"clauses": [in_segment("one")]}]),
        sdk_segment("endless", unbounded=True),
        sdk_segment("a key with spaces\n"),
        sdk_segment("on-endless", rules=[{"clauses": [in_segment("endless")]}]),
        sdk_segment("share", salt="", rules=[{"clauses": [clause("a", "in", 1)], "weight": 5}]),
    )
    flags = by_key(
        sdk_flag("a", prerequisites=[{"key": "b", "variation": 0}]),
        sdk_flag("b", prerequisites=[{"key": "a", "variation": 0}]),
        sdk_flag("k" * 129),
        sdk_flag("sound"),
    )
    assert run(world, tmp_path, {"flags": flags, "segments": segments}, "--env", "test") == 1
    told = capsys.readouterr()
    left = told.err.splitlines()
    assert len(left) == 9
    assert all(line.startswith("Left out: ") for line in left)
    assert "Left out: segment test/on-endless: it rests on the segment endless, which is left out" in left
    assert [one["key"] for one in call(world, "bo", "flags.list", project="shop")] == ["sound"]
    assert call(world, "bo", "flags.segments", project="shop", environment="test") == []


def test_a_flag_of_another_kind_on_the_server_stays(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shop(world)
    flag(world, "zeta", kind="string", variations=[{"value": "a"}])
    assert run(world, tmp_path, sdk(), "--env", "test", who="cy") == 1
    assert "flag zeta: shop has a flag of that key which is of the kind string" in capsys.readouterr().err
    assert call(world, "cy", "flags.get", project="shop", key="zeta")["version"] == 1


def test_a_difference_on_the_server_is_told(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from kbwork.launchdarkly.compare import by_server

    shop(world)
    one = sdk_flag("plain")
    export = LaunchDarklyExport(
        {"plain": {"variations": [{"value": True}, {"value": False}]}},
        {"test": ExportedEnvironment({"plain": one})},
    )
    made = plan_import(export)
    flag(world, "plain")
    expected = Expected(export, made, [{"key": "ana"}])
    assert list(by_engine(expected, made)) == []
    (found,) = by_server(
        expected,
        "test",
        lambda context: call(
            world, "cy", "flags.evaluate", project="shop", environment="test", context=context
        ),
    )
    assert str(found) == (
        'plain in test for {"key": "ana"}: LaunchDarkly\'s rules answer true, variation 0 (FALLTHROUGH),'
        " kbwork false, variation 1 (OFF)"
    )
    (gone,) = by_server(expected, "test", lambda _: [])
    assert str(gone).endswith("kbwork no such flag")


def test_data_as_it_stands_in_a_stream_comes_in_with_rules_that_share_an_id(
    world: World, tmp_path: Path
) -> None:
    rules = [{"id": "twin", "variation": n, "clauses": [clause("a", "in", n)]} for n in (0, 1)]
    data = {"flags": by_key(sdk_flag("plain", rules=rules)), "segments": {}}
    assert run(world, tmp_path, {"path": "/", "data": data}, "--env", "test") == 0
    found = call(world, "bo", "flags.get", project="shop", key="plain")["environments"]["test"]
    assert [rule["id"] for rule in found["rules"]] == ["twin", "rule-2"]


def test_contexts_of_a_file_are_held_and_one_that_is_none_is_refused(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "contexts.json"
    path.write_text('[{"key": "ana"}, {"kind": "multi", "user": {"key": "bo"}, "org": {"key": "acme"}}]')
    assert run(world, tmp_path, sdk(), "--env", "test", "--check", str(path)) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "2 contexts, 0 answers differ"
    for content, why in (
        ('[{"key": "ana"}, {"key": 5}]', "context 2"),
        ("{}", "a list"),
        ("[", "is not JSON"),
    ):
        path.write_text(content)
        assert run(world, tmp_path, sdk(), "--env", "test", "--check", str(path)) == 2
        assert why in capsys.readouterr().err


def test_changes_that_wait_for_approval_are_asked_for_once(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shop(world)
    call(world, "ana", "flags.environment_save", project="shop", key="test", require_approval=True)
    assert run(world, tmp_path, sdk(), "--env", "test", who="cy") == 1
    told = capsys.readouterr().out
    assert "test: 7 changes wait for approval; it is not checked yet" in told
    assert run(world, tmp_path, sdk(), "--env", "test", who="cy") == 1
    assert "0 changed, 0 the same, 7 waiting" in capsys.readouterr().out
    assert len(call(world, "ana", "flags.changes", project="shop")) == 7
    for change in call(world, "ana", "flags.changes", project="shop")[::-1]:
        call(world, "ana", "flags.change_review", project="shop", id=change["id"], decision="approve")
    capsys.readouterr()
    assert run(world, tmp_path, sdk(), "--env", "test", who="cy") == 0
    assert "7 the same" in capsys.readouterr().out


def test_a_missing_project_needs_an_admin(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(world, tmp_path, sdk(), "--env", "test", who="cy") == 1
    assert capsys.readouterr().err.startswith("kbwork: ")
    assert call(world, "ana", "flags.projects") == []


@pytest.mark.parametrize(
    ("content", "holds"),
    [
        ("", "is not JSON"),
        (json.dumps(sdk())[:-40], "is not JSON"),
        ("[" * 200_000, "is not JSON"),
        ("\0\1\2", "is not JSON"),
        ('{"flags": ' + "[" * 300 + "]" * 300 + "}", "more than 100 deep"),
        ('{"flags": {"a\\n\\u001b[31m": 5}}', "flags.a\\n\\x1b[31m should be an object"),
        ("[]", "should be an object"),
        ("{}", "should be an object"),
        ('{"flags": []}', "flags should be an object"),
        ('{"flags": {"a": 5}}', "flags.a should be an object"),
        ('{"flags": {"a": {}}}', "flags.a.variations should be a list"),
        ('{"flags": {"a": {"key": "b", "variations": []}}}', "flags.a.key should be 'a'"),
        (sdk(flags={"a": sdk_flag("a", rules="all")}), "flags.a.rules should be a list"),
        (sdk(flags={"a": sdk_flag("a", on="yes")}), "flags.a.on should be true or false"),
        (sdk(flags={"a": sdk_flag("a", offVariation=0.5)}), "flags.a.offVariation should be a whole number"),
        (sdk(segments={"s": sdk_segment("s", included=[5])}), "segments.s.included[0] should be text"),
        ('{"flags": {}, "flagValues": {"a": true}}', "flagValues are values without flags"),
        ('{"items": {}}', "items should be a list"),
        ('{"items": [{"variations": []}]}', "items[0].key should be text"),
        (
            '{"items": [{"key": "a", "variations": [], "environments": {"test": {"on": true, "_summary": {}}}}]}',
            "ask for the list with summary=0",
        ),
        ('{"items": []}', "has no flag in that environment"),
    ],
)
def test_a_file_that_is_not_one_is_refused_in_one_line(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: Any, holds: str
) -> None:
    assert run(world, tmp_path, content, "--env", "test") == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert holds in told.err
    assert len(told.err.splitlines()) == 1
    assert call(world, "ana", "flags.projects") == []


def test_what_is_too_large_or_lacks_its_environment_is_refused(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(world, tmp_path, sdk()) == 2
    assert "--env says which one" in capsys.readouterr().err
    assert run(world, tmp_path, sdk(), "--env", "no such key!") == 2
    huge = tmp_path / "huge.json"
    with huge.open("wb") as opened:
        opened.truncate(100 * 1024 * 1024)
    assert main(["flags", "import", str(huge), "--project", "shop", "--env", "test"]) == 2
    assert "at most 67,108,864 are read" in capsys.readouterr().err
    assert main(["flags", "import", str(tmp_path / "none"), "--project", "shop", "--env", "test"]) == 2


# -- the straight evaluator, against the SDK itself ------------------------------------------------------

WORDS = (
    "",
    "a",
    "ab",
    "b",
    "abc",
    "Porto",
    "2.1.0",
    "2.1",
    "3.0.0-rc.1",
    "2026-03-01T09:00:00Z",
    "1e3",
    "ana",
    "bo",
)
VALUES = (*WORDS, 0, 1, -1, 2.5, 1_772_355_600_000, True, False)
ATTRIBUTES = ("plan", "/place/city", "key", "kind", "name", "anonymous", "/odd", "tags", "place", "missing")
OPERATORS = (
    *("in", "startsWith", "endsWith", "contains", "matches", "before", "after"),
    *("lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual"),
    *("semVerEqual", "semVerLessThan", "semVerGreaterThan", "segmentMatch", "unknown"),
)
PATTERNS = ("a", "^ab?", "b$", "[0-9]+", "(", "o.t")
KINDS = ("user", "org", None)


class Chance(random.Random):
    """Flags, segments and contexts at random: those on which the SDKs agree with each other."""

    def clause(self, segments: int) -> Json:
        op = self.choice(OPERATORS)
        if op == "segmentMatch":
            keys = (
                [f"s{self.randrange(segments)}" for _ in range(self.randint(0, 2))] if segments else ["lost"]
            )
            return clause("", op, *keys, negate=self.random() < 0.3)
        values = [self.choice(PATTERNS if op == "matches" else VALUES) for _ in range(self.randint(0, 3))]
        found = clause(self.choice(ATTRIBUTES), op, *values, negate=self.random() < 0.3)
        kind = self.choice(KINDS)
        return found if kind is None else found | {"contextKind": kind}

    def clauses(self, segments: int) -> list[Json]:
        return [self.clause(segments) for _ in range(self.randint(0, 2))]

    def served(self) -> Json:
        if self.random() < 0.4:
            return {"variation": self.choice([0, 1, 2, 2, 7])}
        weights = [self.randint(1, 60_000) for _ in range(self.randint(1, 3))]
        found: Json = {"variations": [{"variation": n, "weight": weight} for n, weight in enumerate(weights)]}
        if self.random() < 0.5:
            found["bucketBy"] = self.choice(("plan", "/place/city", "key", "kind", "anonymous"))
        if self.random() < 0.5:
            found["contextKind"] = self.choice(("user", "org"))
        return {"rollout": found}

    def segment(self, number: int) -> Json:
        """It asks only for those before it."""
        rules: list[Json] = [{"clauses": self.clauses(number)} for _ in range(self.randint(0, 2))]
        for rule in rules:
            if self.random() < 0.5:
                rule |= {"weight": self.randint(0, 100_000), "rolloutContextKind": "user"}
        listed = [{"contextKind": "org", "values": self.sample(WORDS, 2)}]
        return sdk_segment(
            f"s{number}",
            included=self.sample(WORDS, self.randint(0, 2)),
            excluded=self.sample(WORDS, self.randint(0, 2)),
            includedContexts=listed if self.random() < 0.3 else [],
            excludedContexts=listed if self.random() < 0.3 else [],
            rules=rules,
        )

    def target(self, kind: str) -> Json:
        return {"contextKind": kind, "variation": self.randrange(3), "values": self.sample(WORDS, 2)}

    def flag(self, number: int) -> Json:
        by_kind = [self.target(self.choice(("user", "org"))) for _ in range(self.randint(0, 3))]
        asked = [{"key": f"f{self.randrange(number + 1)}", "variation": self.randrange(3)} for _ in range(2)]
        return sdk_flag(
            f"f{number}",
            on=self.random() < 0.9,
            variations=["red", "green", "blue"],
            offVariation=self.choice([None, 0, 1, 9]),
            targets=[self.target("user") for _ in range(self.randint(0, 2))],
            contextTargets=by_kind if self.random() < 0.5 else [],
            rules=[
                {"id": f"r{n}", "clauses": self.clauses(3), **self.served()}
                for n in range(self.randint(0, 3))
            ],
            prerequisites=asked if self.random() < 0.3 else [],
            fallthrough=self.served(),
        )

    def part(self) -> Json:
        found: Json = {"key": self.choice(WORDS[1:])}
        for name in ("plan", "/odd", "tags"):
            if self.random() < 0.6:
                found[name] = self.choice([*VALUES, None, list(self.sample(VALUES, 2))])
        if self.random() < 0.5:
            found["place"] = self.choice([{"city": self.choice(WORDS)}, {"city": 7}, "Porto"])
        if self.random() < 0.3:
            found |= {"name": self.choice(WORDS), "anonymous": self.random() < 0.5}
        return found

    def context(self) -> Json:
        if self.random() < 0.5:
            return self.part()
        return {"kind": "multi", "user": self.part(), "org": self.part()}


def test_the_straight_evaluator_answers_as_the_sdk_does() -> None:
    pytest.importorskip("ldclient", reason="LaunchDarkly's SDK is needed to hold its rules against")
    from ldclient.context import Context
    from ldclient.impl.evaluator import Evaluator
    from ldclient.impl.events.types import EventFactory
    from ldclient.impl.model import FeatureFlag, Segment

    chance = Chance(2026)
    kinds: set[str] = set()
    for _ in range(150):
        segments = by_key(*(chance.segment(number) for number in range(3)))
        flags = by_key(*(chance.flag(number) for number in range(6)))
        models = {key: FeatureFlag(one) for key, one in flags.items()}
        groups = {key: Segment(one) for key, one in segments.items()}
        sdk_evaluator = Evaluator(models.get, groups.get, lambda _: (None, "HEALTHY"))
        theirs = LaunchDarklyEvaluator(flags, segments)
        for _ in range(20):
            raw = chance.context()
            context = Context.from_dict({"kind": "user", **raw})
            for key, model in models.items():
                detail = sdk_evaluator.evaluate(model, context, EventFactory(False)).detail
                assert detail is not None
                mine = theirs.answer(key, parts(raw))
                assert (mine.kind, mine.variation, mine.rule) == (
                    detail.reason["kind"],
                    detail.variation_index,
                    detail.reason.get("ruleIndex"),
                ), (flags[key], segments, raw)
                kinds.add(mine.kind)
    assert kinds == {"OFF", "PREREQUISITE_FAILED", "TARGET_MATCH", "RULE_MATCH", "FALLTHROUGH", "ERROR"}


def test_what_is_made_of_flags_at_random_answers_as_they_did() -> None:
    chance = Chance(7)
    held = 0
    for _ in range(100):
        segments = by_key(*(chance.segment(number) for number in range(3)))
        flags = by_key(*(chance.flag(number) for number in range(12)))
        told = {
            key: {"variations": [{"value": value} for value in one["variations"]]}
            for key, one in flags.items()
        }
        for one in flags.values():
            for source in (one["fallthrough"], *one["rules"]):
                if "rollout" in source:
                    slices = source["rollout"]["variations"]
                    slices[-1]["weight"] += 100_000 - sum(part["weight"] for part in slices)
        export = LaunchDarklyExport(told, {"test": ExportedEnvironment(flags, segments)})
        made = plan_import(export)
        contexts = sample_contexts.sample(export.places.values())[::5]
        contexts += [chance.context() for _ in range(10)]
        assert list(by_engine(Expected(export, made, contexts), made)) == []
        held += len(made.flags)
    assert held > 50


def test_contexts_are_made_up_the_same_twice_and_reach_every_rule() -> None:
    place = ExportedEnvironment(FLAGS, SEGMENTS)
    found = sample_contexts.sample([place])
    assert found == sample_contexts.sample([place])
    theirs = LaunchDarklyEvaluator(FLAGS, SEGMENTS)
    reached = {theirs.answer("alpha", parts(context)).rule for context in found}
    assert reached == {None, 0, 1, 2, 3, 4}
    assert all(prepare(one) is not None for one in found)
    assert export.MOST_BYTES < 100 * 1024 * 1024


def test_a_flag_that_would_answer_otherwise_is_told_and_left_out_with_what_waits_for_it(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = by_key(
        sdk_flag("blank", rules=[{"id": "r", "variation": 1, "clauses": [clause("x", "matches", r"^\s$")]}]),
        sdk_flag("waiting", on=False, prerequisites=[{"key": "blank", "variation": 0}]),
        sdk_flag("sound"),
    )
    contexts = tmp_path / "contexts.json"
    contexts.write_text('[{"key": "ana", "x": "\\u00a0"}, {"key": "bo", "x": " "}]')
    more = ("--env", "test", "--check", str(contexts))
    assert run(world, tmp_path, {"flags": flags}, *more) == 1
    told = capsys.readouterr()
    assert told.out.splitlines()[0] == (
        'Differs: blank in test for {"key": "ana", "x": "\\xa0"}: LaunchDarkly\'s rules answer true, variation 0'
        " (FALLTHROUGH), kbwork false, variation 1 (RULE_MATCH)"
    )
    assert told.err.splitlines() == [
        "Left out: flag blank: it would give 1 other answer",
        "Left out: flag waiting: test: it waits for the flag blank, which is left out",
    ]
    assert [one["key"] for one in call(world, "bo", "flags.list", project="shop")] == ["sound"]
