"""The operations of this version by what they do, read off the contract: for people, who have no tools at hand."""

from functools import cache

from kbwork.contract import load
from kbwork.contract.operation_search import OperationIndex, OperationText


def find(words: str, most: int) -> list[OperationText]:
    """The operations that do what somebody wants to do, best first."""
    return [_texts()[op] for op in _index().find(words, _texts(), most)]


@cache
def _index() -> OperationIndex[str]:
    return OperationIndex(_texts())


@cache
def _texts() -> dict[str, OperationText]:
    return {
        f"{module}.{verb}": OperationText(
            f"{module}.{verb}",
            told["summary"],
            told["doc"],
            " ".join(each["name"] for each in told["fields"]),
            told.get("words", ""),
            told["class"] == "read",
        )
        for module, one in load("cli.json")["modules"].items()
        for verb, told in one["verbs"].items()
    }
