"""Transitions as callers write them, as they are kept, and as they are answered."""

import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Int, Name, Text
from kbwork.base.text import did_you_mean, folded
from kbwork.core.access import visibility
from kbwork.db.rows import LaneRow
from kbwork.db.tx import Read
from kbwork.modules import fields, members
from kbwork.modules.workflows.model import Asked, Kept, Transition
from kbwork.modules.workflows.transitions import actions, askable_fields
from kbwork.modules.workflows.transitions.actions import TransitionAction

MOST_TRANSITIONS = 500
_WORKFLOW = fields.conditions.ConditionScope("A workflow", queries=True)
_CHECKS = fields.conditions.ConditionScope("A workflow", queries=True, changes=True)
_KEY_CHARS = 40
PEOPLE = ("reporter", "assignee")
"""Who may go a way beside roles and teams: whoever reported the issue, or has it."""
_ROLES = ("owner", "admin", "lead", "member", "viewer", "guest")
_FIELDS = f"An own field by key or name; or {', '.join(askable_fields.PLAIN)}."

Conditions = Annotated[list[dict[str, Any]], Field(max_length=50)]
Few = Annotated[list[Text], Field(max_length=50)]


class TransitionField(Input):
    field: Annotated[Text, Field(description=textwrap.fill(_FIELDS, 116))]
    required: bool | None = None
    """Whether it must hold something when the issue moves on."""


class WorkflowTransition(Input):
    key: Text | None = None
    """Which transition of the workflow it is, where it has one of this key; else a key is made from the name."""
    name: Name
    """What people read."""
    from_: Annotated[list[Text], Field(alias="from", min_length=1, max_length=200)]
    """Lanes that it leaves, by key or name; `*` is any."""
    to: Text
    """Lane it leads to, by key or name."""
    who: Few | None = None
    """Roles (the wider ones of a project too), `team:<id>`, `reporter`, `assignee`; none: members. Reporters go ways
    that name `reporter`, with what they reported."""
    if_: Conditions | None = Field(None, alias="if")
    """Conditions; where one fails it is as if the transition were not there."""
    check: Conditions | None = None
    """Conditions, each with a `message`; one that fails when the asked fields are filled in refuses the move."""
    ask: Annotated[list[TransitionField], Field(max_length=50)] | None = None
    """Fields to fill in on the way. A required one must hold something when the issue moves on."""
    approvers: Few | None = None
    """Members, `team:<id>` or `field:<key>` of a field that holds people."""
    needed: Annotated[Int, Field(ge=0, le=50)] | None = None
    """How many of them have to agree; 1 unless said."""
    self_approval: bool | None = None
    """Whether one who asks for approval may be one of them."""
    watch: Few | None = None
    """Fields whose edit cancels an open request."""
    then: Annotated[list[TransitionAction], Field(max_length=20)] | None = None
    """Operations that run behind the move, in order."""
    auto_when: Annotated[str, Field(max_length=fields.conditions.MOST_CHARS)] | None = None
    """TQL: once an edit makes this true of an issue, the transition runs by itself."""


class TransitionReader:
    """Reads the transitions of one workflow. Raises InvalidInput at the path of what does not fit."""

    def __init__(self, tx: Read, lanes: Sequence[LaneRow], known: Sequence[Kept]) -> None:
        self._tx = tx
        self._lanes = lanes
        self._known = {transition["key"] for transition in known}
        self._taken: set[str] = set()
        self._fields = fields.catalogue(tx)
        own = {ident: field for ident, field in self._fields.items() if field.home == "issue"}
        self._if = fields.conditions.ConditionReader(tx, own, _WORKFLOW)
        self._check = fields.conditions.ConditionReader(tx, own, _CHECKS)

    def every(self, given: Sequence[WorkflowTransition]) -> list[Kept]:
        """All of them as they are kept. Those that stay keep their keys, so these are given out first."""
        kept = [one.key for one in given if one.key in self._known]
        for key in kept:
            if kept.count(key) > 1:
                raise InvalidInput(f"Two transitions have the key {key}.", field="transitions")
        self._taken = {key for key in kept if key}
        return [self._one(one, f"transitions[{number}]") for number, one in enumerate(given)]

    def _one(self, given: WorkflowTransition, path: str) -> Kept:
        leaves = [
            "*" if name.strip() == "*" else self._lane(name, f"{path}.from[{number}]")
            for number, name in enumerate(given.from_)
        ]
        to = self._lane(given.to, f"{path}.to")
        if set(leaves) == {to}:
            raise InvalidInput(f"{given.name} leads from a lane to itself.", field=f"{path}.to")
        approvers = [
            self._approver(ref, f"{path}.approvers[{n}]") for n, ref in enumerate(given.approvers or [])
        ]
        needed = _needed(given, approvers, f"{path}.needed")
        return {
            "key": given.key if given.key in self._known and given.key else self._key(given.name, to),
            "name": given.name,
            "from": ["*"] if "*" in leaves else list(dict.fromkeys(leaves)),
            "to": to,
            "who": [self._who(word, f"{path}.who[{n}]") for n, word in enumerate(given.who or [])],
            "if": [self._if.read(one, f"{path}.if[{n}]") for n, one in enumerate(given.if_ or [])],
            "check": [self._checked(one, f"{path}.check[{n}]") for n, one in enumerate(given.check or [])],
            "ask": self._asked(given.ask or [], f"{path}.ask"),
            "approvers": list(dict.fromkeys(approvers)),
            "needed": needed,
            "self_approval": bool(given.self_approval),
            "watch": [
                askable_fields.askable(self._fields, name, f"{path}.watch[{n}]")
                for n, name in enumerate(given.watch or [])
            ],
            "then": [
                actions.kept(self._tx, one, f"{path}.then[{n}]") for n, one in enumerate(given.then or [])
            ],
            "auto_when": fields.conditions.query(self._tx, given.auto_when, f"{path}.auto_when")
            if given.auto_when
            else None,
        }

    def _lane(self, name: str, path: str) -> str:
        return str(lane_of(self._lanes, name, path)["key"])

    def _who(self, word: str, path: str) -> str:
        role = word.strip().lower()
        if role in (*_ROLES, *PEOPLE):
            return role
        if role == "team:admins" or (
            role.startswith("team:") and visibility.find_named(self._tx, role) is not None
        ):
            return role
        raise InvalidInput(
            f"There is no role or team {word[:100]!r}.", field=path, allowed=[*_ROLES, *PEOPLE, "team:<id>"]
        )

    def _checked(self, given: dict[str, Any], path: str) -> dict[str, Any]:
        rest = dict(given)
        message = rest.pop("message", None)
        if message is not None and (not isinstance(message, str) or not 1 <= len(message.strip()) <= 500):
            raise InvalidInput("A message is a text of at most 500 characters.", field=f"{path}.message")
        return self._check.read(rest, path) | {"message": message.strip() if message else None}

    def _asked(self, given: Sequence[TransitionField], path: str) -> list[Kept]:
        found: dict[askable_fields.Askable, Kept] = {}
        for number, one in enumerate(given):
            field = askable_fields.askable(self._fields, one.field, f"{path}[{number}].field")
            if field in found:
                raise InvalidInput(f"{one.field} is asked for twice.", field=f"{path}[{number}].field")
            found[field] = {"field": field, "required": bool(one.required)}
        return list(found.values())

    def _approver(self, ref: str, path: str) -> str:
        if ref.startswith("field:"):
            own = [field for field in self._fields.values() if field.home == "issue"]
            field = fields.pick(own, ref.removeprefix("field:"), path=path)
            if field.kind not in ("member", "members", "team"):
                raise InvalidInput(f"{field.name} holds no people.", field=path)
            return f"field:{field.id}"
        if ref == "team:admins" or (
            ref.startswith("team:") and visibility.find_named(self._tx, ref) is not None
        ):
            return ref
        row = members.by_ref(self._tx, ref, field=path)
        if row["state"] != "active":
            raise InvalidInput(f"{row['name']} is no active member.", field=path)
        return str(row["id"])

    def _key(self, name: str, to: str) -> str:
        """A key made from the name, that no other transition of the workflow has."""
        plain = unicodedata.normalize("NFKD", folded(name)).encode("ascii", "ignore").decode()
        base = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:_KEY_CHARS].strip("_")
        base = base if base[:1].isalpha() else f"to_{to}"
        key, number = base, 1
        while key in self._taken:
            number += 1
            key = f"{base}_{number}"
        self._taken.add(key)
        return key


def lane_of(lanes: Sequence[LaneRow], name: str, path: str) -> LaneRow:
    """One of these lanes, by key, id or name. Raises InvalidInput naming the nearest."""
    wanted = folded(name.strip())
    for row in lanes:
        if wanted in (row["key"], row["name_key"], str(row["id"])):
            return row
    known = [row["key"] for row in lanes]
    text = f"The workflow has no lane {name[:100]!r}.{did_you_mean(name, known)}"
    raise InvalidInput(text, field=path, allowed=known)


def texts(transitions: Sequence[Kept]) -> Iterator[str]:
    """The texts in the query language of kept transitions, without those that placeholders are filled into."""
    for transition in transitions:
        for condition in (*transition["if"], *transition["check"]):
            yield from fields.conditions.texts(condition)
        for text in (transition["auto_when"], *(action["each"] for action in transition["then"])):
            if text and "{{" not in text:
                yield text


def shown(
    transition: Kept, known: Mapping[int, fields.OwnField], present: Callable[[str], str]
) -> Transition:
    """A kept transition as it is answered: fields by key, options by name, texts in the query language with the names
    that `present` finds for them. What is gone is left out."""
    asked: list[Asked] = [
        {"field": name, "required": one["required"]}
        for one in transition["ask"]
        if (name := askable_fields.shown(known, one["field"])) is not None
    ]
    return {
        **transition,  # type: ignore[typeddict-item]  # it has the members of one
        "if": [fields.conditions.shown(one, known, present) for one in transition["if"]],
        "check": [_shown_check(one, known, present) for one in transition["check"]],
        "ask": asked,
        "approvers": approvers(transition, known),
        "then": [one | {"each": one["each"] and present(one["each"])} for one in transition["then"]],
        "auto_when": transition["auto_when"] and present(transition["auto_when"]),
        "watch": [
            name for one in transition["watch"] if (name := askable_fields.shown(known, one)) is not None
        ],
    }


def approvers(transition: Kept, known: Mapping[int, fields.OwnField]) -> list[str]:
    """Who has to agree, fields by key."""
    found = []
    for ref in transition["approvers"]:
        if not ref.startswith("field:"):
            found.append(ref)
        elif (field := known.get(int(ref.removeprefix("field:")))) is not None:
            found.append(f"field:{field.key}")
    return found


def _shown_check(
    check: dict[str, Any], known: Mapping[int, fields.OwnField], present: Callable[[str], str]
) -> dict[str, Any]:
    rest = {name: value for name, value in check.items() if name != "message"}
    return fields.conditions.shown(rest, known, present) | {"message": check.get("message")}


def _needed(given: WorkflowTransition, approvers: list[str], path: str) -> int:
    if not approvers:
        if given.needed:
            raise InvalidInput("Nobody is named in `approvers`.", field=path)
        return 0
    needed = 1 if given.needed is None else given.needed
    people = [ref for ref in approvers if ref.startswith("m_")]
    if needed < 1 or (len(people) == len(approvers) and needed > len(set(people))):
        raise InvalidInput(f"From 1 to {len(set(people)) or 50} of them can be needed.", field=path)
    return needed
