"""kbwork: plan, track, document, serve customers and ship behind feature flags, over one SQLite file."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kbwork.contract.kbwork_client import Kbwork, KbworkProblem

__version__ = "0.2.0"
__all__ = ["Kbwork", "KbworkProblem", "__version__"]


def __getattr__(name: str) -> Any:
    """The client, imported when it is asked for: the same as in the file that the server hands out."""
    if name in ("Kbwork", "KbworkProblem"):
        from kbwork.contract import kbwork_client  # noqa: PLC0415 - the command line starts without it

        return getattr(kbwork_client, name)
    raise AttributeError(f"module 'kbwork' has no attribute {name!r}")
