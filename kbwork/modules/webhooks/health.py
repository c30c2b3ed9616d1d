"""Whether webhooks are taken, as the doctor and the metrics ask."""

from collections.abc import Iterator

from kbwork.core.data_check import DataCheck, Finding, shown
from kbwork.core.figures import DataFigures
from kbwork.db.rows import WebhookRow
from kbwork.db.tx import Read

_HOUR_S = 3600


def _look(tx: Read) -> Iterator[Finding]:
    failing = tx.all(
        "select * from webhook where enabled and failing_since <= :before order by id",
        WebhookRow,
        before=tx.now - _HOUR_S,
    )
    for hook in failing:
        since = shown(hook["failing_since"] or 0)
        said = f"nothing was taken by the webhook {hook['name']!r} since {since}"
        yield Finding("webhooks", False, f"{said}; `kbwork webhooks deliveries --id {hook['id']}` says why")
    if not failing:
        yield Finding("webhooks", True, "no webhook fails for long")


def _figures(tx: Read) -> dict[str, float]:
    """`waiting` counts what was not overtaken yet, and what was."""
    return {
        "failing": float(tx.value("select count(*) from webhook where enabled and failures > 0")),
        "waiting": float(
            tx.value(
                "select (select count(*) from webhook_delivery where state = 'queued' and tries < 3)"
                " + (select count(*) from webhook_delivery where state = 'queued' and tries >= 3)"
            )
        ),
    }


HEALTH = DataCheck(home=__name__, look=_look)
FIGURES = DataFigures(home=__name__, prefix="kbwork_webhooks", about="Webhooks", read=_figures)
