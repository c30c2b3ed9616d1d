"""What the declaration of an operation says of it."""

from kbwork.app import registry
from kbwork.modules.issues.events import IssueUpdated
from kbwork.modules.labels.model import LabelMerged, LabelSaved


def test_the_kinds_of_events_of_its_own_module_are_those_that_it_declares() -> None:
    """Those of other modules come from their code."""
    save = registry().require("labels.save")
    assert [save.may_emit(kind) for kind in (LabelSaved, LabelMerged, IssueUpdated)] == [True, False, True]
    assert registry().require("api.batch").may_emit(LabelMerged)
