"""What is searched: each kind of subject says which words find its things, and what a hit shows of them."""

from collections.abc import Callable, Mapping
from typing import Any

from kbwork.base.dataclasses import dataclass, field
from kbwork.db.tx import Read


@dataclass(frozen=True, kw_only=True)
class Suggested:
    """How the palette names a thing by the words of its title. SQL, as in `Searchable`."""

    id: str
    hint: str
    """Where it is."""
    few: Callable[[Read, int], str | None] | None = None
    """A select of `id`, what stands behind the colon of the subjects, among which are all that the caller sees, where
    these are too few to be met among what others see; given how many are wanted. None where they are met."""


@dataclass(frozen=True, kw_only=True)
class Searchable:
    """How things of a kind are found. All but `texts` is SQL over the rows of `rows`; `visibility.binds` is bound.

    The kind names its rows as it likes, but not `kb_`: so are those called that a statement has beside them.

    Triggers of the kind's module keep the index: they insert into `search_entry` (kind, ref, title, body) what is
    there to be found, again when its texts change, and delete from it what goes.
    """

    texts: str
    """A select of (ref, title, body), all that is to be found: the index is made anew of it."""
    rows: str
    """The tables, joined, with one row a thing."""
    ref: str
    """What stands behind the colon of its subject, as the triggers write it."""
    seen: str
    """The thing is there, and the caller sees it."""
    title: str
    body: str
    """The text of which a hit shows a piece."""
    path: str
    """Where the web app shows it."""
    at: str
    """The time by which newer ones come first."""
    author: str
    heading: str = "''"
    """Words of its own that weigh more than those of the text."""
    own: str = "0"
    """The caller has to do with it: it comes before what others have to do with."""
    project: str = "null"
    """The number of the project of work that it belongs to."""
    project_key: str = "null"
    space_key: str = "null"
    """The key of the space of pages that it belongs to."""
    within: str = "null"
    """The title of what it belongs to, by which people tell it from others of its name."""
    status: str = "null"
    category: str = "null"
    archived: str = "0"
    """It is found with `is:archived` alone."""
    states: Mapping[str, str] = field(default_factory=dict)
    """Conditions for the words of `is:`. By another word none of the kind is found."""
    scopes: frozenset[str] = frozenset()
    """What a caller must hold beside the scope of the kind."""
    suggested: Suggested | None = None


@dataclass(frozen=True, kw_only=True)
class SearchableByHost:
    """How things are found that hang on others: they show where they hang, and are seen as that is."""

    texts: str
    """As in `Searchable`."""
    on: Callable[[Any], Searchable | None]
    """How those are found that hang on things of these kinds (`core/things`); None where they are not."""
