"""The invite as a letter, where this server sends mail."""

from pathlib import Path

from kbwork.core import org_settings
from kbwork.core.mail.letters import letter
from kbwork.core.mail.templates import LetterKind
from kbwork.core.ports import mail
from kbwork.db.rows import InviteRow
from kbwork.db.tx import Read, Write
from kbwork.modules.invites.model import LIVES_S

_TEMPLATES = Path(__file__).parent / "templates"
INVITE = LetterKind(
    home=__name__,
    key="invites.invite",
    about="To somebody who is invited to join.",
    subject="{{by}} invites you to {{org}}",
    variables=("by", "org", "role", "words", "email", "days", "link", "origin"),
    required=("link",),
    links=("link",),
    folder=_TEMPLATES,
    file="invite",
    body=(
        "Hello,\n\n{{by}} invites you to {{org}}, as {{role}}. There the team plans and tracks its work.\n\n"
        "{{words}}\n\nTo join, open this page, say your name and choose a password:\n\n{{link}}\n\n"
        "You will sign in as {{email}}. The link works once, for {{days}} days. If you do not want to"
        " join, do nothing.\n\n--\n{{org}}, {{origin}}\n"
    ),
)
_APART_S = 300
"""So long an address gets no second letter, whoever invites it: nobody's mailbox is flooded."""


def went_lately(tx: Read, email: str) -> bool:
    """Whether an invite to this address was made just now."""
    found = tx.one(
        "select 1 from invite where lower(email) = lower(:email) and expires_at > :since",
        email=email,
        since=tx.now + LIVES_S - _APART_S,
    )
    return found is not None


def send(tx: Write, row: InviteRow, path: str) -> None:
    """Mail an invite, in the words of whoever gets it."""
    if not mail.sends(tx) or not mail.reaches(row["email"]):
        return
    origin = mail.origin(tx)
    by = tx.value("select name from member where id = :id", id=row["invited_by"])
    values = {
        "org": org_settings.get(tx, "org.name"),
        "by": by,
        "email": row["email"],
        "role": row["role"],
        "message": row["message"],
        "words": f"{by} writes:\n\n{row['message']}" if row["message"] else "",
        "days": LIVES_S // 86400,
        "link": origin + path,
        "origin": origin,
    }
    mail.to_address(tx, row["email"], letter(INVITE, values))
