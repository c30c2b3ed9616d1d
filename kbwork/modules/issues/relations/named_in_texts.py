"""How texts name issues: by a key, or one that they had."""

import re
from collections.abc import Iterator
from functools import partial

from kbwork.base.patterns import pattern
from kbwork.core.ports.query_source import QueryNamed
from kbwork.db.tx import Read
from kbwork.modules.issues import access

_KEY = pattern(r"(?<![\w-])[a-z][a-z0-9]{1,9}-[0-9]{1,9}(?![\w-])", re.IGNORECASE)
KEYS = (
    "select k.key || '-' || n.number from (select project, number from issue where id = :id union all"
    " select project, number from former_number where issue = :id) n join project_key k on k.project = n.project"
)
"""All keys of an issue, former ones too."""


def _needles(tx: Read, issue: int) -> list[str]:
    return tx.column(KEYS, id=issue)


def _named(tx: Read, text: str) -> Iterator[int]:
    for key in dict.fromkeys(match[0].upper() for match in _KEY.finditer(text)):
        ident: int | None = tx.memoized(("issue named", key), partial(access.ident_of, tx, key))
        if ident is not None:
            yield ident


NAMED = QueryNamed(home=__name__, source="issues", needles=_needles, named=_named)
