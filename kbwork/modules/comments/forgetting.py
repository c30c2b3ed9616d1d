"""Forgetting what events and records for undo say of a thing that hangs on a subject and is purged."""

from kbwork.db.tx import Write


def forget(tx: Write, subject: str, member: str, ident: int | str) -> None:
    """Empty the payloads of the subject's events whose `member` is this thing, and drop the records for undo.

    The events stay, with their numbers, kinds and times.
    """
    told = tx.column(
        "select seq from events where subject = :subject and kind glob :kinds"
        " and json_extract(payload, '$.' || :member) = :ident",
        subject=subject,
        kinds=f"{member}.*",
        member=member,
        ident=ident,
    )
    for seq in told:
        tx.execute(
            "delete from undo where seq = (select max(seq) from undo where seq <= :seq) and last_seq >= :seq",
            seq=seq,
        )
        tx.execute("update events set payload = jsonb('{}') where seq = :seq", seq=seq)
