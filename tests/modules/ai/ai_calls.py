"""AI in tests: switched on in short, and asked."""

from typing import Any

from tests.conftest import World
from tests.modules.ai.recorder import Recorder
from tests.modules.calls import call

ON = {"enabled": True, "browser_keys": False, "org_keys": True, "excluded": []}
SECRET = "sk-test-0123456789abcdef"
HELLO = [{"role": "user", "content": "Hello"}]


def policy(world: World, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = call(world, "bo", "ai.policy_set", **(ON | more))
    return found


def provider(world: World, recorder: Recorder, **more: Any) -> dict[str, Any]:
    """One without a key, that is on."""
    value = {
        "id": "local",
        "label": "Local",
        "kind": "openai",
        "base_url": f"http://{recorder.place}/v1",
        "default_model": "small",
        "models": ["small", "large"],
        "enabled": True,
        "needs_key": False,
        "browser": False,
    }
    found: dict[str, Any] = call(world, "bo", "ai.provider_save", **(value | more))
    return found


def switched_on(world: World, recorder: Recorder, **more: Any) -> None:
    policy(world, **more)
    provider(world, recorder)


def issue(world: World, who: str = "ana", **more: Any) -> str:
    return str(call(world, who, "issues.create", **{"project": "WEB", "title": "Cart"} | more)["key"])


def complete(world: World, who: str = "cy", **more: Any) -> dict[str, Any]:
    value = {"feature": "chat", "messages": HELLO} | more
    found: dict[str, Any] = call(world, who, "ai.complete", **value)
    return found
