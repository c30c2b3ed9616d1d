"""Say what references stand for, and what a page elsewhere calls itself."""

import re
from typing import Annotated
from urllib.parse import unquote, urlsplit

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.model import Input, Text
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.core.things.thing import Subject
from kbwork.db.tx import Read

_COMMENT = re.compile(r"comment-([0-9]{1,15})")


class SubjectsResolve(Input):
    refs: Annotated[list[Text], Field(max_length=100)]
    """`kind:id`, issue keys, addresses of this site, `@handle` or `#label`."""


class Resolved(TypedDict):
    """What a reference stands for; where it is not there or not seen, `allowed` is false and the rest null."""

    ref: str
    """The reference as it was asked."""
    subject: str | None
    """What it stands for, such as `issue:12`; null: nothing that is seen."""
    title: str | None
    """Its title; null: nothing that is seen."""
    kind: str | None
    """Sort of thing; null: nothing that is seen."""
    path: str | None
    """Path of its page on this server; null: none."""
    state: str | None
    """How it stands, such as the name of its lane; null: it has no such thing."""
    allowed: bool
    """Whether it is there and the caller sees it."""


@read(
    "subjects.resolve",
    scope="search:read",
    words="what is behind this id, look up references, several keys at once, resolve a mention",
    example={"refs": ["WEB-1", "@ana", "project:WEB"]},
)
def resolve(tx: Read, args: SubjectsResolve) -> list[Resolved]:
    """Say what references stand for, in their order. What is not there and what you may not see are the same."""
    return [_resolved(ref, _find(tx, ref.strip())) for ref in args.refs]


def _resolved(ref: str, found: Subject | None) -> Resolved:
    if found is None:
        return Resolved(ref=ref, subject=None, title=None, kind=None, path=None, state=None, allowed=False)
    return Resolved(
        ref=ref,
        subject=found.id,
        title=found.title,
        kind=found.kind,
        path=found.path,
        state=found.state,
        allowed=True,
    )


def _find(tx: Read, ref: str) -> Subject | None:
    if "://" in ref or ref.startswith("/"):
        ref = _from_address(ref)
    found = visibility.find(tx, ref)
    if found is not None or ":" in ref:
        return found
    for kind in visibility.things(tx).values():
        if kind.references is not None and visibility.reads(tx, kind.name):
            subject = kind.references(tx, ref)
            if subject is not None and (found := visibility.find(tx, subject)) is not None:
                return found
    return None


def _from_address(address: str) -> str:
    """The subject that a path of this site shows: `/issues/WEB-1` is `issue:WEB-1`; empty where it shows none."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    if (said := _COMMENT.fullmatch(parts.fragment)) is not None:
        return f"comment:{said[1]}"
    kind, _, ref = unquote(parts.path).strip("/").partition("/")
    handled = kind in ("members", "teams") and not ref.startswith("m_")
    return f"@{ref}" if handled else f"{kind.removesuffix('s')}:{ref}"
