"""The help desk of the shop: what may be asked for and by mail, who asked lately, and what was answered."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

PROJECT = "SHOP"
AGENT = "priya"
Do = Callable[..., Awaitable[Any]]


class DemoCustomer(NamedTuple):
    handle: str
    name: str
    email: str


class DemoRequest(NamedTuple):
    """What one of them asked for so many hours ago, which issue it became, and who said what on it: the customer, or
    the team in a note or an answer."""

    hours: float
    who: str
    kind: str
    title: str
    text: str
    said: tuple[tuple[str, str], ...]


CUSTOMERS = (
    DemoCustomer("rita", "Rita Calder", "rita@calder.example"),
    DemoCustomer("ole", "Ole Brandt", "ole@brandt.example"),
)
TYPES: tuple[dict[str, Any], ...] = (
    {
        "name": "Something is wrong with the shop",
        "description": "A page, a payment, an order that does not come",
        "issue_type": "bug",
        "fields": [
            {
                "field": "description",
                "label": "What happened?",
                "help": "What did you do before?",
                "required": True,
            },
            {"field": "severity", "label": "How bad is it?", "required": False},
        ],
    },
    {
        "name": "A question",
        "description": "Sizes, care, deliveries, returns",
        "issue_type": "task",
        "fields": [{"field": "description", "label": "What would you like to know?", "required": True}],
    },
)
REQUESTS = (
    DemoRequest(
        70,
        "rita",
        "Something is wrong with the shop",
        "My order was paid twice",
        "The page stood still, so I pressed *Pay* again. The bank took it twice.",
        (
            ("note", "This is the slow connection again. The second payment is held back already."),
            ("answer", "Sorry about that. The second payment was held back and is on its way to you."),
            ("customer", "It is here. Thank you!"),
        ),
    ),
    DemoRequest(
        26,
        "ole",
        "A question",
        "Do the boots run small?",
        "I have 43 in everything else and walk with thick socks.",
        (("answer", "With thick socks take 44. Send them back for nothing if they do not fit."),),
    ),
    DemoRequest(
        3,
        "ole",
        "Something is wrong with the shop",
        "The size chart does not open on my phone",
        "I tap on it and nothing comes.",
        (),
    ),
)
MAILBOXES: tuple[dict[str, Any], ...] = (
    {"name": "Fernhill help", "target": {"desk": PROJECT}, "deny": ["news.example"]},
    {"name": "Ideas of the team", "target": {"project": PROJECT}},
)
"""A mail service posts to them: nothing is asked elsewhere."""
RECEIPT = {
    "key": "desk.receipt",
    "locale": "en",
    "subject": "[{{key}}] We have it: {{title}}",
    "body": (
        "Hello {{name}},\n\nthank you for writing to us: it is {{key}}. We look at it within a working day. To add"
        " something, answer this letter, or go here:\n\n{{link}}\n\nSee you outside,\n{{desk}}, {{org}}"
    ),
}


async def open_desk(do: Do) -> dict[str, int]:
    """The shop takes requests from now on; answers the types by name."""
    kinds: list[dict[str, Any]] = []
    await do(
        "jonas",
        "desk.save",
        project=PROJECT,
        name="Fernhill help",
        intro="Ask us about your order, or about what fits.",
        open_signup=True,
        reopen_days=30,
    )
    for kind in TYPES:
        kinds = await do("jonas", "desk.request_type_save", project=PROJECT, **kind)
    for mailbox in MAILBOXES:
        await do("jonas", "mail.mailbox_save", protocol="hook", **mailbox)
    await do("jonas", "mail.template_save", **RECEIPT)
    return {kind["name"]: kind["id"] for kind in kinds}


async def ask(do: Do, request: DemoRequest, kind: int) -> None:
    """A customer asks, and what was said follows."""
    made = await do(
        request.who,
        "desk.portal_create",
        title=request.title,
        type=kind,
        values={"description": request.text},
    )
    key = made["key"]
    for how, text in request.said:
        if how == "customer":
            await do(request.who, "desk.portal_comment", key=key, body=text)
        else:
            note = {"internal": True} if how == "note" else {}
            await do(AGENT, "comments.create", subject=f"issue:{key}", body=text, **note)
