"""What the people of Fernhill Outdoor wrote down: a handbook as a tree, and articles for customers."""

from kbwork.base.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DemoSpace:
    key: str
    name: str
    kind: str
    description: str
    owner: str


@dataclass(frozen=True, slots=True)
class DemoPage:
    """`parent` is the title of another one, before it."""

    space: str
    title: str
    who: str
    body: str
    parent: str | None = None
    icon: str | None = None


SPACES = (
    DemoSpace("HAND", "Handbook", "team", "How we work at Fernhill, for everybody here.", "priya"),
    DemoSpace("HELP", "Help centre", "kb", "What customers ask most, answered.", "ellis"),
)
PAGES = (
    DemoPage(
        "HAND",
        "Welcome to Fernhill",
        "priya",
        "# Your first week\n\n1. Get your laptop from @jonas.\n2. Read [[How we plan]].\n3. Spend a day in the"
        " warehouse with @ellis.\n\n# Where things are\n\n- Work is in the projects SHOP, OPS and TRAIL.\n- What"
        " customers ask is answered in [[HELP/returns]].\n",
        icon="tent",
    ),
    DemoPage(
        "HAND",
        "How we plan",
        "priya",
        "# Mondays\n\nWe look at the board, and move what is blocked out of the way.\n\n# What is ready\n\nA story is"
        " ready when somebody else understood it. Then it may be estimated.\n",
        parent="Welcome to Fernhill",
    ),
    DemoPage(
        "HAND",
        "How we release",
        "tomas",
        "# Before\n\n- [ ] Tried by somebody else\n- [ ] Texts in all languages\n\n# After\n\nWatch the orders for an"
        " hour. If they drop, switch the flag off and write in [[When something breaks]].\n",
        parent="Welcome to Fernhill",
    ),
    DemoPage(
        "HAND",
        "When something breaks",
        "noor",
        "# First\n\nSay so in the chat, then look for what changed last: a release, a flag, a carrier.\n\n# Log\n\n"
        "- The cart lost its vouchers on a Friday, see SHOP-3. The flag was off in four minutes.\n",
        parent="How we release",
    ),
    DemoPage(
        "HAND",
        "Words we use",
        "kei",
        "| word | means |\n|---|---|\n| trail | a route in the app |\n| drop | a delivery to a shop |\n",
        parent="Welcome to Fernhill",
    ),
    DemoPage(
        "HELP",
        "Returns",
        "ellis",
        "# How long do I have?\n\nThirty days, in the box that it came in.\n\n# Who pays?\n\nWe do. Print the label"
        " that lay in the parcel; if it is lost, see [[Delivery]].\n",
    ),
    DemoPage(
        "HELP",
        "Delivery",
        "ellis",
        "# How long does it take?\n\nTwo days in most of Europe, five to islands.\n\n# Where is my parcel?\n\nThe mail"
        " about your order has a link to the carrier.\n",
    ),
    DemoPage(
        "HELP",
        "Care for a tent",
        "priya",
        "# Wash it by hand\n\nWith water alone. Soap takes the coating off.\n\n# Dry it\n\nA night on a line, before it"
        " goes into its bag. How to send one back: [[Returns]].\n",
    ),
)
