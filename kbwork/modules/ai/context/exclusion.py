"""What AI never reads: named subjects, with all that they contain."""

import json
from collections.abc import Callable, Iterable

from kbwork.base.errors import AiExcluded, InvalidInput, NotFound
from kbwork.core.access import visibility
from kbwork.core.things.thing import Subject, ref_of
from kbwork.db.tx import Read
from kbwork.modules import search

KINDS = ("space", "project", "page", "issue")
"""Kinds of subjects that may be excluded."""
_FORMS = ["space:<key>", "project:<key>", "page:<id>", "issue:<n>"]
_DEEPEST = 20


def checked(tx: Read, ref: str, field: str) -> str:
    """A subject that may be excluded, under its present name. Raises InvalidInput."""
    subject = visibility.canonical(tx, ref)
    if ref_of(subject)[0] not in KINDS:
        raise InvalidInput(
            f"{ref!r} cannot be excluded: write one of these forms.", field=field, allowed=_FORMS
        )
    found = _declared(tx, subject)
    if found is None:
        raise InvalidInput(f"There is no {ref!r} to exclude.", field=field)
    return found[0]


def present(tx: Read) -> Callable[[str], str]:
    """Turns an excluded subject into its present name; one that is gone keeps its own."""
    return lambda subject: (_declared(tx, subject) or [subject])[0]


def _declared(tx: Read, subject: str) -> list[str] | None:
    """A thing and all that it is a part of, as its kind says; None where it is not there, or its kind does not say."""
    name, ref = ref_of(subject)
    kind = visibility.things(tx).get(name)
    return kind.ai.within(tx, ref) if kind is not None and kind.ai is not None else None


def _excluded(tx: Read) -> frozenset[str]:
    def find() -> frozenset[str]:
        kept: list[str] = json.loads(tx.value("select excluded from ai_policy"))
        return frozenset(map(present(tx), kept))

    found: frozenset[str] = tx.memoized("excluded from AI", find)
    return found


def _within(tx: Read, subject: str) -> Iterable[str]:
    """The thing and all that it is a part of: what it hangs on, as its kind says, or its project as search knows it."""
    for _ in range(_DEEPEST):
        declared = _declared(tx, subject)
        if declared is not None:
            yield from declared
            return
        yield subject
        found = visibility.find(tx, subject)
        if found is None or found.on is None:
            break
        subject = found.on
    text = search.text_of(tx, subject)
    if text is not None and text["project"] is not None:
        yield f"project:{text['project']}"


def any_excluded(tx: Read) -> bool:
    """Whether anything is."""
    return bool(_excluded(tx))


def excludes(tx: Read, subject: str) -> bool:
    """Whether AI may not read a subject that the caller sees."""
    excluded = _excluded(tx)
    return bool(excluded) and not excluded.isdisjoint(_within(tx, subject))


def readable(tx: Read) -> Callable[[str], bool]:
    """Whether AI may read what is near a subject."""
    return lambda subject: not excludes(tx, subject)


def require_seen(tx: Read, ref: str) -> Subject:
    """What a reference names. Raises NotFound where the caller does not see it."""
    found = visibility.referred(tx, ref)
    if found is None:
        raise NotFound(f"There is no {ref!r} that you can see.")
    return found


def require_readable(tx: Read, refs: Iterable[str]) -> list[Subject]:
    """Those subjects, all of which the caller sees and AI may read. Raises NotFound before AiExcluded."""
    found = [require_seen(tx, ref) for ref in refs]
    for one in found:
        if excludes(tx, one.id):
            raise AiExcluded(
                f"{one.id} is excluded from AI, by itself or by what it is a part of: ai.policy."
            )
    return found
