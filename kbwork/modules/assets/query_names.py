"""Assets, their types and their choices as the query language names them."""

import itertools
from collections.abc import Iterator
from typing import Any

from kbwork.base.text import fold
from kbwork.core.access import visibility
from kbwork.core.ports.query_source import QueryDomain, QueryFunction, TableNames, by_place, several
from kbwork.db.tx import Read, json_array
from kbwork.modules.assets import query_fields
from kbwork.modules.assets.queries import SEEN
from kbwork.tql.names import NamedThing

_MOST_NEAR = 50
_READ = frozenset({"assets:read"})


def _latest(tx: Read, _rest: str) -> Iterator[NamedThing]:
    """Some that were changed last, to choose from."""
    return _assets(tx, "1 order by a.updated_at desc, a.id desc limit 300")


def _meant(tx: Read, start: str) -> list[NamedThing]:
    """The one with this key, or else those whose folded name begins so."""
    keyed = next(_assets(tx, "a.key = :key", key=start.strip().upper()), None)
    if keyed is not None:
        return [keyed]
    form = fold(start)
    near = "substr(lower(a.name), 1, length(:form)) = :form or a.name glob '*[^ -~]*'"
    found = _assets(tx, f"({near}) order by length(a.name), a.id", form=form)
    return list(itertools.islice((one for one in found if fold(one.name).startswith(form)), _MOST_NEAR))


def _assets(tx: Read, near: str, **binds: Any) -> Iterator[NamedThing]:
    rows = tx.all(
        f"select a.key, a.name from asset a where {SEEN} and {near}", **binds, **visibility.binds(tx)
    )
    return (NamedThing(row["key"], row["name"], key=row["key"]) for row in rows)


def _types(tx: Read, _rest: str) -> Iterator[NamedThing]:
    for row in tx.all(
        f"select id, key, name from asset_type where {SEEN} order by position, id", **visibility.binds(tx)
    ):
        yield NamedThing(str(row["id"]), row["name"], key=row["key"])


def _options(tx: Read, field: str) -> Iterator[NamedThing]:
    return (NamedThing(one, one) for one in query_fields.options(tx, field))


def _option_ranks(tx: Read, field: str) -> dict[str, tuple[int, float, str]]:
    return by_place(query_fields.options(tx, field))


_TYPES = TableNames("asset_type", "key")
ASSET = QueryDomain(home=__name__, name="asset", some=_latest, begins=_meant, scopes=_READ)
ASSET_TYPE = QueryDomain(
    home=__name__, name="asset_type", some=_types, scopes=_READ, shown=_TYPES.shown, ranks=_TYPES.ranks
)
OPTION = QueryDomain(home=__name__, name="option", some=_options, scopes=_READ, ranks=_option_ranks)


def _owned(tx: Read, who: Any) -> list[str]:
    """Assets that somebody owns, retired ones too."""
    return tx.column(
        "select a.key from asset a where a.owner in (select value from json_each(:who))"
        f" and {SEEN} order by a.id",
        who=json_array(several(who)),
        **visibility.binds(tx),
    )


ASSETS_OF = QueryFunction(home=__name__, name="assetsOf", call=_owned, scope="assets:read")
