"""Sample data of a new org: one project with work at every stage, which goes as it came, as a project."""

import datetime
from collections.abc import Iterator
from typing import Any

KEY = "SAMPLE"
_PARTS = ("Catalogue", "Checkout", "Account")
_LABELS = (
    ("needs design", "#8a5cd6", "Somebody should draw it first"),
    ("regression", "#d64545", "It worked before"),
    ("small", "#3f9142", "Done within a day"),
)
_ABOUT = (
    "A sample to look around in. Drag cards over the board, open an issue and change what you like: nothing here is"
    " anybody's. Delete the project when you have seen enough, and all of it goes with it."
)
_ISSUES: tuple[dict[str, Any], ...] = (
    {"title": "Checkout works on any phone", "type": "epic", "priority": "high", "status": "in_progress"},
    {
        "title": "Pay without an account",
        "parent": 1,
        "status": "in_progress",
        "priority": "high",
        "estimate": 5,
        "components": ["Checkout"],
        "assignees": ["me"],
        "days": 4,
        "body": "People leave when they are asked for a password.\n\n- address and card on one page\n- an account"
        " can be made **behind** the order",
        "steps": "Draw the page\nTry it with five people\nTranslate the texts",
        "said": "Three of the five people who tried it never saw the button. Shall we move it up?",
    },
    {
        "title": "The pay button hides behind the keyboard on small screens",
        "parent": 1,
        "type": "bug",
        "status": "in_review",
        "priority": "urgent",
        "labels": ["regression"],
        "components": ["Checkout"],
        "assignees": ["me"],
        "days": -1,
        "body": "1. Put something into the cart\n2. Open the checkout on a phone\n3. Type a voucher\n\nThe button is"
        " below the keyboard, and the page does not scroll.",
    },
    {"title": "Remember the address of the last order", "parent": 1, "labels": ["small"], "days": 12},
    {
        "title": "Sizes are sorted by number, not by letter",
        "type": "bug",
        "status": "done",
        "components": ["Catalogue"],
        "assignees": ["me"],
        "said": "Done: XS comes before S now.",
    },
    {
        "title": "Filter by colour",
        "status": "in_progress",
        "components": ["Catalogue"],
        "labels": ["needs design"],
        "estimate": 8,
    },
    {"title": "Show what is in stock at the nearest shop", "status": "backlog", "components": ["Catalogue"]},
    {"title": "A wish list that can be shared", "status": "backlog", "priority": "low"},
    {
        "title": "Delete an account without writing to us",
        "components": ["Account"],
        "priority": "medium",
        "days": 20,
    },
    {"title": "Orders of the last two years as a table", "components": ["Account"], "labels": ["small"]},
    {
        "title": "Change the address of an order that is not packed yet",
        "status": "in_review",
        "components": ["Account"],
        "estimate": 3,
    },
    {"title": "Say how long delivery takes before somebody pays", "priority": "medium", "days": 7},
    {"title": "Pictures load in a second on the train", "status": "done", "components": ["Catalogue"]},
    {"title": "Texts of the order mail", "status": "done", "type": "task", "labels": ["small"]},
)


def calls(today: datetime.date) -> Iterator[tuple[str, dict[str, Any]]]:
    """What makes it, by the operations that people use, for the owner to call."""
    yield (
        "projects.create",
        {"key": KEY, "name": "Sample project", "kind": "software", "description": _ABOUT, "lead": "me"},
    )
    for name, color, about in _LABELS:
        yield "labels.save", {"name": name, "color": color, "description": about, "project": KEY}
    for name in _PARTS:
        yield "components.save", {"project": KEY, "name": name}
    for number, issue in enumerate(_ISSUES, start=1):
        value = {"project": KEY, **issue}
        days, steps, said = (value.pop(name, None) for name in ("days", "steps", "said"))
        if "parent" in value:
            value["parent"] = f"{KEY}-{value['parent']}"
        if days is not None:
            value["due_date"] = str(today + datetime.timedelta(days=days))
        yield "issues.create", value
        if steps:
            yield "checklists.add", {"key": f"{KEY}-{number}", "text": steps}
        if said:
            yield "comments.create", {"subject": f"issue:{KEY}-{number}", "body": said}
