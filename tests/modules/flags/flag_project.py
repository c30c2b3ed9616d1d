"""A flag project at work, for tests."""

from typing import Any

from tests.conftest import World
from tests.modules.calls import call

Json = dict[str, Any]
DAY_S = 86400


AT_WORK: list[tuple[str, Json]] = [
    ("flags.project_save", {"project": "web", "name": "Website"}),
    ("flags.environment_save", {"project": "web", "key": "test"}),
    ("flags.environment_save", {"project": "web", "key": "production", "critical": True}),
    ("flags.create", {"project": "web", "key": "checkout"}),
    ("flags.create", {"project": "web", "key": "banner", "template": "release"}),
    (
        "flags.segment_save",
        {"project": "web", "environment": "test", "key": "beta-testers", "included": ["bo"]},
    ),
    ("flags.segment_save", {"project": "web", "environment": "production", "key": "beta-testers"}),
    ("flags.key_create", {"project": "web", "environment": "production", "kind": "server"}),
    (
        "flags.change_create",
        {
            "project": "web",
            "kind": "flag",
            "target": "checkout",
            "environment": "test",
            "instructions": [{"kind": "turnFlagOn"}],
        },
    ),
    (
        "flags.schedule_create",
        {
            "project": "web",
            "key": "checkout",
            "environment": "test",
            "instructions": [{"kind": "turnFlagOn"}],
            "run_at": "2040-01-01T00:00:00Z",
        },
    ),
    (
        "flags.check_save",
        {
            "project": "web",
            "environment": "test",
            "name": "Bo gets the old checkout",
            "context": {"kind": "user", "key": "bo"},
            "expected": {"checkout": False},
        },
    ),
    (
        "flags.trigger_save",
        {"project": "web", "key": "checkout", "environment": "test", "action": "off"},
    ),
    (
        "flags.plan_save",
        {
            "project": "web",
            "key": "checkout",
            "environment": "test",
            "variation": 1,
            "steps": [{"weight": 50000, "hold_minutes": 60}],
            "start_at": "2040-01-01T00:00:00Z",
        },
    ),
    (
        "flags.refs_push",
        {
            "project": "web",
            "repository": "acme/shop",
            "branch": "main",
            "commit": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
            "refs": [
                {"key": "checkout", "path": "src/cart.ts", "line": 12, "text": "flags.boolean('checkout'"}
            ],
        },
    ),
    ("flags.template_save", {"key": "ring", "name": "Ring", "kind": "bool", "variations": [{"value": True}]}),
]
"""What the examples of the flag operations name, as an admin makes it."""


def shop(world: World, *environments: str, **project: Any) -> None:
    """The flag project `shop`, with environments that ask for nothing."""
    call(world, "ana", "flags.project_save", project="shop", **project)
    for key in environments or ("test", "production"):
        call(world, "ana", "flags.environment_save", project="shop", key=key)


def flag(world: World, key: str = "checkout", who: str = "cy", **more: Any) -> Json:
    """A flag of the shop."""
    made: Json = call(world, who, "flags.create", project="shop", key=key, **more)
    return made


def patch(world: World, who: str, environment: str | None, *instructions: Json, **more: Any) -> Json:
    """Instructions on the flag `checkout`, or another."""
    where = {} if environment is None else {"environment": environment}
    asked = {"project": "shop", "key": "checkout", "instructions": list(instructions), **where}
    done: Json = call(world, who, "flags.update", **asked | more)
    return done


def state(world: World, environment: str = "test", key: str = "checkout") -> Json:
    """A flag in an environment."""
    found: Json = call(world, "ana", "flags.get", project="shop", key=key)["environments"][environment]
    return found


def version(world: World, environment: str) -> int:
    """The version of an environment's snapshot."""
    found: int = world.database.write_now(
        lambda tx: tx.value("select version from flag_environment where key = :key", key=environment)
    )
    return found


def serve(world: World, variation: int, environment: str = "test", **where: Any) -> None:
    """Switch a flag on, for everybody the same."""
    patch(
        world,
        "ana",
        environment,
        {"kind": "turnFlagOn"},
        {"kind": "updateFallthroughVariationOrRollout", "variation": variation},
        **where,
    )


def aged(world: World, seconds: int) -> None:
    """Everything happened so much longer ago; sessions would not live that long."""

    def write(tx: Any) -> None:
        tx.execute("update flag set created_at = created_at - :s", s=seconds)
        tx.execute(
            "update flag_config set changed_at = changed_at - :s, evaluated_at = evaluated_at - :s", s=seconds
        )

    world.database.write_now(write)


def agent(world: World, who: str = "cy", *scopes: str) -> Any:
    """A client with an agent's key."""
    made = call(
        world,
        who,
        "keys.create",
        name="robot",
        kind="agent",
        agent=f"{who}-bot",
        scopes=list(scopes or ("flags:read", "flags:write")),
    )
    return world._client(f"{who}'s agent {len(world.clients)}", made["secret"])
