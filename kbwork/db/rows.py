"""Rows as the tables have them. Made by `kbwork contract` from the migrations."""

# mypy: disable-error-code="overload-overlap"

from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict, overload


class AccessGrantRow(TypedDict):
    id: int
    subject: str
    who: str
    level: Literal["view", "comment", "edit", "manage"]
    expires_at: int | None
    granted_by: str
    granted_at: int

class AgentRow(TypedDict):
    name: str
    label: str
    owner: str
    created_at: int

class AiCallRow(TypedDict):
    id: int
    actor: str
    tokens: int
    until: int

class AiPolicyRow(TypedDict):
    id: int
    enabled: Literal[0, 1]
    browser_keys: Literal[0, 1]
    org_keys: Literal[0, 1]
    excluded: str
    automation_apply: Literal[0, 1]
    member_daily_tokens: int | None
    monthly_tokens: int | None

class AiProfileRow(TypedDict):
    key: str
    label: str
    instructions: str

class AiProposalRow(TypedDict):
    id: int
    subject: str
    task: Literal["classify", "summarize", "draft_reply", "prompt"]
    answer: str
    op: str
    input: str
    state: Literal["open", "applied", "dismissed", "failed"]
    rule: str | None
    asked_by: str
    asker: str
    created_at: int
    decided_at: int | None
    decided_by: str | None
    fault: str | None
    error: str | None
    issue: int | None

class AiProviderRow(TypedDict):
    id: str
    label: str
    kind: Literal["anthropic", "openai"]
    base_url: str
    models: str
    default_model: str
    enabled: Literal[0, 1]
    needs_key: Literal[0, 1]
    browser: Literal[0, 1]
    secret: bytes | None
    key_last4: str | None
    key_label: str | None
    key_at: int | None
    created_at: int
    updated_at: int

class AiRunRow(TypedDict):
    id: int
    job: int
    subject: str
    task: Literal["classify", "summarize", "draft_reply", "prompt"]
    request: str
    asker: str
    state: Literal["waiting", "answered", "failed"]
    answer: str | None
    error: str | None
    created_at: int

class AiUsageRow(TypedDict):
    day: str
    actor: str
    feature: str
    provider: str
    model: str
    calls: int
    errors: int
    input_tokens: int
    output_tokens: int

class ApprovalRow(TypedDict):
    id: int
    issue: int
    transition: str
    leaves: int
    to_status: str
    needed: int
    self_approval: Literal[0, 1]
    watched: str
    note: str
    state: Literal["pending", "approved", "rejected", "cancelled", "done"]
    requested_by: str
    via: str | None
    asker: str | None
    created_at: int
    decided_at: int | None

class ApprovalApproverRow(TypedDict):
    approval: int
    who: str
    position: int
    waits: Literal[0, 1]

class ApprovalVoteRow(TypedDict):
    approval: int
    who: str
    approve: Literal[0, 1]
    note: str
    at: int

class ArticleUseRow(TypedDict):
    id: int
    project: int
    article: str
    title: str
    solved: Literal[0, 1]
    at: int

class AssetRow(TypedDict):
    id: int
    key: str
    type: int
    name: str
    owner: str | None
    status: Literal["active", "maintenance", "retired"]
    created_at: int
    updated_at: int
    created_by: str

class AssetIssueRow(TypedDict):
    asset: int
    issue: int
    role: str
    created_at: int
    created_by: str

class AssetTypeRow(TypedDict):
    id: int
    key: str
    name: str
    name_key: str
    description: str
    icon: str
    position: float
    fields: str
    numbers: int

class AssetValueRow(TypedDict):
    asset: int
    field: str
    value: Any
    target: int | None

class AttachmentRow(TypedDict):
    id: str
    subject: str
    name: str
    content_type: str
    size: int
    hash: bytes
    created_at: int
    created_by: str
    deleted_at: int | None

class AttachmentTextRow(TypedDict):
    attachment: str
    text: str

class AttemptRow(TypedDict):
    id: int
    account: bytes
    address: str | None
    at: int

class AvatarRow(TypedDict):
    member: str
    type: str
    data: bytes

class BackupScheduleRow(TypedDict):
    id: int
    every: Literal["off", "hourly", "daily", "weekly"]
    keep: int
    target: str | None
    next_at: int | None
    last_error: str | None

class BlobRow(TypedDict):
    hash: bytes
    size: int
    bytes: bytes
    content: int | None

class BlobContentRow(TypedDict):
    id: int
    state: Literal["staged", "linked", "gone"]
    hash: bytes
    begun_at: int

class BlobPieceRow(TypedDict):
    content: int
    number: int
    bytes: bytes

class BoardRow(TypedDict):
    id: int
    name: str
    name_key: str
    project: int | None
    tql: str
    kind: Literal["kanban", "sprint"]
    columns: str
    filters: str
    parts: int
    swimlanes: str | None
    card_fields: str
    color_by: str | None
    owner: str
    created_at: int
    deleted_at: int | None
    names: str

class CannedReplyRow(TypedDict):
    id: int
    name: str
    text: str
    project: int | None
    folder: str | None
    shortcut: str | None
    shortcut_key: str | None
    shared: Literal[0, 1]
    owner: str
    uses: int
    updated_at: int

class CarriedOverRow(TypedDict):
    kind: str
    held: str

class ChallengeRow(TypedDict):
    digest: bytes
    purpose: str
    member: str | None
    data: str
    tries: int
    created_at: int
    expires_at: int

class ChatAccountRow(TypedDict):
    id: int
    connection: int
    chat_user: str
    name: str
    member: str
    linked_at: int

class ChatCodeRow(TypedDict):
    digest: bytes
    connection: int
    chat_user: str
    name: str
    expires_at: int

class ChatConnectionRow(TypedDict):
    id: int
    name: str
    provider: Literal["slack", "teams", "discord"]
    project: int
    secret: bytes
    bot_token: bytes | None
    requests: int
    last_event_at: int | None
    last_error: str | None
    created_at: int
    created_by: str

class ChatPostRow(TypedDict):
    id: int
    connection: int
    subscription: int | None
    seq: int | None
    call: str | None
    body: str | None
    tries: int
    next_at: int
    at: int

class ChatSubscriptionRow(TypedDict):
    id: int
    connection: int
    name: str
    events: str
    tql: str
    names: str
    origin: str
    url: bytes
    author: str
    scopes: str
    since: int
    sent: int
    last_sent_at: int | None
    created_at: int
    created_by: str

class ChatTakenRow(TypedDict):
    connection: int
    digest: bytes
    at: int

class CheckItemRow(TypedDict):
    id: int
    issue: int
    position: int
    text: str
    assignee: str | None
    due_date: str | None
    done_at: int | None
    done_by: str | None
    promoted: int | None
    created_at: int
    created_by: str

class ChecklistTemplateRow(TypedDict):
    id: int
    name: str
    name_key: str
    type: int
    items: str
    auto: int
    updated_at: int

class CommentRow(TypedDict):
    id: int
    subject: str
    author: str
    body: str
    body_doc: str | None
    created_at: int
    edited_at: int | None
    internal: int
    parent: int | None
    anchor: str | None
    resolved_at: int | None
    resolved_by: str | None
    deleted_at: int | None
    stub: int
    external: str | None

class ComponentRow(TypedDict):
    id: int
    project: int
    name: str
    name_key: str
    description: str
    lead: str | None
    assign: Literal["lead", "project", "nobody"]
    archived: int

class ComponentCountRow(TypedDict):
    component: int
    project: int
    issues: int

class CounterRow(TypedDict):
    name: str
    value: int

class CredentialRow(TypedDict):
    member: str
    password: str | None
    totp: bytes | None
    totp_pending: bytes | None
    totp_step: int
    changed_at: int

class CustomerRow(TypedDict):
    id: int
    name: str
    email: str
    email_key: str
    password: str | None
    locale: str | None
    notify: Literal[0, 1]
    blocked_at: int | None
    created_at: int
    last_seen_at: int | None
    password_desks: str | None

class CustomerChatRow(TypedDict):
    connection: int
    chat_user: str
    customer: int

class CustomerLinkRow(TypedDict):
    digest: bytes
    purpose: Literal["asked signup", "asked reset", "signup", "reset"]
    email: str
    customer: int | None
    data: str
    created_at: int
    expires_at: int

class CustomerRequestRow(TypedDict):
    issue: int
    customer: int
    type: int | None
    channel: Literal["portal", "mail", "chat", "phone", "walk_in"]
    created_at: int
    asked_at: int | None

class CustomerTokenRow(TypedDict):
    digest: bytes
    customer: int
    created_at: int
    expires_at: int
    desks: str | None

class DeskRow(TypedDict):
    project: int
    name: str
    intro: str
    enabled: Literal[0, 1]
    open_signup: Literal[0, 1]
    kb_space: str | None
    show_agents: Literal[0, 1]
    survey: Literal[0, 1]
    reopen_days: int | None
    languages: str
    logo: str | None
    reply_to: str | None
    mail_token: bytes | None
    mail_digest: bytes | None
    created_at: int
    updated_at: int
    survey_since: int | None

class DeskMailRow(TypedDict):
    id: int
    project: int
    sender: bytes
    message: bytes | None
    issue: int | None
    result: Literal["created", "commented", "ignored"]
    at: int

class DeviceCodeRow(TypedDict):
    digest: bytes
    user_code: str
    client: str
    scopes: str | None
    state: Literal["pending", "denied", "approved", "taken"]
    address: str | None
    polled_at: int | None
    created_at: int
    expires_at: int
    approved_by: str | None
    key: str | None
    granted: bytes | None

class DraftRow(TypedDict):
    seq: int
    owner: str
    subject: str
    body: str
    data: str
    shared: Literal[0, 1]
    updated_at: int

class EventAboutRow(TypedDict):
    what: str
    seq: int

class EventsRow(TypedDict):
    seq: int
    kind: str
    subject: str
    actor: str
    actor_kind: str
    via: str | None
    at: int
    payload: bytes
    audience: str
    scope: str
    op: str | None
    request: str | None
    address: str | None
    origin: str | None

class ExpectedFileRow(TypedDict):
    upload: str
    attachment: str
    subject: str
    name: str
    who: str
    created_by: str
    created_at: int

class FieldRow(TypedDict):
    id: int
    key: str
    name: str
    name_key: str
    kind: str
    home: Literal["issue", "worklog", "company", "request"]
    description: str
    projects: str
    types: str
    preset: str
    formula: str | None
    min: float | None
    max: float | None
    pattern: str | None
    personal: int
    deleted_at: int | None
    names: str

class FieldCountRow(TypedDict):
    field: int
    project: int
    issues: int

class FieldLayoutRow(TypedDict):
    project: int
    type: int
    on_create: str
    on_edit: str
    required: str
    rules: str

class FieldOptionRow(TypedDict):
    id: int
    field: int
    name: str
    name_key: str
    color: str
    archived: int
    parent: int | None
    position: int
    heir: int | None
    left_at: int | None

class FiringRow(TypedDict):
    schedule: str
    time: int

class FlagRow(TypedDict):
    id: int
    project: int
    key: str
    meta: str
    archived: Literal[0, 1]
    version: int
    created_at: int
    salt: str
    first_key: str

class FlagAliasRow(TypedDict):
    project: int
    key: str
    flag: int
    dropped_at: int | None

class FlagAliasCountRow(TypedDict):
    flag: int
    environment: int
    key: str
    hour: int
    count: int

class FlagChangeRow(TypedDict):
    id: int
    project: int
    environment: int
    kind: Literal["flag", "segment"]
    target: str
    instructions: str
    comment: str
    status: Literal["pending", "approved", "declined", "applied", "cancelled", "failed"]
    run_at: int | None
    requested_by: str
    via: str | None
    as_agent: Literal[0, 1]
    created_at: int
    decided_at: int | None
    why: str | None
    plan: int | None

class FlagCheckRow(TypedDict):
    id: int
    environment: int
    name: str
    context: str
    expected: str
    enforce: Literal[0, 1]
    created_by: str
    created_at: int

class FlagConfigRow(TypedDict):
    flag: int
    environment: int
    config: str
    version: int
    changed_at: int
    evaluated_at: int | None

class FlagCountRow(TypedDict):
    environment: int
    flag: int
    hour: int
    version: int
    variation: int
    count: int

class FlagEnvironmentRow(TypedDict):
    id: int
    project: int
    key: str
    name: str
    critical: Literal[0, 1]
    require_approval: Literal[0, 1]
    min_approvals: int
    allow_self_approval: Literal[0, 1]
    version: int
    key_salt: str
    created_at: int

class FlagExpiryRow(TypedDict):
    flag: int
    environment: int
    at: int

class FlagIssueRow(TypedDict):
    flag: int
    issue: int

class FlagPlanRow(TypedDict):
    id: int
    flag: int
    environment: int
    rule: str | None
    variation: int
    steps: str
    checks: str
    comment: str
    state: Literal["waiting", "running", "held", "stopped", "done"]
    step: int
    reason: str | None
    start_at: int | None
    next_at: int | None
    look_at: int | None
    asking: Literal[0, 1]
    heard: Literal[0, 1]
    before: str
    served: str
    began: int
    approved: Literal[0, 1]
    change: int | None
    acting: str
    created_by: str
    created_at: int

class FlagProjectRow(TypedDict):
    id: int
    key: str
    key_folded: str
    name: str
    work_project: int | None
    created_at: int
    archived_at: int | None

class FlagReferenceRow(TypedDict):
    id: int
    flag: int
    repository: str
    branch: str
    revision: str
    key: str
    path: str
    line: int
    text: str
    seen_at: int

class FlagReviewRow(TypedDict):
    id: int
    change: int
    member: str
    decision: Literal["approve", "decline", "comment"]
    comment: str
    at: int

class FlagRevisionRow(TypedDict):
    id: int
    flag: int
    environment: int | None
    version: int
    at: int
    who: str
    via: str | None
    comment: str
    diff: str
    content: str

class FlagScheduleRow(TypedDict):
    id: int
    flag: int
    environment: int
    instructions: str
    run_at: int
    created_by: str
    acting: str
    created_at: int

class FlagSegmentRow(TypedDict):
    id: int
    environment: int
    key: str
    name: str
    description: str
    tags: str
    body: str
    version: int
    created_at: int

class FlagTemplateRow(TypedDict):
    key: str
    name: str
    kind: Literal["bool", "string", "number", "json"]
    variations: str
    settings: str
    created_at: int

class FlagTriggerRow(TypedDict):
    id: int
    flag: int
    environment: int
    action: Literal["on", "off", "variation"]
    variation: int | None
    digest: bytes
    acting: str
    created_by: str
    created_at: int
    used_at: int | None
    uses: int

class FlagUsageRow(TypedDict):
    month: str
    evaluations: int
    events: int

class FlagUseRow(TypedDict):
    environment: int
    uses_kind: Literal["flag", "segment"]
    uses: str
    user_kind: Literal["flag", "segment"]
    user: str

class FormerNameRow(TypedDict):
    kind: str
    id: int
    name: str

class FormerNumberRow(TypedDict):
    project: int
    number: int
    issue: int

class IdempotencyRow(TypedDict):
    id: int
    digest: bytes
    call: bytes
    at: int
    answer: bytes

class ImportRow(TypedDict):
    id: int
    source: str
    upload: str
    project: str | None
    state: Literal["open", "probed", "mapped", "running", "done", "failed", "cancelled", "undone"]
    found: str
    mapping: str
    losses: str
    highest: str
    done: str
    errors: int
    job: int | None
    cursor: int
    tally: str
    secret: bytes | None
    created_by: str
    created_at: int
    ended_at: int | None

ImportItemRow = TypedDict("ImportItemRow", {
    "id": int,
    "import": int,
    "project": int,
    "external": str,
    "subject": str,
    "said": str,
    "wrote": str,
    "seq": int,
})

ImportLogRow = TypedDict("ImportLogRow", {
    "id": int,
    "import": int,
    "at": int,
    "level": Literal["info", "warning", "error"],
    "source": str,
    "message": str,
    "subject": str | None,
})

ImportPageRow = TypedDict("ImportPageRow", {
    "import": int,
    "url": str,
    "etag": str,
    "next": str,
    "start": int,
    "size": int,
    "digest": bytes,
})

class InboxRow(TypedDict):
    who: str
    number: int

class InviteRow(TypedDict):
    id: int
    digest: bytes | None
    email: str
    role: str
    teams: str
    projects: str
    message: str
    state: Literal["pending", "accepted", "revoked", "expired"]
    invited_by: str
    created_at: int
    expires_at: int
    accepted_by: str | None

class IssueRow(TypedDict):
    id: int
    project: int
    number: int
    type: int
    title: str
    body: str
    body_doc: str | None
    lane: int
    category: str
    outcome: str | None
    priority: Literal["urgent", "high", "medium", "low", "none"]
    reporter: str
    parent: int | None
    level_no: int
    sprint: int | None
    milestone: int | None
    estimate: float | None
    start_date: str | None
    due_date: str | None
    rank: str
    level: str | None
    locked: int
    source: str | None
    external: str | None
    created_at: int
    created_by: str
    updated_at: int
    status_at: int
    started_at: int | None
    done_at: int | None
    archived_at: int | None
    deleted_at: int | None
    seq: int
    comments: int
    internal_comments: int
    votes: int
    attachments: int
    links: int
    children: int
    relations: int
    blockers: int
    lock_reason: str | None
    aside: int
    checks: int
    checks_done: int

class IssueAssigneeRow(TypedDict):
    issue: int
    who: str
    position: int

class IssueComponentRow(TypedDict):
    issue: int
    component: int

class IssueLabelRow(TypedDict):
    issue: int
    label: int

class IssueLostRow(TypedDict):
    id: int
    seq: int
    issue: int
    project: int | None
    level: str | None
    reporter: str | None
    who: str | None

class IssueRankShiftRow(TypedDict):
    id: int
    shift: int
    project: int
    seq: int
    at: int
    issue: int
    was: str
    rank: str

class IssueRevisionRow(TypedDict):
    issue: int
    revision: int
    at: int
    who: str
    via: str | None
    title: str
    body: str

class IssueTemplateRow(TypedDict):
    id: int
    project: int | None
    name: str
    name_key: str
    type: int
    input: str
    children: str
    checklists: str
    updated_at: int

class IssueTypeRow(TypedDict):
    id: int
    key: str
    name: str
    icon: str
    color: str
    level: int
    workflow: int | None
    description: str
    name_key: str
    template: int | None
    heir: int | None
    left_at: int | None

class IssueValueRow(TypedDict):
    issue: int
    field: int
    position: int
    value: Any
    unit: str | None

class IssueVoteRow(TypedDict):
    issue: int
    who: str
    at: int

class IssueWatcherRow(TypedDict):
    issue: int
    who: str
    reason: str
    at: int

class JobRow(TypedDict):
    id: int
    kind: str
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    args: str
    progress: float
    message: str
    result: str | None
    error: str | None
    by: str
    created_at: int
    ended_at: int | None
    run_at: int
    lease_until: int | None
    tries: int

class KeyRow(TypedDict):
    id: str
    digest: bytes
    old_digest: bytes | None
    old_until: int | None
    name: str
    kind: Literal["personal", "agent"]
    agent: str | None
    owner: str
    last4: str
    scopes: str
    projects: str
    networks: str
    created_at: int
    expires_at: int | None
    revoked_at: int | None
    last_used_at: int | None
    last_address: str | None

class KeyCallsRow(TypedDict):
    key: str
    month: str
    calls: int

class KnownDeviceRow(TypedDict):
    member: str
    digest: bytes
    at: int

class LabelRow(TypedDict):
    id: int
    name: str
    name_key: str
    color: str
    project: int | None
    family: str | None
    description: str

class LabelCountRow(TypedDict):
    label: int
    project: int
    issues: int

class LaneRow(TypedDict):
    id: int
    key: str
    name: str
    category: Literal["todo", "in_progress", "done"]
    color: str
    outcome: Literal["completed", "cancelled", "duplicate"] | None
    wip: int | None
    stops_sla: int
    description: str
    position: float
    name_key: str
    heir: int | None
    left_at: int | None

class LaterReplyRow(TypedDict):
    comment: int
    issue: int
    member: str
    caller: str
    at: int
    people: str
    files: str
    lane: str | None
    failed: str | None

class LogoRow(TypedDict):
    place: str
    type: str
    digest: str
    data: bytes

class MailRow(TypedDict):
    id: int
    member: str | None
    address: str
    subject: str
    text: str
    html: str | None
    message_id: str
    about: str | None
    unsubscribe: str | None
    state: Literal["queued", "sent", "failed", "held"]
    tries: int
    error: str | None
    at: int
    next_at: int
    thread: str | None
    one_click: int
    reply_to: str | None

class MailSenderRow(TypedDict):
    id: int
    host: str
    port: int
    security: Literal["starttls", "tls", "none"]
    user: str
    password: bytes | None
    sender: str
    name: str
    signature: str
    updated_at: int

class MailSuppressedRow(TypedDict):
    address: str
    reason: str
    at: int

class MailTemplateRow(TypedDict):
    key: str
    locale: str
    subject: str
    body: str

class MailboxRow(TypedDict):
    id: int
    name: str
    protocol: Literal["imap", "pop", "hook"]
    host: str
    port: int
    security: Literal["starttls", "tls", "none"]
    user: str
    password: bytes | None
    folder: str
    token: bytes | None
    digest: bytes | None
    target: Literal["desk", "project", "page_space"]
    project: int | None
    space: int | None
    every_minutes: int
    delete_after: Literal[0, 1]
    allow: str
    deny: str
    next_at: int | None
    last_at: int | None
    last_error: str | None
    created_at: int
    created_by: str

class MailboxMailRow(TypedDict):
    id: int
    mailbox: int
    uid: str
    message: bytes | None
    sender: bytes | None
    subject: str | None
    result: Literal["begun", "created", "commented", "ignored", "refused", "failed"]
    why: str | None
    tries: int
    settled: Literal[0, 1]
    at: int

class MailerRow(TypedDict):
    name: str
    sends: Literal[0, 1]
    domain: str
    origin: str
    source: Literal["settings", "saved", "none"]
    place: str

class MarkRow(TypedDict):
    member: str
    subject: str
    seq: int
    at: int

class MemberRow(TypedDict):
    id: str
    name: str
    handle: str
    email: str | None
    avatar: str | None
    role: Literal["owner", "admin", "member", "guest"]
    state: Literal["invited", "active", "deactivated", "erased"]
    title: str | None
    pronouns: str | None
    about: str | None
    zone: str | None
    locale: str | None
    status: str | None
    calendar: int | None
    preferences: str
    guest_until: int | None
    last_seen_at: int | None
    created_at: int

class NotificationRow(TypedDict):
    id: int
    who: str
    member: str
    subject: str
    reason: str
    state: Literal["unread", "read", "archived"]
    snoozed_until: int | None
    events: str
    at: int
    mail_at: int | None
    push_at: int | None

class NotificationDueRow(TypedDict):
    issue: int
    member: str
    due_date: str
    ahead: int

class NotificationMuteRow(TypedDict):
    who: str
    subject: str
    project: int | None
    until: int | None
    at: int

class NotificationProjectRow(TypedDict):
    member: str
    project: int

class NotificationSettingRow(TypedDict):
    member: str
    channels: str
    digest: Literal["off", "daily", "weekly"]
    digest_minute: int
    quiet: str | None
    due_before: str
    delay_minutes: int

class OauthClientRow(TypedDict):
    id: str
    name: str
    redirect_uris: str
    method: Literal["none", "client_secret_post", "client_secret_basic"]
    secret: bytes | None
    created_at: int
    used_at: int | None

class OauthCodeRow(TypedDict):
    digest: bytes
    client: str
    member: str
    redirect_uri: str
    challenge: str
    scopes: str
    modules: str | None
    expires_at: int
    taken_by: int | None

class OauthGrantRow(TypedDict):
    id: int
    member: str
    client: str
    client_name: str
    agent: str
    scopes: str
    modules: str | None
    created_at: int
    last_used_at: int | None
    last_address: str | None
    revoked_at: int | None

class OauthTokenRow(TypedDict):
    digest: bytes
    grant_id: int
    kind: Literal["access", "refresh"]
    scopes: str
    made_at: int
    expires_at: int
    used_at: int | None

class PageRow(TypedDict):
    id: int
    space: int
    parent: int | None
    rank: str
    title: str
    slug: str
    icon: str | None
    cover: str | None
    body: str
    body_doc: str | None
    properties: str
    owner: str
    state: Literal["draft", "published"]
    version: int
    draft: int | None
    draft_base: int | None
    locked: int
    verified_until: int | None
    verified_by: str | None
    created_at: int
    created_by: str
    updated_at: int
    updated_by: str
    archived_at: int | None
    deleted_at: int | None
    seq: int

class PageLabelRow(TypedDict):
    page: int
    label: int

class PageLapseRow(TypedDict):
    page: int
    until: int

class PageLimitRow(TypedDict):
    page: int
    level: Literal["view", "edit", "owner"]
    who: str

class PageLinkRow(TypedDict):
    id: int
    page: int
    kind: Literal["page", "issue", "mention"]
    space: int | None
    slug: str | None
    ref: str | None
    words: str

class PageOpenedRow(TypedDict):
    page: int
    day: int

class PageSlugRow(TypedDict):
    space: int
    slug: str
    page: int

class PageSyncRow(TypedDict):
    page: int
    seed: int
    first: int
    clock: int
    state: bytes
    state_clock: int
    version: int | None

class PageSyncUpdateRow(TypedDict):
    page: int
    clock: int
    data: bytes
    version: int | None

class PageTaskRow(TypedDict):
    page: int
    line: int
    text: str
    assignee: str | None
    due_date: str | None
    done: int

class PageTemplateRow(TypedDict):
    id: int
    space: int | None
    name: str
    name_key: str
    body: str
    properties: str
    icon: str | None
    updated_at: int

class PageVersionRow(TypedDict):
    page: int
    version: int
    title: str
    body: str
    body_doc: str | None
    at: int
    began_at: int
    who: str
    via: str | None
    note: str
    published: int
    folded: int

class PageVisitRow(TypedDict):
    page: int
    day: int
    who: str

class PageWatcherRow(TypedDict):
    page: int
    who: str
    children: int

class PasskeyRow(TypedDict):
    id: str
    member: str
    credential: bytes
    public_key: bytes
    name: str
    transports: str
    count: int
    created_at: int
    last_used_at: int | None

class ProjectRow(TypedDict):
    id: int
    key: str
    name: str
    description: str
    kind: Literal["software", "business", "desk", "personal"]
    icon: str | None
    color: str | None
    lead: str | None
    visibility: Literal["org", "members", "private"]
    modules: str
    default_type: int
    default_assignee: str
    workflow: int
    estimate_scale: int | None
    calendar: int | None
    budget: str | None
    start_date: str | None
    due_date: str | None
    labels: str
    triage: int
    reporters_see: Literal["own", "all"]
    blockers: Literal["warn", "refuse"]
    auto_archive_days: int | None
    auto_close_days: int | None
    numbers: int
    archived_at: int | None
    deleted_at: int | None
    created_at: int
    seq: int
    default_view: int | None

class ProjectCountRow(TypedDict):
    project: int
    lane: int
    type: int
    issues: int

class ProjectKeyRow(TypedDict):
    key: str
    project: int

class ProjectMemberRow(TypedDict):
    project: int
    who: str
    role: Literal["lead", "member", "reporter", "viewer"]

class ProjectStatusRow(TypedDict):
    id: int
    project: int
    health: Literal["on_track", "at_risk", "off_track", "paused"]
    body: str
    author: str
    at: int
    facts: str

class ProjectTemplateRow(TypedDict):
    id: int
    name: str
    name_key: str
    description: str
    content: str
    built_in: int
    updated_at: int

class ProjectTypeRow(TypedDict):
    project: int
    type: int
    workflow: int | None
    position: int

class ProviderRow(TypedDict):
    id: str
    kind: str
    label: str
    enabled: int
    create_members: int
    settings: str
    secret: bytes | None
    created_at: int

class ProviderLinkRow(TypedDict):
    provider: str
    issuer: str
    subject: str
    member: str
    created_at: int
    last_used_at: int | None

class PushDeviceRow(TypedDict):
    id: int
    member: str
    digest: bytes
    sealed: bytes
    device: str
    added_at: int
    failures: int

class PushServerRow(TypedDict):
    name: str
    public: str
    sealed: bytes
    made_at: int

class PushedWriteRow(TypedDict):
    digest: bytes
    call: bytes
    at: int
    subject: str | None
    seq: int | None

class QueueRow(TypedDict):
    id: int
    project: int
    name: str
    name_key: str
    tql: str
    sorted: str
    columns: str
    names: str
    team: int | None
    position: float
    updated_at: int

class ReactionRow(TypedDict):
    comment: int
    who: str
    emoji: str
    at: int

class RecoveryCodeRow(TypedDict):
    member: str
    digest: bytes
    used_at: int | None

class RelationRow(TypedDict):
    id: int
    kind: int
    src: int
    dst: int
    lag_days: int
    created_at: int
    created_by: str

class RelationKindRow(TypedDict):
    id: int
    key: str
    name: str
    inverse: str
    directed: int
    blocks: int
    color: str
    built_in: int

class ReportRow(TypedDict):
    id: int
    name: str
    sql: str
    every: Literal["manual", "daily", "weekly", "monthly"]
    created_by: str
    author: str
    last_run_at: int | None
    last_rows: int | None
    last_result: str | None
    last_error: str | None
    next_run_at: int | None
    created_at: int
    updated_at: int

class ReportRecipientRow(TypedDict):
    report: int
    who: str
    position: int

class RequestCommentRow(TypedDict):
    comment: int
    issue: int

class RequestCustomerRow(TypedDict):
    issue: int
    customer: int
    at: int
    added_by: int | None

class RequestFileRow(TypedDict):
    attachment: str
    issue: int
    comment: int | None

class RequestRatingRow(TypedDict):
    issue: int
    customer: int
    score: int
    comment: str
    agent: str | None
    done_at: int
    first_at: int
    rated_at: int

class RequestTypeRow(TypedDict):
    id: int
    project: int
    name: str
    name_key: str
    description: str
    icon: str
    family: str
    issue_type: int
    fields: str
    approvers: str
    template: int | None
    position: float
    hidden: Literal[0, 1]
    updated_at: int

class RotaRow(TypedDict):
    team: int
    levels: str
    zone: str
    escalate_minutes: int | None
    since: int

class RotaOverrideRow(TypedDict):
    id: int
    team: int
    level: int
    member: str
    from_at: int
    to_at: int

class RuleRow(TypedDict):
    id: int
    name: str
    enabled: Literal[0, 1]
    trigger: str
    conditions: str
    actions: str
    names: str
    author: str
    scopes: str
    since: int
    runs: int
    failures: int
    last_run_at: int | None
    next_run_at: int | None
    created_at: int
    created_by: str
    updated_at: int
    token: bytes | None
    digest: bytes | None

class RuleLogRow(TypedDict):
    id: int
    rule: int
    at: int
    event: str
    actor: str
    subject: str | None
    label: str
    message: str
    ok: Literal[0, 1]
    author: str | None
    depth: int
    first_seq: int | None
    last_seq: int | None

class RuleRunRow(TypedDict):
    id: int
    rule: int
    event: str
    seq: int | None
    actor: str
    subject: str | None
    depth: int
    step: int | None
    due_at: int
    payload: str | None

class RuleStateRow(TypedDict):
    rule: int
    issue: int
    since: int
    fired: Literal[0, 1]

class SdkBatchRow(TypedDict):
    key: int
    batch: str
    at: int

class SdkKeyRow(TypedDict):
    id: int
    environment: int
    kind: Literal["server", "client"]
    digest: bytes
    last4: str
    value: str | None
    salt: bytes
    sealed: bytes
    created_by: str
    created_at: int
    expires_at: int | None
    revoked_at: int | None

class SearchDocRow(TypedDict):
    id: int
    kind: str
    ref: Any

class SearchWaitingRow(TypedDict):
    id: int
    title: str
    body: str

class SessionRow(TypedDict):
    id: str
    digest: bytes
    member: str
    kind: Literal["browser", "device", "app"]
    client: str
    address: str | None
    elevated_until: int | None
    created_at: int
    last_seen_at: int
    idle_until: int
    expires_at: int
    factor: int

class SettingRow(TypedDict):
    name: str
    value: str

class SpaceRow(TypedDict):
    id: int
    key: str
    name: str
    kind: Literal["team", "project", "personal", "kb"]
    description: str
    icon: str | None
    project: int | None
    visibility: Literal["org", "members", "public"]
    home: int | None
    owner: str
    review_days: int | None
    created_at: int
    archived_at: int | None
    deleted_at: int | None
    seq: int

class SpanRow(TypedDict):
    subject: str
    field: str
    value: str
    from_at: int
    to_at: int | None
    by: str
    id: int

class SpanWaitingRow(TypedDict):
    subject: str
    held: str
    from_at: int
    by: str

class SprintRow(TypedDict):
    id: int
    name: str
    name_key: str
    team: int | None
    state: Literal["planned", "active", "done"]
    goal: str
    start_date: str | None
    end_date: str | None
    started_at: int | None
    completed_at: int | None
    capacity: str
    plan: str | None
    result: str | None
    carried: int | None
    retro: str | None
    cadence: int | None
    created_by: str
    created_at: int
    deleted_at: int | None

class SprintCadenceRow(TypedDict):
    id: int
    team: int | None
    project: int | None
    weeks: int
    starts_on: int
    ahead: int
    auto_start: int
    auto_complete: int
    carry: Literal["next", "backlog"]
    made_by: str

class SprintPastRow(TypedDict):
    issue: int
    sprint: int

class SprintProjectRow(TypedDict):
    sprint: int
    project: int

class StarRow(TypedDict):
    id: int
    member: str
    subject: str
    issue: int | None
    folder: str | None
    label: str | None
    position: int
    created_at: int

class TeamRow(TypedDict):
    id: int
    name: str
    handle: str
    description: str
    icon: str | None
    parent: int | None
    open: int
    calendar: int | None
    managed: int
    created_at: int

class TeamMemberRow(TypedDict):
    team: int
    member: str
    role: Literal["lead", "member"]

class ThingTouchRow(TypedDict):
    seq: int
    kind: str
    ref: int

class ThumbnailRow(TypedDict):
    hash: bytes
    width: int
    bytes: bytes
    size: int
    made_at: int

class TrashRow(TypedDict):
    id: int
    subject: str
    kind: str
    title: str
    project: int | None
    items: str
    contents: int
    deleted_at: int
    deleted_by: str
    purging: int
    space: int | None

class UndoRow(TypedDict):
    seq: int
    token: str
    last_seq: int
    op: str
    member: str
    via: str | None
    at: int
    why_not: str | None
    undone_by: int | None
    images: bytes
    part_of: str | None

class UndoAboutRow(TypedDict):
    what: str
    record: int

class UnsettledRow(TypedDict):
    project: int
    after: int

class UploadRow(TypedDict):
    id: str
    member: str
    name: str
    size: int
    sha256: str
    created_at: int
    arrived: int | None

class ViewRow(TypedDict):
    id: int
    name: str
    name_key: str
    tql: str
    layout: Literal["list", "board", "table", "calendar", "timeline"]
    columns: str
    group_by: str | None
    sort: str | None
    project: int | None
    owner: str
    shared: Literal[0, 1]
    icon: str | None
    external: str | None
    created_at: int
    deleted_at: int | None
    names: str
    subgroup_by: str | None

class ViewSubscriptionRow(TypedDict):
    view: int
    member: str
    every: Literal["change", "daily", "weekly"]
    minute: int | None
    days: str
    next_at: int
    digest: str | None
    told: str | None
    told_at: int | None

class WebLinkRow(TypedDict):
    id: int
    issue: int
    url: str
    title: str
    kind: str
    created_at: int
    created_by: str

class WebhookRow(TypedDict):
    id: int
    name: str
    url: str
    events: str
    project: int | None
    tql: str
    names: str
    fields: str
    header_names: str
    headers: bytes | None
    secret: bytes
    old_secret: bytes | None
    old_until: int | None
    batch_seconds: int
    enabled: int
    author: str
    scopes: str
    since: int
    failures: int
    failing_since: int | None
    last_at: int | None
    last_status: int | None
    created_at: int
    updated_at: int

class WebhookDeliveryRow(TypedDict):
    id: int
    webhook: int
    event: str
    seq: int
    state: Literal["queued", "sent", "failed", "dropped"]
    tries: int
    status: int | None
    ms: int | None
    error: str | None
    request: str | None
    response: str | None
    author: str | None
    at: int
    next_at: int | None

class WebhookEventRow(TypedDict):
    delivery: int
    seq: int

class WorkflowRow(TypedDict):
    id: int
    name: str
    start: int
    lanes: str
    transitions: str
    builtin: int
    updated_at: int
    draft: int
    draft_of: int | None
    name_key: str
    names: str

if TYPE_CHECKING:

    class StoredRow(Protocol):
        """Finds the row with a key: `Read.stored`."""

        @overload
        def __call__(self, table: Literal["access_grant"], place: list[Any]) -> AccessGrantRow | None: ...
        @overload
        def __call__(self, table: Literal["agent"], place: list[Any]) -> AgentRow | None: ...
        @overload
        def __call__(self, table: Literal["ai_call"], place: list[Any]) -> AiCallRow | None: ...
        @overload
        def __call__(self, table: Literal["ai_policy"], place: list[Any]) -> AiPolicyRow | None: ...
        @overload
        def __call__(self, table: Literal["ai_profile"], place: list[Any]) -> AiProfileRow | None: ...
        @overload
        def __call__(self, table: Literal["ai_proposal"], place: list[Any]) -> AiProposalRow | None: ...
        @overload
        def __call__(self, table: Literal["ai_provider"], place: list[Any]) -> AiProviderRow | None: ...
        @overload
        def __call__(self, table: Literal["ai_run"], place: list[Any]) -> AiRunRow | None: ...
        @overload
        def __call__(self, table: Literal["ai_usage"], place: list[Any]) -> AiUsageRow | None: ...
        @overload
        def __call__(self, table: Literal["approval"], place: list[Any]) -> ApprovalRow | None: ...
        @overload
        def __call__(self, table: Literal["approval_approver"], place: list[Any]) -> ApprovalApproverRow | None: ...
        @overload
        def __call__(self, table: Literal["approval_vote"], place: list[Any]) -> ApprovalVoteRow | None: ...
        @overload
        def __call__(self, table: Literal["article_use"], place: list[Any]) -> ArticleUseRow | None: ...
        @overload
        def __call__(self, table: Literal["asset"], place: list[Any]) -> AssetRow | None: ...
        @overload
        def __call__(self, table: Literal["asset_issue"], place: list[Any]) -> AssetIssueRow | None: ...
        @overload
        def __call__(self, table: Literal["asset_type"], place: list[Any]) -> AssetTypeRow | None: ...
        @overload
        def __call__(self, table: Literal["asset_value"], place: list[Any]) -> AssetValueRow | None: ...
        @overload
        def __call__(self, table: Literal["attachment"], place: list[Any]) -> AttachmentRow | None: ...
        @overload
        def __call__(self, table: Literal["attachment_text"], place: list[Any]) -> AttachmentTextRow | None: ...
        @overload
        def __call__(self, table: Literal["attempt"], place: list[Any]) -> AttemptRow | None: ...
        @overload
        def __call__(self, table: Literal["avatar"], place: list[Any]) -> AvatarRow | None: ...
        @overload
        def __call__(self, table: Literal["backup_schedule"], place: list[Any]) -> BackupScheduleRow | None: ...
        @overload
        def __call__(self, table: Literal["blob"], place: list[Any]) -> BlobRow | None: ...
        @overload
        def __call__(self, table: Literal["blob_content"], place: list[Any]) -> BlobContentRow | None: ...
        @overload
        def __call__(self, table: Literal["blob_piece"], place: list[Any]) -> BlobPieceRow | None: ...
        @overload
        def __call__(self, table: Literal["board"], place: list[Any]) -> BoardRow | None: ...
        @overload
        def __call__(self, table: Literal["canned_reply"], place: list[Any]) -> CannedReplyRow | None: ...
        @overload
        def __call__(self, table: Literal["carried_over"], place: list[Any]) -> CarriedOverRow | None: ...
        @overload
        def __call__(self, table: Literal["challenge"], place: list[Any]) -> ChallengeRow | None: ...
        @overload
        def __call__(self, table: Literal["chat_account"], place: list[Any]) -> ChatAccountRow | None: ...
        @overload
        def __call__(self, table: Literal["chat_code"], place: list[Any]) -> ChatCodeRow | None: ...
        @overload
        def __call__(self, table: Literal["chat_connection"], place: list[Any]) -> ChatConnectionRow | None: ...
        @overload
        def __call__(self, table: Literal["chat_post"], place: list[Any]) -> ChatPostRow | None: ...
        @overload
        def __call__(self, table: Literal["chat_subscription"], place: list[Any]) -> ChatSubscriptionRow | None: ...
        @overload
        def __call__(self, table: Literal["chat_taken"], place: list[Any]) -> ChatTakenRow | None: ...
        @overload
        def __call__(self, table: Literal["check_item"], place: list[Any]) -> CheckItemRow | None: ...
        @overload
        def __call__(self, table: Literal["checklist_template"], place: list[Any]) -> ChecklistTemplateRow | None: ...
        @overload
        def __call__(self, table: Literal["comment"], place: list[Any]) -> CommentRow | None: ...
        @overload
        def __call__(self, table: Literal["component"], place: list[Any]) -> ComponentRow | None: ...
        @overload
        def __call__(self, table: Literal["component_count"], place: list[Any]) -> ComponentCountRow | None: ...
        @overload
        def __call__(self, table: Literal["counter"], place: list[Any]) -> CounterRow | None: ...
        @overload
        def __call__(self, table: Literal["credential"], place: list[Any]) -> CredentialRow | None: ...
        @overload
        def __call__(self, table: Literal["customer"], place: list[Any]) -> CustomerRow | None: ...
        @overload
        def __call__(self, table: Literal["customer_chat"], place: list[Any]) -> CustomerChatRow | None: ...
        @overload
        def __call__(self, table: Literal["customer_link"], place: list[Any]) -> CustomerLinkRow | None: ...
        @overload
        def __call__(self, table: Literal["customer_request"], place: list[Any]) -> CustomerRequestRow | None: ...
        @overload
        def __call__(self, table: Literal["customer_token"], place: list[Any]) -> CustomerTokenRow | None: ...
        @overload
        def __call__(self, table: Literal["desk"], place: list[Any]) -> DeskRow | None: ...
        @overload
        def __call__(self, table: Literal["desk_mail"], place: list[Any]) -> DeskMailRow | None: ...
        @overload
        def __call__(self, table: Literal["device_code"], place: list[Any]) -> DeviceCodeRow | None: ...
        @overload
        def __call__(self, table: Literal["draft"], place: list[Any]) -> DraftRow | None: ...
        @overload
        def __call__(self, table: Literal["event_about"], place: list[Any]) -> EventAboutRow | None: ...
        @overload
        def __call__(self, table: Literal["events"], place: list[Any]) -> EventsRow | None: ...
        @overload
        def __call__(self, table: Literal["expected_file"], place: list[Any]) -> ExpectedFileRow | None: ...
        @overload
        def __call__(self, table: Literal["field"], place: list[Any]) -> FieldRow | None: ...
        @overload
        def __call__(self, table: Literal["field_count"], place: list[Any]) -> FieldCountRow | None: ...
        @overload
        def __call__(self, table: Literal["field_layout"], place: list[Any]) -> FieldLayoutRow | None: ...
        @overload
        def __call__(self, table: Literal["field_option"], place: list[Any]) -> FieldOptionRow | None: ...
        @overload
        def __call__(self, table: Literal["firing"], place: list[Any]) -> FiringRow | None: ...
        @overload
        def __call__(self, table: Literal["flag"], place: list[Any]) -> FlagRow | None: ...
        @overload
        def __call__(self, table: Literal["flag_alias"], place: list[Any]) -> FlagAliasRow | None: ...
        @overload
        def __call__(self, table: Literal["flag_alias_count"], place: list[Any]) -> FlagAliasCountRow | None: ...
        @overload
        def __call__(self, table: Literal["flag_change"], place: list[Any]) -> FlagChangeRow | None: ...
        @overload
        def __call__(self, table: Literal["flag_check"], place: list[Any]) -> FlagCheckRow | None: ...
        @overload
        def __call__(self, table: Literal["flag_config"], place: list[Any]) -> FlagConfigRow | None: ...
        @overload
        def __call__(self, table: Literal["flag_count"], place: list[Any]) -> FlagCountRow | None: ...
        @overload
        def __call__(self, table: Literal["flag_environment"], place: list[Any]) -> FlagEnvironmentRow | None: ...
        @overload
        def __call__(self, table: Literal["flag_expiry"], place: list[Any]) -> FlagExpiryRow | None: ...
        @overload
        def __call__(self, table: Literal["flag_issue"], place: list[Any]) -> FlagIssueRow | None: ...
        @overload
        def __call__(self, table: Literal["flag_plan"], place: list[Any]) -> FlagPlanRow | None: ...
        @overload
        def __call__(self, table: Literal["flag_project"], place: list[Any]) -> FlagProjectRow | None: ...
        @overload
        def __call__(self, table: Literal["flag_reference"], place: list[Any]) -> FlagReferenceRow | None: ...
        @overload
        def __call__(self, table: Literal["flag_review"], place: list[Any]) -> FlagReviewRow | None: ...
        @overload
        def __call__(self, table: Literal["flag_revision"], place: list[Any]) -> FlagRevisionRow | None: ...
        @overload
        def __call__(self, table: Literal["flag_schedule"], place: list[Any]) -> FlagScheduleRow | None: ...
        @overload
        def __call__(self, table: Literal["flag_segment"], place: list[Any]) -> FlagSegmentRow | None: ...
        @overload
        def __call__(self, table: Literal["flag_template"], place: list[Any]) -> FlagTemplateRow | None: ...
        @overload
        def __call__(self, table: Literal["flag_trigger"], place: list[Any]) -> FlagTriggerRow | None: ...
        @overload
        def __call__(self, table: Literal["flag_usage"], place: list[Any]) -> FlagUsageRow | None: ...
        @overload
        def __call__(self, table: Literal["flag_use"], place: list[Any]) -> FlagUseRow | None: ...
        @overload
        def __call__(self, table: Literal["former_name"], place: list[Any]) -> FormerNameRow | None: ...
        @overload
        def __call__(self, table: Literal["former_number"], place: list[Any]) -> FormerNumberRow | None: ...
        @overload
        def __call__(self, table: Literal["idempotency"], place: list[Any]) -> IdempotencyRow | None: ...
        @overload
        def __call__(self, table: Literal["import"], place: list[Any]) -> ImportRow | None: ...
        @overload
        def __call__(self, table: Literal["import_item"], place: list[Any]) -> ImportItemRow | None: ...
        @overload
        def __call__(self, table: Literal["import_log"], place: list[Any]) -> ImportLogRow | None: ...
        @overload
        def __call__(self, table: Literal["import_page"], place: list[Any]) -> ImportPageRow | None: ...
        @overload
        def __call__(self, table: Literal["inbox"], place: list[Any]) -> InboxRow | None: ...
        @overload
        def __call__(self, table: Literal["invite"], place: list[Any]) -> InviteRow | None: ...
        @overload
        def __call__(self, table: Literal["issue"], place: list[Any]) -> IssueRow | None: ...
        @overload
        def __call__(self, table: Literal["issue_assignee"], place: list[Any]) -> IssueAssigneeRow | None: ...
        @overload
        def __call__(self, table: Literal["issue_component"], place: list[Any]) -> IssueComponentRow | None: ...
        @overload
        def __call__(self, table: Literal["issue_label"], place: list[Any]) -> IssueLabelRow | None: ...
        @overload
        def __call__(self, table: Literal["issue_lost"], place: list[Any]) -> IssueLostRow | None: ...
        @overload
        def __call__(self, table: Literal["issue_rank_shift"], place: list[Any]) -> IssueRankShiftRow | None: ...
        @overload
        def __call__(self, table: Literal["issue_revision"], place: list[Any]) -> IssueRevisionRow | None: ...
        @overload
        def __call__(self, table: Literal["issue_template"], place: list[Any]) -> IssueTemplateRow | None: ...
        @overload
        def __call__(self, table: Literal["issue_type"], place: list[Any]) -> IssueTypeRow | None: ...
        @overload
        def __call__(self, table: Literal["issue_value"], place: list[Any]) -> IssueValueRow | None: ...
        @overload
        def __call__(self, table: Literal["issue_vote"], place: list[Any]) -> IssueVoteRow | None: ...
        @overload
        def __call__(self, table: Literal["issue_watcher"], place: list[Any]) -> IssueWatcherRow | None: ...
        @overload
        def __call__(self, table: Literal["job"], place: list[Any]) -> JobRow | None: ...
        @overload
        def __call__(self, table: Literal["key"], place: list[Any]) -> KeyRow | None: ...
        @overload
        def __call__(self, table: Literal["key_calls"], place: list[Any]) -> KeyCallsRow | None: ...
        @overload
        def __call__(self, table: Literal["known_device"], place: list[Any]) -> KnownDeviceRow | None: ...
        @overload
        def __call__(self, table: Literal["label"], place: list[Any]) -> LabelRow | None: ...
        @overload
        def __call__(self, table: Literal["label_count"], place: list[Any]) -> LabelCountRow | None: ...
        @overload
        def __call__(self, table: Literal["lane"], place: list[Any]) -> LaneRow | None: ...
        @overload
        def __call__(self, table: Literal["later_reply"], place: list[Any]) -> LaterReplyRow | None: ...
        @overload
        def __call__(self, table: Literal["logo"], place: list[Any]) -> LogoRow | None: ...
        @overload
        def __call__(self, table: Literal["mail"], place: list[Any]) -> MailRow | None: ...
        @overload
        def __call__(self, table: Literal["mail_sender"], place: list[Any]) -> MailSenderRow | None: ...
        @overload
        def __call__(self, table: Literal["mail_suppressed"], place: list[Any]) -> MailSuppressedRow | None: ...
        @overload
        def __call__(self, table: Literal["mail_template"], place: list[Any]) -> MailTemplateRow | None: ...
        @overload
        def __call__(self, table: Literal["mailbox"], place: list[Any]) -> MailboxRow | None: ...
        @overload
        def __call__(self, table: Literal["mailbox_mail"], place: list[Any]) -> MailboxMailRow | None: ...
        @overload
        def __call__(self, table: Literal["mailer"], place: list[Any]) -> MailerRow | None: ...
        @overload
        def __call__(self, table: Literal["mark"], place: list[Any]) -> MarkRow | None: ...
        @overload
        def __call__(self, table: Literal["member"], place: list[Any]) -> MemberRow | None: ...
        @overload
        def __call__(self, table: Literal["notification"], place: list[Any]) -> NotificationRow | None: ...
        @overload
        def __call__(self, table: Literal["notification_due"], place: list[Any]) -> NotificationDueRow | None: ...
        @overload
        def __call__(self, table: Literal["notification_mute"], place: list[Any]) -> NotificationMuteRow | None: ...
        @overload
        def __call__(self, table: Literal["notification_project"], place: list[Any]) -> NotificationProjectRow | None: ...
        @overload
        def __call__(self, table: Literal["notification_setting"], place: list[Any]) -> NotificationSettingRow | None: ...
        @overload
        def __call__(self, table: Literal["oauth_client"], place: list[Any]) -> OauthClientRow | None: ...
        @overload
        def __call__(self, table: Literal["oauth_code"], place: list[Any]) -> OauthCodeRow | None: ...
        @overload
        def __call__(self, table: Literal["oauth_grant"], place: list[Any]) -> OauthGrantRow | None: ...
        @overload
        def __call__(self, table: Literal["oauth_token"], place: list[Any]) -> OauthTokenRow | None: ...
        @overload
        def __call__(self, table: Literal["page"], place: list[Any]) -> PageRow | None: ...
        @overload
        def __call__(self, table: Literal["page_label"], place: list[Any]) -> PageLabelRow | None: ...
        @overload
        def __call__(self, table: Literal["page_lapse"], place: list[Any]) -> PageLapseRow | None: ...
        @overload
        def __call__(self, table: Literal["page_limit"], place: list[Any]) -> PageLimitRow | None: ...
        @overload
        def __call__(self, table: Literal["page_link"], place: list[Any]) -> PageLinkRow | None: ...
        @overload
        def __call__(self, table: Literal["page_opened"], place: list[Any]) -> PageOpenedRow | None: ...
        @overload
        def __call__(self, table: Literal["page_slug"], place: list[Any]) -> PageSlugRow | None: ...
        @overload
        def __call__(self, table: Literal["page_sync"], place: list[Any]) -> PageSyncRow | None: ...
        @overload
        def __call__(self, table: Literal["page_sync_update"], place: list[Any]) -> PageSyncUpdateRow | None: ...
        @overload
        def __call__(self, table: Literal["page_task"], place: list[Any]) -> PageTaskRow | None: ...
        @overload
        def __call__(self, table: Literal["page_template"], place: list[Any]) -> PageTemplateRow | None: ...
        @overload
        def __call__(self, table: Literal["page_version"], place: list[Any]) -> PageVersionRow | None: ...
        @overload
        def __call__(self, table: Literal["page_visit"], place: list[Any]) -> PageVisitRow | None: ...
        @overload
        def __call__(self, table: Literal["page_watcher"], place: list[Any]) -> PageWatcherRow | None: ...
        @overload
        def __call__(self, table: Literal["passkey"], place: list[Any]) -> PasskeyRow | None: ...
        @overload
        def __call__(self, table: Literal["project"], place: list[Any]) -> ProjectRow | None: ...
        @overload
        def __call__(self, table: Literal["project_count"], place: list[Any]) -> ProjectCountRow | None: ...
        @overload
        def __call__(self, table: Literal["project_key"], place: list[Any]) -> ProjectKeyRow | None: ...
        @overload
        def __call__(self, table: Literal["project_member"], place: list[Any]) -> ProjectMemberRow | None: ...
        @overload
        def __call__(self, table: Literal["project_status"], place: list[Any]) -> ProjectStatusRow | None: ...
        @overload
        def __call__(self, table: Literal["project_template"], place: list[Any]) -> ProjectTemplateRow | None: ...
        @overload
        def __call__(self, table: Literal["project_type"], place: list[Any]) -> ProjectTypeRow | None: ...
        @overload
        def __call__(self, table: Literal["provider"], place: list[Any]) -> ProviderRow | None: ...
        @overload
        def __call__(self, table: Literal["provider_link"], place: list[Any]) -> ProviderLinkRow | None: ...
        @overload
        def __call__(self, table: Literal["push_device"], place: list[Any]) -> PushDeviceRow | None: ...
        @overload
        def __call__(self, table: Literal["push_server"], place: list[Any]) -> PushServerRow | None: ...
        @overload
        def __call__(self, table: Literal["pushed_write"], place: list[Any]) -> PushedWriteRow | None: ...
        @overload
        def __call__(self, table: Literal["queue"], place: list[Any]) -> QueueRow | None: ...
        @overload
        def __call__(self, table: Literal["reaction"], place: list[Any]) -> ReactionRow | None: ...
        @overload
        def __call__(self, table: Literal["recovery_code"], place: list[Any]) -> RecoveryCodeRow | None: ...
        @overload
        def __call__(self, table: Literal["relation"], place: list[Any]) -> RelationRow | None: ...
        @overload
        def __call__(self, table: Literal["relation_kind"], place: list[Any]) -> RelationKindRow | None: ...
        @overload
        def __call__(self, table: Literal["report"], place: list[Any]) -> ReportRow | None: ...
        @overload
        def __call__(self, table: Literal["report_recipient"], place: list[Any]) -> ReportRecipientRow | None: ...
        @overload
        def __call__(self, table: Literal["request_comment"], place: list[Any]) -> RequestCommentRow | None: ...
        @overload
        def __call__(self, table: Literal["request_customer"], place: list[Any]) -> RequestCustomerRow | None: ...
        @overload
        def __call__(self, table: Literal["request_file"], place: list[Any]) -> RequestFileRow | None: ...
        @overload
        def __call__(self, table: Literal["request_rating"], place: list[Any]) -> RequestRatingRow | None: ...
        @overload
        def __call__(self, table: Literal["request_type"], place: list[Any]) -> RequestTypeRow | None: ...
        @overload
        def __call__(self, table: Literal["rota"], place: list[Any]) -> RotaRow | None: ...
        @overload
        def __call__(self, table: Literal["rota_override"], place: list[Any]) -> RotaOverrideRow | None: ...
        @overload
        def __call__(self, table: Literal["rule"], place: list[Any]) -> RuleRow | None: ...
        @overload
        def __call__(self, table: Literal["rule_log"], place: list[Any]) -> RuleLogRow | None: ...
        @overload
        def __call__(self, table: Literal["rule_run"], place: list[Any]) -> RuleRunRow | None: ...
        @overload
        def __call__(self, table: Literal["rule_state"], place: list[Any]) -> RuleStateRow | None: ...
        @overload
        def __call__(self, table: Literal["sdk_batch"], place: list[Any]) -> SdkBatchRow | None: ...
        @overload
        def __call__(self, table: Literal["sdk_key"], place: list[Any]) -> SdkKeyRow | None: ...
        @overload
        def __call__(self, table: Literal["search_doc"], place: list[Any]) -> SearchDocRow | None: ...
        @overload
        def __call__(self, table: Literal["search_waiting"], place: list[Any]) -> SearchWaitingRow | None: ...
        @overload
        def __call__(self, table: Literal["session"], place: list[Any]) -> SessionRow | None: ...
        @overload
        def __call__(self, table: Literal["setting"], place: list[Any]) -> SettingRow | None: ...
        @overload
        def __call__(self, table: Literal["space"], place: list[Any]) -> SpaceRow | None: ...
        @overload
        def __call__(self, table: Literal["span"], place: list[Any]) -> SpanRow | None: ...
        @overload
        def __call__(self, table: Literal["span_waiting"], place: list[Any]) -> SpanWaitingRow | None: ...
        @overload
        def __call__(self, table: Literal["sprint"], place: list[Any]) -> SprintRow | None: ...
        @overload
        def __call__(self, table: Literal["sprint_cadence"], place: list[Any]) -> SprintCadenceRow | None: ...
        @overload
        def __call__(self, table: Literal["sprint_past"], place: list[Any]) -> SprintPastRow | None: ...
        @overload
        def __call__(self, table: Literal["sprint_project"], place: list[Any]) -> SprintProjectRow | None: ...
        @overload
        def __call__(self, table: Literal["star"], place: list[Any]) -> StarRow | None: ...
        @overload
        def __call__(self, table: Literal["team"], place: list[Any]) -> TeamRow | None: ...
        @overload
        def __call__(self, table: Literal["team_member"], place: list[Any]) -> TeamMemberRow | None: ...
        @overload
        def __call__(self, table: Literal["thing_touch"], place: list[Any]) -> ThingTouchRow | None: ...
        @overload
        def __call__(self, table: Literal["thumbnail"], place: list[Any]) -> ThumbnailRow | None: ...
        @overload
        def __call__(self, table: Literal["trash"], place: list[Any]) -> TrashRow | None: ...
        @overload
        def __call__(self, table: Literal["undo"], place: list[Any]) -> UndoRow | None: ...
        @overload
        def __call__(self, table: Literal["undo_about"], place: list[Any]) -> UndoAboutRow | None: ...
        @overload
        def __call__(self, table: Literal["unsettled"], place: list[Any]) -> UnsettledRow | None: ...
        @overload
        def __call__(self, table: Literal["upload"], place: list[Any]) -> UploadRow | None: ...
        @overload
        def __call__(self, table: Literal["view"], place: list[Any]) -> ViewRow | None: ...
        @overload
        def __call__(self, table: Literal["view_subscription"], place: list[Any]) -> ViewSubscriptionRow | None: ...
        @overload
        def __call__(self, table: Literal["web_link"], place: list[Any]) -> WebLinkRow | None: ...
        @overload
        def __call__(self, table: Literal["webhook"], place: list[Any]) -> WebhookRow | None: ...
        @overload
        def __call__(self, table: Literal["webhook_delivery"], place: list[Any]) -> WebhookDeliveryRow | None: ...
        @overload
        def __call__(self, table: Literal["webhook_event"], place: list[Any]) -> WebhookEventRow | None: ...
        @overload
        def __call__(self, table: Literal["workflow"], place: list[Any]) -> WorkflowRow | None: ...
        @overload
        def __call__(self, table: str, place: list[Any]) -> dict[str, Any] | None: ...
