// Made by `kbwork contract`; changes belong to the declared operations.
import type { Method } from "./index.js";

/** Whether AI may read a subject. */
export interface AIAllowance {
  /** The subject, such as `issue:12`. */
  subject: string;
  /** Whether it may. */
  allowed: boolean;
  /** Why not; null: it may. */
  reason: string | null;
}

/** What a model answered. */
export interface AICompletion {
  /** The answer: text that nobody has checked. */
  text: string;
  /** Id of the provider that was asked. */
  provider: string;
  /** Id of the model. */
  model: string;
  /** Tokens that went in. */
  input_tokens: number;
  /** Tokens that came out. */
  output_tokens: number;
}

/** A prompt that is ready to be sent, and its material by itself. */
export interface AIContext {
  /** What it is about, such as `issue:12`. */
  subject: string;
  /** The system text: rules, which no material changes. */
  system: string;
  /** The message: what is asked, and the material. */
  prompt: string;
  /** What the caller sees of the subject and AI may read, as JSON text. */
  material: string;
  /** What to pass to `ai.complete` as `feature`. */
  feature: string;
  /** Title of the subject. */
  title: string | null;
}

export interface AIExplanation {
  /** The explanation: text that nobody has checked. */
  text: string;
  /** Id of the provider that was asked. */
  provider: string;
  /** Id of the model. */
  model: string;
}

export interface AIMessage {
  /** Who says it. */
  role: "user" | "assistant";
  /** What is said. */
  content: string;
}

/** What AI may do for the org. */
export interface AIPolicy {
  /** Whether AI is on. */
  enabled: boolean;
  /** Whether people may use keys of their own, which their browser keeps. */
  browser_keys: boolean;
  /** Whether the server may use the stored keys. */
  org_keys: boolean;
  /** Subjects that AI never reads, with all that they contain; for others than admins those that the caller sees. */
  excluded: string[];
  /** Whether steps of rules that say so are applied without review; else they are proposed. */
  automation_apply: boolean;
  /** Tokens that one member may use in a UTC day; null: no cap. */
  member_daily_tokens: number | null;
  /** Tokens that all together may use in a UTC month; null: no cap. */
  monthly_tokens: number | null;
  /** Who offers models. */
  providers: AIProvider[];
  /** Tokens that all together used in this month. */
  used_month: number;
  /** Tokens that the caller used today. */
  used_today: number;
}

/** What a model proposes: an operation, which is run when somebody applies it. */
export interface AIProposal {
  /** Id of the proposal. */
  id: number;
  /** What was asked about, such as `issue:12`. */
  subject: string;
  /** What was asked. */
  task: string;
  /** What the model answered: text that nobody has checked. */
  answer: string;
  /** The operation that applying it runs. */
  op: string;
  /** The input of that operation, any JSON. */
  input: unknown;
  /** `failed`: it was applied and refused; it may be applied again. */
  state: "open" | "applied" | "dismissed" | "failed";
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** When it was applied or dismissed, in Unix seconds; null: not yet. */
  decided_at: number | null;
  /** Who did: a member's id; null: nobody yet. */
  decided_by: string | null;
  /** Why it failed; null: it did not. */
  error: string | null;
  /** Name of the automation rule that asked; null: none did. */
  rule: string | null;
  /** The title of the subject now. */
  title: string | null;
}

/** Who offers models, in the org's own network or elsewhere. */
export interface AIProvider {
  /** Id of the provider: lower-case letters, digits and `-`. */
  id: string;
  /** What it is called. */
  label: string;
  /** The wire format that it speaks: `anthropic` is that of messages, `openai` that of chat completions. */
  kind: "anthropic" | "openai";
  /** The address below which it is asked. */
  base_url: string;
  /** Models that may be picked; no others are asked. */
  models: string[];
  /** The one that is asked where none is named; empty: none. */
  default_model: string;
  /** Whether it is asked at all. */
  enabled: boolean;
  /** False for local models that take no key. */
  needs_key: boolean;
  /** Whether a browser may ask it with the person's own key. */
  browser: boolean;
  /** Whether a key of the org is stored, or none is needed. */
  has_key: boolean;
  /** The end of the stored key, for admins; null: none, or the caller is no admin. */
  key_last4: string | null;
}

export interface AISummary {
  /** The summary: text that nobody has checked. */
  summary: string;
  /** Id of the provider that was asked. */
  provider: string;
  /** Id of the model. */
  model: string;
}

/** What one used a model for. */
export interface AIUsageRow {
  /** Who: a member's id. */
  actor: string;
  /** What for. */
  feature: string;
  /** Id of the provider. */
  provider: string;
  /** Id of the model. */
  model: string;
  /** How often it was asked. */
  calls: number;
  /** How often it gave no answer. */
  errors: number;
  /** Tokens that went in. */
  input_tokens: number;
  /** Tokens that came out. */
  output_tokens: number;
}

export interface AccessExplain {
  /** What it would be done with, such as `page:12`, `space:HAND` or `WEB-12`. */
  subject: string;
  /** Id of the operation, such as `pages.update`. */
  op: string;
  /** Member; you unless given. Asking about others is for admins. */
  who?: string | null | undefined;
}

export interface AccessGrantSet {
  /** What the right is on: `space:HAND` or `page:12`. */
  subject: string;
  /** Member, `team:<id>` or `role:<key>`. */
  who: string;
  /** What they may do there; `none` takes the right away. */
  level: "view" | "comment" | "edit" | "manage" | "none";
  /** When it ends, in Unix seconds; left out or null: it stays. */
  expires_at?: number | null | undefined;
}

export interface AccessGrants {
  /** What the rights are on: `space:HAND` or `page:12`. */
  subject: string;
}

/** One operation that a rule runs. */
export interface Action {
  /** Id of the operation. */
  op: string;
  /** Its input, with placeholders; null for whoever may not read it. */
  input: Record<string, unknown> | null;
  /** It is run for each issue that fits this; null: once. */
  each: string | null;
  /** With `ai.run`: what the model answers is applied without review, where the policy of AI lets rules do so. */
  apply: boolean;
  /** `stop`: what is refused takes back the whole run; `go_on`: the rest stands without it. */
  on_error: "stop" | "go_on";
  /** So long the run waits before it. */
  delay_minutes: number;
}

export interface ActivityList {
  /** `issue:WEB-1`, `project:WEB`, `member:<id>` and so on. */
  subject: string;
  /** Only events after this sequence number. */
  since?: number | null | undefined;
}

export interface ActivityRecent {
  /** Events to answer; 30 unless given. */
  limit?: number | null | undefined;
}

export interface ActivitySeen {
  /** What you look at, such as `issue:WEB-1`. */
  subject: string;
}

export interface AiAllowed {
  /** What AI would read, such as `issue:WEB-1`. */
  subjects: readonly string[];
}

export interface AiComplete {
  /** What for: usage is grouped by it. */
  feature: string;
  /** What was said so far; the first is the user's. */
  messages: readonly AIMessage[];
  /** Tokens that the answer has at most; 1024 unless given. */
  max_tokens?: number | null | undefined;
  /** One of the provider's models; left out: its default. */
  model?: string | null | undefined;
  /** Id of the provider; left out: the first that is on and has a key. */
  provider?: string | null | undefined;
  /** What the messages contain: you see each of them, and none is excluded. */
  subjects?: readonly string[] | null | undefined;
  /** The system text. */
  system?: string | null | undefined;
}

export interface AiContext {
  /** What it is about: `issue:<n>`, or any other subject that search finds. */
  subject: string;
  /** `summary`; `changes`: what happened after `since`; `explain`: rewritten for `profile`. */
  mode?: "summary" | "changes" | "explain" | null | undefined;
  /** For `explain`: key of a reader profile. */
  profile?: string | null | undefined;
  /** For `changes`: the sequence number of an event; left out: from the beginning. */
  since?: number | null | undefined;
}

export interface AiExplain {
  /** What to explain: `issue:<n>`, or any other subject that search finds. */
  subject: string;
  /** Key of the reader profile. */
  profile: string;
  /** One of the provider's models; left out: its default. */
  model?: string | null | undefined;
  /** Id of the provider; left out: the first that is on and has a key. */
  provider?: string | null | undefined;
}

export interface AiKeyRevoke {
  /** Id of the provider. */
  id: string;
}

export interface AiKeySet {
  /** Id of the provider. */
  provider: string;
  /** Its API key. It is stored sealed, and never shown again. */
  secret: string;
  /** What you call the key. */
  label?: string | null | undefined;
}

export interface AiPolicySet {
  /** Whether AI is on. */
  enabled: boolean;
  /** Whether people may use keys of their own, which their browser keeps. */
  browser_keys: boolean;
  /** Whether the server may use the stored keys; models that take none it may ask anyway. */
  org_keys: boolean;
  /**
   * The whole list of subjects that AI never reads, with all that they contain: `space:<key>`, `project:<key>`,
   * `page:<id>`, `issue:<n>`.
   */
  excluded: readonly string[];
  /** Whether steps of rules that say `apply` change things without review; false unless given. */
  automation_apply?: boolean | null | undefined;
  /** Tokens that one member may use in a UTC day; null: no cap; left out: as it is. */
  member_daily_tokens?: number | null | undefined;
  /** Tokens that all together may use in a UTC month; null: no cap; left out: as it is. */
  monthly_tokens?: number | null | undefined;
}

export interface AiProfileDelete {
  /** Key of the profile. */
  id: string;
}

export interface AiProfileSave {
  /** Key of the profile, lower-case letters, digits and `-`; a new one makes it. */
  key: string;
  /** What it is called. */
  label: string;
  /** How to write for that reader. */
  instructions: string;
}

export interface AiProposalApply {
  /** Id of the proposal. */
  id: number;
}

export interface AiProposalDismiss {
  /** Id of the proposal. */
  id: number;
}

export interface AiProposals {
  /** Those in this state; `open` unless given. */
  state?: "open" | "applied" | "dismissed" | "failed" | null | undefined;
  /** Only those about this, such as `issue:WEB-1`. */
  subject?: string | null | undefined;
}

export interface AiProviderDelete {
  /** Id of the provider. */
  id: string;
}

export interface AiProviderModels {
  /** Id of the provider. */
  id: string;
}

export interface AiProviderSave {
  /** Id of the provider, lower-case letters, digits and `-`; a new one makes it. */
  id: string;
  /** What it is called. */
  label: string;
  /** The wire format that it speaks: `anthropic` (messages) or `openai` (chat completions). */
  kind: "anthropic" | "openai";
  /** The address below which it is asked, such as `https://api.example.com/v1`. */
  base_url: string;
  /** The model that is asked where none is named, one of `models`; empty where there are none yet. */
  default_model: string;
  /** The models that may be picked; `ai.provider_models` says which there are. */
  models: readonly string[];
  /** False: it is not asked. */
  enabled: boolean;
  /** False for local models that take no key. */
  needs_key: boolean;
  /** Whether a browser may ask it with the person's own key. */
  browser: boolean;
}

export interface AiRun {
  /** `classify` picks one of `options`, `summarize` and `draft_reply` write, `prompt` follows `instructions`. */
  task: "classify" | "summarize" | "draft_reply" | "prompt";
  /** What it is about: `issue:<n>`, or any other subject that search finds. */
  subject: string;
  /** Apply it without review, where the org's policy lets automation do so; else it is proposed. */
  apply?: boolean | null | undefined;
  /** Guidance for the model; for `prompt` all that is asked. */
  instructions?: string | null | undefined;
  /** For `classify`, any JSON: a list of texts, or one text with commas between them. */
  options?: unknown;
  /** Name of the automation rule that asks, for the record. */
  rule?: string | null | undefined;
  /** What the answer feeds; left out: a comment on the subject. */
  then?: AiThen | null | undefined;
}

export interface AiSummarize {
  /** What to summarize: `issue:<n>`, or any other subject that search finds. */
  subject: string;
  /** `summary`; `changes`: what happened after `since`. */
  mode?: "summary" | "changes" | null | undefined;
  /** One of the provider's models; left out: its default. */
  model?: string | null | undefined;
  /** Id of the provider; left out: the first that is on and has a key. */
  provider?: string | null | undefined;
  /** For `changes`: the sequence number of an event; left out: from the beginning. */
  since?: number | null | undefined;
}

export interface AiThen {
  /** The operation that the answer feeds, such as `issues.update` or `comments.create`. */
  op: string;
  /** Its input, any JSON object; `{{answer}}` in its texts becomes the answer. */
  input: unknown;
}

export interface AiUsage {
  /** So many UTC days, today among them; 30 unless given. */
  days?: number | null | undefined;
}

export interface AliasCount {
  /** A key that the flag had. */
  key: string;
  /** Evaluations by it in these hours; they are in the series too. */
  count: number;
  /** Hour of the last one, as far as was told, in Unix seconds; null: none. */
  evaluated_at: number | null;
}

export interface AnalyticsExport {
  /** `ndjson` has a JSON object a line; `parquet` is read by programs for data. */
  format: "ndjson" | "parquet";
  /** The first day, in UTC. */
  from: string;
  /** The last day, which is in it. */
  to: string;
}

export interface AnalyticsQuery {
  /**
   * One SELECT over `events(seq, kind, subject, actor, actor_kind, via, at, payload)`; `at` is Unix seconds,
   * `payload` JSON.
   */
  sql: string;
}

export interface AnalyticsReportDelete {
  /** Id of the report, from `analytics.reports`. */
  id: number;
}

export interface AnalyticsReportRun {
  /** Id of the report, from `analytics.reports`. */
  id: number;
}

export interface AnalyticsReportSave {
  /** The report to change; left out: make one. */
  id?: number | null | undefined;
  /** What it is called. Recipients who are no admins read nothing else. */
  name: string;
  /** One SELECT over the table `events`, as `analytics.query` takes it. */
  sql: string;
  /** When it runs by itself: at 08:00 in the org's zone, `weekly` on Mondays, `monthly` on the first. */
  every: "manual" | "daily" | "weekly" | "monthly";
  /**
   * Who is told when it has run: members by id, `me`, `@handle` or address, `team:<id>`, `team:admins`. Left out:
   * nobody of a new one, and of one that is there those who are.
   */
  recipients?: readonly string[] | null | undefined;
}

export interface ApiBatch {
  /** Run in order. */
  ops: readonly BatchCall[];
}

export interface ApiChanges {
  /** A `next`, an `x-kb-seq` or an event's `seq`; 0 begins at the oldest kept event. */
  since?: number | null | undefined;
  /** Events to scan. */
  limit?: number | null | undefined;
}

/**
 * A key, without its secret.
 *
 * `projects` limits it to these, `networks` to calls from there; empty: no limit. A project that is gone, or that you
 * do not see any more, reads `(gone)`. `rotating` while the secret before
 * the last one still works. `last_used_at` and `calls_month` (of this month, UTC) may lag by a minute.
 */
export interface ApiKey {
  /** Id of the key. */
  id: string;
  /** What its owner calls it. */
  name: string;
  /** Whether it acts as its owner or as an agent. */
  kind: "personal" | "agent";
  /** Name of the agent; null for a personal key. */
  agent: string | null;
  /** Id of the member whose key it is. */
  owner: string;
  /** Last four characters of its secret. */
  last4: string;
  /** What it may do, such as `issues:write`. */
  scopes: string[];
  /** Keys of the projects it sees; empty: all that its owner sees. */
  projects: string[];
  /** Networks it may call from; empty: everywhere. */
  networks: string[];
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** When it ends, in Unix seconds; null: when it is revoked. */
  expires_at: number | null;
  /** When it last called, in Unix seconds; null: never. */
  last_used_at: number | null;
  /** Network address it last called from; null: none. */
  last_address: string | null;
  /** Calls of this month, in UTC. */
  calls_month: number;
  /** `rotating` while the secret before the last one still works. */
  state: "active" | "rotating" | "expired" | "revoked";
}

/** A client that somebody connected by OAuth. */
export interface AppGrant {
  /** Id of the grant, for `auth.grant_revoke`. */
  id: number;
  /** What the client calls itself. */
  client: string;
  /** What it was given, such as `issues:read`. */
  scopes: string[];
  /** When it was connected, in Unix seconds. */
  created_at: number;
  /** When it last called, in Unix seconds, late by a minute at most; null: never. */
  last_used_at: number | null;
}

/** What was set back, and what could not be. */
export interface Applied {
  /** What was set back. */
  undone: Undone[];
  /** What stays, with the reason. */
  kept: Kept[];
}

/** What came of a vote. */
export interface ApprovalDecision {
  /** The request as it stands now. */
  request: ApprovalRequest;
  /** Whether the issue moved with it. */
  moved: boolean;
  /** Why it did not move though enough agree; there only where that is so. */
  blocked?: string;
}

/** A request that others agree before an issue goes a way of its workflow. */
export interface ApprovalRequest {
  /** Id of the request. */
  id: number;
  /** Key of the issue. */
  key: string;
  /** Title of the issue. */
  title: string;
  /** Key of the lane that it is to go to. */
  to_status: string;
  /** Key of the transition that leads there. */
  transition: string;
  /** Ids of the members who are asked: teams and fields as the people they stood for when it was asked. */
  approvers: string[];
  /** How many of them have to agree. */
  needed: number;
  /** How many of them agree so far. */
  approvals: number;
  /** What whoever asked said to it; empty: nothing. */
  note: string;
  /** Who asked: a member's id. */
  requested_by: string;
  /** `pending` waits for votes, `approved` is ready to move, `done` was moved. */
  state: "pending" | "approved" | "rejected" | "cancelled" | "done";
  /** When it was asked, in Unix seconds. */
  created_at: number;
  /** When votes or a withdrawal decided it, in Unix seconds; null: it waits. */
  decided_at: number | null;
  /** What was said, oldest first. */
  votes: Vote[];
  /** Whether the caller may approve or reject it now. */
  can_decide: boolean;
}

export interface ApprovalsCancel {
  /** Id of the request. */
  id: number;
}

export interface ApprovalsDecide {
  /** Id of the request. */
  id: number;
  /** true agrees; one false rejects the request. */
  approve: boolean;
  /** What you say to it. */
  note?: string | null | undefined;
}

export interface ApprovalsList {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
}

export type ApprovalsMine = Record<string, never>;

export interface ApprovalsRequest {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** The lane it is to go to, by key or name: a transition that has approvers leads there. */
  to_status: string;
  /** What those who decide should know. */
  note?: string | null | undefined;
}

/** A field that is asked for on the way. */
export interface Asked {
  /** Name of the field: an own one's key, or `assignee`, `due` and the like. */
  field: string;
  /** Whether it must hold something. */
  required: boolean;
}

/** One record. `issues` are the keys of the linked issues that the caller sees. */
export interface Asset {
  /** Id of the asset. */
  id: number;
  /** Key, such as `LAP-14`: that of its type and a number. */
  key: string;
  /** What it is called. */
  name: string;
  /** Key of its type. */
  type: string;
  /** Id of the member who has it; null: nobody. */
  owner: string | null;
  /** `active`, in `maintenance`, or `retired`: kept as a record alone. */
  status: "active" | "maintenance" | "retired";
  /** Values by the key of the type's field. */
  values: Record<string, unknown>;
  /** Keys of the linked issues that the caller sees. */
  issues: string[];
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** When it last changed, in Unix seconds. */
  updated_at: number;
  /** Who made it: a member's id or `agent:<name>`. */
  created_by: string;
}

/** What a type asks of its assets. `target` is the key of the type that a reference leads to. */
export interface AssetField {
  /** Key of the field, by which values name it. */
  key: string;
  /** What people read. */
  name: string;
  /** What its values are. */
  kind: "text" | "number" | "date" | "bool" | "select" | "member" | "reference" | "url";
  /** For `select`: what there is to choose from. */
  options: string[];
  /** For `reference`: key of the type it leads to; null: another kind. */
  target: string | null;
  /** Whether every new asset must have a value. */
  required: boolean;
  /** Whether no two assets of the type have the same value. */
  unique: boolean;
}

/** A sort of asset. `count` is how many there are. */
export interface AssetType {
  /** Id of the type. */
  id: number;
  /** Key that those of its assets begin with, such as `LAP`. */
  key: string;
  /** What it is called. */
  name: string;
  /** What it is for; empty: nothing said. */
  description: string;
  /** Name of its icon; empty: none. */
  icon: string;
  /** Types are listed by it, the smallest first. */
  position: number;
  /** How many assets of it there are. */
  count: number;
  /** What its assets hold, in order. */
  fields: AssetField[];
}

export interface AssetsCreate {
  /** What people call it. */
  name: string;
  /** Key of its type. */
  type: string;
  /** Member who has it, by id, handle or address; left out: nobody. */
  owner?: string | null | undefined;
  /** `active` unless given. */
  status?: "active" | "maintenance" | "retired" | null | undefined;
  /** By field key. */
  values?: Record<string, unknown> | null | undefined;
}

export interface AssetsDelete {
  /** Key or id. */
  key: string;
}

export interface AssetsForIssue {
  /** The issue: its key, a former key or `issue:<n>`. */
  issue: string;
}

export interface AssetsGet {
  /** Key or id. */
  key: string;
}

export interface AssetsList {
  /** Words, each of which stands in the key, the name or a value. */
  q?: string | null | undefined;
  /** Assets that have a reference to this one. */
  refers_to?: string | null | undefined;
  /** Only those with this status. */
  status?: "active" | "maintenance" | "retired" | null | undefined;
  /** Key of a type: its assets alone. */
  type?: string | null | undefined;
}

export interface AssetsTypeDelete {
  /** Id of the type, from `assets.types`. */
  id: number;
}

export interface AssetsTypeSave {
  /** The type to change; left out: make one. */
  id?: number | null | undefined;
  /** Set when it is made, and the same ever after: `LAP` makes assets `LAP-1`, `LAP-2`. */
  key?: string | null | undefined;
  /** What people call it, unique without case. */
  name: string;
  /** What it is for. */
  description?: string | null | undefined;
  /** Name of its icon. */
  icon?: string | null | undefined;
  /** Types are listed by it; a new one comes last. */
  position?: number | null | undefined;
  /** All of its fields, in order. */
  fields?: readonly FieldInput[] | null | undefined;
}

export interface AssetsUpdate {
  /** Key or id. */
  key: string;
  /** What people call it. */
  name?: string | null | undefined;
  /** A member; an empty text clears it. */
  owner?: string | "" | null | undefined;
  /** `active`, in `maintenance`, or `retired`. */
  status?: "active" | "maintenance" | "retired" | null | undefined;
  /** Fields to set; null clears one, the others stay. */
  values?: Record<string, unknown> | null | undefined;
}

/** What assigning a workflow moves, by lane; and what one should know of it. */
export interface Assigned {
  /** By key of the lane that the workflow lacks: where its issues go. */
  moved: Record<string, Moved>;
  /** What else is to be known, in words. */
  warnings: string[];
}

/** A file on a subject. `content_type` is told by its bytes; `size` is in bytes. */
export interface Attachment {
  /** Id of the file. */
  id: string;
  /** Name of the file. */
  name: string;
  /** Media type, as its bytes and name tell, such as `image/png`. */
  content_type: string;
  /** Its size in bytes. */
  size: number;
  /** What it hangs on, such as `issue:WEB-1`. */
  subject: string;
  /** When it was added, in Unix seconds. */
  created_at: number;
  /** Who added it: a member's id or `agent:<name>`. */
  created_by: string;
}

/** A file with its bytes in base64, or with a link to them, and then `data` is empty. */
export interface AttachmentContent {
  /** Id of the file. */
  id: string;
  /** Name of the file. */
  name: string;
  /** Media type, such as `image/png`. */
  content_type: string;
  /** Its bytes as base64; empty where `url` leads to them. */
  data: string;
  /** Link to its bytes, good for five minutes; with `as_url` alone. */
  url?: string;
}

export interface AttachmentsAdd {
  /** The bytes of the file, at most 10 MB; empty where `upload` names it. */
  data: string;
  /** Id of a file of at most 100 MB that you sent to `/files/upload`; it is used up. */
  upload?: string | null | undefined;
  /** What it is called, at most 255 bytes; folders before it are cut. */
  name: string;
  /** What it hangs on: `issue:WEB-1`, `comment:<id>`, `asset:LAP-1`, `project:WEB` or `org:1`. */
  subject: string;
  /** A hint, where neither the bytes nor the name tell. */
  content_type?: string | null | undefined;
}

export interface AttachmentsDelete {
  /** Id of the file. */
  id: string;
}

export interface AttachmentsExpect {
  /** What they are to hang on: `issue:WEB-1`, `comment:<id>`, or whatever else takes files. */
  subject: string;
  /** Ids of files of at most 100 MB each that you send to `/files/upload`, whole or not. */
  uploads: readonly string[];
}

export interface AttachmentsExpected {
  /** What they will hang on, such as `issue:WEB-1`: what hangs there itself, such as its comments, is listed with it. */
  subject: string;
}

export interface AttachmentsGet {
  /** Id of the file. */
  id: string;
  /** Answer a link instead of the bytes; it needs no sign-in and is good for five minutes. */
  as_url?: boolean | null | undefined;
}

export interface AttachmentsList {
  /** What they hang on, such as `issue:WEB-1`. */
  subject: string;
}

/**
 * One entry; `id` is the event's sequence number, `details` its payload.
 *
 * Where it is `veiled` the caller may know that it happened, when and by whom: `details` is empty.
 */
export interface AuditEntry {
  /** Sequence number of the event. */
  id: number;
  /** When it happened, in Unix seconds. */
  at: number;
  /** What happened, such as `auth.failed`. */
  kind: string;
  /** What it happened to, such as `issue:WEB-1` or `org:1`. */
  subject: string;
  /** Who did it: a member's id, `agent:<name>`, `system`, `anonymous` or the like. */
  actor: string;
  /** Sort of actor: a person, a key or agent acting for one, an automation or the server itself. */
  actor_kind: "human" | "key" | "agent" | "system" | "automation";
  /** Key or agent that did it in a person's name; null: none. */
  via: string | null;
  /** Network address of the call; null where there was none. */
  address: string | null;
  /** The event's payload, any JSON; empty where the entry is veiled. */
  details: unknown;
  /** Whether the details are kept from the caller. */
  veiled: boolean;
  /** Operation that did it, such as `issues.create`; null: none. */
  op: string | null;
  /** Id of the request; null where there was none. */
  request: string | null;
}

export interface AuditExport {
  /** A member's id, `me`, `@handle` or address; `system` or `anonymous`. */
  actor?: string | null | undefined;
  /** Entries by this sort of actor alone. */
  actor_kind?: "human" | "key" | "agent" | "system" | "automation" | null | undefined;
  /** Unix seconds, inclusive. */
  from?: number | null | undefined;
  /** Unix seconds, exclusive. */
  to?: number | null | undefined;
  /** A kind of event; a trailing `*` matches a prefix, such as `auth.*`. */
  kind?: string | null | undefined;
  /** Text anywhere in subject, via or details, as far as you read them. */
  q?: string | null | undefined;
  /** Such as `issue:WEB-1` or `org:1`; of what you do not see as its entries have it, such as `issue:12`. */
  subject?: string | null | undefined;
}

export interface AuditList {
  /** A member's id, `me`, `@handle` or address; `system` or `anonymous`. */
  actor?: string | null | undefined;
  /** Entries by this sort of actor alone. */
  actor_kind?: "human" | "key" | "agent" | "system" | "automation" | null | undefined;
  /** Unix seconds, inclusive. */
  from?: number | null | undefined;
  /** Unix seconds, exclusive. */
  to?: number | null | undefined;
  /** A kind of event; a trailing `*` matches a prefix, such as `auth.*`. */
  kind?: string | null | undefined;
  /** Text anywhere in subject, via or details, as far as you read them. */
  q?: string | null | undefined;
  /** Such as `issue:WEB-1` or `org:1`; of what you do not see as its entries have it, such as `issue:12`. */
  subject?: string | null | undefined;
  /** The `next_before` of the page above. */
  before?: number | null | undefined;
  /** Entries of a page; 50 unless given. */
  limit?: number | null | undefined;
}

/** Entries, newest first. `retention_days` 0 stands for ever. */
export interface AuditPage {
  /** Entries of this page, newest first. */
  entries: AuditEntry[];
  /** What to pass as `before` for the next page; null: this is the last. */
  next_before: number | null;
  /** Always `self-hosted`: there is one edition. */
  plan: "self-hosted";
  /** Days that the log is kept; 0: for ever. */
  retention_days: number;
}

export interface AuthDeviceApprove {
  /** As the device shows it; dashes and case do not matter. */
  user_code: string;
  /** false: the program is told that it was denied. */
  approve: boolean;
  /** What to give of what was asked for; left out: all of it that you hold. */
  scopes?: readonly string[] | null | undefined;
}

export interface AuthDeviceInfo {
  /** As the device shows it; dashes and case do not matter. */
  user_code: string;
}

export interface AuthDevicePoll {
  /** The secret that `auth.device_start` answered. */
  device_code: string;
}

export interface AuthDeviceStart {
  /** What is shown to the person who approves. */
  client: string;
  /** What the key should hold; left out: what the person's role reads and writes. */
  scopes?: readonly string[] | null | undefined;
  /** Whether it should hold the rights of an admin, too, where the person has them; without `scopes`. */
  admin?: boolean | undefined;
}

export interface AuthElevate {
  /** Your present password. */
  password?: string | null | undefined;
  /** Six digits from the authenticator app, or a recovery code. */
  code?: string | null | undefined;
  /** A passkey of yours, that signed what `auth.passkey_begin` answered for `purpose` `elevate`. */
  passkey?: AuthElevatePasskey | null | undefined;
}

export interface AuthElevatePasskey {
  /** The challenge that `auth.passkey_begin` answered. */
  challenge: string;
  /** What `navigator.credentials.get` answered, as JSON. */
  response: Record<string, JsonValue>;
}

export interface AuthGrantRevoke {
  /** Id of the grant, from `auth.grants`. */
  id: number;
}

export interface AuthLinkLogin {
  /** From the link. */
  token: string;
}

export interface AuthLinkRequest {
  /** Address that the link is mailed to. */
  email: string;
}

export interface AuthLogin {
  /** Address of the account. */
  email: string;
  /** Password of the account. */
  password: string;
  /**
   * Stay signed in as long as the policy lets you. Without it a browser's session ends after a day; a program's
   * only where this is false.
   */
  remember?: boolean | null | undefined;
}

export interface AuthLoginVerify {
  /** The challenge that `auth.login` answered. */
  challenge: string;
  /** Six digits from the authenticator app, or a recovery code. */
  code: string;
}

export interface AuthOidcFinish {
  /** `state` of the address that the provider sent the browser back to. */
  state: string;
  /** `code` of it. */
  code: string;
  /** `iss` of it, where it has one: the issuer says who it is (RFC 9207). */
  iss?: string | null | undefined;
  /** What stands behind `/signin/oidc/` in it: whoever set out for another provider is refused. */
  provider?: string | null | undefined;
}

export interface AuthOidcStart {
  /** Id of the provider, as auth.providers lists it. */
  provider: string;
  /** A path of this site to go on with afterwards; left out: `/`. */
  return_to?: string | null | undefined;
  /** True links your account there to the one you are signed in with, so that it lets you in from then on. */
  link?: boolean | null | undefined;
}

export interface AuthPasskeyAdd {
  /** What you call it, so that you know it later: 1 to 100 characters, each of your passkeys another. */
  name: string;
  /** The challenge that `auth.passkey_begin` answered. */
  challenge: string;
  /** What `navigator.credentials.create` answered, as JSON (`PublicKeyCredential.toJSON`). */
  response: Record<string, JsonValue>;
}

export interface AuthPasskeyBegin {
  /** The challenge that a sign-in answered, where a passkey is to be the second factor. */
  challenge?: string | null | undefined;
  /** What the passkey is to do; left out: `register` where you are signed in, else `sign-in`. */
  purpose?: "sign-in" | "register" | "elevate" | null | undefined;
}

export interface AuthPasskeyDelete {
  /** Id of the passkey, as auth.passkeys lists it. */
  id: string;
}

export interface AuthPasskeyLogin {
  /** The challenge that `auth.passkey_begin` answered. */
  challenge: string;
  /** What `navigator.credentials.get` answered, as JSON (`PublicKeyCredential.toJSON`). */
  response: Record<string, JsonValue>;
}

export interface AuthPasswordChange {
  /** Your present password. */
  current: string;
  /**
   * The new one: `password_min` of the policy (10 at first) to 256 characters, and not soon guessed: no common
   * words, rows of the keyboard, or what names you or your org, with digits and signs around.
   */
  password: string;
}

export interface AuthPasswordForgot {
  /** Address that the link is mailed to. */
  email: string;
}

export interface AuthPasswordReset {
  /** From the link. */
  token: string;
  /** The new one; what fits says auth.password_change. */
  password: string;
}

export interface AuthPolicySet {
  /** Who has no second factor can then only set one up. */
  require_2fa?: boolean | null | undefined;
  /** Characters that a new password holds at least. */
  password_min?: number | null | undefined;
  /** Days after which a session ends, used or not; sessions that are open are shortened too. */
  session_days?: number | null | undefined;
  /**
   * Ways to sign in: `password`, `passkey`, `link`, by mail, and ids of sign-in providers. One by which an owner can
   * come in must stay.
   */
  methods?: readonly string[] | null | undefined;
  /** Mail domains whose people may join by themselves; an empty list: none. */
  signup_domains?: readonly string[] | null | undefined;
  /** Networks to sign in and call from, such as `203.0.113.0/24`; an empty list: everywhere. */
  allowed_networks?: readonly string[] | null | undefined;
}

export interface AuthProviderDelete {
  /** Id of the provider. */
  id: string;
}

export interface AuthProviderSave {
  /** Short name, which makes a provider where it is new: 1 to 40 lower-case letters, digits and `-`. */
  id: string;
  /** What it speaks: `oidc`. `saml` and `ldap` are refused with what to take instead. */
  kind: "oidc" | "saml" | "ldap";
  /** What its button says, such as the name of the company. */
  label: string;
  /**
   * All of `issuer`, `client_id`, and as far as they differ from what is usual `scopes`, `token_auth`,
   * `link_by_email`, `trust_email` and `trust_amr`; see the manual.
   */
  settings: Record<string, JsonValue>;
  /** The client secret, which is sealed and never shown; left out: the one that is kept, empty: none. */
  secret?: string | null | undefined;
  /** Whether it is used; a new one is. */
  enabled?: boolean | null | undefined;
  /** Whether people of `signup_domains` of the policy become members when they first come; for a new one false. */
  create_members?: boolean | null | undefined;
}

export interface AuthProviderTest {
  /** Id of the provider. */
  id: string;
  /** For a directory only, which is not spoken here: left out. */
  user?: string | null | undefined;
}

export interface AuthProviderUnlink {
  /** Id of the provider. */
  provider: string;
  /** Whose account to take away; for admins, left out: one's own. */
  member?: string | null | undefined;
}

export interface AuthSessionRevoke {
  /** A session's id, or `others`: all of yours but the one of this call. */
  id: string;
}

export interface AuthSessions {
  /** Whose; for admins, left out: your own. */
  member?: string | null | undefined;
}

export interface AuthTotpConfirm {
  /** Six digits from the authenticator app. */
  code: string;
}

export interface AuthTotpDisable {
  /** Whose factor to take away; for admins, left out: one's own. */
  member?: string | null | undefined;
}

/** What rules can be made of. */
export interface AutomationCatalog {
  /** Actions to begin with. */
  general: Preset[];
  /** Every operation that an action may run. */
  ops: string[];
  /** What conditions may ask. */
  subjects: RuleSubject[];
  /** What inputs may hold beside the fields of the issue. */
  variables: RuleVariable[];
}

export interface AutomationDelete {
  /** Id of the rule, from `automation.list`. */
  id: number;
}

export interface AutomationLog {
  /** Only runs of this rule; left out: those of all. */
  rule?: number | null | undefined;
}

/** What came of one run. */
export interface AutomationLogEntry {
  /** Its number: later runs have higher ones. */
  id: number;
  /** Id of the rule. */
  rule: number;
  /** When it ran, in Unix seconds. */
  at: number;
  /** Kind of the event that set it off; `schedule`, `button`, `state`, `hook` or `trial`. */
  event: string;
  /** Who did what set it off; `system` for a time, `anonymous` for a request from outside. */
  actor: string;
  /** Key or title of what it ran for, as it was then; empty: nothing. */
  label: string;
  /** What it did, or why it did not. */
  message: string;
  /** Whether it did what it was to do. */
  ok: boolean;
  /** What it ran for, as `kind:id`; null: nothing. */
  subject: string | null;
}

/** When this happens, and these conditions hold, these operations are run. */
export interface AutomationRule {
  /** Id of the rule. */
  id: number;
  /** What it is called. */
  name: string;
  /** Whether it is on. */
  enabled: boolean;
  /** When it runs. */
  trigger: Trigger;
  /** What must hold besides, all of it; empty for whoever may not read it. */
  conditions: Record<string, unknown>[];
  /** What it does, in order. */
  actions: Action[];
  /** How often it ran. */
  runs: number;
  /** When it ran last, in Unix seconds; null: never. */
  last_run_at: number | null;
  /** When it runs next, in Unix seconds; null: it goes by no times, or is off. */
  next_run_at: number | null;
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** Who made it: a member's id. It runs with the rights of whoever saved it last. */
  created_by: string;
}

export interface AutomationRun {
  /** Id of the rule, from `automation.list`. */
  id: number;
}

export interface AutomationSave {
  /** The rule to change; left out: make one. */
  id?: number | null | undefined;
  /** What it is called; a new one has to have one. */
  name?: string | null | undefined;
  /** False switches it off: what waits is not run. A new one is on. */
  enabled?: boolean | null | undefined;
  /** When it runs. */
  trigger?: RuleTrigger | null | undefined;
  /**
   * What must hold besides, all of it: `{field, op, value}`, `{tql}`, `{role}` of whoever acts, `{all}`,
   * `{any}`.
   */
  conditions?: readonly Record<string, unknown>[] | null | undefined;
  /** What it does, in order; one that is refused takes back the whole run, unless it says otherwise. */
  actions?: readonly RuleAction[] | null | undefined;
}

/** Something that mentions the issue. */
export interface Backlink {
  /** What mentions it: `issue:<n>`, `comment:<id>` or `page:<id>`. */
  subject: string;
  /** Title of what mentions it. */
  title: string;
  /** The text around the mention. */
  excerpt: string;
}

/** One archive. `bytes` and `sha256` are its own; `place` is `backups` for the folder beside the data. */
export interface Backup {
  /** Id of the backup, which begins with its time. */
  id: string;
  /** Moment whose state it holds, in Unix seconds. */
  at: number;
  /** Why it was taken: by hand, by the schedule, or before a restore. */
  kind: "manual" | "scheduled" | "safety";
  /** Size of the archive in bytes. */
  bytes: number;
  /** Checksum of the archive, in hex. */
  sha256: string;
  /** Number of the latest event in it. */
  seq: number;
  /** Version of kbwork that took it. */
  version: string;
  /** When it was last checked and found good, in Unix seconds; null: never. */
  verified_at: number | null;
  /** Where it lies: `backups` beside the data, or a place that the operator named. */
  place: string;
  /** What was noted of it; empty: nothing. */
  note: string;
}

export interface BackupCheck {
  /** What was checked. */
  name: string;
  /** Whether it is as it should be. */
  ok: boolean;
  /** What was found, in words. */
  detail: string;
}

/** `targets` are the places that the operator named in `kbwork.toml`; `target` null is the folder `backups`. */
export interface BackupSchedule {
  /** How often backups are taken by themselves. */
  every: "off" | "hourly" | "daily" | "weekly";
  /** So many of the schedule's own are kept. */
  keep: number;
  /** Place where they go; null: `backups` beside the data. */
  target: string | null;
  /** Places that the operator named in `kbwork.toml`. */
  targets: string[];
  /** When the next is due, in Unix seconds; null: none is. */
  next_at: number | null;
  /** Why the latest one failed; null: it did not. */
  last_error: string | null;
}

export interface Backups {
  /** All backups, the latest first. */
  items: Backup[];
  /** When they are taken by themselves. */
  schedule: BackupSchedule;
}

export interface BackupsCreate {
  /** What to note of it, such as `before the move`. */
  note?: string | null | undefined;
  /** false leaves out the bytes of files; their names stay. True unless given. */
  attachments?: boolean | null | undefined;
}

export interface BackupsOne {
  /** Id of the backup, from `backups.list`. */
  id: string;
}

export interface BackupsRestore {
  /** A backup on the shelf. */
  id?: string | null | undefined;
  /** An archive from elsewhere: the id that `POST /files/upload` answered. One of the two is named. */
  upload?: string | null | undefined;
  /** `all`, or `project:<key>`; `all` unless given. */
  scope?: string | null | undefined;
}

export interface BackupsScheduleSet {
  /** How often: each hour, day or week, or not at all. */
  every: "off" | "hourly" | "daily" | "weekly";
  /** So many of the schedule's own stay in their place; older ones go. */
  keep: number;
  /** A place that the operator named in `kbwork.toml`: a folder or a store; null is `backups` beside the data. */
  target?: string | null | undefined;
}

export interface Banner {
  /** What it says, in Markdown. */
  text: string;
  /** Whether it informs or warns. */
  level: "info" | "warning";
  /** When it goes by itself, in Unix seconds; null: it stays. */
  until: number | null;
}

/** Each operation's answer, in order. */
export interface Batch {
  /** What each operation answered, any JSON, in their order. */
  results: unknown[];
}

export interface BatchCall {
  /** Id of the operation, such as `issues.create`. */
  op: string;
  /** Its input, any JSON that it takes; `{}` unless given. */
  input?: unknown;
}

/** A board: which issues it shows, and in which columns. */
export interface Board {
  /** Id of the board. */
  id: number;
  /** What people choose it by. */
  name: string;
  /** Key of the project that it is on; null: none, so that it is its owner's alone. */
  project: string | null;
  /** The condition on the issues that it shows, with present names. */
  tql: string;
  /** Whether it shows a flow or a sprint. */
  kind: "kanban" | "sprint";
  /** Its columns, from left to right. */
  columns: BoardColumn[];
  /** The field by whose values its rows are; null: none. */
  swimlanes: string | null;
  /** Conditions that narrow it at a touch, in order. */
  quick_filters: QuickFilter[];
  /** Fields that its cards show; empty: the usual ones. */
  card_fields: string[];
  /** The field that colours its cards; null: none. */
  color_by: string | null;
  /** Id of the member who made it. */
  owner: string;
  /** Whether the caller may change it. */
  can_edit: boolean;
  /** What one should know of its conditions, such as that something which they name was renamed or deleted. */
  notices: string[];
}

/** One column of a board. */
export interface BoardColumn {
  /** Its id, which stays. */
  id: string;
  /** What stands above it. */
  name: string;
  /** Keys of the lanes whose issues it holds; a card that is dropped goes to the first that it may enter. */
  lanes: string[];
  /** How many issues it should hold at most; null: any number. */
  limit: number | null;
  /** Whether a drop beyond the limit is refused. */
  hard: boolean;
}

/** Where a drop leads. */
export interface BoardMove {
  /** The issue as it is now, or with `dry_run` would be. */
  issue: Issue;
  /** Why it could not be dropped there; null: it can. Only a dry run answers it, else the drop is refused so. */
  blocked: string | null;
}

/** What a board shows now. */
export interface BoardView {
  /** All columns from left to right; with `cursor` the one that goes on. */
  columns: ColumnPage[];
  /** The rows of a board that has some, in the order of the field's values; with `cursor` none. */
  swimlanes: Swimlane[];
}

export interface BoardsColumnsSet {
  /** Id of the board. */
  id: number;
  /** The whole list, from left to right. */
  columns: readonly ColumnInput[];
}

export interface BoardsCopy {
  /** Id of the board. */
  id: number;
  /** What the copy is called. */
  name: string;
  /** The project that the copy is on; null: none, so that it is yours alone. */
  project?: string | null | undefined;
}

export interface BoardsDelete {
  /** Id of the board. */
  id: number;
}

export interface BoardsGet {
  /** Id of the board. */
  id: number;
}

export interface BoardsList {
  /** Only those on this project. */
  project?: string | null | undefined;
  /** Words in the name. */
  q?: string | null | undefined;
}

export interface BoardsMove {
  /** Id of the board. */
  id: number;
  /** The issue that is dropped; it is on the board, in whatever lane. */
  key: string;
  /** Id of the column that it goes to. */
  column: string;
  /** The issue of the same project behind which it goes; null: before all of its project in the column. */
  after?: string | null | undefined;
  /** A lane of the column, by key or name, where it holds several; else the first that the issue may enter. */
  lane?: string | null | undefined;
  /** The value of the board's `swimlanes` field that it is to have; an empty text clears it, null leaves it. */
  swimlane?: string | null | undefined;
  /** Only say what would become of it, and in `blocked` why it could not be dropped there. */
  dry_run?: boolean | null | undefined;
}

export interface BoardsQuickFilterSave {
  /** Id of the board. */
  id: number;
  /** The whole list, in order. */
  filters: readonly FilterInput[];
}

export interface BoardsSave {
  /** The board to change; left out: make one. */
  id?: number | null | undefined;
  /** What people choose it by. */
  name: string;
  /**
   * The project that it is on, whose members see and keep it; null: none, so that it is yours alone. Which issues it
   * shows is in its condition alone.
   */
  project?: string | null | undefined;
  /** The condition on the issues that it shows, such as `project = WEB and not archived`; empty shows all. */
  tql: string;
  /** The field of issues by whose values its rows are; null: none. */
  swimlanes?: string | null | undefined;
  /** Fields that its cards show; `[]`: the usual ones. */
  card_fields?: readonly string[] | null | undefined;
  /** The field that colours its cards; null: none. */
  color_by?: string | null | undefined;
  /** `kanban` unless given. A `sprint` board shows what its condition says, as any other, in this version. */
  kind?: "kanban" | "sprint" | null | undefined;
}

export interface BoardsView {
  /** Id of the board. */
  id: number;
  /** Ids of quick filters of the board, all of which narrow it. */
  filters?: readonly string[] | null | undefined;
  /** A condition that narrows it further. */
  tql?: string | null | undefined;
  /** Issues of each column; 50 unless given. */
  per_column?: number | null | undefined;
  /** `next` of a column: the answer is that column, from there on. */
  cursor?: string | null | undefined;
}

/** Markdown. `truncated` says that not all of it fitted. */
export interface Brief {
  /** The issue as Markdown. */
  text: string;
  /** Whether something was left out to fit `max_tokens`. */
  truncated: boolean;
}

/** A link that leads nowhere. */
export interface BrokenLink {
  /** Id of the page in which it stands. */
  page: string;
  /** What stands between the brackets. */
  target: string;
  /** `missing` where there is no such page that you see; else it lies in the trash, or was put aside. */
  why: "missing" | "deleted" | "archived";
}

export interface Budget {
  /** Hours to spend; null: no limit. */
  hours: number | null;
  /** Money to spend, in `currency`; null: no limit. */
  money: number | null;
  /** Code of three letters, such as `EUR`; null: none. */
  currency: string | null;
}

export interface BudgetInput {
  /** Hours to spend; null: no limit. */
  hours?: number | null | undefined;
  /** Money to spend, in `currency`; null: no limit. */
  money?: number | null | undefined;
  /** Code of three letters, such as `EUR`. */
  currency?: string | null | undefined;
}

/** Fields as in issues.update, and what other operations do. */
export interface BulkChanges {
  /** What it is about, on one line. */
  title?: string | null | undefined;
  /** Description, in Markdown. */
  body?: string | null | undefined;
  /** The description as a rich document too: ProseMirror JSON. */
  body_doc?: string | null | undefined;
  /** How pressing it is; `none` unless set. */
  priority?: "urgent" | "high" | "medium" | "low" | "none" | null | undefined;
  /** The whole list; `[]` takes all off. */
  labels?: readonly string[] | null | undefined;
  /** Names of components, the whole list; `[]` takes all off. */
  components?: readonly string[] | null | undefined;
  /** An empty string clears it. */
  parent?: string | null | undefined;
  /** A planned or active sprint of its project; null takes it out of its sprint. */
  sprint?: number | null | undefined;
  /** Id of its milestone; null: none. This version has no milestones. */
  milestone?: number | null | undefined;
  /** Names of releases that it is for: none can be named in this version. */
  releases?: readonly string[] | null | undefined;
  /** Names of releases that it was seen in: none can be named in this version. */
  affects?: readonly string[] | null | undefined;
  /** How much work it is, in points or what the team counts in; null: not estimated. */
  estimate?: number | null | undefined;
  /** First day, `YYYY-MM-DD`; an empty text clears it. */
  start_date?: string | "" | null | undefined;
  /** Last day, `YYYY-MM-DD`; an empty text clears it. */
  due_date?: string | "" | null | undefined;
  /** For leads and admins. */
  reporter?: string | null | undefined;
  /** Own fields by key; null clears one, others stay. */
  values?: Record<string, unknown> | null | undefined;
  /** Lane to move to, by key or name. */
  to_status?: string | null | undefined;
  /** The whole list. */
  assignees?: readonly string[] | null | undefined;
  /** Names of labels to put on. */
  add_labels?: readonly string[] | null | undefined;
  /** Names of labels to take off. */
  remove_labels?: readonly string[] | null | undefined;
  /** True puts them into the trash. */
  delete?: boolean | null | undefined;
  /** false brings them back. */
  archive?: boolean | null | undefined;
  /** Key of the project to move them to. */
  move_to?: string | null | undefined;
}

/** How many changed; `undo` is a token for undo.apply. With a `job` the figures are in its result. */
export interface BulkDone {
  /** Issues that changed, or would with `dry_run`. */
  changed: number;
  /** Issues that stay as they are, with the reason. */
  skipped: Skipped[];
  /** Token for `undo.apply`; null where nothing is to be undone. */
  undo: string | null;
  /** Job that does what takes longer; null: all is done. */
  job: number | null;
}

/** What the caller may do with it. */
export interface Can {
  /** Change its fields. */
  edit: boolean;
  /** Comment on it. */
  comment: boolean;
  /** Move it to another lane or project. */
  move: boolean;
  /** Put it into the trash. */
  delete: boolean;
}

/** An answer that is written once and said often. */
export interface CannedReply {
  /** Id of the reply. */
  id: number;
  /** What people choose it by. */
  name: string;
  /** What it says, in Markdown, with placeholders such as `{{customer.name}}`. */
  text: string;
  /** Key of the desk's project that it is for; null: all desks. */
  project: string | null;
  /** Heading that it stands under; null: none. */
  folder: string | null;
  /** What one types to get it; null: nothing. */
  shortcut: string | null;
  /** Whether it is for everybody who works at the desk, and not its maker's alone. */
  shared: boolean;
  /** How often it was filled in. */
  uses: number;
}

/** One thing that was looked at. */
export interface CareFinding {
  /** What it was, in one word, such as `backups`. */
  name: string;
  /** Whether it is as it should be. */
  ok: boolean;
  /** What was found, in one line; where it is not well, with what mends it. */
  detail: string;
}

/** Everything that was looked at. */
export interface CareFindings {
  /** Whether all of it is as it should be. */
  ok: boolean;
  /** Each thing that was looked at. */
  checks: CareFinding[];
}

/** How many things went to somebody else. */
export interface Changed {
  /** Things that went over. */
  changed: number;
}

/** Events that the caller may hear of, oldest first. `next` also skips the others. */
export interface Changes {
  /** Events that the caller may hear of, oldest first. */
  events: Event[];
  /** What to pass as `since` in the next call; events that the caller may not hear of are skipped. */
  next: number;
  /** Whether there are events behind these. */
  more: boolean;
}

/** An account on a chat platform that is a member's. */
export interface ChatAccount {
  /** Id of the link. */
  id: number;
  /** Id of the connection. */
  connection: number;
  /** The platform's name for the account. */
  chat_user: string;
  /** What it is called there. */
  name: string;
  /** When it was linked, in Unix seconds. */
  linked_at: number;
}

/** A workspace, team or server of a chat platform that kbwork takes commands from and posts to. */
export interface ChatConnection {
  /** Id of the connection. */
  id: number;
  /** What it is called. */
  name: string;
  /** Which platform it is on. */
  provider: "slack" | "teams" | "discord";
  /** Key of the project of issues that are made there, `(gone)` where the caller does not see it. */
  project: string;
  /** Path of this site that the platform is to post to. */
  hook_path: string;
  /** With Slack: whether a bot token is kept, which links are shown and mentions answered with. */
  has_bot_token: boolean;
  /** Accounts there that are linked to members. */
  linked: number;
  /** Requests that came for it, refused ones too. */
  requests: number;
  /** When the latest came that was not refused, in Unix seconds; null: never. */
  last_event_at: number | null;
  /** What went wrong last; null: nothing since it last went well. */
  last_error: string | null;
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** Who made it. */
  created_by: string;
}

export interface ChatConnectionDelete {
  /** Id of the connection, from `chat.connections`. */
  id: number;
}

export interface ChatConnectionSave {
  /** The connection to change; left out: make one. */
  id?: number | null | undefined;
  /** What it is called; a new one has to have one. */
  name?: string | null | undefined;
  /**
   * Where `create` makes issues, and messages become some; with a desk there, they become requests. A new one has to
   * have one.
   */
  project?: string | null | undefined;
  /** The platform, of a new one alone. */
  provider?: "slack" | "teams" | "discord" | null | undefined;
  /**
   * What the platform signs with: Slack's signing secret, the security token of an outgoing webhook of Teams, or the
   * public key of an application of Discord. Left out: as it is.
   */
  secret?: string | null | undefined;
  /** With Slack: the bot token (`xoxb-…`), to show links and answer mentions. Empty: none. */
  bot_token?: string | null | undefined;
}

/** Which events of issues a channel hears of. */
export interface ChatSubscription {
  /** Id of the subscription. */
  id: number;
  /** What it is called. */
  name: string;
  /** Id of its connection. */
  connection: number;
  /** Kinds of events that are posted. */
  events: ("issue.created" | "issue.updated" | "issue.assigned" | "issue.deleted" | "comment.created")[];
  /** Only of issues that fit this query; empty: of every issue. */
  tql: string;
  /** Posts that the channel took. */
  sent: number;
  /** When it took the latest, in Unix seconds; null: never. */
  last_sent_at: number | null;
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** Who made it. */
  created_by: string;
}

export interface ChatSubscriptionDelete {
  /** Id of the subscription, from `chat.subscriptions`. */
  id: number;
}

export interface ChatSubscriptionGone {
  /** Id of the subscription that was deleted. */
  id: number;
}

export interface ChatSubscriptionSave {
  /** The subscription to change; left out: make one. */
  id?: number | null | undefined;
  /** Id of the connection whose platform the channel is on; a new one has to have one. */
  connection?: number | null | undefined;
  /** What it is called, such as the name of the channel; a new one has to have one. */
  name?: string | null | undefined;
  /** What is posted; a new one has to say it. */
  events?: readonly ("issue.created" | "issue.updated" | "issue.assigned" | "issue.deleted" | "comment.created")[] | null | undefined;
  /** Only issues that fit this query when they are told; empty: every issue. */
  tql?: string | null | undefined;
  /** Address of this site in links; left out: as the server knows itself. */
  origin?: string | null | undefined;
  /** The channel's incoming webhook; a new one has to have one. It is sealed and never shown; left out: as it is. */
  webhook_url?: string | null | undefined;
}

export interface ChatSubscriptionTest {
  /** Id of the subscription. */
  id: number;
}

export interface ChatSubscriptionTested {
  /** Id of the subscription whose channel took a post. */
  id: number;
}

/** One step. `done_at` and `done_by` say when and by whom it was ticked; `issue` is what was made of it. */
export interface CheckItem {
  /** Id of the item. */
  id: number;
  /** What is to be done. */
  text: string;
  /** Whether it is ticked. */
  done: boolean;
  /** Who does it: a member's id or `agent:<name>`; null: nobody. */
  assignee: string | null;
  /** Until when, `YYYY-MM-DD`; null: no day. */
  due_date: string | null;
  /** When it was ticked, in Unix seconds; null: it is not. */
  done_at: number | null;
  /** Who ticked it; null: nobody. */
  done_by: string | null;
  /** Key of the issue that was made of it; null: none. */
  issue: string | null;
}

/** What an issue has to tick off, in order; `done` of `total` are. */
export interface Checklist {
  /** Key of the issue. */
  key: string;
  /** Its items, in order. */
  items: CheckItem[];
  /** Items that are ticked. */
  done: number;
  /** All items. */
  total: number;
  /** Whether the caller may change it. */
  can_edit: boolean;
}

/** Items for issues of a type, whose key is `kind`; with `auto` a new one has them from the start. */
export interface ChecklistTemplate {
  /** Id of the template. */
  id: number;
  /** What it is called. */
  name: string;
  /** Key of the issue type it is for. */
  kind: string;
  /** Texts of its items, in order. */
  items: string[];
  /** Whether new issues of the type have the items from the start. */
  auto: boolean;
}

export interface ChecklistsAdd {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** Each line becomes an item; empty ones are dropped. */
  text: string;
  /** A member who sees the issue, `agent:<name>` or `me`. */
  assignee?: string | "" | null | undefined;
  /** Until when, `YYYY-MM-DD`. */
  due_date?: string | "" | null | undefined;
}

export interface ChecklistsApply {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** Id of a template, from `checklists.templates`. */
  template: number;
}

export interface ChecklistsDelete {
  /** Id of the item. */
  id: number;
}

export interface ChecklistsList {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
}

export interface ChecklistsReorder {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** Items of the issue in their new order; those left out follow as they were. */
  ids: readonly number[];
}

export interface ChecklistsTemplateDelete {
  /** Id of the template, from `checklists.templates`. */
  id: number;
}

export interface ChecklistsTemplateSave {
  /** The template to change; left out: make one. */
  id?: number | null | undefined;
  /** What it is called, unique without case. */
  name: string;
  /** The type of issue that it is for, by key or name. */
  kind: string;
  /** Texts of its items, in order. */
  items: readonly string[];
  /** True: every new issue of the type has the items from the start. */
  auto?: boolean | null | undefined;
}

export interface ChecklistsUpdate {
  /** Id of the item. */
  id: number;
  /** What is to be done. */
  text?: string | null | undefined;
  /** True ticks it off, false takes the tick away. */
  done?: boolean | null | undefined;
  /** An empty text takes it off. */
  assignee?: string | "" | null | undefined;
  /** An empty text clears it. */
  due_date?: string | "" | null | undefined;
}

/** `key` is the clean-up issue, `issues` are all that you see on the flag. */
export interface CleanUp {
  /** Key of the issue that removes the flag. */
  key: string;
  /** Keys of all issues on the flag that the caller sees. */
  issues: string[];
}

/** A column as it is to be. */
export interface ColumnInput {
  /** The column that it is; left out: a new one. */
  id?: string | null | undefined;
  /** What stands above it. */
  name: string;
  /** Lanes by key or name, each in one column of the board; the first that a dropped card may enter takes it. */
  lanes: readonly string[];
  /** How many issues it should hold at most; null: any number. */
  limit?: number | null | undefined;
  /** Whether a drop beyond the limit is refused; else it is only shown. */
  hard?: boolean | null | undefined;
}

/** A column with its first issues, or with those behind a cursor. */
export interface ColumnPage {
  /** Id of the column. */
  id: string;
  /** What stands above it. */
  name: string;
  /** How many issues of it you see, with the filters that are asked for. */
  count: number;
  /** The sum of their estimates. */
  estimate: number;
  /** Whether they are more than its limit. */
  over_limit: boolean;
  /** Some of them, project by project in the order in which those were made, each by rank. */
  issues: Issue[];
  /** Pass it as `cursor` for those behind; null: there are no more. */
  next: string | null;
}

/** A comment. `parent` is the starter of its thread; a starter that is gone while replies remain has no body. */
export interface Comment {
  /** Id of the comment. */
  id: number;
  /** Who wrote it: a member's id, `agent:<name>` or a bare name; empty for a deleted starter. */
  author: string;
  /** Text in Markdown; empty for a deleted starter. */
  body: string;
  /** The text as a rich document, ProseMirror JSON; null: Markdown alone. */
  body_doc: string | null;
  /** When it was written, in Unix seconds. */
  created_at: number;
  /** When it was last changed, in Unix seconds; null: never. */
  edited_at: number | null;
  /** Whether guests and customers do not see it. */
  internal: boolean;
  /** Id of the first comment of its thread; null: it is that one. */
  parent: number | null;
  /** JSON {`exact`, `prefix`, `suffix`}: the words it is about; null: the whole. */
  anchor: string | null;
  /** Reactions by emoji. */
  reactions: Reaction[];
  /** When the thread was resolved, in Unix seconds; null: it is open. */
  resolved_at: number | null;
  /** Who resolved it; null: nobody. */
  resolved_by: string | null;
}

export interface CommentId {
  /** Id of the comment. */
  id: number;
}

export interface CommentsCreate {
  /** What it is about, such as `issue:WEB-1`. */
  subject: string;
  /** What is said, in Markdown. */
  body: string;
  /** The same text as a rich document: ProseMirror JSON. */
  body_doc?: string | null | undefined;
  /** Any comment of the thread to reply in. */
  parent?: number | null | undefined;
  /** A note for the team: guests and customers never see it. A reply follows its thread. */
  internal?: boolean | null | undefined;
  /** JSON {`exact`, `prefix`, `suffix`}: the words it is about; for the first comment of a thread. */
  anchor?: string | null | undefined;
  /** Ids of files that you send to `/files/upload`, whole or not: each hangs on the comment when all of it is here. */
  uploads?: readonly string[] | null | undefined;
}

export interface CommentsDelete {
  /** Id of the comment. */
  id: number;
}

export interface CommentsImport {
  /** A member's id, handle or address; else the name of somebody who is none. */
  author: string;
  /** What is said, in Markdown. */
  body: string;
  /** What it is about, such as `issue:WEB-1`. */
  subject: string;
  /** When it was said; now unless given. */
  created_at?: number | null | undefined;
  /** Id at the source: one that the subject has already answers that comment, without an event. */
  external?: string | null | undefined;
  /** Any comment of the thread that it replies in. */
  parent?: number | null | undefined;
  /** A note for the team; a reply follows its thread. */
  internal?: boolean | null | undefined;
}

export interface CommentsList {
  /** What they are about, such as `issue:WEB-1`. */
  subject: string;
}

export interface CommentsReact {
  /** Id of the comment. */
  id: number;
  /** One emoji or short code, at most 16 bytes. */
  emoji: string;
  /** False takes it back. */
  on: boolean;
}

export interface CommentsResolve {
  /** The thread's first comment. */
  id: number;
  /** False opens the thread again. */
  resolved: boolean;
}

export interface CommentsUpdate {
  /** Id of the comment. */
  id: number;
  /** What is said, in Markdown. */
  body: string;
  /** The same text as a rich document; without it the comment has none any more. */
  body_doc?: string | null | undefined;
  /** Ids of more files that you send to `/files/upload`: each hangs on the comment when all of it is here. */
  uploads?: readonly string[] | null | undefined;
}

/**
 * What would have to change in `to` so that it is like `from`: {`key`, `diff`} of each that differs.
 *
 * A segment that one of the two does not have differs as a whole, from or to null.
 */
export interface Compared {
  /** {`key`, `diff`} of each flag that differs. */
  flags: Record<string, unknown>[];
  /** {`key`, `diff`} of each segment that differs. */
  segments: Record<string, unknown>[];
}

/** A part of a project, with how many issues of it the caller sees. */
export interface Component {
  /** Id of the component. */
  id: number;
  /** Key of its project. */
  project: string;
  /** What it is called. */
  name: string;
  /** What belongs to it; empty: nothing said. */
  description: string;
  /** Id of the member who leads it; null: nobody. */
  lead: string | null;
  /** Who gets a new issue that nobody was named for: its `lead`, as the `project` says, or `nobody`. */
  assign: "lead" | "project" | "nobody";
  /** Whether it goes on no other issue. */
  archived: boolean;
  /** Issues with it that the caller sees. */
  issues: number;
}

export interface ComponentsDelete {
  /** Id of the component, from `components.list`. */
  id: number;
  /** The component of the same project that its issues get. */
  move_to?: number | null | undefined;
}

export interface ComponentsList {
  /** Key of the project, or a former one. */
  project: string;
}

export interface ComponentsSave {
  /** The component to change; left out: make one. */
  id?: number | null | undefined;
  /** A component stays in the project that it was made for. */
  project: string;
  /** What it is called, unique in the project without case. */
  name: string;
  /** What belongs to it. */
  description?: string | null | undefined;
  /** A member; an empty text takes the lead off. */
  lead?: string | "" | null | undefined;
  /** Who gets a new issue that nobody was named for: its `lead`, as the `project` says, or `nobody`. */
  assign?: "lead" | "project" | "nobody" | null | undefined;
  /** An archived one stays on its issues and goes on no other. */
  archived?: boolean | null | undefined;
}

/**
 * `changes` has {`kind`, `key`, `outcome`, `diff`, `change`} of each flag and segment that differed.
 *
 * The outcome as a whole is `changeRequest` where one of them waits for approval.
 */
export interface Copied {
  /** What became of it as a whole. */
  outcome: "applied" | "unchanged" | "changeRequest";
  /** {`kind`, `key`, `outcome`, `diff`, `change`} of each flag and segment that differed. */
  changes: Record<string, unknown>[];
}

export interface CustomerPassword {
  /** Whom the password is for. */
  customer: DeskCustomer;
  /** What they sign in to the portal with, shown this once. */
  password: string;
}

/** How often articles answered what would have been a request, in the last thirty days. */
export interface DeflectionStats {
  /** Requests that were made on the portal. */
  requests: number;
  /** Times that somebody said an article was the answer. */
  solved: number;
  /** The ten articles that answered most: the title and how often, any JSON pair of these, the first ones first. */
  top: unknown[][];
  /** Looks at articles. */
  viewed: number;
}

export interface Deleted {
  /** How many things were taken away: always 1. */
  deleted: number;
}

export interface DeletedRule {
  /** Id of the rule. */
  id: number;
  /** Always true: it is gone. */
  deleted: boolean;
}

/** One request of a webhook, until it is taken or given up. */
export interface Delivery {
  /** Its id, which the request has as `X-Kb-Delivery`. */
  id: number;
  /** Id of the webhook. */
  webhook: number;
  /** Kind of its event; `batch` for several, `message` for what `webhooks.send` sent. */
  event: string;
  /** Highest sequence number inside; of a message that of the event before it; 0 for a test. */
  seq: number;
  /** `failed`: given up after its last try; `dropped`: not to be sent any more. */
  state: "queued" | "sent" | "failed" | "dropped";
  /** How often it was tried. */
  tries: number;
  /** What the receiver answered to the latest try; null: nothing. */
  status: number | null;
  /** How long that took, in milliseconds. */
  ms: number | null;
  /** Why it was not taken; null: it was, or was not tried yet. */
  error: string | null;
  /**
   * The body, as the webhook's author reads it; empty before the first try, and for others. Of a message, as whoever
   * sent it reads it until it was taken.
   */
  request: string;
  /** The first 4 KB of the answer, likewise. */
  response: string | null;
  /** When it was queued, in Unix seconds. */
  at: number;
  /** When it is tried next; null: no more. */
  next_at: number | null;
}

/** A project whose customers ask for things on the portal, by mail or by chat. */
export interface Desk {
  /** Key of the project. */
  project: string;
  /** What customers read. */
  name: string;
  /** What stands above its request types, in Markdown; empty: nothing. */
  intro: string;
  /** Whether the portal shows it, and requests come in. */
  enabled: boolean;
  /** Whether anybody may make a portal account; otherwise agents add customers. */
  open_signup: boolean;
  /** Key of the space of pages whose published articles the portal suggests; null: none. */
  kb_space: string | null;
  /** Whether customers read the names of those who answer; otherwise the desk's. */
  show_agents: boolean;
  /** Whether customers are asked how it went when a request is closed. */
  survey: boolean;
  /** So many days after it was closed a customer may reopen a request; null: always. */
  reopen_days: number | null;
  /** Languages that the desk answers in, such as `en`; empty: not said. */
  languages: string[];
  /** Its picture: the id of a file of its project, or a path of this site; null: that of the org. */
  logo: string | null;
  /** Address that answers to the desk's letters go to; null: that of the server. */
  reply_to: string | null;
}

/** Somebody outside who asks for things: no member, and nothing but the portal is for them. */
export interface DeskCustomer {
  /** Id of the customer. */
  id: number;
  /** What they are called. */
  name: string;
  /** Their address, which no other customer has in any case. */
  email: string;
  /** Whether they have a password. */
  active: boolean;
  /** Whether they are shut out. */
  blocked: boolean;
  /** Requests that they made, as far as the caller sees them. */
  requests: number;
  /** When they became one, in Unix seconds. */
  created_at: number;
  /** When they were on the portal last, in Unix seconds; null: never. */
  last_seen_at: number | null;
  /** The language that they want to be answered in, such as `en`; null: they did not say. */
  locale: string | null;
  /** Whether they are mailed what is said. */
  notify: boolean;
  /** Whether an agent made their password, which opens that agent's desks alone. */
  limited: boolean;
}

export interface DeskCustomerAdd {
  /** Their address, which no other customer has. */
  email: string;
  /** What they are called. */
  name: string;
}

export interface DeskCustomerBlock {
  /** Id of the customer. */
  id: number;
  /** False lets them in again. */
  blocked: boolean;
}

export interface DeskCustomerReset {
  /** Id of the customer. */
  id: number;
}

export interface DeskCustomers {
  /** Words in name or address. */
  q?: string | null | undefined;
}

export interface DeskDeflectionStats {
  /** Key of the project, or a former one. */
  project: string;
}

export interface DeskEmailAddress {
  /** Key of the project, or a former one. */
  project: string;
  /** True gives the desk another address: mail to the former one is not taken any more. */
  renew?: boolean | null | undefined;
}

export interface DeskPortalArticle {
  /** Id of the page, from desk.portal_suggest. */
  id: string;
}

export interface DeskPortalComment {
  /** Key of a request of yours, such as `WEB-12`. */
  key: string;
  /** What you say, in Markdown. */
  body: string;
}

export interface DeskPortalCreate {
  /** What you ask for, on one line. */
  title: string;
  /** Id of the request type, from desk.portal_info. */
  type: number;
  /** Answers by key of the question, from desk.portal_form. */
  values?: Record<string, unknown> | null | undefined;
}

export interface DeskPortalForm {
  /** Id of the request type. */
  type: number;
  /** Answers by key of the question, from desk.portal_form. */
  values?: Record<string, unknown> | null | undefined;
}

export interface DeskPortalLogin {
  /** Address of the customer. */
  email: string;
  /** Their password. */
  password: string;
}

export interface DeskPortalRequest {
  /** Key of a request of yours, such as `WEB-12`. */
  key: string;
  /** `older` of the answer before: what was said before that; left out: what was said last. */
  cursor?: string | null | undefined;
}

export interface DeskPortalSignup {
  /** Address of whoever signs up. */
  email: string;
  /** What they are called. */
  name: string;
  /** What they want to sign in with; what fits says auth.password_change. */
  password: string;
}

export interface DeskPortalSolved {
  /** Id of the page, from desk.portal_suggest. */
  article: string;
  /** What was being asked; it is not kept. */
  text?: string | null | undefined;
  /** Whether the article was the answer. */
  solved: boolean;
}

export interface DeskPortalStartReset {
  /** Address that the link is mailed to. */
  email: string;
}

export interface DeskPortalSubmitReset {
  /** From the link. */
  token: string;
  /** The new one; what fits says auth.password_change. */
  password: string;
}

export interface DeskPortalSuggest {
  /** Key of the project, or a former one. */
  project: string;
  /** What somebody is about to ask. */
  text: string;
}

export interface DeskPortalSurvey {
  /** From the letter that asked, or from the request. */
  token: string;
  /** Five is the best. */
  score: number;
  /** What else there is to say; left out: nothing. */
  comment?: string | null | undefined;
}

export interface DeskPortalTransition {
  /** Key of a request of yours, such as `WEB-12`. */
  key: string;
  /** `approve` and `reject` are for who is asked to agree. */
  action: "close" | "reopen" | "approve" | "reject";
  /** What to say with it, in Markdown; it is said on the request as by desk.portal_comment. */
  note?: string | null | undefined;
}

export interface DeskPortalUpdate {
  /** What you are called. */
  name?: string | null | undefined;
  /** The language that you want to be answered in: one of those of an open desk; an empty text: none said. */
  locale?: string | null | undefined;
  /** A new one; what fits says auth.password_change. */
  password?: string | null | undefined;
  /** The password of now; needed with another one. */
  current?: string | null | undefined;
  /** Whether you are mailed what is said on your requests. */
  notify?: boolean | null | undefined;
}

export interface DeskPortalUpload {
  /** Key of a request of yours, such as `WEB-12`. */
  key: string;
  /** What it is called, at most 255 bytes; folders before it are cut. */
  name: string;
  /** Its bytes as base64, at most 10 MB. */
  data: string;
  /** A hint, where neither the bytes nor the name tell. */
  content_type?: string | null | undefined;
}

export interface DeskPortalVerify {
  /** From the link. */
  token: string;
  /** What they sign in with: whoever reads the mail says it, and not whoever asked. Left out: that of the sign-up. */
  password?: string | null | undefined;
}

export interface DeskPortalViewFile {
  /** Key of a request of yours, such as `WEB-12`. */
  key: string;
  /** Id of the file, from the request. */
  id: string;
}

export interface DeskPortalWatch {
  /** Key of a request of yours, such as `WEB-12`. */
  key: string;
  /** Addresses of colleagues who see the request from now on and are mailed what is said. */
  add?: readonly string[] | null | undefined;
  /** Addresses, as `participants` has them, of those who do no more. */
  remove?: readonly string[] | null | undefined;
}

export interface DeskQueueDelete {
  /** Id of the queue. */
  id: number;
}

export interface DeskQueueSave {
  /** The queue to change; left out: make one. */
  id?: number | null | undefined;
  /** Key of the project, or a former one. */
  project: string;
  /** What people choose it by, unique at the desk without case. */
  name: string;
  /** Condition on the issues of the project, as `tql.run` takes it; empty: all of them. */
  tql: string;
  /** What it is sorted by, as it stands behind `order by`, such as `priority, due desc`; empty: by rank. */
  order?: string | null | undefined;
  /** Fields that it shows; empty: the usual ones. */
  columns?: readonly string[] | null | undefined;
  /** Its place among the others; a new one comes last. */
  position?: number | null | undefined;
  /** The team whose work it is; null: none. */
  team?: number | null | undefined;
}

export interface DeskQueues {
  /** Key of the project, or a former one. */
  project: string;
}

export interface DeskReplies {
  /** Only those that fit at this desk: its own and those for all desks. */
  project?: string | null | undefined;
  /** Words in name, text, folder or shortcut. */
  q?: string | null | undefined;
}

export interface DeskReplyDelete {
  /** Id of the reply. */
  id: number;
}

export interface DeskReplyRender {
  /** Id of the reply. */
  id: number;
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
}

export interface DeskReplySave {
  /** The reply to change; left out: make one. */
  id?: number | null | undefined;
  /** What people choose it by. */
  name: string;
  /** What it says, in Markdown; `{{customer.name}}`, `{{key}}` and the like are filled in. */
  text: string;
  /** The desk that it is for; null: all desks. */
  project?: string | null | undefined;
  /** Heading that it stands under; an empty text: none. */
  folder?: string | null | undefined;
  /** What one types to get it, unique among the replies that you see without case; an empty text: nothing. */
  shortcut?: string | null | undefined;
  /** Whether everybody who works at the desk has it; a new one is yours alone. */
  shared?: boolean | null | undefined;
}

export interface DeskRequestCreate {
  /** Key of the project, or a former one. */
  project: string;
  /** Id of the request type, from desk.request_types; hidden ones count. */
  type: number;
  /** Who asks: an address that no customer has becomes one. */
  customer: string;
  /** What is asked for, on one line. */
  title: string;
  /** Answers by key of the question, from desk.portal_form. */
  values?: Record<string, unknown> | null | undefined;
  /** By which way it came; by phone unless given. */
  channel?: "phone" | "mail" | "chat" | "walk_in" | null | undefined;
}

export interface DeskRequestTypeDelete {
  /** Id of the request type. */
  id: number;
  /** The type of the same desk that its requests get. */
  move_to?: number | null | undefined;
}

export interface DeskRequestTypeSave {
  /** The request type to change; left out: make one. */
  id?: number | null | undefined;
  /** Key of the project, or a former one. */
  project: string;
  /** What customers choose it by, unique at the desk without case. */
  name: string;
  /** What it is for. */
  description?: string | null | undefined;
  /** Name of its picture. */
  icon?: string | null | undefined;
  /** Heading that it stands under; an empty text: none. */
  group?: string | null | undefined;
  /** Key or name of the issue type that a request becomes: one of the project's. */
  issue_type: string;
  /** The form, in order; empty: it asks for a description. */
  fields: readonly FormQuestion[];
  /**
   * Who has to agree before it goes on: members, `team:<id>` and `customer:<id>`. They are asked together with those
   * whom the first way from the start of the workflow names that asks anybody (422 where none does).
   */
  approvers?: readonly string[] | null | undefined;
  /** Id of an issue template that fills in what the form does not ask; null: none. */
  template?: number | null | undefined;
  /** Its place; a new one comes last. */
  position?: number | null | undefined;
  /** True hides it from customers. */
  hidden?: boolean | null | undefined;
}

export interface DeskRequestTypes {
  /** Key of the project, or a former one. */
  project: string;
}

export interface DeskRequesterSet {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** Who asked. An issue that is no request becomes one; who asked before sees it no more, unless they are added. */
  requester?: string | null | undefined;
  /** Customers who see it from now on and are mailed what is said, by id or address. */
  add?: readonly string[] | null | undefined;
  /** Customers who do no more. */
  remove?: readonly string[] | null | undefined;
}

export interface DeskSatisfaction {
  /** Key of the project, or a former one. */
  project: string;
  /** First day, in the zone of the org; thirty days in all unless given. */
  from?: string | null | undefined;
  /** Last day; today unless given. */
  to?: string | null | undefined;
  /** What rows stand for; left out: one row for all. */
  by?: "agent" | "type" | "week" | null | undefined;
}

export interface DeskSave {
  /** Key of the project, or a former one. */
  project: string;
  /** What customers read; that of the project unless given. */
  name?: string | null | undefined;
  /** What stands above its request types, in Markdown; an empty text: nothing. */
  intro?: string | null | undefined;
  /** False shuts it: the portal shows neither it nor its requests, and nothing comes in. A new one is open. */
  enabled?: boolean | null | undefined;
  /** Whether anybody may make a portal account; a new desk lets nobody. */
  open_signup?: boolean | null | undefined;
  /** Key of the space of pages whose published articles the portal suggests; null: none. */
  kb_space?: string | null | undefined;
  /** Whether customers read the names of those who answer; a new desk answers under its own name. */
  show_agents?: boolean | null | undefined;
  /**
   * Whether customers are asked how it went when a request is closed, from now on: on the request, and five minutes
   * later by a letter.
   */
  survey?: boolean | null | undefined;
  /** So many days after it was closed a customer may reopen a request; null: always. */
  reopen_days?: number | null | undefined;
  /** Languages that the desk answers in, such as `en`. */
  languages?: readonly string[] | null | undefined;
  /**
   * Its picture on the portal: the id of a PNG, JPEG, GIF or WebP of at most 1 MB that hangs on the project, or a
   * path of this site. Null: that of the org.
   */
  logo?: string | null | undefined;
  /** Address that answers to the desk's letters go to; null: that of the server. */
  reply_to?: string | null | undefined;
}

export interface DeskSendReply {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** What to say to the customers of the request, in Markdown. */
  body: string;
  /** Customers who take part from now on, by id or address. */
  to?: readonly string[] | null | undefined;
  /** The same; mail programs are told no difference. */
  cc?: readonly string[] | null | undefined;
  /** Files to show with it: ids of such as hang on the issue itself, and of what you sent to `/files/upload`. */
  attachments?: readonly string[] | null | undefined;
  /** The lane that it goes to then, by key or name. */
  status?: string | null | undefined;
  /** When it goes, within a year: an internal note until then, and deleting that takes it back. */
  send_at?: number | null | undefined;
}

export interface DeskSpam {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** Also refuses the sender from now on: they are signed out, and what they mail is ignored. */
  block?: boolean | null | undefined;
}

/** What came in at a desk in some days and was done. */
export interface DeskStats {
  /** Requests that came in. */
  created: number;
  /** Requests that were closed. */
  solved: number;
  /** Requests that were closed and opened again. */
  reopened: number;
  /** Requests that were open at the end. */
  backlog: number;
  /** Median time to the first answer of those that came in and were answered, in seconds; null: none was. */
  first_reply: number | null;
  /** Median time to the closing of those that were closed, in seconds; null: none was. */
  resolution: number | null;
  /** Channel -> requests that came in by it. */
  by_channel: Record<string, number>;
  /** Name of the request type -> requests of it that came in; an empty name: without a type. */
  by_type: Record<string, number>;
}

export interface DeskStatsInput {
  /** Key of the project, or a former one. */
  project: string;
  /** First day, in the zone of the org. */
  from: string;
  /** Last day. */
  to: string;
}

export interface DeskSuggestArticles {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
}

export interface DeskWaitingReplies {
  /** Key of the project, or a former one. */
  project: string;
  /** Only those on this request. */
  key?: string | null | undefined;
}

/** Who asks to be let in, and what for: the scopes that an approval would give. */
export interface DeviceInfo {
  /** What the program calls itself. */
  client: string;
  /** What an approval would give. */
  scopes: string[];
  /** When it asked, in Unix seconds. */
  created_at: number;
  /** When the code ends, in Unix seconds. */
  expires_at: number;
}

/** `token` is the key's secret, in the first answer after the approval only. */
export interface DevicePoll {
  /** How far it is; `slow_down`: ask less often. */
  state: "pending" | "slow_down" | "denied" | "expired" | "approved";
  /** Secret of the key, in the first answer after the approval; else null. */
  token: string | null;
  /** The key that was made; null: none yet. */
  key: ApiKey | null;
}

/** What a device shows (`user_code`, `verification_path`) and polls with. Times in seconds. */
export interface DeviceStarted {
  /** Secret to poll with; not to be shown. */
  device_code: string;
  /** Code to show to the person. */
  user_code: string;
  /** Path of the page where the person approves. */
  verification_path: string;
  /** Seconds between two polls. */
  interval: number;
  /** Seconds that the code lives. */
  expires_in: number;
}

/** Lines around one change, or several that are near each other. */
export interface DiffHunk {
  /** The first of them in the older text, counted from 1. */
  from_line: number;
  /** The first of them in the newer text. */
  to_line: number;
  /** These lines, in order. */
  lines: DiffLine[];
}

export interface DiffLine {
  /** Whether the line is in both, or in one of them alone. */
  kind: "same" | "added" | "removed";
  /** The line, without its end. */
  text: string;
}

/** An unsent text. One that is not shared is its owner's alone. */
export interface Draft {
  /** What it is on, such as `issue:12`, or `issue:new`. */
  subject: string;
  /** The text so far, Markdown. */
  body: string;
  /** What else the form holds, as whoever saved it wrote it. */
  data: Record<string, unknown>;
  /** Id of the member whose draft it is. */
  owner: string;
  /** Whether others may finish it. */
  shared: boolean;
  /** When it was saved last, in Unix seconds. */
  updated_at: number;
  /** Number of this text: saving makes another. */
  seq: number;
}

export interface DraftsDelete {
  /** What the draft is on. */
  subject: string;
  /** `seq` of the draft that you mean, for one that another shares. */
  seq?: number | null | undefined;
}

export interface DraftsList {
  /** `issue:new`, `issue:WEB-1`, `comment:<id>` or another thing: yours on it, and those that others share there. */
  subject?: string | null | undefined;
}

export interface DraftsSave {
  /**
   * `issue:new` for an issue to come, else what the text is for: `issue:WEB-1` for a comment on it, `comment:<id>`
   * for an answer to it or another wording, or any other thing.
   */
  subject: string;
  /** The whole text so far, Markdown. */
  body: string;
  /** What else the form holds, as you like it; it stays where it is left out. 64 KB at most. */
  data?: Record<string, unknown> | null | undefined;
  /** True: members who see the thing may finish it. A new one is not shared unless you say so. */
  shared?: boolean | null | undefined;
  /** `seq` of the draft that you changed; 0: there was none. */
  seq?: number | null | undefined;
}

export interface Edge {
  /** Key of the issue that the relation starts from. */
  from: string;
  /** Key of the kind of relation. */
  kind: string;
  /** Key of the issue at its other end. */
  to: string;
  /** Whether that kind is one that blocks. */
  blocks: boolean;
}

/** Until when the session counts as confirmed. */
export interface Elevated {
  /** Until when it counts as confirmed, in Unix seconds. */
  elevated_until: number;
}

/** No input: `{}`. */
export type Empty = Record<string, never>;

export interface Environment {
  /** Key of the flag project. */
  project: string;
  /** Key of the environment. */
  key: string;
  /** What people read. */
  name: string;
  /** Whether what agents change there waits for approval. */
  critical: boolean;
  /** Whether what anybody changes there waits for approval. */
  require_approval: boolean;
  /** So many people approve a change. */
  min_approvals: number;
  /** Whether whoever asks for a change may approve it too. */
  allow_self_approval: boolean;
}

/** A flag in one environment. Lists come with the whole flag, how long they are with a list of flags. */
export interface EnvironmentState {
  /** Whether targeting is on. */
  on: boolean;
  /** Index of the variation that is served while it is off; null: the caller's default. */
  off_variation: number | null;
  /** What is served where no target and no rule fits: a variation or a rollout. */
  fallthrough: Record<string, unknown>;
  /** Whether clients are to send an event for each evaluation. */
  track_events: boolean;
  /** Version of the flag there, which every change raises. */
  version: number;
  /** Contexts by key that get a variation. */
  targets?: Record<string, unknown>[];
  /** Those of them that end by themselves: {`contextKind`, `variation`, `values`, `at` in Unix milliseconds}. */
  expiring?: Record<string, unknown>[];
  /** Rules in order, each with clauses and what it serves. */
  rules?: Record<string, unknown>[];
  /** Flags that must serve a variation before this one is asked. */
  prerequisites?: Record<string, unknown>[];
  /** How many targets, rules and prerequisites there are, in lists of flags. */
  counts?: Record<string, number>;
}

/** `variation` is null, and `value` too, where a client would answer its own default. */
export interface Evaluated {
  /** Key of the flag. */
  key: string;
  /** What the context gets, any JSON; null: the caller's default. */
  value: unknown;
  /** Index of the variation; null: the caller's default. */
  variation: number | null;
  /** Why it gets that. */
  reason: "DISABLED" | "TARGETING_MATCH" | "SPLIT" | "DEFAULT" | "PREREQUISITE_FAILED" | "ERROR";
  /** Each step that led to it, in order. */
  steps: Record<string, unknown>[];
  /** Index of the rule that decided, where one did. */
  rule_index?: number;
  /** Id of the rule that decided, where one did. */
  rule_id?: string;
  /** Key of the flag that stood in the way, where one did. */
  prerequisite_key?: string;
  /** What is wrong with the flag, where something is. */
  error_kind?: "FLAG_NOT_FOUND" | "INVALID_CONTEXT" | "MALFORMED_FLAG" | "WRONG_TYPE" | "CLIENT_NOT_READY" | "EXCEPTION";
}

/** One event. `payload` is as emitted: each changed field with `from` and `to`. */
export interface Event {
  /** Sequence number: one more than that of the org's event before it. */
  seq: number;
  /** What happened, such as `issue.created`. */
  kind: string;
  /** What it happened to, such as `issue:WEB-1`. */
  subject: string;
  /** Who did it: a member's id, `agent:<name>`, `system` or the like. */
  actor: string;
  /** Sort of actor: a person, a key or agent acting for one, an automation or the server itself. */
  actor_kind: "human" | "key" | "agent" | "system" | "automation";
  /** When it happened, in Unix seconds. */
  created_at: number;
  /** What is told of it, any JSON by kind of event; `changes` has each changed field with `from` and `to`. */
  payload: unknown;
  /** Title of the subject as it is now; null where it has none any more. */
  title?: string | null;
  /** Key or agent that did it in a person's name; null: none. */
  via: string | null;
  /** The header `X-KB-Client` of the call that did it: a program knows its own by this; null: it had none. */
  origin: string | null;
}

export interface EventsExport {
  /** The first day, in UTC; left out: that of the first event that is kept. */
  from?: string | null | undefined;
  /** The last day, which is in it; left out, or not over yet: yesterday. */
  to?: string | null | undefined;
  /** Lay those days too that lie there whole, such as after somebody's data were erased. False unless given. */
  again?: boolean | null | undefined;
}

/** A file that is on its way to a subject, and will hang there. */
export interface ExpectedFile {
  /** Id that the file will have. */
  id: string;
  /** Name of the file. */
  name: string;
  /** How many bytes it will have. */
  size: number;
  /** How many of them are here. */
  arrived: number;
  /** What it will hang on, such as `comment:5`. */
  subject: string;
  /** Id of the upload, for whoever sends it and nobody else. */
  upload: string | null;
  /** When it was named there, in Unix seconds. */
  created_at: number;
  /** Who sends it: a member's id or `agent:<name>`. */
  created_by: string;
  /** When it is given up unless it is here, in Unix seconds. */
  expires_at: number;
}

export interface Expiry {
  /** Whether it was applied, changed nothing, or waits for approval. */
  outcome: "applied" | "unchanged" | "changeRequest";
  /**
   * The targets that end there now: {`contextKind`, `variation`, `values`, `at` in Unix milliseconds}, soonest
   * first.
   */
  targets: Record<string, unknown>[];
  /** The change request; null: none was made. */
  change: FlagChange | null;
}

/** One thing that was looked at. */
export interface ExplainedStep {
  /** What was looked at: `scope`, `role`, `sight`, `grant` or `right`. */
  check: string;
  /** Whether it lets the call through. */
  passed: boolean;
  /** Why, in a sentence. */
  because: string;
}

/** Whether somebody may do something, and why. */
export interface Explanation {
  /** Whether all of it lets the call through. */
  allowed: boolean;
  /** What was looked at, in order; the first that does not pass is the last. */
  steps: ExplainedStep[];
}

/** One JSON entry a line, oldest first. */
export interface Export {
  /** Entries in the text. */
  count: number;
  /** The text: one JSON entry a line. */
  ndjson: string;
  /** Whether entries were left out behind the most that are taken out at once. */
  truncated: boolean;
}

/** Events as a file. */
export interface ExportedEvents {
  /** What to call the file. */
  name: string;
  /** Its bytes in base64. */
  data: string;
  /** How many events are in it. */
  events: number;
  /** Whether the range has more than one file holds: export a shorter one. */
  truncated: boolean;
}

/** Work that goes on; `jobs.get` says how far it is. */
export interface Exporting {
  /** The job that lays the files. Its result has `days` and `events`, how many were laid. */
  job: number;
}

/** Something that moved: how many issues, and the first keys. */
export interface Fact {
  /** What happened to them: `made`, `started`, `closed`, `overdue` or `blocked`. */
  fact: string;
  /** How many issues. */
  count: number;
  /** Keys of the first of them. */
  keys: string[];
}

export interface Fetched {
  /** File name to save it under. */
  name: string;
  /** Link to it, good for five minutes. */
  url: string;
  /** Size in bytes. */
  size: number;
  /** Checksum, in hex. */
  sha256: string;
}

/**
 * A field that the org made. `projects` are those that the caller sees, none stands for all; so with `types`.
 *
 * `used` counts the issues with a value that the caller sees.
 */
export interface Field {
  /** Key by which values and queries name it; it never changes. */
  key: string;
  /** What people read. */
  name: string;
  /** What its values are. */
  kind: "text" | "paragraph" | "number" | "money" | "bool" | "date" | "datetime" | "duration" | "select" | "multi_select" | "cascade" | "member" | "members" | "team" | "issue" | "page" | "asset" | "url" | "rating" | "formula" | "rollup";
  /** What has the field. */
  on: "issue" | "worklog" | "company" | "request";
  /** What to fill in; empty: nothing said. */
  description: string;
  /** What may be chosen, in order; empty for kinds without a choice. */
  options: FieldOption[];
  /** Keys of the projects it is for, as far as the caller sees them; empty: all. */
  projects: string[];
  /** Keys of the issue types it is for; empty: all. */
  types: string[];
  /** What an issue holds where nothing is given, any JSON that fits the kind; null: nothing. */
  default: unknown;
  /** What it computes; null: nothing. */
  formula: string | null;
  /** Least number, or characters of a text; null: no limit. */
  min: number | null;
  /** Greatest number, or characters of a text; null: no limit. */
  max: number | null;
  /** Regular expression that is found in a text; null: any text. */
  pattern: string | null;
  /** Whether it says something of a person: left out of exports and events. */
  personal: boolean;
  /** Issues with a value that the caller sees. */
  used: number;
}

export interface FieldChange {
  /** Sequence number of the event that told the change. */
  seq: number;
  /** When it changed, in Unix seconds. */
  at: number;
  /** Who changed it: a member's id, `agent:<name>` or `system`. */
  who: string;
  /** Key or agent that did it in a person's name; null: none. */
  via: string | null;
  /** Name of the field. */
  field: string;
  /** What it held before, any JSON; null: nothing. */
  from: unknown;
  /** What it holds since then, any JSON; null: nothing. */
  to: unknown;
}

/** A field of a type. */
export interface FieldInput {
  /** Small letters, digits and `_`, 40 at most; values name the field by it. */
  key: string;
  /** What people read. */
  name: string;
  /** What its values are. */
  kind: "text" | "number" | "date" | "bool" | "select" | "member" | "reference" | "url";
  /** For `select`: what there is to choose from. */
  options?: readonly string[] | null | undefined;
  /** For `reference`: the type that it leads to, which may be this one. */
  target?: string | null | undefined;
  /** Every new asset must have a value; false unless given. */
  required?: boolean | null | undefined;
  /** No two assets of the type have the same value. */
  unique?: boolean | null | undefined;
}

/** Which fields the issues of one type have in one project, by key, in order. */
export interface FieldLayout {
  /** Key of the project. */
  project: string;
  /** Key of the issue type. */
  type: string;
  /** Keys of fields that are asked for when an issue is made, in order. */
  create: string[];
  /** Keys of fields that an issue shows, in order. */
  edit: string[];
  /** Keys of fields that an issue must have. */
  required: string[];
  /** What shows, requires or sets fields, as `fields.layout_save` takes it. */
  rules: Record<string, unknown>[];
}

/** One of the values that may be chosen; `parent` is the id of the one it stands under in a cascade. */
export interface FieldOption {
  /** Id of the option. */
  id: number;
  /** What people choose. */
  name: string;
  /** Colour as `#rrggbb`. */
  color: string;
  /** Whether it is not chosen anew. */
  archived: boolean;
  /** Id of the option it stands under in a cascade; null: none. */
  parent: number | null;
}

export interface FieldsDelete {
  /** Key, id or name of the field. */
  key: string;
}

export interface FieldsGet {
  /** Key, id or name. */
  key: string;
}

export interface FieldsLayout {
  /** Key of the project, or a former one. */
  project: string;
  /** Key or name of one of its types; left out: all of them. */
  type?: string | null | undefined;
}

export interface FieldsLayoutSave {
  /** Key of the project, or a former one. */
  project: string;
  /** Key or name of the issue type. */
  type: string;
  /** Fields that are asked for when an issue is made, in order. */
  create: readonly string[];
  /** Fields that an issue shows, in order. */
  edit: readonly string[];
  /** Fields of `create` or `edit` that an issue must have when it is made, and when it becomes one of this type. */
  required: readonly string[];
  /** Left out: none. */
  rules?: readonly LayoutRule[] | null | undefined;
}

export interface FieldsList {
  /** Key of a project: the fields that are for all projects, and its own. */
  project?: string | null | undefined;
  /** Fields of `issue`, `worklog`, `company` or `request`; left out: of all four. */
  on?: "issue" | "worklog" | "company" | "request" | null | undefined;
}

export interface FieldsOptionMerge {
  /** Key, id or name of the field. */
  key: string;
  /** The options that go, by name or id. */
  from: readonly (string | number)[];
  /** The option that stays. */
  into: string | number;
}

export interface FieldsOptionsSet {
  /** Key, id or name of the field. */
  key: string;
  /** The whole list, in order. */
  options: readonly OptionInput[];
}

export interface FieldsSave {
  /** An unknown one makes a field; a key stays as it is and is never given out again. */
  key: string;
  /** What people read. */
  name: string;
  /** What its values are. */
  kind: "text" | "paragraph" | "number" | "money" | "bool" | "date" | "datetime" | "duration" | "select" | "multi_select" | "cascade" | "member" | "members" | "team" | "issue" | "page" | "asset" | "url" | "rating" | "formula" | "rollup";
  /** What has the field; `issue` unless given. Decided when it is made. */
  on?: "issue" | "worklog" | "company" | "request" | null | undefined;
  /** What to fill in, for people. */
  description?: string | null | undefined;
  /** Keys of the projects that it is for; `[]`: all. Projects that you do not see stay. */
  projects?: readonly string[] | null | undefined;
  /** The issue types that it is for; `[]`: all. */
  types?: readonly string[] | null | undefined;
  /** What an issue holds where nothing is given, any JSON that fits the kind; null: nothing. */
  default?: unknown;
  /** For `formula` and `rollup`: what it computes. */
  formula?: string | null | undefined;
  /** It says something of a person: left out of exports and events, erased with a member. */
  personal?: boolean | null | undefined;
  /** Of a number, or of how many characters a text has; null: no limit. */
  min?: number | null | undefined;
  /** Greatest number, or most characters of a text; null: no limit. */
  max?: number | null | undefined;
  /** Is found in a text; `^` and `$` are its very start and end. Null: any text. */
  pattern?: string | null | undefined;
}

/** A quick filter as it is to be. */
export interface FilterInput {
  /** The filter that it is; left out: a new one. */
  id?: string | null | undefined;
  /** What stands on its button. */
  name: string;
  /** The condition on issues. */
  tql: string;
}

export interface FirstProject {
  /** 2 to 10 capitals and digits, the first a letter. */
  key: string;
  /** What people read. */
  name: string;
}

/** A flag with its state in each environment; one that was asked for alone comes with what belongs to it. */
export interface Flag {
  /** Key of its flag project. */
  project: string;
  /** Key, which programs name it by. */
  key: string;
  /** What people read. */
  name: string;
  /** What it is for; empty: nothing said. */
  description: string;
  /** What its variations are. */
  kind: "bool" | "string" | "number" | "json";
  /** What it may serve, {`value`, `name`, `description`} of each, in order. */
  variations: Record<string, unknown>[];
  /** Words to find it by; `kill-switch` puts it on that list. */
  tags: string[];
  /** Ids of the members who look after it. */
  maintainers: string[];
  /** Whether it is to be removed some day. */
  temporary: boolean;
  /** Whether client-side IDs see it. */
  client_side: boolean;
  /** Indexes of the variations that a new environment serves: {`on`, `off`}. */
  defaults: Record<string, number>;
  /** JSON schema that every variation fits; null: none. */
  schema: Record<string, unknown> | null;
  /** Whether clients answer their own default for it. */
  archived: boolean;
  /** Version of the flag itself, which every change of it raises. */
  version: number;
  /** Its state by key of the environment. */
  environments: Record<string, EnvironmentState>;
  /** Keys that it had before, by which it is evaluated still. */
  aliases: string[];
  /** Keys of flags that wait for it. */
  dependents?: string[];
  /** Change requests of it that are open. */
  changes?: FlagChange[];
  /** What is to change at a time. */
  schedules?: FlagSchedule[];
  /** Keys of the issues that it belongs to, as far as the caller sees them. */
  issues?: string[];
}

/**
 * A change that waits, or was decided. `run_at` is in milliseconds, the other times in seconds.
 *
 * `preview` is what it would change now: {`diff`, `fits`, `why`}; it stands in the answers about one change.
 */
export interface FlagChange {
  /** Id of the change request. */
  id: number;
  /** Whether it changes a flag or a segment. */
  kind: "flag" | "segment";
  /** Key of the flag or segment. */
  target: string;
  /** Key of the environment. */
  environment: string;
  /** What is to be done, in order. */
  instructions: Record<string, unknown>[];
  /** Why, in words; empty: nothing said. */
  comment: string;
  /** How far it is. */
  status: "pending" | "approved" | "declined" | "applied" | "cancelled" | "failed";
  /** When it is to be applied, in Unix milliseconds; null: once it is approved. */
  run_at: number | null;
  /** What people decided or said, oldest first. */
  reviews: FlagReview[];
  /** Who asked for it: a member's id or `agent:<name>`. */
  requested_by: string;
  /** When it was asked for, in Unix seconds. */
  created_at: number;
  /** The rollout that starts when it is applied, whose steps these instructions are; null: it is a change. */
  plan: number | null;
  /** {`diff`, `fits`, `why`} of applying it now; null: decided, or not asked for. */
  preview: Record<string, unknown> | null;
}

/** What a context is to get; `broken` names what it does not get now. */
export interface FlagCheck {
  /** Id of the check. */
  id: number;
  /** Key of the flag project. */
  project: string;
  /** Key of the environment. */
  environment: string;
  /** What people call it. */
  name: string;
  /** Who is looked at. */
  context: Record<string, unknown>;
  /** What it is to get, by key of the flag. */
  expected: Record<string, unknown>;
  /** Whether a change that breaks it is refused. */
  enforce: boolean;
  /** Who made it: a member's id or `agent:<name>`. */
  created_by: string;
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** Keys of the flags that serve it something else now. */
  broken: string[];
}

/** A rollout by a plan. Times are in Unix milliseconds, but `created_at`, which is in seconds. */
export interface FlagPlan {
  /** Id of the plan. */
  id: number;
  /** Key of the flag. */
  key: string;
  /** Key of the environment. */
  environment: string;
  /** Id of the rule whose share grows; null: what is served where no target and no rule fits. */
  rule: string | null;
  /** Index of the variation that is rolled out. */
  variation: number;
  /** {`weight`, `hold_minutes`} of each step, in order. */
  steps: Record<string, unknown>[];
  /** What has to hold; of a hook's address only where it leads. */
  checks: Record<string, unknown>[];
  /** Why, in words; empty: nothing said. */
  comment: string;
  /** `waiting` for its start or for approval, `running`, `held` until it can go on, `stopped` for good, `done`. */
  state: "waiting" | "running" | "held" | "stopped" | "done";
  /** Which step is served, counted from 1; 0: none yet. */
  step: number;
  /** When the step was held long enough; null: it is not held for a time now. */
  next_at: number | null;
  /** Why it is held or was stopped; null: it is not. */
  reason: string | null;
  /** When it is to start; null: at once. */
  start_at: number | null;
  /** The change request that it was approved by, or waits for; null: it needed none. */
  change: number | null;
  /** In whose name it acts: a member's id or `agent:<name>`. */
  created_by: string;
  /** When it was made. */
  created_at: number;
}

export interface FlagProject {
  /** Key of the flag project. */
  project: string;
  /** What people read. */
  name: string;
  /** Keys of its environments. */
  environments: string[];
  /** How many flags live there. */
  flags: number;
}

export interface FlagReference {
  /** Key as it is written there; of a flag that was renamed, perhaps one that it had before. */
  key: string;
  /** What the repository is called. */
  repository: string;
  /** Which branch. */
  branch: string;
  /** File, from the root of the work tree. */
  path: string;
  /** Line, counted from 1. */
  line: number;
  /** What stands there; empty: it was not sent. */
  text: string;
  /** When the branch was pushed last, in Unix seconds. */
  seen_at: number;
}

export interface FlagReview {
  /** Id of the member who said it. */
  who: string;
  /** What they decided, or `comment`: nothing. */
  decision: "approve" | "decline" | "comment";
  /** What they said; empty: nothing. */
  comment: string;
  /** When, in Unix seconds. */
  at: number;
}

/** One version: who made it of the one before, and what differs, as {`path`, `from`, `to`}. */
export interface FlagRevision {
  /** Id of the version, for `flags.restore`. */
  id: number;
  /** Number of the version, from 1, of the flag itself or of it in the environment. */
  version: number;
  /** When it was made, in Unix seconds. */
  at: number;
  /** Who made it: a member's id or `agent:<name>`. */
  who: string;
  /** Key or agent that did it in a person's name; null: none. */
  via: string | null;
  /** What was said of it; empty: nothing. */
  comment: string;
  /**
   * What differs from the version before: {`path`, `from`, `to`} of each place; where a list of more than a hundred
   * keys changed {`path`, `added`, `removed`}.
   */
  diff: Record<string, unknown>[];
}

/** Instructions for a time; `run_at` is in milliseconds. */
export interface FlagSchedule {
  /** Id of the schedule, for `flags.schedule_delete`. */
  id: number;
  /** Key of the flag. */
  key: string;
  /** Key of the environment. */
  environment: string;
  /** What is to be done, in order. */
  instructions: Record<string, unknown>[];
  /** When, in Unix milliseconds. */
  run_at: number;
  /** Who asked for it: a member's id or `agent:<name>`. */
  created_by: string;
}

export interface FlagSettings {
  /** What becomes of an agent's change to a critical environment: it waits for approval, or is applied. */
  agent_writes: "changeRequest" | "direct";
}

/** What a new flag may begin as. `settings` are fields of `flags.create`. */
export interface FlagTemplate {
  /** Key of the template. */
  key: string;
  /** What people choose it by. */
  name: string;
  /** What the flag's variations are. */
  kind: "bool" | "string" | "number" | "json";
  /** What the flag may serve, {`value`, `name`, `description`} of each. */
  variations: Record<string, unknown>[];
  /** Other fields of the new flag, as `flags.create` takes them. */
  settings: Record<string, unknown>;
  /** Whether it came with kbwork and stays as it is. */
  built_in: boolean;
}

export interface FlagTraffic {
  /** Key of the flag. */
  key: string;
  /** Evaluations of each hour, oldest first, this hour last. */
  counts: number[];
  /** When it was last evaluated there, as far as was told, in Unix seconds; null: never. */
  evaluated_at: number | null;
}

/** `url` stands in the answer that made it, and nowhere else. */
export interface FlagTrigger {
  /** Id of the trigger. */
  id: number;
  /** Key of the flag. */
  key: string;
  /** Key of the environment. */
  environment: string;
  /** What a post to it does. */
  action: "on" | "off" | "variation";
  /** Index of the variation that it serves; null: another action. */
  variation: number | null;
  /** The address to post to, once; null: it was shown. */
  url: string | null;
  /** In whose name it acts: a member's id or `agent:<name>`. */
  created_by: string;
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** When it last did what it does, in Unix seconds; null: never. */
  used_at: number | null;
  /** How often it did. */
  uses: number;
}

/**
 * What became of instructions. `diff` is what they change, or would once they are approved, by `flag` or by
 * environment: [{`path`, `from`, `to`}], of lists of more than a hundred keys [{`path`, `added`, `removed`}].
 */
export interface FlagUpdate {
  /** Whether it was applied, changed nothing, or waits for approval. */
  outcome: "applied" | "unchanged" | "changeRequest";
  /** The flag as it is now. */
  flag: Flag;
  /**
   * {`path`, `from`, `to`} of each place that changes, of long lists {`path`, `added`, `removed`}, by `flag` or by
   * environment.
   */
  diff: Record<string, unknown>;
  /** The change request; null: none was made. */
  change: FlagChange | null;
}

export interface FlagsArchive {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Key of the flag. */
  key: string;
}

export interface FlagsChangeApply {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Id of the change request. */
  id: number;
}

export interface FlagsChangeCancel {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Id of the change request. */
  id: number;
}

export interface FlagsChangeCreate {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Whether a flag or a segment is to change. */
  kind: "flag" | "segment";
  /** Key of the flag or segment. */
  target: string;
  /** Key of the environment. */
  environment: string;
  /** What is to be done, in order. */
  instructions: readonly Record<string, unknown>[];
  /** Why, for those who approve. */
  comment?: string | null | undefined;
  /** When it is to be applied once it is approved: Unix milliseconds, or a time such as `2026-03-01T09:00:00Z`. */
  run_at?: number | string | null | undefined;
}

export interface FlagsChangeGet {
  /** Key of the flag project. */
  project: string;
  /** Id of the change request. */
  id: number;
}

export interface FlagsChangeReview {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Id of the change request. */
  id: number;
  /** What you decide; `comment` decides nothing. */
  decision: "approve" | "decline" | "comment";
  /** Needed with `comment`. */
  comment?: string | null | undefined;
}

export interface FlagsChanges {
  /** So many at most, and fewer where they are large; left out: all, and with a `cursor` 50. */
  limit?: number | null | undefined;
  /** The key, of a change request the id, of the last one of the part before. Behind the last one nothing comes. */
  cursor?: string | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Only those with this status. */
  status?: "pending" | "approved" | "declined" | "applied" | "cancelled" | "failed" | null | undefined;
  /** Key of the environment. */
  environment?: string | null | undefined;
}

export interface FlagsCheckDelete {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Id of the check, from `flags.checks`. */
  id: number;
}

export interface FlagsCheckSave {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Key of the environment. */
  environment: string;
  /** What people call it; unique in the environment. */
  name: string;
  /** Who is looked at, such as `{"kind": "user", "key": "ana", "country": "PT"}`. */
  context: Record<string, unknown>;
  /**
   * What it is to get, by key of the flag: an index of a variation, a value, `{"value": 5}` for a number, or null for
   * the caller's default. Flags that are left out are not held.
   */
  expected: Record<string, unknown>;
  /** Whether a change that breaks it is refused; left out for a new one: no. */
  enforce?: boolean | null | undefined;
  /** Of the check that changes; left out: a new one. */
  id?: number | null | undefined;
}

export interface FlagsChecks {
  /** Key of the flag project. */
  project: string;
  /** Of this environment alone. */
  environment?: string | null | undefined;
}

export interface FlagsCleanUp {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Key of the flag. */
  key: string;
  /** Key of the project of work that gets the issue; left out: the one that the flag project is tied to. */
  to?: string | null | undefined;
}

export interface FlagsCompare {
  /** Key of the flag project. */
  project: string;
  /** Key of an environment. */
  from: string;
  /** Key of another. */
  to: string;
}

export interface FlagsCopy {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Key of the environment that changes. */
  to: string;
  /** Key of the environment that it becomes like. */
  from: string;
  /** Keys of flags; left out: all that differ, a thousand at most. */
  flags?: readonly string[] | null | undefined;
  /** Copy the segments that they ask for too. */
  include_segments?: boolean | null | undefined;
}

export interface FlagsCreate {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** 1 to 128 letters, digits, dots, dashes and underscores; unique in the project, for good. */
  key: string;
  /** Left out: the key. */
  name?: string | null | undefined;
  /** Left out: that of the template, else of the variations' values; without any `bool`. */
  kind?: "bool" | "string" | "number" | "json" | null | undefined;
  /** Key of a template: what is not named here is taken from it. */
  template?: string | null | undefined;
  /** {`value`, `name`, `description`}; left out for `bool`: true and false. */
  variations?: readonly Record<string, unknown>[] | null | undefined;
  /** Words to find it by; `kill-switch` puts it on that list. */
  tags?: readonly string[] | null | undefined;
  /** Whether client-side IDs see it; left out: no. */
  client_side?: boolean | null | undefined;
  /** Whether it is to be removed some day; left out: yes. */
  temporary?: boolean | null | undefined;
  /** Members, by id, `me`, `@handle` or e-mail; left out: you. */
  maintainers?: readonly string[] | null | undefined;
  /** What it is for. */
  description?: string | null | undefined;
  /** For JSON flags: a JSON schema that every variation fits. */
  schema?: Record<string, unknown> | null | undefined;
  /** What a new environment serves, as indexes of variations: {`on`, `off`}; left out: the first, and the last. */
  defaults?: Record<string, unknown> | null | undefined;
}

export interface FlagsEnvironmentDelete {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Key of the environment. */
  key: string;
  /** For a critical environment: its key once more. */
  confirm_key?: string | null | undefined;
}

export interface FlagsEnvironmentSave {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** A new one makes it: 1 to 64 letters, digits, dots, dashes and underscores. */
  key: string;
  /** Left out for a new one: its key. */
  name?: string | null | undefined;
  /** What agents change here waits for approval, and it is deleted only by name. */
  critical?: boolean | null | undefined;
  /** What anybody changes here waits for approval. */
  require_approval?: boolean | null | undefined;
  /** So many people approve; 1 for a new one. */
  min_approvals?: number | null | undefined;
  /** Whether whoever asks for a change may approve it too. */
  allow_self_approval?: boolean | null | undefined;
}

export interface FlagsEnvironments {
  /** Key of the flag project. */
  project: string;
}

export interface FlagsEvaluate {
  /** Key of the flag project. */
  project: string;
  /** Key of the environment. */
  environment: string;
  /** Such as `{"kind": "user", "key": "ana", "country": "PT"}`. */
  context: Record<string, unknown>;
  /** Of this flag alone. */
  key?: string | null | undefined;
  /** As if these had been applied to the targeting of the flag `key`; they are not. */
  instructions?: readonly Record<string, unknown>[] | null | undefined;
}

export interface FlagsExpire {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Key of the flag. */
  key: string;
  /** Key of the environment. */
  environment: string;
  /** {`contextKind`, `variation`, `values`}: who gets which variation until then. */
  targets: readonly Record<string, unknown>[];
  /** When they end: Unix milliseconds, or a time such as `2026-03-01T09:00:00Z`; null: they stay. */
  at: number | string | null;
}

export interface FlagsExported {
  /** The document; its `format` is the version of its form. */
  data: Record<string, unknown>;
}

export interface FlagsGet {
  /** Key of the flag project. */
  project: string;
  /** Key of the flag. */
  key: string;
}

export interface FlagsHistory {
  /** Key of the flag project. */
  project: string;
  /** Key of the flag. */
  key: string;
  /** Left out: of the flag itself. */
  environment?: string | null | undefined;
}

export interface FlagsImpact {
  /** Key of the flag project. */
  project: string;
  /** Key of the flag. */
  key: string;
  /** Key of the environment. */
  environment: string;
  /** What is to be done; left out: anything at all. */
  instructions?: readonly Record<string, unknown>[] | null | undefined;
}

export interface FlagsInsights {
  /** Key of the flag project. */
  project: string;
  /** Key of the flag. */
  key: string;
  /** Left out: all environments together. */
  environment?: string | null | undefined;
  /** How far back, in hours. */
  hours?: number | undefined;
}

export interface FlagsKeyCreate {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Key of the environment. */
  environment: string;
  /** `server` for back ends, secret; `client` for browsers and apps, public. */
  kind: "server" | "client";
  /** For rotation: the environment's other keys of this kind end after so many hours. */
  expire_others_in_hours?: number | null | undefined;
}

export interface FlagsKeyRevoke {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Key of the environment. */
  environment: string;
  /** Id of the key, from `flags.keys`. */
  id: number;
  /** It ends after so many hours; left out or 0: now. */
  in_hours?: number | null | undefined;
}

export interface FlagsKeys {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Key of the environment. */
  environment: string;
}

export interface FlagsKillSwitches {
  /** Key of the flag project. */
  project: string;
  /** Key of the environment. */
  environment?: string | null | undefined;
}

export interface FlagsLink {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Key of the flag. */
  key: string;
  /** Key of an issue. */
  issue: string;
  /** Whether it belongs to the flag from now on, or no more. */
  on: boolean;
}

export interface FlagsList {
  /** So many at most, and fewer where they are large; left out: all, and with a `cursor` 50. */
  limit?: number | null | undefined;
  /** The key, of a change request the id, of the last one of the part before. Behind the last one nothing comes. */
  cursor?: string | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Only those with this tag. */
  tag?: string | null | undefined;
  /** Words in key, name or description. */
  q?: string | null | undefined;
  /** Those that are archived instead of those that are not. */
  archived?: boolean | null | undefined;
  /** With targets, rules and prerequisites in every environment; else with how many there are. */
  full?: boolean | null | undefined;
}

export interface FlagsPlanSave {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Key of the flag. */
  key: string;
  /** Key of the environment. */
  environment: string;
  /** Id of the rule whose share grows; left out: what is served where no target and no rule fits. */
  rule?: string | null | undefined;
  /** Index of the variation that is rolled out. */
  variation: number;
  /** In order: how many get it, and for how long that is held. */
  steps: readonly PlanStep[];
  /** What has to hold for it to go on. */
  checks?: readonly PlanCheck[] | null | undefined;
  /** When it is to start: Unix milliseconds, or a time such as `2026-03-01T09:00:00Z`; left out: at once. */
  start_at?: number | string | null | undefined;
  /** Why, for those who approve. */
  comment?: string | null | undefined;
}

export interface FlagsPlanStop {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Id of the plan, from `flags.plans`. */
  id: number;
  /** Whether to serve what was served before the plan; left out: it stays where it is. */
  back?: boolean | null | undefined;
}

export interface FlagsPlans {
  /** Key of the flag project. */
  project: string;
  /** Of this flag alone. */
  key?: string | null | undefined;
  /** Only those in this state. */
  state?: "waiting" | "running" | "held" | "stopped" | "done" | null | undefined;
}

export interface FlagsProjectArchive {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
}

export interface FlagsProjectSave {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Its key; a new one makes it: 1 to 64 letters, digits, dots, dashes and underscores, unique without case. */
  project: string;
  /** Left out for a new one: its key. */
  name?: string | null | undefined;
  /** Key of the project of work that it is tied to; null unties it. */
  work_project?: string | null | undefined;
}

export interface FlagsRefs {
  /** Key of the flag project. */
  project: string;
  /** Of this flag alone. */
  key?: string | null | undefined;
}

export interface FlagsRefsPush {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** What the repository is called, such as `acme/shop`. */
  repository: string;
  /** Which branch this is of. */
  branch: string;
  /** The commit that was looked through. */
  commit: string;
  /** All that names a flag there; none takes the branch away. */
  refs: readonly FoundRef[];
}

export interface FlagsRename {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Key of the flag. */
  key: string;
  /**
   * 1 to 128 letters, digits, dots, dashes and underscores, that no flag of the project has or had; an alias of this
   * flag gives it that key again.
   */
  new_key: string;
}

export interface FlagsRestore {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Key of the flag. */
  key: string;
  /** The version that it is to be again; left out: bring it back from the archive. */
  revision?: number | null | undefined;
}

export interface FlagsScheduleCreate {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Key of the flag. */
  key: string;
  /** Key of the environment. */
  environment: string;
  /** Instructions on targeting. */
  instructions: readonly Record<string, unknown>[];
  /** When: Unix milliseconds, or a time such as `2026-03-01T09:00:00Z`. */
  run_at: number | string;
}

export interface FlagsScheduleDelete {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Key of the flag. */
  key: string;
  /** Id of the schedule, from `flags.schedules`. */
  id: number;
}

export interface FlagsSchedules {
  /** Key of the flag project. */
  project: string;
  /** Of this flag alone. */
  key?: string | null | undefined;
}

export interface FlagsSegmentDelete {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Key of the environment. */
  environment: string;
  /** Key of the segment. */
  key: string;
}

export interface FlagsSegmentGet {
  /** Key of the flag project. */
  project: string;
  /** Key of the environment. */
  environment: string;
  /** Key of the segment. */
  key: string;
}

export interface FlagsSegmentSave {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Key of the environment. */
  environment: string;
  /** 1 to 128 letters, digits, dots, dashes and underscores; unique in the environment, never to be changed. */
  key: string;
  /** Left out: the key. */
  name?: string | null | undefined;
  /** Keys of users who are in it. */
  included?: readonly string[] | null | undefined;
  /** Keys of users who are not in it, whatever the rules say. */
  excluded?: readonly string[] | null | undefined;
  /** The same for other kinds of contexts: {`contextKind`, `values`}. */
  included_contexts?: readonly Record<string, unknown>[] | null | undefined;
  /** The same for those who are not in it. */
  excluded_contexts?: readonly Record<string, unknown>[] | null | undefined;
  /** {`clauses`, `weight`, `bucketBy`, `rolloutContextKind`, `ruleId`} */
  rules?: readonly Record<string, unknown>[] | null | undefined;
}

export interface FlagsSegmentUpdate {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Key of the environment. */
  environment: string;
  /** Key of the segment. */
  key: string;
  /** What is to be done, in order, all or nothing. */
  instructions: readonly Record<string, unknown>[];
  /** Stands in the change request, where there is one. */
  comment?: string | null | undefined;
}

export interface FlagsSegments {
  /** So many at most, and fewer where they are large; left out: all, and with a `cursor` 50. */
  limit?: number | null | undefined;
  /** The key, of a change request the id, of the last one of the part before. Behind the last one nothing comes. */
  cursor?: string | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Key of the environment. */
  environment: string;
}

export interface FlagsSettingsSet {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /**
   * What becomes of a change to a critical environment by a key, a connected client or automation: `changeRequest`
   * waits for a person's approval, `direct` is applied.
   */
  agent_writes: "changeRequest" | "direct";
}

export interface FlagsStale {
  /** Key of the flag project. */
  project: string;
}

export interface FlagsTemplateDelete {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the template. */
  key: string;
}

export interface FlagsTemplateSave {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** 1 to 64 letters, digits, dots, dashes and underscores. */
  key: string;
  /** What people choose it by. */
  name: string;
  /** What the flag's variations are. */
  kind: "bool" | "string" | "number" | "json";
  /** What the flag may serve: {`value`, `name`, `description`}. */
  variations: readonly Record<string, unknown>[];
  /** Fields of a new flag: `description`, `tags`, `temporary`, `clientSide`, `defaults`, `schema`. */
  settings?: Record<string, unknown> | null | undefined;
}

export interface FlagsTraffic {
  /** Key of the flag project. */
  project: string;
  /** Key of the environment. */
  environment: string;
  /** How far back, in hours. */
  hours?: number | undefined;
}

export interface FlagsTriggerDelete {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Id of the trigger, from `flags.triggers`. */
  id: number;
}

export interface FlagsTriggerSave {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Key of the flag. */
  key: string;
  /** Key of the environment. */
  environment: string;
  /** What a post to it does: switch the flag on, or off, or serve a variation where no target and no rule fits. */
  action: "on" | "off" | "variation";
  /** With `variation`: its index. */
  variation?: number | null | undefined;
  /** Of the trigger that changes; left out: a new one. */
  id?: number | null | undefined;
}

export interface FlagsTriggers {
  /** Key of the flag project. */
  project: string;
  /** Of this flag alone. */
  key?: string | null | undefined;
}

export interface FlagsUpdate {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
  /** Key of the flag project. */
  project: string;
  /** Key of the flag. */
  key: string;
  /** For instructions on targeting; those on the flag itself go without. */
  environment?: string | null | undefined;
  /** What is to be done, in order, all or nothing. */
  instructions: readonly Record<string, unknown>[];
  /** Stands in the history, and in the change request where there is one. */
  comment?: string | null | undefined;
  /**
   * The versions that were read, by `flag` for the flag itself and by environment: where one of them moved since,
   * the change is refused.
   */
  versions?: Record<string, number> | null | undefined;
  /** Pass the approval over, and checks that are enforced: owners and admins may, and it is in the audit log. */
  bypass?: boolean | null | undefined;
}

export interface FormQuestion {
  /** Key or name of an own field, or `description`, `priority` or `due_date`. */
  field: string;
  /** What the customer reads; the field's own name unless given. */
  label?: string | null | undefined;
  /** What to fill in; the field's own description unless given. */
  help?: string | null | undefined;
  /** Whether it must be answered where it is shown. */
  required: boolean;
  /** Condition on what is answered before it: {`field`, `op`, `value`}, {`all`} or {`any`}; null: always shown. */
  show_if?: Record<string, unknown> | null | undefined;
}

/**
 * Hits, best first. `facets`: how many of each kind, project and category, of the best 2,000.
 *
 * `tql` is the same as a query, where one was typed or could be.
 */
export interface Found {
  /** Hits of this page, best first. */
  items: SearchHit[];
  /** Hits of each kind, project and category, of the best 2,000. */
  facets: Record<string, Record<string, number>>;
  /** What to pass as `cursor` for the next page; null: this is the last. */
  next: string | null;
  /** The same in the query language; null: it cannot be said there. */
  tql: string | null;
}

export interface FoundRef {
  /** Key as it is written. */
  key: string;
  /** File, from the root of the work tree. */
  path: string;
  /** Line, counted from 1. */
  line: number;
  /** What stands there. */
  text?: string | null | undefined;
}

export interface Grant {
  /** Who has it: a member's id, `team:<id>` or `role:<key>`. */
  who: string;
  /** Name as people read it. */
  name: string;
  /** What they may do; each level holds those before it. */
  level: "view" | "comment" | "edit" | "manage";
  /** Where it was given: `here`, or on what the thing is in. */
  from: "here" | "space" | "project" | "org";
  /** When it ends, in Unix seconds; null: it stays. */
  expires_at: number | null;
  /** Who gave it; `system` where it follows by itself. */
  granted_by: string;
  /** When it was given, in Unix seconds. */
  granted_at: number;
}

/** Issues and the relations among them. A circle is told once, as the keys along it. */
export interface Graph {
  /** Issues in the graph. */
  nodes: Issue[];
  /** Relations among them. */
  edges: Edge[];
  /** Each circle as the keys along it. */
  cycles: string[][];
}

/** A heading of a page. */
export interface Heading {
  /** 1 to 6. */
  level: number;
  /** Its words. */
  text: string;
  /** By what a link leads to it. */
  anchor: string;
}

/**
 * `dependents` are the flags that wait for this one in the environment, `segments` those that it asks for before or
 * after, `streams` the clients that listen now.
 */
export interface Impact {
  /** What of the traffic it touches. */
  traffic: Traffic;
  /** Keys of flags that wait for this one there. */
  dependents: string[];
  /** Keys of segments that it asks for before or after. */
  segments: string[];
  /** Clients that listen now. */
  streams: number;
  /** How risky it is. */
  risk: "none" | "low" | "medium" | "high";
}

/** One import. `found` is what the source holds, `mapping` what becomes of it, `losses` what does not come along. */
export interface Import {
  /** Id of the import. */
  id: number;
  /** Sort of source, such as `csv`. */
  source: string;
  /** How far it is. */
  state: "open" | "probed" | "mapped" | "running" | "done" | "failed" | "cancelled" | "undone";
  /** What the source holds: counts, projects, types, statuses, people and the like. */
  found: Record<string, unknown>;
  /** What becomes of the source's words, as `imports.map_set` takes them. */
  mapping: Record<string, unknown>;
  /** What does not come along, in words. */
  losses: string[];
  /** How many things it made. */
  done: ImportDone;
  /** Lines of its log that are errors. */
  errors: number;
  /** The latest job of it; null: none yet. */
  job: number | null;
  /** Id of the member who began it. */
  created_by: string;
  /** When it was begun, in Unix seconds. */
  created_at: number;
}

/** How many things an import made. */
export interface ImportDone {
  /** Projects made. */
  projects: number;
  /** Issues made. */
  issues: number;
  /** Comments made. */
  comments: number;
  /** Files made. */
  attachments: number;
  /** Worklogs made. */
  worklogs: number;
  /** Pages made. */
  pages: number;
  /** Members invited. */
  members: number;
}

/** Where an issue was before: kept by an import, for admins only. */
export interface Imported {
  /** Who reported it: a member, or the bare name of somebody who is none. */
  author?: string | null | undefined;
  /** The number to take, where it is free in the project. */
  number?: number | null | undefined;
  /** When it was made, in Unix seconds. */
  created_at?: number | null | undefined;
  /** When it last changed, in Unix seconds. */
  updated_at?: number | null | undefined;
  /** When it was done, in Unix seconds. */
  done_at?: number | null | undefined;
  /** How it ended, for one that is done. */
  outcome?: "completed" | "cancelled" | "duplicate" | null | undefined;
}

export interface ImportsLog {
  /** Id of the import. */
  id: number;
  /** Lines of this level alone. */
  level?: "info" | "warning" | "error" | null | undefined;
  /** `next` of the page before; left out: the first page. */
  cursor?: string | null | undefined;
  /** Entries of a page; 50 unless given. */
  limit?: number | null | undefined;
}

export interface ImportsMapSet {
  /** Id of the import. */
  id: number;
  /** Project of the source -> key of the project where its issues go. */
  projects?: Record<string, string> | null | undefined;
  /** Project of the source -> name of the project that is made of it; one that is there keeps its own. */
  names?: Record<string, string> | null | undefined;
  /** Type of the source -> key of a type, made when it is missing; null: the project's default. */
  types?: Record<string, string | null> | null | undefined;
  /** Status of the source -> lane; `closed:cancelled` is for those that ended so. */
  statuses?: Record<string, string> | null | undefined;
  /**
   * Field of the source -> `field:<key>` of an own field; an empty text leaves it out. Of a table: column -> that, or
   * what it holds, such as `title`; imports.probe reads the file anew then.
   */
  fields?: Record<string, string> | null | undefined;
  /** Person of the source -> member, `invite`, or `name_only`. */
  members?: Record<string, string> | null | undefined;
  /**
   * What stays out: `labels`, `components`, `comments`, `relations`, `attachments`, types and projects of the source.
   * The whole list.
   */
  skip?: readonly string[] | null | undefined;
}

export interface ImportsOne {
  /** Id of the import. */
  id: number;
}

export interface ImportsOpen {
  /**
   * `github` (its REST answers or the archive file, told apart by content), `gitlab` (its REST answers), `csv`,
   * `trac`, `redmine` or `kbz`.
   */
  source: string;
  /** `upload` of what `POST /files/upload` answered; not with `repository`. */
  file?: string | null | undefined;
  /** `owner/name` of a repository at GitHub, or `group/subgroup/project` at GitLab, which a job fetches. */
  repository?: string | null | undefined;
  /** Where all of it goes; made when it is missing. */
  project?: string | null | undefined;
  /**
   * Where `repository` is fetched from: `https://api.github.com` or `https://gitlab.com` unless given; of a GitHub
   * Enterprise Server `https://HOST/api/v3`, of a GitLab of your own `https://HOST`.
   */
  base_url?: string | null | undefined;
  /** Secret for that server, kept sealed until all is fetched or the import ends. */
  token?: string | null | undefined;
  /** Account at that server, kept sealed until the import ends; GitHub and GitLab take a token alone. */
  user?: string | null | undefined;
}

export interface ImportsProbe {
  /** Id of the import. */
  id: number;
  /** Projects of the source that are to come in; all unless given. */
  projects?: readonly string[] | null | undefined;
}

export interface ImportsRun {
  /** Id of the import. */
  id: number;
  /** Count what would come in, and write nothing. */
  dry_run?: boolean | null | undefined;
  /** Only issues and comments that changed after this time: for a move in stages. */
  since?: number | null | undefined;
}

export interface ImportsUndo {
  /** Id of the import. */
  id: number;
}

/** `trash` is the entry's id, for trash.restore. */
export interface InTrash {
  /** Always true: it is in the trash. */
  ok: boolean;
  /** Id of its entry in the trash, for `trash.restore`. */
  trash: number;
}

/** `hour` is its first second; `variation` null is the caller's default. */
export interface InsightPoint {
  /** First second of the hour, in Unix seconds. */
  hour: number;
  /** Index of the variation; null: the caller's default. */
  variation: number | null;
  /** Evaluations that got it. */
  count: number;
}

export interface Insights {
  /** Counts by hour and variation, oldest first. */
  series: InsightPoint[];
  /** How often programs still ask by each alias of the flag. */
  aliases: AliasCount[];
}

/**
 * An invitation. `path` leads to it and holds its token: only in the answer of create and resend. `url` is the
 * same as a whole address, once the server has noted its own.
 */
export interface Invite {
  /** Id of the invite. */
  id: number;
  /** Address that was invited. */
  email: string;
  /** Role that they get. */
  role: string;
  /** Ids of the teams that they join. */
  teams: number[];
  /** Keys of the projects that they get a role in. */
  projects: string[];
  /** Whether it can be accepted, was, or ended otherwise. */
  state: "pending" | "accepted" | "revoked" | "expired";
  /** Id of the member who made it. */
  invited_by: string;
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** When it ends, in Unix seconds. */
  expires_at: number;
  /** Id of the member whom it made; null: not accepted. */
  accepted_by: string | null;
  /** Path of the page that accepts it, with its token; null: told when it is made or sent again. */
  path: string | null;
  /** The same as a whole address; null: as `path`, or the server does not know its own. */
  url: string | null;
}

/** What somebody is invited to, by whom, and how they may sign in. */
export interface InviteInfo {
  /** Name of the org. */
  org: string;
  /** Address that was invited. */
  email: string;
  /** Role that they get. */
  role: string;
  /** Name of whoever invited them. */
  by: string;
  /** Ways to sign in here: `password`, `passkey`, `link` by mail, and ids of sign-in providers. */
  methods: string[];
}

export interface InvitesAccept {
  /** From the link of the invite. */
  token: string;
  /** Your name as people read it. */
  name: string;
  /** To sign in with; it may be left out where a sign-in provider finds you by your address. */
  password?: string | null | undefined;
}

export interface InvitesCreate {
  /** Addresses to invite. */
  emails: readonly string[];
  /** Role that they get in the org. */
  role: "admin" | "member" | "guest";
  /** Teams that they join. */
  teams?: readonly number[] | null | undefined;
  /** Keys of projects that they get a role in: member, a guest reporter. */
  projects?: readonly string[] | null | undefined;
  /** A word from you in the invite. */
  message?: string | null | undefined;
}

export interface InvitesInfo {
  /** From the link of the invite. */
  token: string;
}

export interface InvitesList {
  /** `pending` unless given. */
  state?: "pending" | "accepted" | "revoked" | "expired" | null | undefined;
}

export interface InvitesResend {
  /** Id of the invite. */
  id: number;
}

export interface InvitesRevoke {
  /** Id of the invite. */
  id: number;
}

/** An issue as the caller sees it. Parts, from `relations` on, are there when they were asked for. */
export interface Issue {
  /** Number that stays the same when the key changes. */
  id: number;
  /** Key, such as `WEB-1`: that of its project and a number. */
  key: string;
  /** Key of its project. */
  project: string;
  /** Key of its type. */
  type: string;
  /** What it is about, on one line. */
  title: string;
  /** Description, in Markdown. */
  body: string;
  /** The description as a rich document, ProseMirror JSON; null: Markdown alone. */
  body_doc: string | null;
  /** Name of the lane it stands in. */
  status: string;
  /** Key of the lane it stands in. */
  lane: string;
  /** Category of the lane: not begun, in work or done. */
  category: "todo" | "in_progress" | "done";
  /** How it ended; null while it is not done. */
  outcome: "completed" | "cancelled" | "duplicate" | null;
  /** How pressing it is; `none` unless set. */
  priority: "urgent" | "high" | "medium" | "low" | "none";
  /** Who has it: ids of members and `agent:<name>`; the first leads. */
  assignees: string[];
  /** Who reported it: a member's id, or the bare name of somebody who is none. */
  reporter: string;
  /** Names of its labels. */
  labels: string[];
  /** Names of its components. */
  components: string[];
  /** Key of the issue above it; null: none, or none that the caller sees. */
  parent: string | null;
  /** Level of its type: 2 initiative, 1 epic, 0 work, -1 sub-task. */
  level_no: number;
  /** Id of its sprint; null: it is in none. */
  sprint: number | null;
  /** Ids of sprints that it was in before: done ones, and those that stay for the record. */
  past_sprints: number[];
  /** Id of its milestone; null: none. This version has no milestones. */
  milestone: number | null;
  /** Releases that it is for; empty while projects have no releases. */
  releases: string[];
  /** Releases that it was seen in; empty while projects have no releases. */
  affects: string[];
  /** How much work it is, in points or what the team counts in; null: not estimated. */
  estimate: number | null;
  /** Seconds of work written down on it; 0 while there are no worklogs. */
  spent_seconds: number;
  /** Seconds of work that are left; null: not known. */
  left_seconds: number | null;
  /** First day, `YYYY-MM-DD`; null: none. */
  start_date: string | null;
  /** Last day, `YYYY-MM-DD`; null: none. */
  due_date: string | null;
  /** Its place in the project's order: a text that sorts before those of issues behind it. */
  rank: string;
  /** Values of own fields by the field's key. */
  values: Record<string, unknown>;
  /** Who sees it: `public`, `team:<id>` or `private`; null: whoever sees the project. */
  level: string | null;
  /** Whether only leads and admins comment on it. */
  locked: boolean;
  /** Whether an open issue blocks it. */
  blocked: boolean;
  /** How many things of each sort hang on it. */
  counts: IssueCounts;
  /** The customer's request that it is; null: none. */
  request: IssueRequest | null;
  /** Where it came from, as its sender says; null: made here. */
  source: string | null;
  /** Its id at the sender; null: none. */
  external: string | null;
  /** Whether the caller watches it. */
  watching: boolean;
  /** Whether the caller starred it, by `stars.set`. */
  starred: boolean;
  /** What the caller may do with it. */
  can: Can;
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** Who made it: a member's id or `agent:<name>`. */
  created_by: string;
  /** When it last changed, in Unix seconds. */
  updated_at: number;
  /** When it came into its lane, in Unix seconds. */
  status_at: number;
  /** When work on it began, in Unix seconds; null: not yet. */
  started_at: number | null;
  /** When it was done, in Unix seconds; null: it is not. */
  done_at: number | null;
  /** When it was archived, in Unix seconds; null: it is not. */
  archived_at: number | null;
  /** Number of its latest change, for `if_seq`. */
  seq: number;
  /** Path of its page on this server. */
  path: string;
  /** With `relations`: how it stands to other issues. */
  relations?: Relation[];
  /** With `children`: the issues right below it. */
  children?: Issue[];
  /** With `transitions`: the ways on from its lane. */
  transitions?: IssueTransition[];
  /** With `checklist`: what is to be ticked off, as `checklists.list` answers it. */
  checklist?: Record<string, unknown>;
  /** With `flags`: the feature flags that belong to it. */
  flags?: IssueFlag[];
  /** With `watchers`: who watches it. */
  watchers?: Member[];
}

export interface IssueColumns {
  /** Number that stays the same when the key changes. */
  id?: number;
  /** Key, such as `WEB-1`: that of its project and a number. */
  key?: string;
  /** Key of its project. */
  project?: string;
  /** Key of its type. */
  type?: string;
  /** What it is about, on one line. */
  title?: string;
  /** Description, in Markdown. */
  body?: string;
  /** The description as a rich document, ProseMirror JSON; null: Markdown alone. */
  body_doc?: string | null;
  /** Name of the lane it stands in. */
  status?: string;
  /** Key of the lane it stands in. */
  lane?: string;
  /** Category of the lane: not begun, in work or done. */
  category?: "todo" | "in_progress" | "done";
  /** How it ended; null while it is not done. */
  outcome?: "completed" | "cancelled" | "duplicate" | null;
  /** How pressing it is; `none` unless set. */
  priority?: "urgent" | "high" | "medium" | "low" | "none";
  /** Who has it: ids of members and `agent:<name>`; the first leads. */
  assignees?: string[];
  /** Who reported it: a member's id, or the bare name of somebody who is none. */
  reporter?: string;
  /** Names of its labels. */
  labels?: string[];
  /** Names of its components. */
  components?: string[];
  /** Key of the issue above it; null: none, or none that the caller sees. */
  parent?: string | null;
  /** Level of its type: 2 initiative, 1 epic, 0 work, -1 sub-task. */
  level_no?: number;
  /** Id of its sprint; null: it is in none. */
  sprint?: number | null;
  /** Ids of sprints that it was in before: done ones, and those that stay for the record. */
  past_sprints?: number[];
  /** Id of its milestone; null: none. This version has no milestones. */
  milestone?: number | null;
  /** Releases that it is for; empty while projects have no releases. */
  releases?: string[];
  /** Releases that it was seen in; empty while projects have no releases. */
  affects?: string[];
  /** How much work it is, in points or what the team counts in; null: not estimated. */
  estimate?: number | null;
  /** Seconds of work written down on it; 0 while there are no worklogs. */
  spent_seconds?: number;
  /** Seconds of work that are left; null: not known. */
  left_seconds?: number | null;
  /** First day, `YYYY-MM-DD`; null: none. */
  start_date?: string | null;
  /** Last day, `YYYY-MM-DD`; null: none. */
  due_date?: string | null;
  /** Its place in the project's order: a text that sorts before those of issues behind it. */
  rank?: string;
  /** Values of own fields by the field's key. */
  values?: Record<string, unknown>;
  /** Who sees it: `public`, `team:<id>` or `private`; null: whoever sees the project. */
  level?: string | null;
  /** Whether only leads and admins comment on it. */
  locked?: boolean;
  /** Whether an open issue blocks it. */
  blocked?: boolean;
  /** How many things of each sort hang on it. */
  counts?: IssueCounts;
  /** The customer's request that it is; null: none. */
  request?: IssueRequest | null;
  /** Where it came from, as its sender says; null: made here. */
  source?: string | null;
  /** Its id at the sender; null: none. */
  external?: string | null;
  /** Whether the caller watches it. */
  watching?: boolean;
  /** Whether the caller starred it, by `stars.set`. */
  starred?: boolean;
  /** What the caller may do with it. */
  can?: Can;
  /** When it was made, in Unix seconds. */
  created_at?: number;
  /** Who made it: a member's id or `agent:<name>`. */
  created_by?: string;
  /** When it last changed, in Unix seconds. */
  updated_at?: number;
  /** When it came into its lane, in Unix seconds. */
  status_at?: number;
  /** When work on it began, in Unix seconds; null: not yet. */
  started_at?: number | null;
  /** When it was done, in Unix seconds; null: it is not. */
  done_at?: number | null;
  /** When it was archived, in Unix seconds; null: it is not. */
  archived_at?: number | null;
  /** Number of its latest change, for `if_seq`. */
  seq?: number;
  /** Path of its page on this server. */
  path?: string;
}

/** What hangs on an issue, as far as the caller sees it. */
export interface IssueCounts {
  /** Comments on it; internal ones are not counted for guests. */
  comments: number;
  /** Files on it. */
  attachments: number;
  /** Issues right below it that the caller sees. */
  children: number;
  /** Those of `children` that are done. */
  children_done: number;
  /** Members who voted for it. */
  votes: number;
  /** Members who watch it. */
  watchers: number;
  /** Items of its checklist. */
  checks: number;
  /** Items of its checklist that are ticked. */
  checks_done: number;
  /** Web links on it. */
  links: number;
}

export interface IssueDefaultsInput {
  /** Who sees a new project. */
  visibility?: "org" | "members" | "private" | null | undefined;
  /** Id of the workflow of a new project. */
  workflow?: number | null | undefined;
  /** Keys of types. */
  types?: readonly string[] | null | undefined;
}

/**
 * A feature flag that belongs to an issue. `project` is the key of its flag project, `environments` are that one's
 * by key, in the order in which they were made. An archived flag serves the caller's default everywhere.
 */
export interface IssueFlag {
  /** Key of its flag project. */
  project: string;
  /** Key of the flag. */
  key: string;
  /** What the flag is called. */
  name: string;
  /** Whether it is archived: clients answer their own default then. */
  archived: boolean;
  /** Its state by key of the environment. */
  environments: Record<string, IssueFlagState>;
}

/**
 * A flag in one environment. `serves` is what everybody is served there: the name of the variation, else its value
 * as JSON where that is short, else `variation <n>`, or `the caller's default`; null where it depends on who asks.
 */
export interface IssueFlagState {
  /** Whether targeting is on there. */
  on: boolean;
  /** What everybody is served there; null where it depends on who asks. */
  serves: string | null;
}

export interface IssuePart {
  /** Title of the new issue. */
  title: string;
  /** Comments that go along, with the replies in their threads. */
  comments?: readonly number[] | null | undefined;
  /** Items of its checklist that go along. */
  checks?: readonly number[] | null | undefined;
}

/** The customer's request that an issue is. */
export interface IssueRequest {
  /** Id of the type of request. */
  type: number | null;
  /** Id of the customer who asked. */
  customer: number | null;
  /** The way by which it came in. */
  channel: string | null;
  /** Id of the customer's company. */
  company: number | null;
}

/** What a new issue is to have: `input` and each child's are inputs of issues.create with `{{...}}` in texts. */
export interface IssueTemplate {
  /** Id of the template. */
  id: number;
  /** Key of the project it belongs to; null: the org. */
  project: string | null;
  /** What it is called. */
  name: string;
  /** Key of the issue type it is for. */
  type: string;
  /** Fields as for `issues.create`, with `{{...}}` in texts. */
  input: Record<string, unknown>;
  /** Issues to make below: `ref`, `blocks` and `input` of each. */
  children: Record<string, unknown>[];
  /** Ids of checklist templates that a new issue gets. */
  checklists: number[];
}

/** A way that leads on from the issue's lane. */
export interface IssueTransition {
  /** Key of the transition in its workflow. */
  transition: string;
  /** What the transition is called, such as `Finish`. */
  name: string;
  /** Key of the lane it leads to. */
  to_status: string;
  /** Whether the caller may go this way now. */
  allowed: boolean;
  /** What closes it to the caller; null where it is open. */
  why: string | null;
  /** What is asked for on the way. */
  fields: Record<string, unknown>[];
  /** Who has to agree: members and teams; empty: nobody. */
  approvers: string[];
}

/** A sort of issue: 2 initiative, 1 epic, 0 work, -1 sub-task. `issues` and `projects` are those the caller sees. */
export interface IssueType {
  /** Key of the type. */
  key: string;
  /** What people read. */
  name: string;
  /** Name of its icon; empty: none. */
  icon: string;
  /** Colour as `#rrggbb`. */
  color: string;
  /** 2 initiative, 1 epic, 0 work, -1 sub-task. */
  level: number;
  /** Id of the workflow of its issues where a project has no other; null: the project's. */
  workflow: number | null;
  /** Id of the template that forms offer first; null: none. */
  template: number | null;
  /** When to use it; empty: nothing said. */
  description: string;
  /** Keys of the projects that have it, as far as the caller sees them. */
  projects: string[];
  /** Issues of it that the caller sees. */
  issues: number;
}

export interface IssuesArchive {
  /** Issues by key. */
  keys: readonly string[];
  /** false brings them back. */
  on: boolean;
}

export interface IssuesAssetLink {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** Key or id of the asset. */
  asset: string;
  /** false takes the link away. */
  on: boolean;
  /** What the asset is to the issue, in a word of your choice: `affected` unless given, or `cause`. */
  role?: string | null | undefined;
}

export interface IssuesAssign {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** Members, `agent:<name>` or `me`; the first leads; `[]` is nobody. */
  assignees: readonly string[];
  /** `set` the whole list (unless given), `add` to it or `remove` from it. */
  mode?: "set" | "add" | "remove" | null | undefined;
}

export interface IssuesBacklinks {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
}

export interface IssuesBulk {
  /** Issues by key. */
  keys?: readonly string[] | null | undefined;
  /** One of the two; 5,000 issues at most. */
  tql?: string | null | undefined;
  /** What is to be changed on each of them. */
  changes: BulkChanges;
  /** Say what would happen and change nothing. */
  dry_run?: boolean | null | undefined;
  /** True: it stands in the inboxes of those who watch, like a change of one issue; else in nobody's. */
  notify?: boolean | null | undefined;
}

export interface IssuesConvert {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** Key or name of a type of its project. */
  type: string;
  /** Where it stands from now on; an empty text takes it off its parent. */
  parent?: string | null | undefined;
  /** Fields that the new type asks for. */
  values?: Record<string, unknown> | null | undefined;
}

export interface IssuesCopy {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** Where the copy goes; its own project unless given. */
  project?: string | null | undefined;
  /** Title of the copy; that of the issue unless given. */
  title?: string | null | undefined;
  /** Whether all issues below are copied, too. */
  children?: boolean | null | undefined;
  /** What else the copy gets: nothing of it unless named. */
  with?: readonly ("checklists" | "attachments" | "relations" | "comments" | "values")[] | null | undefined;
}

export interface IssuesCreate {
  /** Key of its project. */
  project: string;
  /** What it is about, on one line. */
  title: string;
  /** Key or name of a type of the project; its default unless given. */
  type?: string | null | undefined;
  /** Description, in Markdown. */
  body?: string | null | undefined;
  /** The description as a rich document too: ProseMirror JSON. */
  body_doc?: string | null | undefined;
  /** A lane that one transition from the workflow's start leads to. */
  status?: string | null | undefined;
  /** How pressing it is; `none` unless set. */
  priority?: "urgent" | "high" | "medium" | "low" | "none" | null | undefined;
  /** Members, `agent:<name>` or `me`; the first leads. */
  assignees?: readonly string[] | null | undefined;
  /** Names of its labels. */
  labels?: readonly string[] | null | undefined;
  /** Names of its components. */
  components?: readonly string[] | null | undefined;
  /** Key of the issue above it; null: none, or none that the caller sees. */
  parent?: string | null | undefined;
  /** A planned or active sprint of its project. */
  sprint?: number | null | undefined;
  /** Id of its milestone; null: none. This version has no milestones. */
  milestone?: number | null | undefined;
  /** Names of releases that it is for: none can be named in this version. */
  releases?: readonly string[] | null | undefined;
  /** Names of releases that it was seen in: none can be named in this version. */
  affects?: readonly string[] | null | undefined;
  /** How much work it is, in points or what the team counts in; null: not estimated. */
  estimate?: number | null | undefined;
  /** First day, `YYYY-MM-DD`; null: none. */
  start_date?: string | null | undefined;
  /** Last day, `YYYY-MM-DD`; null: none. */
  due_date?: string | null | undefined;
  /** Values of own fields, by the field's key or name. */
  values?: Record<string, unknown> | null | undefined;
  /** `public`, `project` (unless given), `team:<id>` or `private`. */
  level?: string | null | undefined;
  /** A template of the org or the project: what it says counts where the input says nothing. */
  template?: number | null | undefined;
  /** Issues that it is related to from the start. */
  relations?: readonly RelationInput[] | null | undefined;
  /** Ids of files that you send to `/files/upload`, whole or not: each hangs on the issue when all of it is here. */
  uploads?: readonly string[] | null | undefined;
  /** Where it comes from, in a word or address of yours. */
  source?: string | null | undefined;
  /** Id at the sender: a pair of project and external that exists answers that issue, without an event. */
  external?: string | null | undefined;
  /** What it was elsewhere, for admins who import. */
  imported?: Imported | null | undefined;
}

export interface IssuesCreateTree {
  /** Key of the project, or a former one. */
  project: string;
  /** In any order. */
  items: readonly TreeItem[];
}

export interface IssuesDelete {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** `keep` unless given: they go to the parent above. */
  children?: "keep" | "delete" | null | undefined;
}

export interface IssuesExportText {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** What to add; parts of modules that are not there add nothing. */
  with?: readonly ("comments" | "history" | "relations" | "checklist" | "git")[] | null | undefined;
  /** Counted as four bytes of UTF-8 each; without it all is in the text. */
  max_tokens?: number | null | undefined;
}

export interface IssuesGet {
  /** Key, former key or `issue:<n>`. */
  key: string;
  /**
   * Parts to add; parts of modules that are not there stay away. `flags` are the feature flags that belong to it,
   * with what each environment serves: those that you see, and none without the scope flags:read.
   */
  with?: readonly ("relations" | "children" | "transitions" | "checklist" | "sla" | "watchers" | "flags")[] | null | undefined;
}

export interface IssuesGraph {
  /** Where to start; or say it with `tql`. */
  keys?: readonly string[] | null | undefined;
  /** A query for where to start; the first 200 that fit. */
  tql?: string | null | undefined;
  /** So many relations away; 3 unless given. */
  depth?: number | null | undefined;
  /** Keys or names of kinds; all unless given. */
  kinds?: readonly string[] | null | undefined;
  /** True: `nodes` is empty, for whoever has the issues already. */
  edges_only?: boolean | null | undefined;
}

export interface IssuesHistory {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** One field only, such as `status` or `assignees`. */
  field?: string | null | undefined;
  /** `next` of the page before; left out: the first page. */
  cursor?: string | null | undefined;
  /** Entries of a page; 50 unless given. */
  limit?: number | null | undefined;
}

export interface IssuesLevelSet {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** `public`, `project` (the default, as is an empty text), `team:<id>` or `private`. */
  level: string;
}

export interface IssuesLinkAdd {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** Address of the page, http or https. */
  url: string;
  /** The address without its scheme unless given. */
  title?: string | null | undefined;
  /** A word of your choice, such as `design` or `docs`; `page` unless given. */
  kind?: string | null | undefined;
}

export interface IssuesLinkDelete {
  /** Id of the link, from `issues.links`. */
  id: number;
}

export interface IssuesLinks {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
}

export interface IssuesList {
  /** Key of the project, or a former one. */
  project?: string | null | undefined;
  /** A lane, by key or name. */
  status?: string | null | undefined;
  /** A member, `agent:<name>`, `me`, or `none` for issues that nobody has. */
  assignee?: string | null | undefined;
  /** Id of a sprint: its issues alone. */
  sprint?: number | null | undefined;
  /** Key of an issue: those right below it. */
  parent?: string | null | undefined;
  /** Only those that changed at or after this time, in Unix seconds. */
  updated_since?: number | null | undefined;
  /** True: archived ones too. */
  archived?: boolean | null | undefined;
  /** `rank`, `created`, `updated`, `due`, `priority`, `status`, `key` or `title`, descending with `-` in front. */
  sort?: string | null | undefined;
  /** Fields of issues, such as `key` and `title`: the items hold these alone, in this order. Left out: all of them. */
  columns?: readonly string[] | null | undefined;
  /** `next` of the page before; left out: the first page. */
  cursor?: string | null | undefined;
  /** Entries of a page; 50 unless given. */
  limit?: number | null | undefined;
}

export interface IssuesLock {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** False unlocks it. */
  on: boolean;
  /** Why it is locked, for people to read. */
  reason?: string | null | undefined;
}

export interface IssuesMerge {
  /** Keys of the duplicates, which are closed. */
  from: readonly string[];
  /** The issue that stays. */
  into: string;
  /** Whether their comments move; they do unless it is false. */
  comments?: boolean | null | undefined;
}

export interface IssuesMove {
  /** Issues to move, by key. */
  keys: readonly string[];
  /** Where they go. */
  project: string;
  /** Lane here -> lane there, by key or name, for lanes that the workflow there does not have. */
  statuses?: Record<string, string> | null | undefined;
  /** Own fields to set on each of them, as the project there has them. */
  values?: Record<string, unknown> | null | undefined;
  /** Whether all issues below that you see go along; they do unless it is false. */
  children?: boolean | null | undefined;
}

export interface IssuesParse {
  /** The line to read, such as `fix login !high due fri`. */
  text: string;
  /** Where the issue would be made: its labels and types are known by name. */
  project?: string | null | undefined;
}

export interface IssuesPromote {
  /** `comment:<id>` or `check:<id>`, and stickies and pages where their modules are there. */
  from: string;
  /** The first words of the text unless given. */
  title?: string | null | undefined;
  /** The project of what it hangs on unless given. */
  project?: string | null | undefined;
  /** Key or name of a type of the project; its default unless given. */
  type?: string | null | undefined;
  /** The relation to the issue that it hangs on; `relates` unless given. */
  link?: string | null | undefined;
}

export interface IssuesRank {
  /** Issues of one project, in the order that they are to have. */
  keys: readonly string[];
  /** The issue of the same project behind which they go. */
  after?: string | null | undefined;
  /** The one before which they go. */
  before?: string | null | undefined;
}

export interface IssuesRelationAdd {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** Key or name of a kind, or its inverse name: `blocks`, `blocked by`. */
  kind: string;
  /** Issues at the other end. */
  to: readonly string[];
  /** For scheduling: so many days between the end of one and the start of the other. */
  lag_days?: number | null | undefined;
}

export interface IssuesRelationDelete {
  /** Id of the relation, from `issues.relations`. */
  id: number;
}

export interface IssuesRelationKindDelete {
  /** Key of the kind to take away. */
  key: string;
  /** The kind that its relations become. */
  move_to?: string | null | undefined;
}

export interface IssuesRelationKindSave {
  /** Of a kind that is there: change it; a new one: make it. */
  key: string;
  /** As the issue says it that the relation starts from: `blocks`. */
  name: string;
  /** As the other end says it: `blocked by`. Both are one where the kind has no direction. */
  inverse: string;
  /** Unless given: as it was, or true for a new kind whose inverse is another word than its name. */
  directed?: boolean | null | undefined;
  /** Takes part in blocking and scheduling. */
  blocks?: boolean | null | undefined;
  /** Colour as `#rrggbb`. */
  color?: string | null | undefined;
}

export type IssuesRelationKinds = Record<string, never>;

export interface IssuesRelations {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
}

export interface IssuesRevisionRestore {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** Number of the revision to bring back. */
  revision: number;
}

export interface IssuesRevisions {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** The revision to compare each one with. */
  diff?: number | null | undefined;
}

export interface IssuesSimilar {
  /** An issue that is there; or say a title. */
  key?: string | null | undefined;
  /** Title to compare with. */
  title?: string | null | undefined;
  /** Text to compare with, beside the title. */
  body?: string | null | undefined;
  /** Only issues of this one. */
  project?: string | null | undefined;
  /** 5 unless given. */
  limit?: number | null | undefined;
}

export interface IssuesSplit {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** The issues to make of it. */
  parts: readonly IssuePart[];
}

export interface IssuesTemplateDelete {
  /** Id of the template, from `issues.templates`. */
  id: number;
}

export interface IssuesTemplateSave {
  /** The template to change; left out: make one. */
  id?: number | null | undefined;
  /** Key of the project it belongs to; left out or null: the org. Decided when it is made. */
  project?: string | null | undefined;
  /** What people choose it by. */
  name: string;
  /** Key or name of the issue type it is for. */
  type: string;
  /**
   * As for issues.create, with `{{title}}`, `{{body}}`, `{{me}}`, `{{me.name}}`, `{{project.key}}`,
   * `{{project.name}}`, `{{today}}` and `{{today+7d}}` in texts.
   */
  input: Record<string, unknown>;
  /** Issues to make under it; `parent` in their input may name another child's `ref`. */
  children?: readonly TemplateChild[] | null | undefined;
  /** Templates of checklists; one that is gone since is left out. */
  checklists?: readonly number[] | null | undefined;
}

export interface IssuesTemplates {
  /** Those that an issue of this project may be made with. */
  project?: string | null | undefined;
}

export interface IssuesTransition {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** A lane, by key or name, that a transition from the present one leads to. */
  to_status: string;
  /** Fields that the transition asks for, by name: own ones, and `assignee`, `due`, `priority` and the like. */
  values?: Record<string, unknown> | null | undefined;
  /** What to say beside, in Markdown. */
  comment?: string | null | undefined;
  /** For a done lane; the lane's own unless given. */
  outcome?: "completed" | "cancelled" | "duplicate" | null | undefined;
  /** Refuse (409 `stale`, with `current`) where the issue's `seq` is another one. */
  if_seq?: number | null | undefined;
}

export interface IssuesTransitions {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
}

export interface IssuesTree {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** So many levels below are shown; 5 unless given. */
  depth?: number | null | undefined;
}

export interface IssuesUpdate {
  /** What it is about, on one line. */
  title?: string | null | undefined;
  /** Description, in Markdown. */
  body?: string | null | undefined;
  /** The description as a rich document too: ProseMirror JSON. */
  body_doc?: string | null | undefined;
  /** How pressing it is; `none` unless set. */
  priority?: "urgent" | "high" | "medium" | "low" | "none" | null | undefined;
  /** The whole list; `[]` takes all off. */
  labels?: readonly string[] | null | undefined;
  /** Names of components, the whole list; `[]` takes all off. */
  components?: readonly string[] | null | undefined;
  /** An empty string clears it. */
  parent?: string | null | undefined;
  /** A planned or active sprint of its project; null takes it out of its sprint. */
  sprint?: number | null | undefined;
  /** Id of its milestone; null: none. This version has no milestones. */
  milestone?: number | null | undefined;
  /** Names of releases that it is for: none can be named in this version. */
  releases?: readonly string[] | null | undefined;
  /** Names of releases that it was seen in: none can be named in this version. */
  affects?: readonly string[] | null | undefined;
  /** How much work it is, in points or what the team counts in; null: not estimated. */
  estimate?: number | null | undefined;
  /** First day, `YYYY-MM-DD`; an empty text clears it. */
  start_date?: string | "" | null | undefined;
  /** Last day, `YYYY-MM-DD`; an empty text clears it. */
  due_date?: string | "" | null | undefined;
  /** For leads and admins. */
  reporter?: string | null | undefined;
  /** Own fields by key; null clears one, others stay. */
  values?: Record<string, unknown> | null | undefined;
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** Refuse (409 `stale`, with `current`) where the issue's `seq` is another one. */
  if_seq?: number | null | undefined;
  /** False: it stands in nobody's inbox. What happened is told in the log all the same. */
  notify?: boolean | null | undefined;
}

export interface IssuesVote {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** False takes your vote back. */
  on: boolean;
}

export interface IssuesVoters {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
}

export interface IssuesWatch {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
  /** False ends it. */
  on: boolean;
  /** You, unless given. */
  members?: readonly string[] | null | undefined;
}

export interface IssuesWatchers {
  /** The issue: its key, a former key or `issue:<n>`. */
  key: string;
}

/** Long work. `result` is what the operation would have answered, once it is done. */
export interface Job {
  /** Id of the job. */
  id: number;
  /** What it does, such as `projects.copy`. */
  kind: string;
  /** How far it is. */
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  /** The part that is done, 0 to 1. */
  progress: number;
  /** What it is at, in words; empty: nothing said. */
  message: string;
  /** What it answers, any JSON, once it is done; null until then. */
  result: unknown;
  /** Why it failed; null: it did not. */
  error: string | null;
  /** Who started it. */
  by: string;
  /** When it was started, in Unix seconds. */
  created_at: number;
  /** When it ended, in Unix seconds; null: it has not. */
  ended_at: number | null;
}

/** Work that goes on; `jobs.get` says how far it is. */
export interface JobStarted {
  /** The job that does it. */
  job: number;
}

export interface JobsCancel {
  /** Id of the job. */
  id: number;
}

export interface JobsGet {
  /** Id of the job. */
  id: number;
  /** Wait so long at most; answers earlier when the job ends. */
  wait_seconds?: number | null | undefined;
}

export interface JobsList {
  /** Only those in this state. */
  state?: "queued" | "running" | "done" | "failed" | "cancelled" | null | undefined;
  /** Only those that do this, such as `projects.copy`. */
  kind?: string | null | undefined;
  /** Everybody's; for admins. */
  all?: boolean | null | undefined;
}

/** Any JSON value. */
export type JsonValue = unknown;

/** One rule on a way, and whether it lets the issue pass. */
export interface Judged {
  /** Which rule was asked. */
  rule: string;
  /** Whether it lets the issue pass. */
  passed: boolean;
  /** What was found, in words. */
  detail: string;
}

export interface Kept {
  /** What stays as it is, such as `issue:12`. */
  subject: string;
  /** Why it does. */
  why: string;
}

/** A key with its secret, which is shown this once. */
export interface KeyWithSecret {
  /** Id of the key. */
  id: string;
  /** What its owner calls it. */
  name: string;
  /** Whether it acts as its owner or as an agent. */
  kind: "personal" | "agent";
  /** Name of the agent; null for a personal key. */
  agent: string | null;
  /** Id of the member whose key it is. */
  owner: string;
  /** Last four characters of its secret. */
  last4: string;
  /** What it may do, such as `issues:write`. */
  scopes: string[];
  /** Keys of the projects it sees; empty: all that its owner sees. */
  projects: string[];
  /** Networks it may call from; empty: everywhere. */
  networks: string[];
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** When it ends, in Unix seconds; null: when it is revoked. */
  expires_at: number | null;
  /** When it last called, in Unix seconds; null: never. */
  last_used_at: number | null;
  /** Network address it last called from; null: none. */
  last_address: string | null;
  /** Calls of this month, in UTC. */
  calls_month: number;
  /** `rotating` while the secret before the last one still works. */
  state: "active" | "rotating" | "expired" | "revoked";
  /** The secret to call with, as `Authorization: Bearer <secret>`. */
  secret: string;
}

export interface KeysCreate {
  /** What you call it. */
  name: string;
  /** `personal` acts as you; `agent` acts as an agent of yours, under its own name. */
  kind?: "personal" | "agent" | undefined;
  /** Name of the agent, for kind `agent`; a new name makes one. */
  agent?: string | null | undefined;
  /** What it may do: at most what your role holds. */
  scopes: readonly string[];
  /** Keys of the projects it sees; left out or empty: all that you see. */
  projects?: readonly string[] | null | undefined;
  /** When it ends, in Unix seconds; left out: when it is revoked. */
  expires_at?: number | null | undefined;
  /** Networks it may call from, such as `203.0.113.0/24`; left out or empty: everywhere. */
  networks?: readonly string[] | null | undefined;
}

export interface KeysList {
  /** Everybody's; for admins. */
  all?: boolean | null | undefined;
}

export interface KeysRevoke {
  /** Id of the key. */
  id: string;
}

export interface KeysRotate {
  /** Id of the key. */
  id: string;
  /** Hours that the present secret works on beside the new one; left out: none. */
  keep_hours?: number | null | undefined;
}

export interface KeysUpdate {
  /** Id of the key. */
  id: string;
  /** What you call it. */
  name?: string | null | undefined;
  /** What it may do, the whole list. */
  scopes?: readonly string[] | null | undefined;
  /** An empty list lifts the limit. */
  projects?: readonly string[] | null | undefined;
  /** null: it lives until it is revoked. */
  expires_at?: number | null | undefined;
  /** An empty list lifts the limit. */
  networks?: readonly string[] | null | undefined;
}

export interface KillSwitch {
  /** Key of the flag. */
  key: string;
  /** Key of the environment. */
  environment: string;
  /** Whether targeting is on there. */
  on: boolean;
}

/** A label, with how many issues and pages that the caller sees carry it. */
export interface Label {
  /** Id of the label. */
  id: number;
  /** What it says. */
  name: string;
  /** Colour as `#rrggbb`. */
  color: string;
  /** Key of the project it belongs to; null: the org. */
  project: string | null;
  /** Group whose labels exclude each other on an issue; null: none. */
  group: string | null;
  /** When to use it; empty: nothing said. */
  description: string;
  /** Issues with it that the caller sees. */
  issues: number;
  /** Pages with it that the caller sees. */
  pages: number;
}

export interface LabelsDelete {
  /** Id of the label, from `labels.list`. */
  id: number;
}

export interface LabelsList {
  /** Key of a project: its labels and the org's. */
  project?: string | null | undefined;
  /** Words in the name or description. */
  q?: string | null | undefined;
}

export interface LabelsMerge {
  /** The labels that go. */
  from: readonly number[];
  /** The label that stays. */
  into: number;
}

export interface LabelsSave {
  /** The label to change; left out: make one. */
  id?: number | null | undefined;
  /** What it says. */
  name: string;
  /** Colour as `#rrggbb`. */
  color?: string | null | undefined;
  /** Key of the project it belongs to; null: the org. Decided when it is made, but null lifts it to the org. */
  project?: string | null | undefined;
  /** Labels of one group exclude each other on an issue; null takes it out of its group. */
  group?: string | "" | null | undefined;
  /** When to use it. */
  description?: string | null | undefined;
}

/** A status that issues stand in. `issues` counts those that the caller sees. */
export interface Lane {
  /** Key of the lane. */
  key: string;
  /** What people read, and queries name. */
  name: string;
  /** Whether issues in it are not begun, in work or done. */
  category: "todo" | "in_progress" | "done";
  /** Colour as `#rrggbb`. */
  color: string;
  /** How issues end that come there; null: it is no done lane. */
  outcome: "completed" | "cancelled" | "duplicate" | null;
  /** How many issues should stand in it at most; null: no limit. */
  wip: number | null;
  /** Whether the clock of service levels stands still in it. */
  stops_sla: boolean;
  /** Lanes are listed by it, the smallest first. */
  position: number;
  /** Issues in it that the caller sees. */
  issues: number;
  /** When issues stand in it; empty: nothing said. */
  description: string;
}

export interface LanesDelete {
  /** Key or name of the lane. */
  key: string;
  /** The lane that takes its issues and its place in workflows. */
  move_to?: string | null | undefined;
}

export interface LanesList {
  /** The lanes that its default type moves through, in the workflow's order. */
  project?: string | null | undefined;
  /** Of one issue type: in the project where that is named too. */
  type?: string | null | undefined;
}

export interface LanesReorder {
  /** The first lanes, in their new order; those that are not named follow as they are. */
  keys: readonly string[];
}

export interface LanesSave {
  /** Small letters, digits and `_`; an unknown one makes a lane. */
  key: string;
  /** What people read, unique without case. */
  name: string;
  /** Whether issues in it are not begun, in work or done. */
  category: "todo" | "in_progress" | "done";
  /** Colour as `#rrggbb`. */
  color?: string | null | undefined;
  /** For done lanes; `completed` unless given. */
  outcome?: "completed" | "cancelled" | "duplicate" | null | undefined;
  /** How many issues should stand in it at most; null takes the limit off. */
  wip?: number | null | undefined;
  /** Whether the clock of service levels stands still in it. */
  stops_sla?: boolean | null | undefined;
  /** When issues stand in it. */
  description?: string | null | undefined;
}

export interface LayoutRule {
  /** `{all: [...]}`, `{any: [...]}`, `{field, op, value}` or `{role}`, over the issue as it is to be. */
  if: Record<string, unknown>;
  /** Fields that are hidden unless a rule that shows them holds; what is hidden is not required. */
  show?: readonly string[] | null | undefined;
  /** Fields that are required as well. */
  require?: readonly string[] | null | undefined;
  /** Values of fields for which none is given. */
  set?: Record<string, unknown> | null | undefined;
}

/** One level of a rota: its members take turns of so many weeks. */
export interface Level {
  /** Ids of those who take turns, in this order. */
  members: string[];
  /** Weekday and time at which turns change, such as `mon 09:00`. */
  handover: string;
  /** Weeks that a turn lasts. */
  weeks: number;
  /** The hours of each day, such as `09:00-17:00`; null: all day. */
  hours: string | null;
}

export interface LevelInput {
  /** Who takes turns, in this order: active members of the team. */
  members: readonly string[];
  /** Weekday and time at which turns change, such as `mon 09:00`. */
  handover: string;
  /** How long a turn is. */
  weeks: number;
  /** The hours of each day, such as `09:00-17:00`; an end at or before the start is on the next day. Null: all day. */
  hours?: string | null | undefined;
}

/** What is left of a member's accounts elsewhere. */
export interface LinkedProviders {
  /** Ids of the providers where an account lets them in. */
  linked: string[];
}

/** Something that was left out or is not as it was, with its place in the source. */
export interface LogLine {
  /** When it was met, in Unix seconds. */
  at: number;
  /** How bad it is. */
  level: "info" | "warning" | "error";
  /** Its id at the source. */
  source: string;
  /** What happened to it, in words. */
  message: string;
  /** What it became here, such as `issue:12`; null: nothing. */
  subject: string | null;
}

/**
 * Signed in (`token` and `member`), or half way: `challenge` for `auth.login_verify` with one of `methods`.
 *
 * `token` is empty where the browser got it as a cookie.
 */
export interface Login {
  /** Secret of the session, for programs; empty for a browser, null while `challenge` is to be met. */
  token: string | null;
  /** Pass it to `auth.login_verify`; null: signed in. */
  challenge: string | null;
  /** Second factors that meet the challenge; empty: signed in. */
  methods: ("totp" | "recovery" | "passkey")[];
  /** Who signed in; null while `challenge` is to be met. */
  member: Member | null;
}

/** Signed in. `token` is empty where the browser got it as a cookie. */
export interface LoginDone {
  /** Secret of the session, for programs; empty where a browser got it as a cookie. */
  token: string;
  /** Who signed in. */
  member: Member;
}

export interface Look {
  /** Number of the latest event of the org at that time. */
  seq: number;
  /** When the caller looked, in Unix seconds. */
  at: number;
}

export interface MailMailboxDelete {
  /** Number of the mailbox, from `mail.mailboxes`. */
  id: number;
}

export interface MailMailboxSave {
  /** The mailbox to change; left out: make one. */
  id?: number | null | undefined;
  /** What it is called. */
  name: string;
  /** How it is read; it stays what it is. */
  protocol: "imap" | "pop" | "hook";
  /** What mail becomes: one of its fields. */
  target: MailTargetInput;
  /** Name of the mail server; not with `hook`. */
  host?: string | null | undefined;
  /** Its port; left out: the usual one. */
  port?: number | null | undefined;
  /**
   * How the connection is secured; at first `starttls` with port 143 or 110, else `tls`. `none` only where the
   * operator lists host and port.
   */
  security?: "starttls" | "tls" | "none" | null | undefined;
  /** Who signs in there. */
  user?: string | null | undefined;
  /** Kept where it is left out and host, port and user stay; sealed, and never shown. */
  password?: string | null | undefined;
  /** The folder that is read, with `imap`; at first `INBOX`. */
  folder?: string | null | undefined;
  /** How often it is read; at first every 5 minutes. */
  every_minutes?: number | null | undefined;
  /** Whether mail is deleted there once it was taken. */
  delete_after?: boolean | null | undefined;
  /**
   * Addresses, and domains as `example.com`, that are heard; empty: all. Who is named here is heard by a project and
   * a space though they are no member.
   */
  allow?: readonly string[] | null | undefined;
  /** Addresses and domains that are not heard. */
  deny?: readonly string[] | null | undefined;
}

export interface MailMailboxTest {
  /** Number of the mailbox, from `mail.mailboxes`. */
  id: number;
  /** Whether it is to be read now. */
  pull?: boolean | null | undefined;
}

export interface MailOutbox {
  /** Only those that stand so; left out: all of them. */
  state?: "queued" | "sent" | "failed" | "held" | null | undefined;
  /** `next` of the page before; left out: the first page. */
  cursor?: string | null | undefined;
  /** Entries of a page; 50 unless given. */
  limit?: number | null | undefined;
}

export interface MailPath {
  /** Where mail is posted, below the address of this site. It opens the desk: give it to the mail service alone. */
  path: string;
}

export interface MailRetried {
  /** Always true. */
  ok: boolean;
}

export interface MailRetry {
  /** Numbers of letters, from `mail.outbox`. */
  ids: readonly number[];
  /** Whether they are to be sent no more, instead of now. */
  drop?: boolean | null | undefined;
}

/** The mail server as an admin saved it, and by which one mail goes. */
export interface MailSender {
  /** Name of the mail server; empty: none was saved. */
  host: string;
  /** Its port. */
  port: number;
  /** How the connection is secured: `tls` goes with 465, `starttls` with 587. */
  security: "starttls" | "tls" | "none";
  /** Who signs in there; empty: nobody does. */
  user: string;
  /** The address that mail comes from. */
  from: string;
  /** What the sender is called. */
  name: string;
  /** What stands under every letter. */
  signature: string;
  /** Whether a password is kept, which is never shown. */
  has_password: boolean;
  /** By which server mail goes now: the one that the operator names in the `settings`, which goes first, the `saved` one, or `none`. */
  source: "settings" | "saved" | "none";
  /** What that server is called; empty: no mail is sent. */
  place: string;
  /** What the mail server said to the test letter; null: none was sent. */
  said: string | null;
}

export interface MailSenderSet {
  /** Name of the mail server. */
  host: string;
  /** Its port: mostly 587 with `starttls`, 465 with `tls`. */
  port: number;
  /** How the connection is secured. `none` goes without a user alone. */
  security: "starttls" | "tls" | "none";
  /** The address that mail comes from. */
  from: string;
  /** Who signs in there; empty: nobody. Left out: as it is. */
  user?: string | null | undefined;
  /** Kept where it is left out and host, port and user stay; sealed, and never shown. */
  password?: string | null | undefined;
  /** What the sender is called; left out: as it is, at first the org's name. */
  name?: string | null | undefined;
  /** Text under every letter; empty: none. Left out: as it is. */
  signature?: string | null | undefined;
  /** An address that a test letter is sent to first: where the server does not take it, nothing is saved. */
  test_to?: string | null | undefined;
}

export interface MailSuppressed {
  /** An address that mail may go to again. */
  release?: string | null | undefined;
}

/** What mail becomes: one of these. */
export interface MailTarget {
  /** Key of a project: requests of its service desk, and answers to them. */
  desk?: string;
  /** Key of a project: issues there, and comments. */
  project?: string;
  /** Key of a space: pages there. */
  page_space?: string;
}

export interface MailTargetInput {
  /** A project with a service desk: mail becomes requests and answers to them. */
  desk?: string | null | undefined;
  /** A project: mail becomes issues and comments. */
  project?: string | null | undefined;
  /** A space: mail becomes pages. */
  page_space?: string | null | undefined;
}

/** What a kind of letter says to readers of a language. */
export interface MailTemplate {
  /** The kind of letter. */
  key: string;
  /** To whom it is sent, and when. */
  about: string;
  /** The language of the text. */
  locale: string;
  /** With `{{name}}` where a variable stands. */
  subject: string;
  /** Plain text with the same. */
  body: string;
  /** Whether nobody worded it otherwise. */
  built_in: boolean;
  /** The variables that may stand in it. */
  variables: string[];
  /** Those of them that have to stand in the body. */
  required: string[];
}

export interface MailTemplateSave {
  /** The kind of letter, from `mail.templates`. */
  key: string;
  /** The language of its readers: that of their profile, else of the org. A text of `de` counts for `de-AT`, too. */
  locale: string;
  /** With `{{name}}` where a variable stands; empty with an empty body: the built-in text again. */
  subject: string;
  /** Plain text with the same; the letter has it in HTML as well, with addresses of pages as links. */
  body: string;
}

export interface MailTemplates {
  /**
   * The language whose texts are wanted, as readers of it get them; left out: the org's, and all others that were
   * worded.
   */
  locale?: string | null | undefined;
}

/** A mailbox that is read, or an address of this site that mail is posted to. */
export interface Mailbox {
  /** Its number. */
  id: number;
  /** What it is called. */
  name: string;
  /** How it is read; `hook`: a mail service posts to it. */
  protocol: "imap" | "pop" | "hook";
  /** Name of the mail server; empty with `hook`. */
  host: string;
  /** Its port; 0 with `hook`. */
  port: number;
  /** How the connection is secured. */
  security: "starttls" | "tls" | "none";
  /** Who signs in there. */
  user: string;
  /** Whether a password is kept, which is never shown. */
  has_password: boolean;
  /** The folder that is read, with `imap`. */
  folder: string;
  /** With `hook`, where it was just saved: the path of this site that mail is posted to; else null. */
  hook_path: string | null;
  /** What mail becomes. It names `(gone)` what the caller does not see. */
  target: MailTarget;
  /** How often it is read. */
  every_minutes: number;
  /** Whether mail is deleted there once it was taken. */
  delete_after: boolean;
  /** Addresses and domains that are heard; empty: all. */
  allow: string[];
  /** Addresses and domains that are not. */
  deny: string[];
  /** When it was last looked into, in Unix seconds; null: never. */
  last_at: number | null;
  /** What went wrong last; null: nothing since it last went well. */
  last_error: string | null;
  /** When it is read next, in Unix seconds; null: it is not, until it is saved again. */
  next_at: number | null;
}

export interface MailboxTested {
  /** Whether it can be read. */
  ok: boolean;
  /** What was found, or what to mend. */
  detail: string;
  /** Mails that wait there. */
  waiting: number;
}

export interface MaintenanceCheck {
  /** Read the whole data file, too: its integrity and every reference in it. It takes a while where there is much. */
  deep?: boolean | null | undefined;
}

/** Who the caller is and what they may do now. `via` is the key or agent, null for a session. */
export interface Me {
  /** Whom the call acts as. */
  member: Member;
  /** Their role in the org. */
  role: string;
  /** What this call may do, such as `issues:write`. */
  scopes: string[];
  /** Ids of their teams. */
  teams: number[];
  /** Key or agent that calls; null: a session. */
  via: string | null;
  /** What everybody knows of the org. */
  org: OrgSummary;
  /** Names of the modules whose operations this call may use. */
  modules: string[];
  /**
   * What you can prove with who you are, as `auth.elevate` asks; empty for a key, and where only a sign-in provider
   * can say it.
   */
  proofs: ("password" | "totp" | "recovery" | "passkey")[];
  /** Ids of the sign-in providers where an account lets you in, for auth.provider_unlink; empty for a key. */
  linked: string[];
}

/**
 * A person of the org, or an agent where a list of people may hold one.
 *
 * `email` is null where the caller may not see it; `two_factor` is told to admins and oneself only.
 */
export interface Member {
  /** Id of the member, or `agent:<name>`. */
  id: string;
  /** Name as people read it. */
  name: string;
  /** What `@` names them by, without the sign. */
  handle: string;
  /** Address; null: none, or the caller may not see it. */
  email: string | null;
  /** Address of their picture; null: none. */
  avatar: string | null;
  /** Their role in the org. */
  role: string;
  /** Whether they can sign in, are invited yet, or are gone. */
  state: "active" | "invited" | "deactivated" | "erased";
  /** Whether it is a person or an agent. */
  kind: "person" | "agent";
  /** What they do; null: not said. */
  title: string | null;
  /** Time zone by name; null: the org's. */
  zone: string | null;
  /** Language tag; null: the org's. */
  locale: string | null;
  /** Ids of their teams. */
  teams: number[];
  /** What they are up to; null: nothing said. */
  status: Status | null;
  /** Whether they have a second factor; null: not told. */
  two_factor: boolean | null;
  /** Whether a directory keeps them; always false in this version. */
  managed: boolean;
  /** When a guest is deactivated, in Unix seconds; null: they stay. */
  guest_until: number | null;
  /** When they were last here, in Unix seconds; null: never, or not told. */
  last_seen_at: number | null;
  /** When they came, in Unix seconds. */
  created_at: number;
}

/** What somebody has before them, day by day. */
export interface MemberWorkload {
  /** The member's id. */
  member: string;
  /** Every day that was asked for, in order. */
  days: WorkloadDay[];
  /** Whether more is planned on some day than they can. */
  over: boolean;
  /** Keys of the issues that stand on these days, in the order of their days. */
  issues: string[];
}

export interface MembersAvatarSet {
  /** A PNG, JPEG, GIF or WebP as base64, at most 1 MB; null takes the picture away. */
  data?: string | null | undefined;
}

export interface MembersChatLink {
  /** The code that `link` handed out in the chat within the last ten minutes. */
  code: string;
}

export interface MembersChatUnlink {
  /** Id of the link, from `members.chat_accounts`. */
  id: number;
}

export interface MembersDeactivate {
  /** Member id, e-mail address or `@handle`. */
  id: string;
  /** False brings them back. */
  on: boolean;
  /** Who takes over what they work on; left out: it stays with them. */
  transfer_to?: string | null | undefined;
}

export interface MembersErase {
  /** Member id, e-mail address or `@handle`. */
  id: string;
  /** Their name as it is shown, so that nobody else is erased by mistake. */
  confirm_name: string;
}

export interface MembersExportData {
  /** Member id, e-mail address or `@handle`; left out: you. */
  id?: string | null | undefined;
}

export interface MembersGet {
  /** Member id, e-mail address, `@handle` or `me`. */
  id: string;
}

export interface MembersList {
  /** Words in name, handle or, for who may see it, address. */
  q?: string | null | undefined;
  /** Only those with this role in the org. */
  role?: string | null | undefined;
  /** Members of this team; 0 stands for the admins. */
  team?: number | null | undefined;
  /** `active` unless given; `all` has the invited and the erased, too. */
  state?: "active" | "deactivated" | "all" | null | undefined;
  /** `next` of the page before; left out: the first page. */
  cursor?: string | null | undefined;
  /** Entries of a page; 50 unless given. */
  limit?: number | null | undefined;
}

export interface MembersMentionable {
  /** What the mention would stand on, such as `issue:12` or `WEB-12`. */
  subject: string;
  /** How name or handle begin, or words in the name. */
  q?: string | null | undefined;
}

export interface MembersOwnerTransfer {
  /** The member who is to own the org. */
  to: string;
}

export interface MembersPreferencesSet {
  /** `locale`, `zone`, `theme`, `week_start`, `start_page`, `shortcuts`, `editor`, `density`; null resets one. */
  set: Record<string, unknown>;
}

export interface MembersProfileSet {
  /** Your name as people read it. */
  name?: string | null | undefined;
  /** What `@` names you by, without the sign; unique. */
  handle?: string | null | undefined;
  /** What you do, such as `Designer`. */
  title?: string | null | undefined;
  /** How to speak of you, such as `she/her`. */
  pronouns?: string | null | undefined;
  /** Some words about you, in Markdown. */
  about?: string | null | undefined;
  /** Your time zone by name, such as `Europe/Berlin`; an empty text: the org's. */
  zone?: string | "" | null | undefined;
  /** The calendar of your working days; null: the org's. */
  working_calendar?: number | null | undefined;
  /** What you are up to; null: nothing to say. */
  status?: StatusInput | null | undefined;
}

export interface MembersTransfer {
  /** Who hands over; they may have left. */
  from: string;
  /** Who takes over: member id, e-mail address or `@handle`. */
  to: string;
  /** Everything that can be handed over unless given. */
  what?: readonly ("assigned" | "reported" | "watching" | "rules" | "views" | "goals" | "components")[] | null | undefined;
  /** A query that narrows the issues. */
  tql?: string | null | undefined;
}

export interface MembersUpdate {
  /** Member id, e-mail address or `@handle`. */
  id: string;
  /** Role in the org. */
  role?: "owner" | "admin" | "member" | "guest" | null | undefined;
  /** Name as people read it. */
  name?: string | null | undefined;
  /** Address that they sign in with. */
  email?: string | null | undefined;
  /** Unix seconds at which a guest is deactivated; null: they stay. */
  guest_until?: number | null | undefined;
}

export interface MembersWorkload {
  /** The first day. */
  from: string;
  /** The last one; 92 days at most. */
  to: string;
  /** Member ids, `@handle`s, e-mail addresses or `me`; everybody who has something planned unless given. */
  members?: readonly string[] | null | undefined;
  /** The members of this team alone. */
  team?: number | null | undefined;
  /**
   * `points` and `hours` are what estimates say, whichever of them your team estimates in; `issues` counts how many
   * are under way. Default `points`.
   */
  unit?: "points" | "hours" | "issues" | null | undefined;
}

/** Somebody who fits a mention; `can_see` says whether they see what they would be mentioned on. */
export interface Mentionable {
  /** Sort of whom it is. */
  kind: "member" | "team" | "agent" | "customer";
  /** A member's id, `team:<id>` or `agent:<name>`. */
  id: string;
  /** Name as people read it. */
  name: string;
  /** Whether they see what they would be mentioned on. */
  can_see: boolean;
}

/** A model that a provider offers, or that is allowed and offered no more. */
export interface ModelEntry {
  /** Id of the model, as requests name it. */
  id: string;
  /** What the provider calls it. */
  name: string;
  /** Whether it may be picked. */
  allowed: boolean;
  /** Its context window in tokens; null: the provider does not say. */
  context: number | null;
  /** US dollars for a million tokens that go in; null: the provider does not say. */
  price_in: number | null;
  /** US dollars for a million tokens that come out; null: the provider does not say. */
  price_out: number | null;
}

/** Where what stands in a lane goes, and how many issues that are. */
export interface Moved {
  /** Key of the lane where they go. */
  to: string;
  /** How many issues go there. */
  issues: number;
}

/** What the caller does not hear of. */
export interface Mute {
  /** An issue or project, such as `issue:12`. */
  subject: string;
  /** Until when, in Unix seconds; null: for good. */
  until: number | null;
}

export interface Muted {
  /** All that the caller muted, as far as they see it. */
  muted: Mute[];
}

/** Where issues stand now. */
export interface NewRanks {
  /** Always true: what was asked for is done. */
  ok: boolean;
  /**
   * Issue key -> rank, of those whose rank changed and that you see: those that moved, and neighbours that made
   * room.
   */
  ranks: Record<string, string>;
}

/** `secret` is the key itself; that of a server is not shown again. */
export interface NewSdkKey {
  /** Id of the key, for `flags.key_revoke`. */
  id: number;
  /** Key of the environment that it opens. */
  environment: string;
  /** `server` for back ends, secret; `client` for browsers and apps, public. */
  kind: "server" | "client";
  /** Its last four characters. */
  last4: string;
  /** The client-side ID; null for a server key. */
  value: string | null;
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** When it ends, in Unix seconds; null: not by itself. */
  expires_at: number | null;
  /** The key itself. */
  secret: string;
}

/** An entry that stays where it is, and why. */
export interface NotRestored {
  /** Id of the entry. */
  id: number;
  /** Why it stays. */
  reason: string;
}

/** An entry of the inbox: what came of one subject since its receiver last had it read. */
export interface Notification {
  /** Id of the entry; a subject has one in each inbox. */
  id: number;
  /** What it is about, such as `issue:12`. */
  subject: string;
  /** What that is called now. */
  title: string;
  /** Why it came: of several reasons the one that asks most of its reader. */
  reason: "approval" | "assigned" | "mentioned" | "replied" | "invited" | "shared" | "agent" | "due" | "sla" | "rule" | "report" | "watching";
  /** What happened, newest first, the last 20 at most; without what the caller may not hear of any more. */
  events: NotificationEvent[];
  /** `snoozed` is unread again when its time comes. */
  state: "unread" | "read" | "snoozed" | "archived";
  /** Until when it sleeps, in Unix seconds; null: it is awake. */
  snoozed_until: number | null;
  /** When the newest of it happened, in Unix seconds. */
  at: number;
  /** Where the web app shows the subject. */
  path: string;
}

/** How much is unread and awake. */
export interface NotificationCount {
  /** Entries that are unread, as far as the caller sees what they are about. */
  unread: number;
  /** How many of them there are for each reason that has some. */
  by_reason: Record<string, number>;
}

/** Something that happened to the subject of an entry. */
export interface NotificationEvent {
  /** Sequence number of the event; null where a day came and nothing was done. */
  seq: number | null;
  /** What happened, such as `comment.created`; `issue.due` for a day that came. */
  kind: string;
  /** Who did it, such as a member's id; `system` for a day that came. */
  actor: string;
  /** When it happened, in Unix seconds. */
  at: number;
  /** What happened in a few words, to be read behind the name of who did it. */
  summary: string;
}

/** How somebody wants to hear of things. */
export interface NotificationSettings {
  /** By which ways each reason is told; empty: not at all. */
  channels: Record<string, ("inbox" | "mail" | "push" | "chat")[]>;
  /** `daily` and `weekly`: one letter with all that would have been mailed, on Mondays for `weekly`. */
  digest: "off" | "daily" | "weekly";
  /** When the digest comes, and dates that are near, as `08:00` in the zone of the profile. */
  digest_at: string;
  /** `from`, `to` and `days`: when no mail and no push comes; null: they always may. */
  quiet: Record<string, string | number[]> | null;
  /** So many days before an assigned issue is due one is told, and the day after; empty: never. */
  due_before_days: number[];
  /** Keys of projects of which one hears as if one watched each issue, new ones too. */
  own_projects: string[];
  /** So long a letter waits: what is read meanwhile is not mailed, and what else comes goes with it. */
  delay_minutes: number;
  /** What one does not hear of. */
  muted: Mute[];
  /** Browsers that are pushed to. */
  devices: PushDevice[];
  /** The server's public key for subscribing a browser (VAPID, base64url); null: ask again in a moment. */
  push_key: string | null;
}

export interface NotificationsArchive {
  /** Entries by id. */
  ids?: readonly number[] | null | undefined;
  /** The one on this, such as `issue:WEB-1`; where there is none nothing is done. */
  subject?: string | null | undefined;
  /** All whose newest event happened before this, in Unix seconds. */
  before?: number | null | undefined;
}

export interface NotificationsList {
  /** `unread` unless given, without those that sleep; `all`: whatever is not archived. */
  state?: "unread" | "all" | "archived" | "snoozed" | null | undefined;
  /** Those that came for this. */
  reason?: "approval" | "assigned" | "mentioned" | "replied" | "invited" | "shared" | "agent" | "due" | "sla" | "rule" | "report" | "watching" | null | undefined;
  /** The one on this, such as `issue:WEB-1`. */
  subject?: string | null | undefined;
  /** `next` of the page before; left out: the first page. */
  cursor?: string | null | undefined;
  /** Entries of a page; 50 unless given. */
  limit?: number | null | undefined;
}

export interface NotificationsMute {
  /** An issue or project, such as `issue:WEB-1` or `project:WEB`. */
  subject: string;
  /** False: you hear of it again. */
  on: boolean;
  /** Until when, in Unix seconds; for good unless given. */
  until?: number | null | undefined;
}

export interface NotificationsPushAdd {
  /** The address that the browser gave for being pushed to. */
  endpoint: string;
  /** The browser's keys, as it gave them: `p256dh` and `auth`. */
  keys: PushKeys;
  /** What you call it, such as `Firefox on my laptop`. */
  device?: string | null | undefined;
}

export interface NotificationsPushRemove {
  /** The address that the browser gave. */
  endpoint: string;
}

export interface NotificationsRead {
  /** Entries by id. */
  ids?: readonly number[] | null | undefined;
  /** The one on this, such as `issue:WEB-1`; where there is none nothing is done. */
  subject?: string | null | undefined;
  /** True: all that are unread, those that sleep too. */
  all?: boolean | null | undefined;
  /** False makes them unread again, with what they had last. */
  on?: boolean | null | undefined;
}

export interface NotificationsSettingsSet {
  /** Reason to its ways: `inbox`, `mail`, `push`, `chat`. `[]`: not at all; any way stands in the inbox, too. */
  channels?: Record<string, readonly ("inbox" | "mail" | "push" | "chat")[]> | null | undefined;
  /** `daily` or `weekly`: one letter with all that would be mailed; `off`: a letter for each subject. */
  digest?: "off" | "daily" | "weekly" | null | undefined;
  /** When the digest comes, and dates that are near, as `08:00` in the zone of your profile. */
  digest_at?: string | null | undefined;
  /** When no mail and no push comes: it waits for the end of that. Null: they always may. */
  quiet?: QuietHours | null | undefined;
  /** So many days before an issue of yours is due you are told, and the day after; `[]`: never. */
  due_before_days?: readonly number[] | null | undefined;
  /** Keys of projects of which you hear as if you watched each issue, new ones too. */
  own_projects?: readonly string[] | null | undefined;
  /** So long a letter waits for what you read in the inbox meanwhile. */
  delay_minutes?: number | null | undefined;
}

export interface NotificationsSnooze {
  /** Entries by id. */
  ids: readonly number[];
  /** When they are unread again, in Unix seconds: later than now, and within a year. */
  until: number;
}

export interface NotificationsTest {
  /** The way that is tried. */
  channel: "mail" | "push" | "chat";
}

/** Signed in by a provider. `token` is empty where the browser got it as a cookie, or was signed in before. */
export interface OidcDone {
  /** Secret of the session, for programs; empty where a browser got it as a cookie, and where none began. */
  token: string;
  /** Who signed in, confirmed or linked an account. */
  member: Member;
  /** The path of this site to go on with. */
  return_to: string;
}

/** Where to go to sign in. */
export interface OidcStarted {
  /** The page of the provider, for the browser that asked. */
  url: string;
}

export interface Ok {
  /** Always true: what was asked for is done. */
  ok: boolean;
}

/** Who is on call at a moment, and until when. */
export interface OnCall {
  /** Id of the team. */
  team: number;
  /** Level of the rota, from 1. */
  level: number;
  /** Id of the member who is on call. */
  member: string;
  /** When the shift is over, in Unix seconds. */
  until: number;
}

export interface OptionInput {
  /** The option to change; left out: the one of this name, or a new one. */
  id?: number | null | undefined;
  /** What people choose. */
  name: string;
  /** Colour as `#rrggbb`. */
  color?: string | null | undefined;
  /** An archived option stays where it is and is not chosen anew. */
  archived?: boolean | null | undefined;
  /** In a cascade: the option that it stands under, by id, or by the name of one that comes before it here. */
  parent?: number | string | null | undefined;
}

/** The org. `retention`, `legal` and `allowed_files` are empty for guests. */
export interface Org {
  /** Name of the org as people read it. */
  name: string;
  /** Short name of the org, for addresses. */
  slug: string;
  /** Address of its picture; null: none. */
  logo: string | null;
  /** Time zone by name, such as `Europe/Berlin`. */
  zone: string;
  /** Language tag, such as `en` or `de-CH`. */
  locale: string;
  /** Always `self-hosted`: there is one edition. */
  plan: "self-hosted";
  /** Each module by name: whether it is on. */
  modules: Record<string, boolean>;
  /** Role of those who come in by themselves. */
  default_role: string;
  /** Whether members may invite guests into projects that they lead. */
  guests: boolean;
  /** Whether things may be shown to the public by link. */
  public_links: boolean;
  /** First day of the week: 0 is Sunday, 1 Monday. */
  week_start: number;
  /** Days that things are kept, by what is kept; null: for ever. */
  retention: Record<string, number | null>;
  /** What new projects begin with: {`visibility`, `workflow`, `types`}. */
  issue_defaults: Record<string, unknown>;
  /** Endings or media types that may be attached; empty: all. */
  allowed_files: string[];
  /** What everybody is shown; null: nothing. */
  banner: Banner | null;
  /** Texts and addresses by name, such as `imprint`. */
  legal: Record<string, unknown>;
  /** When the org was made, in Unix seconds. */
  created_at: number;
}

export interface OrgBannerSetInput {
  /** Markdown; empty takes the banner away, left out: the text stays. */
  text?: string | null | undefined;
  /** `info` unless given. */
  level?: "info" | "warning" | null | undefined;
  /** Unix seconds at which it goes by itself; null: it stays. */
  until?: number | null | undefined;
}

/** The time by which things end. All in Unix seconds. */
export interface OrgClock {
  /** What the clock shows. */
  now: number;
  /** As far as it is trusted: by this time things are purged, trimmed and ended. */
  trusted: number;
}

export interface OrgLogoSet {
  /** A PNG, JPEG, GIF or WebP as base64, at most 1 MB; null takes it away. */
  data?: string | null | undefined;
  /** The one for dark screens. */
  dark?: boolean | null | undefined;
  /** The one of the customer portal. */
  portal?: boolean | null | undefined;
}

export interface OrgModulesSet {
  /** Names of modules to switch on. */
  on?: readonly string[] | null | undefined;
  /** Names of modules to switch off. */
  off?: readonly string[] | null | undefined;
}

export interface OrgSetup {
  /** From the link that the first start printed. */
  token: string;
  /** Name of the org. */
  org: string;
  /** Your name as people read it. */
  name: string;
  /** Your address, to sign in with. */
  email: string;
  /** To sign in with; what fits says auth.password_change. */
  password: string;
  /** A project to begin with, led by you, with a board. */
  project?: FirstProject | null | undefined;
  /** Fill in sample data: a project `SAMPLE` with work at every stage, which goes when it is deleted. */
  sample?: boolean | null | undefined;
  /** Not offered by this version. */
  template?: string | null | undefined;
}

/** What every signed-in caller may know of the org. */
export interface OrgSummary {
  /** Name of the org as people read it. */
  name: string;
  /** Short name of the org, for addresses. */
  slug: string;
  /** Address of its picture; null: none. */
  logo: string | null;
  /** Time zone by name, such as `Europe/Berlin`. */
  zone: string;
  /** Language tag, such as `en` or `de-CH`. */
  locale: string;
  /** Always `self-hosted`: there is one edition. */
  plan: "self-hosted";
}

export interface OrgUpdate {
  /** Name of the org as people read it. */
  name?: string | null | undefined;
  /** Time zone by name, such as `Europe/Berlin`. */
  zone?: string | null | undefined;
  /** A language tag, such as `en` or `de-CH`. */
  locale?: string | null | undefined;
  /** 0 is Sunday, 1 Monday. */
  week_start?: number | null | undefined;
  /** Short name for addresses: small letters, digits and `-`. */
  slug?: string | null | undefined;
  /** The role of those who come in by themselves. */
  default_role?: "member" | "guest" | null | undefined;
  /** Members may invite guests into projects that they lead. */
  guests?: boolean | null | undefined;
  /** Whether things may be shown to the public by link. */
  public_links?: boolean | null | undefined;
  /** How many days things are kept; those that are not named stay, null keeps for ever. */
  retention?: RetentionInput | null | undefined;
  /** For new projects; those that are not named stay, null: as the product has it. */
  issue_defaults?: IssueDefaultsInput | null | undefined;
  /** Endings (`.pdf`) or media types (`image/*`) that may be attached; none: all. */
  allowed_files?: readonly string[] | null | undefined;
  /** Texts and addresses by name, such as `imprint` and `privacy`; the whole of it, at most 50. */
  legal?: Record<string, string> | null | undefined;
}

export interface OrgUsage {
  /** The present month and those before it. */
  months?: number | null | undefined;
}

/** One letter that went, waits, or did not go. What it says is never shown. */
export interface OutboxLetter {
  /** Its number. */
  id: number;
  /** The address that it goes to. */
  to: string;
  /** What it is about; `(not shown)` where that is something that the caller does not see. */
  subject: string;
  /** `failed`: given up; `held`: written while no mail was sent, or for an address that is suppressed. */
  state: "queued" | "sent" | "failed" | "held";
  /** How often it was tried. */
  tries: number;
  /** Why it did not go; null: it did, or was not tried yet. */
  error: string | null;
  /** When it was written, in Unix seconds. */
  at: number;
  /** When it is tried next, in Unix seconds; null: no more. */
  next_at: number | null;
}

/** A page with its text. */
export interface Page {
  /** Id of the page, digits as a text. */
  id: string;
  /** Key of its space. */
  space: string;
  /** Id of the page that it stands below; null: it stands at the top, or below one that the caller does not see. */
  parent: string | null;
  /** Its title. */
  title: string;
  /** Its title as it stands in addresses, of no other page of the space. */
  slug: string;
  /** Name of its icon, or a sign; null: none. */
  icon: string | null;
  /** Address of the picture above it; null: none. */
  cover: string | null;
  /** Names of its labels. */
  labels: string[];
  /** What else is known of it, by names that people choose; any JSON. */
  properties: Record<string, unknown>;
  /** Id of the member who looks after it. */
  owner: string;
  /** `draft`: never published, for its author and those who may edit it. */
  state: "draft" | "published" | "archived";
  /** Whether there are changes that are not published yet. */
  has_draft: boolean;
  /** Number of the version that is answered; numbers rise and may leave some out. */
  version: number;
  /** Whether only those who manage it change it. */
  locked: boolean;
  /** Whether it, or a page above it, is narrowed to some people. */
  restricted: boolean;
  /** Until when it counts as checked, in Unix seconds; null: nobody checked it. */
  verified_until: number | null;
  /** Who checked it; null: nobody. */
  verified_by: string | null;
  /** What hangs on it. */
  counts: PageCounts;
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** Who made it. */
  created_by: string;
  /** When its text or something else of it was changed last, in Unix seconds. */
  updated_at: number;
  /** Who did that. */
  updated_by: string;
  /** What the caller may do with it; each level holds those before it. */
  my_level: "view" | "comment" | "edit" | "manage";
  /** Where the web app shows it. */
  path: string;
  /** Number of its latest change. */
  seq: number;
  /** Its text as Markdown; empty where the document alone was asked for. */
  body: string;
  /** The same as ProseMirror JSON, where it was written so and asked for; null: there is the Markdown alone. */
  body_doc: string | null;
  /** Its headings, in order. */
  headings: Heading[];
  /** Whether the caller watches it, by `pages.watch`. */
  watching: boolean;
  /** To whom it is narrowed itself, by `pages.restrict`; null for whoever may not narrow it. */
  limits: PageLimits | null;
}

/** A page that names another one. */
export interface PageBacklink {
  /** `page:<id>`. */
  subject: string;
  /** Its title. */
  title: string;
  /** The text around the link. */
  excerpt: string;
}

/** What hangs on a page, as far as the caller sees it. */
export interface PageCounts {
  /** What was said on it. */
  comments: number;
  /** Threads on it that nobody resolved. */
  open_threads: number;
  /** How often it was opened in 30 days, once for each person and day. */
  views_30d: number;
  /** Pages right below it. */
  children: number;
  /** Pages that link to it. */
  backlinks: number;
}

/** How one version differs from another, line by line. */
export interface PageDiff {
  /** Title of the newer one. */
  title: string;
  /** What differs, with three lines around. */
  hunks: DiffHunk[];
  /** The same as HTML: `<ins>` and `<del>` around whole lines, all text escaped. */
  html: string;
}

/** A file with pages. */
export interface PageExport {
  /** What to call it. */
  name: string;
  /** Where it is fetched, without sign-in, within five minutes and as long as you see the page. */
  url: string;
}

/** The people that a page is narrowed to; empty: those of its space. */
export interface PageLimits {
  /** Members and `team:<id>` who see it. */
  view: string[];
  /** Those who change it. */
  edit: string[];
}

/** A page without its text. */
export interface PageSummary {
  /** Id of the page, digits as a text. */
  id: string;
  /** Key of its space. */
  space: string;
  /** Id of the page that it stands below; null: it stands at the top, or below one that the caller does not see. */
  parent: string | null;
  /** Its title. */
  title: string;
  /** Its title as it stands in addresses, of no other page of the space. */
  slug: string;
  /** Name of its icon, or a sign; null: none. */
  icon: string | null;
  /** Address of the picture above it; null: none. */
  cover: string | null;
  /** Names of its labels. */
  labels: string[];
  /** What else is known of it, by names that people choose; any JSON. */
  properties: Record<string, unknown>;
  /** Id of the member who looks after it. */
  owner: string;
  /** `draft`: never published, for its author and those who may edit it. */
  state: "draft" | "published" | "archived";
  /** Whether there are changes that are not published yet. */
  has_draft: boolean;
  /** Number of the version that is answered; numbers rise and may leave some out. */
  version: number;
  /** Whether only those who manage it change it. */
  locked: boolean;
  /** Whether it, or a page above it, is narrowed to some people. */
  restricted: boolean;
  /** Until when it counts as checked, in Unix seconds; null: nobody checked it. */
  verified_until: number | null;
  /** Who checked it; null: nobody. */
  verified_by: string | null;
  /** What hangs on it. */
  counts: PageCounts;
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** Who made it. */
  created_by: string;
  /** When its text or something else of it was changed last, in Unix seconds. */
  updated_at: number;
  /** Who did that. */
  updated_by: string;
  /** What the caller may do with it; each level holds those before it. */
  my_level: "view" | "comment" | "edit" | "manage";
  /** Where the web app shows it. */
  path: string;
  /** Number of its latest change. */
  seq: number;
}

export interface PageSyncClock {
  /** How far the page is now; what others wrote stands before it. */
  clock: number;
}

/** What was written, and who is there. */
export interface PageSyncState {
  /** An update of a Yjs document (version 1) as base64: its text `body` is the draft of the page. */
  state: string;
  /** What to give as `since` next time, and with what you push. */
  clock: number;
  /** Who is on the page, as presence.list says it. */
  people: Present[];
}

/** A line of a page with a box to tick. */
export interface PageTask {
  /** Id of the page. */
  page: string;
  /** Number of its line in the text; the first is 1. */
  line: number;
  /** What it says, Markdown, without the day. */
  text: string;
  /** Whom it mentions first: a member, `team:<id>` or `agent:<name>`; null: nobody. */
  assignee: string | null;
  /** The day that stands there as `due:2026-12-01`; null: none. */
  due_date: string | null;
  /** Whether it is ticked. */
  done: boolean;
}

/** What a new page begins with. */
export interface PageTemplate {
  /** Id of the template. */
  id: number;
  /** Key of the space that it is for; null: any. */
  space: string | null;
  /** What it is called. */
  name: string;
  /** The text, Markdown, with `{{date}}`, `{{author}}`, `{{title}}` and `{{space}}`. */
  body: string;
  /** What else is known of such a page; texts in it may have the same placeholders. */
  properties: Record<string, unknown>;
  /** Name of its icon, or a sign; null: none. */
  icon: string | null;
  /** Whether every org has it, as it is. */
  built_in: boolean;
}

/** What a page was. */
export interface PageVersion {
  /** Its number. */
  version: number;
  /** When it was saved last, in Unix seconds. */
  at: number;
  /** Who wrote it. */
  who: string;
  /** Key or agent that did it in a person's name; null: none. */
  via: string | null;
  /** What was said of it; empty: nothing. */
  note: string;
  /** How many characters its text has. */
  size: number;
  /** Whether readers saw it. */
  published: boolean;
}

/** How often a page was opened. Who opened it is told to nobody. */
export interface PageViews {
  /** How often, once for each person and day. */
  views: number;
  /** How many people opened it. */
  people: number;
  /** How often on each day, the oldest first, today last; days begin in UTC. */
  daily: number[];
}

/** One page of a list; `next` is passed as `cursor` for the page behind it. */
export interface PagedDelivery {
  /** The entries of this page, in order. */
  items: Delivery[];
  /** What to pass as `cursor` for the next page; null: this is the last. */
  next: string | null;
}

/** One page of a list; `next` is passed as `cursor` for the page behind it. */
export interface PagedFieldChange {
  /** The entries of this page, in order. */
  items: FieldChange[];
  /** What to pass as `cursor` for the next page; null: this is the last. */
  next: string | null;
}

/** One page of a list; `next` is passed as `cursor` for the page behind it. */
export interface PagedIssue {
  /** The entries of this page, in order. */
  items: Issue[];
  /** What to pass as `cursor` for the next page; null: this is the last. */
  next: string | null;
}

/** One page of a list; `next` is passed as `cursor` for the page behind it. */
export interface PagedIssueColumns {
  /** The entries of this page, in order. */
  items: IssueColumns[];
  /** What to pass as `cursor` for the next page; null: this is the last. */
  next: string | null;
}

/** One page of a list; `next` is passed as `cursor` for the page behind it. */
export interface PagedLogLine {
  /** The entries of this page, in order. */
  items: LogLine[];
  /** What to pass as `cursor` for the next page; null: this is the last. */
  next: string | null;
}

/** One page of a list; `next` is passed as `cursor` for the page behind it. */
export interface PagedMember {
  /** The entries of this page, in order. */
  items: Member[];
  /** What to pass as `cursor` for the next page; null: this is the last. */
  next: string | null;
}

/** One page of a list; `next` is passed as `cursor` for the page behind it. */
export interface PagedNotification {
  /** The entries of this page, in order. */
  items: Notification[];
  /** What to pass as `cursor` for the next page; null: this is the last. */
  next: string | null;
}

/** One page of a list; `next` is passed as `cursor` for the page behind it. */
export interface PagedOutboxLetter {
  /** The entries of this page, in order. */
  items: OutboxLetter[];
  /** What to pass as `cursor` for the next page; null: this is the last. */
  next: string | null;
}

/** One page of a list; `next` is passed as `cursor` for the page behind it. */
export interface PagedPageSummary {
  /** The entries of this page, in order. */
  items: PageSummary[];
  /** What to pass as `cursor` for the next page; null: this is the last. */
  next: string | null;
}

/** One page of a list; `next` is passed as `cursor` for the page behind it. */
export interface PagedPageVersion {
  /** The entries of this page, in order. */
  items: PageVersion[];
  /** What to pass as `cursor` for the next page; null: this is the last. */
  next: string | null;
}

/** One page of a list; `next` is passed as `cursor` for the page behind it. */
export interface PagedTrashEntry {
  /** The entries of this page, in order. */
  items: TrashEntry[];
  /** What to pass as `cursor` for the next page; null: this is the last. */
  next: string | null;
}

export interface PagesAppend {
  /** Id of the page, or `<space>/<slug>`, also by a slug that it had. */
  id: string;
  /** What is added, Markdown. */
  body: string;
  /** Words of a heading: it is added at the end of what stands below that; left out: at the end of the page. */
  section?: string | null | undefined;
}

export interface PagesArchive {
  /** Id of the page, or `<space>/<slug>`, also by a slug that it had. */
  id: string;
  /** false brings it back. */
  on: boolean;
  /** True: the pages below it too. */
  children?: boolean | null | undefined;
}

export interface PagesBacklinks {
  /** Id of the page, or `<space>/<slug>`, also by a slug that it had. */
  id: string;
}

export interface PagesBrokenLinks {
  /** Key of the space, in any case. */
  space: string;
}

export interface PagesChildren {
  /** Id of the page, or `<space>/<slug>`, also by a slug that it had. */
  id: string;
  /** How many levels below it; 1 unless given. */
  depth?: number | null | undefined;
}

export interface PagesCopy {
  /** Id of the page, or `<space>/<slug>`, also by a slug that it had. */
  id: string;
  /** Key of the space, in any case. */
  space?: string | null | undefined;
  /** Id of the page below which the copy goes; left out: below the same one, in another space at its top. */
  parent?: string | null | undefined;
  /** Title of the copy; the same unless given. */
  title?: string | null | undefined;
  /** True: the pages below it too, as far as you see them. */
  children?: boolean | null | undefined;
}

export interface PagesCreate {
  /** Key of the space, in any case. */
  space: string;
  /** Its title. */
  title: string;
  /** Id of the page that it stands below; left out: it stands at the top. */
  parent?: string | null | undefined;
  /** Its text as Markdown. `[[Title]]` and `[[space/slug]]` link to pages, `WEB-12` to an issue. */
  body?: string | null | undefined;
  /** The same as ProseMirror JSON, for display; needs `body`. */
  body_doc?: string | null | undefined;
  /** Id of what it begins with, from `pages.templates`: its text, properties and icon, as far as you give none. */
  template?: number | null | undefined;
  /** Name of its icon, or a sign. */
  icon?: string | null | undefined;
  /** True: only you and those who may edit it see it, until it is published. */
  draft?: boolean | null | undefined;
  /** Names of its labels. */
  labels?: readonly string[] | null | undefined;
  /** What else is known of it, by names of your choice; any JSON. */
  properties?: Record<string, unknown> | null | undefined;
  /** Id of the page behind which it goes, right below the same one; last unless given. */
  after?: string | null | undefined;
}

export interface PagesDelete {
  /** Id of the page, or `<space>/<slug>`, also by a slug that it had. */
  id: string;
  /** What becomes of the pages below it: they move up (`keep`, unless given), or go with it. */
  children?: "keep" | "delete" | null | undefined;
}

export interface PagesDiscard {
  /** Id of the page, or `<space>/<slug>`, also by a slug that it had. */
  id: string;
}

export interface PagesExport {
  /** Id of the page, or `<space>/<slug>`, also by a slug that it had. */
  id: string;
  /**
   * `md` is Markdown with what else is known of the page at its head, `html` a file that needs nothing
   * else; `pdf` is for printers, `docx` for word processors.
   */
  format: "md" | "html" | "pdf" | "docx";
  /** True: the pages below it too, as far as you see them. */
  children?: boolean | null | undefined;
  /** True: what was said on the pages too. */
  comments?: boolean | null | undefined;
}

export interface PagesGet {
  /** Id of the page, or `<space>/<slug>`, also by a slug that it had. */
  id: string;
  /** What it was; left out: what it is now. */
  version?: number | null | undefined;
  /** True: with the changes that are not published yet, for those who may edit it. */
  draft?: boolean | null | undefined;
  /**
   * The text as Markdown (`md`), as a document where it was written so (`doc`), or `both`, which it is unless
   * given.
   */
  format?: "md" | "doc" | "both" | null | undefined;
  /** Words of a heading: only what stands below it, as Markdown. */
  section?: string | null | undefined;
}

export interface PagesImport {
  /** Key of the space, in any case. */
  space: string;
  /** Id of the page below which they go; left out: they go to the top. */
  parent?: string | null | undefined;
  /**
   * `md` is Markdown, with what is known of the page at its head where that stands there; `docx` a document of a word
   * processor; `zip` an archive of such files: an export of ours, of Notion or Confluence, a vault of Obsidian, or any
   * folders.
   */
  format: "md" | "html" | "docx" | "zip";
  /** The bytes of the file, at most 10 MB. */
  data: string;
  /**
   * Title of the page, where the head of the file says none; of an archive that of a new page, below which the rest
   * goes.
   */
  title?: string | null | undefined;
}

export interface PagesList {
  /** Key of the space, in any case. */
  space?: string | null | undefined;
  /** Only those with this label. */
  label?: string | null | undefined;
  /** Only those that this member made. */
  author?: string | null | undefined;
  /** Words in the title. */
  q?: string | null | undefined;
  /** Only those that were changed since then, in Unix seconds. */
  updated_since?: number | null | undefined;
  /** Only those in this state; archived ones are left out unless asked for. */
  state?: "draft" | "published" | "archived" | null | undefined;
  /** `next` of the page before; left out: the first page. */
  cursor?: string | null | undefined;
  /** Entries of a page; 50 unless given. */
  limit?: number | null | undefined;
}

export interface PagesLock {
  /** Id of the page, or `<space>/<slug>`, also by a slug that it had. */
  id: string;
  /** false takes the lock off. */
  on: boolean;
}

export interface PagesMove {
  /** Pages, in the order that they are to have; what stands below them goes along. */
  ids: readonly string[];
  /** Key of the space, in any case. */
  space?: string | null | undefined;
  /** Id of the page below which they go; left out: they stay below theirs, unless `top` or `space` says otherwise. */
  parent?: string | null | undefined;
  /** True: to the top of their space, or of `space`. */
  top?: boolean | null | undefined;
  /** Id of the page behind which they go, right below the same one; last unless given. */
  after?: string | null | undefined;
}

export interface PagesPublish {
  /** Id of the page, or `<space>/<slug>`, also by a slug that it had. */
  id: string;
  /** What is new, for the list of versions and those who watch it. */
  note?: string | null | undefined;
  /** False: who watches it hears nothing. */
  notify?: boolean | null | undefined;
}

export interface PagesRestrict {
  /** Id of the page, or `<space>/<slug>`, also by a slug that it had. */
  id: string;
  /** Members and `team:<id>` who see it; `[]`: as its space. Left out: it stays. */
  view?: readonly string[] | null | undefined;
  /** Members and `team:<id>` who change it; `[]`: as its space. Left out: it stays. They see it as well. */
  edit?: readonly string[] | null | undefined;
}

export interface PagesSyncPull {
  /** Id of the page, or `<space>/<slug>`, also by a slug that it had. */
  id: string;
  /** The `clock` up to which you have it; left out: you have nothing. */
  since?: number | null | undefined;
}

export interface PagesSyncPush {
  /** Id of the page, or `<space>/<slug>`, also by a slug that it had. */
  id: string;
  /** An update of your Yjs document (version 1) as base64: its one text is `body`. */
  update: string;
  /** The one that pages.sync_pull answered with what your document was made of, or a later one. */
  clock: number;
}

export interface PagesTasks {
  /** Key of the space, in any case. */
  space?: string | null | undefined;
  /** Only those of this page: its id, or `<space>/<slug>`. */
  page?: string | null | undefined;
  /** Only those of this member, `team:<id>` or `agent:<name>`; `me`: yours. */
  assignee?: string | null | undefined;
  /** True: only those that are ticked; false: only those that are not. */
  done?: boolean | null | undefined;
  /** Only those that are due before this day. */
  due_before?: string | null | undefined;
}

export interface PagesTemplateDelete {
  /** Id of the template, from `pages.templates`. */
  id: number;
}

export interface PagesTemplateSave {
  /** The template to change; left out: make one. */
  id?: number | null | undefined;
  /** Key of the space that it is for; left out or null: any. Decided when it is made. */
  space?: string | null | undefined;
  /** What people choose it by. */
  name: string;
  /**
   * The text, Markdown: `{{date}}` becomes the day, `{{author}}` the name of whoever makes the page, `{{title}}` its
   * title, `{{space}}` the name of its space.
   */
  body: string;
  /** What else is known of such a page; texts in it may have the same placeholders. */
  properties?: Record<string, unknown> | null | undefined;
  /** Name of its icon, or a sign; an empty text clears it. */
  icon?: string | null | undefined;
}

export interface PagesTemplates {
  /** Those that a page of this space may begin with; left out: all that you see. */
  space?: string | null | undefined;
}

export interface PagesUpdate {
  /** Id of the page, or `<space>/<slug>`, also by a slug that it had. */
  id: string;
  /** Its title; links by the old one go on leading here. */
  title?: string | null | undefined;
  /** Its whole text as Markdown. */
  body?: string | null | undefined;
  /** The same as ProseMirror JSON, for display; needs `body`. */
  body_doc?: string | null | undefined;
  /** Name of its icon, or a sign; an empty text clears it. */
  icon?: string | null | undefined;
  /** Address of the picture above it; an empty text or null clears it. */
  cover?: string | null | undefined;
  /** Names of its labels, the whole list. */
  labels?: readonly string[] | null | undefined;
  /** What else is known of it, all of it; any JSON. */
  properties?: Record<string, unknown> | null | undefined;
  /** Member who looks after it, and may narrow it to some people. */
  owner?: string | null | undefined;
  /** The version that your text was made of: what others changed since is kept, or you are told. */
  version?: number | null | undefined;
  /** What you changed, for the list of versions. */
  note?: string | null | undefined;
  /** True: readers see the text when it is published; what they see now stays. */
  draft?: boolean | null | undefined;
}

export interface PagesVerify {
  /** Id of the page, or `<space>/<slug>`, also by a slug that it had. */
  id: string;
  /** For so many days it counts as checked, 90 unless given; 0 takes it back. */
  days?: number | null | undefined;
}

export interface PagesVersionDiff {
  /** Id of the page, or `<space>/<slug>`, also by a slug that it had. */
  id: string;
  /** Number of the older version. */
  from: number;
  /** Number of the newer one; left out: the page as readers see it. */
  to?: number | null | undefined;
}

export interface PagesVersionRestore {
  /** Id of the page, or `<space>/<slug>`, also by a slug that it had. */
  id: string;
  /** Number of the version whose text comes back. */
  version: number;
}

export interface PagesVersions {
  /** Id of the page, or `<space>/<slug>`, also by a slug that it had. */
  id: string;
  /** `next` of the page before; left out: the first page. */
  cursor?: string | null | undefined;
  /** Entries of a page; 50 unless given. */
  limit?: number | null | undefined;
}

export interface PagesViews {
  /** Id of the page, or `<space>/<slug>`, also by a slug that it had. */
  id: string;
  /** So many days, today among them; 30 unless given. */
  days?: number | null | undefined;
}

export interface PagesWatch {
  /** Id of the page, or `<space>/<slug>`, also by a slug that it had. */
  id: string;
  /** False ends it. */
  on: boolean;
  /** True: the pages below it too, new ones among them. */
  children?: boolean | null | undefined;
}

/** An input for issues.create, and what of the text it was read from. */
export interface Parsed {
  /** Fields for `issues.create`. */
  input: Record<string, unknown>;
  /** Which characters were taken for what. */
  spans: Span[];
}

/** A passkey of one's own. */
export interface Passkey {
  /** Id of the passkey, for `auth.passkey_delete`. */
  id: string;
  /** What its owner calls it. */
  name: string;
  /** When it was added, in Unix seconds. */
  created_at: number;
  /** When it last signed in or confirmed, in Unix seconds; null: never. */
  last_used_at: number | null;
}

/** What a browser is asked to sign, and the word that names the question. */
export interface PasskeyCeremony {
  /** Pass it on with what the browser answers; good once, for five minutes. */
  challenge: string;
  /** `publicKey` of `navigator.credentials.create` (to register) or `.get`, as JSON: what is bytes is base64url. */
  options: Record<string, unknown>;
}

/** What has to hold for the rollout to go on. */
export interface PlanCheck {
  /**
   * `errors`: the share of evaluations since the step began that got the caller's default; `check`: a saved check of
   * the environment; `hook`: an address that is posted to at the end of each step, and answers 200 to 299.
   */
  kind: "errors" | "check" | "hook";
  /** Whether the rollout goes back to what was served before it when this fails; left out: it stops where it is. */
  back?: boolean | null | undefined;
  /** Of `errors`: the most percent that are well; left out: 1. */
  percent?: number | null | undefined;
  /** Of `errors`: so many evaluations are looked at before anything is said; left out: 100. */
  least?: number | null | undefined;
  /** Of `check`: its id, from `flags.checks`. */
  id?: number | null | undefined;
  /** Of `hook`: where to ask. */
  url?: string | null | undefined;
}

export interface PlanStep {
  /** How many get the variation, in thousandths of a percent. */
  weight: number;
  /** So long it stays there before the next step. */
  hold_minutes: number;
}

export interface PortalArticle {
  /** Id of the page. */
  id: string;
  /** What it is about. */
  title: string;
  /** Text in Markdown. */
  text: string;
}

/** What was said on a request. */
export interface PortalComment {
  /** Id of the comment. */
  id: number;
  /** Name of who said it, as the desk shows it. */
  author: string;
  /** Whether it was the caller. */
  mine: boolean;
  /** Text in Markdown. */
  body: string;
  /** When it was said, in Unix seconds. */
  created_at: number;
}

/** A desk that is open, as anybody sees it. */
export interface PortalDesk {
  /** Key of its project. */
  project: string;
  /** What it is called. */
  name: string;
  /** What it says of itself, in Markdown; empty: nothing. */
  intro: string;
  /** Whether anybody may make an account. */
  open_signup: boolean;
  /** Whether there are help articles. */
  has_articles: boolean;
  /** Languages that it answers in, such as `en`; empty: not said. */
  languages: string[];
  /** Path of its picture on this site; null: that of the org. */
  logo: string | null;
  /** What may be asked for, in order. */
  types: PortalType[];
}

/** A question, once the given values are applied. */
export interface PortalField {
  /** By which `values` names it. */
  key: string;
  /** What to read. */
  label: string;
  /** What to fill in; empty: nothing said. */
  help: string;
  /** What an answer is, as `kind` of own fields has it. */
  kind: string;
  /** Whether it must be answered. */
  required: boolean;
  /** What may be chosen, any JSON that is an answer: names, or paths of names; empty: nothing. */
  options: unknown[];
  /** What was given, or what stands there at first, any JSON; null: nothing. */
  value: unknown;
  /** Whether it is asked at all; what is not is not kept. */
  shown: boolean;
}

export interface PortalFile {
  /** Id of the file. */
  id: string;
  /** What it is called. */
  name: string;
  /** Its size in bytes. */
  size: number;
  /** When it came, in Unix seconds. */
  created_at: number;
}

export interface PortalForm {
  /** What the form asks, in order. */
  fields: PortalField[];
}

export interface PortalParticipants {
  /** Who else sees the request: their addresses, or the names of those who have none. */
  participants: string[];
}

/** A request as its customers see it. */
export interface PortalRequest {
  /** Key of the issue that it is. */
  key: string;
  /** What was asked for. */
  title: string;
  /** Name of the desk. */
  desk: string;
  /** Name of the request type; empty: it came by mail or chat, or was made one. */
  request_type: string;
  /** Name of the lane that it stands in. */
  status: string;
  /** How far it is. */
  category: "todo" | "in_progress" | "done";
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** When its status or what was said last changed, in Unix seconds. */
  updated_at: number;
}

export interface PortalSession {
  /** Who is signed in now. */
  customer: DeskCustomer;
  /** Bearer token of the portal's operations, shown this once; it lives thirty days. */
  token: string;
}

export interface PortalSignup {
  /** Who is signed in now; null: a letter says how to go on. */
  customer: DeskCustomer | null;
  /** Bearer token of the portal's operations, shown this once; null likewise. */
  token: string | null;
  /** Whether a letter was sent to the address. */
  verify: boolean;
}

/** How a customer rates a request that is closed. */
export interface PortalSurvey {
  /** What desk.portal_survey takes. */
  token: string;
  /** What they gave, of five; null: nothing yet. */
  score: number | null;
  /** What they said with it; empty: nothing. */
  comment: string;
}

/** A request with what was said on it last, oldest first. */
export interface PortalThread {
  /** How it stands. */
  request: PortalRequest;
  /** Its text, in Markdown; empty: none. */
  description: string;
  /** What was said to its customers, and by them, fifty at most. */
  comments: PortalComment[];
  /** What to pass as `cursor` for what was said before that; null: this is where it begins. */
  older: string | null;
  /** Files that its customers sent, and those on what was said to them, oldest first. */
  files: PortalFile[];
  /** How whoever asked rates it now; null: that is not asked, or not any more. */
  survey: PortalSurvey | null;
}

/** What may be asked for. */
export interface PortalType {
  /** Id of the request type. */
  id: number;
  /** What it is called. */
  name: string;
  /** What it is for; empty: nothing said. */
  description: string;
  /** Name of its picture; empty: none. */
  icon: string;
  /** Heading that it stands under; empty: none. */
  group: string;
}

/** How somebody likes the app; null: as the org has it, or the app's own choice. */
export interface Preferences {
  /** Language tag, such as `de-CH`; null: the org's. */
  locale: string | null;
  /** Time zone by name; null: the org's. */
  zone: string | null;
  /** Look of the app, any JSON of the app's, such as `dark`; null: its own choice. */
  theme: unknown;
  /** First day of the week, any JSON of the app's, such as 1 for Monday; null: the org's. */
  week_start: unknown;
  /** Where the app opens, any JSON of the app's; null: its own choice. */
  start_page: unknown;
  /** Keys that were changed, any JSON of the app's; null: as they are. */
  shortcuts: unknown;
  /** How texts are written, any JSON of the app's; null: its own choice. */
  editor: unknown;
  /** How close lines stand, any JSON of the app's; null: its own choice. */
  density: unknown;
}

export interface PresenceBeat {
  /** What you look at: `WEB-1`, `comment:<id>` or any other thing that you see. */
  subject: string;
  /** What you do there; `left` ends it at once. */
  state: "viewing" | "editing" | "replying" | "left";
  /** Where in it you are, as your client likes it, 1,000 bytes of JSON at most. */
  cursor?: Record<string, unknown> | null | undefined;
  /** A word of yours for the tab that says so, so that one does not speak for another. */
  window?: string | null | undefined;
}

export interface PresenceList {
  /** What to look at: `WEB-1`, `project:WEB` and so on. */
  subjects: readonly string[];
}

export interface PresencePeople {
  /** Those who are there, you among them; whoever came first stands first. */
  people: Present[];
}

/** Somebody who is there. */
export interface Present {
  /** A member's id, or `agent:<name>`. */
  who: string;
  /** What they do there; of several windows the one that does most, and of those one that says where. */
  state: "viewing" | "editing" | "replying";
  /** Since when they do that, in Unix seconds. */
  since: number;
  /** Where in it they are, as their client says; null: it does not say. */
  cursor: Record<string, unknown> | null;
}

/** Who is on one thing. */
export interface PresentOn {
  /** What they look at, such as `issue:12`. */
  subject: string;
  /** Those who are there, whoever came first before the others. */
  people: Present[];
}

/** Actions to begin with. */
export interface Preset {
  /** Key of the preset. */
  key: string;
  /** What it does. */
  title: string;
  /** The actions, as `automation.save` takes them. */
  actions: Record<string, unknown>[];
}

/** A place for issues under one key. */
export interface Project {
  /** Key, which those of its issues begin with. */
  key: string;
  /** What people read. */
  name: string;
  /** What it is for, in Markdown; empty: nothing said. */
  description: string;
  /** Sort of project, which decided the types it began with. */
  kind: "software" | "business" | "desk" | "personal";
  /** Name of its icon; null: none. */
  icon: string | null;
  /** Colour of it; null: none. */
  color: string | null;
  /** Id of the member who leads it; null: nobody. */
  lead: string | null;
  /** Who works in it: every member (`org`), those with a role and admins (`members`), or those with a role alone. */
  visibility: "org" | "members" | "private";
  /** Modules that are on or off in it, by name. */
  modules: Record<string, boolean>;
  /** Key of the type that a new issue has. */
  default_type: string;
  /** Who gets a new issue that nobody was named for. */
  default_assignee: "none" | "lead" | "component" | "rotation";
  /** Id of the scale of estimates; null: the usual one. */
  estimate_scale: number | null;
  /** Id of the calendar of working days; null: the org's. */
  calendar: number | null;
  /** What may be spent; null: no limit. */
  budget: Budget | null;
  /** First day, `YYYY-MM-DD`; null: none. */
  start_date: string | null;
  /** Last day, `YYYY-MM-DD`; null: none. */
  due_date: string | null;
  /** Words that projects are found by. */
  labels: string[];
  /** Whether new issues wait to be sorted first. */
  triage: boolean;
  /** Whether reporters see their own issues or all. */
  reporters_see: "own" | "all";
  /** Whether an issue with open blockers may be closed with a warning, or not at all. */
  blockers: "warn" | "refuse";
  /** Days after which closed issues that nobody changed are archived; null: never. */
  auto_archive_days: number | null;
  /** Days after which open issues that nobody changed are closed; null: never. */
  auto_close_days: number | null;
  /** Id of the view that its issues are opened with; null: none that you see. */
  default_view: number | null;
  /** Keys that it had before, which keep resolving. */
  former_keys: string[];
  /** The latest thing said of how it goes; null: nothing yet. */
  health: string | null;
  /** Role of the caller in it; null: none. */
  my_role: "lead" | "member" | "reporter" | "viewer" | null;
  /** Issues that the caller sees. */
  counts: ProjectCounts;
  /** When it was archived, in Unix seconds; null: it is not. */
  archived_at: number | null;
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** Number of its latest change. */
  seq: number;
}

/** Inputs of the operations that make each part, without the project. */
export interface ProjectContent {
  /** What the project is for, in Markdown. */
  description?: string | null | undefined;
  /** Keys of types, in order; the first is the default. */
  types?: readonly string[] | null | undefined;
  /** The one that its issues move along, which is in force; the org's default for new projects unless given. */
  workflow?: number | null | undefined;
  /** Key of a type -> the workflow that its issues move along in place of that. */
  workflows?: Record<string, number> | null | undefined;
  /** Modules on or off, by name. */
  modules?: Record<string, boolean> | null | undefined;
  /** Who gets a new issue that nobody was named for. */
  default_assignee?: "none" | "lead" | "component" | "rotation" | null | undefined;
  /** Whether reporters see their own issues or all. */
  reporters_see?: "own" | "all" | null | undefined;
  /** Whether an issue with open blockers may be closed with a warning, or not at all. */
  blockers?: "warn" | "refuse" | null | undefined;
  /** Whether new issues wait to be sorted first. */
  triage?: boolean | null | undefined;
  /** Days after which closed issues that nobody changed are archived; null: never. */
  auto_archive_days?: number | null | undefined;
  /** Days after which open issues that nobody changed are closed; null: never. */
  auto_close_days?: number | null | undefined;
  /** As for labels.save. */
  labels?: readonly Record<string, unknown>[] | null | undefined;
  /** As for components.save. */
  components?: readonly Record<string, unknown>[] | null | undefined;
  /** As for fields.layout_save. */
  layouts?: readonly Record<string, unknown>[] | null | undefined;
  /** As for issues.template_save. */
  templates?: readonly Record<string, unknown>[] | null | undefined;
  /**
   * As for boards.save, with `columns` as for boards.columns_set and `quick_filters` as for boards.quick_filter_save;
   * `{{project}}` in a condition stands for the key of the project.
   */
  boards?: readonly Record<string, unknown>[] | null | undefined;
}

/** Issues that the caller sees. */
export interface ProjectCounts {
  /** Issues that are not done. */
  open: number;
  /** Issues that are done. */
  done: number;
  /** Open issues whose due date is over. */
  late: number;
}

/** Issues that the caller sees and that are not archived. `stale`: open, and nothing changed for 30 days. */
export interface ProjectHealth {
  /** Issues that are not done. */
  open: number;
  /** Issues that are done. */
  done: number;
  /** Open issues whose due date is over. */
  late: number;
  /** Open issues that an open one blocks. */
  blocked: number;
  /** Open issues that nobody has. */
  unassigned: number;
  /** Open issues that did not change for 30 days. */
  stale: number;
  /** Id of the active sprint that is of it, the latest started; null: none. */
  sprint: number | null;
  /** Always null: this version has no milestones. */
  next_milestone: null;
  /** Seconds of work on it; null: not known. */
  spent: number | null;
  /** What may be spent; null: no limit. */
  budget: Budget | null;
  /** What was said last of how it goes; null: nothing yet. */
  last_status: ProjectStatus | null;
}

/** Somebody with a role in a project; `through` names the team that gives it. */
export interface ProjectMember {
  /** Member's id, or `team:<id>`. */
  who: string;
  /** Name as people read it. */
  name: string;
  /** What they may do in the project. */
  role: "lead" | "member" | "reporter" | "viewer";
  /** The team that gives it; null: their own. */
  through: string | null;
}

/** What somebody said of how a project goes. `facts` are the counts at that time, as who wrote it saw them. */
export interface ProjectStatus {
  /** Id of the status. */
  id: number;
  /** Key of the project. */
  project: string;
  /** How it goes. */
  health: "on_track" | "at_risk" | "off_track" | "paused";
  /** What was said, in Markdown. */
  body: string;
  /** Who said it: a member's id or `agent:<name>`. */
  author: string;
  /** When, in Unix seconds. */
  at: number;
  /** Counts of issues at that time, by name. */
  facts: Record<string, number>;
}

/** What a new project begins with: types, settings, labels, components, layouts and issue templates. */
export interface ProjectTemplate {
  /** Id of the template. */
  id: number;
  /** What people choose it by. */
  name: string;
  /** What it is for; empty: nothing said. */
  description: string;
  /** What a project gets, as `projects.template_save` takes it. */
  content: Record<string, unknown>;
  /** Whether it came with kbwork and stays as it is. */
  built_in: boolean;
}

export interface ProjectsArchive {
  /** Key of the project, or a former one. */
  key: string;
  /** false brings it back. */
  on: boolean;
}

export interface ProjectsCopy {
  /** Key of the project, or a former one. */
  key: string;
  /** Key of the copy: 2 to 10 capitals and digits, the first a letter. */
  new_key: string;
  /** What the copy is called. */
  name: string;
  /** What else comes along; parts of modules that are not there add nothing. */
  with?: readonly ("members" | "boards" | "views" | "rules" | "templates" | "milestones" | "issues")[] | null | undefined;
}

export interface ProjectsCreate {
  /** 2 to 10 capitals and digits, the first a letter; it is never given to another project. */
  key: string;
  /** What people read. */
  name: string;
  /** What it begins with, from projects.templates. */
  template?: number | null | undefined;
  /** What it is for, in Markdown. */
  description?: string | null | undefined;
  /** Member who leads it, beside you. */
  lead?: string | null | undefined;
  /** Who sees it; `org` unless given. */
  visibility?: "org" | "members" | "private" | null | undefined;
  /** Sort of project; `software` unless given. */
  kind?: "software" | "business" | "desk" | "personal" | null | undefined;
  /** Modules to switch on. */
  modules?: readonly string[] | null | undefined;
}

export interface ProjectsDelete {
  /** Key of the project, or a former one. */
  key: string;
  /** The key once more: with the project go its issues and all else in it. */
  confirm_key: string;
}

export interface ProjectsGet {
  /** Key of the project, or a former one. */
  key: string;
}

export interface ProjectsHealth {
  /** Key of the project, or a former one. */
  key: string;
}

export interface ProjectsKeyChange {
  /** Key of the project, or a former one. */
  key: string;
  /** The key from now on: 2 to 10 capitals and digits, the first a letter. */
  new_key: string;
}

export interface ProjectsList {
  /** Words in key or name. */
  q?: string | null | undefined;
  /** Only those of this sort. */
  kind?: "software" | "business" | "desk" | "personal" | null | undefined;
  /** True: archived ones too. */
  archived?: boolean | null | undefined;
  /** True: those where you or a team of yours have a role. */
  mine?: boolean | null | undefined;
  /** Only those with this label. */
  label?: string | null | undefined;
}

export interface ProjectsMemberSet {
  /** Key of the project, or a former one. */
  key: string;
  /** Member, or `team:<id>`. */
  who: string;
  /** What they may do in the project; `none` takes it away. */
  role: "lead" | "member" | "reporter" | "viewer" | "none";
}

export interface ProjectsMembers {
  /** Key of the project, or a former one. */
  key: string;
}

export interface ProjectsStatusDelete {
  /** Id of the status, from `projects.statuses`. */
  id: number;
}

export interface ProjectsStatusDraft {
  /** Key of the project, or a former one. */
  key: string;
  /** The last status unless given, else a week ago. */
  since?: number | null | undefined;
}

export interface ProjectsStatusPost {
  /** Key of the project, or a former one. */
  key: string;
  /** How it goes. */
  health: "on_track" | "at_risk" | "off_track" | "paused";
  /** How it goes in words, in Markdown. */
  body: string;
  /** True: it stands in the inboxes of the project's people. */
  notify?: boolean | null | undefined;
}

export interface ProjectsStatuses {
  /** A project; all that you see unless given. */
  key?: string | null | undefined;
  /** Only what was said from this time on, in Unix seconds. */
  since?: number | null | undefined;
}

export interface ProjectsTemplateDelete {
  /** Id of the template, from `projects.templates`. */
  id: number;
}

export interface ProjectsTemplateSave {
  /** The template to change; left out: make one. */
  id?: number | null | undefined;
  /** Key of the project whose content it takes. */
  from?: string | null | undefined;
  /** What people choose it by, unique without case. */
  name: string;
  /** What it is for. */
  description?: string | null | undefined;
  /** In place of `from`. */
  content?: ProjectContent | null | undefined;
}

export type ProjectsTemplates = Record<string, never>;

export interface ProjectsUpdate {
  /** Key of the project, or a former one. */
  key: string;
  /** What people read. */
  name?: string | null | undefined;
  /** What it is for, in Markdown. */
  description?: string | null | undefined;
  /** Member who leads it; they get the role lead. */
  lead?: string | null | undefined;
  /** Who works in it: every member (`org`), those with a role and admins (`members`), or those with a role alone. */
  visibility?: "org" | "members" | "private" | null | undefined;
  /** Name of its icon. */
  icon?: string | null | undefined;
  /** Colour of it. */
  color?: string | null | undefined;
  /** Key or name of the type that a new issue has. */
  default_type?: string | null | undefined;
  /** Who gets a new issue that nobody was named for. */
  default_assignee?: "none" | "lead" | "component" | "rotation" | null | undefined;
  /** Not offered by this version. */
  estimate_scale?: number | null | undefined;
  /** Not offered by this version. */
  calendar?: number | null | undefined;
  /** What may be spent; null: no limit. */
  budget?: BudgetInput | null | undefined;
  /** First day, `YYYY-MM-DD`; an empty text clears it. */
  start_date?: string | "" | null | undefined;
  /** Last day, `YYYY-MM-DD`; an empty text clears it. */
  due_date?: string | "" | null | undefined;
  /** Words that projects are found by, the whole list. */
  labels?: readonly string[] | null | undefined;
  /** Name to on or off; those that are not named stay. */
  modules?: Record<string, boolean> | null | undefined;
  /** Whether reporters see their own issues or all. */
  reporters_see?: "own" | "all" | null | undefined;
  /** Whether an issue with open blockers may be closed with a warning, or not at all. */
  blockers?: "warn" | "refuse" | null | undefined;
  /** Closed issues that nobody changed for so many days are archived, once a day; null: never. */
  auto_archive_days?: number | null | undefined;
  /** Open ones are closed as cancelled. Those with open issues below, or that only an approval closes, stay. */
  auto_close_days?: number | null | undefined;
  /** Whether new issues wait to be sorted first. */
  triage?: boolean | null | undefined;
  /** The view that its issues are opened with: one on the project, or a shared one that is on none; null: none. */
  default_view?: number | null | undefined;
}

export interface ProviderModels {
  /** Id of the provider. */
  provider: string;
  /** All that it lists, and behind them allowed ones that it lists no more. */
  models: ModelEntry[];
}

/** How far a sign-in would come. */
export interface ProviderTrial {
  /** Whether each step went well. */
  ok: boolean;
  /** What was tried, in order; those behind one that failed are left out. */
  steps: TrialStep[];
  /** What it says of somebody; always null: nobody signs in for a trial. */
  claims: Record<string, unknown> | null;
}

export interface PurgedCount {
  /** Entries that are gone for good. */
  purged: number;
}

/** A browser that is pushed to. */
export interface PushDevice {
  /** What its owner calls it. */
  device: string;
  /** Since when, in Unix seconds. */
  added_at: number;
}

/** As `PushSubscription.toJSON()` has them in `keys`. */
export interface PushKeys {
  /** The browser's public key, base64url. */
  p256dh: string;
  /** The browser's secret, base64url. */
  auth: string;
}

/** What became of one write. */
export interface PushResult {
  /** That of the write. */
  id: string;
  /** `done` now, or before (`repeated`); `conflict`: others changed the same; `refused`: as the call alone is. */
  state: "done" | "repeated" | "conflict" | "refused";
  /** What it was about, such as `issue:57`: of something new, which it became; null where nothing was told of any. */
  subject: string | null;
  /** Its last event, as in `x-kb-seq`; null where it told nothing. */
  seq: number | null;
  /** What the operation answered, any JSON, where it is `done`; else null. */
  output: unknown;
  /** In a `conflict`: what others made of the same fields. */
  changes: PushedChange[];
  /** In a `conflict` over an `if_seq` or the like: the thing as it is now, any JSON; else null. */
  current: unknown;
  /** Where it is not done: the type of the problem without its path, such as `workflow-refused`. */
  problem: string | null;
  /** Where it is not done: why not, and what to mend. */
  detail: string | null;
}

/** The outcomes, in the order of the writes. */
export interface Pushed {
  /** One for each write, in their order. */
  results: PushResult[];
  /** The last event: all that was done is in a delta up to here. */
  seq: number;
}

/** What others made of a field that a write would change, too. */
export interface PushedChange {
  /** The thing, such as `issue:57`. */
  subject: string;
  /** The field, as events name it in their `changes`. */
  field: string;
  /** What it is by their change, any JSON; null for a long text, which its `get` answers. */
  value: unknown;
  /** Who changed it last. */
  actor: string;
  /** When, in Unix seconds. */
  created_at: number;
  /** The event that told it. */
  seq: number;
}

export interface PushedWrite {
  /** Yours, and another one for each write of this `client`: the same again is not done again. */
  id: string;
  /** Id of the operation, such as `issues.update`. */
  op: string;
  /** Its input, any JSON that it takes; `{}` unless given. */
  input?: unknown;
  /** The `seq` of what the client had when the person wrote: what others changed behind it is looked at. */
  base_seq: number;
}

/** What a query found. Whole numbers beyond 2^53, infinities and bytes are texts. */
export interface QueryResult {
  /** Names of the columns. */
  columns: string[];
  /** The rows, each a list of values in the order of the columns; 1,000 at most. */
  rows: unknown[][];
  /** Whether there are more rows than these. */
  truncated: boolean;
  /** How long it ran, in milliseconds. */
  ms: number;
}

/** A list of issues that the people of a desk work off. */
export interface Queue {
  /** Id of the queue. */
  id: number;
  /** Key of the desk's project. */
  project: string;
  /** What people choose it by. */
  name: string;
  /** Condition on the issues of the project, with present names; empty: all of them. */
  tql: string;
  /** What it is sorted by, as it stands behind `order by`; empty: by rank. */
  order: string;
  /** Fields that it shows; empty: the usual ones. */
  columns: string[];
  /** Id of the team whose work it is; null: none. */
  team: number | null;
  /** Its place among the others. */
  position: number;
  /** Issues in it now that the caller sees; -1: not known. */
  count: number;
  /** Those of them that are open behind their due date; -1: not known. */
  late: number;
}

/** A condition that narrows a board at a touch. */
export interface QuickFilter {
  /** Its id, which stays. */
  id: string;
  /** What stands on its button. */
  name: string;
  /** The condition, with present names. */
  tql: string;
}

/** When no mail and no push comes. */
export interface QuietHours {
  /** From this time of the day on, in the zone of your profile. */
  from: string;
  /** Up to this time; of the next day where it is not later. */
  to: string;
  /** Days on which it begins, 1 is Monday; all unless given. */
  days?: readonly number[] | null | undefined;
}

export interface Reaction {
  /** The emoji or short code. */
  emoji: string;
  /** Members who reacted with it. */
  count: number;
  /** Whether the caller is one of them. */
  mine: boolean;
  /** Who reacted with it: members' ids and `agent:<name>`. */
  who: string[];
}

/** Somebody for whom a subject is explained. */
export interface ReaderProfile {
  /** Key of the profile. */
  key: string;
  /** What it is called. */
  label: string;
  /** How to write for that reader. */
  instructions: string;
}

/** Each signs in once in place of a code. Shown this once. */
export interface RecoveryCodes {
  /** Ten codes, each of which signs in once. */
  recovery_codes: string[];
}

export interface Redelivered {
  /** Deliveries that are sent again. */
  queued: number;
}

export interface RefsPushed {
  /** How many places were kept. */
  refs: number;
  /** Keys that no flag of the project has; they are not kept. */
  unknown: string[];
  /** Keys of flags that are not archived, and that nothing there names. */
  unused: string[];
}

/** The other end of a relation. */
export interface RelatedIssue {
  /** Key of the issue. */
  key: string;
  /** Title of the issue. */
  title: string;
  /** Name of the lane it stands in. */
  status: string;
  /** Category of that lane. */
  category: "todo" | "in_progress" | "done";
}

/** A relation as it looks from one of its ends: `kind` is the key, `direction` `in` where this end is its object. */
export interface Relation {
  /** Id of the relation, for `issues.relation_delete`. */
  id: number;
  /** Key of its kind, such as `blocks`. */
  kind: string;
  /** `out`: this end is its subject; `in`: its object; `both`: the kind has no direction. */
  direction: "out" | "in" | "both";
  /** The issue at the other end. */
  issue: RelatedIssue;
  /** Days between the end of one and the start of the other, for scheduling. */
  lag_days: number;
  /** Who related them: a member's id or `agent:<name>`. */
  created_by: string;
  /** When they were related, in Unix seconds. */
  created_at: number;
}

export interface RelationInput {
  /** Key or name of a kind, or its inverse name: `blocks`, `blocked by`. */
  kind: string;
  /** The issue at the other end, by key. */
  key: string;
}

/** How issues can stand to each other: `blocks` and, the other way round, `blocked by`. */
export interface RelationKind {
  /** Key of the kind, such as `blocks`. */
  key: string;
  /** How the issue says it that the relation starts from: `blocks`. */
  name: string;
  /** How the other end says it: `blocked by`. */
  inverse: string;
  /** Whether its two ends differ. */
  directed: boolean;
  /** Whether it takes part in blocking and scheduling. */
  blocks: boolean;
  /** Colour as `#rrggbb`. */
  color: string;
  /** Whether every org has it and it cannot be taken away. */
  built_in: boolean;
}

export interface RenderedReply {
  /** What to say, in Markdown, with its placeholders filled in. */
  text: string;
}

/** A query that is kept, and what it last found. */
export interface Report {
  /** Id of the report. */
  id: number;
  /** What it is called. */
  name: string;
  /** One SELECT over the events, which it asks when it runs. */
  sql: string;
  /**
   * When it runs by itself: at 08:00 in the org's zone, `weekly` on Mondays, `monthly` on the first; `manual`: it
   * does not.
   */
  every: "manual" | "daily" | "weekly" | "monthly";
  /** Who is told when it has run: ids of members, `team:<id>` or `team:admins`. */
  recipients: string[];
  /** Who made it: a member's id. */
  created_by: string;
  /** Why its last run found nothing; null: it went well, or it never ran. */
  last_error: string | null;
  /** `columns` and the first 20 `rows` of its last run that went well, each value any JSON; null: none is kept. */
  last_result: unknown;
  /** How many rows that had, 1,000 at most; null: it never ran. */
  last_rows: number | null;
  /** When it last ran, in Unix seconds; null: never. */
  last_run_at: number | null;
  /** When it runs next by itself; null: it does not. */
  next_run_at: number | null;
}

/** A question of a form. */
export interface RequestField {
  /** Key of an own field, or `description`, `priority` or `due_date`. */
  field: string;
  /** What the customer reads; empty: the field's own name. */
  label: string;
  /** What to fill in; empty: the field's own description. */
  help: string;
  /** Whether it must be answered where it is shown. */
  required: boolean;
  /** Condition on what was answered before it, any JSON such as {`field`, `op`, `value`}; null: it is always shown. */
  show_if: Record<string, unknown> | null;
}

export interface RequestPeople {
  /** Who asked. */
  requester: DeskCustomer;
  /** Who else sees it on the portal and is mailed what is said. */
  participants: DeskCustomer[];
}

/** What may be asked for at a desk. */
export interface RequestType {
  /** Id of the request type. */
  id: number;
  /** Key of the desk's project. */
  project: string;
  /** What customers choose it by. */
  name: string;
  /** What it is for; empty: nothing said. */
  description: string;
  /** Name of its picture; empty: none. */
  icon: string;
  /** Heading that it stands under; empty: none. */
  group: string;
  /** Key of the issue type that a request becomes. */
  issue_type: string;
  /** The form, in order. */
  fields: RequestField[];
  /** Who has to agree first: members, teams and customers. */
  approvers: string[];
  /** Id of the issue template that fills in what the form does not ask; null: none. */
  template: number | null;
  /** Its place among the others. */
  position: number;
  /** Whether customers do not see it; its requests stay. */
  hidden: boolean;
}

/** What a reference stands for; where it is not there or not seen, `allowed` is false and the rest null. */
export interface Resolved {
  /** The reference as it was asked. */
  ref: string;
  /** What it stands for, such as `issue:12`; null: nothing that is seen. */
  subject: string | null;
  /** Its title; null: nothing that is seen. */
  title: string | null;
  /** Sort of thing; null: nothing that is seen. */
  kind: string | null;
  /** Path of its page on this server; null: none. */
  path: string | null;
  /** How it stands, such as the name of its lane; null: it has no such thing. */
  state: string | null;
  /** Whether it is there and the caller sees it. */
  allowed: boolean;
}

/** The subjects that are back, and the entries that are not. */
export interface Restored {
  /** Subjects that are back. */
  restored: string[];
  /** Entries that stay, with the reason. */
  failed: NotRestored[];
}

export interface Restoring {
  /** The job that does it; `jobs.get` says how far it is. */
  job: number;
}

export interface RetentionInput {
  /** Days that the audit log is kept; null: for ever. */
  audit_days?: number | null | undefined;
  /** Days that deleted things can be restored; null: for ever. */
  trash_days?: number | null | undefined;
  /** Days that events are kept; null: for ever. */
  events_days?: number | null | undefined;
  /** Days that files are kept; null: for ever. */
  attachments_days?: number | null | undefined;
}

/** Title and body as somebody wrote them. `diff` is the way from the asked revision to this one. */
export interface Revision {
  /** Number of the revision, from 1. */
  revision: number;
  /** When it was written, in Unix seconds. */
  at: number;
  /** Who wrote it: a member's id or `agent:<name>`. */
  who: string;
  /** Title as it was. */
  title: string;
  /** Description as it was, in Markdown. */
  body: string;
  /** Unified diff from the asked revision to this one; null where a text is too long. */
  diff?: string | null;
}

export interface Road {
  /** Key of the lane they left. */
  from: string;
  /** Key of the lane they came to. */
  to: string;
  /** How often issues went so. */
  count: number;
  /** Median of the hours that they stood in the lane before; null: nobody went so. */
  median_hours: number | null;
}

/** Who of a team is on call. Levels count from 1; a team without a rota has none. */
export interface Rota {
  /** Id of the team. */
  team: number;
  /** Who is asked first, second, and so on; empty: no rota. */
  levels: Level[];
  /** Who is on call when, in the days that were asked. */
  shifts: Shift[];
  /** Minutes after which the next level is asked; null: never by itself. */
  escalate_minutes: number | null;
}

export interface RotatedSecret {
  /** What signs its requests from now on, shown this once. */
  secret: string;
}

export interface RuleAction {
  /** The operation, such as `issues.update`; `automation.catalog` lists those that may be. */
  op: string;
  /**
   * Its input; texts may hold `{{key}}`, `{{title}}`, `{{actor}}`, `{{today+7d}}` and the like, and `{{answer}}` what
   * it feeds an answer of AI to.
   */
  input?: Record<string, unknown> | null | undefined;
  /** A query: run it for each issue that fits, 200 at most; the placeholders are then of that issue. */
  each?: string | null | undefined;
  /** With `ai.run`: what the model answers is applied without review, where the policy of AI lets rules do so. */
  apply?: boolean | null | undefined;
  /** `stop` (the default): what it refuses takes back the whole run. `go_on`: the rest stands without it. */
  on_error?: "stop" | "go_on" | null | undefined;
  /** So many minutes the run waits before it. */
  delay_minutes?: number | null | undefined;
}

export interface RuleRun {
  /** Its entry in the log, which says what came of it. */
  log: number;
}

/** What conditions may ask of a kind of subject. */
export interface RuleSubject {
  /** Kind of subject. */
  kind: string;
  /** Its fields. */
  fields: SubjectField[];
}

export interface RuleTrigger {
  /** `event`, `schedule`, `button`, `state`, or `hook`: a request from outside. */
  kind: "event" | "schedule" | "button" | "hook" | "state";
  /** With `event`: the kind of event, such as `issue.created`; `issue.*` is all that begin so. */
  event?: string | null | undefined;
  /**
   * With `event`: only of issues that fit. With `schedule`, `button` and `hook`: run for each issue that fits. With
   * `state`: the issues that are to fit.
   */
  tql?: string | null | undefined;
  /** With `schedule`: the times, as cron writes them, such as `0 9 * * mon-fri`. */
  every?: string | null | undefined;
  /** With `schedule`: the time zone, such as `Europe/Berlin`; left out: the org's. */
  zone?: string | null | undefined;
  /** With `button`: what the button says. */
  label?: string | null | undefined;
  /** Made by the server, for `hook`: leave it out. An empty text gives the rule another one: the old is void. */
  path?: string | null | undefined;
  /** With `state`: so long an issue has to fit. */
  minutes?: number | null | undefined;
}

/** A placeholder that inputs of actions may hold. */
export interface RuleVariable {
  /** It is written `{{name}}`. */
  name: string;
  /** What becomes of it. */
  title: string;
  /** Such as this. */
  example: string;
}

export interface Satisfaction {
  /** Groups that have ratings, in order. */
  rows: SatisfactionRow[];
}

export interface SatisfactionRow {
  /** What it stands for: a member's id, a request type's name, the Monday of a week, or `all`. */
  group: string;
  /** How many ratings there are. */
  answers: number;
  /** Their average, of five. */
  average: number;
  /** Ratings of one and two. */
  low: number;
}

/** `secret` is null for one that was there before. */
export interface SavedWebhook {
  /** Id of the webhook. */
  id: number;
  /** What it is called. */
  name: string;
  /** The address that events are posted to. */
  url: string;
  /** Kinds of events, such as `issue.created` or `issue.*`. */
  events: string[];
  /**
   * Key of the project whose events alone it hears, `(gone)` where the caller knows nothing of that; null: those of
   * all that its author sees.
   */
  project: string | null;
  /** Only events of issues that fit this condition; empty: all events. */
  tql: string;
  /** Names of headers that go along; their values are never shown. */
  headers: Record<string, null>;
  /** What of the subject goes along as `data`; empty: nothing. */
  fields: string[];
  /** Whether it is on. */
  enabled: boolean;
  /** So long events are gathered into one request; 0: each goes by itself. */
  batch_seconds: number;
  /** `failing`: the latest try was not taken; `disabled`: it is off. */
  state: "ok" | "failing" | "disabled";
  /** When it was last tried, in Unix seconds; null: never. */
  last_at: number | null;
  /** What the receiver answered then; null: nothing. */
  last_status: number | null;
  /** Tries since the last one that was taken. */
  failures: number;
  /** Whoever saved it last: it hears what they may hear of. */
  author: string;
  /** What signs its requests, shown this once; null: it has one already. */
  secret: string | null;
}

/** `id` is that of the schedule, or of the change request where the outcome is `changeRequest`. */
export interface Scheduled {
  /** Whether it waits for its time, or is a change request first. */
  outcome: "applied" | "unchanged" | "changeRequest";
  /** Id of the schedule, or of the change request. */
  id: number;
}

export interface ScoredArticle {
  /** Id of the page. */
  page: string;
  /** What it is about. */
  title: string;
  /** A piece of its text. */
  excerpt: string;
  /** How well it fits: the higher, the better. */
  score: number;
}

/** A key of client libraries. `value` is a client-side ID, which is public; a server key is shown once. */
export interface SdkKey {
  /** Id of the key, for `flags.key_revoke`. */
  id: number;
  /** Key of the environment that it opens. */
  environment: string;
  /** `server` for back ends, secret; `client` for browsers and apps, public. */
  kind: "server" | "client";
  /** Its last four characters. */
  last4: string;
  /** The client-side ID; null for a server key. */
  value: string | null;
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** When it ends, in Unix seconds; null: not by itself. */
  expires_at: number | null;
}

/** Something that was found. In `excerpt` the words stand between `<mark>` and `</mark>`, all else is escaped. */
export interface SearchHit {
  /** What was found, such as `issue:12`. */
  subject: string;
  /** Sort of thing, such as `issue`, `comment` or `project`. */
  kind: string;
  /** Its title. */
  title: string;
  /** The text around the words, as HTML with `<mark>` around them. */
  excerpt: string;
  /** Path of its page on this server. */
  path: string;
  /** Key of its project; null: none. */
  project: string | null;
  /** Key of its space of pages; null: none. */
  space: string | null;
  /**
   * Title of what it belongs to: of a file what it hangs on, of a page the one above it, else its space; null: of
   * nothing that tells it from others of its name.
   */
  within: string | null;
  /** Name of its lane; null: it has none. */
  status: string | null;
  /** How well it fits; greater is better, within one answer. */
  score: number;
  /** When it last changed, in Unix seconds. */
  updated_at: number;
  /** What it was found by. */
  why: "text" | "title" | "key" | "semantic" | "recent";
}

export interface SearchQuery {
  /**
   * Words, "phrases", -without, and `kind:`, `in:` (a project), `by:` (a person) and `is:` (`open`, `done`, `mine`,
   * `unassigned`, `archived`). A query in the query language is taken for one.
   */
  q: string;
  /**
   * `issue`, `page`, `comment`, `attachment`, `asset`, `project`, `space`, `member`, `team`, `label`, `view`,
   * `board`, `flag`; all unless given.
   */
  kinds?: readonly string[] | null | undefined;
  /** Key of the project, or a former one. */
  project?: string | null | undefined;
  /** Key of a space: pages of it, and what is on them. */
  space?: string | null | undefined;
  /** By meaning, where the org has a provider for it; else words. */
  semantic?: boolean | null | undefined;
  /** `next` of the page before; left out: the first page. */
  cursor?: string | null | undefined;
  /** Entries of a page; 50 unless given. */
  limit?: number | null | undefined;
}

export interface SearchRecent {
  /** `issue`; all unless given. */
  kinds?: readonly string[] | null | undefined;
  /** Entries of a page; 50 unless given. */
  limit?: number | null | undefined;
}

export interface SearchReindex {
  /** As in search.query; all unless given. */
  kinds?: readonly string[] | null | undefined;
}

export interface SearchSuggest {
  /** The beginning of what somebody types. */
  q: string;
  /** The subject where somebody is: issues of the same project come first. */
  context?: string | null | undefined;
  /** 12 unless given. */
  limit?: number | null | undefined;
}

/** `changes`: events by others since `previous`, when the caller last looked (null the first time). */
export interface Seen {
  /** Events by others since `previous`; the first time all of them. */
  changes: number;
  /** When the caller last looked; null: never before. */
  previous: Look | null;
}

/** A group of contexts; `used_by` names the flags and segments (`segment:<key>`) that ask for it. */
export interface Segment {
  /** Key of the flag project. */
  project: string;
  /** Key of the environment. */
  environment: string;
  /** Key of the segment, which rules name it by. */
  key: string;
  /** What people read. */
  name: string;
  /** Keys of users who are in it. */
  included: string[];
  /** Keys of users who are not in it, whatever the rules say. */
  excluded: string[];
  /** Keys of other kinds of contexts that are in it: {`contextKind`, `values`}. */
  included_contexts: Record<string, unknown>[];
  /** Keys of other kinds of contexts that are not in it: {`contextKind`, `values`}. */
  excluded_contexts: Record<string, unknown>[];
  /** Rules in order, by which others are in it. */
  rules: Record<string, unknown>[];
  /** What it is for; empty: nothing said. */
  description: string;
  /** Words to find it by. */
  tags: string[];
  /** Flags, and segments as `segment:<key>`, that ask for it. */
  used_by: string[];
}

/** What became of the wish to delete a segment. */
export interface SegmentDelete {
  /** Whether it is deleted; false: that waits for approval. */
  ok: boolean;
  /** Whether it was applied, or waits for approval. */
  outcome: "applied" | "unchanged" | "changeRequest";
  /** The change request; null: none was made. */
  change: FlagChange | null;
}

export interface SegmentUpdate {
  /** Whether it was applied, changed nothing, or waits for approval. */
  outcome: "applied" | "unchanged" | "changeRequest";
  /** The segment as it is now. */
  segment: Segment;
  /** The change request; null: none was made. */
  change: FlagChange | null;
}

export interface SentReply {
  /** Id of the comment. */
  id: number;
  /** When it goes, in Unix seconds: a note until then; null: it went. */
  send_at: number | null;
}

/** A place where somebody is signed in. `place` is null: this server knows no map of addresses. */
export interface Session {
  /** Id of the session, for `auth.session_revoke`. */
  id: string;
  /** What is signed in: a browser, a device or an app. */
  kind: "browser" | "device" | "app";
  /** What it calls itself, such as the name of the browser. */
  client: string;
  /** Network address it signed in from. */
  address: string;
  /** Where that address is; always null. */
  place: string | null;
  /** Whether this call came by it. */
  current: boolean;
  /** Until when it counts as confirmed, in Unix seconds; null: not confirmed. */
  elevated_until: number | null;
  /** When it began, in Unix seconds. */
  created_at: number;
  /** When it was last used, in Unix seconds. */
  last_seen_at: number;
  /** When it ends, in Unix seconds. */
  expires_at: number;
}

export interface Shift {
  /** Level of the rota, from 1. */
  level: number;
  /** Id of the member who is on call. */
  member: string;
  /** First second, in Unix seconds. */
  from: number;
  /** The second at which it is over, in Unix seconds. */
  to: number;
  /** Whether they stand in for somebody. */
  override: boolean;
}

/** How people may sign in. `signup_domains` and `allowed_networks` are null for who is no admin, and for none. */
export interface SignInPolicy {
  /** Whether everybody needs a second factor. */
  require_2fa: boolean;
  /** Characters that a new password holds at least. */
  password_min: number;
  /** Days after which a session ends, used or not. */
  session_days: number;
  /** Ways to sign in: `password`, `passkey`, `link` by mail, and ids of sign-in providers. */
  methods: string[];
  /** Mail domains whose people may join by themselves; null: none, or not told. */
  signup_domains: string[] | null;
  /** Networks to sign in and call from; null: everywhere, or not told. */
  allowed_networks: string[] | null;
}

/** Where people sign in elsewhere. `settings` and `has_secret` are null for who is no admin. */
export interface SignInProvider {
  /** Its short name, for `auth.oidc_start` and `methods` of the policy. */
  id: string;
  /** What it speaks; always `oidc` in this version. */
  kind: "oidc" | "saml" | "ldap";
  /** What its button says. */
  label: string;
  /** Whether it is used. */
  enabled: boolean;
  /** Whether people of `signup_domains` of the policy become members when they first come. */
  create_members: boolean;
  /** How it is reached; null: not told. */
  settings: Record<string, unknown> | null;
  /** Whether a secret is kept, sealed; null: not told. */
  has_secret: boolean | null;
}

/** A session was opened. `token` is empty where the browser got it as a cookie. */
export interface SignedIn {
  /** Secret of the session, for programs; empty where a browser got it as a cookie. */
  token: string;
  /** Who is signed in. */
  member: Member;
}

/** An issue, and how like it is: 1 where it has all the words. */
export interface Similar {
  /** An issue that is alike. */
  issue: Issue;
  /** How like it is, 0 to 1; 1 where it has all the words. */
  score: number;
}

/** Whether an issue could go that way now, and every rule that was asked. */
export interface Simulated {
  /** Whether the issue could go now. */
  allowed: boolean;
  /** Every rule that was asked, in order. */
  steps: Judged[];
}

/** An issue that stays as it is, and why. */
export interface Skipped {
  /** Issue that stays as it is. */
  key: string;
  /** Why it does. */
  reason: string;
}

/** A tree of pages under one key. */
export interface Space {
  /** Key, by which pages and links name it. */
  key: string;
  /** What people read. */
  name: string;
  /** `team`, `project` (follows the people of a project), `personal`, or `kb`: articles for a desk. */
  kind: "team" | "project" | "personal" | "kb";
  /** What it is for, in Markdown; empty: nothing said. */
  description: string;
  /** Name of its icon, or a sign; null: none. */
  icon: string | null;
  /** Key of the project that it follows; null: none. */
  project: string | null;
  /** Who works in it: every member (`org`, `public`), or those who were given a right (`members`). */
  visibility: "org" | "members" | "public";
  /** Id of the page that it opens with; null: none, or one that the caller does not see. */
  home: string | null;
  /** Id of the member who made it. */
  owner: string;
  /** After how many days a page should be looked at again; null: nobody is asked. */
  review_days: number | null;
  /** How many pages of it the caller sees, without archived ones. */
  pages: number;
  /** What the caller may do there; each level holds those before it. */
  my_level: "view" | "comment" | "edit" | "manage";
  /** When it was archived, in Unix seconds; null: it is not. */
  archived_at: number | null;
  /** Keys that it had before, which keep resolving. */
  former_keys: string[];
}

export interface SpacesArchive {
  /** Key of the space, in any case. */
  key: string;
  /** false brings it back. */
  on: boolean;
}

export interface SpacesDelete {
  /** Key of the space, in any case. */
  key: string;
  /** The key once more: with the space go its pages and all else in it. */
  confirm_key: string;
}

export interface SpacesGet {
  /** Key of the space, in any case. */
  key: string;
}

export interface SpacesList {
  /** Words in key or name. */
  q?: string | null | undefined;
  /** Only those of this sort. */
  kind?: "team" | "project" | "personal" | "kb" | null | undefined;
  /** True: archived ones too. */
  archived?: boolean | null | undefined;
}

export interface SpacesSave {
  /** 2 to 20 letters and digits, the first a letter. An unknown one makes a space; a key stays as it is. */
  key: string;
  /** What people read. */
  name: string;
  /**
   * `team` unless given. `project` follows the people of a project, `personal` is yours alone, `kb` holds articles
   * for a desk.
   */
  kind?: "team" | "project" | "personal" | "kb" | null | undefined;
  /** What it is for, in Markdown. */
  description?: string | null | undefined;
  /** Name of its icon, or a sign; an empty text clears it. */
  icon?: string | null | undefined;
  /** Key of the project, or a former one. */
  project?: string | null | undefined;
  /**
   * Who works in it: every member (`org`, which it is unless given, and `public`), or those who were given a right
   * (`members`).
   */
  visibility?: "org" | "members" | "public" | null | undefined;
  /** Id of the page that it opens with; null: none. */
  home?: string | null | undefined;
  /** After how many days a page should be looked at again; null: nobody is asked. */
  review_days?: number | null | undefined;
}

export interface SpacesStale {
  /** Key of the space, in any case. */
  key: string;
  /** For so many days nobody changed or opened them; left out: the `review_days` of the space, or 180. */
  days?: number | null | undefined;
}

export interface SpacesTree {
  /** Key of the space, in any case. */
  key: string;
  /** Id of the page whose children are asked for; left out: those at the top. */
  parent?: string | null | undefined;
  /** How many levels; 1 unless given. */
  depth?: number | null | undefined;
}

export interface Span {
  /** First character, counted from 0. */
  from: number;
  /** The character behind the last one. */
  to: number;
  /** What they were taken for, such as `priority: high`. */
  means: string;
}

/** Some weeks of work of a team, or of one or more projects. */
export interface Sprint {
  /** Id of the sprint. */
  id: number;
  /** What people choose it by. */
  name: string;
  /** Keys of its projects that the caller sees; empty: it is its team's alone. */
  projects: string[];
  /** Id of its team; null: none. */
  team: number | null;
  /** `planned`, `active` from its start, `done` when it is completed. */
  state: "planned" | "active" | "done";
  /** What it is for; empty: nothing said. */
  goal: string;
  /** First day, `YYYY-MM-DD`; null: not settled. */
  start_date: string | null;
  /** Last day, `YYYY-MM-DD`; null: not settled. */
  end_date: string | null;
  /** When it was started, in Unix seconds; null: it was not. */
  started_at: number | null;
  /** When it was completed, in Unix seconds; null: it was not. */
  completed_at: number | null;
  /** Member id -> how much they can do in it, in hours or points. */
  capacity: Record<string, number>;
  /** How much is in it. */
  counts: SprintCounts;
  /** Id of the page that looks back on it; null: none. */
  retro: string | null;
  /** How its like are made, where it made itself by that; null: somebody made it. */
  cadence: SprintCadence | null;
}

/** How sprints are made by themselves. */
export interface SprintCadence {
  /** How many weeks each takes. */
  weeks: number;
  /** The day of the week on which each starts: 0 is Sunday, 1 Monday. */
  starts_on: number;
  /** How many planned ones there always are. */
  ahead: number;
  /** Whether each starts by itself on its first day. */
  auto_start: boolean;
  /** Whether each is completed by itself when its last day is over. */
  auto_complete: boolean;
  /** Where unfinished issues go then: to the `next` planned sprint, or back to the `backlog`. */
  carry: "next" | "backlog";
}

/** An issue came into a sprint that runs, or left it. */
export interface SprintChange {
  /** Key of the issue. */
  key: string;
  /** Title of the issue. */
  title: string;
  /** How much it counts: its estimate; where nothing in the sprint is estimated, 1. */
  size: number;
  /** Whether it came in; else it left. */
  added: boolean;
  /** Who did that: a member's id, `agent:<name>`, `system` or the like; null: nobody knows any more. */
  by: string | null;
}

/** How much is in a sprint, of what the caller sees. */
export interface SprintCounts {
  /** Issues in it; of a done one, those that were in it when it was completed. */
  issues: number;
  /** Those that are done. */
  done: number;
  /** The sum of their estimates. */
  estimate: number;
  /** The sum of the estimates of those that are done. */
  estimate_done: number;
  /** Issues that came in after it started. */
  added: number;
  /** Issues that were in it when it started and left it. */
  removed: number;
}

/** How a sprint stood at the end of a day. */
export interface SprintDay {
  /** The day, `YYYY-MM-DD`. */
  date: string;
  /** What was not done: the sum of estimates; where nothing in it is estimated, how many issues. */
  left: number;
  /** What would be left if as much got done on each day. */
  ideal: number;
  /** All that was in it. */
  scope: number;
  /** What came in and what left on that day, the first 50, in the order of time. */
  changes: SprintChange[];
  /** How many changes of the day are left out of that. */
  more: number;
  /** How many were of issues that the caller does not see: told to admins, else 0. */
  hidden: number;
}

/** What one person has to do in a sprint. */
export interface SprintLoad {
  /** Who has it: a member's id or `agent:<name>`. */
  member: string;
  /** The sum of the estimates of what they lead in it; where nothing in it is estimated, how many issues. */
  planned: number;
  /** How much they can do; null: not said. */
  capacity: number | null;
  /** Days on which they are away; 0 where nothing is known of that. */
  absent_days: number;
}

/** What there is to plan a sprint by. */
export interface SprintPlan {
  /** The sprint, as it stands now. */
  sprint: Sprint;
  /** Open issues in no sprint that may go in, the first 200, project by project, each by rank. */
  backlog: Issue[];
  /** Who has how much to do, and who can do how much. */
  load: SprintLoad[];
  /** Keys of the first of the backlog that fit in, going by what the last three done sprints got done. */
  suggest: string[];
}

/** What came of a sprint, of what the caller sees. */
export interface SprintReport {
  /** The sprint, as it stands now. */
  sprint: Sprint;
  /** Issues that got done in it. */
  done: Issue[];
  /** Issues that were in it and did not get done. */
  unfinished: Issue[];
  /** Keys of those that came in after it started. */
  added: string[];
  /** Keys of those that were in it when it started and left it. */
  removed: string[];
  /** How it stood day by day. */
  days: SprintDay[];
  /** How much of what was in it at the start got done in it, from 0 to 1. */
  said_done: number;
}

export interface SprintsAdd {
  /** Id of the sprint. */
  id: number;
  /** Issues to put in, by key. */
  keys: readonly string[];
  /** Whether the sprint that they leave stays among their former ones (`past_sprints`); a done one does anyway. */
  keep_old?: boolean | null | undefined;
}

export interface SprintsCadenceSet {
  /** Id of the team whose sprints they are; one of the two. */
  team?: number | null | undefined;
  /** Key of the project whose sprints they are. */
  project?: string | null | undefined;
  /** How many weeks each takes; 0 ends it, and the sprints that are there stay. */
  weeks: number;
  /** The day of the week on which each starts: 0 is Sunday, 1 Monday. */
  starts_on: number;
  /** How many planned ones there always are; 1 unless given. */
  ahead?: number | null | undefined;
  /** Whether each starts by itself on its first day; not unless given. */
  auto_start?: boolean | null | undefined;
  /** Whether each is completed by itself when its last day is over; not unless given. */
  auto_complete?: boolean | null | undefined;
  /** Where unfinished issues go then: to the `next` planned one, or to the `backlog`; `next` unless given. */
  carry?: "next" | "backlog" | null | undefined;
}

export interface SprintsCapacitySet {
  /** Id of the sprint. */
  id: number;
  /** Member (id, `me`, `@handle`) -> how much they can do, in hours or points; who is not named has none said. */
  capacity: Record<string, number>;
}

export interface SprintsComplete {
  /** Id of the sprint. */
  id: number;
  /**
   * Where issues go that are not done: to the `next` planned one of its team or projects, to the `backlog`, or to the
   * `sprint` that is named.
   */
  unfinished: "next" | "backlog" | "sprint";
  /** Id of the sprint that they go to, with `sprint`. */
  sprint?: number | null | undefined;
  /** What there is to say of it; it stands in the event. */
  note?: string | null | undefined;
}

export interface SprintsCreate {
  /** What people choose it by. */
  name: string;
  /** Keys of the projects whose issues go in; left out: it is of its team alone. */
  projects?: readonly string[] | null | undefined;
  /** Id of its team; null: none. */
  team?: number | null | undefined;
  /** What it is for. */
  goal?: string | null | undefined;
  /** First day. */
  start_date?: string | null | undefined;
  /** Last day. */
  end_date?: string | null | undefined;
}

export interface SprintsDelete {
  /** Id of the sprint. */
  id: number;
}

export interface SprintsGet {
  /** Id of the sprint. */
  id: number;
}

export interface SprintsList {
  /** Those of this project alone. */
  project?: string | null | undefined;
  /** Those of this team alone. */
  team?: number | null | undefined;
  /** `planned`, `active` or `done` ones alone. */
  state?: "planned" | "active" | "done" | null | undefined;
}

export interface SprintsPlan {
  /** Id of the sprint. */
  id: number;
}

export interface SprintsRemove {
  /** Id of the sprint. */
  id: number;
  /** Issues to take out, by key. */
  keys: readonly string[];
}

export interface SprintsReopen {
  /** Id of the sprint. */
  id: number;
}

export interface SprintsReport {
  /** Id of the sprint. */
  id: number;
}

export interface SprintsStart {
  /** Id of the sprint. */
  id: number;
  /** First day; that which is set unless given, else today. */
  start_date?: string | null | undefined;
  /** Last day; that which is set unless given. */
  end_date?: string | null | undefined;
  /** What it is for; as it is unless given. */
  goal?: string | null | undefined;
}

export interface SprintsUpdate {
  /** Id of the sprint. */
  id: number;
  /** What people choose it by. */
  name?: string | null | undefined;
  /** An empty text clears it. */
  goal?: string | null | undefined;
  /** First day; null: it stays. */
  start_date?: string | null | undefined;
  /** Last day; null: it stays. */
  end_date?: string | null | undefined;
  /** Id of the page that looks back on it; null: none. */
  retro?: string | null | undefined;
}

/**
 * `reason` is `serves_one`, `not_evaluated` or `never_evaluated`, a colon, and the same in words with the variation
 * and the days; `since` is when that began in the last environment where it did.
 */
export interface StaleFlag {
  /** Key of the flag. */
  key: string;
  /** `serves_one`, `not_evaluated` or `never_evaluated`, a colon, and the same in words. */
  reason: string;
  /** When that began, in Unix seconds. */
  since: number;
}

/** Something that the caller starred. Nobody else is told of it. */
export interface Star {
  /** Id of the star, for `stars.reorder`. */
  id: number;
  /** What it is on, such as `issue:12`. */
  subject: string;
  /** What that is called. */
  title: string;
  /** What the caller calls it; null: by its title. */
  label: string | null;
  /** Folder that it lies in; null: none. */
  folder: string | null;
  /** Its place among all stars of the caller, from 0 on; those of what they do not see have places, too. */
  position: number;
}

export interface StarsReorder {
  /** Stars of yours in their new order: they share out the places that they have. Others stay where they are. */
  ids: readonly number[];
  /** Folder to put them into; null takes them out of theirs. Left out: each stays in its own. */
  folder?: string | null | undefined;
}

export interface StarsSet {
  /** What to star: `WEB-1`, `project:WEB`, `view:3` or any other thing that you see. */
  subject: string;
  /** False takes the star away. */
  on: boolean;
  /** Folder to put it into; null takes it out of its folder. Folders are there as long as something lies in them. */
  folder?: string | null | undefined;
  /** What you call it; null: by its title. */
  label?: string | null | undefined;
}

export interface Started {
  /** The job that does it; `jobs.get` says how far it is. */
  job: number;
}

/** What somebody is up to. */
export interface Status {
  /** An emoji for it; empty: none. */
  emoji: string;
  /** What they are up to. */
  text: string;
  /** When it goes by itself, in Unix seconds; null: it stays. */
  until: number | null;
}

/** A text to begin with, and the facts in it. */
export interface StatusDraft {
  /** A text to begin with, in Markdown. */
  text: string;
  /** What moved. */
  facts: Fact[];
}

export interface StatusInput {
  /** An emoji for it. */
  emoji?: string | null | undefined;
  /** What you are up to. */
  text?: string | null | undefined;
  /** Unix seconds at which it goes by itself. */
  until?: number | null | undefined;
}

export interface SubjectField {
  /** What conditions call it. */
  name: string;
  /** Sort of its values. */
  kind: string;
}

export interface SubjectsResolve {
  /** `kind:id`, issue keys, addresses of this site, `@handle` or `#label`. */
  refs: readonly string[];
}

export interface SubjectsUnfurl {
  /** The address of a page, http or https. */
  url: string;
}

/** Who gets a view by mail, how often, and at what time of their day. */
export interface Subscription {
  /** Id of the member who gets it. */
  who: string;
  /** When: on a change, each day or each week. */
  every: "change" | "daily" | "weekly";
  /** Time of their day, `HH:MM`; null: on a change. */
  at: string | null;
}

export interface SuggestedArticle {
  /** Id of the page. */
  id: string;
  /** What it is about. */
  title: string;
  /** A piece of its text. */
  excerpt: string;
}

/** A line of the palette. `hint` says where it is. */
export interface Suggestion {
  /** Sort of thing, such as `issue`, `project`, `member` or `command`. */
  kind: string;
  /** What to name it by, such as the key. */
  id: string;
  /** What people read. */
  title: string;
  /** Where it is, such as its key or handle. */
  hint: string;
  /** Keys that do the same. */
  shortcut?: string;
}

/** An address that mail came back from for good. */
export interface SuppressedAddress {
  /** The address, in small letters. */
  address: string;
  /** What was said. */
  reason: string;
  /** Since when nothing is sent there, in Unix seconds. */
  at: number;
}

/** One row of a board. */
export interface Swimlane {
  /** Any JSON value: that of the field that its issues have; null: none. One with several stands in a row for each. */
  value: unknown;
  /** How many issues stand in it. */
  count: number;
  /** The sum of their estimates. */
  estimate: number;
  /** What of it stands in each column. */
  columns: SwimlaneCell[];
}

/** Where a row and a column meet. */
export interface SwimlaneCell {
  /** Id of the column. */
  id: string;
  /** How many issues stand there. */
  count: number;
  /** The sum of their estimates. */
  estimate: number;
  /** Those of them that are among the issues of the columns here. */
  keys: string[];
}

/** What became of things since then. */
export interface SyncDelta {
  /** Pass it as `since` in the next call. */
  seq: number;
  /** Another number than before means that you see something else now. */
  access: number;
  /** Things that came or changed, each once, however often it did. */
  upserts: SyncRows[];
  /** What was deleted, what left the scopes, and what you may no longer see. */
  gone: SyncGone[];
  /** Whether there is more: call again. */
  more: boolean;
  /** Whether too much changed to be told: begin again with `sync.snapshot`. */
  reset: boolean;
}

export interface SyncDeltaInput {
  /** The `seq` of the snapshot or of the delta before. */
  since: number;
  /**
   * The `access` of the snapshot or of the delta before: where it is another now, `reset` says so. Send it,
   * or compare what comes back.
   */
  access?: number | null | undefined;
  /** Kinds to tell of, such as `issue` and `label`; left out: all. */
  parts?: readonly string[] | null | undefined;
  /** Those of the small kinds that you have: the others come whole, each time that you ask. */
  etags?: readonly string[] | null | undefined;
  /** What is kept, as in sync.snapshot. */
  scopes?: SyncScopes | undefined;
}

/** Things that are there no more, or not for you. */
export interface SyncGone {
  /** Kind of the things. */
  kind: string;
  /** As in the first column of their rows. */
  ids: unknown[];
}

/** Things of one kind, by columns. */
export interface SyncPart {
  /** Kind of the things, such as `issue` or `label`. */
  kind: string;
  /** `org` for all of the kind that you see, `project:WEB` for those of a project, of which several parts may come. */
  scope: string;
  /** Names these values: send it in `etags` and they are left out while they stay as they are. */
  etag: string;
  /** Whether `etags` had it, and the values are left out. */
  unchanged: boolean;
  /** Names of the columns; the first names the thing. */
  columns: string[];
  /** Those of each column, in the order of `columns`: the first list names the things, the others stand beside it. */
  values: unknown[][];
}

export interface SyncPush {
  /** The installation that writes, as in the header `X-KB-Client`; it comes back as `origin` in the events. */
  client: string;
  /** Done in this order. */
  writes: readonly PushedWrite[];
}

/** Things that are there, as they are now. */
export interface SyncRows {
  /** Kind of the things. */
  kind: string;
  /** Names of the columns; the first names the thing. */
  columns: string[];
  /** The things, each with its values in the order of `columns`. */
  rows: unknown[][];
  /** Whether these are all that you see of the kind: any other is gone. */
  whole: boolean;
  /** Names these rows, for `etags`; null where they are not the whole. */
  etag: string | null;
}

/** What a client keeps. */
export interface SyncScopes {
  /**
   * Keys of projects whose issues are kept; left out: all that you see. What you do not see is left out, silently:
   * a client goes on when it loses one.
   */
  projects?: readonly string[] | null | undefined;
  /** Keys of spaces whose pages are kept; there are none yet. */
  spaces?: readonly string[] | null | undefined;
  /** Issues that were done longer ago are not kept. What grows too old is not told: drop it yourself. */
  closed_days?: number | undefined;
}

/** What there is. With `next` there is more of it; `seq` and `access` are those of the first page on all. */
export interface SyncSnapshot {
  /** Pass it to `sync.delta` as `since`. */
  seq: number;
  /** Stands for who you are and what you may see: another number means that it is something else now. */
  access: number;
  /** What is kept, open issues before those that are done. */
  parts: SyncPart[];
  /** Pass it as `cursor` to go on; null: that was all. */
  next: string | null;
}

export interface SyncSnapshotInput {
  /** What is kept. */
  scopes?: SyncScopes | undefined;
  /** Kinds to send, such as `issue` and `label`; left out: all. */
  parts?: readonly string[] | null | undefined;
  /** Those of parts that you have: their rows are left out where they are the same. */
  etags?: readonly string[] | null | undefined;
  /** `next` of the page before; left out: the first page. */
  cursor?: string | null | undefined;
}

/** A group of members. `builtin` is true of the admins alone, who follow the roles. */
export interface Team {
  /** Id of the team; 0 is the admins'. */
  id: number;
  /** What people read. */
  name: string;
  /** What `@` names it by, without the sign. */
  handle: string;
  /** What it is for, in Markdown; empty: nothing said. */
  description: string;
  /** Name of its icon; null: none. */
  icon: string | null;
  /** Id of the team above; null: none. */
  parent: number | null;
  /** Whether members come and go by themselves. */
  open: boolean;
  /** Whether it is the admins' team, which follows the roles. */
  builtin: boolean;
  /** Who is in it, as far as the caller sees them. */
  members: TeamMember[];
  /** Id of the calendar of working days; null: the org's. */
  calendar: number | null;
  /** Whether a directory keeps it. */
  managed: boolean;
}

export interface TeamMember {
  /** Id of the member. */
  who: string;
  /** Whether they lead it. */
  role: "lead" | "member";
}

export interface TeamsDelete {
  /** Id of the team. */
  id: number;
  /** The team that takes its place in projects and over its sub-teams. */
  move_to?: number | null | undefined;
}

export interface TeamsGet {
  /** 0 stands for the admins. */
  id: number;
}

export interface TeamsList {
  /** Words in name, handle or description. */
  q?: string | null | undefined;
  /** True: those that you are in. */
  mine?: boolean | null | undefined;
}

export interface TeamsMemberSet {
  /** Id of the team. */
  id: number;
  /** Member id, e-mail address, `@handle` or `me`. */
  who: string;
  /** Whether they lead it; `none` takes them out. */
  role: "lead" | "member" | "none";
}

export interface TeamsOnCall {
  /** One team; left out: every team that you see. */
  team?: number | null | undefined;
  /** Unix seconds; now unless given. */
  at?: number | null | undefined;
}

export interface TeamsRota {
  /** Id of the team. */
  id: number;
  /** The first day, `YYYY-MM-DD`. */
  from: string;
  /** The last day, inclusive; at most 366 days. */
  to: string;
}

export interface TeamsRotaOverride {
  /** Id of the team. */
  id: number;
  /** Who stands in. */
  member: string;
  /** When they begin, in Unix seconds. */
  from: number;
  /** Unix seconds, exclusive; at most 366 days later. */
  to: number;
  /** 1 unless given. */
  level?: number | null | undefined;
}

export interface TeamsRotaSave {
  /** Id of the team. */
  id: number;
  /** Who is asked first, second, ...; none takes the rota away. */
  levels: readonly LevelInput[];
  /** The time zone of handovers and hours. */
  zone: string;
  /** After how long the next level is asked; null: never by itself. */
  escalate_minutes?: number | null | undefined;
}

export interface TeamsSave {
  /** The team to change; left out: make one. */
  id?: number | null | undefined;
  /** What people read, unique without case. */
  name: string;
  /** Made from the name unless given. */
  handle?: string | null | undefined;
  /** What it is for, in Markdown. */
  description?: string | null | undefined;
  /** The team above; null: none. */
  parent?: number | null | undefined;
  /** Name of its icon. */
  icon?: string | null | undefined;
  /** Members come and go by themselves. */
  open?: boolean | null | undefined;
  /** Not offered by this version. */
  calendar?: number | null | undefined;
}

export interface TemplateChild {
  /** A name of yours for it, by which others here call it. */
  ref: string;
  /** Refs of other children that it blocks. */
  blocks?: readonly string[] | null | undefined;
  /** As for `issues.create`, with `{{...}}` in texts. */
  input: Record<string, unknown>;
}

export interface Tested {
  /** Whether it went out. */
  ok: boolean;
  /** Where to, or what to mend. */
  detail: string;
}

/** A secret for an authenticator app: base32, and as an `otpauth://` address for a QR code. */
export interface TotpSecret {
  /** The secret in base32, to type. */
  secret: string;
  /** The secret as an `otpauth://` address, for a QR code. */
  uri: string;
}

export interface TqlCheck {
  /** A text of the query language. */
  tql: string;
  /**
   * What the text is about where it does not say so: `issues` (unless given), `comments`, `attachments`, `assets`,
   * `projects`, `members`.
   */
  from?: string | null | undefined;
}

/** `tree` and `normal` are there where nothing is wrong. */
export interface TqlChecked {
  /** Whether it can be run. */
  ok: boolean;
  /** What is wrong, five at most. */
  errors: TqlFault[];
  /** How the text is read, as nested conditions; null: something is wrong. */
  tree: Record<string, unknown> | null;
  /** The text in its tidy form; null: something is wrong. */
  normal: string | null;
  /** What changed since the text was written, in words. */
  notices: string[];
}

/** One column of a result; `kind` is what its cells hold: text, name, person, number, duration, time, day, key. */
export interface TqlColumn {
  /** What the query calls it. */
  name: string;
  /** What its cells hold: text, name, person, number, duration, time, day, key and the like. */
  kind: string;
  /** What people read above it. */
  title: string;
  /** Something to know about its figures. */
  note?: string;
}

export interface TqlComplete {
  /** A text of the query language. */
  tql: string;
  /** Where the cursor stands: characters from the beginning. */
  cursor: number;
  /** Key of a project: its lanes, components and own fields only, beside the org's. */
  project?: string | null | undefined;
}

export interface TqlCompletion {
  /** What to put between `from` and `to`. */
  insert: string;
  /** What to show of it. */
  label: string;
  /** Sort of proposal. */
  kind: "field" | "value" | "operator" | "keyword" | "flag" | "relation" | "collection" | "function" | "source";
  /** A word more about it; null: none. */
  detail: string | null;
  /** First character to replace, counted from 0. */
  from: number;
  /** The character behind the last one to replace. */
  to: number;
}

export interface TqlCount {
  /** Rows that it finds, or groups where it groups. */
  count: number;
}

export interface TqlCountInput {
  /** A text of the query language. */
  tql: string;
}

export interface TqlExplain {
  /** A text of the query language. */
  tql: string;
  /** An issue: why it is in or out. */
  key?: string | null | undefined;
}

export interface TqlExplained {
  /** What the query means, in plain words. */
  text: string;
  /** Its conditions. */
  parts: TqlPart[];
  /** What the database is asked; null for who is no admin. */
  sql: string | null;
}

/** One thing that is wrong: where, why, what could stand there and what to write instead. */
export interface TqlFault {
  /** Where it begins: characters from the beginning, from 0. */
  position: number;
  /** Characters that it covers. */
  length: number;
  /** Line where it begins, from 1. */
  line: number;
  /** Character of that line, from 1. */
  column: number;
  /** What is wrong, in words. */
  message: string;
  /** What could stand there. */
  expected: string[];
  /** What to write instead. */
  suggestions: TqlSuggestion[];
}

/** A field that texts over a source may name; `values` where there is a list of them. */
export interface TqlField {
  /** What to write for it. */
  name: string;
  /** What it holds. */
  kind: string;
  /** Operators that it takes. */
  operators: string[];
  /** Functions that give values for it. */
  functions: string[];
  /** Names that may be written for it, the most used first, fifty at most. */
  values?: string[];
  /** Whether the org made it. */
  custom: boolean;
}

export interface TqlFields {
  /** What fields are of, such as `issues` (unless given). */
  from?: string | null | undefined;
  /** Key of a project: only own fields that its issues may have. */
  project?: string | null | undefined;
}

/** One condition: how it is looked up, how many rows it leaves, and whether the issue that was named fits. */
export interface TqlPart {
  /** The condition as it is written. */
  part: string;
  /** How it is looked up. */
  index: string;
  /** Rows that it leaves by itself, to 10,000; null: counting took too long. */
  rows: number | null;
  /** Whether it holds for the issue that was named. */
  matched?: boolean;
}

/** Rows as lists of cells. `total` is null above 10,000 rows; `hidden` counts what admins do not see. */
export interface TqlResult {
  /** What the cells of a row are, in order. */
  columns: TqlColumn[];
  /** Rows of this page, each a list of cells. */
  rows: unknown[][];
  /** What each row is about, such as `issue:12`; null: rows are groups. */
  subjects: string[] | null;
  /** Rows of all pages; null above 10,000. */
  total: number | null;
  /** Whether there are rows behind this page. */
  more: boolean;
  /** What to pass as `cursor` for the next page; null: this is the last. */
  next: string | null;
  /** Rows that fit and that the caller does not see; told to admins alone, else 0. */
  hidden: number;
  /** The query in its tidy form. */
  tql: string;
  /** How long it took in milliseconds, in steps of 100. */
  ms: number;
  /** What changed since the text was written, in words. */
  notices: string[];
}

export interface TqlRun {
  /** The query; empty finds every issue that you see and that is not archived. */
  tql: string;
  /** Columns, where the text has no `select`: fields or what is counted from them, such as `estimate * 2`. */
  fields?: readonly string[] | null | undefined;
  /** `next` of the page before; left out: the first page. */
  cursor?: string | null | undefined;
  /** Rows of a page; 50 unless given. A `limit` in the text bounds the whole result. */
  limit?: number | null | undefined;
}

export interface TqlSuggestion {
  /** Characters of the text to replace. */
  replace: string;
  /** What to put there. */
  with: string;
  /** Why, in words. */
  note: string;
}

export interface TqlTranslate {
  /** The query in the other language. */
  text: string;
  /** `plain`: everyday words, which need an AI provider. */
  language: "jql" | "youtrack" | "github" | "plain";
}

/** `notes` say what could not be carried over. */
export interface TqlTranslated {
  /** The text in the query language. */
  tql: string;
  /** What could not be carried over, in words. */
  notes: string[];
}

/**
 * Of the last 24 hours: how many evaluations, how many of them would or may be answered otherwise, and the share
 * of these. `why` is the sentence that decided the risk.
 */
export interface Traffic {
  /** Evaluations of the last 24 hours. */
  evaluations: number;
  /** Those that would or may be answered otherwise. */
  changed: number;
  /** The part of them that `changed` is, 0 to 1. */
  share: number;
  /** The sentence that decided the risk. */
  why: string;
}

export interface Transition {
  /** Key of the transition, unique in its workflow. */
  key: string;
  /** What people read. */
  name: string;
  /** Keys of the lanes it leaves; `*`: any. */
  from: string[];
  /** Key of the lane it leads to. */
  to: string;
  /** Roles, `team:<id>`, `reporter` or `assignee` who may go; empty: members. */
  who: string[];
  /** Conditions; where one fails it is as if it were not there. */
  if: Record<string, unknown>[];
  /** Conditions, each with a `message`; one that fails refuses the move. */
  check: Record<string, unknown>[];
  /** Fields to fill in on the way. */
  ask: Asked[];
  /** Who has to agree: members, `team:<id>` or `field:<key>`; empty: nobody. */
  approvers: string[];
  /** How many of them have to agree. */
  needed: number;
  /** Whether one who asks for approval may be one of them. */
  self_approval: boolean;
  /** Fields whose edit cancels an open request. */
  watch: string[];
  /** Operations that run behind the move. */
  then: Record<string, unknown>[];
  /** Query: once an edit makes it true of an issue, the transition runs by itself; null: never. */
  auto_when: string | null;
}

export interface TransitionAction {
  /** An operation that changes something and takes nothing away. */
  op: string;
  /** Its input; texts may hold `{{key}}`, `{{title}}`, `{{me}}`, `{{today+7d}}` and the like. */
  input?: Record<string, unknown> | null | undefined;
  /** TQL: run it for each issue that fits, 200 at most; the placeholders are then of that issue. */
  each?: string | null | undefined;
  /** Not offered by this version. */
  apply?: boolean | null | undefined;
  /** `stop` (the default): what it refuses refuses the move. `go_on`: the move stands without it. */
  on_error?: "stop" | "go_on" | null | undefined;
  /** Minutes to wait; nothing but 0 in this version. */
  delay_minutes?: number | null | undefined;
}

export interface TransitionField {
  /**
   * An own field by key or name; or title, body, assignee, priority, label, component, parent, estimate, start, due,
   * comment, outcome.
   */
  field: string;
  /** Whether it must hold something when the issue moves on. */
  required?: boolean | null | undefined;
}

export interface TrashEmpty {
  /** All kinds unless given. */
  kinds?: readonly string[] | null | undefined;
  /** Only what was deleted before this time. */
  before?: number | null | undefined;
}

/** A deleted thing. `items` counts it and what went with it; at `purge_at` it goes for good, null: never. */
export interface TrashEntry {
  /** Id of the entry. */
  id: number;
  /** What was deleted, such as `issue:12`. */
  subject: string;
  /** Sort of thing, such as `issue`. */
  kind: string;
  /** Its title. */
  title: string;
  /** When it was deleted, in Unix seconds. */
  deleted_at: number;
  /** Who deleted it: a member's id or `agent:<name>`. */
  deleted_by: string;
  /** When it goes for good, in Unix seconds; null: never by itself. */
  purge_at: number | null;
  /** Things in it: itself and what went with it. */
  items: number;
  /** Whether the caller may bring it back. */
  can_restore: boolean;
}

export interface TrashList {
  /** `issue`, `comment`, `project` and so on. */
  kind?: string | null | undefined;
  /** Key of the project, or a former one. */
  project?: string | null | undefined;
  /** Key of a space: what was deleted in it. */
  space?: string | null | undefined;
  /** Who deleted it. */
  by?: string | null | undefined;
  /** Words in the title. */
  q?: string | null | undefined;
  /** `next` of the page before; left out: the first page. */
  cursor?: string | null | undefined;
  /** Entries of a page; 50 unless given. */
  limit?: number | null | undefined;
}

export interface TrashPurge {
  /** Entries, from `trash.list`. */
  ids: readonly number[];
}

export interface TrashRestore {
  /** Entries, from `trash.list`. */
  ids: readonly number[];
  /** Where to put it when its old place is gone: an issue for a sub-issue; an empty text for none. */
  parent?: string | null | undefined;
}

/**
 * An issue and what stands under it. The sums are of itself and all below, as far as the caller sees it.
 *
 * `done` of `total` issues below are closed; `children` are trees again, empty below the asked depth.
 */
export interface Tree {
  /** The issue itself. */
  issue: Issue;
  /** Trees of the issues right below it; empty below the asked depth. */
  children: Tree[];
  /** Issues below that are closed. */
  done: number;
  /** Issues below. */
  total: number;
  /** Estimates of it and all below, added up. */
  estimate: number;
  /** Seconds of work on it and all below. */
  spent: number;
}

/** One issue of a tree. `parent` is the `ref` of another item, or the key of an issue that is there. */
export interface TreeItem {
  /** Key of its project; that of the tree unless given. */
  project?: string | null | undefined;
  /** What it is about, on one line. */
  title: string;
  /** Key or name of a type of the project; its default unless given. */
  type?: string | null | undefined;
  /** Description, in Markdown. */
  body?: string | null | undefined;
  /** The description as a rich document too: ProseMirror JSON. */
  body_doc?: string | null | undefined;
  /** A lane that one transition from the workflow's start leads to. */
  status?: string | null | undefined;
  /** How pressing it is; `none` unless set. */
  priority?: "urgent" | "high" | "medium" | "low" | "none" | null | undefined;
  /** Members, `agent:<name>` or `me`; the first leads. */
  assignees?: readonly string[] | null | undefined;
  /** Names of its labels. */
  labels?: readonly string[] | null | undefined;
  /** Names of its components. */
  components?: readonly string[] | null | undefined;
  /** Key of the issue above it; null: none, or none that the caller sees. */
  parent?: string | null | undefined;
  /** A planned or active sprint of its project. */
  sprint?: number | null | undefined;
  /** Id of its milestone; null: none. This version has no milestones. */
  milestone?: number | null | undefined;
  /** Names of releases that it is for: none can be named in this version. */
  releases?: readonly string[] | null | undefined;
  /** Names of releases that it was seen in: none can be named in this version. */
  affects?: readonly string[] | null | undefined;
  /** How much work it is, in points or what the team counts in; null: not estimated. */
  estimate?: number | null | undefined;
  /** First day, `YYYY-MM-DD`; null: none. */
  start_date?: string | null | undefined;
  /** Last day, `YYYY-MM-DD`; null: none. */
  due_date?: string | null | undefined;
  /** Values of own fields, by the field's key or name. */
  values?: Record<string, unknown> | null | undefined;
  /** `public`, `project` (unless given), `team:<id>` or `private`. */
  level?: string | null | undefined;
  /** A template of the org or the project: what it says counts where the input says nothing. */
  template?: number | null | undefined;
  /** Issues that it is related to from the start. */
  relations?: readonly RelationInput[] | null | undefined;
  /** Ids of files that you send to `/files/upload`, whole or not: each hangs on the issue when all of it is here. */
  uploads?: readonly string[] | null | undefined;
  /** Where it comes from, in a word or address of yours. */
  source?: string | null | undefined;
  /** Id at the sender: a pair of project and external that exists answers that issue, without an event. */
  external?: string | null | undefined;
  /** What it was elsewhere, for admins who import. */
  imported?: Imported | null | undefined;
  /** A name of yours for it, by which other items call it. */
  ref: string;
  /** The refs of items, or the keys of issues, that it blocks. */
  blocks?: readonly string[] | null | undefined;
}

/** A page in its tree. */
export interface TreeNode {
  /** Id of the page. */
  id: string;
  /** Its title. */
  title: string;
  /** Its icon; null: none. */
  icon: string | null;
  /** How many pages the caller sees right below it. */
  children: number;
  /** These pages, as deep as was asked for. */
  nodes?: TreeNode[];
}

/** One step of a trial. */
export interface TrialStep {
  /** What was tried. */
  step: "address" | "discovery" | "keys" | "token endpoint";
  /** Whether it went well. */
  ok: boolean;
  /** What was found, or what to mend. */
  detail: string;
}

/** What every change takes. */
export interface Tried {
  /** Check everything, change nothing, and answer what would have happened. */
  dry_run?: boolean | null | undefined;
}

/** When a rule runs. */
export interface Trigger {
  /**
   * `event`: something happened; `schedule`: at times; `button`: somebody runs it; `hook`: a request comes in;
   * `state`: an issue fits a query for some time.
   */
  kind: "event" | "schedule" | "button" | "hook" | "state";
  /** Kind of the event, `*` at its end for all that begin so; null: of another kind. */
  event: string | null;
  /** Only issues that fit this; null for whoever may not read it, and where there is none. */
  tql: string | null;
  /** The times, as cron writes them; null: of another kind. */
  every: string | null;
  /** The time zone that these are of; null: of another kind. */
  zone: string | null;
  /** What the button says; null: of another kind. */
  label: string | null;
  /** Where a request sets it off, which is for admins to read; null for others, and of another kind. */
  path: string | null;
  /** So long an issue has to fit; null: of another kind. */
  minutes: number | null;
}

export interface TypesDelete {
  /** Key or name of the type. */
  key: string;
  /** The type that its issues have from then on, with its level, workflow and fields. */
  move_to?: string | null | undefined;
}

export interface TypesList {
  /** Key of the project, or a former one. */
  project?: string | null | undefined;
}

export interface TypesProjectsSet {
  /** Key of the project, or a former one. */
  project: string;
  /** All types that its issues may have, in order. */
  types: readonly string[];
  /** Key or name of the one that a new issue has. */
  default?: string | null | undefined;
}

export interface TypesSave {
  /** An unknown one makes a type. */
  key: string;
  /** What people read, unique without case. */
  name: string;
  /** Name of its icon. */
  icon?: string | null | undefined;
  /** Colour as `#rrggbb`. */
  color?: string | null | undefined;
  /** 2 initiative, 1 epic, 0 work, -1 sub-task; 0 unless given. */
  level?: number | null | undefined;
  /** The workflow of its issues where a project has no other for them; null: the project's. */
  workflow?: number | null | undefined;
  /** When to use it. */
  description?: string | null | undefined;
  /** A template of the org for issues of this type, by name or id, which forms offer first; null: none. */
  template?: string | null | undefined;
}

export interface UndoApply {
  /** From the answer of a bulk change, or of undo.list. */
  token?: string | null | undefined;
  /** Any event of the change; one of the two. */
  seq?: number | null | undefined;
  /** Set back fields that were changed since, too. */
  force?: boolean | null | undefined;
  /** Say what would be set back and change nothing. */
  dry_run?: boolean | null | undefined;
}

export interface UndoList {
  /** Changes to answer; 20 unless given. */
  limit?: number | null | undefined;
  /** Name of an agent of yours: its changes only. */
  agent?: string | null | undefined;
}

/** A change of the last 24 hours. `why` says why it cannot be taken back. */
export interface Undoable {
  /** Number of the first event of the change. */
  seq: number;
  /** What to pass to `undo.apply`. */
  token: string;
  /** When it was made, in Unix seconds. */
  at: number;
  /** Operation that made it, such as `issues.update`. */
  op: string;
  /** What it did, in words. */
  summary: string;
  /** Whether it can be taken back. */
  can: boolean;
  /** Why it cannot be; null: it can. */
  why: string | null;
}

export interface Undone {
  /** What was set back, such as `issue:12`. */
  subject: string;
  /** What was taken back of it, in words. */
  what: string;
}

/** What a page says of itself; null where it says nothing. */
export interface Unfurled {
  /** Its title; null: not said. */
  title: string | null;
  /** Its description; null: not said. */
  text: string | null;
  /** Address of its picture; null: not said. */
  image: string | null;
  /** Name of the site; null: not said. */
  site: string | null;
}

export interface Unread {
  /** Entries that are unread then. */
  unread: number;
}

/** Calls and people by month; the newest first. */
export interface Usage {
  /** Figures by month, newest first. */
  months: UsageMonth[];
  /** Allowances by name; always empty. */
  limits: Record<string, number>;
  /** Calls by key. */
  by_key: UsageKey[];
}

export interface UsageKey {
  /** Id of the key. */
  key: string;
  /** What its owner calls it. */
  name: string;
  /** Calls in these months. */
  calls: number;
}

export interface UsageMonth {
  /** The month, `YYYY-MM`. */
  month: string;
  /** Calls of keys and agents. */
  machine_calls: number;
  /** Active members who were there. */
  people: number;
  /** Agents that called. */
  agents: number;
  /** Tokens of AI providers; 0 in this version. */
  ai_tokens: number;
  /** Mails that were sent; 0 in this version. */
  mails: number;
  /** Bytes of the database; 0 for months that are over. */
  storage_bytes: number;
  /** Requests for remote evaluation of flags, of one or of all. */
  flag_evaluations: number;
  /** Events that libraries for flags uploaded, each upload as 100 at least. */
  flag_events: number;
}

/** A project and its types that move along a workflow. */
export interface UsedBy {
  /** Key of the project. */
  project: string;
  /** Keys of its types that move along it. */
  types: string[];
}

export interface Verified {
  /** Whether every check passed. */
  ok: boolean;
  /** Each check with what it found. */
  checks: BackupCheck[];
}

/**
 * A saved query. `subscribed` says how often the caller gets it by mail.
 *
 * `count` is how many rows the caller sees now, or groups where the text groups. It is -1 where that is not known: the
 * text names what the caller does not see (tql.check says what), or counting took too long.
 */
export interface View {
  /** Id of the view. */
  id: number;
  /** What people choose it by. */
  name: string;
  /** The query, with present names. */
  tql: string;
  /** How its rows are shown. */
  layout: "list" | "board" | "table" | "calendar" | "timeline";
  /** Fields that it shows, or what is computed from them; empty: the usual ones. */
  columns: string[];
  /** Field that rows are grouped by; null: none. */
  group_by: string | null;
  /** Field that the rows of each group are grouped by in turn; null: none. */
  subgroup_by: string | null;
  /** Field that rows are sorted by, with `-` in front for descending; null: as the query says. */
  sort: string | null;
  /** Key of the project that it is on; null: none. */
  project: string | null;
  /** Id of the member who made it. */
  owner: string;
  /** Whether everybody sees it. */
  shared: boolean;
  /** Name of its icon; null: none. */
  icon: string | null;
  /** Its id at the sender; null: none. */
  external: string | null;
  /** How often the caller gets it by mail; null: never. */
  subscribed: "change" | "daily" | "weekly" | null;
  /** Rows that the caller sees now, or groups; -1: not known. */
  count: number;
  /** What one should know of its query, such as that something which it names was renamed or deleted. */
  notices: string[];
}

export interface ViewsCopy {
  /** Id of the view. */
  id: number;
  /** `Copy of` and its name unless given. */
  name?: string | null | undefined;
}

export interface ViewsDelete {
  /** Id of the view. */
  id: number;
}

export interface ViewsGet {
  /** Id of the view. */
  id: number;
}

export interface ViewsList {
  /** Only those on this project. */
  project?: string | null | undefined;
  /** Words in the name. */
  q?: string | null | undefined;
  /** Only those that you made. */
  mine?: boolean | null | undefined;
}

export interface ViewsSave {
  /** The view to change; left out: make one. */
  id?: number | null | undefined;
  /** What people choose it by. */
  name: string;
  /** The query, as `tql.run` takes it; kept as it is written, with its comments. Empty finds all issues. */
  tql: string;
  /** `list` unless given. */
  layout?: "list" | "board" | "table" | "calendar" | "timeline" | null | undefined;
  /** Fields of the query's source, or what is computed from them; empty: the usual ones. */
  columns?: readonly string[] | null | undefined;
  /** A field of the source. */
  group_by?: string | null | undefined;
  /** A field of the source, by which the rows of each group are grouped in turn; it needs `group_by` to be seen. */
  subgroup_by?: string | null | undefined;
  /** A field of the source, with `-` in front for descending; an `order by` in the query comes first. */
  sort?: string | null | undefined;
  /**
   * The project that it is on, whose members see and keep it; null: none, so that it is yours. What the query finds
   * is in its text alone.
   */
  project?: string | null | undefined;
  /** Everybody sees a view that is shared and on no project, guests too; each finds what they see themselves. */
  shared?: boolean | null | undefined;
  /** Name of its icon. */
  icon?: string | null | undefined;
  /** Id at the sender, unique among your views: one that you have already is answered as it is. */
  external?: string | "" | null | undefined;
}

export interface ViewsSubscribe {
  /** Id of the view. */
  id: number;
  /**
   * `change`: when the result is another one, every 15 minutes at most; `daily` and `weekly`: by the clock; `off`:
   * no more.
   */
  every: "off" | "change" | "daily" | "weekly";
  /** For `daily` and `weekly`: the time, in the zone of whoever gets it; 08:00 unless given. */
  at?: string | null | undefined;
  /** For `daily` and `weekly`: the days, 1 is Monday; all unless given, and Monday for `weekly`. */
  days?: readonly number[] | null | undefined;
  /** Members by id, `me`, `@handle` or address; you unless given. */
  for?: readonly string[] | null | undefined;
}

/** What one of those who are asked said. */
export interface Vote {
  /** Id of the member. */
  who: string;
  /** Whether they agree. */
  approve: boolean;
  /** What they said to it; empty: nothing. */
  note: string;
  /** When they said so last, in Unix seconds. */
  at: number;
}

/** How many have voted for an issue. */
export interface Votes {
  /** Members who have voted for it. */
  votes: number;
}

/** An answer that is to go at a time, or did not go then. */
export interface WaitingReply {
  /** Id of the internal note that it is; deleting that takes it back. */
  comment: number;
  /** Key of the request. */
  key: string;
  /** Who wrote it: a member's id, or `agent:<name>`. */
  author: string;
  /** What it says, in Markdown. */
  body: string;
  /** When it goes, in Unix seconds. */
  send_at: number;
  /** The lane that the request goes to then, by key or name; null: it stays. */
  status: string | null;
  /** Why it did not go; null: it waits. */
  failed: string | null;
}

/** Ids of the members who watch an issue now, as far as the caller sees them. */
export interface Watchers {
  /** Ids of members, as far as the caller sees them. */
  watchers: string[];
}

export interface Watching {
  /** Whether you watch it now. */
  watching: boolean;
}

/** A page elsewhere that belongs to an issue. */
export interface WebLink {
  /** Id of the link, for `issues.link_delete`. */
  id: number;
  /** Address of the page. */
  url: string;
  /** What the page is called here. */
  title: string;
  /** Sort of page, in a word, such as `design`. */
  kind: string;
  /** Address of its icon; null: none. */
  icon: string | null;
  /** Who added it: a member's id or `agent:<name>`. */
  created_by: string;
  /** When it was added, in Unix seconds. */
  created_at: number;
}

/** Where events are sent, and which. */
export interface Webhook {
  /** Id of the webhook. */
  id: number;
  /** What it is called. */
  name: string;
  /** The address that events are posted to. */
  url: string;
  /** Kinds of events, such as `issue.created` or `issue.*`. */
  events: string[];
  /**
   * Key of the project whose events alone it hears, `(gone)` where the caller knows nothing of that; null: those of
   * all that its author sees.
   */
  project: string | null;
  /** Only events of issues that fit this condition; empty: all events. */
  tql: string;
  /** Names of headers that go along; their values are never shown. */
  headers: Record<string, null>;
  /** What of the subject goes along as `data`; empty: nothing. */
  fields: string[];
  /** Whether it is on. */
  enabled: boolean;
  /** So long events are gathered into one request; 0: each goes by itself. */
  batch_seconds: number;
  /** `failing`: the latest try was not taken; `disabled`: it is off. */
  state: "ok" | "failing" | "disabled";
  /** When it was last tried, in Unix seconds; null: never. */
  last_at: number | null;
  /** What the receiver answered then; null: nothing. */
  last_status: number | null;
  /** Tries since the last one that was taken. */
  failures: number;
  /** Whoever saved it last: it hears what they may hear of. */
  author: string;
}

export interface WebhooksDelete {
  /** Id of the webhook, from `webhooks.list`. */
  id: number;
}

export interface WebhooksDeliveries {
  /** Id of the webhook. */
  id: number;
  /** Only those that stand so; left out: all of them. */
  state?: "queued" | "sent" | "failed" | "dropped" | null | undefined;
  /** `next` of the page before; left out: the first page. */
  cursor?: string | null | undefined;
  /** Entries of a page; 50 unless given. */
  limit?: number | null | undefined;
}

export interface WebhooksRedeliver {
  /** Deliveries, from `webhooks.deliveries`. */
  ids: readonly number[];
  /**
   * Sequence number of an event: everything behind it is sent again that these deliveries' webhooks hear. With no
   * `ids`: that every webhook hears which is on.
   */
  since?: number | null | undefined;
}

export interface WebhooksRotateSecret {
  /** Id of the webhook. */
  id: number;
  /** Hours that both secrets sign; left out: the new one alone. */
  keep_hours?: number | null | undefined;
}

export interface WebhooksSave {
  /** The webhook to change; left out: make one. */
  id?: number | null | undefined;
  /** What it is called. */
  name: string;
  /** Where events are posted, with `https` or `http`. */
  url: string;
  /**
   * Kinds of events, such as `issue.created`; `issue.*` is all that begin so, `*` all. None: it is told what
   * `webhooks.send` sends there alone.
   */
  events: readonly string[];
  /** Only what happens in this project; null: all that you may hear of. */
  project?: string | null | undefined;
  /** Only events of issues that fit this condition when they are told; empty: all events. */
  tql?: string | null | undefined;
  /** Headers that go along, the whole set; null in the place of a value keeps the one that is there. */
  headers?: Record<string, string | null> | null | undefined;
  /** What of the subject goes along as `data`, such as `title` and `assignees`. */
  fields?: readonly string[] | null | undefined;
  /** False switches it off; what waited is dropped. */
  enabled?: boolean | null | undefined;
  /** Gather events for so long into one request; 0: send each by itself. */
  batch_seconds?: number | null | undefined;
}

export interface WebhooksSend {
  /** Id of the webhook, from `webhooks.list`: it says the address, the headers and what signs. */
  id: number;
  /** The body of the request, as JSON, just as it is to come. */
  body: Record<string, unknown>;
}

export interface WebhooksTest {
  /** Id of the webhook, on or off. */
  id: number;
  /** Kind of event that the test is said to be; left out: one that the webhook hears. */
  event?: string | null | undefined;
}

/** A graph of lanes and the transitions between them. A draft is not in force, and for admins alone. */
export interface Workflow {
  /** Id of the workflow. */
  id: number;
  /** What people read. */
  name: string;
  /** Key of the lane in which issues begin. */
  start: string;
  /** Its lanes, in the order in which people see them. */
  lanes: Lane[];
  /** Ways between them, in order. */
  transitions: Transition[];
  /** Projects and types that move along it, as far as the caller sees them. */
  used_by: UsedBy[];
  /** Whether it is not in force yet. */
  draft: boolean;
  /** When it was last changed, in Unix seconds. */
  updated_at: number;
}

export interface WorkflowTransition {
  /** Which transition of the workflow it is, where it has one of this key; else a key is made from the name. */
  key?: string | null | undefined;
  /** What people read. */
  name: string;
  /** Lanes that it leaves, by key or name; `*` is any. */
  from: readonly string[];
  /** Lane it leads to, by key or name. */
  to: string;
  /**
   * Roles (the wider ones of a project too), `team:<id>`, `reporter`, `assignee`; none: members. Reporters go ways
   * that name `reporter`, with what they reported.
   */
  who?: readonly string[] | null | undefined;
  /** Conditions; where one fails it is as if the transition were not there. */
  if?: readonly Record<string, unknown>[] | null | undefined;
  /** Conditions, each with a `message`; one that fails when the asked fields are filled in refuses the move. */
  check?: readonly Record<string, unknown>[] | null | undefined;
  /** Fields to fill in on the way. A required one must hold something when the issue moves on. */
  ask?: readonly TransitionField[] | null | undefined;
  /** Members, `team:<id>` or `field:<key>` of a field that holds people. */
  approvers?: readonly string[] | null | undefined;
  /** How many of them have to agree; 1 unless said. */
  needed?: number | null | undefined;
  /** Whether one who asks for approval may be one of them. */
  self_approval?: boolean | null | undefined;
  /** Fields whose edit cancels an open request. */
  watch?: readonly string[] | null | undefined;
  /** Operations that run behind the move, in order. */
  then?: readonly TransitionAction[] | null | undefined;
  /** TQL: once an edit makes this true of an issue, the transition runs by itself. */
  auto_when?: string | null | undefined;
}

export interface WorkflowsAssign {
  /** Id of the workflow, from `workflows.list`. */
  id: number;
  /** Key of the project, or a former one. */
  project: string;
  /** Of the project, by key or name; none: all of them, and those that it will have. */
  types?: readonly string[] | null | undefined;
  /** Lane that the workflow lacks -> lane of it that takes its issues. */
  statuses?: Record<string, string> | null | undefined;
  /** Say what would move and change nothing. */
  dry_run?: boolean | null | undefined;
}

export interface WorkflowsCopy {
  /** Id of the workflow or draft. */
  id: number;
  /** Of the copy. */
  name: string;
}

export interface WorkflowsDelete {
  /** Id of the workflow or draft. */
  id: number;
  /** The workflow along which its issues move from then on. */
  move_to?: number | null | undefined;
}

export interface WorkflowsGet {
  /** Id of the workflow or draft. */
  id: number;
}

export interface WorkflowsList {
  /** Those that issues of this project move along. */
  project?: string | null | undefined;
}

export interface WorkflowsSave {
  /** The workflow, or the draft, to change; left out: make one. */
  id?: number | null | undefined;
  /** What people read, unique without case. */
  name: string;
  /** The lane in which issues begin. */
  start: string;
  /** By key or name, in the order in which people see them. */
  lanes: readonly string[];
  /** All of them, in order. */
  transitions: readonly WorkflowTransition[];
  /** Lane that goes -> lane that takes its issues. */
  statuses?: Record<string, string> | null | undefined;
  /** true keeps it beside what is in force; false puts it in force. Left out, it stays what it is. */
  draft?: boolean | null | undefined;
}

export interface WorkflowsSimulate {
  /** Id of the workflow or draft. */
  id: number;
  /** An issue; left out: one that begins in the workflow's start, of which the graph alone is asked. */
  key?: string | null | undefined;
  /** Lane to go to, by key or name. */
  to_status: string;
  /** A member; for admins. */
  as?: string | null | undefined;
}

export interface WorkflowsStats {
  /** Id of the workflow. */
  id: number;
  /** How far back; 90 unless given. */
  days?: number | null | undefined;
}

/** What somebody has before them on a day. */
export interface WorkloadDay {
  /** The day, as `YYYY-MM-DD`. */
  date: string;
  /** In the unit that was asked for, to two digits. */
  planned: number;
  /** What they can, to two digits; null where nobody said. */
  capacity: number | null;
}

/** How a call may be refused. */
export type ProblemSlug =
  | "ai-cap"
  | "ai-excluded"
  | "ai-off"
  | "allowance-used"
  | "approval-needed"
  | "busy"
  | "confirm-needed"
  | "conflict"
  | "elevation-needed"
  | "idempotency-mismatch"
  | "in-use"
  | "insufficient-scope"
  | "internal"
  | "invalid-input"
  | "invalid-json"
  | "master-key-lost"
  | "method-not-allowed"
  | "not-allowed"
  | "not-found"
  | "query-too-slow"
  | "rate-limited"
  | "stale"
  | "storage-full"
  | "too-large"
  | "tql-name"
  | "tql-syntax"
  | "tql-too-slow"
  | "unauthenticated"
  | "unknown-field"
  | "unsupported-type"
  | "upstream-failed"
  | "workflow-refused";

/** What may happen. */
export type EventKind =
  | "access.granted"
  | "access.revoked"
  | "ai.completed"
  | "ai.key_revoked"
  | "ai.key_set"
  | "ai.policy_changed"
  | "ai.profile_deleted"
  | "ai.profile_saved"
  | "ai.proposal_applied"
  | "ai.proposal_dismissed"
  | "ai.proposed"
  | "ai.provider_deleted"
  | "ai.provider_saved"
  | "approval.approved"
  | "approval.cancelled"
  | "approval.moved"
  | "approval.rejected"
  | "approval.requested"
  | "approval.voted"
  | "asset.created"
  | "asset.deleted"
  | "asset.linked"
  | "asset.updated"
  | "asset_type.deleted"
  | "asset_type.saved"
  | "attachment.added"
  | "attachment.deleted"
  | "attachment.expected"
  | "attachment.given_up"
  | "attachment.purged"
  | "attachment.restored"
  | "audit.exported"
  | "audit.trimmed"
  | "auth.device_approved"
  | "auth.factor_added"
  | "auth.factor_removed"
  | "auth.failed"
  | "auth.grant_revoked"
  | "auth.granted"
  | "auth.link_sent"
  | "auth.linked"
  | "auth.password_changed"
  | "auth.policy_changed"
  | "auth.provider_deleted"
  | "auth.provider_saved"
  | "auth.signed_in"
  | "auth.signed_out"
  | "auth.unlinked"
  | "backup.created"
  | "backup.failed"
  | "backup.restored"
  | "board.deleted"
  | "board.purged"
  | "board.restored"
  | "board.saved"
  | "canned.deleted"
  | "canned.saved"
  | "change.applied"
  | "change.cancelled"
  | "change.requested"
  | "change.reviewed"
  | "chat.connection_deleted"
  | "chat.connection_saved"
  | "chat.failed"
  | "chat.linked"
  | "chat.posted"
  | "chat.subscription_deleted"
  | "chat.subscription_saved"
  | "checklist.added"
  | "checklist.completed"
  | "checklist.deleted"
  | "checklist.updated"
  | "checklist_template.deleted"
  | "checklist_template.saved"
  | "comment.created"
  | "comment.deleted"
  | "comment.purged"
  | "comment.reacted"
  | "comment.reopened"
  | "comment.resolved"
  | "comment.restored"
  | "comment.updated"
  | "component.deleted"
  | "component.saved"
  | "desk.article_solved"
  | "desk.customer_blocked"
  | "desk.customer_created"
  | "desk.rated"
  | "desk.replied"
  | "desk.reply_failed"
  | "desk.request_created"
  | "desk.request_shared"
  | "desk.saved"
  | "draft.shared"
  | "environment.deleted"
  | "environment.saved"
  | "events.exported"
  | "export.created"
  | "field.deleted"
  | "field.option_merged"
  | "field.purged"
  | "field.restored"
  | "field.saved"
  | "flag.archived"
  | "flag.bypassed"
  | "flag.check_saved"
  | "flag.created"
  | "flag.linked"
  | "flag.plan_moved"
  | "flag.refs_pushed"
  | "flag.renamed"
  | "flag.restored"
  | "flag.scheduled"
  | "flag.trigger_saved"
  | "flag.updated"
  | "import.finished"
  | "import.started"
  | "import.undone"
  | "invite.accepted"
  | "invite.created"
  | "invite.revoked"
  | "issue.archived"
  | "issue.assigned"
  | "issue.blocked"
  | "issue.converted"
  | "issue.created"
  | "issue.deleted"
  | "issue.level_changed"
  | "issue.linked"
  | "issue.locked"
  | "issue.merged"
  | "issue.moved"
  | "issue.parent_changed"
  | "issue.purged"
  | "issue.ranked"
  | "issue.related"
  | "issue.restored"
  | "issue.split"
  | "issue.transitioned"
  | "issue.unarchived"
  | "issue.unblocked"
  | "issue.unlinked"
  | "issue.unlocked"
  | "issue.unrelated"
  | "issue.unvoted"
  | "issue.unwatched"
  | "issue.updated"
  | "issue.voted"
  | "issue.watched"
  | "job.failed"
  | "job.finished"
  | "key.created"
  | "key.revoked"
  | "key.rotated"
  | "key.seen"
  | "key.updated"
  | "label.deleted"
  | "label.merged"
  | "label.saved"
  | "lane.deleted"
  | "lane.saved"
  | "layout.saved"
  | "mail.bounced"
  | "mail.failed"
  | "mail.template_saved"
  | "member.data_exported"
  | "member.deactivated"
  | "member.erased"
  | "member.invited"
  | "member.joined"
  | "member.reactivated"
  | "member.role_changed"
  | "member.transferred"
  | "member.updated"
  | "org.banner_set"
  | "org.clock_confirmed"
  | "org.clock_stepped"
  | "org.modules_changed"
  | "org.updated"
  | "outbox.failed"
  | "page.archived"
  | "page.created"
  | "page.deleted"
  | "page.moved"
  | "page.published"
  | "page.purged"
  | "page.restored"
  | "page.restricted"
  | "page.updated"
  | "page.verified"
  | "page_template.deleted"
  | "page_template.saved"
  | "project.archived"
  | "project.created"
  | "project.deleted"
  | "project.key_changed"
  | "project.members_changed"
  | "project.purged"
  | "project.restored"
  | "project.status_deleted"
  | "project.status_posted"
  | "project.unarchived"
  | "project.updated"
  | "project_template.deleted"
  | "project_template.saved"
  | "queue.deleted"
  | "queue.saved"
  | "relation_kind.deleted"
  | "relation_kind.saved"
  | "replica.failed"
  | "report.deleted"
  | "report.ran"
  | "report.saved"
  | "request_type.deleted"
  | "request_type.saved"
  | "rule.deleted"
  | "rule.disabled"
  | "rule.failed"
  | "rule.ran"
  | "rule.saved"
  | "sdk_key.created"
  | "sdk_key.revoked"
  | "segment.deleted"
  | "segment.saved"
  | "segment.updated"
  | "space.archived"
  | "space.created"
  | "space.deleted"
  | "space.purged"
  | "space.restored"
  | "space.updated"
  | "sprint.completed"
  | "sprint.created"
  | "sprint.deleted"
  | "sprint.reopened"
  | "sprint.scope_changed"
  | "sprint.started"
  | "sprint.updated"
  | "team.deleted"
  | "team.members_changed"
  | "team.rota_saved"
  | "team.saved"
  | "template.deleted"
  | "template.saved"
  | "type.deleted"
  | "type.saved"
  | "view.deleted"
  | "view.purged"
  | "view.restored"
  | "view.saved"
  | "webhook.deleted"
  | "webhook.disabled"
  | "webhook.saved"
  | "workflow.assigned"
  | "workflow.deleted"
  | "workflow.saved";

/** Every operation: what it takes and answers. */
export interface Operations {
  "access.explain": { in: AccessExplain; out: Explanation; class: "read" };
  "access.grant_set": { in: AccessGrantSet; out: Grant[]; class: "write" };
  "access.grants": { in: AccessGrants; out: Grant[]; class: "read" };
  "activity.list": { in: ActivityList; out: Event[]; class: "read" };
  "activity.recent": { in: ActivityRecent; out: Event[]; class: "read" };
  "activity.seen": { in: ActivitySeen; out: Seen; class: "read" };
  "ai.allowed": { in: AiAllowed; out: AIAllowance[]; class: "read" };
  "ai.complete": { in: AiComplete; out: AICompletion; class: "write" };
  "ai.context": { in: AiContext; out: AIContext; class: "read" };
  "ai.explain": { in: AiExplain; out: AIExplanation; class: "write" };
  "ai.key_revoke": { in: AiKeyRevoke; out: AIPolicy; class: "destructive" };
  "ai.key_set": { in: AiKeySet; out: AIPolicy; class: "write" };
  "ai.policy": { in: Empty; out: AIPolicy; class: "read" };
  "ai.policy_set": { in: AiPolicySet; out: AIPolicy; class: "write" };
  "ai.profile_delete": { in: AiProfileDelete; out: ReaderProfile[]; class: "destructive" };
  "ai.profile_save": { in: AiProfileSave; out: ReaderProfile[]; class: "write" };
  "ai.profiles": { in: Empty; out: ReaderProfile[]; class: "read" };
  "ai.proposal_apply": { in: AiProposalApply; out: AIProposal; class: "write" };
  "ai.proposal_dismiss": { in: AiProposalDismiss; out: AIProposal; class: "write" };
  "ai.proposals": { in: AiProposals; out: AIProposal[]; class: "read" };
  "ai.provider_delete": { in: AiProviderDelete; out: AIPolicy; class: "destructive" };
  "ai.provider_models": { in: AiProviderModels; out: ProviderModels; class: "write" };
  "ai.provider_save": { in: AiProviderSave; out: AIPolicy; class: "write" };
  "ai.run": { in: AiRun; out: Started; class: "write" };
  "ai.summarize": { in: AiSummarize; out: AISummary; class: "write" };
  "ai.usage": { in: AiUsage; out: AIUsageRow[]; class: "write" };
  "analytics.export": { in: AnalyticsExport; out: ExportedEvents; class: "write" };
  "analytics.query": { in: AnalyticsQuery; out: QueryResult; class: "write" };
  "analytics.report_delete": { in: AnalyticsReportDelete; out: Report[]; class: "destructive" };
  "analytics.report_run": { in: AnalyticsReportRun; out: Report; class: "write" };
  "analytics.report_save": { in: AnalyticsReportSave; out: Report; class: "write" };
  "analytics.reports": { in: Empty; out: Report[]; class: "write" };
  "api.batch": { in: ApiBatch; out: Batch; class: "write" };
  "api.changes": { in: ApiChanges; out: Changes; class: "read" };
  "approvals.cancel": { in: ApprovalsCancel; out: ApprovalRequest; class: "write" };
  "approvals.decide": { in: ApprovalsDecide; out: ApprovalDecision; class: "write" };
  "approvals.list": { in: ApprovalsList; out: ApprovalRequest[]; class: "read" };
  "approvals.mine": { in: ApprovalsMine; out: ApprovalRequest[]; class: "read" };
  "approvals.request": { in: ApprovalsRequest; out: ApprovalRequest; class: "write" };
  "assets.create": { in: AssetsCreate; out: Asset; class: "write" };
  "assets.delete": { in: AssetsDelete; out: Ok; class: "destructive" };
  "assets.for_issue": { in: AssetsForIssue; out: Asset[]; class: "read" };
  "assets.get": { in: AssetsGet; out: Asset; class: "read" };
  "assets.list": { in: AssetsList; out: Asset[]; class: "read" };
  "assets.type_delete": { in: AssetsTypeDelete; out: AssetType[]; class: "destructive" };
  "assets.type_save": { in: AssetsTypeSave; out: AssetType[]; class: "write" };
  "assets.types": { in: Empty; out: AssetType[]; class: "read" };
  "assets.update": { in: AssetsUpdate; out: Asset; class: "write" };
  "attachments.add": { in: AttachmentsAdd; out: Attachment; class: "write" };
  "attachments.delete": { in: AttachmentsDelete; out: Attachment; class: "destructive" };
  "attachments.expect": { in: AttachmentsExpect; out: ExpectedFile[]; class: "write" };
  "attachments.expected": { in: AttachmentsExpected; out: ExpectedFile[]; class: "read" };
  "attachments.get": { in: AttachmentsGet; out: AttachmentContent; class: "read" };
  "attachments.list": { in: AttachmentsList; out: Attachment[]; class: "read" };
  "audit.export": { in: AuditExport; out: Export; class: "write" };
  "audit.list": { in: AuditList; out: AuditPage; class: "write" };
  "auth.device_approve": { in: AuthDeviceApprove; out: Ok; class: "write" };
  "auth.device_info": { in: AuthDeviceInfo; out: DeviceInfo; class: "read" };
  "auth.device_poll": { in: AuthDevicePoll; out: DevicePoll; class: "write" };
  "auth.device_start": { in: AuthDeviceStart; out: DeviceStarted; class: "write" };
  "auth.elevate": { in: AuthElevate; out: Elevated; class: "write" };
  "auth.grant_revoke": { in: AuthGrantRevoke; out: AppGrant[]; class: "destructive" };
  "auth.grants": { in: Empty; out: AppGrant[]; class: "read" };
  "auth.link_login": { in: AuthLinkLogin; out: LoginDone; class: "write" };
  "auth.link_request": { in: AuthLinkRequest; out: Ok; class: "write" };
  "auth.login": { in: AuthLogin; out: Login; class: "write" };
  "auth.login_verify": { in: AuthLoginVerify; out: LoginDone; class: "write" };
  "auth.logout": { in: Empty; out: Ok; class: "write" };
  "auth.me": { in: Empty; out: Me; class: "read" };
  "auth.oidc_finish": { in: AuthOidcFinish; out: OidcDone; class: "write" };
  "auth.oidc_start": { in: AuthOidcStart; out: OidcStarted; class: "write" };
  "auth.passkey_add": { in: AuthPasskeyAdd; out: Passkey[]; class: "write" };
  "auth.passkey_begin": { in: AuthPasskeyBegin; out: PasskeyCeremony; class: "write" };
  "auth.passkey_delete": { in: AuthPasskeyDelete; out: Passkey[]; class: "destructive" };
  "auth.passkey_login": { in: AuthPasskeyLogin; out: LoginDone; class: "write" };
  "auth.passkeys": { in: Empty; out: Passkey[]; class: "read" };
  "auth.password_change": { in: AuthPasswordChange; out: Ok; class: "write" };
  "auth.password_forgot": { in: AuthPasswordForgot; out: Ok; class: "write" };
  "auth.password_reset": { in: AuthPasswordReset; out: Ok; class: "write" };
  "auth.policy": { in: Empty; out: SignInPolicy; class: "read" };
  "auth.policy_set": { in: AuthPolicySet; out: SignInPolicy; class: "write" };
  "auth.provider_delete": { in: AuthProviderDelete; out: SignInProvider[]; class: "destructive" };
  "auth.provider_save": { in: AuthProviderSave; out: SignInProvider[]; class: "write" };
  "auth.provider_test": { in: AuthProviderTest; out: ProviderTrial; class: "write" };
  "auth.provider_unlink": { in: AuthProviderUnlink; out: LinkedProviders; class: "destructive" };
  "auth.providers": { in: Empty; out: SignInProvider[]; class: "write" };
  "auth.session_revoke": { in: AuthSessionRevoke; out: Session[]; class: "destructive" };
  "auth.sessions": { in: AuthSessions; out: Session[]; class: "read" };
  "auth.totp_begin": { in: Empty; out: TotpSecret; class: "write" };
  "auth.totp_confirm": { in: AuthTotpConfirm; out: RecoveryCodes; class: "write" };
  "auth.totp_disable": { in: AuthTotpDisable; out: Ok; class: "destructive" };
  "automation.catalog": { in: Empty; out: AutomationCatalog; class: "read" };
  "automation.delete": { in: AutomationDelete; out: DeletedRule; class: "destructive" };
  "automation.list": { in: Empty; out: AutomationRule[]; class: "read" };
  "automation.log": { in: AutomationLog; out: AutomationLogEntry[]; class: "read" };
  "automation.run": { in: AutomationRun; out: RuleRun; class: "write" };
  "automation.save": { in: AutomationSave; out: AutomationRule; class: "write" };
  "backups.create": { in: BackupsCreate; out: Backup; class: "write" };
  "backups.delete": { in: BackupsOne; out: Backup[]; class: "destructive" };
  "backups.fetch": { in: BackupsOne; out: Fetched; class: "write" };
  "backups.list": { in: Empty; out: Backups; class: "write" };
  "backups.restore": { in: BackupsRestore; out: Restoring; class: "destructive" };
  "backups.schedule_set": { in: BackupsScheduleSet; out: BackupSchedule; class: "write" };
  "backups.verify": { in: BackupsOne; out: Verified; class: "write" };
  "boards.columns_set": { in: BoardsColumnsSet; out: Board; class: "write" };
  "boards.copy": { in: BoardsCopy; out: Board; class: "write" };
  "boards.delete": { in: BoardsDelete; out: Board[]; class: "destructive" };
  "boards.get": { in: BoardsGet; out: Board; class: "read" };
  "boards.list": { in: BoardsList; out: Board[]; class: "read" };
  "boards.move": { in: BoardsMove; out: BoardMove; class: "write" };
  "boards.quick_filter_save": { in: BoardsQuickFilterSave; out: Board; class: "write" };
  "boards.save": { in: BoardsSave; out: Board; class: "write" };
  "boards.view": { in: BoardsView; out: BoardView; class: "read" };
  "chat.connection_delete": { in: ChatConnectionDelete; out: ChatConnection; class: "destructive" };
  "chat.connection_save": { in: ChatConnectionSave; out: ChatConnection; class: "write" };
  "chat.connections": { in: Empty; out: ChatConnection[]; class: "read" };
  "chat.subscription_delete": { in: ChatSubscriptionDelete; out: ChatSubscriptionGone; class: "destructive" };
  "chat.subscription_save": { in: ChatSubscriptionSave; out: ChatSubscription; class: "write" };
  "chat.subscription_test": { in: ChatSubscriptionTest; out: ChatSubscriptionTested; class: "write" };
  "chat.subscriptions": { in: Empty; out: ChatSubscription[]; class: "read" };
  "checklists.add": { in: ChecklistsAdd; out: Checklist; class: "write" };
  "checklists.apply": { in: ChecklistsApply; out: Checklist; class: "write" };
  "checklists.delete": { in: ChecklistsDelete; out: Deleted; class: "destructive" };
  "checklists.list": { in: ChecklistsList; out: Checklist; class: "read" };
  "checklists.reorder": { in: ChecklistsReorder; out: Checklist; class: "write" };
  "checklists.template_delete": { in: ChecklistsTemplateDelete; out: Deleted; class: "destructive" };
  "checklists.template_save": { in: ChecklistsTemplateSave; out: ChecklistTemplate[]; class: "write" };
  "checklists.templates": { in: Empty; out: ChecklistTemplate[]; class: "read" };
  "checklists.update": { in: ChecklistsUpdate; out: Checklist; class: "write" };
  "comments.create": { in: CommentsCreate; out: CommentId; class: "write" };
  "comments.delete": { in: CommentsDelete; out: CommentId; class: "destructive" };
  "comments.import": { in: CommentsImport; out: CommentId; class: "write" };
  "comments.list": { in: CommentsList; out: Comment[]; class: "read" };
  "comments.react": { in: CommentsReact; out: CommentId; class: "write" };
  "comments.resolve": { in: CommentsResolve; out: CommentId; class: "write" };
  "comments.update": { in: CommentsUpdate; out: CommentId; class: "write" };
  "components.delete": { in: ComponentsDelete; out: Component[]; class: "destructive" };
  "components.list": { in: ComponentsList; out: Component[]; class: "read" };
  "components.save": { in: ComponentsSave; out: Component; class: "write" };
  "desk.customer_add": { in: DeskCustomerAdd; out: CustomerPassword; class: "write" };
  "desk.customer_block": { in: DeskCustomerBlock; out: DeskCustomer; class: "write" };
  "desk.customer_reset": { in: DeskCustomerReset; out: CustomerPassword; class: "write" };
  "desk.customers": { in: DeskCustomers; out: DeskCustomer[]; class: "read" };
  "desk.deflection_stats": { in: DeskDeflectionStats; out: DeflectionStats; class: "read" };
  "desk.email_address": { in: DeskEmailAddress; out: MailPath; class: "write" };
  "desk.list": { in: Empty; out: Desk[]; class: "read" };
  "desk.portal_article": { in: DeskPortalArticle; out: PortalArticle; class: "write" };
  "desk.portal_comment": { in: DeskPortalComment; out: Ok; class: "write" };
  "desk.portal_create": { in: DeskPortalCreate; out: PortalRequest; class: "write" };
  "desk.portal_form": { in: DeskPortalForm; out: PortalForm; class: "write" };
  "desk.portal_info": { in: Empty; out: PortalDesk[]; class: "write" };
  "desk.portal_login": { in: DeskPortalLogin; out: PortalSession; class: "write" };
  "desk.portal_logout": { in: Empty; out: Ok; class: "write" };
  "desk.portal_me": { in: Empty; out: DeskCustomer; class: "write" };
  "desk.portal_request": { in: DeskPortalRequest; out: PortalThread; class: "write" };
  "desk.portal_requests": { in: Empty; out: PortalRequest[]; class: "write" };
  "desk.portal_signup": { in: DeskPortalSignup; out: PortalSignup; class: "write" };
  "desk.portal_solved": { in: DeskPortalSolved; out: Ok; class: "write" };
  "desk.portal_start_reset": { in: DeskPortalStartReset; out: Ok; class: "write" };
  "desk.portal_submit_reset": { in: DeskPortalSubmitReset; out: PortalSession; class: "write" };
  "desk.portal_suggest": { in: DeskPortalSuggest; out: SuggestedArticle[]; class: "write" };
  "desk.portal_survey": { in: DeskPortalSurvey; out: Ok; class: "write" };
  "desk.portal_transition": { in: DeskPortalTransition; out: PortalRequest; class: "write" };
  "desk.portal_update": { in: DeskPortalUpdate; out: DeskCustomer; class: "write" };
  "desk.portal_upload": { in: DeskPortalUpload; out: Attachment; class: "write" };
  "desk.portal_verify": { in: DeskPortalVerify; out: PortalSession; class: "write" };
  "desk.portal_view_file": { in: DeskPortalViewFile; out: AttachmentContent; class: "write" };
  "desk.portal_watch": { in: DeskPortalWatch; out: PortalParticipants; class: "write" };
  "desk.queue_delete": { in: DeskQueueDelete; out: Queue[]; class: "destructive" };
  "desk.queue_save": { in: DeskQueueSave; out: Queue[]; class: "write" };
  "desk.queues": { in: DeskQueues; out: Queue[]; class: "read" };
  "desk.replies": { in: DeskReplies; out: CannedReply[]; class: "read" };
  "desk.reply_delete": { in: DeskReplyDelete; out: CannedReply[]; class: "destructive" };
  "desk.reply_render": { in: DeskReplyRender; out: RenderedReply; class: "read" };
  "desk.reply_save": { in: DeskReplySave; out: CannedReply; class: "write" };
  "desk.request_create": { in: DeskRequestCreate; out: Issue; class: "write" };
  "desk.request_type_delete": { in: DeskRequestTypeDelete; out: RequestType[]; class: "destructive" };
  "desk.request_type_save": { in: DeskRequestTypeSave; out: RequestType[]; class: "write" };
  "desk.request_types": { in: DeskRequestTypes; out: RequestType[]; class: "read" };
  "desk.requester_set": { in: DeskRequesterSet; out: RequestPeople; class: "write" };
  "desk.satisfaction": { in: DeskSatisfaction; out: Satisfaction; class: "read" };
  "desk.save": { in: DeskSave; out: Desk; class: "write" };
  "desk.send_reply": { in: DeskSendReply; out: SentReply; class: "write" };
  "desk.spam": { in: DeskSpam; out: Ok; class: "write" };
  "desk.stats": { in: DeskStatsInput; out: DeskStats; class: "read" };
  "desk.suggest_articles": { in: DeskSuggestArticles; out: ScoredArticle[]; class: "read" };
  "desk.waiting_replies": { in: DeskWaitingReplies; out: WaitingReply[]; class: "read" };
  "drafts.delete": { in: DraftsDelete; out: Ok; class: "destructive" };
  "drafts.list": { in: DraftsList; out: Draft[]; class: "read" };
  "drafts.save": { in: DraftsSave; out: Draft; class: "write" };
  "events.export": { in: EventsExport; out: Exporting; class: "write" };
  "fields.delete": { in: FieldsDelete; out: Field[]; class: "destructive" };
  "fields.get": { in: FieldsGet; out: Field; class: "read" };
  "fields.layout": { in: FieldsLayout; out: FieldLayout[]; class: "read" };
  "fields.layout_save": { in: FieldsLayoutSave; out: FieldLayout; class: "write" };
  "fields.list": { in: FieldsList; out: Field[]; class: "read" };
  "fields.option_merge": { in: FieldsOptionMerge; out: Field; class: "write" };
  "fields.options_set": { in: FieldsOptionsSet; out: Field; class: "write" };
  "fields.save": { in: FieldsSave; out: Field; class: "write" };
  "flags.archive": { in: FlagsArchive; out: Flag; class: "destructive" };
  "flags.change_apply": { in: FlagsChangeApply; out: FlagChange; class: "write" };
  "flags.change_cancel": { in: FlagsChangeCancel; out: FlagChange; class: "write" };
  "flags.change_create": { in: FlagsChangeCreate; out: FlagChange; class: "write" };
  "flags.change_get": { in: FlagsChangeGet; out: FlagChange; class: "read" };
  "flags.change_review": { in: FlagsChangeReview; out: FlagChange; class: "write" };
  "flags.changes": { in: FlagsChanges; out: FlagChange[]; class: "read" };
  "flags.check_delete": { in: FlagsCheckDelete; out: FlagCheck[]; class: "destructive" };
  "flags.check_save": { in: FlagsCheckSave; out: FlagCheck; class: "write" };
  "flags.checks": { in: FlagsChecks; out: FlagCheck[]; class: "read" };
  "flags.clean_up": { in: FlagsCleanUp; out: CleanUp; class: "write" };
  "flags.compare": { in: FlagsCompare; out: Compared; class: "read" };
  "flags.copy": { in: FlagsCopy; out: Copied; class: "write" };
  "flags.create": { in: FlagsCreate; out: Flag; class: "write" };
  "flags.environment_delete": { in: FlagsEnvironmentDelete; out: Environment[]; class: "destructive" };
  "flags.environment_save": { in: FlagsEnvironmentSave; out: Environment; class: "write" };
  "flags.environments": { in: FlagsEnvironments; out: Environment[]; class: "read" };
  "flags.evaluate": { in: FlagsEvaluate; out: Evaluated[]; class: "read" };
  "flags.expire": { in: FlagsExpire; out: Expiry; class: "write" };
  "flags.export": { in: Tried; out: FlagsExported; class: "write" };
  "flags.get": { in: FlagsGet; out: Flag; class: "read" };
  "flags.history": { in: FlagsHistory; out: FlagRevision[]; class: "read" };
  "flags.impact": { in: FlagsImpact; out: Impact; class: "read" };
  "flags.insights": { in: FlagsInsights; out: Insights; class: "read" };
  "flags.key_create": { in: FlagsKeyCreate; out: NewSdkKey; class: "write" };
  "flags.key_revoke": { in: FlagsKeyRevoke; out: SdkKey[]; class: "destructive" };
  "flags.keys": { in: FlagsKeys; out: SdkKey[]; class: "write" };
  "flags.kill_switches": { in: FlagsKillSwitches; out: KillSwitch[]; class: "read" };
  "flags.link": { in: FlagsLink; out: string[]; class: "write" };
  "flags.list": { in: FlagsList; out: Flag[]; class: "read" };
  "flags.plan_save": { in: FlagsPlanSave; out: FlagPlan; class: "write" };
  "flags.plan_stop": { in: FlagsPlanStop; out: FlagPlan; class: "write" };
  "flags.plans": { in: FlagsPlans; out: FlagPlan[]; class: "read" };
  "flags.project_archive": { in: FlagsProjectArchive; out: Ok; class: "destructive" };
  "flags.project_save": { in: FlagsProjectSave; out: Ok; class: "write" };
  "flags.projects": { in: Empty; out: FlagProject[]; class: "read" };
  "flags.refs": { in: FlagsRefs; out: FlagReference[]; class: "read" };
  "flags.refs_push": { in: FlagsRefsPush; out: RefsPushed; class: "write" };
  "flags.rename": { in: FlagsRename; out: Flag; class: "write" };
  "flags.restore": { in: FlagsRestore; out: Flag; class: "write" };
  "flags.schedule_create": { in: FlagsScheduleCreate; out: Scheduled; class: "write" };
  "flags.schedule_delete": { in: FlagsScheduleDelete; out: Ok; class: "destructive" };
  "flags.schedules": { in: FlagsSchedules; out: FlagSchedule[]; class: "read" };
  "flags.segment_delete": { in: FlagsSegmentDelete; out: SegmentDelete; class: "destructive" };
  "flags.segment_get": { in: FlagsSegmentGet; out: Segment; class: "read" };
  "flags.segment_save": { in: FlagsSegmentSave; out: Segment; class: "write" };
  "flags.segment_update": { in: FlagsSegmentUpdate; out: SegmentUpdate; class: "write" };
  "flags.segments": { in: FlagsSegments; out: Segment[]; class: "read" };
  "flags.settings": { in: Empty; out: FlagSettings; class: "read" };
  "flags.settings_set": { in: FlagsSettingsSet; out: FlagSettings; class: "write" };
  "flags.stale": { in: FlagsStale; out: StaleFlag[]; class: "read" };
  "flags.template_delete": { in: FlagsTemplateDelete; out: FlagTemplate[]; class: "destructive" };
  "flags.template_save": { in: FlagsTemplateSave; out: FlagTemplate[]; class: "write" };
  "flags.templates": { in: Empty; out: FlagTemplate[]; class: "read" };
  "flags.traffic": { in: FlagsTraffic; out: FlagTraffic[]; class: "read" };
  "flags.trigger_delete": { in: FlagsTriggerDelete; out: FlagTrigger[]; class: "destructive" };
  "flags.trigger_save": { in: FlagsTriggerSave; out: FlagTrigger; class: "write" };
  "flags.triggers": { in: FlagsTriggers; out: FlagTrigger[]; class: "read" };
  "flags.update": { in: FlagsUpdate; out: FlagUpdate; class: "write" };
  "imports.cancel": { in: ImportsOne; out: Import; class: "write" };
  "imports.get": { in: ImportsOne; out: Import; class: "write" };
  "imports.list": { in: Empty; out: Import[]; class: "write" };
  "imports.log": { in: ImportsLog; out: PagedLogLine; class: "write" };
  "imports.map_set": { in: ImportsMapSet; out: Import; class: "write" };
  "imports.open": { in: ImportsOpen; out: Import; class: "write" };
  "imports.probe": { in: ImportsProbe; out: Import; class: "write" };
  "imports.run": { in: ImportsRun; out: Started; class: "write" };
  "imports.undo": { in: ImportsUndo; out: Started; class: "destructive" };
  "invites.accept": { in: InvitesAccept; out: SignedIn; class: "write" };
  "invites.create": { in: InvitesCreate; out: Invite[]; class: "write" };
  "invites.info": { in: InvitesInfo; out: InviteInfo; class: "write" };
  "invites.list": { in: InvitesList; out: Invite[]; class: "read" };
  "invites.resend": { in: InvitesResend; out: Invite; class: "write" };
  "invites.revoke": { in: InvitesRevoke; out: Invite[]; class: "destructive" };
  "issues.archive": { in: IssuesArchive; out: Issue[]; class: "write" };
  "issues.asset_link": { in: IssuesAssetLink; out: Asset[]; class: "write" };
  "issues.assign": { in: IssuesAssign; out: Issue; class: "write" };
  "issues.backlinks": { in: IssuesBacklinks; out: Backlink[]; class: "read" };
  "issues.bulk": { in: IssuesBulk; out: BulkDone; class: "write" };
  "issues.convert": { in: IssuesConvert; out: Issue; class: "write" };
  "issues.copy": { in: IssuesCopy; out: Issue; class: "write" };
  "issues.create": { in: IssuesCreate; out: Issue; class: "write" };
  "issues.create_tree": { in: IssuesCreateTree; out: Issue[]; class: "write" };
  "issues.delete": { in: IssuesDelete; out: InTrash; class: "destructive" };
  "issues.export_text": { in: IssuesExportText; out: Brief; class: "read" };
  "issues.get": { in: IssuesGet; out: Issue; class: "read" };
  "issues.graph": { in: IssuesGraph; out: Graph; class: "read" };
  "issues.history": { in: IssuesHistory; out: PagedFieldChange; class: "read" };
  "issues.level_set": { in: IssuesLevelSet; out: Issue; class: "write" };
  "issues.link_add": { in: IssuesLinkAdd; out: WebLink[]; class: "write" };
  "issues.link_delete": { in: IssuesLinkDelete; out: WebLink[]; class: "destructive" };
  "issues.links": { in: IssuesLinks; out: WebLink[]; class: "read" };
  "issues.list": { in: IssuesList; out: PagedIssue; columned: PagedIssueColumns; class: "read" };
  "issues.lock": { in: IssuesLock; out: Issue; class: "write" };
  "issues.merge": { in: IssuesMerge; out: Issue; class: "write" };
  "issues.move": { in: IssuesMove; out: Issue[]; class: "write" };
  "issues.parse": { in: IssuesParse; out: Parsed; class: "read" };
  "issues.promote": { in: IssuesPromote; out: Issue; class: "write" };
  "issues.rank": { in: IssuesRank; out: NewRanks; class: "write" };
  "issues.relation_add": { in: IssuesRelationAdd; out: Relation[]; class: "write" };
  "issues.relation_delete": { in: IssuesRelationDelete; out: Relation[]; class: "destructive" };
  "issues.relation_kind_delete": { in: IssuesRelationKindDelete; out: RelationKind[]; class: "destructive" };
  "issues.relation_kind_save": { in: IssuesRelationKindSave; out: RelationKind[]; class: "write" };
  "issues.relation_kinds": { in: IssuesRelationKinds; out: RelationKind[]; class: "read" };
  "issues.relations": { in: IssuesRelations; out: Relation[]; class: "read" };
  "issues.revision_restore": { in: IssuesRevisionRestore; out: Issue; class: "write" };
  "issues.revisions": { in: IssuesRevisions; out: Revision[]; class: "read" };
  "issues.similar": { in: IssuesSimilar; out: Similar[]; class: "read" };
  "issues.split": { in: IssuesSplit; out: Issue[]; class: "write" };
  "issues.template_delete": { in: IssuesTemplateDelete; out: IssueTemplate[]; class: "destructive" };
  "issues.template_save": { in: IssuesTemplateSave; out: IssueTemplate[]; class: "write" };
  "issues.templates": { in: IssuesTemplates; out: IssueTemplate[]; class: "read" };
  "issues.transition": { in: IssuesTransition; out: Issue; class: "write" };
  "issues.transitions": { in: IssuesTransitions; out: IssueTransition[]; class: "read" };
  "issues.tree": { in: IssuesTree; out: Tree; class: "read" };
  "issues.update": { in: IssuesUpdate; out: Issue; class: "write" };
  "issues.vote": { in: IssuesVote; out: Votes; class: "write" };
  "issues.voters": { in: IssuesVoters; out: Member[]; class: "read" };
  "issues.watch": { in: IssuesWatch; out: Watchers; class: "write" };
  "issues.watchers": { in: IssuesWatchers; out: Member[]; class: "read" };
  "jobs.cancel": { in: JobsCancel; out: Job; class: "write" };
  "jobs.get": { in: JobsGet; out: Job; class: "read" };
  "jobs.list": { in: JobsList; out: Job[]; class: "read" };
  "keys.create": { in: KeysCreate; out: KeyWithSecret; class: "write" };
  "keys.list": { in: KeysList; out: ApiKey[]; class: "read" };
  "keys.revoke": { in: KeysRevoke; out: ApiKey[]; class: "destructive" };
  "keys.rotate": { in: KeysRotate; out: KeyWithSecret; class: "write" };
  "keys.update": { in: KeysUpdate; out: ApiKey; class: "write" };
  "labels.delete": { in: LabelsDelete; out: Label[]; class: "destructive" };
  "labels.list": { in: LabelsList; out: Label[]; class: "read" };
  "labels.merge": { in: LabelsMerge; out: Label[]; class: "write" };
  "labels.save": { in: LabelsSave; out: Label; class: "write" };
  "lanes.delete": { in: LanesDelete; out: Lane[]; class: "destructive" };
  "lanes.list": { in: LanesList; out: Lane[]; class: "read" };
  "lanes.reorder": { in: LanesReorder; out: Lane[]; class: "write" };
  "lanes.save": { in: LanesSave; out: Lane; class: "write" };
  "mail.mailbox_delete": { in: MailMailboxDelete; out: Mailbox[]; class: "destructive" };
  "mail.mailbox_save": { in: MailMailboxSave; out: Mailbox; class: "write" };
  "mail.mailbox_test": { in: MailMailboxTest; out: MailboxTested; class: "write" };
  "mail.mailboxes": { in: Empty; out: Mailbox[]; class: "write" };
  "mail.outbox": { in: MailOutbox; out: PagedOutboxLetter; class: "write" };
  "mail.retry": { in: MailRetry; out: MailRetried; class: "write" };
  "mail.sender": { in: Empty; out: MailSender; class: "write" };
  "mail.sender_set": { in: MailSenderSet; out: MailSender; class: "write" };
  "mail.suppressed": { in: MailSuppressed; out: SuppressedAddress[]; class: "write" };
  "mail.template_save": { in: MailTemplateSave; out: MailTemplate[]; class: "write" };
  "mail.templates": { in: MailTemplates; out: MailTemplate[]; class: "write" };
  "maintenance.check": { in: MaintenanceCheck; out: CareFindings; class: "write" };
  "members.avatar_set": { in: MembersAvatarSet; out: Member; class: "write" };
  "members.chat_accounts": { in: Empty; out: ChatAccount[]; class: "read" };
  "members.chat_link": { in: MembersChatLink; out: ChatAccount[]; class: "write" };
  "members.chat_unlink": { in: MembersChatUnlink; out: ChatAccount[]; class: "destructive" };
  "members.deactivate": { in: MembersDeactivate; out: Member; class: "destructive" };
  "members.erase": { in: MembersErase; out: JobStarted; class: "destructive" };
  "members.export_data": { in: MembersExportData; out: JobStarted; class: "write" };
  "members.get": { in: MembersGet; out: Member; class: "read" };
  "members.list": { in: MembersList; out: PagedMember; class: "read" };
  "members.mentionable": { in: MembersMentionable; out: Mentionable[]; class: "read" };
  "members.owner_transfer": { in: MembersOwnerTransfer; out: Member[]; class: "destructive" };
  "members.preferences": { in: Empty; out: Preferences; class: "read" };
  "members.preferences_set": { in: MembersPreferencesSet; out: Preferences; class: "write" };
  "members.profile_set": { in: MembersProfileSet; out: Member; class: "write" };
  "members.transfer": { in: MembersTransfer; out: Changed; class: "write" };
  "members.update": { in: MembersUpdate; out: Member; class: "write" };
  "members.workload": { in: MembersWorkload; out: MemberWorkload[]; class: "read" };
  "notifications.archive": { in: NotificationsArchive; out: Unread; class: "write" };
  "notifications.count": { in: Empty; out: NotificationCount; class: "read" };
  "notifications.list": { in: NotificationsList; out: PagedNotification; class: "read" };
  "notifications.mute": { in: NotificationsMute; out: Muted; class: "write" };
  "notifications.push_add": { in: NotificationsPushAdd; out: Ok; class: "write" };
  "notifications.push_remove": { in: NotificationsPushRemove; out: Ok; class: "destructive" };
  "notifications.read": { in: NotificationsRead; out: Unread; class: "write" };
  "notifications.settings": { in: Empty; out: NotificationSettings; class: "read" };
  "notifications.settings_set": { in: NotificationsSettingsSet; out: NotificationSettings; class: "write" };
  "notifications.snooze": { in: NotificationsSnooze; out: Notification[]; class: "write" };
  "notifications.test": { in: NotificationsTest; out: Tested; class: "write" };
  "org.banner_set": { in: OrgBannerSetInput; out: Org; class: "write" };
  "org.clock_confirm": { in: Empty; out: OrgClock; class: "write" };
  "org.get": { in: Empty; out: Org; class: "read" };
  "org.logo_set": { in: OrgLogoSet; out: Org; class: "write" };
  "org.modules_set": { in: OrgModulesSet; out: Org; class: "write" };
  "org.setup": { in: OrgSetup; out: SignedIn; class: "write" };
  "org.update": { in: OrgUpdate; out: Org; class: "write" };
  "org.usage": { in: OrgUsage; out: Usage; class: "write" };
  "pages.append": { in: PagesAppend; out: Page; class: "write" };
  "pages.archive": { in: PagesArchive; out: Page; class: "write" };
  "pages.backlinks": { in: PagesBacklinks; out: PageBacklink[]; class: "read" };
  "pages.broken_links": { in: PagesBrokenLinks; out: BrokenLink[]; class: "read" };
  "pages.children": { in: PagesChildren; out: PageSummary[]; class: "read" };
  "pages.copy": { in: PagesCopy; out: Page; class: "write" };
  "pages.create": { in: PagesCreate; out: Page; class: "write" };
  "pages.delete": { in: PagesDelete; out: InTrash; class: "destructive" };
  "pages.discard": { in: PagesDiscard; out: Page; class: "destructive" };
  "pages.export": { in: PagesExport; out: PageExport; class: "write" };
  "pages.get": { in: PagesGet; out: Page; class: "read" };
  "pages.import": { in: PagesImport; out: Page[]; class: "write" };
  "pages.list": { in: PagesList; out: PagedPageSummary; class: "read" };
  "pages.lock": { in: PagesLock; out: Page; class: "write" };
  "pages.move": { in: PagesMove; out: PageSummary[]; class: "write" };
  "pages.publish": { in: PagesPublish; out: Page; class: "write" };
  "pages.restrict": { in: PagesRestrict; out: Page; class: "write" };
  "pages.sync_pull": { in: PagesSyncPull; out: PageSyncState; class: "read" };
  "pages.sync_push": { in: PagesSyncPush; out: PageSyncClock; class: "write" };
  "pages.tasks": { in: PagesTasks; out: PageTask[]; class: "read" };
  "pages.template_delete": { in: PagesTemplateDelete; out: PageTemplate[]; class: "destructive" };
  "pages.template_save": { in: PagesTemplateSave; out: PageTemplate[]; class: "write" };
  "pages.templates": { in: PagesTemplates; out: PageTemplate[]; class: "read" };
  "pages.update": { in: PagesUpdate; out: Page; class: "write" };
  "pages.verify": { in: PagesVerify; out: Page; class: "write" };
  "pages.version_diff": { in: PagesVersionDiff; out: PageDiff; class: "read" };
  "pages.version_restore": { in: PagesVersionRestore; out: Page; class: "write" };
  "pages.versions": { in: PagesVersions; out: PagedPageVersion; class: "read" };
  "pages.views": { in: PagesViews; out: PageViews; class: "read" };
  "pages.watch": { in: PagesWatch; out: Watching; class: "write" };
  "presence.beat": { in: PresenceBeat; out: PresencePeople; class: "write" };
  "presence.list": { in: PresenceList; out: PresentOn[]; class: "read" };
  "projects.archive": { in: ProjectsArchive; out: Project; class: "write" };
  "projects.copy": { in: ProjectsCopy; out: Started; class: "write" };
  "projects.create": { in: ProjectsCreate; out: Project; class: "write" };
  "projects.delete": { in: ProjectsDelete; out: InTrash; class: "destructive" };
  "projects.get": { in: ProjectsGet; out: Project; class: "read" };
  "projects.health": { in: ProjectsHealth; out: ProjectHealth; class: "read" };
  "projects.key_change": { in: ProjectsKeyChange; out: Project; class: "write" };
  "projects.list": { in: ProjectsList; out: Project[]; class: "read" };
  "projects.member_set": { in: ProjectsMemberSet; out: ProjectMember[]; class: "write" };
  "projects.members": { in: ProjectsMembers; out: ProjectMember[]; class: "read" };
  "projects.status_delete": { in: ProjectsStatusDelete; out: ProjectStatus[]; class: "destructive" };
  "projects.status_draft": { in: ProjectsStatusDraft; out: StatusDraft; class: "write" };
  "projects.status_post": { in: ProjectsStatusPost; out: ProjectStatus; class: "write" };
  "projects.statuses": { in: ProjectsStatuses; out: ProjectStatus[]; class: "read" };
  "projects.template_delete": { in: ProjectsTemplateDelete; out: ProjectTemplate[]; class: "destructive" };
  "projects.template_save": { in: ProjectsTemplateSave; out: ProjectTemplate[]; class: "write" };
  "projects.templates": { in: ProjectsTemplates; out: ProjectTemplate[]; class: "read" };
  "projects.update": { in: ProjectsUpdate; out: Project; class: "write" };
  "search.query": { in: SearchQuery; out: Found; class: "read" };
  "search.recent": { in: SearchRecent; out: SearchHit[]; class: "read" };
  "search.reindex": { in: SearchReindex; out: Started; class: "write" };
  "search.suggest": { in: SearchSuggest; out: Suggestion[]; class: "read" };
  "spaces.archive": { in: SpacesArchive; out: Space; class: "write" };
  "spaces.delete": { in: SpacesDelete; out: InTrash; class: "destructive" };
  "spaces.get": { in: SpacesGet; out: Space; class: "read" };
  "spaces.list": { in: SpacesList; out: Space[]; class: "read" };
  "spaces.save": { in: SpacesSave; out: Space; class: "write" };
  "spaces.stale": { in: SpacesStale; out: PageSummary[]; class: "read" };
  "spaces.tree": { in: SpacesTree; out: TreeNode[]; class: "read" };
  "sprints.add": { in: SprintsAdd; out: Sprint; class: "write" };
  "sprints.cadence_set": { in: SprintsCadenceSet; out: Sprint[]; class: "write" };
  "sprints.capacity_set": { in: SprintsCapacitySet; out: Sprint; class: "write" };
  "sprints.complete": { in: SprintsComplete; out: SprintReport; class: "write" };
  "sprints.create": { in: SprintsCreate; out: Sprint; class: "write" };
  "sprints.delete": { in: SprintsDelete; out: Sprint[]; class: "destructive" };
  "sprints.get": { in: SprintsGet; out: Sprint; class: "read" };
  "sprints.list": { in: SprintsList; out: Sprint[]; class: "read" };
  "sprints.plan": { in: SprintsPlan; out: SprintPlan; class: "read" };
  "sprints.remove": { in: SprintsRemove; out: Sprint; class: "write" };
  "sprints.reopen": { in: SprintsReopen; out: Sprint; class: "write" };
  "sprints.report": { in: SprintsReport; out: SprintReport; class: "read" };
  "sprints.start": { in: SprintsStart; out: Sprint; class: "write" };
  "sprints.update": { in: SprintsUpdate; out: Sprint; class: "write" };
  "stars.list": { in: Empty; out: Star[]; class: "read" };
  "stars.reorder": { in: StarsReorder; out: Star[]; class: "write" };
  "stars.set": { in: StarsSet; out: Star[]; class: "write" };
  "subjects.resolve": { in: SubjectsResolve; out: Resolved[]; class: "read" };
  "subjects.unfurl": { in: SubjectsUnfurl; out: Unfurled; class: "write" };
  "sync.delta": { in: SyncDeltaInput; out: SyncDelta; class: "read" };
  "sync.push": { in: SyncPush; out: Pushed; class: "write" };
  "sync.snapshot": { in: SyncSnapshotInput; out: SyncSnapshot; class: "read" };
  "teams.delete": { in: TeamsDelete; out: Team[]; class: "destructive" };
  "teams.get": { in: TeamsGet; out: Team; class: "read" };
  "teams.list": { in: TeamsList; out: Team[]; class: "read" };
  "teams.member_set": { in: TeamsMemberSet; out: Team; class: "write" };
  "teams.on_call": { in: TeamsOnCall; out: OnCall[]; class: "read" };
  "teams.rota": { in: TeamsRota; out: Rota; class: "read" };
  "teams.rota_override": { in: TeamsRotaOverride; out: Rota; class: "write" };
  "teams.rota_save": { in: TeamsRotaSave; out: Rota; class: "write" };
  "teams.save": { in: TeamsSave; out: Team; class: "write" };
  "tql.check": { in: TqlCheck; out: TqlChecked; class: "read" };
  "tql.complete": { in: TqlComplete; out: TqlCompletion[]; class: "read" };
  "tql.count": { in: TqlCountInput; out: TqlCount; class: "read" };
  "tql.explain": { in: TqlExplain; out: TqlExplained; class: "read" };
  "tql.fields": { in: TqlFields; out: TqlField[]; class: "read" };
  "tql.run": { in: TqlRun; out: TqlResult; class: "read" };
  "tql.translate": { in: TqlTranslate; out: TqlTranslated; class: "read" };
  "trash.empty": { in: TrashEmpty; out: Started; class: "destructive" };
  "trash.list": { in: TrashList; out: PagedTrashEntry; class: "read" };
  "trash.purge": { in: TrashPurge; out: PurgedCount; class: "destructive" };
  "trash.restore": { in: TrashRestore; out: Restored; class: "write" };
  "types.delete": { in: TypesDelete; out: IssueType[]; class: "destructive" };
  "types.list": { in: TypesList; out: IssueType[]; class: "read" };
  "types.projects_set": { in: TypesProjectsSet; out: IssueType[]; class: "write" };
  "types.save": { in: TypesSave; out: IssueType[]; class: "write" };
  "undo.apply": { in: UndoApply; out: Applied; class: "write" };
  "undo.list": { in: UndoList; out: Undoable[]; class: "read" };
  "views.copy": { in: ViewsCopy; out: View; class: "write" };
  "views.delete": { in: ViewsDelete; out: View[]; class: "destructive" };
  "views.get": { in: ViewsGet; out: View; class: "read" };
  "views.list": { in: ViewsList; out: View[]; class: "read" };
  "views.save": { in: ViewsSave; out: View; class: "write" };
  "views.subscribe": { in: ViewsSubscribe; out: Subscription[]; class: "write" };
  "webhooks.delete": { in: WebhooksDelete; out: Webhook[]; class: "destructive" };
  "webhooks.deliveries": { in: WebhooksDeliveries; out: PagedDelivery; class: "write" };
  "webhooks.list": { in: Empty; out: Webhook[]; class: "write" };
  "webhooks.redeliver": { in: WebhooksRedeliver; out: Redelivered; class: "write" };
  "webhooks.rotate_secret": { in: WebhooksRotateSecret; out: RotatedSecret; class: "write" };
  "webhooks.save": { in: WebhooksSave; out: SavedWebhook; class: "write" };
  "webhooks.send": { in: WebhooksSend; out: Delivery; class: "write" };
  "webhooks.test": { in: WebhooksTest; out: Delivery; class: "write" };
  "workflows.assign": { in: WorkflowsAssign; out: Assigned; class: "write" };
  "workflows.copy": { in: WorkflowsCopy; out: Workflow; class: "write" };
  "workflows.delete": { in: WorkflowsDelete; out: Workflow[]; class: "destructive" };
  "workflows.get": { in: WorkflowsGet; out: Workflow; class: "read" };
  "workflows.list": { in: WorkflowsList; out: Workflow[]; class: "read" };
  "workflows.save": { in: WorkflowsSave; out: Workflow; class: "write" };
  "workflows.simulate": { in: WorkflowsSimulate; out: Simulated; class: "read" };
  "workflows.stats": { in: WorkflowsStats; out: Road[]; class: "read" };
}

/** Access: rights that are given on one thing, such as a space, to somebody, a team or a role. */
export interface AccessModule {
  /**
   * Say whether somebody may do something with a thing that you see, and what decides it, in the order tested.
   *
   * Looked at are scope and role, whether they see the thing, and what they may do with it. What the input says, and how
   * the thing stands, such as that it is archived, may refuse the call all the same.
   */
  readonly explain: Method<"access.explain">;
  /**
   * Give somebody a right on a space or a page, change it, or take it with `none`. Answers all rights there.
   *
   * For its managers and admins (403). A right on a space reaches its pages, one on a page those below it. Everybody of
   * a role, and a team that anybody may join, can be given `view` and `comment` only; guests never `manage` (422). The
   * last manager of a space stays (409), and a personal space is its owner's alone (409).
   */
  readonly grant_set: Method<"access.grant_set">;
  /**
   * List who may do what with a space or a page: what was given on it, then what comes from what it is in.
   *
   * Whoever sees the thing reads them. Admins manage what they see, without standing here.
   */
  readonly grants: Method<"access.grants">;
}

/** Activity: what happened to a subject, lately, and since one last looked. */
export interface ActivityModule {
  /**
   * List the events of a subject that you may hear of, oldest first, the latest 1,000 at most.
   *
   * Of one that was purged, as `issue:<n>`, admins read what is left: kinds, times and actors.
   */
  readonly list: Method<"activity.list">;
  /** List the latest events that you may hear of, newest first. */
  readonly recent: Method<"activity.recent">;
  /**
   * Count what others did to a subject since you last looked, and in a session remember this look.
   *
   * A key or agent is answered from its owner's mark and leaves it where it is. The first time all events count.
   */
  readonly seen: Method<"activity.seen">;
}

/** AI: providers of models, what they may read and use, and answers that become proposals. */
export interface AiModule {
  /** Say of each of some subjects, in their order, whether AI may read it. One that you do not see is 404. */
  readonly allowed: Method<"ai.allowed">;
  /**
   * Ask a model by the org's key, and answer what it says.
   *
   * Checked in this order: AI is on (403 `ai-off`), provider and model are allowed (422), each subject is there for you
   * (404), none is excluded, or quoted in the messages by whole lines (403 `ai-excluded`), tokens are left (429
   * `ai-cap`). `max_tokens` are held while it is asked. Where the provider gives no answer that can be used it is 502,
   * and costs no tokens.
   */
  readonly complete: Method<"ai.complete">;
  /**
   * Look at what a model would be given of a subject: what you see of it and may read, without what is excluded.
   *
   * Where AI is off it is 403 (`ai-off`), as for a subject that is excluded (`ai-excluded`). The material is bounded:
   * `cut` in it says what is missing.
   */
  readonly context: Method<"ai.context">;
  /** Have a model explain a subject to the reader of a profile. Refused as `ai.complete` is. */
  readonly explain: Method<"ai.explain">;
  /**
   * Forget the key of a provider: nothing is asked by it any more. Where there is none nothing happens. For admins.
   *
   * The vendor still takes it: revoke it there as well.
   */
  readonly key_revoke: Method<"ai.key_revoke">;
  /** Store the key by which the server asks a provider, in the place of the one that is there. For admins. */
  readonly key_set: Method<"ai.key_set">;
  /**
   * Look at what AI may do for the org, who offers models, and what was used. Of what is excluded others than admins
   * read what they see.
   */
  readonly policy: Method<"ai.policy">;
  /**
   * Set what AI may do. For admins. What is under way when it is switched off comes to its end.
   *
   * A subject of another form, or one that is not there, is 422. Those that the list holds already may be gone.
   */
  readonly policy_set: Method<"ai.policy_set">;
  /** Delete a reader profile. Answers the others. For admins. */
  readonly profile_delete: Method<"ai.profile_delete">;
  /** Make a reader profile, or change one. For admins. An org has 100 at most (409). */
  readonly profile_save: Method<"ai.profile_save">;
  /** List the reader profiles by key. */
  readonly profiles: Method<"ai.profiles">;
  /**
   * Run the operation of a proposal, as you, and only where whoever asked may do it as well: by a session or a
   * personal key, never as an agent.
   *
   * What refuses you is refused as ever, and the proposal stays. One whose operation does not fit any more becomes
   * `failed`, with `error`, and may be applied again. One that was applied or dismissed is 409. What it did is undone by
   * itself. Over MCP `confirm` is asked for where the operation takes something away.
   */
  readonly proposal_apply: Method<"ai.proposal_apply">;
  /** Dismiss a proposal that is open or failed; another one is 409. */
  readonly proposal_dismiss: Method<"ai.proposal_dismiss">;
  /** List what models propose about what you see, newest first, 1,000 at most. Nobody has checked the answers. */
  readonly proposals: Method<"ai.proposals">;
  /** Delete a provider with its key. What was used of it stays counted. For admins. */
  readonly provider_delete: Method<"ai.provider_delete">;
  /**
   * Ask a provider which models it offers, whether or not it is on. For admins.
   *
   * Allowed ones that it lists no more stand behind the others, so that they can be taken out.
   */
  readonly provider_models: Method<"ai.provider_models">;
  /**
   * Make a provider, or change one. For admins. Another `base_url` clears its key.
   *
   * Addresses in private networks are asked where the operator lists host and port in `outbound.allow` alone. An org has
   * 50 providers at most (409).
   */
  readonly provider_save: Method<"ai.provider_save">;
  /**
   * Have a model do a task about a subject, beside the requests. What it answers becomes a proposal, which somebody
   * applies or dismisses: nothing that a model says runs by itself.
   *
   * It is told what the subject itself says, and its comments without internal notes: others read what it answers.
   * Refused as `ai.complete` is. With `apply` it is applied at once, in your name, where the policy has
   * `automation_apply`, but never where the operation takes something away. An answer to `classify` that is none of the
   * options fails the job.
   */
  readonly run: Method<"ai.run">;
  /** Have a model summarize a subject, as you see it and without what is excluded. Refused as `ai.complete` is. */
  readonly summarize: Method<"ai.summarize">;
  /** Count the calls to models and their tokens, by who asked, what for, provider and model; most tokens first. */
  readonly usage: Method<"ai.usage">;
}

/** Analytics: SQL over the events of the org, files of them, and reports that run by themselves. For admins. */
export interface AnalyticsModule {
  /**
   * Take the events of some days out as a file, oldest first, with the columns and the events that `analytics.query`
   * reads.
   *
   * A file holds 200,000 events or 64 MB; where the range has more it is `truncated` at its end.
   */
  readonly export: Method<"analytics.export">;
  /**
   * Ask the events of the org in SQL: one SELECT over the table `events`, whose payload `json_extract` reads.
   *
   * It has all events that anybody is told of, those of projects that you do not see too; what stands in the audit log
   * alone is not in it. A query works for 2 seconds at most (422 `query-too-slow`) and answers 1,000 rows or 4 MB,
   * `truncated` where there are more. Anything but one SELECT is 422, as is a function that does not only compute.
   */
  readonly query: Method<"analytics.query">;
  /** Delete a report with what it found. Answers the others. */
  readonly report_delete: Method<"analytics.report_delete">;
  /**
   * Run a report now, whatever its schedule, and tell its recipients.
   *
   * Where its query cannot run, or takes too long, `last_error` says why, what it found before stays, and nobody is
   * told. A report that is changed while it runs is 409.
   */
  readonly report_run: Method<"analytics.report_run">;
  /**
   * Keep a query as a report, or change one: all that it says, with its recipients.
   *
   * It runs by itself for as long as whoever saved it last is an admin, and tells its recipients: admins read the first
   * rows in their inbox, others its name. A query that cannot run is 422, as is a recipient who is a guest or not here.
   * An org has 100 reports at most (409).
   */
  readonly report_save: Method<"analytics.report_save">;
  /** List the reports by id, each with what it last found. */
  readonly reports: Method<"analytics.reports">;
}

/** Several calls in one, and the change feed. */
export interface ApiModule {
  /**
   * Run up to 50 operations in one transaction: all commit, or on the first error none do.
   *
   * Each needs its own scope and right. The error is the failing operation's own, with its `index` and `op` beside.
   * A batch in a batch, and operations that answer a job or wait for the outside, are refused (422).
   */
  readonly batch: Method<"api.batch">;
  /**
   * Read the events after a sequence number; repeat with `since` = `next` while `more` is true.
   *
   * A `since` older than what is kept is 409 `stale` with `oldest`: fetch what you need anew and go on from there.
   */
  readonly changes: Method<"api.changes">;
}

/** Approvals: people agree before an issue goes a way of its workflow that asks for it. */
export interface ApprovalsModule {
  /**
   * Take a request back that is pending or approved: whoever asked may, leads of the project and admins.
   *
   * One that was decided otherwise is 409.
   */
  readonly cancel: Method<"approvals.cancel">;
  /**
   * Approve or reject a request that asks you: by a session or a personal key, never as an agent (403).
   *
   * One no rejects it. You may change your vote while it is pending; one that was decided is 409. Your own requests
   * you decide only where the transition allows it. Once enough agree the issue moves at once, with the rights of
   * whoever asked; what stands against that is answered as `blocked`, and they can move it when it is mended.
   */
  readonly decide: Method<"approvals.decide">;
  /** List what was asked to be approved of an issue, newest first, the last thousand. */
  readonly list: Method<"approvals.list">;
  /** List what you may decide now, oldest first; then what you asked for yourself and is pending or approved. */
  readonly mine: Method<"approvals.mine">;
  /**
   * Ask those whom a transition names to agree before an issue moves along it. Whoever may move it so may ask.
   *
   * Teams and fields are asked as the people they stand for now. An issue has one open request for each lane (409). A
   * lane that no transition leads to from here, or one that asks nobody, is 422. Editing a field that the transition
   * watches, and moving or deleting the issue, cancels the request.
   */
  readonly request: Method<"approvals.request">;
}

/** Assets: typed records of what the org has, with values, references and the issues that they are about. */
export interface AssetsModule {
  /**
   * Make an asset; its key is that of its type and the next number, and numbers never come again.
   *
   * Values are held against the fields of the type: each that does not fit or is missing is named (422); a unique one
   * that another asset has is 409, a reference leads to an asset of its type (422).
   */
  readonly create: Method<"assets.create">;
  /**
   * Take an asset away, from its issues too. One that others refer to is 409 `in-use` with `uses`.
   *
   * What was said on it and its files are seen no more. They come back with it by undo, and go for good when it cannot
   * come back any more, which is after a day.
   */
  readonly delete: Method<"assets.delete">;
  /** List the assets that an issue is about, in the order in which they were linked. */
  readonly for_issue: Method<"assets.for_issue">;
  /** Look at one asset with its values and the issues that you see of those linked to it. */
  readonly get: Method<"assets.get">;
  /**
   * List assets by type and age, 2,000 at most: narrow it where there are more.
   *
   * A type or an asset that is not there is 422.
   */
  readonly list: Method<"assets.list">;
  /**
   * Take a type away; answers those that are left.
   *
   * One that has assets stays (409 `in-use` with `uses`), and one that a reference of another type leads to (409).
   */
  readonly type_delete: Method<"assets.type_delete">;
  /**
   * Make a type of assets, or change one: what is not named stays. Answers all types.
   *
   * Keys and names are unique without case (409). A field that assets have a value of cannot go (409 `in-use` with
   * `uses`); its kind, options and target change only where every value still fits, and it becomes unique only where no
   * two are the same (409). A field that becomes required binds whoever makes an asset from then on.
   */
  readonly type_save: Method<"assets.type_save">;
  /** List the types of assets in their order, with their fields and how many assets each has. */
  readonly types: Method<"assets.types">;
  /**
   * Change an asset: what is not named stays.
   *
   * `active` and `maintenance` follow each other freely. A `retired` one becomes `active` again by its owner or an
   * admin (403), and nothing else (409). A required field cannot be cleared (422).
   */
  readonly update: Method<"assets.update">;
}

/** Attachments: files on issues, comments, assets, projects and the org, with their bytes in the data file. */
export interface AttachmentsModule {
  /**
   * Hang a file on an issue, a comment, an asset, a project or the org. Whoever sees the subject sees it.
   *
   * Its bytes come as `data`, or by `upload` where it is larger: send it to `/files/upload` first, in pieces where the
   * line is bad, and name here what that answered, with `data` empty.
   *
   * On an issue whoever may edit it or comment there, on a comment its author, on an asset members, on a project its
   * members, on the org admins (403); an archived issue or project takes none (409), and neither does a comment on a
   * flag (422). A file on an internal note is internal. The content type is told by the bytes and the name. An empty
   * file is one. Above 10 MB of `data`, or 100 MB of an upload, is 413; an upload that is not whole is 409:
   * attachments.expect takes it. What is no base64, a name of more than 255 bytes and a file that `allowed_files` of the
   * org leaves out are 422. The same bytes are stored once. Search reads texts at once, the first megabyte of a large
   * one, and PDFs of up to 10 MB a little later. It runs alone, not inside a batch.
   */
  readonly add: Method<"attachments.add">;
  /**
   * Put a file into the trash; trash.restore brings it back.
   *
   * Whoever added it, those who may edit what it hangs on, and admins (403). On a comment that is its author and the
   * leads of the project. Nothing is taken from an archived issue or project (409).
   */
  readonly delete: Method<"attachments.delete">;
  /**
   * Name files on a subject that you are still sending; each hangs there by itself as soon as all of it is here.
   *
   * Whoever sees the subject sees meanwhile what comes and how much of it is here (attachments.expected). Your own
   * uploads alone (404), to where you may add files (as with attachments.add), and each to one place (409); what hangs
   * then is judged again, with what you may do at that time. Named there before, it is no change. An upload of more
   * than 100 MB is 413, one with a name that `allowed_files` of the org leaves out is 422. It ends without a file when
   * you take the upload back or use it elsewhere, when it is not here a day after it began, or when you may not add it
   * any more; your upload stays yours then, as long as it is kept.
   */
  readonly expect: Method<"attachments.expect">;
  /**
   * List the files that are on their way to a subject and to what hangs on it, and how much of each is here.
   *
   * Oldest first, as far as you see what they will hang on. They were named by attachments.expect, comments.create,
   * comments.update or issues.create, and become attachments under the ids that they have here.
   */
  readonly expected: Method<"attachments.expected">;
  /**
   * Get a file: its bytes as base64, or with `as_url` a link to them under this server's address.
   *
   * A link is for whoever has it, for five minutes, and ends earlier where you lose sight of the file. What is behind it
   * is always saved and never shown, so that HTML and SVG do no harm. With `?w=320` behind it, a picture is shown, and
   * smaller. A file of more than 10 MB goes by a link alone (413). Bytes that are not here, since the backup that was
   * restored has none, are 404.
   */
  readonly get: Method<"attachments.get">;
  /**
   * List the files on a subject, oldest first. Those on an issue's comments are listed with the comment.
   *
   * A picture stands smaller at `/files/<id>?w=320`, for whoever is signed in and sees it. What is still on its way is
   * in attachments.expected.
   */
  readonly list: Method<"attachments.list">;
}

/** The audit log: every event, and the security acts that stand nowhere else. */
export interface AuditModule {
  /**
   * Take the audit log out as text, one JSON entry a line, oldest first; at most 50,000 entries.
   *
   * They are veiled as in `audit.list`.
   */
  readonly export: Method<"audit.export">;
  /**
   * List the audit log, newest first: every event, and sign-ins, keys and access beside.
   *
   * Owners read all. To admins, what happened in a private project or view that they do not see is `veiled`: `details`
   * is empty; what, when, by whom and to which subject stays.
   */
  readonly list: Method<"audit.list">;
}

/** Signing in, and the caller's own credentials: sessions, second factor, device codes, grants, the sign-in policy. */
export interface AuthModule {
  /**
   * Let a program in, or turn it away. Approving makes a personal key of yours, named after the client.
   *
   * The key gets what was asked for, as far as you hold it; where nothing was named, all that you read and write.
   * `admin` asks for an elevated session (403). Scopes that were not asked for are 422. A code that is wrong, used or
   * older than ten minutes is 404; after five of them in ten minutes it is 429.
   */
  readonly device_approve: Method<"auth.device_approve">;
  /**
   * Look at who asks to be let in with a code, before approving it. `scopes` is what an approval would give.
   *
   * A code that is wrong, used or older than ten minutes is 404; after five of them in ten minutes it is 429.
   */
  readonly device_info: Method<"auth.device_info">;
  /**
   * Ask whether the code was approved. The first answer after that holds the key's secret, no later one does.
   *
   * Asking faster than `interval` while it is pending answers `slow_down`: wait five seconds longer from then on.
   * A code that was never given out, or is long gone, is 404.
   */
  readonly device_poll: Method<"auth.device_poll">;
  /**
   * Begin to sign a program in: show `user_code`, send the person to `verification_path`, and poll.
   *
   * The code lives ten minutes. Poll with `device_code` every `interval` seconds. A scope that does not exist is 422.
   * With `admin` the person has to confirm who they are before they approve.
   */
  readonly device_start: Method<"auth.device_start">;
  /**
   * Confirm that it is you, with one of password, code and passkey: the session is elevated for ten minutes.
   *
   * A wrong one is 422, and counts as a failed sign-in, with its 429. Whoever has none of them goes to their sign-in
   * provider once more, by auth.oidc_start.
   */
  readonly elevate: Method<"auth.elevate">;
  /**
   * End what a connected client may do: its next call is 401. Answers the clients that are left.
   *
   * A client that is not yours, or was ended already, is 404.
   */
  readonly grant_revoke: Method<"auth.grant_revoke">;
  /**
   * List the clients that you connected by OAuth, MCP clients included, newest first.
   *
   * `scopes` is what you gave; a client never does more than your role holds now. `last_used_at` may lag by a minute.
   */
  readonly grants: Method<"auth.grants">;
  /**
   * Sign in by a link. It works once, and others that were asked for end with it; a browser's session lasts a day.
   *
   * A second factor in force is asked for as in auth.login: then it is 401 with `challenge` and `methods` beside the
   * detail, for `auth.login_verify` or `auth.passkey_begin`. A link that is used, ended or mistyped, or that the policy
   * takes no more, is 404.
   */
  readonly link_login: Method<"auth.link_login">;
  /**
   * Ask for a link that signs in. It is mailed in a moment, works once, and lives 30 minutes.
   *
   * The answer is the same, and comes as soon, where nobody has the address, where its owner may not sign in, and where
   * the policy has no `link` among its methods. Ten such links are mailed to an address in an hour, three of them asked
   * for from one network address; then it is 429 with `Retry-After`, as it is after fifty failed sign-ins from there.
   */
  readonly link_request: Method<"auth.link_request">;
  /**
   * Sign in with e-mail and password. With a second factor it answers a `challenge` for `auth.login_verify`, or for
   * `auth.passkey_begin` where `methods` has `passkey`.
   *
   * Wrong password, unknown address, deactivated, and not allowed by the policy are one 401. After ten failures on
   * an account from one address, or fifty from an address, in 15 minutes it is 429 with `Retry-After` from there;
   * after a hundred on an account each address has one. Browsers that this account signed in from before, and not
   * out, are counted apart: they bear fifty failures on it together, and neither they nor others lock each other
   * out. Where too many sign in at once it is 503 `busy`. The session is elevated for ten minutes. A browser gets it
   * as a cookie.
   */
  readonly login: Method<"auth.login">;
  /**
   * Finish a sign-in with a code. A code opens once; a challenge lives ten minutes and bears five wrong codes.
   *
   * A wrong code and a challenge that ended are one 401; failures count as those of `auth.login`, with its 429.
   */
  readonly login_verify: Method<"auth.login_verify">;
  /**
   * End the session of this call, and its streams. A key is not a session (403): revoke it instead.
   *
   * A browser is known to your account no longer, and is limited like any other where a sign-in fails.
   */
  readonly logout: Method<"auth.logout">;
  /**
   * Who you are: your profile, role, teams, and the scopes and modules that this call could use.
   *
   * Of a key these are its own scopes, cut by what your role holds now.
   */
  readonly me: Method<"auth.me">;
  /**
   * Finish a sign-in by a provider, with what it sent the browser back with; the page /signin/oidc/ID does it.
   *
   * The provider's token must be signed by one of its keys, for this server, this browser and this question. A member is
   * known by what the provider calls them; at first by a verified address, where it says so. People of `signup_domains`
   * become members where the provider is set so. A state that is used, ended or of another browser, a token that does
   * not hold, and somebody who may not come in are one 401; a provider that fails is 502. A second factor in force is
   * asked for as in auth.link_login: 401 with `challenge`, `methods` and `return_to`, unless the provider says that one
   * was shown and is believed.
   */
  readonly oidc_finish: Method<"auth.oidc_finish">;
  /**
   * Ask where to sign in by a provider. The browser that asked goes to `url`, comes back to this site within ten
   * minutes, and is signed in by it; no other browser is, since a cookie binds it.
   *
   * Whoever is signed in and has no password, code or passkey confirms so that it is them (see auth.elevate). With
   * `link` it links the account there; that asks for an elevated session. A provider that is not used is 404; one that
   * cannot be reached is 502.
   */
  readonly oidc_start: Method<"auth.oidc_start">;
  /**
   * Add a passkey. From then on it signs you in, and signing in with your password asks for it as the second factor.
   *
   * Asks for an elevated session. The passkey must have verified you (by PIN, finger or face) for this site. A challenge
   * that ended and an answer that does not fit are 422; a name or passkey that is there already, and more than 20, are
   * 409. A passkey lost is removed by you, or by an admin with auth.totp_disable: have two, or an authenticator app.
   */
  readonly passkey_add: Method<"auth.passkey_add">;
  /**
   * Ask for what a browser hands to `navigator.credentials`: the `options`, and a `challenge` to send back with the
   * answer, good once and for five minutes.
   *
   * Without sign-in it is for signing in by any passkey that the browser has, so that it tells nothing of who has some;
   * with the `challenge` of auth.login it is for the second factor, and 401 where that ended. Signed in it is for adding
   * a passkey (`auth.passkey_add`; asks for an elevated session), or with `purpose` `elevate` for auth.elevate. Keys
   * cannot (403). Where the policy takes no sign-in by a passkey alone it is 403, and 409 where this server goes by an
   * address that browsers have no passkeys for.
   */
  readonly passkey_begin: Method<"auth.passkey_begin">;
  /**
   * Remove one of your passkeys; it signs you in no more. Answers those left.
   *
   * Asks for an elevated session. Refused with 409 where no other way to sign in would be left to you that the policy
   * takes. Delete it on the device, too, which is not told.
   */
  readonly passkey_delete: Method<"auth.passkey_delete">;
  /**
   * Sign in by a passkey, or finish a sign-in with it as the second factor: what it is, the challenge says.
   *
   * A passkey has verified who holds it, by PIN, finger or face, and so counts as two factors: no other is asked for. A
   * browser's session that began with it lasts a day. Whatever does not fit is one 401, and uses the challenge up;
   * failures count as those of auth.login, with its 429. A passkey that has signed less often than before may have been
   * copied: it is refused, and the audit log says so.
   */
  readonly passkey_login: Method<"auth.passkey_login">;
  /** List your passkeys, oldest first. */
  readonly passkeys: Method<"auth.passkeys">;
  /**
   * Change your password. Your other sessions end, and other browsers are known no longer; keys stay. You are told by
   * mail where this server sends some.
   *
   * A wrong present password is 422 and counts as a failed sign-in, with its 429. A new one that is too short or soon
   * guessed is 422 and counts as nothing.
   */
  readonly password_change: Method<"auth.password_change">;
  /**
   * Ask for a link by which a new password is set. It is mailed in a moment, works once, and lives 30 minutes.
   *
   * The answer is the same, and comes as soon, where nobody has the address, where its owner may not sign in, and where
   * this server sends no mail. Ten links are mailed to an address in an hour, three of them asked for from one network
   * address; then it is 429 with `Retry-After`, as it is after fifty failed sign-ins from there.
   */
  readonly password_forgot: Method<"auth.password_forgot">;
  /**
   * Set a new password by a link. It signs nobody in: a second factor in force is asked for at the next sign-in.
   *
   * All sessions of the member end, their other links too, and other browsers are known no longer; keys stay. They are
   * told by mail. Failed sign-ins on the account from this address are forgotten, as nobody but who forgot is likely to
   * have made them here. A link that is used, ended or mistyped is 404; a password that does not fit is 422 and uses
   * nothing up.
   */
  readonly password_reset: Method<"auth.password_reset">;
  /** How people may sign in here. Domains and networks are told to admins only. */
  readonly policy: Method<"auth.policy">;
  /**
   * Change the sign-in policy; fields that are not named stay. It holds for every open session at once.
   *
   * Refused with 409 where it would shut you out: `require_2fa` while you have no second factor, networks that do not
   * hold the address you call from; and `link` among `methods` while this server sends no mail. A passkey counts as the
   * second factor. `methods` by which no owner could come in (a link alone does not count, as mail may fail), or with
   * one that is not there, is 422. Without `passkey` passkeys are a second factor only.
   */
  readonly policy_set: Method<"auth.policy_set">;
  /**
   * Delete a sign-in provider, with its secret and what it knew members by; it leaves the methods of the policy.
   *
   * Asks for an elevated session. Refused with 409 where no owner could sign in without it. Sessions that began there
   * go on; where its word was taken for a second factor, it counts no more.
   */
  readonly provider_delete: Method<"auth.provider_delete">;
  /**
   * Make a sign-in provider, or change one: `settings` as a whole, what else is left out stays. Nothing is asked
   * there; auth.provider_test tries it.
   *
   * People use it when its id is among the `methods` of the policy, too. Asks for an elevated session. Another issuer
   * clears the secret, unless a new one comes with it, and leaves links to accounts there without effect. Switching off
   * what alone lets an owner in is 409, and so is a twenty-first provider.
   */
  readonly provider_save: Method<"auth.provider_save">;
  /**
   * Try a sign-in provider: its discovery document, its keys, and whether it takes this server's name and secret.
   *
   * Everything is asked anew. The steps say what to mend; the first names the address that the provider must know to
   * send people back to. Nobody signs in, so that what it says of people is not told.
   */
  readonly provider_test: Method<"auth.provider_test">;
  /**
   * Take the account at a provider away that lets you in, as `linked` of auth.me lists it. Answers those left.
   *
   * Asks for an elevated session. An admin takes away another's, an owner's only an owner (403). Refused with 409 where
   * no other way to sign in would be left to you that the policy takes, and where none would be left to any owner. Where
   * members are found by their address, whoever has it there is linked again when they next come. Sessions that began
   * so go on: auth.session_revoke ends them.
   */
  readonly provider_unlink: Method<"auth.provider_unlink">;
  /** List the sign-in providers, oldest first: those that are used, and for admins all, with their settings. */
  readonly providers: Method<"auth.providers">;
  /**
   * End a session, and its streams; the next call with it is 401. Answers the sessions left of whose it was.
   *
   * Your own, and for admins everybody's, an owner's for owners only (403). To end that of this call is to sign out, as
   * by auth.logout.
   */
  readonly session_revoke: Method<"auth.session_revoke">;
  /** List where you are signed in, newest first. Another's sessions are for admins (403). */
  readonly sessions: Method<"auth.sessions">;
  /**
   * Get a secret for an authenticator app; it counts once `auth.totp_confirm` got a code made with it.
   *
   * Asks for an elevated session. Beginning again makes a new secret; with a second factor in force it is 409.
   */
  readonly totp_begin: Method<"auth.totp_begin">;
  /**
   * Put the second factor in force with a code from the app. Answers ten recovery codes, shown this once.
   *
   * Asks for an elevated session. A wrong code is 422; without `auth.totp_begin` before it is 409.
   */
  readonly totp_confirm: Method<"auth.totp_confirm">;
  /**
   * Take the second factor away, with its recovery codes. Asks for an elevated session.
   *
   * An admin resets another's, an owner's only an owner (403): all of it then, their passkeys, too, so that whoever lost
   * their devices comes in by password or link. Your own passkeys stay (auth.passkey_delete). Without a factor nothing
   * changes. Where the policy asks for one, whoever has none can only set one up.
   */
  readonly totp_disable: Method<"auth.totp_disable">;
}

/** Automation: rules that run operations when something happens, at a time, or when somebody presses a button. */
export interface AutomationModule {
  /** Look at what rules can be made of: operations, fields for conditions, placeholders, and actions to begin with. */
  readonly catalog: Method<"automation.catalog">;
  /** Delete a rule with its log; what waits is not run. What it did stays. */
  readonly delete: Method<"automation.delete">;
  /**
   * List the rules by id. Admins read all of them; others read what sets each off and which operations it runs, and
   * neither queries nor inputs, which may name what they do not see.
   */
  readonly list: Method<"automation.list">;
  /**
   * List what came of the latest runs, newest first: 200 at most, of 90 days and 1,000 for each rule.
   *
   * Runs for something that the caller does not see are left out. Why a run failed, and where a rule went beyond what it
   * ran for, its author alone reads the message.
   */
  readonly log: Method<"automation.log">;
  /**
   * Run a rule now, as its author, and answer its entry in the log, which says what came of it. For admins.
   *
   * A rule with a button or with times is run: at once, or in a moment for each issue that its query names. A rule that
   * goes by events or by a state changes nothing here: the entry says how often it would have run over past events,
   * judged by how issues are now, or for which issues it would run now. One that is off is 409, unless it is only tried.
   */
  readonly run: Method<"automation.run">;
  /**
   * Make a rule, or change one; fields that are not named stay. For admins.
   *
   * Whoever saves it is its author: it runs with what they may at that moment, with the scopes of this call at most, and
   * stops when they are no admin any more. It does nothing that only people may do. Operations, fields, queries and
   * placeholders that are not there are 422, naming the nearest.
   *
   * A rule that set off another, and that the next, stops behind five; the same one runs for the same thing ten times
   * within a minute at most; one that fails five times in a row is switched off. What is imported or undone sets
   * none off. An org has 200 rules at most (409).
   */
  readonly save: Method<"automation.save">;
}

/** Backups: archives of the whole org, taken while people work, by hand or on a schedule, checked and fetched. */
export interface BackupsModule {
  /**
   * Take a backup of the whole org while people work: the state of one moment, in one archive, checked.
   *
   * It holds all data but the key that seals secrets. One is taken at a time (409).
   */
  readonly create: Method<"backups.create">;
  /** Take a backup away for good; answers those that are left. */
  readonly delete: Method<"backups.delete">;
  /**
   * Get a link to a backup, good for five minutes and for nobody who is no admin then.
   *
   * One that lies in an S3-compatible store is fetched from there, by a link that the store gives.
   */
  readonly fetch: Method<"backups.fetch">;
  /** List the backups in all places, the latest first, and the schedule. */
  readonly list: Method<"backups.list">;
  /**
   * Put a backup in the place of all data, or bring a project of it back beside what is there.
   *
   * Owners only. Answers the job that does it. A project comes back under a free key (`WEB2`) with new ids, and nothing
   * else changes; the rest is about the whole.
   *
   * An archive that is damaged, of a newer version or of another program is refused, at once (409) or by the job, and
   * nothing is changed then; so is one that was changed since this server made it. One that was made elsewhere, or has
   * no signature, is restored: `origin` of the job's result says so.
   *
   * While the data change places, for about a second, every call is refused (503) and streams end. What was there goes
   * into a safety copy, which holds every write that was acknowledged; its id is in the job's result. Afterwards
   * everybody signs in anew, also whoever restored: sessions, links, grants of connected programs and device codes are
   * void, and keys, invitations and people that were revoked, deactivated or erased since the backup stay so. Keys that
   * are good in both go on, and see the job under its number.
   *
   * One restore runs at a time, and none while a backup is being taken (409). A job that is cut off before the data
   * change places changes nothing and is not taken up again; after that it packs the safety copy when the server is
   * there again.
   */
  readonly restore: Method<"backups.restore">;
  /**
   * Say when backups are taken by themselves: hourly, or at three in the morning where the org is, weekly on Monday.
   *
   * What the operator did not name in the settings is no place (422), and a store that cannot be used is none yet (409).
   */
  readonly schedule_set: Method<"backups.schedule_set">;
  /**
   * Open a backup in a process of its own and check it: checksums, schema, integrity, rows, and each file's bytes.
   *
   * `origin` says whether this server made it. One made elsewhere, or unsigned as those of earlier versions are, passes.
   */
  readonly verify: Method<"backups.verify">;
}

/** Boards: the issues of a query in columns of lanes, in the order of their ranks, to be moved by dropping. */
export interface BoardsModule {
  /**
   * Set the columns of a board: their names, lanes, order and limits. Columns that are not named go.
   *
   * A column named by its `id` keeps it. A lane stands in one column; issues in lanes that stand in none are not on the
   * board. Who may change the board may do so (403).
   */
  readonly columns_set: Method<"boards.columns_set">;
  /** Copy a board that you see: with its condition, columns, filters and fields, on a project or as your own. */
  readonly copy: Method<"boards.copy">;
  /**
   * Put a board into the trash; trash.restore brings it back. Answers those left. Its issues stay as they are.
   *
   * Who may change it may delete it (403).
   */
  readonly delete: Method<"boards.delete">;
  /**
   * Look at a board: its columns, filters and fields; `boards.view` answers the issues on it.
   *
   * A board on a project is seen by whoever sees the project, any other by its owner alone. Its conditions go
   * on meaning what they named when they were saved, and are shown with present names. A lane that is gone is in no
   * column any more.
   */
  readonly get: Method<"boards.get">;
  /** List the boards that you see, by name. */
  readonly list: Method<"boards.list">;
  /**
   * Drop an issue into a column: to a lane of it, into its place in the order and into a row, all of it or nothing.
   *
   * A lane is entered as by issues.transition, and what refuses that refuses the drop (409 `workflow-refused`,
   * `approval-needed`; 422 where the transition asks for fields). A column that has a `hard` limit takes no issue beyond
   * it (409), counting those on the board that you see. The row is set as by issues.update and issues.assign. The order
   * is that of issues.rank and needs its right, and `issue.ranked` names the `board`.
   *
   * `dry_run` passes the same checks, writes nothing, and answers in `blocked` why the drop would be refused.
   */
  readonly move: Method<"boards.move">;
  /**
   * Set the quick filters of a board, which `boards.view` takes by their ids. Filters that are not named go.
   *
   * A filter named by its `id` keeps it. A condition that cannot be asked is 422. Who may change the board may do so
   * (403).
   */
  readonly quick_filter_save: Method<"boards.quick_filter_save">;
  /**
   * Make a board, or change one: fields that are not named stay, null clears `project`, `swimlanes` and `color_by`.
   *
   * A new one has a column for each lane of its project's workflow, or of the org's, the done ones in one;
   * boards.columns_set makes others. A condition that cannot be asked is 422 with the place in it (`tql-syntax`,
   * `tql-name`); one with `order by`, `select` or `group by` too, since a board is in the order of ranks. Your own are
   * yours to change, those on a project for its members and leads (403). An owner has 200 boards at most (409).
   */
  readonly save: Method<"boards.save">;
  /**
   * Show the issues on a board: each column with its number, its sum of estimates and its first issues.
   *
   * On it are the issues that fit its condition, the `filters` and `tql`, that you see and whose lane stands in a
   * column; archived ones where the condition speaks of them. They stand project by project in the order in which the
   * projects were made, in each by rank, and `count` and `estimate` are of all of them. A column whose `next` is not
   * null has more: the same call with that as `cursor` answers the column alone, from there on.
   *
   * A board with `swimlanes` answers a row for each value of the field that issues on it have, with counts by column and
   * the keys of those issues that the columns answer. Without issues:read a board is empty. A condition that names what
   * is gone is 422, as is one that takes longer than three seconds.
   */
  readonly view: Method<"boards.view">;
}

/** Chat: commands from Slack, Teams and Discord run operations, and channels there hear of issues. */
export interface ChatModule {
  /**
   * Delete a connection with its secrets, linked accounts and subscriptions; what waited is not sent.
   *
   * Answers it as it was.
   */
  readonly connection_delete: Method<"chat.connection_delete">;
  /**
   * Make a connection, or change one; fields that are not named stay. For admins who see its project.
   *
   * The platform is then told to post to `hook_path` of this site. Its secrets are sealed and never shown again. An org
   * has 50 connections at most (409).
   */
  readonly connection_save: Method<"chat.connection_save">;
  /** List the connections with chat platforms by id. Errors are told to admins. */
  readonly connections: Method<"chat.connections">;
  /** Delete a subscription; what waited is not posted. */
  readonly subscription_delete: Method<"chat.subscription_delete">;
  /**
   * Make a subscription, or change one; fields that are not named stay. For admins.
   *
   * Whoever saves it is its author: the channel hears of what they may hear of, and of nothing once they are no admin.
   * Comments that are internal are never posted. What is brought in or undone is not posted either. An org has 100
   * subscriptions at most (409).
   */
  readonly subscription_save: Method<"chat.subscription_save">;
  /** Post a word to the channel now, once. Where the channel does not take it, 502 says what it answered. */
  readonly subscription_test: Method<"chat.subscription_test">;
  /** List the subscriptions of channels by id. Their queries are told to admins. */
  readonly subscriptions: Method<"chat.subscriptions">;
}

/** Checklists: small steps of an issue that are ticked off, and templates of them. */
export interface ChecklistsModule {
  /**
   * Put items at the end of the checklist of an issue, one for each line.
   *
   * Whoever may edit the issue does. An item has 1,000 characters at most (422), an issue 500 items (409).
   */
  readonly add: Method<"checklists.add">;
  /**
   * Put the items of a template at the end of the checklist of an issue, whatever its type.
   *
   * Those that stand there already, word for word and not ticked, are not put there again.
   */
  readonly apply: Method<"checklists.apply">;
  /** Take an item off its checklist; undo brings it back. */
  readonly delete: Method<"checklists.delete">;
  /** Look at the checklist of an issue; one that has none has an empty one. */
  readonly list: Method<"checklists.list">;
  /** Put the items of a checklist in order. An item of another issue is 422. */
  readonly reorder: Method<"checklists.reorder">;
  /** Take a template away; issues that have its items keep them, and templates of issues that name it go without. */
  readonly template_delete: Method<"checklists.template_delete">;
  /**
   * Make a template of a checklist, or change one. A name is unique without case (409); an org has 200 at most.
   *
   * Issues that have the items already stay as they are.
   */
  readonly template_save: Method<"checklists.template_save">;
  /** List the templates of checklists by name; guests see those for the types that their projects use. */
  readonly templates: Method<"checklists.templates">;
  /**
   * Tick an item off, or change what it says, who does it and until when; answers the whole checklist.
   *
   * What is not named stays. An item that is ticked already keeps who did it and when.
   */
  readonly update: Method<"checklists.update">;
}

/** Comments: what people say on a subject, in threads. */
export interface CommentsModule {
  /**
   * Comment on a subject, or reply in a thread.
   *
   * Issues, assets (`asset:LAP-1`), flags and change requests of flags (`flag_change:<id>`) take comments, of whoever
   * may comment there; who does watches the issue from then on. What is archived or locked takes comments from its
   * leads only (403), what is of an archived project from nobody (409). Internal notes are made on issues only, and a
   * reply that differs from its thread in `internal` is no better (422). `@handle` outside code and links mentions a
   * member, team or agent: the event names those who see the comment; what stands behind the first 100,000 characters
   * mentions nobody. `uploads` are as with attachments.expect.
   */
  readonly create: Method<"comments.create">;
  /**
   * Put a comment into the trash, with its files; trash.restore brings it back.
   *
   * Authors delete their own, leads of the project and admins any (403). Replies stay: where the first comment of a
   * thread goes, its place is shown without author and body while replies remain.
   */
  readonly delete: Method<"comments.delete">;
  /** Bring in a comment from elsewhere, with its author and time. Mentions, mails, watches and triggers nothing. */
  readonly import: Method<"comments.import">;
  /**
   * List the comments on a subject, oldest first; guests do not see internal ones.
   *
   * The starter of a thread that was deleted while replies remain stands there without author and body.
   */
  readonly list: Method<"comments.list">;
  /**
   * React to a comment with an emoji or short code, or take that back. Twice counts once.
   *
   * Whoever may comment there reacts; whoever sees it takes back their own. A comment has at most 50 different ones
   * (409).
   */
  readonly react: Method<"comments.react">;
  /**
   * Mark a thread as resolved, or open it again. Twice is no change.
   *
   * Its author does, and whoever may change what it is on (403); a reply is 422. A thread whose first comment was
   * deleted is resolved by that one's id, too.
   */
  readonly resolve: Method<"comments.resolve">;
  /**
   * Change what you said. Authors change their own, and what their agents said; nobody else does (403).
   *
   * You can comment there still: what is archived or locked is for its leads (403). Whether it is internal stays as it
   * is. Only who was not mentioned before is told of a mention. The same text again is no change. `uploads` are as with
   * attachments.expect.
   */
  readonly update: Method<"comments.update">;
}

/** Components: parts of a project, each with somebody who gets its new issues. */
export interface ComponentsModule {
  /**
   * Take a component away; answers those that the project has left.
   *
   * One that issues have needs `move_to` (409 `in-use` with `uses`).
   */
  readonly delete: Method<"components.delete">;
  /** List the components of a project by name, the archived ones last. */
  readonly list: Method<"components.list">;
  /**
   * Make a component, or change one: fields that are not named stay.
   *
   * Leads of the project and admins do. A name is unique in its project without case (409); its lead is an active
   * member who sees the project (422). A new one with a lead gives new issues to them unless `assign` says otherwise.
   */
  readonly save: Method<"components.save">;
}

/** The service desk: customers outside, what they may ask for, their portal, and requests by mail and chat. */
export interface DeskModule {
  /**
   * Add a customer, with a password to hand over: it is in the answer and never shown again.
   *
   * It opens the desks where you work, and all once they set one of their own by mail. An address that a customer has is
   * 409. For members and leads of a project that is a desk.
   */
  readonly customer_add: Method<"desk.customer_add">;
  /**
   * Shut a customer out, or let them in again. A block ends their tokens at once, and what they mail is ignored.
   *
   * For admins who work at a desk that the customer has to do with, or where they have to do with none.
   */
  readonly customer_block: Method<"desk.customer_block">;
  /**
   * Give a customer a new password to hand over: it is in the answer and never shown again.
   *
   * It opens the desks where you work, until they set one of their own by mail. They are signed out everywhere. Refused
   * (409) for a customer who is blocked, and while they have to do with requests of desks where you do not work.
   */
  readonly customer_reset: Method<"desk.customer_reset">;
  /**
   * List customers by name, the first thousand: those who have to do with requests of desks where you work, and those
   * who have to do with none.
   *
   * For members and leads of a project that is a desk (403).
   */
  readonly customers: Method<"desk.customers">;
  /**
   * Say how often help articles were the answer at a desk in the last thirty days, and how many requests that you see
   * came in by its portal. `top` names articles that the portal still shows; to a key without pages:read none.
   */
  readonly deflection_stats: Method<"desk.deflection_stats">;
  /**
   * Say where mail to a desk is posted, the same each time unless it is to `renew`: a path of this site, with a token
   * that nobody guesses.
   *
   * It takes the forms of the inbound services of SendGrid, Mailgun and Postmark, and JSON with `from`, `name`,
   * `subject` and `text`. For admins who lead the project. The token is sealed: with another master key than it was made
   * with, there is a new one.
   */
  readonly email_address: Method<"desk.email_address">;
  /** List the service desks of the projects that you see, by name. */
  readonly list: Method<"desk.list">;
  /** Read a help article: a published page of the space of a desk that is open. Others are 404. Looks are counted. */
  readonly portal_article: Method<"desk.portal_article">;
  /**
   * Say something on a request of yours, in 100,000 characters at most. One that is locked or archived takes nothing
   * more (409). After twenty requests, answers and changes of yours in an hour it is 429.
   */
  readonly portal_comment: Method<"desk.portal_comment">;
  /**
   * Ask for something. Answers that do not fit, and such as are missing, are 422 at `values.<key>`, all of them at
   * once; an answer to a question that is not shown is not kept. A type that nobody may ask for is 404, one of a desk
   * that your password does not open 403. After twenty requests, answers and changes of yours in an hour it is 429.
   */
  readonly portal_create: Method<"desk.portal_create">;
  /**
   * Say what the form of a request type asks once these answers are applied: which questions are shown, which must be
   * answered, and what may be chosen.
   *
   * An answer that does not fit is as none here; making the request refuses it. An answer to what is no question is 422,
   * a type that nobody may ask for 404.
   */
  readonly portal_form: Method<"desk.portal_form">;
  /** List the desks that are open, by name, with what may be asked for. For everybody, signed in or not. */
  readonly portal_info: Method<"desk.portal_info">;
  /**
   * Sign a customer in. The token goes as a bearer token with the other operations of the portal, for thirty days.
   *
   * Wrong password, unknown address and blocked are one 401, which takes as long. After ten failures on an address from
   * one network address, or fifty from there, in 15 minutes it is 429 with `Retry-After`; where too many sign in at once
   * 503 `busy`.
   */
  readonly portal_login: Method<"desk.portal_login">;
  /** End the token that this is called with; others of the customer stay. */
  readonly portal_logout: Method<"desk.portal_logout">;
  /** Say who is signed in; `requests` counts those that they made and see. */
  readonly portal_me: Method<"desk.portal_me">;
  /**
   * Look at a request of yours, with what was said on it last, fifty answers at most; `older` leads to those before.
   * One that is not yours is 404, as is one that never was.
   */
  readonly portal_request: Method<"desk.portal_request">;
  /** List your requests and those that you take part in, the latest change first, 500 at most. */
  readonly portal_requests: Method<"desk.portal_requests">;
  /**
   * Make an account. A link is mailed to the address, and desk.portal_verify finishes by it; till then there is none.
   *
   * An address that a customer has gets the very same answer, and a letter that says so. A server that sends no mail
   * signs in at once, and there a known address is 409. Where no open desk has `open_signup` it is 403. After ten
   * letters to an address in an hour, three of them asked for from one network address, it is 429.
   */
  readonly portal_signup: Method<"desk.portal_signup">;
  /** Say whether a help article was the answer: desk.deflection_stats counts that it was. One that is none is 404. */
  readonly portal_solved: Method<"desk.portal_solved">;
  /**
   * Ask for a link by which a customer sets a new password. It is mailed in a moment, works once, and lives half an
   * hour.
   *
   * The answer is the same, and comes as soon, where no customer has the address, where they are blocked, and where this
   * server sends no mail. After ten letters to an address in an hour, three of them asked for from one network address,
   * it is 429.
   */
  readonly portal_start_reset: Method<"desk.portal_start_reset">;
  /**
   * Set a customer's password by a link, and sign them in. All their other tokens and links end.
   *
   * A link that is used, over or mistyped is 404; a password that does not fit is 422 and uses nothing up.
   */
  readonly portal_submit_reset: Method<"desk.portal_submit_reset">;
  /** Suggest help articles of a desk that is open, five at most. One that is not is 404. */
  readonly portal_suggest: Method<"desk.portal_suggest">;
  /**
   * Say how a request went, of which the token is: one rating, which may be changed for seven days, and is given anew
   * when the request was reopened and closed again.
   *
   * What is said with it becomes an internal note on the request, for the people of the desk alone, and another rating
   * changes that note. A token that is mistyped or of a request that is open, gone or closed a month ago is 404, as is
   * any while the desk does not ask. After the seven days it is 409. A note counts as an answer of the customer's: the
   * twenty-first in an hour is 429.
   */
  readonly portal_survey: Method<"desk.portal_survey">;
  /**
   * Close a request of yours, or reopen one that is closed, as long as the desk allows it; or, where you are asked to
   * agree before it goes on, do that or refuse.
   *
   * It goes the first way of its workflow that leads there, asks for nothing and needs nobody to agree. Where there is
   * none, where it is closed or open already, and where nothing asks you it is 409. What you asked for yourself others
   * decide, unless the workflow lets you (403). After twenty requests, answers and changes of yours in an hour it is
   * 429.
   */
  readonly portal_transition: Method<"desk.portal_transition">;
  /**
   * Say what you are called, your language, whether you are mailed, or another password: with that, all other places
   * where you are signed in end.
   *
   * A password that an agent made opens that agent's desks alone, and so does what it is changed to: whoever made it may
   * change it, too. Where this server sends mail the link of desk.portal_start_reset ends that, where it sends none any
   * change does. A wrong `current` is 422, and after ten of them in 15 minutes 429, as with signing in.
   */
  readonly portal_update: Method<"desk.portal_update">;
  /**
   * Hang a file on a request of yours: whoever sees the request sees it. One that is locked or archived takes none
   * (409), nor one that has a hundred; 100 MB in a day are enough of one customer (409). Above 10 MB it is 413.
   */
  readonly portal_upload: Method<"desk.portal_upload">;
  /**
   * Finish a sign-up by the link that was mailed: the account is made, and signed in. A link that is used, over after
   * a day, or mistyped is 404; where somebody with the address became a customer meanwhile it is 409. Where no open desk
   * has `open_signup` any more it is 403; the link stays for its day.
   */
  readonly portal_verify: Method<"desk.portal_verify">;
  /**
   * Get a file of a request of yours: one that its customers sent, or that hangs on what was said to them. Any other,
   * such as one on an internal note, is 404. One of more than 10 MB is 413.
   */
  readonly portal_view_file: Method<"desk.portal_view_file">;
  /**
   * Share a request of yours, or say who sees it no more; without both, who does. Whoever asked shares it, and others
   * may leave (403).
   *
   * Where the desk lets anybody sign up, an address that is not known becomes a customer, who is mailed. Elsewhere the
   * colleague is a customer with an address at the same host as yours (422). After twenty in a day, and with fifty who
   * see it, it is 409.
   */
  readonly portal_watch: Method<"desk.portal_watch">;
  /** Take a queue away; what was in it stays. Answers those that the desk has left. */
  readonly queue_delete: Method<"desk.queue_delete">;
  /**
   * Make a queue, or change one: what is optional and not named stays. For admins who lead the project.
   *
   * A text that cannot be asked is 422 with the place in it (`tql-syntax`, `tql-name`), and so are an order and columns
   * that are no fields of issues. Names mean what is called so now, and the queue goes on meaning that. A desk has a
   * hundred queues at most (409). Answers those of the desk, whose counts are -1 in a batch.
   */
  readonly queue_save: Method<"desk.queue_save">;
  /**
   * List the queues of a desk in their order, each with its issues now, as far as you see them, and how many of these
   * are late: open behind their due date.
   *
   * `tql.run` with its `tql`, `project`, `order` and `columns` answers what is in it. A count that took too long, or
   * whose text cannot be read now, is -1.
   */
  readonly queues: Method<"desk.queues">;
  /**
   * List the canned replies that you may use, by folder and name: your own, and shared ones for desks where you work.
   *
   * For members and leads of a project that is a desk (403).
   */
  readonly replies: Method<"desk.replies">;
  /** Take a canned reply away, as whoever may change it. Answers those that you have left. */
  readonly reply_delete: Method<"desk.reply_delete">;
  /**
   * Fill a canned reply in for a request, to be sent by desk.send_reply. Of who answers it says what the desk shows.
   *
   * For members of the project. An issue that is no request is 409, a reply that is for another desk 404.
   */
  readonly reply_render: Method<"desk.reply_render">;
  /**
   * Make a canned reply, or change one: what is optional and not named stays. A placeholder that is none is 422.
   *
   * For members and leads of a project that is a desk. Your own are yours to change; shared ones also leads of the
   * project that it is for, and those for all desks also admins (403). Somebody has a thousand at most (409).
   */
  readonly reply_save: Method<"desk.reply_save">;
  /**
   * Write a request down for a customer, who is told by mail that it is here and sees it on the portal. For members
   * of the project.
   *
   * The form is judged as on the portal: what does not fit and what is missing is 422 at `values.<key>`, all of it at
   * once. The reporter is the customer, and whoever writes it down watches it. A customer who is blocked, one with 500
   * open requests, and a desk that is shut are 409.
   */
  readonly request_create: Method<"desk.request_create">;
  /**
   * Take a request type away; answers those that the desk has left.
   *
   * One that requests have needs `move_to` (409 `in-use` with `uses`).
   */
  readonly request_type_delete: Method<"desk.request_type_delete">;
  /**
   * Make a request type, or change one: what is optional and not named stays. For admins who lead the project.
   *
   * Questions stand for fields that issues of the type have in the project, but not for those that name people, teams or
   * other things, nor computed ones (422); `show_if` asks for what stands before it on the form. What the layout of
   * such issues asks for is asked behind the form. Answers the desk's request types.
   */
  readonly request_type_save: Method<"desk.request_type_save">;
  /** List what may be asked for at a desk, in order, with the forms; hidden ones too. */
  readonly request_types: Method<"desk.request_types">;
  /**
   * Say whose request an issue is and who takes part in it. For members of the project, which must be a desk.
   *
   * They read title, description and status, and what is said from then on; of what was said before it was a request
   * they read nothing. Somebody by an address that no customer has becomes one, and who is a customer of other desks is
   * one of this desk then, too: its people see them. An issue that is no request needs a `requester` (409).
   */
  readonly requester_set: Method<"desk.requester_set">;
  /**
   * Say how customers rated what was done for them, by whoever had the request then, by request type or by week (its
   * Monday), of the requests that you see. For members of the desk.
   *
   * A rating counts on the day of its last change; `low` are those of one and two. Where nobody had the request, or it
   * is of no type, `group` is empty.
   */
  readonly satisfaction: Method<"desk.satisfaction">;
  /**
   * Make a project a service desk, or change its settings; what is not named stays. For admins who lead it.
   *
   * While it is not `enabled` its requests are not shown on the portal, and what is said on them is mailed to nobody. An
   * archived project is 409.
   */
  readonly save: Method<"desk.save">;
  /**
   * Answer a request: whoever sees it on the portal reads it, and is mailed. Naming others and moving it needs the
   * rights of that, and all of it happens or nothing. An issue that is no request is 409. Files are shown on the portal;
   * one on an internal note is 422.
   *
   * With `send_at` it goes then, in your name and with what you may then: desk.waiting_replies lists what waits, and
   * says of an answer that did not go why. Twenty wait on a request at most (409).
   */
  readonly send_reply: Method<"desk.send_reply">;
  /**
   * Put a request into the trash that is none, and tell its sender nothing. For members of the project; an issue that
   * is no request of a desk is 409, as is one of an archived project.
   *
   * With `block` whoever sent it is shut out, at all desks. That is for members of all desks that they have to do with;
   * for others an admin does it by desk.customer_block (403).
   */
  readonly spam: Method<"desk.spam">;
  /**
   * Say how much came in at a desk in some days and was done, of the requests that you see. For members of it.
   *
   * `solved` and `reopened` count requests by what happened to them in these days, `backlog` those that were open at
   * their end. The medians are in seconds: `first_reply` of those that came in and were answered, `resolution` of those
   * that were solved, from when they came. A request that lies in the trash counts for nothing.
   */
  readonly stats: Method<"desk.stats">;
  /**
   * Suggest help articles of the desk that fit a request, the best first, five at most. For members of the project.
   *
   * `score` is how many of the words of title and text stand in it: one in a title counts for two more. A key without
   * the scope pages:read is suggested none. An issue that is no request of a desk is 409.
   */
  readonly suggest_articles: Method<"desk.suggest_articles">;
  /**
   * List the answers of a desk that are to go at a time, soonest first, and those that did not go, on requests that
   * you see: the first thousand. For members of it.
   */
  readonly waiting_replies: Method<"desk.waiting_replies">;
}

/**
 * Drafts: unsent texts, which follow a person from device to device and which others may finish where they are shared.
 *
 * What the owner of a draft does not see any more is as if it were not there, and so is the draft on it, until they see it
 * again.
 */
export interface DraftsModule {
  /**
   * Throw away your draft on a thing, as when it was sent; there is no way back.
   *
   * One that another shares goes by its `seq`, from members who may comment there (403). Where `seq` is given and the
   * draft was saved meanwhile it stays (409 `stale`, with `current`).
   */
  readonly delete: Method<"drafts.delete">;
  /**
   * List your drafts, the latest first; with `subject` yours on it, and behind it those that others share.
   *
   * A draft on what you do not see any more is left out, and comes back when you see that again. Guests are shown their
   * own alone. Keys and agents see their owner's, as far as they see what these are on.
   */
  readonly list: Method<"drafts.list">;
  /**
   * Save the draft that you have on a thing, or begin one: there is one for each thing that you see.
   *
   * With `seq` a draft that was saved, sent or deleted meanwhile is left as it is (409 `stale`, with `current`, which is
   * null where it is gone); without it the last word stands. A draft that another shares is changed by its `seq` alone,
   * which drafts.list tells, by members who may comment there (403), and stays its owner's, who alone shares it and
   * takes it back (403). Sharing needs a thing that takes comments (422). You have 200 drafts at most, with 8 MB in all
   * (409); before that is said, those make room whose things you do not see any more.
   */
  readonly save: Method<"drafts.save">;
}

/** Events taken out by the day, as Parquet, for programs that read millions of them. For admins. */
export interface EventsModule {
  /**
   * Lay the events of some days as Parquet, a file for each day, where `[export]` of the settings says: a folder or
   * a bucket.
   *
   * Answers the job that does it, one at a time (409). A day that lies there whole is left as it is, and a job that was
   * cut off goes on where it was: calling it again costs little. The server does so by itself, too, once a day. Files
   * have the events that `analytics.query` reads; `time` is a timestamp in UTC, `payload` a text in JSON.
   */
  readonly export: Method<"events.export">;
}

/** Own fields of issues, worklogs, companies and requests: their kinds, options, layouts and values. */
export interface FieldsModule {
  /**
   * Put a field with its values and options into the trash. Answers the fields that are left.
   *
   * It is gone from issues and layouts at once, and comes back to them with its values by trash.restore or undo. Its key
   * stays taken for ever.
   */
  readonly delete: Method<"fields.delete">;
  /** Look at a field by its key, or by a name that one field alone has. */
  readonly get: Method<"fields.get">;
  /**
   * Look at which fields the issues of a project have, type by type.
   *
   * Where nobody laid them out these are all that are for the project and the type, none of them required.
   */
  readonly layout: Method<"fields.layout">;
  /**
   * Lay fields out on a type of a project. For its leads and admins.
   *
   * A field that stands in neither list takes no value on such issues; what they hold already is hidden, and comes back
   * when the field does. A field must be for the project and the type (422). What is computed can stand in `edit` alone.
   * Fields that are made later do not come in by themselves. A condition in `tql` is 422.
   */
  readonly layout_save: Method<"fields.layout_save">;
  /**
   * List the fields that you see, in the order in which they were made.
   *
   * Members see the fields of all projects and of those that they see, guests such as are laid out in their projects.
   * `used` counts the issues with a value that you see.
   */
  readonly list: Method<"fields.list">;
  /**
   * Fold options into one: what has them has that one, once, and they are gone.
   *
   * The default and the rules of layouts go along. In a cascade the options stand under the same one (422), and those
   * that go have none under them (409). The first 500 values are changed in this call and more by a job, which tells of
   * each 500 it changed; meanwhile they are shown as the option that stays.
   */
  readonly option_merge: Method<"fields.option_merge">;
  /**
   * Say which options a field has, as the whole list in order: 1,000 at most.
   *
   * For admins, and for those who lead all the projects that the field is limited to. An option is known by its id, else
   * by its name; names are unique without case among those that stand under the same one (422). A colour or an archiving
   * that is not named stays. Leaving out an option that an issue, the default or a layout's rule has is 409 with `uses`,
   * and so is moving one under another; fields.option_merge folds it into another, archiving keeps it.
   */
  readonly options_set: Method<"fields.options_set">;
  /**
   * Make a field, or change one: fields that are not named stay; null clears default, min, max and pattern.
   *
   * A key is no field or keyword of the query language (422), nor that of a field that is or was (409). A name is unique
   * without case among the fields that can stand on one issue (409). There are 200 fields at most (409). `default`,
   * `min`, `max`, `pattern` and `formula` must go with the kind (422); they are asked of what is given from now on. A
   * formula may name other computed fields, none that leads back to it (422).
   *
   * Where issues have values, the kind changes to a wider one alone, which turns them: text to paragraph, number to
   * money (in the currency of the default, else `XXX`), date to datetime (at the day's start in the org's zone), select
   * to multi_select, member to members, any kind to text. Another kind is 409 with the count. Limits that the new kind
   * does not take go; the options of a select go with the change to text. fields.options_set says what may be chosen.
   */
  readonly save: Method<"fields.save">;
}

/** Feature flags: projects with environments, flags with targeting, segments, change requests, schedules, SDK keys. */
export interface FlagsModule {
  /**
   * Archive a flag: clients answer their own default for it from then on. flags.restore brings it back.
   *
   * While others wait for it (409 with `uses`) it stays, and agents leave one that is on in a critical environment to
   * people (409 `approval-needed`). One that is archived already stays so.
   */
  readonly archive: Method<"flags.archive">;
  /**
   * Apply an approved change now, whose time has not come. Agents leave it to its time (403).
   *
   * One that lacks approvals, was decided, or does not fit any more is 409.
   */
  readonly change_apply: Method<"flags.change_apply">;
  /** Take a change request back: whoever asked for it may, and admins. One that was decided is 409. */
  readonly change_cancel: Method<"flags.change_cancel">;
  /**
   * Ask for a change of a flag's targeting, or of a segment. It is applied once enough people approve it.
   *
   * `deleteSegment`, alone, asks for a segment to be deleted.
   *
   * What does not fit now is refused now (422, 409). Instructions that change nothing are 422.
   */
  readonly change_create: Method<"flags.change_create">;
  /** Look at a change request. While it is open `preview` says what it would change now, or why it does not fit. */
  readonly change_get: Method<"flags.change_get">;
  /**
   * Approve or decline a change request, or say something to it. Signed-in people alone may, never a key.
   *
   * Once it has as many approvals as the environment asks for it is applied, at its time where it has one; one that
   * does not fit any more has failed. One decline is enough. Your own you may approve only where the environment allows
   * it (403). One that was decided is 409.
   */
  readonly change_review: Method<"flags.change_review">;
  /**
   * List the change requests of a flag project, newest first, the last thousand; with `limit` a part, and behind the
   * last thousand, too.
   */
  readonly changes: Method<"flags.changes">;
  /**
   * Delete a saved check; answers those that are left in the flag project. An agent leaves one that is enforced to
   * people where its own changes wait for approval (409 `approval-needed`).
   */
  readonly check_delete: Method<"flags.check_delete">;
  /**
   * Save what a context is to get in an environment, or change that.
   *
   * While it is enforced, every change that would break it there is 409, whichever way it comes; `flags.update` takes
   * `bypass`. What is broken already stays as it is. An agent leaves checks that are enforced to people where its own
   * changes wait for approval (409 `approval-needed`). A flag that is not there is 404, one that is archived 409, and
   * what it never serves 422. An environment has at most 100 (422), and of each name one (409).
   */
  readonly check_save: Method<"flags.check_save">;
  /** List saved checks with the flags that break them now, by environment and name. */
  readonly checks: Method<"flags.checks">;
  /**
   * Open the issue that removes a stale flag: why it may go, what each environment serves, and what to do.
   *
   * The issue goes to the project of work that the flag project is tied to, or that `to` names (422 where there is
   * neither), is assigned to those maintainers who are active and see that project, and is linked to the flag. Where
   * none of them does, the project says who gets new issues. You need issues:write, and may make issues there.
   *
   * A flag that flags.stale does not tell is 409 with what keeps it; so is an archived one. While a clean-up issue of
   * the flag is linked and open, in whichever project, the answer is that one and nothing is made; one that you do not
   * see is 409. An issue counts as such by its `source`, which is `flag:<project>/<key>`. A flag has at most 100 issues
   * (422).
   */
  readonly clean_up: Method<"flags.clean_up">;
  /** Say which flags and segments differ between two environments; archived flags are left out. */
  readonly compare: Method<"flags.compare">;
  /**
   * Make the targeting of flags in one environment what it is in another, through the approvals of the one that
   * changes. Salts stay what they are there.
   *
   * A segment that a flag asks for and that is not there is 422, unless segments are copied too.
   */
  readonly copy: Method<"flags.copy">;
  /**
   * Make a flag, which is off in every environment. Without kind and variations it is true or false.
   *
   * A key that was given out, be it to a flag that is archived now, is 409. A flag project has at most 10,000 (422).
   */
  readonly create: Method<"flags.create">;
  /**
   * Delete an environment for good: targeting, segments, history, changes, schedules, counts and SDK keys of it.
   *
   * A critical one asks for its key in `confirm_key` (422). Answers the environments that are left.
   */
  readonly environment_delete: Method<"flags.environment_delete">;
  /**
   * Make an environment, or change one: fields that are not named stay.
   *
   * In a new one every flag is off, with its default variations. A flag project has at most 50 (422). Where the rules
   * of approval are loosened, changes that waited and have enough approvals now are applied.
   */
  readonly environment_save: Method<"flags.environment_save">;
  /** List the environments of a flag project, in the order in which they were made. */
  readonly environments: Method<"flags.environments">;
  /**
   * Say what a context gets in an environment, with every step that led to it; of one flag, or of all by key.
   *
   * It is not counted, and nothing of the context is kept. With `instructions` it is what the context would get: they
   * are about the flag `key`, and what does not fit is 422, as in `flags.update`. An archived flag is answered as
   * clients answer it: `ERROR`, `FLAG_NOT_FOUND`. A context that is none, or that has more than 64 KiB of JSON, 16
   * levels or 20 kinds, is 422.
   */
  readonly evaluate: Method<"flags.evaluate">;
  /**
   * Let contexts have a variation of a flag until a time; with null let them keep it.
   *
   * Those who are no target yet become one, and a key moves here from another variation. When the time comes the server
   * takes them out: where the environment asks for approval, this is what is approved, once. Where a check that is
   * enforced would break then, they stay, which is told. With null those who are no target are 422.
   */
  readonly expire: Method<"flags.expire">;
  /**
   * Everything that is configured, as one document: settings, own templates, and the flag projects that you see with
   * environments, segments, saved checks and flags, archived ones too. No SDK key is in it. For admins.
   */
  readonly export: Method<"flags.export">;
  /** Look at a flag: targeting in every environment, the flags that wait for it, open changes, schedules, issues. */
  readonly get: Method<"flags.get">;
  /**
   * List the versions of a flag in an environment, or of the flag itself, newest first: the last thousand, or as many
   * as four megabytes hold.
   *
   * The oldest is how it was made: what it was then differs from nothing.
   */
  readonly history: Method<"flags.history">;
  /**
   * Say what a change of targeting reaches, and how risky it is, with the reason; without instructions, any change.
   *
   * `high`: the environment is critical, and more than a tenth of the evaluations of the last 24 hours would or may be
   * answered otherwise, or other flags wait for this one. `medium`: more than a hundredth, or others wait. `none`: the
   * instructions change nothing. Else `low`. Instructions that do not fit are 422.
   */
  readonly impact: Method<"flags.impact">;
  /**
   * Count evaluations of a flag by hour and variation, oldest first, this hour among them. Counts come with a delay:
   * clients send them every five minutes by default.
   */
  readonly insights: Method<"flags.insights">;
  /** Make an SDK key. A server key stands in this answer and never again; of a client-side ID nothing is secret. */
  readonly key_create: Method<"flags.key_create">;
  /** Revoke an SDK key, now or later. Whoever holds it keeps what they have, and gets no more. Answers the others. */
  readonly key_revoke: Method<"flags.key_revoke">;
  /** List the SDK keys that open an environment, oldest first: a client-side ID whole, a server key by its end. */
  readonly keys: Method<"flags.keys">;
  /** List the flags with the tag `kill-switch`, on or off in each environment, or in one. */
  readonly kill_switches: Method<"flags.kill_switches">;
  /**
   * Say that a flag belongs to an issue, or no more. Answers the keys of the issues that you see on it.
   *
   * A flag has at most 100 (422). Asking for what is so already changes nothing.
   */
  readonly link: Method<"flags.link">;
  /** List the flags of a project by key, each with its state in every environment; a part of them with `limit`. */
  readonly list: Method<"flags.list">;
  /**
   * Roll a variation out step by step, in your name: with what you may do at each of them.
   *
   * The others keep what they had before, in its proportions. Checks are looked at every minute, hooks at the end of
   * each step. Where one does not hold, the rollout stops, and with `back` serves what was served before. While the flag
   * is off, or a hook is not reached, it is held; where somebody else changes what it serves there, it stops. Where a
   * change needs approval this makes a change request, and approves all steps at once. What does not fit now is refused
   * now (409, 422), and so is a second plan for the same place (409).
   */
  readonly plan_save: Method<"flags.plan_save">;
  /**
   * Stop a rollout, and with `back` serve what was served before it.
   *
   * A change request that it waits for is cancelled. Where going back needs approval, and the plan had none, it becomes
   * a change request, and the plan stops at once. One that ended is 409, and so is going back where somebody else
   * changed meanwhile what is served there.
   */
  readonly plan_stop: Method<"flags.plan_stop">;
  /** List rollouts by a plan, newest first, the last thousand. */
  readonly plans: Method<"flags.plans">;
  /**
   * Archive a flag project: it is listed no more, nothing in it changes, and its SDK keys are revoked.
   *
   * What was waiting there for its time waits until it is brought back by flags.project_save.
   */
  readonly project_archive: Method<"flags.project_archive">;
  /**
   * Make a flag project, or change one: fields that are not named stay. One that was archived comes back.
   *
   * A new one has no environments. One that is tied to a project of work is seen by whoever sees that, and changed by
   * its members and leads; any other by all members. The key of one that you do not see is 409.
   */
  readonly project_save: Method<"flags.project_save">;
  /** List the flag projects that you see, but archived ones, with their environments and how many flags live there. */
  readonly projects: Method<"flags.projects">;
  /** List where code names flags, by key, repository, branch, path and line: the first 10,000 places. */
  readonly refs: Method<"flags.refs">;
  /**
   * Say where the code of a branch names flags: this takes the place of what was said of that branch.
   *
   * Aliases count for their flag. `kbwork flags refs scan` finds them. A flag project has at most 200 branches (422).
   */
  readonly refs_push: Method<"flags.refs_push">;
  /**
   * Give a flag another key. The one it had is an alias: programs that ask by it get the same answers, which
   * `flags.insights` counts apart too, until the instruction `removeAlias` of `flags.update` drops it.
   *
   * Nobody gets another variation by this: contexts are hashed by the first key for good. Flags that wait for this one,
   * changes that wait, and saved checks go along. A key that a flag of the project has, or had, is 409, and so is an
   * archived flag. A flag has at most 20 aliases (422).
   */
  readonly rename: Method<"flags.rename">;
  /**
   * Make a flag what it was, as a new version; or bring it back from the archive. What it was in between stays in
   * the history.
   *
   * Where the environment of the version asks for approval this makes a change request, which the answer's `changes`
   * shows. What that version named and is gone since, such as a segment, is 422.
   */
  readonly restore: Method<"flags.restore">;
  /**
   * Change the targeting of a flag at a time, in your name: with what you may do then.
   *
   * Where a change needs approval this makes a change request for that time. What does not fit now is refused now (422,
   * 409), and what does not fit then is left undone and told. At most 100 wait for one flag (422).
   */
  readonly schedule_create: Method<"flags.schedule_create">;
  /** Take a change back that waits for its time. */
  readonly schedule_delete: Method<"flags.schedule_delete">;
  /** List what is to change at a time, soonest first. */
  readonly schedules: Method<"flags.schedules">;
  /**
   * Delete a segment. While flags, archived ones too, or other segments ask for it that is 409 with `uses`; so it is
   * while changes or schedules that wait are about it, or name it.
   *
   * Where the environment asks for approval, or an agent deletes one in a critical environment, the answer is a change
   * request.
   */
  readonly segment_delete: Method<"flags.segment_delete">;
  /** Look at a segment: who is in it, who is not, by which rules, and what asks for it. */
  readonly segment_get: Method<"flags.segment_get">;
  /**
   * Make a segment; nothing asks for it yet. One of this key is 409: flags.segment_update changes it.
   *
   * Where the environment asks for approval, or an agent makes one in a critical environment, it is made empty and what
   * is to be in it becomes a change request. A rule that names a segment which is not there is 422. An environment has
   * at most 1,000 (422).
   */
  readonly segment_save: Method<"flags.segment_save">;
  /**
   * Change a segment by ordered instructions, all or nothing.
   *
   * Where the environment asks for approval, or an agent changes a critical one, the answer is a change request. An
   * instruction that does not fit is 422 with its place; segments that would rest on each other in a circle are 409.
   */
  readonly segment_update: Method<"flags.segment_update">;
  /** List the segments of an environment by key; a part of them with `limit`. */
  readonly segments: Method<"flags.segments">;
  /** Look at what the org decided: whether an agent's change to a critical environment waits for approval. */
  readonly settings: Method<"flags.settings">;
  /** Decide whether an agent's change to a critical environment waits for approval. For admins. */
  readonly settings_set: Method<"flags.settings_set">;
  /**
   * List temporary flags that look ready to be removed, with the reason.
   *
   * Such a flag is older than 14 days, waits for no change, and in every environment serves one variation to everybody
   * for 14 days, or was not evaluated for 30 days though it was before, or never was.
   */
  readonly stale: Method<"flags.stale">;
  /** Delete a template of your own; flags that were made from it stay. Answers the templates that are left. */
  readonly template_delete: Method<"flags.template_delete">;
  /**
   * Make a template of your own, or replace one. Those that come with kbwork stay as they are (409).
   *
   * Flags that were made from one do not change with it. Answers all templates.
   */
  readonly template_save: Method<"flags.template_save">;
  /** List what new flags may begin as: the templates that come with kbwork, then the org's own by key. */
  readonly templates: Method<"flags.templates">;
  /**
   * Count evaluations of every flag of an environment by hour, this hour among them, and say when each was last asked
   * for; archived flags are left out. Counts come with a delay: clients send them every five minutes by default.
   *
   * `flags.insights` tells one flag by variation.
   */
  readonly traffic: Method<"flags.traffic">;
  /** Delete a trigger: its address opens nothing any more. Answers those that are left in the flag project. */
  readonly trigger_delete: Method<"flags.trigger_delete">;
  /**
   * Make an address that does one thing with a flag when it is posted to, or change what one does.
   *
   * `url` is shown once: whoever knows it may do that, without a key. It acts in the name of whoever saved it last, with
   * what they may do then: where their change would wait for approval, so does this; rules and proposals make none
   * (403). A flag has at most 20 (422). What could not be done now is refused now (409, 422).
   */
  readonly trigger_save: Method<"flags.trigger_save">;
  /** List the triggers of flags, without their addresses: those are shown once. */
  readonly triggers: Method<"flags.triggers">;
  /**
   * Change a flag by ordered instructions, all or nothing: its targeting in one environment, or the flag itself.
   *
   * Where the environment asks for approval, or an agent changes a critical one, the answer is a change request. What a
   * flag is everywhere changes at once; an agent that would change what a critical environment serves so is refused (409
   * `approval-needed`). An instruction that does not fit is 422 with its place; an archived flag takes `restoreFlag`
   * alone (409); prerequisites that would wait for each other in a circle are 409; so is what breaks a check that is
   * enforced (`flags.checks`), and a version of `versions` that moved (`stale`, with the `current` flag).
   */
  readonly update: Method<"flags.update">;
}

/** Imports: work from other tools, read apart, mapped, brought in by jobs, and taken back. */
export interface ImportsModule {
  /**
   * Stop an import: its job before its next step, and what came in so far stays until imports.undo takes it back. Of
   * one that is being fetched nothing stays.
   *
   * One that ended is 409.
   */
  readonly cancel: Method<"imports.cancel">;
  /** Look at an import: what the source holds, what becomes of it, and how far it is. */
  readonly get: Method<"imports.get">;
  /** List the imports, the latest first, a hundred at most. */
  readonly list: Method<"imports.list">;
  /**
   * List what was left out or is not as it was at the source, in the order in which it was met.
   *
   * `source` is its id there. Of each import the first 10,000 lines are kept; `errors` of the import counts all.
   */
  readonly log: Method<"imports.log">;
  /**
   * Say what becomes of the source's words, beside what imports.probe proposed. What is not named stays as it is.
   *
   * What is no project key, type key, lane, own field or member is 422. `invite` invites the person by their address
   * when the import runs; it needs one (422). For an import that was probed and is not at work (409); one whose file
   * could not be read is opened anew.
   */
  readonly map_set: Method<"imports.map_set">;
  /**
   * Begin an import from a file that you sent, or of a repository at GitHub or GitLab. imports.probe reads it.
   *
   * A kbz file holds projects of a kbwork, which come back as they were: without `project` under their own key, or
   * that with a number behind it. Other sources than those named are not built (422).
   *
   * With `repository` a job (`job` of the answer) fetches issues, pull or merge requests, labels and comments, page by
   * page. It goes on after a restart, and waits where the limit of calls is used up. When it is done, imports.probe
   * reads what came. Why one failed stands in the job and in imports.log. One is fetched at a time (409). `token`, which
   * a private repository needs, and GitLab for comments, is kept sealed, and deleted when all is fetched, when that
   * fails or is cancelled.
   */
  readonly open: Method<"imports.open">;
  /**
   * Read the source: what is there, what is proposed to become of it, and what does not come along.
   *
   * The file is read in a process of its own. One that is cut, empty, or not what it should be is 422 with the place in
   * it, and nothing of it remains. Probing anew keeps what imports.map_set said; columns of a table of which it said
   * nothing (`guessed` of `found`) are taken anew for what they look like, and that is told.
   */
  readonly probe: Method<"imports.probe">;
  /**
   * Bring in what was probed; answers the job, whose result has the figures.
   *
   * Projects, types, labels and components that are missing are made. What came in before changes where it changed at
   * the source and nobody edited it here since. What is refused is logged with its place and left out. Numbers, authors
   * and times are the source's; nobody is notified, and no rule starts. An import at work is 409, as is one whose file
   * was not read, or is gone: it is kept for a day. While another one is being taken back that is 409 too.
   */
  readonly run: Method<"imports.run">;
  /**
   * Take an import back, within 30 days: what it made and nobody changed since goes for good; answers the job.
   *
   * What somebody changed stays, with what hangs on it, and the job's result lists it under `kept`. Labels,
   * components, types, own fields, lanes, workflows and the project that it made go where nothing is left in them.
   * What it changed on things that were there before stays as it is. The same file can come in again. One at work,
   * or that made nothing, is 409, and so it is while another one comes in.
   */
  readonly undo: Method<"imports.undo">;
}

/** Invites: how people come into the org. */
export interface InvitesModule {
  /**
   * Accept an invite: you become a member with the role, teams and projects that it names, and are signed in.
   *
   * A wrong, used, revoked or expired token is 404, and so is one whose maker may not give what it gives any more: ask
   * for a new invite. A password that is shorter than the policy asks or soon guessed is 422, and so is none where
   * no sign-in provider finds you by your address. Teams and projects that are gone since are left out.
   */
  readonly accept: Method<"invites.accept">;
  /**
   * Invite people by their addresses; each gets an invite that is single use and lives 14 days.
   *
   * Admins invite to every role but owner, to admin where they confirmed in the last ten minutes that it is them, and
   * into private projects where they lead them. Members invite guests where the
   * org takes guests, into projects that they lead and nothing else (403). An address with a pending invite keeps its
   * id and gets role, teams, projects and token anew; one of a member is 409, and so is, for members, one that somebody
   * else invited. All are invited or none. Where this server sends mail each is mailed their invite, an address once in
   * five minutes at most; `path` and `url` lead to it, to hand over where no mail goes out.
   *
   * An invite ends with the right to make it: it is revoked when whoever made it leaves, or loses the role or the lead
   * that it rests on.
   */
  readonly create: Method<"invites.create">;
  /** Say what an invite is for, before it is accepted. A wrong, used, revoked or expired token is 404. */
  readonly info: Method<"invites.info">;
  /** List invites, newest first: admins all, others those that they made. */
  readonly list: Method<"invites.list">;
  /**
   * Send a pending or expired invite again, with a new token that lives 14 days; the old one ends. It is mailed as by
   * invites.create.
   *
   * You must be allowed to make it (403); one whose maker may not any more is yours from then on. One that was accepted
   * or revoked, or whose address belongs to a member by now, is 409.
   */
  readonly resend: Method<"invites.resend">;
  /**
   * Take back an invite that is pending: its link opens nothing any more. Answers the pending ones that are left.
   *
   * Admins revoke every invite, others their own. One that is accepted, revoked or expired is 409.
   */
  readonly revoke: Method<"invites.revoke">;
}

/** Issues: the unit of work, with its assignees, labels and place in the hierarchy. */
export interface IssuesModule {
  /**
   * Put issues aside, or bring them back. An archived one takes no change and is left out of lists.
   *
   * All of them or none; one that is as it is to be already is no change. Children and parents stay as they are. In an
   * archived project it is 409.
   */
  readonly archive: Method<"issues.archive">;
  /**
   * Say that an issue is about an asset, or is not; answers those that it is about.
   *
   * You change the issue and see the asset (422). What is so already is no change, but for a `role` that differs. A
   * retired asset keeps its links and gets no new one, and an issue is about 200 at most (409).
   */
  readonly asset_link: Method<"issues.asset_link">;
  /**
   * Say who has an issue: `set` (the default) the whole list, `add` to it or `remove` from it.
   *
   * Assignees are active members who see the issue and agents, 20 at most; they watch it from then on.
   */
  readonly assign: Method<"issues.assign">;
  /**
   * List what mentions an issue by its key or a former one: issues and comments, the newest first, then pages.
   *
   * 200 at most are issues and comments, and as many pages.
   */
  readonly backlinks: Method<"issues.backlinks">;
  /**
   * Change many issues at once, named by `keys` or found by `tql`. More than 5,000 are 422.
   *
   * Each changes whole, or is skipped with the reason: right, workflow, approval, a field that does not fit, or no issue
   * that you see. The others go on. Up to 200 are changed in this call; more by a job in steps of 200, whose result has
   * the figures. `dry_run` says what would happen. One undo takes all of it back; the events carry `bulk`, and one
   * `issue.updated` tells all that changed of an issue. In a batch the issues are named by `keys` (422).
   */
  readonly bulk: Method<"issues.bulk">;
  /**
   * Give an issue another type of its project, with the level and the workflow of that type.
   *
   * Parent and children must still fit: a parent stands on a higher level than its child (409; `parent` names another).
   * A lane that the new workflow does not have becomes its first one of the same category, else its start. Values that
   * the new type does not have go; what it asks for must be there (422).
   */
  readonly convert: Method<"issues.convert">;
  /**
   * Make an issue like another one, which `clones` it. It begins anew: reported by you, in the start lane.
   *
   * Title, text, type, priority, labels, components, assignees, estimate, days and parent are the same, as far as the
   * project knows them; comments, files and relations come along where `with` names them, as far as you see them. With
   * `children` all below that you see is copied likewise, 200 issues at most (422); where both ends of a relation are
   * copied, the copies are related.
   */
  readonly copy: Method<"issues.copy">;
  /**
   * Make an issue: the next key of its project, in the start lane of its workflow, reported and watched by you.
   *
   * Assignees are active members who see it and agents, and watch it too. Where `assignees` is left out, its components
   * and the project's `default_assignee` say who gets it: with `rotation` the people of the project take turns.
   * Whatever is unknown is 422 naming the nearest; labels of one group exclude each other. Members and reporters of the
   * project make issues. `uploads` are as with attachments.expect.
   */
  readonly create: Method<"issues.create">;
  /**
   * Make several issues at once, with parents and blocking among them: all or none. Answers them in your order.
   *
   * 200 at most, and with those that templates add 1,000 in one call (422). A `ref` twice, or items that stand under
   * each other in a circle, are 422; what is wrong with an item is told under `items[<n>]`.
   */
  readonly create_tree: Method<"issues.create_tree">;
  /**
   * Put an issue into the trash with all that hangs on it; trash.restore brings it back under its key.
   *
   * Leads delete any issue, members what they reported. Children go to the parent above, or with `delete` along, all
   * below too that you see, where you may delete each of them (403) and they are 1,000 at most (409).
   */
  readonly delete: Method<"issues.delete">;
  /**
   * Put an issue into one Markdown text: its facts, its description, and what `with` names, as far as you see it.
   *
   * Replies stand under their thread, indented as quotes; notes for the team say that they are internal. Where the
   * budget is short, the facts stay, the description is cut at its end, and of threads and history the latest stay.
   */
  readonly export_text: Method<"issues.export_text">;
  /** Look at an issue by its key, a former key or `issue:<n>`. */
  readonly get: Method<"issues.get">;
  /**
   * Draw the relations around issues, and name the circles among those that have a direction and block.
   *
   * Where kinds are named, the circles are among those of them that have a direction. Only what you see is in it, and
   * 1,000 issues at most: the nearest.
   */
  readonly graph: Method<"issues.graph">;
  /**
   * List how the fields of an issue changed, the latest first.
   *
   * Long texts are told by their sizes; a parent that you do not see is not named.
   */
  readonly history: Method<"issues.history">;
  /**
   * Say who sees an issue: `public` every member of the org, `project` whoever sees the project.
   *
   * `team:<id>` leaves of those the team, `private` nobody but its reporter, assignees and the project's leads. Leads
   * and admins set it. From the next call on it is gone for those who lose sight of it, with its comments and files.
   */
  readonly level_set: Method<"issues.level_set">;
  /**
   * Add a web link to an issue. An address that it has already takes the title and kind given now.
   *
   * An issue has 200 links at most (409).
   */
  readonly link_add: Method<"issues.link_add">;
  /** Take a web link off its issue; answers what the issue has left. */
  readonly link_delete: Method<"issues.link_delete">;
  /** List the web links of an issue, oldest first. */
  readonly links: Method<"issues.links">;
  /**
   * List issues, page by page, whole or with some of their fields.
   *
   * Sorted by rank within a project, else the latest change first. Archived ones are left out unless asked for.
   */
  readonly list: Method<"issues.list">;
  /**
   * Let only leads and admins comment on an issue, or everybody again who may. Leads and admins do it.
   *
   * What it says stays open to change. Locking a locked one again changes nothing but the reason.
   */
  readonly lock: Method<"issues.lock">;
  /**
   * Fold duplicates into an issue: they are closed with the outcome `duplicate` and a `duplicates` relation.
   *
   * Their comments, files, votes and watchers move to the issue that stays; who voted for both has one vote. You may
   * change all of them. They go to the workflow's lane for duplicates, or its first done lane (409 where it has none),
   * whatever transitions lead there. One undo takes all of it back. Customers whose request is folded go on reading
   * there what they were told, and customers of the issue that stays read none of it.
   */
  readonly merge: Method<"issues.merge">;
  /**
   * Move issues to another project, where each gets the next number; the old keys keep resolving.
   *
   * You work in both projects. What the other project does not know is dropped and named in `issue.moved`: labels,
   * components, sprints and field values, and assignees who do not see it. A type that it does not have becomes its
   * default type where both are of one level (else 409). A lane that the workflow there does not have needs an entry in
   * `statuses` (409). All of them go or none, 1,000 at most with those below them.
   */
  readonly move: Method<"issues.move">;
  /**
   * Read an issue off one line of text.
   *
   * `!high` is a priority, `@ana` somebody who gets it, `#web` a label, `/bug` a type, `~3` an estimate, `in WEB` the
   * project, `under WEB-1` the parent. Names with blanks stand in quotation marks: `#"needs info"`. The rest is the
   * title, and so is every word that means nothing you can see.
   *
   * `due`, `by` and `start` stand before a day, as people say it: `today`, `fri`, the next one, `next fri`, that of the
   * week behind this one, `next week`, `in 2w`, `in 3 days`, `5 dec`, `dec 5 2027`, `5.12.`, `eow` (Friday), `eom`,
   * `end of year`, `2026-12-01`. In English and, for de, es, fr, it, nl and pt, in the language of the org's locale,
   * which says as well whether `5/12` is in May.
   */
  readonly parse: Method<"issues.parse">;
  /** Make an issue of a text that is there, such as a comment, and relate it to what the text hangs on. */
  readonly promote: Method<"issues.promote">;
  /**
   * Put issues into another place of their project's order: behind one issue or before one.
   *
   * Their own order is that of `keys`. Each issue that moved tells `issue.ranked` with its new rank. Where a place is
   * crowded its neighbours get new ranks too, in the order that they have; the answer names them, and no event does.
   * `seq` of each issue whose rank changed moves, `updated_at` does not. Where nothing moves nothing is told.
   */
  readonly rank: Method<"issues.rank">;
  /**
   * Relate an issue to others. You change the issue and see the others; they may be archived.
   *
   * A relation that is there already is no change, but for a `lag_days` that differs. Circles are allowed, and shown
   * by issues.graph. An issue has 500 relations at most (409).
   */
  readonly relation_add: Method<"issues.relation_add">;
  /** Take a relation away, from either of its ends that you may change; answers what that issue has left. */
  readonly relation_delete: Method<"issues.relation_delete">;
  /**
   * Take a kind of relation away; built-in ones stay (409).
   *
   * One that relations have needs `move_to` (409 `in-use` with `uses`); where two issues have that relation already
   * they keep it once.
   */
  readonly relation_kind_delete: Method<"issues.relation_kind_delete">;
  /**
   * Make a kind of relation, or change one.
   *
   * A name or inverse that another kind has is 409. Built-in kinds keep their direction and whether they block (409),
   * and so do kinds that relations have (409). An org has 100 kinds at most.
   */
  readonly relation_kind_save: Method<"issues.relation_kind_save">;
  /** List the kinds of relations: those that every org has, then its own. */
  readonly relation_kinds: Method<"issues.relation_kinds">;
  /** List what an issue stands in relation to, as far as you see the other ends. */
  readonly relations: Method<"issues.relations">;
  /**
   * Bring title and body back as they were in a revision; what was there since stays a revision.
   *
   * The rich form of the text is not kept in revisions: it is cleared, and shown from the Markdown.
   */
  readonly revision_restore: Method<"issues.revision_restore">;
  /**
   * List the texts that an issue had, the present one first and the 200 latest at most.
   *
   * The first revision is what its maker wrote. With `diff` each comes with a unified diff of title and body, or null
   * where one of the two has more than 3,000 lines.
   */
  readonly revisions: Method<"issues.revisions">;
  /**
   * Find issues that say the same, best first: duplicates before they are made.
   *
   * Words of the title count most; an issue with less than a fifth of them is none. Only what you see is found,
   * archived ones too.
   */
  readonly similar: Method<"issues.similar">;
  /**
   * Make parts of an issue issues of their own; answers the new ones.
   *
   * Each has the type, priority, labels, components, own fields and parent of the issue, is related to it, and gets the
   * comments and check items named, which leave it. The first comment of a thread takes its replies along.
   */
  readonly split: Method<"issues.split">;
  /** Take a template away; issues made with it stay as they are. */
  readonly template_delete: Method<"issues.template_delete">;
  /**
   * Make a template, or change one. Leads keep those of their project, admins the org's.
   *
   * Inputs are checked as issues.create checks them once the placeholders are filled in; names of labels and people are
   * looked up when an issue is made. A name is unique in its project without case (409).
   */
  readonly template_save: Method<"issues.template_save">;
  /** List the templates of the org and of the projects that you see, by name. */
  readonly templates: Method<"issues.templates">;
  /**
   * Move an issue to another lane along its workflow, perhaps with a comment: all of it happens or nothing.
   *
   * Members go any way that names nobody; a reporter of the project goes those that name `reporter`, with their own.
   * No transition, one whose conditions hide it, one that is for others, a check that fails with the given `values` and,
   * where the project says so, open blockers of an issue that is closed are 409 `workflow-refused` with the `rule`; one
   * with approvers is 409 `approval-needed`. Of several transitions to the lane the first counts that is open to you.
   * What it asks for and does not get is 422 at `values.<name>`, as is what it does not ask for. The lane it is in
   * already is no change. Entering a done lane sets the outcome and `done_at`; leaving it clears both.
   *
   * What the transition does behind the move runs with your rights, and what is refused then refuses the move, unless
   * the workflow says that it may. More than 1,000 actions in one call are refused, too (409, rule `then`).
   */
  readonly transition: Method<"issues.transition">;
  /**
   * List the ways on from the lane that an issue is in; `why` says what closes one to you.
   *
   * Those whose conditions fail are not there. `fields` are what it asks for on the way.
   */
  readonly transitions: Method<"issues.transitions">;
  /** Look at an issue with all that stands under it, children by rank. More than 2,000 issues are 422. */
  readonly tree: Method<"issues.tree">;
  /**
   * Change fields of an issue; fields that are not named stay, and null clears sprint, milestone and estimate.
   *
   * Without `if_seq` the last write wins, field by field. A change that changes nothing is no event.
   */
  readonly update: Method<"issues.update">;
  /**
   * Vote for an issue, or take your vote back. Whoever sees it has one vote; twice counts once.
   *
   * An archived issue takes no votes (409).
   */
  readonly vote: Method<"issues.vote">;
  /** List who voted for an issue, the first vote first. */
  readonly voters: Method<"issues.voters">;
  /**
   * Watch an issue, or watch it no longer. To change it for others you need to be able to edit the issue.
   *
   * A reporter of a project who sees only their own issues there sees those that they were made to watch, too. Whoever
   * has no role in the project cannot watch (422). Twice is no change.
   */
  readonly watch: Method<"issues.watch">;
  /** List who watches an issue, by name. */
  readonly watchers: Method<"issues.watchers">;
}

/** Jobs: long work that runs beside the requests. */
export interface JobsModule {
  /** Stop a job before its next step; what was committed stays. One that ended is 409. */
  readonly cancel: Method<"jobs.cancel">;
  /** Look at a job. Its starter and admins see it. */
  readonly get: Method<"jobs.get">;
  /** List your jobs of the last 30 days, newest first, 1,000 at most; admins may list everybody's (else 403). */
  readonly list: Method<"jobs.list">;
}

/** Keys: what programs sign in with. A key's rights are its scopes, cut by what its owner may do now. */
export interface KeysModule {
  /**
   * Make a key; its secret is in the answer and never shown again. Asks for an elevated session.
   *
   * Scopes beyond your role, `system` and `desk:*` are 422; a scope counts only while your role holds it. An agent
   * key needs the name of an agent of yours; a new name makes one, a name that somebody or something else has is 409.
   * Projects that you do not see are 404. Without `expires_at` it lives until it is revoked; a time in the past is 422.
   */
  readonly create: Method<"keys.create">;
  /** List your keys, newest first, those that ended too. Admins may list everybody's (others: 403). */
  readonly list: Method<"keys.list">;
  /**
   * End a key; the next call with it is 401. Answers the keys of its owner.
   *
   * Your own keys, and for admins everybody's. A key may revoke itself; an agent's key no other (403). One that ended
   * already stays as it is.
   */
  readonly revoke: Method<"keys.revoke">;
  /**
   * Give a key a new secret, which is in the answer and never shown again.
   *
   * Asks for an elevated session; a key may rotate itself, by its present secret alone (403). A secret that still worked
   * from an earlier rotation ends now. A key that ended is 409.
   */
  readonly rotate: Method<"keys.rotate">;
  /**
   * Change one of your keys; fields that are not named stay. It holds from the next call on.
   *
   * Asks for an elevated session. A key that ended is 409; the rest is refused as in `keys.create`.
   */
  readonly update: Method<"keys.update">;
}

/** Labels: short names on issues and pages, of the org or of one project; a group makes its labels exclusive. */
export interface LabelsModule {
  /** Take a label away, from every issue and page that carries it too. Answers the labels that are left. */
  readonly delete: Method<"labels.delete">;
  /**
   * List labels with their use counts. With a project: those an issue of it may carry.
   *
   * Counts are of the issues and pages that you see.
   */
  readonly list: Method<"labels.list">;
  /**
   * Fold labels into one: what carried them carries that one, and they are gone.
   *
   * A label of a project folds into one of the same project or of the org, the org's only into the org's (422).
   */
  readonly merge: Method<"labels.merge">;
  /**
   * Make a label, or change one: fields that are not named stay.
   *
   * Admins keep the org's labels, project leads their project's. A name is unique without case among the org's and
   * one project's labels (409). A label cannot join a group while an issue carries another label of it (409).
   */
  readonly save: Method<"labels.save">;
}

/** Lanes: the statuses that issues stand in, shared by the org's workflows. */
export interface LanesModule {
  /**
   * Take a lane away.
   *
   * One that holds issues needs `move_to` (409 `in-use`; `uses` are those that you see): they move with history.
   *
   * In workflows the other lane takes its place. A workflow that begins there, or that would have a lane without a way
   * to it or from it to a done one, needs `move_to` too (409). More than 200 issues move by a job, in steps of 200: the
   * lane is out of lists and workflows at once. Called again it goes on with what a cancelled job left.
   */
  readonly delete: Method<"lanes.delete">;
  /** List the lanes, with how many issues you see in each. With a project or type: those of its workflow, in order. */
  readonly list: Method<"lanes.list">;
  /** Put the lanes in order. Workflows keep their own. */
  readonly reorder: Method<"lanes.reorder">;
  /**
   * Make a lane, or change one; fields that are not named stay.
   *
   * Names are unique without case (409); the category of a lane that holds issues cannot change (409). A new lane
   * stands behind the others of its category, and in no workflow yet.
   */
  readonly save: Method<"lanes.save">;
}

/** Mail: the server that it goes by, what went and waits, its texts, and mailboxes that are read. */
export interface MailModule {
  /** Delete a mailbox with its password; what came of its mail stays. Answers those that are left. */
  readonly mailbox_delete: Method<"mail.mailbox_delete">;
  /**
   * Make a mailbox that is read, or change one; fields that are not named stay. For admins who see its target.
   *
   * Mail to a desk becomes a request, or an answer to one. Mail to a project becomes an issue of the member whose
   * address it comes from, with what they may, or a comment where it answers to a letter; mail to a space becomes a
   * page. Who is no member is heard there only where `allow` names them, in the name of whoever saved the mailbox.
   *
   * With `imap` unread mail is taken and marked as read, with `pop` all mail; a `hook` has an address that a mail
   * service posts to. The mail server is a public one, unless the operator lists host and port. An org has 50
   * mailboxes at most (409).
   */
  readonly mailbox_save: Method<"mail.mailbox_save">;
  /**
   * Look into a mailbox, and say how many mails wait there. With `pull` they are read a moment later, and the mailbox
   * is read again from now on where it was not.
   *
   * `ok` false says in `detail` what to mend.
   */
  readonly mailbox_test: Method<"mail.mailbox_test">;
  /** List the mailboxes by id. */
  readonly mailboxes: Method<"mail.mailboxes">;
  /**
   * List the letters of 30 days, newest first, and all that waits. What they say is never shown.
   *
   * A letter is written in the transaction that causes it, tried ten times within a day, and then given up: admins hear
   * of it by the event `mail.failed`.
   */
  readonly outbox: Method<"mail.outbox">;
  /**
   * Send letters again, now and under the Message-ID that they have, or with `drop` never.
   *
   * 409 where one of them was sent, is for an address that is suppressed, or says nothing any more: what a letter says
   * is kept for three days after it was given up, and not at all once it was dropped.
   */
  readonly retry: Method<"mail.retry">;
  /** Show the mail server that was saved, and by which one mail goes: that of the operator's settings goes first. */
  readonly sender: Method<"mail.sender">;
  /**
   * Save the mail server that mail goes by, at once. For admins, not for agents.
   *
   * A server that the operator names in `kbwork.toml` goes first: then this one waits, `source` says `settings`, and
   * only `signature` counts. Its address is a public one, unless the operator lists host and port. With `test_to` a
   * letter is sent by the new settings first; `said` is what the server answered, and where it does not take the
   * letter, 502 says what to mend and nothing is saved.
   */
  readonly sender_set: Method<"mail.sender_set">;
  /**
   * List the addresses that nothing is sent to, the latest first; with `release`, take one off before.
   *
   * An address comes here when a mail server says for good that it is none, or when a report about a letter of ours says
   * so. What is for it is held, and goes by `mail.retry` once it was released.
   */
  readonly suppressed: Method<"mail.suppressed">;
  /**
   * Word a kind of letter in a language, from the next letter on.
   *
   * A variable is put in as plain text. Unknown ones are 422 with those that there are, and so is a text without what
   * the letter is for, such as its link, or with that inside another address or in the subject. People do so, by no
   * limited key: letters hold links to set passwords.
   */
  readonly template_save: Method<"mail.template_save">;
  /** List the texts of all kinds of letters by key. */
  readonly templates: Method<"mail.templates">;
}

/** Care of the single file: whether everything is as it should be, and what mends it. */
export interface MaintenanceModule {
  /**
   * Look whether the server is as it should be: backups, jobs, mail, the clock, room on the disk.
   *
   * Each finding that is not well says what mends it. `deep` reads the whole data file while people work; one such look
   * at a time (409). `kbwork doctor` looks at the settings and the rights of the folder besides.
   */
  readonly check: Method<"maintenance.check">;
}

/** Members: the people of the org, their roles and profiles. */
export interface MembersModule {
  /** Set or take away your own picture. What is no picture, an SVG or above 1 MB is 422. */
  readonly avatar_set: Method<"members.avatar_set">;
  /** List your accounts on chat platforms: commands from there are yours. */
  readonly chat_accounts: Method<"members.chat_accounts">;
  /**
   * Link the account on a chat platform that was handed out this code: from then on its commands are yours.
   *
   * Signed in only: no key links an account. An account is one member's; whoever had it before has it no more. Answers
   * all of yours. A code is good once, for ten minutes (422).
   */
  readonly chat_link: Method<"members.chat_link">;
  /** Take away the link of one of your accounts on chat platforms. Answers those that are left; another's is 404. */
  readonly chat_unlink: Method<"members.chat_unlink">;
  /**
   * Deactivate a member, or bring one back with `on` false. For admins.
   *
   * Their sessions and streams end and their keys and pending invites are revoked at once, for good; history, teams,
   * roles in projects and assignments stay, unless `transfer_to` takes the issues over that they work on, reported or
   * watch. Owners are deactivated by owners who have just confirmed; the last owner stays (409). Who was invited or
   * erased cannot be brought back (409).
   */
  readonly deactivate: Method<"members.deactivate">;
  /**
   * Erase a person for good. For owners who have just confirmed.
   *
   * They are out at once, as with members.deactivate; a job then removes name, address, picture, profile, preferences,
   * credentials, keys, marks, what they watch, and what personal fields say of them: in issues that they reported, and
   * wherever such a field names them. Their work stays under `former member`, with their id. The name must match (422);
   * the last owner stays (409).
   */
  readonly erase: Method<"members.erase">;
  /**
   * Have all that is kept of a person made into one archive: your own data, or, for admins, those of another.
   *
   * It is a ZIP file with the profile, the picture and, for each table, the rows that name the person as JSON lines:
   * what they wrote, reported, are assigned, watch and chose, where they are signed in, and what they did. Rows about
   * things that you do not see are counted and left out, and so are passwords, tokens and the like; of another person
   * also drafts, stars and other things that are theirs alone. Files are told by name: attachments.get fetches them.
   *
   * The job's result says where it is fetched, by whoever started it, for a day: at most 100 MB (the job fails where it
   * is more). While one is being made that one is answered. For others it needs an admin who has just confirmed that it
   * is them, and for an owner another owner.
   */
  readonly export_data: Method<"members.export_data">;
  /** Look at one member. Guests find people whom they share something with, and nobody by address (404). */
  readonly get: Method<"members.get">;
  /**
   * List the people of the org, by name. Guests see those with whom they share a project, a team or an issue.
   *
   * An unknown role is 422; a team that you do not see has no members.
   */
  readonly list: Method<"members.list">;
  /**
   * List whom a mention on a subject may name, those who see it first; at most 50.
   *
   * A member sees it by their own rights, a team where one of its members does, an agent where its owner does.
   */
  readonly mentionable: Method<"members.mentionable">;
  /**
   * Hand the org to somebody: they become an owner, and you an admin. For owners who have just confirmed.
   *
   * It takes an active member who is no guest (422). Answers the two of you, the owner first.
   */
  readonly owner_transfer: Method<"members.owner_transfer">;
  /** Look at your own preferences; null stands for the org's setting or the app's own choice. */
  readonly preferences: Method<"members.preferences">;
  /**
   * Change your own preferences: keys that are not named stay, null resets one.
   *
   * `locale` and `zone` are those of your profile and are checked; what the others hold is the app's affair, 20 kB in
   * all. An unknown key is 422 naming the nearest. The answer has every key.
   */
  readonly preferences_set: Method<"members.preferences_set">;
  /**
   * Change your own profile: fields that are not named stay, an empty text clears.
   *
   * A handle that a member, team or agent has is 409; one that is kept back, such as `me`, is 422. `until` of a status
   * lies ahead (422). A key or agent changes its owner's profile.
   */
  readonly profile_set: Method<"members.profile_set">;
  /**
   * Give what one member holds to another. For admins.
   *
   * `assigned` takes the issues that are not done, `reported` and `watching` all that are not archived: of the issues
   * that you lead, at most 1,000 a call; call again until `changed` is 0. The one who takes over is an active member
   * who sees them (422). Rights that stood on holding them go along.
   */
  readonly transfer: Method<"members.transfer">;
  /**
   * Change a member's role, name, address or, for a guest, how long they stay. For admins.
   *
   * Nobody changes their own role (403). Who makes an admin confirmed in the last ten minutes that it is them, and
   * so did owners who make or change an owner; the last one stays (409). An address that another member has is 409.
   * Whoever stops being a guest stays for good. Pending invites that somebody may not make with their new role are
   * revoked.
   */
  readonly update: Method<"members.update">;
  /**
   * List how much people have planned on each day from one to another, beside what they can.
   *
   * An open issue counts for whoever leads it, the first of its assignees: its estimate is spread evenly over the
   * working days, Monday to Friday, from its start to its due date. A date that it lacks is that of its sprint; with one
   * date alone it stands on that day, with none it is planned nowhere. What people can is the capacity that sprints say,
   * spread likewise over the sprint's days; null where none says it, and with `issues`. `over`: more is planned on some
   * day than they can. All is of the issues and sprints that you see.
   */
  readonly workload: Method<"members.workload">;
}

/** Notifications: one inbox for each person and agent, a view of the events that are for them. */
export interface NotificationsModule {
  /**
   * Put entries away: they are read and stand among the archived until something new happens to their subject.
   *
   * Name them by `ids`, `subject` or `before` (422 without one). `notifications.read` with `on` false brings one back.
   */
  readonly archive: Method<"notifications.archive">;
  /** Count what is unread and awake in your inbox, in all and by reason. */
  readonly count: Method<"notifications.count">;
  /**
   * List your inbox, the newest first. A subject has one entry, which gathers what happened to it.
   *
   * What you do not see any more is left out. Agents have an inbox of their own; a key looks into its owner's. What you
   * did yourself is not told; what your agent says to you is, as `agent`. Entries are made a moment after what they
   * tell of, and go when they are half a year old, those that were read after 90 days; an inbox holds 1,000.
   */
  readonly list: Method<"notifications.list">;
  /**
   * Hear no more of an issue, or of all issues of a project. Answers all that you muted.
   *
   * You are told still where you are asked by name: when you are assigned or mentioned, and for an approval. What stands
   * in the inbox already stays. You can mute 500 things (409).
   */
  readonly mute: Method<"notifications.mute">;
  /**
   * Have a browser pushed to. It subscribes with the `push_key` of notifications.settings, and gives these.
   *
   * The same endpoint again is the same browser, and yours from then on, whoever used it before. It must be a public
   * address with https, unless the operator lists it; that is seen when the first push goes there. An endpoint that is
   * gone is forgotten, and one that takes no push ten times in a row. You have 20 browsers at most (409).
   */
  readonly push_add: Method<"notifications.push_add">;
  /** Have a browser of yours pushed to no more. One that is not yours, or not known, is 404. */
  readonly push_remove: Method<"notifications.push_remove">;
  /**
   * Mark entries as read, or as unread again. Name them by `ids`, `subject` or `all` (422 without one).
   *
   * What is read is neither mailed nor pushed. The next thing that happens to the subject begins its entry anew. An id
   * that is not yours is 404.
   */
  readonly read: Method<"notifications.read">;
  /** Look at how you are told of things. Keys and agents are shown their owner's, and what they muted themselves. */
  readonly settings: Method<"notifications.settings">;
  /**
   * Change how you are told of things; what is not named stays as it is. Agents do not change it (403).
   *
   * What waits to be mailed follows the new settings. Mail needs a server that sends it, `push` a browser of yours
   * (notifications.push_add); `chat` has no effect until a chat is connected. An unknown project is 404.
   */
  readonly settings_set: Method<"notifications.settings_set">;
  /**
   * Put entries off: they sleep, and are unread again when their time comes.
   *
   * What is asked of you by name wakes one sooner; what you merely watch does not. An id that is not yours is 404.
   */
  readonly snooze: Method<"notifications.snooze">;
  /**
   * Have a test sent to yourself: a letter to your address, or a push to each browser of yours.
   *
   * `ok` false says in `detail` what to mend: a server without mail, no address, no browser, a push service that does
   * not take it. A letter is handed over a moment later; a browser whose service says that it is gone is forgotten.
   */
  readonly test: Method<"notifications.test">;
}

/** The org: its settings, its modules, its usage, and how it begins. */
export interface OrgModule {
  /** Show a banner to everybody in the org, change it or take it away. For admins. `until` lies ahead (422). */
  readonly banner_set: Method<"org.banner_set">;
  /**
   * Say that the clock is right, where it went ahead by more than an hour. For admins, with elevation.
   *
   * After such a step nothing is purged, trimmed or ended by it until it has lasted for a day in which the server ran.
   */
  readonly clock_confirm: Method<"org.clock_confirm">;
  /** Look at the org: its settings and which modules are on. Guests find retention, legal and files empty. */
  readonly get: Method<"org.get">;
  /**
   * Set or take away a picture of the org: of the app, for dark screens, or of the portal. For admins.
   *
   * Where one is missing the app's stands in. What is no picture, an SVG or above 1 MB is 422.
   */
  readonly logo_set: Method<"org.logo_set">;
  /**
   * Switch modules on and off. For admins.
   *
   * A module that is off hides its operations (404); nothing of it is lost. Those that others rest on, such as issues
   * and members, cannot be off (422); an unknown name, or one in both lists, is 422.
   */
  readonly modules_set: Method<"org.modules_set">;
  /**
   * Make the org with its owner, who is signed in. Works once, with the token of the link that `serve` printed.
   *
   * A used, old or wrong token is 404; an org that is there already is 409. A password that is too short or soon guessed
   * is 422. With `project` there is a board to work on from the start, with `sample` something to look around in.
   */
  readonly setup: Method<"org.setup">;
  /**
   * Change settings of the org: those that are not named stay. For admins.
   *
   * An unknown time zone, workflow or type is 422 naming the nearest. Shorter retention takes away what is older
   * within minutes, for good.
   */
  readonly update: Method<"org.update">;
  /**
   * Look at the use of the org by month, newest first, and at the calls of each key over these months. For admins.
   *
   * `machine_calls` are calls of keys and agents, written down once a minute; calls of people are not counted. `people`
   * are the active members of today who were there in that month. `storage_bytes` is known for the present month only.
   * `flag_evaluations` and `flag_events` are what the flag service was asked and sent by programs: an upload counts as
   * 100 events at least, one that comes twice once. There is no allowance: `limits` is empty.
   */
  readonly usage: Method<"org.usage">;
}

/** Pages: documents in spaces, as trees, with versions, drafts and links between them. */
export interface PagesModule {
  /**
   * Add a text at the end of a page or of one of its sections, a blank line apart: as pages.update, for whoever may
   * edit it.
   *
   * A heading that is not there is 422 with those that are.
   */
  readonly append: Method<"pages.append">;
  /**
   * Put a page aside, or bring it back. An archived one is read and takes no change (409); lists and trees leave it
   * out, and with it what stands below it is in no tree.
   *
   * With `children` those below go along that you may edit, 2,000 at most (409); one that was archived before stays as
   * it is. For whoever may edit it (403).
   */
  readonly archive: Method<"pages.archive">;
  /**
   * List the pages that link to a page, by a title or slug of it, former ones too; the latest changed first, 200 at
   * most.
   */
  readonly backlinks: Method<"pages.backlinks">;
  /**
   * List the links in the pages of a space that lead to no page that you see, 1,000 at most; in pages that you see.
   *
   * What is there and not for you is `missing`, as what was never there; `deleted` is what you may bring back.
   */
  readonly broken_links: Method<"pages.broken_links">;
  /**
   * List the pages below one, each right behind the one that it stands below, in their order.
   *
   * Archived pages are left out, as is what stands below a page that you do not see. 2,000 at most.
   */
  readonly children: Method<"pages.children">;
  /**
   * Copy a page that you see, as it is published: its text, icon, properties and labels, not what was said on it.
   *
   * The copy is yours, and narrowed to whom the page is, by itself or from above, where its place is not. For whoever
   * may edit where it goes (403). 500 pages at once (409).
   */
  readonly copy: Method<"pages.copy">;
  /**
   * Make a page in a space, below another one or at its top. It is published at once unless `draft` says otherwise.
   *
   * For whoever may edit there (403). Its slug is made of its title; where that is or was another page's in the space
   * it gets a number. A tree has 20 levels, and 5,000 pages right below one (409).
   */
  readonly create: Method<"pages.create">;
  /**
   * Put a page into the trash; trash.restore brings it back with its comments, files and versions.
   *
   * Pages below it take its place, or go with it: then all of them come back together, and all must be yours to change
   * (403). Out of a page that is narrowed they do not move up, to be seen by others (409). For whoever may edit it;
   * 2,000 pages at once (409).
   */
  readonly delete: Method<"pages.delete">;
  /**
   * Drop the changes of a page that were not published. What was written stays among the versions of those who edit.
   *
   * A page that was never published has no other text: it is deleted instead (409).
   */
  readonly discard: Method<"pages.discard">;
  /**
   * Take a page out as a file, as readers see it, alone or with the pages below it, and answer where it is fetched.
   *
   * Pictures that are files here and that you see stand in the document itself; with Markdown all files that the text
   * names lie in a folder beside it. Several pages, or a page with files, are one ZIP archive, with a folder for what
   * stands below a page. Scripts and pictures from elsewhere are not in it.
   *
   * 500 pages at once, 10 million characters and 50 MB of files (409); as `pdf` and `docx` 20,000 paragraphs and cells
   * (409). Letters that no font of the server prints are 422 with `pdf`.
   */
  readonly export: Method<"pages.export">;
  /**
   * Look at a page with its text.
   *
   * An older `version` is shown to whoever may edit the page, others see those that were published (404). `draft` is
   * for those who may edit it (404); without changes it is the page as it is.
   */
  readonly get: Method<"pages.get">;
  /**
   * Make pages of a file, published at once; answers them, each behind the one that it stands below.
   *
   * For whoever may make pages there (403). The title of a page is what its head says, else `title`, else the first
   * heading of its text, else the name of its file; without any it is 422. Labels that are known are put on, others
   * become the property `labels`. Files in it hang on the pages that name them, for which a key needs
   * `attachments:write`; links between what comes in lead on.
   *
   * All of it comes in or nothing: what is broken, leads out of the archive or grows without end is refused by its name
   * (422), and what is too large (413). Together 500 pages, 10 million characters, 500 files, 50 MB of files, and 5,000
   * entries and 100 MB in an archive. It runs alone, not inside a batch.
   */
  readonly import: Method<"pages.import">;
  /** List the pages that you see, without their texts, the latest changed first. */
  readonly list: Method<"pages.list">;
  /** Lock a page, so that only those who manage it change it, or take the lock off. For those who manage it (403). */
  readonly lock: Method<"pages.lock">;
  /**
   * Put pages below another one, to the top of a space, or elsewhere in the order; with what stands below them.
   *
   * You must be able to edit them and the place where they go (403); into a personal space a page goes only from a space
   * that you manage. Out of a page that is narrowed they go by those who manage the space, and that page's owner (403);
   * what narrows themselves goes along. A page does not go below itself, and a tree has 20 levels (409): of two moves at
   * once that would make a circle one is refused. In another space slugs that are taken get a number, labels of another
   * project go, and links by the old address lead on. 2,000 pages change their space at once (409).
   */
  readonly move: Method<"pages.move">;
  /**
   * Publish a page that is a draft, or the changes of a published one.
   *
   * What was published meanwhile is brought together with these, line by line; where both changed the same place it is
   * 409 `stale`, with both texts. Where there is nothing to publish nothing happens.
   */
  readonly publish: Method<"pages.publish">;
  /**
   * Narrow a page, and all that stands below it, to some people; its owner and admins see and change it all the same.
   *
   * It narrows what the space gives and gives nobody more: whoever has no right there has none here. For those who
   * manage the space, and the page's owner (403). What would hide the page from yourself is 409.
   */
  readonly restrict: Method<"pages.restrict">;
  /**
   * Get what others wrote on a page that several write on at once: all, or what came since a clock.
   *
   * It is for those who see its draft (404). The document is one of Yjs with one text, `body`: the draft as Markdown,
   * or the page where there is none. Where what came since is not kept by itself any more it is all of it, which the
   * same document takes in as well. A clock of another document is 409 `stale`: push what you have and pull
   * again, or make a new one, without `since`.
   *
   * The stream tells by `presence` that there is something to get: `clock` in the `cursor` of whoever pushed.
   */
  readonly sync_pull: Method<"pages.sync_pull">;
  /**
   * Write on a page together with others: what your document has and the page has not. For whoever may edit it (403).
   *
   * In the same moment it is the draft of the page, as pages.get answers with `draft`; readers see it when it is
   * published. What is sent twice, late or in another order comes to the same text. It is a version about every ten
   * minutes, not with each letter, and `page.updated` tells of those; the stream tells of each push by `presence`.
   *
   * An update that is none, that holds something else than text, or with which the page would hold more than a million
   * characters is 422, and nothing is changed. A `clock` of another document is 409 `stale`. It runs alone, not inside a
   * batch.
   */
  readonly sync_push: Method<"pages.sync_push">;
  /**
   * List the lines with a box to tick, `- [ ] Order it @bo due:2026-12-01`, in the published pages that you see:
   * those that are due first, then those without a day, by page and line.
   *
   * The first mention on a line is whose it is. What stands in code is no task; of a page 1,000 count. Archived pages
   * are left out unless `page` names one. 2,000 at most are answered.
   */
  readonly tasks: Method<"pages.tasks">;
  /** Take a template of pages away; pages made with it stay as they are. Built-in ones stay (403). */
  readonly template_delete: Method<"pages.template_delete">;
  /**
   * Make a template of pages, or change one. Those who manage a space keep its own (403), admins those of all spaces.
   *
   * A name is unique in its space without case (409). An unknown placeholder is 422; what has other signs between its
   * braces stays as it is. Built-in ones are not changed (403).
   */
  readonly template_save: Method<"pages.template_save">;
  /**
   * List what pages may begin with: the templates of the org and of the spaces that you see, by name, then those
   * that are built in.
   */
  readonly templates: Method<"pages.templates">;
  /**
   * Change a page: what is not named stays. Each text is a new version; what one author saves within ten minutes is
   * shown as one.
   *
   * With `version` a text that was made of an older one is brought together with what others wrote meanwhile, line by
   * line; where both changed the same place it is 409 `stale`, with the page as it is in `current` and your text in
   * `yours`, and nothing is written. Without it the last word stands, and what stood there is a version. With `draft`
   * the text waits beside the published one, and the answer shows it; the other fields change at once.
   *
   * For whoever may edit the page (403); it gets another owner from those who may narrow it: its owner and those who
   * manage the space. A page that was never published stays a draft.
   */
  readonly update: Method<"pages.update">;
  /**
   * Say that a page is right as it stands, for so many days. Then its owner is told to look at it again.
   *
   * What is changed meanwhile leaves that as it is: a slip of the pen costs no check. For whoever may edit it (403); a
   * page that was never published has nothing to be checked (409).
   */
  readonly verify: Method<"pages.verify">;
  /** Say how two versions of a page differ, line by line. A version that you may not read is 404. */
  readonly version_diff: Method<"pages.version_diff">;
  /**
   * Let a page have the title and text of an older version again. That is a new version: what it was stays.
   *
   * For whoever may edit it (403). Changes that are not published yet stay beside it.
   */
  readonly version_restore: Method<"pages.version_restore">;
  /**
   * List what a page was, the newest first. What one author saved within ten minutes is one version, its last text.
   *
   * Versions that were not published are for those who may edit the page. Numbers rise and may leave some out.
   */
  readonly versions: Method<"pages.versions">;
  /**
   * Say how often a page was opened, by people in the web app: each counts once a day, drafts and agents do not.
   *
   * What was opened a moment ago is counted within a minute or two. 90 days are kept.
   */
  readonly views: Method<"pages.views">;
  /**
   * Watch a page, or watch it no longer: you are told when its text is published, and what is said on it.
   *
   * Nobody else is told of it. A page is watched by 1,000 people (409). Twice is no change.
   */
  readonly watch: Method<"pages.watch">;
}

/** Presence: who looks at what right now, or writes on it. Nothing of it is stored. */
export interface PresenceModule {
  /**
   * Say that you look at a thing, or write on it, and hear who else does.
   *
   * Say it again each 15 seconds or so, and when it changes: 30 seconds after the last time you are gone. The stream
   * tells it as `presence` to those who see the thing, and to guests of those whom they may know. It is in no log and
   * in no file. You are in 40 places at most; another takes the place of the one that you told of longest ago.
   */
  readonly beat: Method<"presence.beat">;
  /** See who looks at things right now, or writes on them. What is not there, or not for you, is left out. */
  readonly list: Method<"presence.list">;
}

/** Projects: where issues live, under one key, with their people, types and settings. */
export interface ProjectsModule {
  /**
   * Put a project aside, or bring it back. An archived one is read and takes no change (409); lists leave it out.
   *
   * For its leads and admins. Its issues stay as they are.
   */
  readonly archive: Method<"projects.archive">;
  /**
   * Make a project like another one, which you lead; answers the job that copies what takes longer.
   *
   * Types, settings, labels, components and layouts are the same, and so is a shared view that it opens with, not one
   * on the project, which stays there; with `templates` its issue templates, with
   * `boards` its boards, whose conditions say of the copy what they said of the project, with `members` its people.
   * With `issues` the job copies those that you see and that are not archived, parents first, each in the start lane
   * and reported by you, 10,000 at most (422); its result names those that could not be made in `skipped`, with the
   * reason. Taking it back sends the new project to the trash.
   */
  readonly copy: Method<"projects.copy">;
  /**
   * Make a project; you lead it.
   *
   * `visibility` is `org` unless given: every member works in it. `kind` is `software` unless given and decides the
   * types; a `personal` project is always private and its owner's alone. A key that is or was in use is 409.
   */
  readonly create: Method<"projects.create">;
  /**
   * Put a project with all its issues into the trash; trash.restore brings it back as it was.
   *
   * For admins who lead it: everybody's but private projects. Its key stays taken. An archived one can be deleted.
   */
  readonly delete: Method<"projects.delete">;
  /**
   * Look at a project, by its key or a former one.
   *
   * Of a private project that is not theirs, admins see key, name and people.
   */
  readonly get: Method<"projects.get">;
  /** Look at how a project stands: open, done, late, blocked, unassigned and stale issues, and what was said last. */
  readonly health: Method<"projects.health">;
  /**
   * Give a project another key. Its issues are called by the new one; the old keys keep working everywhere.
   *
   * A key that another project has or had is 409; one of its own former keys may come back.
   */
  readonly key_change: Method<"projects.key_change">;
  /** List the projects that you see, by name. */
  readonly list: Method<"projects.list">;
  /**
   * Give somebody a role in a project, or take it with `none`. For its leads and admins.
   *
   * Admins may so enter a private project, which its leads are told. The last lead who is active stays (409); guests
   * and teams that anybody may join cannot lead. Whoever was the project's `lead` and has the role no more is it no
   * more either.
   */
  readonly member_set: Method<"projects.member_set">;
  /**
   * List who has a role in a project, leads first; a team's members stand with `through` naming the team.
   *
   * In a project of visibility `org` every member of the org works as well, without standing here.
   */
  readonly members: Method<"projects.members">;
  /** Take back what was said of a project: whoever said it, its leads and admins. Answers what is left of it. */
  readonly status_delete: Method<"projects.status_delete">;
  /**
   * Gather what moved in a project, as a text to begin a status with. Without an AI provider it is the facts alone.
   *
   * Counts and keys are of the issues that you see.
   */
  readonly status_draft: Method<"projects.status_draft">;
  /**
   * Say how a project goes; whoever leads it does. The facts of the moment are kept beside.
   *
   * The latest one is the project's `health`.
   */
  readonly status_post: Method<"projects.status_post">;
  /** List what was said of how projects go, the latest first, 200 at most. */
  readonly statuses: Method<"projects.statuses">;
  /** Take a template away; projects made with it stay as they are. Built-in ones stay (409). */
  readonly template_delete: Method<"projects.template_delete">;
  /**
   * Make a template of a project, or of content that is given; or change one.
   *
   * A new one needs `from` or `content` (422). A name is unique without case (409); built-in ones stay (409). What is in
   * it is tried when a project is made with it.
   */
  readonly template_save: Method<"projects.template_save">;
  /** List the templates of projects, those that came with kbwork first. */
  readonly templates: Method<"projects.templates">;
  /**
   * Change a project's settings; fields that are not named stay, an empty string clears a text or a day.
   *
   * For its leads and admins. A change that changes nothing is no event. A `lead` who has not that role yet gets it,
   * which is told as by projects.member_set and likewise for people alone (403); undo leaves them the role. A
   * `default_view` that is deleted, or shared no more, is not shown until it is there again.
   */
  readonly update: Method<"projects.update">;
}

/** Search: one index over what the caller may see, suggestions for the palette, and what was looked at last. */
export interface SearchModule {
  /**
   * Search issues, pages, comments, files, assets, projects, spaces, people, teams, labels, views, boards and flags.
   *
   * Only what you see is found, and what was written by the next call. Case and accents do not matter; all words must
   * occur, the last one as a beginning. An issue whose key it is comes first; newer things, and yours, come before
   * others that fit as well. Where nothing fits, words that are a letter or two away are looked for. What is archived
   * or retired with all that is on it, and people who left, are found with `is:archived`.
   */
  readonly query: Method<"search.query">;
  /** List the issues that you looked at or changed last, the latest first. */
  readonly recent: Method<"search.recent">;
  /** Make the index anew from what is there; answers the job that does. Search goes on meanwhile. */
  readonly reindex: Method<"search.reindex">;
  /**
   * Suggest what somebody may mean: an issue by key, then titles, projects, people and operations by name.
   *
   * The last word may be the beginning of one. Only what you see is suggested, and operations that your scopes allow.
   */
  readonly suggest: Method<"search.suggest">;
}

/** Spaces: trees of pages under one key, with who may see and change them. */
export interface SpacesModule {
  /**
   * Put a space aside, or bring it back. An archived one is read and takes no change (409); lists leave it out.
   *
   * For whoever manages it (403). Its pages stay as they are.
   */
  readonly archive: Method<"spaces.archive">;
  /**
   * Put a space with all its pages into the trash; trash.restore brings it back as it was. Its key stays taken.
   *
   * For admins who manage it: everybody's but personal spaces, and those of private projects that they do not lead. An
   * archived one can be deleted.
   */
  readonly delete: Method<"spaces.delete">;
  /** Look at a space, by its key in any case. */
  readonly get: Method<"spaces.get">;
  /** List the spaces that you see, by name. */
  readonly list: Method<"spaces.list">;
  /**
   * Make a space, or change one: fields that are not named stay, null clears `home` and `review_days`.
   *
   * You manage a space that you make. One of kind `project` needs a `project` and follows its people: its leads manage
   * it, members edit, reporters comment, viewers read. A `personal` one is its owner's alone, admins see nothing of it.
   * The kind is decided when it is made, but that `team` and `kb` may follow each other (422). Changing a space is for
   * whoever manages it (403). A key that is or was in use, where you see no space, is 409.
   */
  readonly save: Method<"spaces.save">;
  /**
   * List the published pages of a space that nobody changed for so many days, nobody opened for as long, or whose
   * check is over, those that were changed longest ago first.
   *
   * A page that counts as checked is not listed for its age, but where nobody opens it. Archived pages are left out;
   * 500 at most are answered.
   */
  readonly stale: Method<"spaces.stale">;
  /**
   * List the pages of a space as they stand below each other, those at the top or below one page.
   *
   * Archived pages are left out. What stands below a page that you do not see is not shown either. 2,000 pages at most
   * are answered: those of the upper levels before those below them.
   */
  readonly tree: Method<"spaces.tree">;
}

/** Sprints: what a team or some projects want to get done in some weeks, and what came of it. */
export interface SprintsModule {
  /**
   * Put issues into a planned or active sprint; each leaves the one that it was in. All go in or none.
   *
   * You keep the sprint and may change each issue (403); they are of its projects (422). What comes into an active one
   * or leaves it is told as a change of its scope. A sprint holds 1,000 issues at most (409).
   */
  readonly add: Method<"sprints.add">;
  /**
   * Have sprints of a team or a project made by themselves; answers the planned ones.
   *
   * Each begins on the day of the week behind the last one, and is called as that with the next number. Days are those
   * of the org's zone. Leads of the team set it, or members and leads of the project (403). What is not given is as it
   * was, or as said there. One whose sprint cannot start since another is active waits for that.
   */
  readonly cadence_set: Method<"sprints.cadence_set">;
  /**
   * Set how much each can do in a sprint, the whole list: active members, 200 at most (422).
   *
   * Whoever keeps the sprint sets it (403).
   */
  readonly capacity_set: Method<"sprints.capacity_set">;
  /**
   * Complete an active sprint and answer what came of it. All its unfinished issues go on, seen by you or not.
   *
   * What is done stays in it; what goes on has it among its `past_sprints`. Without a planned sprint `next` is 409. One
   * that is not active is 409.
   */
  readonly complete: Method<"sprints.complete">;
  /**
   * Make a planned sprint of one or more projects, of a team, or of both.
   *
   * Members and leads of all the projects named make one, and leads of the team; it is not of archived projects (409).
   * One that names neither projects nor team is 422, as is an end before the start. 100 planned or active sprints of
   * one project or team are the most (409).
   */
  readonly create: Method<"sprints.create">;
  /**
   * Delete a sprint; answers those left. Its issues go back to the backlog; undo brings it back with them.
   *
   * Members and leads of one of its projects do, and leads of its team (403).
   */
  readonly delete: Method<"sprints.delete">;
  /** Look at a sprint, with counts of the issues that you see. `issues.list` with `sprint` lists them. */
  readonly get: Method<"sprints.get">;
  /**
   * List sprints: the active ones, then the planned ones by their days, then the latest done.
   *
   * Counts are of the issues that you see.
   */
  readonly list: Method<"sprints.list">;
  /**
   * Look at what to plan a sprint by: its backlog by rank, each one's load and capacity, and what fits in.
   *
   * The suggestion fills up to what the last three done sprints of the team or projects got done on average, less what
   * is in it already: by estimates, or by numbers of issues where nothing is estimated. It is empty without a done one.
   * All is of the issues that you see. A sprint of a team alone has what its members are assigned as its backlog.
   */
  readonly plan: Method<"sprints.plan">;
  /**
   * Take issues out of a sprint; those that are not in it are left as they are. They are in no sprint then.
   *
   * You keep the sprint and may change each issue (403). What leaves an active one is told as a change of its scope.
   */
  readonly remove: Method<"sprints.remove">;
  /**
   * Open a done sprint anew: the latest of its team, or of its projects, in the 14 days after it was completed.
   *
   * Unfinished issues come back from where completing it put them, if they are still there. While another one of the
   * team is active it is 409.
   */
  readonly reopen: Method<"sprints.reopen">;
  /**
   * Tell how a sprint goes, or what came of it: what got done, what came in and went out, and how it stood each day.
   *
   * It is what `sprints.complete` answers. Of a planned one there are no days yet.
   */
  readonly report: Method<"sprints.report">;
  /**
   * Start a planned sprint: what is in it now, and how it is estimated, is its plan, and what comes later is scope.
   *
   * It needs a last day (422). One of the team is active at a time, and of sprints without a team one in a project: the
   * other is named in the 409. So is that it was started or completed already.
   */
  readonly start: Method<"sprints.start">;
  /**
   * Change a sprint: fields that are not named stay, and null clears `retro`.
   *
   * Members and leads of one of its projects do, and leads of its team (403). A change that changes nothing is no event.
   */
  readonly update: Method<"sprints.update">;
}

/** Stars: what somebody wants at hand, in an order and folders of their own. */
export interface StarsModule {
  /**
   * List what you starred, in your order.
   *
   * What you do not see any more is left out, and comes back to its place when you see it again. Keys and agents are
   * answered their owner's stars, as far as they see what these are on.
   */
  readonly list: Method<"stars.list">;
  /**
   * Put stars in order, or into a folder. Answers all that you starred.
   *
   * One that is not yours, or on what you do not see, is 404. An id that comes twice counts where it comes first.
   */
  readonly reorder: Method<"stars.reorder">;
  /**
   * Star a thing, or take the star away. Answers all that you starred.
   *
   * A new one comes last. On one that is starred already `folder` and `label` change where they are given. Nobody is
   * told. You have 500 stars at most (409); before that is said, those make room whose things you do not see any more.
   */
  readonly set: Method<"stars.set">;
}

/** Names for subjects of any kind. */
export interface SubjectsModule {
  /** Say what references stand for, in their order. What is not there and what you may not see are the same. */
  readonly resolve: Method<"subjects.resolve">;
  /**
   * Say what a page elsewhere calls itself: title, text, picture and site, from its own description.
   *
   * It is read without cookies, its first 64 KB, within five seconds. An address that is none, has a name or password
   * in it, or spells out one of a private network is 422. A page that cannot be read says nothing: all is null, and
   * the answer does not tell why. A picture's address is where the page says it is; it was not looked at.
   */
  readonly unfurl: Method<"subjects.unfurl">;
}

/** Sync: what a client needs that keeps things of its own, and goes on by what changed. */
export interface SyncModule {
  /**
   * Take what changed since a snapshot or a delta: what is there as it is now, and what is gone.
   *
   * Small kinds come whole, but for those whose present etag you send. What you may no longer see is gone, like what was
   * deleted or left the scopes. `reset` tells you to take a new snapshot (its `etags` spare what you have): `since` is
   * older than the events that are kept, all things of a kind changed, or you see other projects than before.
   */
  readonly delta: Method<"sync.delta">;
  /**
   * Do up to 200 writes that waited, in order: each stands or falls alone, unlike in api.batch.
   *
   * Each needs its own scope and right. An `id` that was done is not done again for 14 days, so send what got no answer
   * again as it is. Where somebody else changed the same field behind `base_seq`, nothing is written and the result is a
   * `conflict`: show both, and send what the person decides with a new `base_seq`. Lists conflict only where one side
   * takes away what the other added. Reads, batches and what answers a job or waits for the outside are refused.
   */
  readonly push: Method<"sync.push">;
  /**
   * Take all that a client keeps: small kinds whole, issues by project and without their texts, the open ones first.
   *
   * Go on with `cursor` while there is a `next`, and then with sync.delta from `seq` on. Kinds for which you lack the
   * scope, and those of modules that are off, are left out. 409 `stale`: what you see changed between two pages.
   */
  readonly snapshot: Method<"sync.snapshot">;
}

/** Teams: groups of members with leads, and who of them is on call. */
export interface TeamsModule {
  /**
   * Take a team away, with its rota. For admins. Answers the teams that are left.
   *
   * One that has a role in projects, or teams below it, needs `move_to` (409 `in-use` with `uses`). One that issues or
   * approvals name cannot go before they name another (409). The admins' team and managed ones stay (409).
   */
  readonly delete: Method<"teams.delete">;
  /** Look at one team. A team that you may not see is 404. */
  readonly get: Method<"teams.get">;
  /**
   * List teams: the admins, who always exist, and then the others by name.
   *
   * Guests see their own teams and those of their projects, with the people whom they see.
   */
  readonly list: Method<"teams.list">;
  /**
   * Put somebody into a team, or take them out with `none`. For its leads and admins.
   *
   * In an open team members come and go by themselves. Guests may be members, not leads (422); only active people
   * come in (422). The last lead may go: then admins manage it. Who is in has the team's roles at once.
   */
  readonly member_set: Method<"teams.member_set">;
  /**
   * Say who is on call at a moment, by team and level, and until when (at most 53 weeks are looked ahead).
   *
   * A level with nobody at that moment, such as outside its hours, is left out.
   */
  readonly on_call: Method<"teams.on_call">;
  /** Look at a team's rota with the shifts of some days (of the rota's zone). Without a rota: no levels, no shifts. */
  readonly rota: Method<"teams.rota">;
  /**
   * Let somebody stand in for a time. For the team's leads and admins; its members may take a shift on themselves.
   *
   * Where two overlap, the later call wins. A level that the rota does not have, somebody who is no active member of
   * the team, and times that do not fit are 422. Answers the rota with the shifts of that time.
   */
  readonly rota_override: Method<"teams.rota_override">;
  /**
   * Set a team's rota as a whole. For its leads and admins. Answers it with the shifts of the next four weeks.
   *
   * The turn of the first of each level began with the last handover before now. Times are those of the zone, also
   * where the clock changes. People who are not active members of the team are 422; who leaves later is passed over.
   */
  readonly rota_save: Method<"teams.rota_save">;
  /**
   * Make a team, which you lead then, or change one that you lead: fields that are not named stay.
   *
   * Admins change all. Names and handles are unique without case (409). A parent needs its lead or an admin (403) and
   * no circle (422). A team that has more than the role viewer in a project, or approves moves, cannot be opened
   * (409). The admins' team and those that the directory keeps cannot be changed (409).
   */
  readonly save: Method<"teams.save">;
}

/** The query language over the data: names found, texts run, checked, completed, explained and translated. */
export interface TqlModule {
  /**
   * Say whether a text can be run, what is wrong with it, and how it is written in its tidy form.
   *
   * Up to five errors are told, each with its place and what to write instead. A source whose scope is missing is 403.
   */
  readonly check: Method<"tql.check">;
  /**
   * Propose what may stand at the cursor: fields, operators, names that you see, functions, clauses; 50 at most.
   *
   * `insert` goes in place of the characters between `from` and `to`.
   */
  readonly complete: Method<"tql.complete">;
  /** Count the rows that `tql.run` would find; groups where the text groups. */
  readonly count: Method<"tql.count">;
  /**
   * Explain a text: what it means, and for each of its conditions the index and how many rows it leaves by itself.
   *
   * `rows` counts what you see, to 10,000; null where a condition alone takes too long. With `key`, `matched` says of
   * each condition whether it holds for that issue; one that you do not see is 404. Admins are told the SQL, too.
   */
  readonly explain: Method<"tql.explain">;
  /**
   * List the fields of a source with their operators and the functions that give values for them.
   *
   * `values` are the names that you may write, the most used first, fifty at most; aliases are fields of their own.
   */
  readonly fields: Method<"tql.fields">;
  /**
   * Find issues, comments, files, assets, projects or members by a text of the query language.
   *
   * Rows hold what you see. Archived issues, and those of archived projects, are left out unless the text speaks of
   * `archived`, `archived_at` or keys; naming a project brings in its issues though it is archived. Sorted as the text
   * says; else, where it asks for words alone, the best fit first (up to 2,000 hits); else by rank inside one project,
   * else the latest change first. Ties break by id.
   *
   * Assets have the fields of their types by key or name; where types have one of several kinds, write `LAP.note`. The
   * retired ones are `archived`, and are among the rows. A computed field of issues is named as any other; one whose
   * formula names what you do not see, or that leads back to itself, is 422 `tql-name`. A text leads to 20 formulas.
   *
   * A text that cannot be read is 422 `tql-syntax`, one that names what you do not see or what does not fit 422
   * `tql-name`, both with `errors`. Each source needs its read scope beside `search:read` (403). What takes longer than
   * three seconds is 422 `tql-too-slow`, naming the costly part. `ms` is told in steps of 100, so that an answer which
   * did not change keeps its ETag. `notices` tell of names that changed since.
   */
  readonly run: Method<"tql.run">;
  /**
   * Translate a text of Jira, YouTrack or GitHub. Names stay as they are: `tql.check` says which are not here.
   *
   * `notes` tell what could not be carried over. Plain words without an AI provider are 403 `ai-off`; a text that
   * cannot be read even so is 422 `tql-syntax`.
   */
  readonly translate: Method<"tql.translate">;
}

/** The trash: what was deleted and can come back, until it is purged. */
export interface TrashModule {
  /**
   * Purge all that trash.list shows you, or some kinds of it; answers the job that does.
   *
   * What others deleted where you see nothing, such as in a private project, stays until its time: it is theirs.
   */
  readonly empty: Method<"trash.empty">;
  /**
   * List what was deleted and you may bring back, the latest first.
   *
   * What lies there for `trash_days` of the org's settings is purged; `purge_at` says when.
   */
  readonly list: Method<"trash.list">;
  /**
   * Remove things for good: their rows, what hangs on them, their history and what events say of them.
   *
   * The events themselves stay, with empty payloads. What cannot be brought back by you either is 404. All of it leaves
   * the trash at once; what is much, such as a project, goes in steps behind that.
   */
  readonly purge: Method<"trash.purge">;
  /**
   * Bring things back to where they were, with their keys and what went with them. Each stands for itself.
   *
   * Whoever could delete a thing may bring it back, with a key that has the scope for deleting it. Where its parent or
   * place is gone it stays in the trash, with the reason, unless `parent` names another. A name that was taken since
   * gets a number.
   */
  readonly restore: Method<"trash.restore">;
}

/** Issue types: name, icon and level in the hierarchy. */
export interface TypesModule {
  /**
   * Take an issue type away. Answers those that are left.
   *
   * One that issues, templates or fields of it alone name, or that is the only one of a project, needs `move_to` (409
   * `in-use`; `uses` are those that you see): the other type takes its place in projects, and its issues become of that
   * one with history. Parents and children must fit the other level (409). A lane that the workflow there does not have
   * becomes its first one of the same category, else its start; values that the other type does not have go. More than
   * 200 issues become of the other type by a job, in steps of 200: the type is out of lists and projects at once. Called
   * again it goes on with what a cancelled job left.
   */
  readonly delete: Method<"types.delete">;
  /**
   * List the issue types, the highest level first; with a project those it has, in its order.
   *
   * Guests see the types that their projects use.
   */
  readonly list: Method<"types.list">;
  /** Say which types a project has; for its leads and admins. Taking one off that issues have is 409. */
  readonly projects_set: Method<"types.projects_set">;
  /**
   * Make an issue type, or change one: fields that are not named stay. Answers all types.
   *
   * A name is unique without case (409), null takes workflow and template off. The level of a type in use changes only
   * where every parent and child still fits, its workflow only where that has the lanes in which its issues stand (409;
   * workflows.assign says where they go). A draft is no workflow yet, and a template is of the org and the type (422).
   */
  readonly save: Method<"types.save">;
}

/** Undo: taking back what one did in the last 24 hours. */
export interface UndoModule {
  /**
   * Take back a change of yours, or of your keys and agents, of the last 24 hours.
   *
   * It needs the scope of what it takes back. Fields that somebody changed since are 409 with the list in `errors`
   * and nothing happens, unless `force` is true. Twice is 409. The undoing is a change itself and can be undone.
   *
   * What you may not change now, what is gone, and what would not fit what is there now stays, with the reason in
   * `kept`; 409 where nothing is left to take back because of that. Of a change of many hundred things the first are
   * set back in this call, and a job goes on with the rest.
   */
  readonly apply: Method<"undo.apply">;
  /** List what you, your keys and your agents changed in the last 24 hours, newest first. */
  readonly list: Method<"undo.list">;
}

/** Views: saved queries with a layout, private, shared or on a project, which may be subscribed to by mail. */
export interface ViewsModule {
  /** Copy a view that you see into one of your own: on no project, not shared, with the same query and layout. */
  readonly copy: Method<"views.copy">;
  /**
   * Put a view into the trash; trash.restore brings it back with those who subscribed to it. Answers those left.
   *
   * Who may change it may delete it (403). Nothing of it is mailed meanwhile.
   */
  readonly delete: Method<"views.delete">;
  /**
   * Look at a view; `tql.run` with its `tql`, and its `columns` as `fields`, answers its rows.
   *
   * Everybody has the views that they made, that are shared, and that are on a project that they see. A view is its
   * text: what somebody else finds with it is what they see themselves. It goes on meaning what it named when it was
   * saved: what was renamed is shown with its present name, also where its old name was given to something else, and
   * what was deleted finds nothing; `notices` say so. Where it names what the caller does not see, `count` is -1 and
   * tql.check says what to write instead.
   */
  readonly get: Method<"views.get">;
  /**
   * List the views that you see, by name.
   *
   * Counting all of them takes two seconds at most; a count that was not made in that time is -1, and `views.get` makes
   * it.
   */
  readonly list: Method<"views.list">;
  /**
   * Make a view, or change one: fields that are not named stay, null clears `group_by`, `subgroup_by`, `sort`
   * and `project`.
   *
   * A text that cannot be asked is 422, with the place in it (`tql-syntax`, `tql-name`), and so is a column, group or
   * sort that is no field of its source. Names mean what is called so now, and the view goes on meaning that. Your own
   * are yours to change, shared ones also for admins, those on a project for its members and leads (403). Of one that
   * others changed meanwhile the last word stands, field by field. An owner has 500 views at most (409). In a batch
   * `count` is -1.
   */
  readonly save: Method<"views.save">;
  /**
   * Have the rows of a view mailed, as each who gets them sees them then. Answers the subscriptions that you may see.
   *
   * Everybody subscribes themselves to what they see. Others are subscribed by its owner, by leads of the project that
   * it is on, and by admins where it is shared (403); each of them sees it, is active and no guest, and has an address
   * (422), and ends it when they like. It ends by itself for whoever leaves or sees the view no more. A time at which
   * the server was down is made up for once.
   *
   * A server that sends no mail refuses all but `off` (409). One view goes to 200 people at most, and one member gets
   * 100 (409).
   */
  readonly subscribe: Method<"views.subscribe">;
}

/** Webhooks: events are told to other programs by signed HTTP requests, in order and at least once. */
export interface WebhooksModule {
  /** Delete a webhook with its secret and all its deliveries; what waited is not sent. Answers the others. */
  readonly delete: Method<"webhooks.delete">;
  /**
   * List what was sent for a webhook and what waits, newest first: the last 1,000 of 30 days, and all that waits.
   *
   * Body and answer are shown to who the webhook's author was then, while they may hear of all that is in it; others
   * read an empty text and null.
   */
  readonly deliveries: Method<"webhooks.deliveries">;
  /** List the webhooks by id: what each sends where, and how it fares. Values of headers are not told. */
  readonly list: Method<"webhooks.list">;
  /**
   * Send deliveries again, now and under the ids that they have; one that waits is tried at once.
   *
   * With `since` all that the webhooks of these deliveries would be told of the events behind that number is sent again,
   * as new deliveries: 1,000 at most, and no further back than 5,000 events (422). `api.changes` reads all there is. A
   * delivery that is not there is 404, a webhook that is off 409.
   */
  readonly redeliver: Method<"webhooks.redeliver">;
  /**
   * Give a webhook a new secret, which is in the answer and never shown again.
   *
   * For `keep_hours` its requests carry two signatures, separated by a comma, so that a receiver may change over when it
   * likes. A secret that still signed from an earlier rotation ends now.
   */
  readonly rotate_secret: Method<"webhooks.rotate_secret">;
  /**
   * Make a webhook, or change one; fields that are not named stay. The secret of a new one is shown this once.
   *
   * Whoever saves it is its author: it hears what they may hear of, with the scopes of this call, and is switched off
   * when they are no admin any more. Saving one that was switched off with `enabled` true switches it on again, for what
   * happens from then on. Another host or port in `url` clears the headers, unless they are given anew.
   *
   * A kind of event, project or field that is not there is 422 (404 for the project), naming the nearest. An org has 100
   * webhooks at most (409).
   */
  readonly save: Method<"webhooks.save">;
  /**
   * Post a body of your own to a webhook's address, beside the events that it hears: a web request, for rules too.
   *
   * It goes out when this call stands, signed, with the webhook's headers and `X-Kb-Event: message`; in order with the
   * events that wait there, but for the one right before it, and again until it is taken, under one `X-Kb-Delivery`.
   * Project and query of the webhook are asked nothing. The body is kept until it was taken. A webhook that is off is
   * 409, and so is one for which too much waits; a body of more than 512 kB is 422.
   */
  readonly send: Method<"webhooks.send">;
  /**
   * Send a request now and answer what came of it: an event of which nothing is true but its kind.
   *
   * It has the sequence number 0, the webhook itself as subject and `test` in its payload, and is signed as any other.
   * It is sent once, whether or not the webhook is on; how the webhook fares is not counted by it.
   */
  readonly test: Method<"webhooks.test">;
}

/** Workflows: graphs of lanes and transitions that issues move along. */
export interface WorkflowsModule {
  /**
   * Let the issues of a project, or of some of its types, move along a workflow from now on.
   *
   * Lanes that it lacks and that hold issues need an entry in `statuses` (409 naming them); the issues move with
   * history. `moved` says for each such lane where they go and how many they are; `warnings` what else is to be known.
   * More than 200 issues move by a job, in steps of 200; until then each stands in its old lane, from which only
   * transitions from any lane lead on. A draft cannot be assigned (409). With `dry_run` nothing happens.
   */
  readonly assign: Method<"workflows.assign">;
  /** Make a workflow like another one, or like a draft. Nothing moves along it until workflows.assign says so. */
  readonly copy: Method<"workflows.copy">;
  /**
   * Take a workflow away, with its draft; or a draft alone. Answers those that are left.
   *
   * The one that a new org has stays (409). One that projects or types use needs `move_to` (409 `in-use` with `uses`):
   * issues in lanes that the other workflow lacks go to its first lane of the same category, else to its start, with
   * history; more than 200 by a job, in steps of 200.
   */
  readonly delete: Method<"workflows.delete">;
  /** Look at a workflow: its lanes, the transitions between them and who uses it. Drafts are for admins. */
  readonly get: Method<"workflows.get">;
  /**
   * List the workflows, those of one project where it is named. Guests see those that their projects use.
   *
   * Admins see drafts too, each behind the workflow that it is to become.
   */
  readonly list: Method<"workflows.list">;
  /**
   * Make a workflow, or change one. What it says is the whole: lanes and transitions that are not named go.
   *
   * Every lane must be reached from the start, and from each a way must lead to a done lane (422 naming the lane).
   * Names are unique without case (409). Lanes that go and hold issues need an entry in `statuses` (409 naming them);
   * the issues move with history, more than 200 by a job in steps of 200; saving the same again with `statuses` goes on
   * with what a cancelled job left. Keys of transitions are made from their names and stay when a transition is renamed
   * by its key.
   *
   * `draft` on a workflow in force makes a draft of it, one at most, which has an id of its own and is for admins;
   * saving that draft with `draft` false puts it in its place. Conditions (`if`, `check`) are as in automation:
   * `{all}`, `{any}`, `{field, op, value}`, `{role}`, `{tql}`; `changed` is for `check`. Operations of `then` run with
   * the rights of whoever moves the issue; they must be changes that take nothing away (422).
   */
  readonly save: Method<"workflows.save">;
  /**
   * Ask whether an issue could go to a lane along a workflow, be it a draft or one that it does not move along.
   *
   * Every rule is a step: that a transition leads there, who may go, each condition and check, what is asked for, open
   * blockers, who has to agree. Where several transitions lead there the first that is open counts, else the first.
   * Admins ask it for somebody else too; what those do not see they cannot move.
   */
  readonly simulate: Method<"workflows.simulate">;
  /**
   * Count how often issues went from lane to lane, of those that move along the workflow now and that you see.
   *
   * The most used way first. Ways that the workflow has and nobody took are there with 0; so are moves that it has no
   * way for, which were made before it was as it is. `median_hours` is how long issues stood in the lane before.
   */
  readonly stats: Method<"workflows.stats">;
}

/** The modules of a server, each with its operations. */
export interface Modules {
  readonly access: AccessModule;
  readonly activity: ActivityModule;
  readonly ai: AiModule;
  readonly analytics: AnalyticsModule;
  readonly api: ApiModule;
  readonly approvals: ApprovalsModule;
  readonly assets: AssetsModule;
  readonly attachments: AttachmentsModule;
  readonly audit: AuditModule;
  readonly auth: AuthModule;
  readonly automation: AutomationModule;
  readonly backups: BackupsModule;
  readonly boards: BoardsModule;
  readonly chat: ChatModule;
  readonly checklists: ChecklistsModule;
  readonly comments: CommentsModule;
  readonly components: ComponentsModule;
  readonly desk: DeskModule;
  readonly drafts: DraftsModule;
  readonly events: EventsModule;
  readonly fields: FieldsModule;
  readonly flags: FlagsModule;
  readonly imports: ImportsModule;
  readonly invites: InvitesModule;
  readonly issues: IssuesModule;
  readonly jobs: JobsModule;
  readonly keys: KeysModule;
  readonly labels: LabelsModule;
  readonly lanes: LanesModule;
  readonly mail: MailModule;
  readonly maintenance: MaintenanceModule;
  readonly members: MembersModule;
  readonly notifications: NotificationsModule;
  readonly org: OrgModule;
  readonly pages: PagesModule;
  readonly presence: PresenceModule;
  readonly projects: ProjectsModule;
  readonly search: SearchModule;
  readonly spaces: SpacesModule;
  readonly sprints: SprintsModule;
  readonly stars: StarsModule;
  readonly subjects: SubjectsModule;
  readonly sync: SyncModule;
  readonly teams: TeamsModule;
  readonly tql: TqlModule;
  readonly trash: TrashModule;
  readonly types: TypesModule;
  readonly undo: UndoModule;
  readonly views: ViewsModule;
  readonly webhooks: WebhooksModule;
  readonly workflows: WorkflowsModule;
}
