"""Invites end with the right to make them."""

from kbwork.core.ports.rights import RestsOnRights
from kbwork.db.rows import InviteRow
from kbwork.db.tx import Write
from kbwork.modules.invites import queries, rights


def _end_unfounded(tx: Write) -> None:
    """Revoke the pending invites whose makers may not give what they give any more.

    Many are made at once and alike: of those one is judged.
    """
    judged: dict[tuple[str, ...], bool] = {}
    for row in tx.all("select * from invite where state = 'pending' order by id", InviteRow):
        offer = (row["invited_by"], row["role"], row["projects"], row["teams"])
        if offer not in judged:
            judged[offer] = rights.holds(tx, row)
        if not judged[offer]:
            queries.end(tx, row, "revoked", {"reason": "right_lost"})


RESTING = RestsOnRights(
    home=__name__,
    tables=frozenset({"member", "project", "project_member", "setting", "team_member"}),
    end=_end_unfounded,
)
