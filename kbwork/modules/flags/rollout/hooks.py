"""The checks of a plan that others answer: each is posted to at the end of a step."""

import json

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Problem
from kbwork.core.access import impersonate
from kbwork.core.jobs.chores import Errand
from kbwork.core.operations.external import External, ServiceCall
from kbwork.db.tx import Read, Write
from kbwork.modules.flags.model import Json
from kbwork.modules.flags.rollout import progress

_AT_ONCE = 8
_MOST_BYTES = 16 * 1024
_WELL = range(200, 300)


@dataclass(frozen=True, slots=True)
class HeardHooks:
    """What the hooks of a plan were asked at one of its steps, and the first that did not say yes."""

    plan: int
    step: int
    hooks: list[Json]
    body: bytes
    failed: Json | None = None
    why: str = ""
    silent: bool = False
    """It gave no answer at all: that says nothing of the rollout."""


def _due(tx: Read) -> list[int]:
    return tx.column("select id from flag_plan where asking = 1 order by id")


def _look(tx: Read, ident: int) -> HeardHooks | None:
    row = tx.stored("flag_plan", [ident])
    flag = tx.stored("flag", [row["flag"]]) if row is not None else None
    if row is None or flag is None or not row["asking"]:
        return None
    place = progress.place_of(tx, row)
    told = {
        "project": place.project["key"],
        "flag": flag["key"],
        "environment": place.environment["key"],
        "plan": row["id"],
        "step": row["step"],
        "weight": json.loads(row["steps"])[row["step"] - 1]["weight"],
    }
    return HeardHooks(row["id"], row["step"], progress.hooks_of(row), json.dumps(told).encode())


async def _wait(out: External, asked: HeardHooks) -> HeardHooks:
    call = ServiceCall(
        content=asked.body,
        headers={"Content-Type": "application/json"},
        most_bytes=_MOST_BYTES,
        cut=True,
    )
    for hook in asked.hooks:
        try:
            answer = await out.ask(hook["url"], call)
        except Problem as problem:
            return _with(asked, hook, problem.detail, silent=True)
        if answer.status not in _WELL:
            return _with(asked, hook, f"its hook answered {answer.status}")
    return asked


def _with(asked: HeardHooks, hook: Json, why: str, *, silent: bool = False) -> HeardHooks:
    return HeardHooks(asked.plan, asked.step, asked.hooks, asked.body, hook, why, silent)


def _write(tx: Write, heard: HeardHooks) -> None:
    """Unless it was stopped meanwhile."""
    row = tx.stored("flag_plan", [heard.plan])
    if row is None or not row["asking"] or row["step"] != heard.step:
        return
    if heard.silent:
        progress.hold(tx, row, f"its hook was not reached: {heard.why}")
        return
    tx.update("flag_plan", row["id"], asking=0, heard=int(heard.failed is None))
    try:
        with impersonate.as_starter(tx, json.loads(row["acting"])):
            progress.require_right(tx, row)
            row = progress.stored(tx, row["id"])
            if heard.failed is not None:
                progress.fail(tx, row, heard.failed, heard.why)
            else:
                progress.look(tx, row)
    except Problem as problem:
        progress.stop(tx, progress.stored(tx, row["id"]), problem.detail)


ASK = Errand(name="flags.hooks", home=__name__, most=_AT_ONCE, due=_due, look=_look, wait=_wait, write=_write)
