"""Ask a model something."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Int, Text
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.tx import Read
from kbwork.modules.ai.calls import conversation
from kbwork.modules.ai.calls.conversation import DEFAULT_TOKENS, ChosenModel, Completion, Matter
from kbwork.modules.ai.context import exclusion, quotes
from kbwork.modules.ai.model import AICompleted

MOST_CHARS = 400_000
UNDO = "what was asked was asked"
Feature = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9 _.:/-]{0,79}$")]


class AIMessage(Input):
    role: Literal["user", "assistant"]
    """Who says it."""
    content: Annotated[str, Field(min_length=1, max_length=MOST_CHARS)]
    """What is said."""


class AICompletion(TypedDict):
    """What a model answered."""

    text: str
    """The answer: text that nobody has checked."""
    provider: str
    """Id of the provider that was asked."""
    model: str
    """Id of the model."""
    input_tokens: int
    """Tokens that went in."""
    output_tokens: int
    """Tokens that came out."""


class AiComplete(Input):
    feature: Feature
    """What for: usage is grouped by it."""
    messages: Annotated[list[AIMessage], Field(min_length=1, max_length=200)]
    """What was said so far; the first is the user's."""
    max_tokens: Annotated[Int, Field(ge=1, le=8192)] | None = DEFAULT_TOKENS
    """Tokens that the answer has at most; 1024 unless given."""
    model: Text | None = None
    """One of the provider's models; left out: its default."""
    provider: Text | None = None
    """Id of the provider; left out: the first that is on and has a key."""
    subjects: Annotated[list[Text], Field(max_length=100)] | None = None
    """What the messages contain: you see each of them, and none is excluded."""
    system: Annotated[str, Field(max_length=MOST_CHARS)] | None = None
    """The system text."""


@write(
    "ai.complete",
    scope="ai:write",
    words="ask a language model, chat with AI, complete a text, send a prompt, generate text",
    undo=UNDO,
    emits=[AICompleted],
    example={
        "feature": "title",
        "messages": [{"role": "user", "content": "A title for: the cart forgets its vouchers"}],
        "max_tokens": 60,
    },
)
async def complete(out: External, args: AiComplete) -> AICompletion:
    """Ask a model by the org's key, and answer what it says.

    Checked in this order: AI is on (403 `ai-off`), provider and model are allowed (422), each subject is there for you
    (404), none is excluded, or quoted in the messages by whole lines (403 `ai-excluded`), tokens are left (429
    `ai-cap`). `max_tokens` are held while it is asked. Where the provider gives no answer that can be used it is 502,
    and costs no tokens.
    """
    if args.messages[0].role != "user":
        raise InvalidInput("The first message is the user's.", field="messages[0].role", allowed=["user"])
    call = await out.read(
        lambda tx: conversation.prepared(
            tx, ChosenModel(args.provider, args.model), args.feature, lambda seen: _matter(seen, args)
        )
    )
    return await conversation.asked(out, call, _shown)


def _matter(tx: Read, args: AiComplete) -> Matter:
    found = exclusion.require_readable(tx, args.subjects or [])
    messages = tuple((one.role, one.content) for one in args.messages)
    if sum(len(content) for _, content in messages) > MOST_CHARS:
        raise InvalidInput(f"The messages have {MOST_CHARS:,} characters together at most.", field="messages")
    quotes.require_none(tx, [args.system or "", *(content for _, content in messages)])
    about = found[0].id if found else None
    return Matter(args.system or "", messages, about, args.max_tokens or DEFAULT_TOKENS)


def _shown(found: Completion) -> AICompletion:
    return AICompletion(
        text=found.text,
        provider=found.provider,
        model=found.model,
        input_tokens=found.input_tokens,
        output_tokens=found.output_tokens,
    )
