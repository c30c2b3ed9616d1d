"""What each kind of letter says, as it is built in or in an admin's words."""

from typing import Annotated

from pydantic import Field, StringConstraints

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Input, Text
from kbwork.core import org_settings
from kbwork.core.mail import templates as words
from kbwork.core.mail.templates import BUILT_IN, LetterKind
from kbwork.core.operations.declare import write
from kbwork.core.ports.mail import LONGEST_SUBJECT
from kbwork.db.rows import MailTemplateRow
from kbwork.db.tx import Read, Write
from kbwork.modules.mail.model import MailTemplate, MailTemplateSaved

MOST = 1000
_BODY_CHARS = 50_000
Locale = Annotated[str, StringConstraints(max_length=35, pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$")]


class MailTemplates(Input):
    locale: Locale | None = None
    """The language whose texts are wanted, as readers of it get them; left out: the org's, and all others that were
    worded."""


@write(
    "mail.templates",
    scope="admin",
    words="wording of mails, mail texts, change the invite mail, translate mails, email templates",
    undo="it changes nothing",
    emits=[],
    example={},
)
def templates(tx: Read, args: MailTemplates) -> list[MailTemplate]:
    """List the texts of all kinds of letters by key."""
    return _listed(tx, args.locale)


class MailTemplateSave(Input):
    key: Text
    """The kind of letter, from `mail.templates`."""
    locale: Locale
    """The language of its readers: that of their profile, else of the org. A text of `de` counts for `de-AT`, too."""
    subject: Annotated[Text, Field(max_length=LONGEST_SUBJECT)]
    """With `{{name}}` where a variable stands; empty with an empty body: the built-in text again."""
    body: Annotated[Text, Field(max_length=_BODY_CHARS)]
    """Plain text with the same; the letter has it in HTML as well, with addresses of pages as links."""


@write(
    "mail.template_save",
    scope="admin",
    words="change what a mail says, reword mails, translate a mail, back to the built-in mail text",
    undo="save the text as it was",
    people="people",
    emits=[MailTemplateSaved],
    example={
        "key": "auth.sign_in",
        "locale": "de",
        "subject": "Anmelden bei {{org}}",
        "body": "Hallo {{name}},\n\nhier geht es hinein: {{link}}",
    },
)
def template_save(tx: Write, args: MailTemplateSave) -> list[MailTemplate]:
    """Word a kind of letter in a language, from the next letter on.

    A variable is put in as plain text. Unknown ones are 422 with those that there are, and so is a text without what
    the letter is for, such as its link, or with that inside another address or in the subject. People do so, by no
    limited key: letters hold links to set passwords.
    """
    kind = next((one for one in _kinds(tx) if one.key == args.key), None)
    if kind is None:
        raise InvalidInput(
            f"There is no kind of letter {args.key!r}.",
            field="key",
            allowed=[one.key for one in _kinds(tx)],
        )
    if args.subject.strip() or args.body.strip():
        _check(kind, args)
        changed, built_in = _keep(tx, args), False
    else:
        changed, built_in = _take_back(tx, args), True
    if changed:
        payload = {"template": args.key, "locale": args.locale, "built_in": built_in}
        tx.emit(MailTemplateSaved(subject="org:1", payload=payload))
    return _listed(tx, None)


def _kinds(tx: Read) -> list[LetterKind]:
    found: list[LetterKind] = tx.registry.of(LetterKind)
    return sorted(found, key=lambda one: one.key)


def _check(kind: LetterKind, args: MailTemplateSave) -> None:
    """Raises InvalidInput."""
    allowed = list(kind.variables)
    for field, text in (("subject", args.subject), ("body", args.body)):
        if not text.strip():
            raise InvalidInput("A letter has a subject and a body: name both, or neither.", field=field)
        unknown = [name for name in words.names_in(text) if name not in allowed]
        if unknown:
            raise InvalidInput(
                f"There is no variable {unknown[0][:50]!r} here.", field=field, allowed=allowed
            )
    if "\n" in args.subject.strip():
        raise InvalidInput("A subject is one line.", field="subject")
    for name in kind.required:
        if name not in words.names_in(args.body):
            raise InvalidInput(
                f"The letter is of no use without {{{{{name}}}}}.", field="body", allowed=allowed
            )
    _check_links(kind, args)


def _check_links(kind: LetterKind, args: MailTemplateSave) -> None:
    """Raises InvalidInput."""
    shown = next((name for name in words.names_in(args.subject) if name in kind.links), None)
    if shown is not None:
        raise InvalidInput(
            f"{{{{{shown}}}}} opens something for its reader: a subject, which others read, does not hold it.",
            field="subject",
        )
    inside = words.inside_address(kind, args.body)
    if inside is not None:
        raise InvalidInput(
            f"{{{{{inside}}}}} stands inside another address, or right beside other signs: put it between blanks, so"
            " that it stays whole and goes to no other site.",
            field="body",
        )


def _take_back(tx: Write, args: MailTemplateSave) -> bool:
    """Whether there was one."""
    gone = "delete from mail_template where key = :key and locale = :locale"
    return bool(tx.execute(gone, key=args.key, locale=args.locale))


def _keep(tx: Write, args: MailTemplateSave) -> bool:
    """Whether it is another text. Raises Conflict."""
    subject, body = args.subject.strip(), args.body.strip()
    was: MailTemplateRow | None = tx.stored("mail_template", [args.key, args.locale])
    if was is not None and (was["subject"], was["body"]) == (subject, body):
        return False
    if was is None and tx.value("select count(*) from mail_template") >= MOST:
        raise Conflict(f"An org has {MOST} texts of letters at most: take some back first.")
    tx.execute(
        "insert into mail_template (key, locale, subject, body) values (:key, :locale, :subject, :body)"
        " on conflict do update set subject = :subject, body = :body",
        key=args.key,
        locale=args.locale,
        subject=subject,
        body=body,
    )
    return True


def _listed(tx: Read, locale: str | None) -> list[MailTemplate]:
    wanted = locale or org_settings.get(tx, "org.locale")
    found = []
    for kind in _kinds(tx):
        row = words.own(tx, kind, wanted)
        found.append(_shown(kind, row))
        if locale is None:
            others = tx.all(
                "select * from mail_template where key = :key order by locale", MailTemplateRow, key=kind.key
            )
            found += [_shown(kind, one) for one in others if one != row]
    return found


def _shown(kind: LetterKind, row: MailTemplateRow | None) -> MailTemplate:
    return MailTemplate(
        key=kind.key,
        about=kind.about,
        locale=row["locale"] if row is not None else BUILT_IN,
        subject=row["subject"] if row is not None else kind.subject,
        body=row["body"] if row is not None else kind.built_in(),
        built_in=row is None,
        variables=list(kind.variables),
        required=list(kind.required),
    )
