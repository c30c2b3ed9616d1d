"""The language with the sources that the product has."""

from functools import partial

from kbwork.app import registry
from kbwork.modules.tql.sources import QuerySources
from kbwork.tql.parser import query

SOURCES = QuerySources(registry()).language
parse = partial(query.parse, sources=SOURCES.asked)
parse_expr = partial(query.parse_expr, sources=SOURCES.asked)
parse_value = partial(query.parse_value, sources=SOURCES.asked)
