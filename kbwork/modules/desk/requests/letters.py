"""What is mailed of a request: that it is here, and what was said on it to customers."""

from pathlib import Path

from kbwork.base.dataclasses import replace
from kbwork.base.text import whole_number
from kbwork.core import org_settings
from kbwork.core.mail.letters import letter
from kbwork.core.mail.templates import LetterKind
from kbwork.core.ports import mail
from kbwork.db.rows import CommentRow, CustomerRow
from kbwork.db.tx import Read, Write
from kbwork.modules import issues
from kbwork.modules.desk.requests import rows, thread_id
from kbwork.modules.desk.requests.rows import OwnRequest

_TEMPLATES = Path(__file__).parents[1] / "templates"
_VARIABLES = ("name", "key", "title", "desk", "org", "link")
CREATED = LetterKind(
    home=__name__,
    key="desk.receipt",
    about="To a customer whose mail became a request.",
    subject="[{{key}}] {{title}}",
    variables=_VARIABLES,
    required=("key",),
    links=("link",),
    folder=_TEMPLATES,
    file="created",
)
SAID = LetterKind(
    home=__name__,
    key="desk.reply",
    about="To customers, about what was said on a request.",
    subject="[{{key}}] {{title}}",
    variables=(*_VARIABLES, "author", "body", "files"),
    required=("body",),
    links=("link",),
    folder=_TEMPLATES,
    file="said",
)
SHARED = LetterKind(
    home=__name__,
    key="desk.shared",
    about="To a customer with whom another one shared a request.",
    subject="[{{key}}] {{title}}",
    variables=(*_VARIABLES, "author"),
    required=("link",),
    links=("link",),
    folder=_TEMPLATES,
    file="shared",
)
SURVEY = LetterKind(
    home=__name__,
    key="desk.survey",
    about="To whoever asked for something, when it is closed: how it went.",
    subject="[{{key}}] {{title}}",
    variables=(*_VARIABLES, "survey"),
    required=("survey",),
    links=("link", "survey"),
    folder=_TEMPLATES,
    file="survey",
)
_MOST_FILES = 20
"""So many are named in a letter."""
_HEARERS = (
    "select c.* from request_customer w join customer c on c.id = w.customer"
    " where w.issue = :issue and c.notify and c.blocked_at is null order by c.id"
)


def tell(tx: Write, request: OwnRequest, comment: CommentRow, files: list[str]) -> int:
    """Mail what was said to whoever sees the request, but to who said it, with the names of the files that came with
    it; answers how many letters that are."""
    if not request.desk["enabled"] or not mail.sends(tx) or org_settings.module_off(tx, "desk"):
        return 0
    author = comment["author"]
    hearers = [
        row
        for row in tx.all(_HEARERS, CustomerRow, issue=request.issue["id"])
        if author != f"customer:{row['id']}"
    ]
    name = rows.name_of(tx, author, request.desk)
    for hearer in hearers:
        _send(tx, request, hearer, SAID, {"author": name, "body": comment["body"], "files": _listed(files)})
    return len(hearers)


def _listed(files: list[str]) -> str:
    """Which files came with it: they are on the portal."""
    if not files:
        return ""
    more = f" and {len(files) - _MOST_FILES} more" if len(files) > _MOST_FILES else ""
    return f"With files, on the portal: {', '.join(files[:_MOST_FILES])}{more}"


def acknowledge(tx: Write, request: OwnRequest, customer: CustomerRow) -> None:
    """Tell whoever mailed that their request is here."""
    if mail.sends(tx):
        _send(tx, request, customer, CREATED, {})


def share(tx: Write, request: OwnRequest, customer: CustomerRow, by: CustomerRow) -> None:
    """Tell a customer that another one shared a request with them."""
    if mail.sends(tx) and customer["notify"] and customer["blocked_at"] is None:
        _send(tx, request, customer, SHARED, {"author": by["name"]})


def ask_how_it_went(tx: Write, request: OwnRequest, customer: CustomerRow, address: str) -> None:
    """Ask whoever asked for something how it went, now that it is closed."""
    if mail.sends(tx) and not org_settings.module_off(tx, "desk"):
        _send(tx, request, customer, SURVEY, {"survey": address})


def _send(
    tx: Write, request: OwnRequest, customer: CustomerRow, kind: LetterKind, told: dict[str, str]
) -> None:
    if not mail.reaches(customer["email"]):
        return
    key = issues.key_of(tx, request.issue)
    values = {
        "name": customer["name"],
        "key": key,
        "title": request.issue["title"],
        "desk": request.desk["name"],
        "org": org_settings.get(tx, "org.name") or "kbwork",
        "link": f"{mail.origin(tx)}/portal/requests/{key}",
        **told,
    }
    written = replace(
        letter(kind, values, customer["locale"]),
        about=f"issue:{request.issue['id']}",
        thread=thread_id.word(tx, request.issue["id"]),
        reply_to=thread_id.reply_to(tx, request.desk["reply_to"], request.issue["id"]),
    )
    mail.to_address(tx, customer["email"], written)


def in_subject(tx: Read, subject: str, project_keys: list[str]) -> int | None:
    """The issue whose key stands in the subject of a letter, such as `Re: [WEB-12] ...`."""
    for word in subject.replace("[", " ").replace("]", " ").replace(":", " ").split():
        project, dash, digits = word.upper().rpartition("-")
        if dash and project in project_keys and whole_number(digits) is not None:
            return issues.ident_of(tx, word)
    return None
