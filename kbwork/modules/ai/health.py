"""Whether AI can be asked, as the doctor and the metrics ask."""

from collections.abc import Iterator

from kbwork.base.errors import MasterKeyLost
from kbwork.core.data_check import DataCheck, Finding
from kbwork.core.figures import DataFigures
from kbwork.db.tx import Read
from kbwork.modules.ai import policy
from kbwork.modules.ai.calls import ledger
from kbwork.modules.ai.provider import key


def _look(tx: Read) -> Iterator[Finding]:
    lost = 0
    for row in policy.providers(tx):
        try:
            key.of(tx, row)
        except MasterKeyLost:
            lost += 1
            said = f"the key of the provider {row['id']!r} was sealed with another master key"
            yield Finding("ai", False, f"{said}; `kbwork ai key-set --provider {row['id']}` sets it again")
    if not lost:
        yield Finding("ai", True, "the keys of all providers open")


def _figures(tx: Read) -> dict[str, float]:
    """`asked` counts the calls under way."""
    return {
        "asked": float(tx.value("select count(*) from ai_call where until > :now", now=tx.now)),
        "open_proposals": float(tx.value("select count(*) from ai_proposal where state = 'open'")),
        "tokens_this_month": float(ledger.used_month(tx)),
    }


HEALTH = DataCheck(home=__name__, look=_look)
FIGURES = DataFigures(home=__name__, prefix="kbwork_ai", about="AI", read=_figures)
