"""A letter of a kind: its subject, text and HTML as they are built in, and what an admin's words are filled with."""

from collections.abc import Mapping
from typing import Any

from kbwork.core.mail import templates
from kbwork.core.mail.templates import LetterKind, OwnWords
from kbwork.core.ports.mail import Letter

_FOOT = "\n--\n"


def letter(
    kind: LetterKind, values: Mapping[str, Any], locale: str | None = None, *, subject: str | None = None
) -> Letter:
    """`values` hold the variables of the kind and what else its file asks for; `content`, where that is a variable, is
    the built-in text without its foot. `locale` is the reader's where they are no member; `subject` takes the place of
    the built-in one.
    """
    text, html = templates.built_in(kind, values)
    told = {"content": text.partition(_FOOT)[0].strip(), **values}
    words = {name: str(told[name]) for name in kind.variables}
    return Letter(
        subject=templates.put(kind.subject, words) if subject is None else subject,
        text=text,
        html=html,
        words=OwnWords(kind, words, locale),
    )
