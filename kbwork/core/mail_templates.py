"""Letters from templates: `<name>.txt` and `<name>.html` of a module's folder say the same."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment


def texts(folder: Path, name: str, values: dict[str, Any]) -> tuple[str, str]:
    """(plain text, HTML) of a letter."""
    environment = _environment(folder)
    return (
        environment.get_template(f"{name}.txt").render(values),
        environment.get_template(f"{name}.html").render(values),
    )


@cache
def _environment(folder: Path) -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape  # noqa: PLC0415 - only a letter needs it

    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=select_autoescape(("html",)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
