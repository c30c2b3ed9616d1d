"""What texts can be about, as the modules say: sources with their fields, and the parts of issues."""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from kbwork.base.dataclasses import replace
from kbwork.core import org_settings
from kbwork.core.access import visibility
from kbwork.core.ports.extension import module_of
from kbwork.core.ports.query_source import (
    OwnQueryField,
    QueryCollection,
    QueryDomain,
    QueryField,
    QueryFields,
    QueryFunction,
    QueryMentions,
    QuerySource,
    TextColumn,
    relations_of,
)
from kbwork.db.tx import Read
from kbwork.tql.fields import FieldDef, FieldKind
from kbwork.tql.sources import SourceDef, Sources

_DRIVING = r"(?<!\+)\b{row}\.(?=(?:project|reporter|level|id in|internal)\b)"
_COLUMN = re.compile(r"\{row\}\.(\w+)")


class Needed(NamedTuple):
    """What a caller needs to ask for something: a scope, and the module where they were given some alone."""

    scope: str
    module: str = ""


class DeclaredSource:
    """A source with the fields that other modules add to it."""

    def __init__(self, declared: QuerySource, added: Iterable[QueryField], registry: Any) -> None:
        self.declared = declared
        self._condition = declared.seen if isinstance(declared.seen, str) else declared.seen(registry)
        self.fields: dict[str, QueryField] = {}
        """By the first name."""
        for field in (*declared.fields, *added):
            known = self.fields.get(field.name)
            self.fields[field.name] = (
                field if known is None else replace(known, texts=known.texts + field.texts)
            )
        self._seen: dict[str, str] = {}
        self.relations = relations_of(declared, registry.of(QueryMentions))

    @property
    def name(self) -> str:
        return self.declared.name

    @property
    def needed(self) -> Needed:
        return Needed(self.declared.scope, module_of(self.declared.home))

    @cached_property
    def definition(self) -> SourceDef:
        """As the language knows it."""
        declared = self.declared
        return SourceDef(
            name=declared.name,
            fields=tuple(field.field for field in self.fields.values()),
            flags=tuple(declared.flags),
            module=declared.module,
            asked=declared.asked,
            domain=declared.domain,
            relations=frozenset(self.relations),
        )

    @cached_property
    def defaults(self) -> list[FieldDef]:
        """The fields that are told where none are selected."""
        return [self.fields[name].field for name in self.declared.defaults.split()]

    def field(self, tx: Read, name: str) -> QueryField | None:
        """A field by its first name, or one that the org made."""
        return own_fields(tx, self.name).get(name) if name.startswith("cf.") else self.fields.get(name)

    def texts(self, field: QueryField) -> tuple[TextColumn, ...]:
        """Where its texts stand: a column that holds a text is one."""
        if field.texts or not isinstance(field.sql, str) or not spelled(field.field):
            return field.texts
        row = self.declared.row
        text = field.sql.format(row=row)
        ident = self.declared.ident.format(row=row)
        return (
            TextColumn(ident, text, f"{self.declared.table} {row}", f"{text} is not null and {text} <> ''"),
        )

    def seen(self, tx: Read, row: str) -> str:
        """The condition that the caller sees this row.

        It is no place to start a search: a plus before a column keeps its indexes for what the text says.
        """
        kind = tx.registry.things.get(self.declared.subject.partition(":")[0])
        hangs_by = kind.hangs_by if kind is not None else None
        return self._seen_by(row) + (visibility.hosts_held(tx, f"{row}.{hangs_by}") if hangs_by else "")

    def _seen_by(self, row: str) -> str:
        known = self._seen.get(row)
        if known is None:
            condition = re.sub(rf"\b{self.declared.row}\.", f"{row}.", self._condition)
            known = self._seen[row] = f"({re.sub(_DRIVING.format(row=row), rf'+{row}.', condition)})"
        return known


class QuerySources(dict[str, DeclaredSource]):
    """What the modules declare."""

    def __init__(self, registry: Any) -> None:
        added: list[QueryFields] = registry.of(QueryFields)
        self._added = added
        for declared in registry.of(QuerySource):
            more = [field for one in added if one.source == declared.name for field in one.fields]
            self[declared.name] = DeclaredSource(declared, more, registry)
        self.collections: Mapping[str, QueryCollection] = {
            one.name: one for one in registry.of(QueryCollection)
        }
        self.domains: Mapping[str, QueryDomain] = {one.name: one for one in registry.of(QueryDomain)}
        self.functions: Mapping[str, QueryFunction] = {one.name: one for one in registry.of(QueryFunction)}
        self.language = Sources(source.definition for source in self.values())

    @cached_property
    def of_fields(self) -> Mapping[str, Needed]:
        """Fields that tell of another source, with what that needs."""
        declared: list[QuerySource | QueryFields] = [
            *(source.declared for source in self.values()),
            *self._added,
        ]
        return {
            field.name: Needed(field.scope, module_of(one.home))
            for one in declared
            for field in one.fields
            if field.scope
        }

    @cached_property
    def of_keys(self) -> Mapping[str, Needed]:
        """Domains whose names are keys of things that a module brings, with what these need."""
        return {
            source.declared.domain: source.needed
            for source in self.values()
            if source.declared.domain and source.declared.module
        }

    @cached_property
    def of_functions(self) -> Mapping[str, Needed]:
        """Functions that look into another source, with what that needs."""
        return {
            name: Needed(one.scope, module_of(one.home)) for name, one in self.functions.items() if one.scope
        }

    def keyed(self, domain: str) -> DeclaredSource | None:
        """The source whose keys are the names of a domain."""
        name = self.language.keyed.get(domain)
        return self.get(name) if name else None

    @property
    def asked(self) -> list[str]:
        """Those that stand behind `from` and can be asked."""
        return [name for name in self.language.asked if name in self]


@lru_cache(maxsize=8)
def _of(registry: Any) -> QuerySources:
    return QuerySources(registry)


def sources(tx: Read) -> QuerySources:
    """What texts can be about."""
    return _of(tx.registry)


def own_fields(tx: Read, source: str = "issues") -> Mapping[str, OwnQueryField]:
    """The fields that the org made for the things of a source, by `cf.<key>`, as the caller sees them."""
    found: Mapping[str, OwnQueryField] = tx.memoized(
        ("tql own", source), lambda: {field.name: field for field in _own(tx, source)}
    )
    return found


def _own(tx: Read, source: str) -> Iterable[OwnQueryField]:
    declared = sources(tx).get(source)
    if declared is None or declared.declared.own is None:
        return []
    return (field for field in declared.declared.own(tx) if there(tx, field.field.module))


def there(tx: Read, module: str) -> bool:
    """Whether a module is there and switched on; always where none is named."""
    if not module:
        return True
    found: bool = tx.memoized(
        ("tql has", module),
        lambda: module in tx.registry.modules and not org_settings.module_off(tx, module),
    )
    return found


def spelled(field: FieldDef) -> bool:
    """Texts and words without a list are equal whatever their case and accents."""
    return field.kind is FieldKind.TEXT or (field.kind is FieldKind.NAME and not field.domain)


def plain_column(field: QueryField) -> str | None:
    """The column of its row that a field is, if it is no more than that."""
    match = _COLUMN.fullmatch(field.sql) if isinstance(field.sql, str) else None
    return None if match is None else match[1]
