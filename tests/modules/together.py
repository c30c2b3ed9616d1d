"""Several callers at once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from tests.conftest import World


def together(world: World, who: str, calls: list[tuple[str, dict[str, Any]]]) -> list[Any]:
    """Make these calls at the same moment, each over a connection of its own; answers and refusals in order."""
    start = Barrier(len(calls), timeout=20)
    key = world.people[who].key

    def one(asked: tuple[str, dict[str, Any]]) -> Any:
        with Kbwork(world.url, key) as client:
            start.wait()
            try:
                return client.call(*asked)
            except KbworkProblem as problem:
                return problem

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(one, calls, timeout=60))


def slugs(answers: list[Any]) -> list[str]:
    """The refusals among answers."""
    return [answer.slug for answer in answers if isinstance(answer, KbworkProblem)]
