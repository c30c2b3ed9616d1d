"""The operations of this version by what they do, read off the contract: for people, who have no tools at hand."""

from functools import cache

from kbwork.contract import load
from kbwork.contract.operation_search import OperationIndex, OperationText


def find(words: str, most: int) -> list[OperationText]:
    """The operations that do what somebody wants to do, best first."""
    return [texts()[op] for op in index().find(words, texts(), most)]


@cache
def index() -> OperationIndex[str]:
    """All of them, by their words."""
    return OperationIndex(texts())


@cache
def texts() -> dict[str, OperationText]:
    """What the contract says of each, by id."""
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
