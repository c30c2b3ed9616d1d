"""The words of AI."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

ProviderKind = Literal["anthropic", "openai"]
ProposalState = Literal["open", "applied", "dismissed", "failed"]
RunTask = Literal["classify", "summarize", "draft_reply", "prompt"]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")]
"""Lower-case letters, digits and `-`."""
ModelName = Annotated[str, StringConstraints(pattern=r"^[!-~]{1,200}$")]
MOST_TOKENS = 10**12
Cap = Annotated[int, Field(ge=0, le=MOST_TOKENS)]


class AIProvider(TypedDict):
    """Who offers models, in the org's own network or elsewhere."""

    id: str
    """Id of the provider: lower-case letters, digits and `-`."""
    label: str
    """What it is called."""
    kind: ProviderKind
    """The wire format that it speaks: `anthropic` is that of messages, `openai` that of chat completions."""
    base_url: str
    """The address below which it is asked."""
    models: list[str]
    """Models that may be picked; no others are asked."""
    default_model: str
    """The one that is asked where none is named; empty: none."""
    enabled: bool
    """Whether it is asked at all."""
    needs_key: bool
    """False for local models that take no key."""
    browser: bool
    """Whether a browser may ask it with the person's own key."""
    has_key: bool
    """Whether a key of the org is stored, or none is needed."""
    key_last4: str | None
    """The end of the stored key, for admins; null: none, or the caller is no admin."""


class AIPolicy(TypedDict):
    """What AI may do for the org."""

    enabled: bool
    """Whether AI is on."""
    browser_keys: bool
    """Whether people may use keys of their own, which their browser keeps."""
    org_keys: bool
    """Whether the server may use the stored keys."""
    excluded: list[str]
    """Subjects that AI never reads, with all that they contain; for others than admins those that the caller sees."""
    automation_apply: bool
    """Whether steps of rules that say so are applied without review; else they are proposed."""
    member_daily_tokens: int | None
    """Tokens that one member may use in a UTC day; null: no cap."""
    monthly_tokens: int | None
    """Tokens that all together may use in a UTC month; null: no cap."""
    providers: list[AIProvider]
    """Who offers models."""
    used_month: int
    """Tokens that all together used in this month."""
    used_today: int
    """Tokens that the caller used today."""


class ReaderProfile(TypedDict):
    """Somebody for whom a subject is explained."""

    key: str
    """Key of the profile."""
    label: str
    """What it is called."""
    instructions: str
    """How to write for that reader."""


class AIProposal(TypedDict):
    """What a model proposes: an operation, which is run when somebody applies it."""

    id: int
    """Id of the proposal."""
    subject: str
    """What was asked about, such as `issue:12`."""
    task: str
    """What was asked."""
    answer: str
    """What the model answered: text that nobody has checked."""
    op: str
    """The operation that applying it runs."""
    input: Any
    """The input of that operation, any JSON."""
    state: ProposalState
    """`failed`: it was applied and refused; it may be applied again."""
    created_at: int
    """When it was made, in Unix seconds."""
    decided_at: int | None
    """When it was applied or dismissed, in Unix seconds; null: not yet."""
    decided_by: str | None
    """Who did: a member's id; null: nobody yet."""
    error: str | None
    """Why it failed; null: it did not."""
    rule: str | None
    """Name of the automation rule that asked; null: none did."""
    title: str | None
    """The title of the subject now."""


class ModelEntry(TypedDict):
    """A model that a provider offers, or that is allowed and offered no more."""

    id: str
    """Id of the model, as requests name it."""
    name: str
    """What the provider calls it."""
    allowed: bool
    """Whether it may be picked."""
    context: int | None
    """Its context window in tokens; null: the provider does not say."""
    price_in: float | None
    """US dollars for a million tokens that go in; null: the provider does not say."""
    price_out: float | None
    """US dollars for a million tokens that come out; null: the provider does not say."""


class ProviderModels(TypedDict):
    provider: str
    """Id of the provider."""
    models: list[ModelEntry]
    """All that it lists, and behind them allowed ones that it lists no more."""


class AIUsageRow(TypedDict):
    """What one used a model for."""

    actor: str
    """Who: a member's id."""
    feature: str
    """What for."""
    provider: str
    """Id of the provider."""
    model: str
    """Id of the model."""
    calls: int
    """How often it was asked."""
    errors: int
    """How often it gave no answer."""
    input_tokens: int
    """Tokens that went in."""
    output_tokens: int
    """Tokens that came out."""


class AIAllowance(TypedDict):
    """Whether AI may read a subject."""

    subject: str
    """The subject, such as `issue:12`."""
    allowed: bool
    """Whether it may."""
    reason: str | None
    """Why not; null: it may."""


class OrgAIEvent(DomainEvent):
    audience = "admin"


class AIPolicyChanged(OrgAIEvent):
    kind = "ai.policy_changed"


class AIProviderSaved(OrgAIEvent):
    kind = "ai.provider_saved"


class AIProviderDeleted(OrgAIEvent):
    kind = "ai.provider_deleted"


class AIKeySet(OrgAIEvent):
    kind = "ai.key_set"


class AIKeyRevoked(OrgAIEvent):
    kind = "ai.key_revoked"


class AIProfileSaved(OrgAIEvent):
    kind = "ai.profile_saved"


class AIProfileDeleted(OrgAIEvent):
    kind = "ai.profile_deleted"


class AICompleted(DomainEvent):
    """A model answered; never what."""

    kind = "ai.completed"
    audience = "team"
    stands: ClassVar[bool] = True


class ProposalEvent(DomainEvent):
    audience = "team"
    part = "proposal"
    stands = True


class AIProposed(ProposalEvent):
    kind = "ai.proposed"


class AIProposalApplied(ProposalEvent):
    kind = "ai.proposal_applied"


class AIProposalDismissed(ProposalEvent):
    kind = "ai.proposal_dismissed"
