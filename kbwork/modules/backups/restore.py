"""Bring a backup back: all of it in the place of the data, or a part beside what is there."""

from typing import Annotated

from pydantic import StringConstraints
from typing_extensions import TypedDict

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed
from kbwork.base.model import Input, Text
from kbwork.core.jobs.kinds import enqueue
from kbwork.core.operations.declare import destructive
from kbwork.core.operations.external import External
from kbwork.db.tx import Write
from kbwork.modules.backups import carry_over, creation, restore_project, restore_source


class Restoring(TypedDict):
    job: int
    """The job that does it; `jobs.get` says how far it is."""


class BackupsRestore(Input):
    id: Text | None = None
    """A backup on the shelf."""
    upload: Text | None = None
    """An archive from elsewhere: the id that `POST /files/upload` answered. One of the two is named."""
    scope: Annotated[str, StringConstraints(strip_whitespace=True, max_length=100)] | None = None
    """`all`, or `project:<key>`; `all` unless given."""


@destructive(
    "backups.restore",
    scope="admin",
    words=(
        "restore yesterday's backup, roll back all data, recover from a backup, disaster recovery, "
        "bring the whole org back"
    ),
    people="people",
    elevated=True,
    undo="what was there is in the safety copy: restore that",
    example={"id": "20260301T030000Z-manual-k3f9"},
)
async def restore(out: External, args: BackupsRestore) -> Restoring:
    """Put a backup in the place of all data, or bring a project of it back beside what is there.

    Owners only. Answers the job that does it. A project comes back under a free key (`WEB2`) with new ids, and nothing
    else changes; the rest is about the whole.

    An archive that is damaged, of a newer version or of another program is refused, at once (409) or by the job, and
    nothing is changed then; so is one that was changed since this server made it. One that was made elsewhere, or has
    no signature, is restored: `origin` of the job's result says so.

    While the data change places, for about a second, every call is refused (503) and streams end. What was there goes
    into a safety copy, which holds every write that was acknowledged; its id is in the job's result. Afterwards
    everybody signs in anew, also whoever restored: sessions, links, grants of connected programs and device codes are
    void, and keys, invitations and people that were revoked, deactivated or erased since the backup stay so. Keys that
    are good in both go on, and see the job under its number.

    One restore runs at a time, and none while a backup is being taken (409). A job that is cut off before the data
    change places changes nothing and is not taken up again; after that it packs the safety copy when the server is
    there again.
    """
    source = restore_source.RestoreSource(args.id, args.upload)
    await restore_source.require_mine(out, source)
    scope = args.scope or "all"
    if out.caller.role != "owner":
        raise NotAllowed("Only an owner restores a backup.")
    if (key := restore_project.key_of(scope)) is not None:
        return Restoring(job=await restore_project.begin(out, source, key))
    _require_all(scope)
    return await _begin(out, source)


async def _begin(out: External, source: restore_source.RestoreSource) -> Restoring:
    places = await out.read(lambda tx: tx.places)
    with out.alone(creation.DOING):
        async with restore_source.at_hand(out, places, source) as archive:
            with restore_source.called(source, archive):
                await restore_source.require_room_for_all(out, places, archive)

    def begin(tx: Write) -> Restoring:
        under_way = tx.value(
            "select id from job where kind = :kind and state in ('queued', 'running')",
            kind=carry_over.RESTORE,
        )
        if under_way is not None:
            raise Conflict(f"A backup is being restored already: see job {under_way}.")
        args = {"step": "lay", "source": {"id": source.id, "upload": source.upload}}
        return Restoring(job=enqueue(tx, carry_over.RESTORE, args, message="Making the data ready"))

    return await out.conclude(begin)


def _require_all(scope: str) -> None:
    if scope == "all":
        return
    if scope.startswith("space:"):
        raise InvalidInput("Spaces come back with the module of pages; restore `all`.", field="scope")
    raise InvalidInput(
        f"{scope[:100]!r} is nothing that can be restored.",
        field="scope",
        allowed=["all", "project:<key>", "space:<key>"],
    )
