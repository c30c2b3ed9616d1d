"""What is mailed about signing in."""

from pathlib import Path

from kbwork.core import org_settings
from kbwork.core.mail_templates import texts
from kbwork.core.ports import mail
from kbwork.core.ports.mail import Letter
from kbwork.db.tx import Read, Row, Write

_TEMPLATES = Path(__file__).parent / "templates"
_SUBJECTS = {"password": "Set a new password for {org}", "sign-in": "Sign in to {org}"}


def link(tx: Read, row: Row, purpose: str, path: str) -> Letter:
    """The letter that carries a link to the page that it opens."""
    values = _values(tx, row) | {"link": mail.origin(tx) + path}
    text, html = texts(_TEMPLATES, f"{purpose}", values)
    return Letter(subject=_SUBJECTS[purpose].format(org=values["org"]), text=text, html=html)


def tell_of_change(tx: Write, row: Row) -> None:
    """Tell a member that their password was changed, where mail goes out: it may have been somebody else."""
    if not mail.sends(tx):
        return
    values = _values(tx, row)
    text, html = texts(_TEMPLATES, "password_changed", values)
    subject = f"Your password for {values['org']} was changed"
    mail.to_member(tx, row["id"], Letter(subject=subject, text=text, html=html))


def _values(tx: Read, row: Row) -> dict[str, str]:
    return {
        "name": row["name"],
        "email": row["email"],
        "org": org_settings.get(tx, "org.name") or "kbwork",
        "origin": mail.origin(tx),
    }
