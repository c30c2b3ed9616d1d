"""Settings that admins change, kept in the data file by dotted name (what the operator sets is in `kbwork.toml`)."""

import json
from typing import Any, Literal

from typing_extensions import TypedDict

from kbwork.core.ports.extension import module_of
from kbwork.db.rows import SettingRow
from kbwork.db.tx import Read, Write

DEFAULTS: dict[str, Any] = {
    "org.name": "",
    "org.slug": "org",
    "org.zone": "UTC",
    "org.locale": "en",
    "org.logo": None,
    "org.week_start": 1,
    "org.default_role": "member",
    "org.guests": True,
    "org.public_links": True,
    "org.retention": {"audit_days": 365, "trash_days": 30, "events_days": 365, "attachments_days": None},
    "org.issue_defaults": {},
    "org.allowed_files": [],
    "org.banner": None,
    "org.legal": {},
    "org.created_at": 0,
    "org.clock": None,
    "org.demo": False,
    "replica.drill": None,
    "events.exported": None,
    "setup.token": None,
    "auth.require_2fa": False,
    "auth.password_min": 10,
    "auth.session_days": 30,
    "auth.methods": ["password", "passkey"],
    "auth.signup_domains": None,
    "auth.allowed_networks": None,
    "flags.agent_writes": "changeRequest",
}


def get(tx: Read, name: str) -> Any:
    """The value in force."""
    found = tx.value("select value from setting where name = :name", name=name)
    return DEFAULTS[name] if found is None else json.loads(found)


def every(tx: Read) -> dict[str, Any]:
    """All values in force, by name."""
    stored = {
        row["name"]: json.loads(row["value"]) for row in tx.all("select name, value from setting", SettingRow)
    }
    return DEFAULTS | stored


def put(tx: Write, name: str, value: Any) -> None:
    """Set one."""
    text = json.dumps(value, ensure_ascii=False)
    if tx.one("select 1 from setting where name = :name", name=name) is None:
        tx.insert("setting", name=name, value=text)
    else:
        tx.update("setting", name, value=text)


def modules_off(tx: Read) -> frozenset[str]:
    """The modules that an admin switched off."""

    def make() -> frozenset[str]:
        return frozenset(
            tx.column("select substr(name, 8) from setting where name glob 'module.*' and value = 'false'")
        )

    found: frozenset[str] = tx.cached("modules off", make, of=("setting",))
    return found


def module_off(tx: Read, module: str) -> bool:
    """Whether an admin switched this module off."""
    return module in modules_off(tx)


def home_off(tx: Read, home: str) -> bool:
    """Whether the module in whose folder a file stands, given as its `__name__`, is off, or not given to the caller."""
    module = module_of(home)
    return not tx.caller.holds(module) or module_off(tx, module)


class OrgSummary(TypedDict):
    """What every signed-in caller may know of the org."""

    name: str
    """Name of the org as people read it."""
    slug: str
    """Short name of the org, for addresses."""
    logo: str | None
    """Address of its picture; null: none."""
    zone: str
    """Time zone by name, such as `Europe/Berlin`."""
    locale: str
    """Language tag, such as `en` or `de-CH`."""
    plan: Literal["self-hosted"]
    """Always `self-hosted`: there is one edition."""


def summary(tx: Read) -> OrgSummary:
    """The org in short."""
    logo = get(tx, "org.logo")
    return OrgSummary(
        name=get(tx, "org.name"),
        slug=get(tx, "org.slug"),
        logo=f"/logo?v={logo}" if logo else None,
        zone=get(tx, "org.zone"),
        locale=get(tx, "org.locale"),
        plan="self-hosted",
    )
