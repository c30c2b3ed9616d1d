"""Give an issue what a template of a checklist says."""

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Id, Input
from kbwork.core.operations.declare import write
from kbwork.core.references import IssueRef
from kbwork.db.tx import Write
from kbwork.modules.checklists import queries
from kbwork.modules.checklists.model import Checklist, ChecklistAdded
from kbwork.modules.checklists.templates import put, stored
from kbwork.modules.issues import preconditions


class ChecklistsApply(Input):
    key: IssueRef
    template: Id
    """Id of a template, from `checklists.templates`."""


@write(
    "checklists.apply",
    scope="issues:write",
    words=(
        "use a checklist template, add the definition of done, standard checklist, "
        "release checklist, onboarding checklist"
    ),
    emits=[ChecklistAdded],
    example={"key": "WEB-1", "template": 1},
)
def apply(tx: Write, args: ChecklistsApply) -> Checklist:
    """Put the items of a template at the end of the checklist of an issue, whatever its type.

    Those that stand there already, word for word and not ticked, are not put there again.
    """
    row = preconditions.changeable(tx, args.key)
    if args.template not in [one["id"] for one in queries.templates(tx)]:
        raise InvalidInput(
            f"There is no checklist template {args.template}; checklists.templates shows them.",
            field="template",
        )
    put(tx, row, stored(tx, args.template))
    return queries.shown(tx, row)
