"""What AI was used for."""

import datetime
from typing import Annotated

from pydantic import Field

from kbwork.base.model import Input, Int
from kbwork.core.operations.declare import write
from kbwork.db.tx import Write
from kbwork.modules.ai.calls import ledger
from kbwork.modules.ai.model import AIUsageRow

MOST_DAYS = 366


class AiUsage(Input):
    days: Annotated[Int, Field(ge=1, le=MOST_DAYS)] | None = 30
    """So many UTC days, today among them; 30 unless given."""


@write(
    "ai.usage",
    scope="admin",
    words="what does AI cost, tokens used by whom, AI spending, how many tokens did we use, AI statistics",
    undo="a look changes nothing",
    emits=[],
    example={"days": 30},
)
def usage(tx: Write, args: AiUsage) -> list[AIUsageRow]:
    """Count the calls to models and their tokens, by who asked, what for, provider and model; most tokens first."""
    first = datetime.date.fromisoformat(ledger.day(tx)) - datetime.timedelta(days=(args.days or 30) - 1)
    return tx.all(
        "select actor, feature, provider, model, sum(calls) as calls, sum(errors) as errors,"
        " sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens from ai_usage where day >= :first"
        " group by actor, feature, provider, model order by sum(input_tokens + output_tokens) desc, actor, feature,"
        " provider, model",
        AIUsageRow,
        first=first.isoformat(),
    )
