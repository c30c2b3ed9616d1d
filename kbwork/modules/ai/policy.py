"""What AI may do for the org: look at it, and set it."""

import json
from typing import Annotated

from pydantic import Field

from kbwork.base.errors import AiOff, InvalidInput
from kbwork.base.model import Empty, Input, Text
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read, write
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import AiPolicyRow, AiProviderRow
from kbwork.db.tx import Read, Write
from kbwork.modules.ai.calls import ledger
from kbwork.modules.ai.context import exclusion
from kbwork.modules.ai.model import AIPolicy, AIPolicyChanged, AIProvider, Cap

UNDO = "what was sent meanwhile is not taken back: save it as it is to be"
MOST_EXCLUDED = 1000
_TOLD = (
    "enabled",
    "browser_keys",
    "org_keys",
    "excluded",
    "automation_apply",
    "member_daily_tokens",
    "monthly_tokens",
)


@read(
    "ai.policy",
    scope="ai:read",
    words=(
        "is AI on, which models may I use, AI settings, how many tokens are left, token cap, which providers are there"
    ),
    example={},
)
def policy(tx: Read, args: Empty) -> AIPolicy:
    """Look at what AI may do for the org, who offers models, and what was used. Of what is excluded others than admins
    read what they see."""
    return shown(tx)


class AiPolicySet(Input):
    enabled: bool
    """Whether AI is on."""
    browser_keys: bool
    """Whether people may use keys of their own, which their browser keeps."""
    org_keys: bool
    """Whether the server may use the stored keys; models that take none it may ask anyway."""
    excluded: Annotated[list[Text], Field(max_length=MOST_EXCLUDED)]
    """The whole list of subjects that AI never reads, with all that they contain: `space:<key>`, `project:<key>`,
    `page:<id>`, `issue:<n>`."""
    automation_apply: bool | None = False
    """Whether steps of rules that say `apply` change things without review; false unless given."""
    member_daily_tokens: Cap | None = None
    """Tokens that one member may use in a UTC day; null: no cap; left out: as it is."""
    monthly_tokens: Cap | None = None
    """Tokens that all together may use in a UTC month; null: no cap; left out: as it is."""


@write(
    "ai.policy_set",
    scope="admin",
    words=(
        "turn AI on or off, switch off artificial intelligence, exclude a project from AI, keep AI away from, "
        "limit tokens, "
        "set a budget for AI, let rules apply AI answers"
    ),
    undo=UNDO,
    emits=[AIPolicyChanged],
    example={
        "enabled": True,
        "browser_keys": False,
        "org_keys": True,
        "excluded": ["project:SEC"],
        "member_daily_tokens": 200000,
        "monthly_tokens": 5000000,
    },
)
def policy_set(tx: Write, args: AiPolicySet) -> AIPolicy:
    """Set what AI may do. For admins. What is under way when it is switched off comes to its end.

    A subject of another form, or one that is not there, is 422. Those that the list holds already may be gone.
    """
    before = row(tx)
    kept = json.loads(before["excluded"])
    excluded = [
        one if one in kept else exclusion.checked(tx, one, f"excluded[{place}]")
        for place, one in enumerate(args.excluded)
    ]
    columns = {
        "enabled": int(args.enabled),
        "browser_keys": int(args.browser_keys),
        "org_keys": int(args.org_keys),
        "excluded": json.dumps(list(dict.fromkeys(excluded))),
        "automation_apply": int(args.automation_apply or False),
        **{
            name: getattr(args, name)
            for name in ("member_daily_tokens", "monthly_tokens")
            if args.given(name)
        },
    }
    if named.diff(before, columns):
        was = shown(tx)
        tx.update("ai_policy", 1, **columns)
        tx.memo.clear()
        changes = named.changes(was, shown(tx), _TOLD)
        tx.emit(AIPolicyChanged(subject="org:1", changes=changes))
    return shown(tx)


def row(tx: Read) -> AiPolicyRow:
    found: AiPolicyRow | None = tx.stored("ai_policy", [1])
    assert found is not None
    return found


def require_on(tx: Read) -> AiPolicyRow:
    """Raises AiOff where AI is off."""
    found = row(tx)
    if not found["enabled"]:
        raise AiOff("AI is switched off in this org; an admin switches it on: ai.policy_set.")
    return found


def providers(tx: Read) -> list[AiProviderRow]:
    """In the order in which they were made."""
    return tx.all("select * from ai_provider order by created_at, id", AiProviderRow)


def has_key(provider: AiProviderRow) -> bool:
    return not provider["needs_key"] or provider["secret"] is not None


def shown(tx: Read) -> AIPolicy:
    found = row(tx)
    return AIPolicy(
        enabled=bool(found["enabled"]),
        browser_keys=bool(found["browser_keys"]),
        org_keys=bool(found["org_keys"]),
        excluded=[one for one in map(exclusion.present(tx), json.loads(found["excluded"])) if _told(tx, one)],
        automation_apply=bool(found["automation_apply"]),
        member_daily_tokens=found["member_daily_tokens"],
        monthly_tokens=found["monthly_tokens"],
        providers=[_provider(tx, one) for one in providers(tx)],
        used_month=ledger.used_month(tx),
        used_today=ledger.used_today(tx, tx.caller.actor),
    )


def _told(tx: Read, subject: str) -> bool:
    """Whether the caller may know that this is excluded."""
    whole = "admin" in tx.caller.scopes and not tx.caller.limited
    return whole or (bool(ref_of(subject)[0]) and visibility.find(tx, subject) is not None)


def _provider(tx: Read, found: AiProviderRow) -> AIProvider:
    return AIProvider(
        id=found["id"],
        label=found["label"],
        kind=found["kind"],
        base_url=found["base_url"],
        models=json.loads(found["models"]),
        default_model=found["default_model"],
        enabled=bool(found["enabled"]),
        needs_key=bool(found["needs_key"]),
        browser=bool(found["browser"]),
        has_key=has_key(found),
        key_last4=found["key_last4"] if "admin" in tx.caller.scopes else None,
    )


def require_provider(tx: Read, ident: str, *, field: str = "") -> AiProviderRow:
    """Raises NotFound, or InvalidInput at `field`."""
    return named.known(tx.stored("ai_provider", [ident]), "provider", ident, "ai.policy", field=field)


def chosen(tx: Read, provider: str | None, model: str | None) -> tuple[AiProviderRow, str]:
    """Who is asked, and which model. Raises AiOff where the server may ask nobody, InvalidInput for what is not
    allowed."""
    keys = bool(row(tx)["org_keys"])
    usable = [
        one for one in providers(tx) if one["enabled"] and has_key(one) and (keys or not one["needs_key"])
    ]
    if not usable:
        which = "has a key" if keys else "takes none, as the server may use no keys"
        raise AiOff(f"No provider is on that {which}; an admin sees to it: ai.policy.")
    found = next((one for one in usable if provider in (None, one["id"])), None)
    if found is None:
        raise InvalidInput(
            f"No provider {provider!r} can be asked.",
            field="provider",
            allowed=[one["id"] for one in usable],
        )
    models = json.loads(found["models"])
    wanted = model or found["default_model"]
    if wanted not in models:
        raise InvalidInput(
            f"{found['id']} is not asked for the model {wanted!r}.", field="model", allowed=models
        )
    return found, wanted
