"""Whether generated files in a folder are of today. Knows nothing of what stands in them."""

from pathlib import Path


def stale(folder: Path, files: dict[str, str]) -> list[str]:
    """The names of the files that are missing or differ."""
    return [name for name, text in files.items() if _held(folder / name) != text]


def write(folder: Path, files: dict[str, str]) -> list[str]:
    """Write what differs; answers the names."""
    changed = stale(folder, files)
    for name in changed:
        (folder / name).write_text(files[name], encoding="utf-8", newline="\n")
    return changed


def _held(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None
