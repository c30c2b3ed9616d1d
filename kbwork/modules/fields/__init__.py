"""Own fields of issues, worklogs, companies and requests: their kinds, options, layouts and values."""

from kbwork.modules.fields import conditions
from kbwork.modules.fields.archive_hooks import is_forgotten, restored_element, told_element
from kbwork.modules.fields.catalogue import OwnField, catalogue, named, pick, stand_alone
from kbwork.modules.fields.layouts.layout import of as layout_of
from kbwork.modules.fields.layouts.rules import askable as askable_fields
from kbwork.modules.fields.layouts.rules import asked as asked_fields
from kbwork.modules.fields.model import Stored
from kbwork.modules.fields.queries import seen as seen_fields
from kbwork.modules.fields.query import deleted as deleted_query_fields
from kbwork.modules.fields.query import own as own_query_fields
from kbwork.modules.fields.values.display import held, values_of, values_of_new
from kbwork.modules.fields.values.display import one as shown_value
from kbwork.modules.fields.values.values import (
    Changes,
    Dropped,
    Resolved,
    begin,
    defaults,
    drop_unknown,
    required,
    resolve,
    write,
)
from kbwork.modules.fields.values.words import in_words, plain_words

USES = ("members", "projects", "teams", "trash", "types")
TABLES = ("field", "field_count", "field_layout", "field_option", "issue_value")
__all__ = [
    "TABLES",
    "USES",
    "Changes",
    "Dropped",
    "OwnField",
    "Resolved",
    "Stored",
    "askable_fields",
    "asked_fields",
    "begin",
    "catalogue",
    "conditions",
    "defaults",
    "deleted_query_fields",
    "drop_unknown",
    "held",
    "in_words",
    "is_forgotten",
    "layout_of",
    "named",
    "own_query_fields",
    "pick",
    "plain_words",
    "required",
    "resolve",
    "restored_element",
    "seen_fields",
    "shown_value",
    "stand_alone",
    "told_element",
    "values_of",
    "values_of_new",
    "write",
]
