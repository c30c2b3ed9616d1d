"""Who works at Fernhill Outdoor, on what, and what they say."""

from typing import Any

from kbwork.base.dataclasses import dataclass

ORG = "Fernhill Outdoor"


@dataclass(frozen=True, slots=True)
class DemoPerson:
    handle: str
    name: str
    role: str
    title: str
    zone: str


PEOPLE = (
    DemoPerson("mara", "Mara Lindqvist", "owner", "Founder", "Europe/Stockholm"),
    DemoPerson("jonas", "Jonas Weber", "admin", "Head of engineering", "Europe/Berlin"),
    DemoPerson("priya", "Priya Nair", "member", "Product", "Europe/London"),
    DemoPerson("tomas", "Tomás Silva", "member", "Web developer", "Europe/Lisbon"),
    DemoPerson("noor", "Noor Haddad", "member", "Web developer", "Europe/Berlin"),
    DemoPerson("kei", "Kei Tanaka", "member", "App developer", "Asia/Tokyo"),
    DemoPerson("ellis", "Ellis Grant", "member", "Warehouse", "Europe/London"),
    DemoPerson("rosa", "Rosa Marín", "guest", "Supplier of tents", "Europe/Madrid"),
)


ASKED = (
    (31, "priya", "SHOP", "@mara may we say this on the front page, or is it too early?"),
    (26, "ellis", "OPS", "The carrier wants an answer by Friday. @mara, whom do we tell?"),
    (5, "kei", "TRAIL", "@mara the translators ask what we call this in Swedish."),
)
"""(hours before now, who, project, what they ask the founder on an open issue of it)."""
GIVEN = ((20, "jonas", "SHOP", 1), (3, "jonas", "OPS", 6))
"""(hours before now, who gives the founder an open issue, of which project, due in how many days)."""
ANSWER = (
    44,
    "tomas",
    "SHOP",
    "How many people does it hit?",
    "Eleven wrote since Monday, all with the old app.",
)
"""(hours before now, who answers, on which project, what the founder asked, the answer)."""
TO_AGREE = (
    9,
    "jonas",
    "Pages open in a second on the train",
    "Measured on the way to Bremen: 0.9 seconds, and 0.7 the day after.",
)
"""(hours before now, who asks the founder and product, which aim of the shop is reached, why)."""
KEPT_BY_ADMINS: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "automation.save",
        {
            "name": "Bugs of the shop are looked at",
            "trigger": {"kind": "event", "event": "issue.created", "tql": "project = SHOP and type = bug"},
            "actions": [
                {"op": "comments.create", "input": {"subject": "{{issue}}", "body": "Who looks at it?"}}
            ],
        },
    ),
    (
        "analytics.report_save",
        {
            "name": "What was made in a week",
            "sql": "select kind, count(*) as number from events where at > unixepoch() - 7 * 86400"
            " group by kind order by number desc limit 10",
            "every": "weekly",
        },
    ),
    (
        "webhooks.save",
        {
            "name": "Stock keeping",
            "url": "https://stock.fernhill.example/kbwork",
            "events": ["issue.*"],
            "project": "SHOP",
            "enabled": False,
        },
    ),
    (
        "chat.connection_save",
        {"name": "Fernhill", "provider": "slack", "project": "SHOP", "secret": "a-secret-of-the-sample"},
    ),
)
"""What runs and tells by itself, and to where; nothing leaves the sample."""
PROVIDER = {
    "id": "house",
    "label": "The machine in the cellar",
    "kind": "openai",
    "base_url": "http://127.0.0.1:11434/v1",
    "default_model": "llama3.2",
    "models": ["llama3.2"],
    "enabled": False,
    "needs_key": False,
    "browser": False,
}
READER = {
    "key": "support",
    "label": "Customer service",
    "instructions": "Say what customers notice and what to tell them, in short sentences and without code.",
}
PROPOSED = (
    30,
    "tomas",
    "SHOP",
    "Thank you for looking into it. Could you say with which app and since when it happens?",
)
"""(hours before now, who asked a model for a reply, on an issue of which project, what it wrote)."""
ROLLED_OUT_NEXT = ("new-payment-interface", 2, "Nothing went wrong for a month: the old way may go.")
"""A flag of which the next step waits for approval: (key, hours before now, why)."""


@dataclass(frozen=True, slots=True)
class DemoProject:
    """What a project is, who works in it, and its work: parts, larger aims, and issues as (type, part, title)."""

    key: str
    name: str
    kind: str
    visibility: str
    lead: str
    team: tuple[str, ...]
    description: str
    parts: tuple[str, ...]
    aims: tuple[str, ...]
    issues: tuple[tuple[str, str, str], ...]


SHOP = DemoProject(
    key="SHOP",
    name="Web shop",
    kind="software",
    visibility="org",
    lead="jonas",
    team=("priya", "tomas", "noor"),
    description="Everything that customers see at fernhill.example, and what stands behind it.",
    parts=("Catalogue", "Checkout", "Search", "Account", "Returns"),
    aims=(
        "Customers find the right size the first time",
        "Checkout works on any phone",
        "Returns without an e-mail",
        "Pages open in a second on the train",
    ),
    issues=(
        ("bug", "Checkout", "The cart forgets its voucher after signing in"),
        ("bug", "Checkout", "Postcodes with a space are refused"),
        ("bug", "Checkout", "Paying twice is possible with a slow connection"),
        ("bug", "Checkout", "The shipping price jumps after the address is entered"),
        ("story", "Checkout", "Pay by invoice for clubs and schools"),
        ("story", "Checkout", "Remember the last pick-up point"),
        ("story", "Checkout", "Show the day of delivery before paying"),
        ("task", "Checkout", "Move to the new version of the payment interface"),
        ("task", "Checkout", "Write down what happens when the bank does not answer"),
        ("bug", "Catalogue", "Boots of half sizes are sorted behind whole ones"),
        ("bug", "Catalogue", "The picture of the second colour stays after going back"),
        ("bug", "Catalogue", "Tents show the weight of the packed bag twice"),
        ("story", "Catalogue", "Compare three sleeping bags side by side"),
        ("story", "Catalogue", "Size chart for children by age and height"),
        ("story", "Catalogue", "Show what fits together: stove and cartridge"),
        ("story", "Catalogue", "Say how a jacket was rated by people of my height"),
        ("task", "Catalogue", "New pictures of the winter collection"),
        ("task", "Catalogue", "Texts for the Portuguese catalogue"),
        ("task", "Catalogue", "Take discontinued poles out of the feed"),
        ("bug", "Search", "Searching for gore tex finds nothing without the hyphen"),
        ("bug", "Search", "Filters are lost when a page is opened in a new tab"),
        ("story", "Search", "Suggest products while typing"),
        ("story", "Search", "Search by article number from the paper catalogue"),
        ("task", "Search", "Measure what people search for and do not find"),
        ("bug", "Account", "The sign-in mail lands in the spam folder of one provider"),
        ("bug", "Account", "Names with an apostrophe look broken on the invoice"),
        ("story", "Account", "Sign in with a link instead of a password"),
        ("story", "Account", "Wish lists that can be shared with the family"),
        ("task", "Account", "Delete accounts that nobody used for three years"),
        ("bug", "Returns", "The label is cut off when printed on letter paper"),
        ("bug", "Returns", "A return of two items is refunded once"),
        ("story", "Returns", "Exchange a size without a refund in between"),
        ("story", "Returns", "Tell when the parcel arrived at the warehouse"),
        ("task", "Returns", "Agree with the parcel service on pick-up at home"),
        ("bug", "Checkout", "Vouchers with a lower-case letter are refused"),
        ("bug", "Checkout", "The total is a cent off with three items on sale"),
        ("bug", "Checkout", "Going back from the bank empties the cart"),
        ("story", "Checkout", "Split an order over two addresses"),
        ("story", "Checkout", "Gift cards that arrive on the day of the birthday"),
        ("story", "Checkout", "Say how many are left before somebody pays"),
        ("task", "Checkout", "Try the whole way with a screen reader"),
        ("task", "Checkout", "Take the fax number off the forms"),
        ("bug", "Catalogue", "Prices of sets are shown without the discount"),
        ("bug", "Catalogue", "The zoom shows the wrong side of backpacks"),
        ("bug", "Catalogue", "Reviews of the old model stand below the new one"),
        ("story", "Catalogue", "Filter tents by the number of people and the season"),
        ("story", "Catalogue", "A page for each repair that we do ourselves"),
        ("story", "Catalogue", "Second-hand gear beside the new one"),
        ("story", "Catalogue", "Tell what changed between this year's and last year's model"),
        ("task", "Catalogue", "Weigh all jackets again, with the hood"),
        ("task", "Catalogue", "Name the country of origin everywhere"),
        ("task", "Catalogue", "Ask the photographer for pictures in rain"),
        ("bug", "Search", "Plural words find less than singular ones"),
        ("bug", "Search", "The second page of results repeats the first"),
        ("story", "Search", "Understand sizes in the words of the search"),
        ("story", "Search", "Remember what I looked at on another device"),
        ("task", "Search", "Words for the same thing in Swedish and Norwegian"),
        ("bug", "Account", "The newsletter cannot be left without signing in"),
        ("bug", "Account", "Orders from before the move are not listed"),
        ("story", "Account", "Download all invoices of a year at once"),
        ("story", "Account", "Clubs with several buyers and one bill"),
        ("task", "Account", "Ask for consent again, in fewer words"),
        ("task", "Account", "Shorten the form for new customers to four fields"),
        ("bug", "Returns", "The reason of a return is lost when the page is slow"),
        ("bug", "Returns", "Refunds to a gift card arrive as a new voucher"),
        ("story", "Returns", "A picture of the damage with the return"),
        ("story", "Returns", "Hand parcels in at any of our partners"),
        ("task", "Returns", "Find out why one boot in nine comes back"),
        ("task", "Returns", "Texts for the page of returns without any law in them"),
    ),
)
APP = DemoProject(
    key="TRAIL",
    name="Trail app",
    kind="software",
    visibility="org",
    lead="kei",
    team=("priya", "noor"),
    description="The free app with trails, huts and the weather, for people who bought their boots from us and others.",
    parts=("Maps", "Routes", "Weather", "Sync"),
    aims=(
        "A whole week without a network",
        "Rescue finds you",
        "Friends walk together",
    ),
    issues=(
        ("bug", "Maps", "The map turns north when the phone is locked"),
        ("bug", "Maps", "Contour lines vanish at the closest zoom"),
        ("bug", "Maps", "Downloading a region stops at 99 percent"),
        ("story", "Maps", "Download a region with one tap on the route"),
        ("story", "Maps", "Show springs and whether they carry water"),
        ("story", "Maps", "Night colours for the map"),
        ("task", "Maps", "Renew the licence for the Alpine maps"),
        ("task", "Maps", "Make tiles smaller without losing paths"),
        ("bug", "Routes", "The ascent of a round trip is counted twice"),
        ("bug", "Routes", "A recorded route has a straight line through the lake"),
        ("bug", "Routes", "Sharing a route loses its name"),
        ("story", "Routes", "Plan a day by hours of walking, not kilometres"),
        ("story", "Routes", "Warn of a via ferrata before it begins"),
        ("story", "Routes", "Suggest a way back to the nearest bus stop"),
        ("story", "Routes", "Routes that a wheelchair can go"),
        ("task", "Routes", "Check the 50 most used routes against closures"),
        ("bug", "Weather", "Thunderstorm warnings come an hour late"),
        ("bug", "Weather", "Temperatures are in Fahrenheit after an update"),
        ("story", "Weather", "Wind on ridges along the planned route"),
        ("story", "Weather", "A single warning for the whole day instead of twelve"),
        ("task", "Weather", "Compare two weather services for a month"),
        ("bug", "Sync", "Two phones on one account delete each other's notes"),
        ("bug", "Sync", "Photos are sent over mobile data though it is off"),
        ("story", "Sync", "Show the family at home where I am, for today only"),
        ("story", "Sync", "Go on recording when the app was closed by the system"),
        ("task", "Sync", "Load test with 10,000 phones coming back from the hills on Sunday"),
        ("task", "Sync", "Write the privacy page in words that people understand"),
        ("task", "Maps", "Replace the compass that drains the battery"),
        ("bug", "Maps", "Names of huts overlap on small screens"),
        ("bug", "Maps", "The scale is wrong above the polar circle"),
        ("bug", "Maps", "A downloaded region is fetched again after an update"),
        ("story", "Maps", "Draw on the map with a finger"),
        ("story", "Maps", "Say when a region was surveyed last"),
        ("story", "Maps", "Winter paths beside the summer ones"),
        ("task", "Maps", "Count how much room a phone really has"),
        ("task", "Maps", "Add the new nature reserve in Jotunheimen"),
        ("bug", "Routes", "Breaks are counted as walking time"),
        ("bug", "Routes", "The profile of a route is upside down after a rotation"),
        ("bug", "Routes", "Imported tracks end at midnight"),
        ("story", "Routes", "Turn a route around"),
        ("story", "Routes", "Leave a route with a friend who has no account"),
        ("story", "Routes", "Rate a path by how slippery it is"),
        ("story", "Routes", "Walk with a child: half the distance, twice the huts"),
        ("task", "Routes", "Ask mountain guides about thirty descents"),
        ("task", "Routes", "Write to the railway about timetables"),
        ("bug", "Weather", "The forecast of yesterday is shown without a network"),
        ("bug", "Weather", "Snow lines jump between two neighbouring valleys"),
        ("story", "Weather", "Read the forecast aloud"),
        ("story", "Weather", "How sure a forecast is, in three steps"),
        ("task", "Weather", "Agree with the weather service on a price for groups"),
        ("bug", "Sync", "A shared place stays visible after midnight"),
        ("bug", "Sync", "Signing in on a third phone signs the first one out"),
        ("story", "Sync", "Take a walk from the watch to the phone"),
        ("story", "Sync", "Keep photographs for a year, then ask"),
        ("task", "Sync", "Practise the restore of a whole region's data"),
        ("task", "Sync", "Move the servers to the new data centre"),
    ),
)
OPS = DemoProject(
    key="OPS",
    name="Warehouse and office",
    kind="business",
    visibility="members",
    lead="mara",
    team=("ellis", "priya", "jonas"),
    description="Goods in, parcels out, and what keeps the lights on.",
    parts=("Warehouse", "Suppliers", "Office"),
    aims=("Parcels leave on the day of the order", "No plastic in any parcel"),
    issues=(
        ("task", "Warehouse", "Count the stock of cartridges"),
        ("task", "Warehouse", "Second packing table for the weeks before Christmas"),
        ("task", "Warehouse", "Shelves for kayaks without a ladder"),
        ("task", "Warehouse", "Train the new colleagues on the label printer"),
        ("task", "Warehouse", "Paper tape in place of plastic tape"),
        ("task", "Warehouse", "Scanner 3 reads every tenth code twice"),
        ("task", "Warehouse", "The cold store door does not close by itself"),
        ("task", "Suppliers", "Tents: agree on a delivery date for spring"),
        ("task", "Suppliers", "Ask three makers for wool without mulesing"),
        ("task", "Suppliers", "Return the poles with the loose tips"),
        ("task", "Suppliers", "Price list for next year"),
        ("task", "Suppliers", "Visit the workshop in Porto"),
        ("task", "Office", "Renew the insurance for guided tours"),
        ("task", "Office", "Tax papers for the first quarter"),
        ("task", "Office", "Tax papers for the second quarter"),
        ("task", "Office", "Interviews for the service desk"),
        ("task", "Office", "A bench for the yard"),
        ("task", "Office", "Fire drill"),
        ("task", "Warehouse", "Stop using the slow lift in the morning"),
        ("task", "Warehouse", "Labels that stay on frozen boxes"),
        ("task", "Warehouse", "A place for prams and dogs of visitors"),
        ("task", "Warehouse", "Find out why Thursday's parcels are late"),
        ("task", "Warehouse", "Boxes in two more sizes"),
        ("task", "Warehouse", "Sort returns on the day they arrive"),
        ("task", "Warehouse", "Check the sprinklers above shelf nine"),
        ("task", "Warehouse", "Batteries go out with their own sticker"),
        ("task", "Suppliers", "Boots: talk about the new sole"),
        ("task", "Suppliers", "Second source for buckles"),
        ("task", "Suppliers", "Share the forecast of the year with the mill"),
        ("task", "Suppliers", "Samples of three cotton bags"),
        ("task", "Suppliers", "Pay small makers within a week"),
        ("task", "Suppliers", "Follow up on the stoves without a certificate"),
        ("task", "Office", "Replace the kettle"),
        ("task", "Office", "Plan the summer party by the lake"),
        ("task", "Office", "Tax papers for the third quarter"),
        ("task", "Office", "Papers for the two apprentices"),
        ("task", "Office", "Clean up the shared folder"),
        ("task", "Office", "Bicycles for errands"),
        ("task", "Office", "Find a date for the walk with all makers"),
    ),
)
PROJECTS = (SHOP, APP, OPS)
LABELS = (
    ("asked for", "#2f7fd1", "A customer wrote to us"),
    ("quick win", "#3f9142", "Less than a day"),
    ("season", "#c77d0a", "Has to be there before the season"),
    ("regression", "#d64545", "It worked before"),
    ("design", "#6a5acd", "Needs a drawing first"),
    ("data", "#5f6b7a", "About figures"),
)
SEVERITIES = (
    ("Nothing works", "#d64545"),
    ("A part does not work", "#c77d0a"),
    ("It looks wrong", "#5f6b7a"),
)
"""What bugs hold in an own field."""
VIEWS = (
    ("priya", "Asked for by customers", "label = 'asked for' open", "SHOP", "table"),
    ("jonas", "Bugs by part", "type = bug open", "SHOP", "board"),
    ("kei", "Before the season", "label = season open", "TRAIL", "table"),
    ("mara", "Waits for a month", "open updated < -30d", None, "table"),
    ("noor", "What I do", "mine open", None, "board"),
)
"""(whose, name, query, project, layout) of views that all see."""


@dataclass(frozen=True, slots=True)
class DemoBoard:
    """A board at work: its columns (name, lanes, limit, hard), and its quick filters (name, condition)."""

    owner: str
    name: str
    project: str
    query: str
    swimlanes: str | None
    columns: tuple[tuple[str, tuple[str, ...], int | None, bool], ...]
    filters: tuple[tuple[str, str], ...]


BOARDS = (
    DemoBoard(
        "jonas",
        "Shop floor",
        "SHOP",
        "project = SHOP",
        "priority",
        (
            ("Next", ("backlog", "todo"), None, False),
            ("Doing", ("in_progress", "in_review"), 12, True),
            ("Done", ("done", "cancelled", "duplicate"), None, False),
        ),
        (("Bugs", "type = bug"), ("Mine", "mine"), ("Asked for", "label = 'asked for'")),
    ),
    DemoBoard(
        "kei",
        "Trail app, this season",
        "TRAIL",
        "project = TRAIL and (open or closed > -30d)",
        "assignee",
        (
            ("To do", ("backlog", "todo"), None, False),
            ("In progress", ("in_progress", "in_review"), 20, False),
            ("Done", ("done",), None, False),
        ),
        (("Before the season", "label = season"),),
    ),
)


@dataclass(frozen=True, slots=True)
class DemoSprints:
    """Sprints of a project: one that is done, an active one, and a planned one."""

    who: str
    project: str
    names: tuple[str, str, str]
    goals: tuple[str, str, str]
    days: int
    """How long each takes."""
    began_days: int
    """So long ago the first began."""
    ended_days: int
    """So long ago it was completed and the second began."""
    issues: int
    """So many are put into each."""
    capacity: tuple[tuple[str, int], ...]


SPRINTS = DemoSprints(
    who="jonas",
    project="SHOP",
    names=("Shop sprint 25", "Shop sprint 26", "Shop sprint 27"),
    goals=(
        "Returns without a call",
        "Checkout on the small screen in three steps",
        "Search that finds what people call things",
    ),
    days=14,
    began_days=20,
    ended_days=6,
    issues=8,
    capacity=(("priya", 13), ("tomas", 10), ("noor", 8)),
)


@dataclass(frozen=True, slots=True)
class DemoFlag:
    """A flag of the shop: when it came, and on which days it went how far (percent of people in production)."""

    key: str
    name: str
    description: str
    owner: str
    came: int
    steps: tuple[tuple[int, int], ...]
    answers: int
    """How often it is asked for in an hour of the day."""
    issue: str
    """The title of the issue that it belongs to."""


FLAGS = (
    DemoFlag(
        "pay-by-invoice",
        "Pay by invoice",
        "Clubs and schools pay within thirty days.",
        "tomas",
        330,
        ((334, 5), (341, 25), (352, 50)),
        140,
        "Pay by invoice for clubs and schools",
    ),
    DemoFlag(
        "suggest-while-typing",
        "Suggestions while typing",
        "Products below the search field, from the second letter on.",
        "noor",
        280,
        ((284, 10), (290, 100)),
        420,
        "Suggest products while typing",
    ),
    DemoFlag(
        "exchange-size",
        "Exchange a size",
        "Another size of the same boot without a refund in between.",
        "priya",
        350,
        (),
        60,
        "Exchange a size without a refund in between",
    ),
    DemoFlag(
        "new-payment-interface",
        "New payment interface",
        "The bank's new way; to be taken out when the old one ends.",
        "jonas",
        200,
        ((204, 20), (215, 100)),
        300,
        "Move to the new version of the payment interface",
    ),
)
STEPS = {
    "bug": ("Find out since when", "Write a test that fails", "Mend it", "Tell the customers who wrote"),
    "story": (
        "Sketch it with two customers",
        "Build the first version",
        "Texts in all languages",
        "Try it on an old phone",
    ),
    "task": ("Ask who knows", "Do it", "Write down how it was done"),
}
BODIES = {
    "bug": (
        "## What happened\n\n{title}. Seen {where}.\n\n## What should have happened\n\nIt should simply work.\n",
        "A customer wrote to us: *{title}*. Seen {where}.\n\n1. Open the page\n2. Go on as usual\n3. Look again\n",
    ),
    "story": (
        "{title}.\n\nWhy: {aim}. We hear this {where}.\n\n- [ ] three people tried it\n- [ ] figures a month later\n",
        "We were asked for this {where}. The smallest thing that helps: one screen, no settings.\n",
    ),
    "task": (
        "To be done before the season. Whoever takes it: ask in the team first, it was begun once before.\n",
        "{title}, as agreed on Monday.\n",
    ),
}
WHERE = (
    "on an old phone",
    "on three machines in the office",
    "at the fair in Friedrichshafen",
    "in the letters of last week",
    "with the app of last month",
    "only in the morning",
)
SAID = {
    "bug": (
        "I see it too, on a small screen.",
        "Found it: it came with the change of last Tuesday. A test for it is on its way.",
        "Could you add what you typed? I cannot repeat it with mine.",
        "Two more customers wrote about this today.",
        "Mended on the test system; please look, @{other}.",
        "It is not the browser: the answer of the server is wrong already.",
    ),
    "story": (
        "I drew two variants. The second is simpler, and I like it better.",
        "Tried it with five people on Friday: four found it without help.",
        "Let us leave the settings out for now.",
        "What do we do when somebody has no account? @{other}, you know that best.",
        "The first version is on the test system.",
        "This would answer a third of the mails on Mondays.",
    ),
    "task": (
        "I called them: they answer by the end of the week.",
        "Half of it is done.",
        "It takes longer than I thought, since nobody knows where the old list is. @{other}?",
        "Done, and written down in the shared folder.",
        "Can wait until after the season.",
    ),
}
FILES = (
    (
        "letter.txt",
        "Dear people of Fernhill,\n\nI like your boots. Your page did not like my postcode.\n\nKind regards\nM. Holm\n",
    ),
    ("figures.csv", "week,orders,returns\n9,412,31\n10,455,38\n11,501,29\n12,618,44\n"),
    (
        "steps.md",
        "# How to repeat it\n\n1. Put a tent and a stove into the cart\n2. Sign in\n3. Look at the voucher\n",
    ),
    ("log.txt", "09:12:01 GET /cart 200\n09:12:07 POST /signin 200\n09:12:09 GET /cart 200 voucher=none\n"),
)
