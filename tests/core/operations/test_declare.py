"""What the declaration of an operation says of it."""

import sys
import threading
from collections.abc import Iterator

import pytest

from kbwork.app import registry
from kbwork.base.model import Id, Input, Name
from kbwork.modules.issues.events import IssueUpdated
from kbwork.modules.labels.model import LabelMerged, LabelSaved


def test_the_kinds_of_events_of_its_own_module_are_those_that_it_declares() -> None:
    """Those of other modules come from their code."""
    save = registry().require("labels.save")
    assert [save.may_emit(kind) for kind in (LabelSaved, LabelMerged, IssueUpdated)] == [True, False, True]
    assert registry().require("api.batch").may_emit(LabelMerged)


@pytest.fixture
def _hurried() -> Iterator[None]:
    """Threads take turns as often as they can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("_hurried")
def test_threads_that_ask_for_an_input_at_once_get_the_same() -> None:
    """Its validator is made when it is first asked for, be that on the loop or by the writer inside a batch."""
    for _ in range(30):

        class Part(Input):
            at: Id

        class Wanted(Input):
            name: Name
            parts: list[Part]

        together = threading.Barrier(4)
        answers: list[object] = []

        def ask(
            wanted: type[Input] = Wanted, at: threading.Barrier = together, to: list[object] = answers
        ) -> None:
            at.wait(timeout=10)
            to.append(wanted.model_validate({"name": " a ", "parts": [{"at": 1}]}))

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=10)
        assert answers == [Wanted(name="a", parts=[Part(at=1)])] * 4
