"""Where files hang, and what the caller may do there: as the kind of the subject says."""

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed, NotFound
from kbwork.core.access import visibility
from kbwork.core.ports.files import Fileable, FileTarget
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Read


def fileables(tx: Read) -> dict[str, Fileable]:
    """The kinds of things that take files, in their order."""
    return {kind.name: kind.files for kind in tx.registry.in_order if kind.files is not None}


def hosts(tx: Read, subject: str) -> tuple[Fileable, str]:
    """How the subject of a stored file takes files, and what stands behind its colon."""
    kind, ref = ref_of(subject)
    return fileables(tx)[kind], ref


def beneath(tx: Read) -> list[str]:
    """Selects of what hangs on `:subject` and takes files itself."""
    return [
        f"select '{kind.name}:' || id from {table} where {kind.hangs_by} = :subject"
        for kind in tx.registry.in_order
        if kind.files is not None and kind.hangs_by is not None
        for table in kind.trashed
    ]


def target(tx: Read, subject: str) -> FileTarget:
    """The subject with this id; without a kind it is of the first of them, as the key of an issue is.

    Raises NotFound, also where it is not seen, InvalidInput for kinds that take no files.
    """
    kinds = fileables(tx)
    kind, ref = ref_of(subject.strip())
    files = kinds.get(kind or next(iter(kinds)))
    if files is None:
        raise InvalidInput(
            f"{kind!r} takes no files.", field="subject", allowed=[f"{name}:<id>" for name in kinds]
        )
    found = files.target(tx, ref) if visibility.holds(tx, kind) else None
    if found is None:
        raise NotFound(f"There is no {subject!r} that you can see.")
    return found


def require_add(tx: Read, on: FileTarget) -> None:
    """Raises NotAllowed where the caller may not add files there, Conflict where nothing may be changed."""
    if not on.adds:
        who = ", ".join(files.who_adds for files in fileables(tx).values())
        raise NotAllowed(f"You may see this and add no files: {who}.")
    require_awake(on)


def require_awake(on: FileTarget) -> None:
    """Raises Conflict where nothing may be changed now."""
    if on.closed is not None:
        raise Conflict(on.closed)
