"""Say that one is there, and see who else is."""

from typing import Annotated, Any, Literal

from pydantic import Field
from pydantic_core import to_json
from typing_extensions import TypedDict

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Text
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.events import presence
from kbwork.core.operations.declare import read, write
from kbwork.db.tx import Read

_MOST_ASKED = 100
_CURSOR_BYTES = 1000


class PresenceBeat(Input):
    subject: Text
    """What you look at: `WEB-1`, `comment:<id>` or any other thing that you see."""
    state: Literal["viewing", "editing", "replying", "left"]
    """What you do there; `left` ends it at once."""
    cursor: dict[str, Any] | None = None
    """Where in it you are, as your client likes it, 1,000 bytes of JSON at most."""
    window: Annotated[str, Field(max_length=64)] | None = None
    """A word of yours for the tab that says so, so that one does not speak for another."""


class PresencePeople(TypedDict):
    people: list[presence.Present]
    """Those who are there, you among them; whoever came first stands first."""


@write(
    "presence.beat",
    scope="activity:write",
    cached=False,
    example={"subject": "issue:WEB-1", "state": "viewing"},
)
def beat(tx: Read, args: PresenceBeat) -> PresencePeople:
    """Say that you look at a thing, or write on it, and hear who else does.

    Say it again each 15 seconds or so, and when it changes: 30 seconds after the last time you are gone. The stream
    tells it as `presence` to those who see the thing, and to guests of those whom they may know. It is in no log and
    in no file. You are in 40 places at most; another takes the place of the one that you told of longest ago.
    """
    if args.cursor is not None and len(to_json(args.cursor)) > _CURSOR_BYTES:
        raise InvalidInput(f"A cursor holds {_CURSOR_BYTES:,} bytes at most.", field="cursor")
    subject = named.seen(visibility.referred(tx, args.subject), "thing", args.subject).id
    caller, board = tx.caller, presence.of(tx)
    who = caller.via if caller.kind == "agent" and caller.via is not None else caller.me()
    place = presence.PresencePlace(subject, caller.me(), who, f"{caller.ident} {args.window or ''}")
    if args.state == "left":
        board.leave(place)
    else:
        board.beat(place, args.state, args.cursor, tx.now)
    (found,) = presence.told(tx, [subject])
    return PresencePeople(people=found["people"])


class PresenceList(Input):
    subjects: Annotated[list[Text], Field(min_length=1, max_length=_MOST_ASKED)]
    """What to look at: `WEB-1`, `project:WEB` and so on."""


@read("presence.list", scope="activity:read", cached=False, example={"subjects": ["WEB-1", "project:WEB"]})
def list_(tx: Read, args: PresenceList) -> list[presence.PresentOn]:
    """See who looks at things right now, or writes on them. What is not there, or not for you, is left out."""
    found = (visibility.referred(tx, ref) for ref in args.subjects)
    subjects = dict.fromkeys(subject.id for subject in found if subject is not None)
    return list(presence.told(tx, list(subjects)))
