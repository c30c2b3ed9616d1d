"""What a transition may ask for on the way: own fields, and those that every issue has."""

from collections.abc import Mapping

from kbwork.base.errors import InvalidInput
from kbwork.base.text import did_you_mean
from kbwork.issuefields import FIELDS, IssueField
from kbwork.modules import fields

SAID = (
    IssueField("comment", "comment", "Comment", "paragraph"),
    IssueField("outcome", "outcome", "Outcome", "select"),
)
"""What is said on the way: no issue holds it before."""
PLAIN = {field.name: field for field in (*(one for one in FIELDS if one.asked), *SAID)}
_BY_NAME = {name: field for field in PLAIN.values() for name in (field.name, field.input, *field.aliases)}

Askable = int | str
"""The id of an own field, or the name of a plain one."""


def plain(name: str) -> IssueField | None:
    """The plain field that a name means."""
    return _BY_NAME.get(name.strip().lower())


def askable(known: Mapping[int, fields.OwnField], name: str, path: str) -> Askable:
    """The field that a name means. Raises InvalidInput naming the nearest, and for one that is computed."""
    if (found := plain(name)) is not None:
        return found.name
    own = [field for field in known.values() if field.home == "issue"]
    if not fields.named(own, name) and (hint := did_you_mean(name, _BY_NAME)):
        raise InvalidInput(f"There is no field {name[:100]!r}.{hint}", field=path, allowed=sorted(PLAIN))
    field = fields.pick(own, name, path=path)
    if not field.fillable:
        raise InvalidInput(f"{field.name} is computed: nobody can fill it in.", field=path)
    return field.id


def shown(known: Mapping[int, fields.OwnField], asked: Askable) -> str | None:
    """The key or name of a field as it is answered; None for an own one that is gone."""
    if isinstance(asked, str):
        return asked
    return known[asked].key if asked in known else None
