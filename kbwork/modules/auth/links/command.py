"""A link for a new password by the operator, who holds the data folder."""

from kbwork.base.errors import Conflict, NotFound
from kbwork.db.tx import Write
from kbwork.modules.auth import login
from kbwork.modules.auth.links import mailed_links
from kbwork.modules.auth.totp import factor


def link_by_command(tx: Write, email: str, *, second_factor: bool) -> str:
    """The path of a new link for who has this address; `second_factor` takes theirs away as well.

    Raises NotFound where nobody has it, and Conflict for whoever may not sign in.
    """
    row = login.by_email(tx, email)
    if row is None:
        raise NotFound(f"Nobody here has the address {email}: write it as it stands in the list of members.")
    if row["state"] != "active":
        hint = {
            "invited": "send the invite again",
            "deactivated": "an admin brings them back with members.deactivate",
        }
        raise Conflict(f"{email} is {row['state']}: {hint.get(row['state'], 'their account is no more')}.")
    if second_factor:
        factor.take_away(tx, row["id"], by="command")
    return mailed_links.make(tx, row, "password", "command")
