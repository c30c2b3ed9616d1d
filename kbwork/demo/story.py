"""Who works at Fernhill Outdoor, on what, and what they say."""

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
WAVES = {
    "bug": ("{}", "Again: {}", "On tablets: {}", "A test for: {}"),
    "story": ("{}", "{}: second version", "{}: texts and pictures", "{}: tell customers about it"),
    "task": ("{}", "{}: second half", "{}: ask how it went", "{}: next year"),
}
"""What becomes of a title when the year goes on."""
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
