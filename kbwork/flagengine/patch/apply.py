"""Semantic patches: ordered instructions, applied all or nothing. Pure: a definition in, the changed one out."""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kbwork.flagengine.patch.checks import PatchContext, Wrong, items, members, shown

MOST_INSTRUCTIONS = 500

Definition = dict[str, Any]
Apply = Callable[[Definition, dict[str, Any], PatchContext], None]


@dataclass(frozen=True, slots=True)
class Instruction:
    """One kind of instruction: the fields that it needs and may have, and what it does to a definition."""

    apply: Apply
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()


Table = Mapping[str, Instruction]
"""Kind -> instruction."""


def apply(
    table: Table,
    definition: Definition,
    instructions: Any,
    world: PatchContext,
    *,
    elsewhere: Mapping[str, str] = {},
) -> Definition:
    """The definition after all instructions; the one that was given stays as it is.

    `elsewhere` names kinds that belong to another scope, and how they are sent. Raises Wrong with the place and kind
    of the first instruction that does not fit.
    """
    found = copy.deepcopy(definition)
    for place, one in enumerate(items(instructions, "instructions", most=MOST_INSTRUCTIONS, least=1)):
        at = f"instructions[{place}]"
        kind = one.get("kind") if type(one) is dict else None
        if type(kind) is not str:
            raise Wrong(at, "should be an object with a kind")
        if kind in elsewhere:
            raise Wrong(at, f"({kind}) {elsewhere[kind]}")
        if kind not in table:
            raise Wrong(
                f"{at}.kind", f"is {shown(kind)}, which is no instruction here; they are {', '.join(table)}"
            )
        instruction = table[kind]
        try:
            given = members(one, "", ("kind", *instruction.needs), instruction.may)
            instruction.apply(found, given, world)
        except Wrong as wrong:
            raise Wrong(at, f"({kind}): {wrong}") from None
    return found
