"""Asking a model: what it may take is held, it is asked while no transaction is open, and what it took is counted."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Problem, UpstreamFailed
from kbwork.base.events import Audience
from kbwork.base.text import cleaned
from kbwork.core.operations.external import External
from kbwork.db.tx import Read, Write
from kbwork.modules.ai import policy
from kbwork.modules.ai.calls import ledger
from kbwork.modules.ai.model import AICompleted
from kbwork.modules.ai.provider import key
from kbwork.modules.ai.wire import exchange, formats
from kbwork.modules.ai.wire.exchange import ModelAnswer
from kbwork.modules.ai.wire.formats import WireFormat
from kbwork.modules.ai.wire.question import ModelQuestion

DEFAULT_TOKENS = 1024
_MOST_CHARS = 400_000
_CHARS_A_TOKEN = 4
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ProviderCall:
    """A question to one model of a provider, for what (`feature`), and about what."""

    provider: str
    base_url: str
    secret: str | None
    wire: WireFormat
    question: ModelQuestion
    feature: str
    about: str | None

    @property
    def used_for(self) -> tuple[str, str, str]:
        return self.feature, self.provider, self.question.model


class Completion(NamedTuple):
    """What a model answered, and the tokens that it took."""

    text: str
    provider: str
    model: str
    input_tokens: int
    output_tokens: int


class ChosenModel(NamedTuple):
    """A provider and a model by their ids; None: the ones that are asked where none is named."""

    provider: str | None = None
    model: str | None = None


class Matter(NamedTuple):
    """What a model is asked, and the subject that it is about, if any."""

    system: str
    messages: tuple[tuple[str, str], ...]
    about: str | None = None
    max_tokens: int = DEFAULT_TOKENS


def prepared(tx: Read, chosen: ChosenModel, feature: str, make: Callable[[Read], Matter]) -> ProviderCall:
    """`make` answers what is asked, and refuses what may not be read.

    Raises AiOff, InvalidInput, what `make` raises, and MasterKeyLost, in this order.
    """
    policy.require_on(tx)
    row, model = policy.chosen(tx, chosen.provider, chosen.model)
    matter = make(tx)
    question = ModelQuestion(model, matter.max_tokens, matter.system, matter.messages)
    wire = formats.of(row["kind"])
    return ProviderCall(row["id"], row["base_url"], key.of(tx, row), wire, question, feature, matter.about)


async def asked(out: External, call: ProviderCall, conclude: Callable[[Completion], T]) -> T:
    """Ask, count it and tell of it; what `conclude` makes of the answer is that of the operation.

    Raises AiCap, Busy or UpstreamFailed.
    """
    held = await out.write(lambda tx: hold(tx, call))
    try:
        found = await answered(out, call)
    except Problem:
        await out.write(lambda tx: settle(tx, held, call, None))
        raise

    def last(tx: Write) -> T:
        settle(tx, held, call, found)
        return conclude(found)

    return await out.conclude(last)


def hold(tx: Write, call: ProviderCall) -> int:
    """Hold the tokens that it may take. Raises AiOff, InvalidInput, AiCap or Busy: something may have been set since it
    was prepared."""
    policy.require_on(tx)
    policy.chosen(tx, call.provider, call.question.model)
    return ledger.reserve(tx, call.question.max_tokens)


async def answered(out: External, call: ProviderCall) -> Completion:
    """Raises UpstreamFailed."""
    url, request = call.wire.question(call.base_url, call.secret, call.question)
    found = await exchange.ask(out, url, request, call.wire.answer)
    return _completion(call, found)


def _completion(call: ProviderCall, found: ModelAnswer) -> Completion:
    """What the provider does not count is estimated."""
    text = cleaned(found.text.replace("\0", "\N{REPLACEMENT CHARACTER}")).strip()[:_MOST_CHARS]
    if not text:
        raise UpstreamFailed(exchange.FAILED, internal="AI provider: answered an empty text")
    given, taken = found.input_tokens, found.output_tokens
    return Completion(
        text,
        call.provider,
        call.question.model,
        call.question.chars // _CHARS_A_TOKEN + 1 if given is None else given,
        len(text) // _CHARS_A_TOKEN + 1 if taken is None else taken,
    )


def settle(tx: Write, held: int, call: ProviderCall, found: Completion | None) -> None:
    """Count what came of it. What was answered is told of, never what was said; None: it failed, and took nothing."""
    taken = (found.input_tokens, found.output_tokens) if found is not None else None
    ledger.settle(tx, held, call.used_for, taken)
    if found is None:
        return
    told = {
        "feature": call.feature,
        "provider": found.provider,
        "model": found.model,
        "tokens": found.input_tokens + found.output_tokens,
        "input_tokens": found.input_tokens,
        "output_tokens": found.output_tokens,
    }
    heard_by: Audience | None = None if call.about is not None else "admin"
    tx.emit(AICompleted(subject=call.about or "org:1", payload=told, heard_by=heard_by))
