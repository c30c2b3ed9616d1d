"""What is mailed about signing in."""

from pathlib import Path

from kbwork.core import org_settings
from kbwork.core.mail.letters import letter
from kbwork.core.mail.templates import LetterKind
from kbwork.core.ports import mail
from kbwork.core.ports.mail import Letter
from kbwork.db.tx import Read, Row, Write

_TEMPLATES = Path(__file__).parent / "templates"
_VALUES = ("name", "email", "org", "origin")
PASSWORD = LetterKind(
    home=__name__,
    key="auth.password",
    about="To a member who asked for a new password.",
    subject="Set a new password for {{org}}",
    variables=(*_VALUES, "link"),
    required=("link",),
    links=("link",),
    folder=_TEMPLATES,
    file="password",
)
SIGN_IN = LetterKind(
    home=__name__,
    key="auth.sign_in",
    about="To a member who signs in by a link.",
    subject="Sign in to {{org}}",
    variables=(*_VALUES, "link"),
    required=("link",),
    links=("link",),
    folder=_TEMPLATES,
    file="sign-in",
)
CHANGED = LetterKind(
    home=__name__,
    key="auth.password_changed",
    about="To a member whose password was changed.",
    subject="Your password for {{org}} was changed",
    variables=_VALUES,
    folder=_TEMPLATES,
    file="password_changed",
)
_KINDS = {"password": PASSWORD, "sign-in": SIGN_IN}


def link(tx: Read, row: Row, purpose: str, path: str) -> Letter:
    """The letter that carries a link to the page that it opens."""
    return letter(_KINDS[purpose], _values(tx, row) | {"link": mail.origin(tx) + path})


def tell_of_change(tx: Write, row: Row) -> None:
    """Tell a member that their password was changed, where mail goes out: it may have been somebody else."""
    if mail.sends(tx):
        mail.to_member(tx, row["id"], letter(CHANGED, _values(tx, row)))


def _values(tx: Read, row: Row) -> dict[str, str]:
    return {
        "name": row["name"],
        "email": row["email"],
        "org": org_settings.get(tx, "org.name") or "kbwork",
        "origin": mail.origin(tx),
    }
