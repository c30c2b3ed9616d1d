"""The words of the query language: what can be asked for, by which fields, and what stands between them.

Read off the language's own tables and what the modules declare. What comes with a module that is not there is left out.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from kbwork.core.operations.registry import Registry
from kbwork.core.ports.query_source import (
    QueryCollection,
    QueryFields,
    QueryMentions,
    QuerySource,
    relations_of,
)
from kbwork.tql import meanings
from kbwork.tql.fields import FieldDef
from kbwork.tql.operators import HISTORY, operators_of
from kbwork.tql.words import (
    AGGREGATES,
    COLLECTIONS,
    FLAGS,
    FUNCTIONS,
    GROUPS,
    ISSUE_RELATIONS,
    QUANTIFIERS,
    UNITS,
    WHEN,
)


def tql(registry: Registry) -> dict[str, Any]:
    """{sources, functions, flags, relations, collections, aggregates, groups, history, when, quantifiers, units}."""
    sources = sorted(
        registry.of(QuerySource), key=lambda one: (one.name != "issues", not one.asked, one.name)
    )
    kept = {one.name for one in registry.of(QueryCollection)}
    return {
        "sources": [_source(registry, one) for one in sources],
        "functions": [
            {"call": one.call, "gives": one.gives, "many": one.many, "means": meanings.FUNCTIONS[one.name]}
            for one in FUNCTIONS.values()
            if _there(registry, one.module)
        ],
        "flags": _told(FLAGS, meanings.FLAGS),
        "relations": _told(ISSUE_RELATIONS, meanings.RELATIONS),
        "collections": [
            {"name": name, "source": source, "means": meanings.COLLECTIONS[name]}
            for name, (source, _) in COLLECTIONS.items()
            if name in kept
        ],
        "aggregates": _told(AGGREGATES, meanings.AGGREGATES),
        "groups": list(GROUPS),
        "history": list(HISTORY),
        "when": _told(WHEN, meanings.WHEN),
        "quantifiers": list(QUANTIFIERS),
        "units": _told(UNITS, meanings.UNITS),
    }


def _told(words: Iterable[str], means: Mapping[str, str]) -> dict[str, str]:
    return {word: means[word] for word in words}


def _there(registry: Registry, module: str) -> bool:
    return not module or module in registry.modules


def _source(registry: Registry, declared: QuerySource) -> dict[str, Any]:
    fields: dict[str, FieldDef] = {one.name: one.field for one in declared.fields}
    for more in registry.of(QueryFields):
        if more.source == declared.name:
            fields = {one.name: one.field for one in more.fields} | fields
    return {
        "name": declared.name,
        "asked": declared.asked,
        "scope": declared.scope,
        "own": declared.own is not None,
        "columns": declared.defaults.split(),
        "flags": list(declared.flags),
        "relations": _told(
            () if declared.name == "issues" else relations_of(declared, registry.of(QueryMentions)),
            meanings.RELATIONS,
        ),
        "fields": [_field(fields[name]) for name in sorted(fields) if _there(registry, fields[name].module)],
    }


def _field(field: FieldDef) -> dict[str, Any]:
    return {
        "name": field.name,
        "kind": str(field.kind),
        "many": field.many,
        "aliases": list(field.aliases),
        "choices": list(field.choices),
        "to": field.to,
        "operators": list(operators_of(field)),
    }
