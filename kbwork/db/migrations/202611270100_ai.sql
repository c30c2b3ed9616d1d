-- What AI may do for the org: one row. `excluded` is a JSON list of subjects under the names that they had then.
create table ai_policy (
  id integer primary key check (id = 1),
  enabled integer not null check (enabled in (0, 1)),
  browser_keys integer not null check (browser_keys in (0, 1)),
  org_keys integer not null check (org_keys in (0, 1)),
  excluded text not null,
  automation_apply integer not null check (automation_apply in (0, 1)),
  member_daily_tokens integer,
  monthly_tokens integer
) strict;
insert into ai_policy (id, enabled, browser_keys, org_keys, excluded, automation_apply) values (1, 0, 0, 0, '[]', 0);
-- Who offers models, by one of two wire formats. `models` is a JSON list. The key is sealed; `key_last4` is its end.
create table ai_provider (
  id text primary key,
  label text not null,
  kind text not null check (kind in ('anthropic', 'openai')),
  base_url text not null,
  models text not null,
  default_model text not null,
  enabled integer not null check (enabled in (0, 1)),
  needs_key integer not null check (needs_key in (0, 1)),
  browser integer not null check (browser in (0, 1)),
  secret blob,
  key_last4 text,
  key_label text,
  key_at integer,
  created_at integer not null,
  updated_at integer not null
) strict, without rowid;
-- For whom something is explained, and how.
create table ai_profile (
  key text primary key,
  label text not null,
  instructions text not null
) strict, without rowid;
-- What was used, by UTC day and by whom. A call that failed is counted and costs no tokens.
create table ai_usage (
  day text not null,
  actor text not null,
  feature text not null,
  provider text not null,
  model text not null,
  calls integer not null,
  errors integer not null,
  input_tokens integer not null,
  output_tokens integer not null,
  primary key (day, actor, feature, provider, model)
) strict, without rowid;
create index ai_usage_actor on ai_usage (actor, day);
-- Calls that are under way, each with the tokens that are held for it until it is settled, or `until` has passed.
create table ai_call (
  id integer primary key autoincrement,
  actor text not null,
  tokens integer not null,
  until integer not null
) strict;
-- What a job asks a model: `request` is JSON, as is `asker`, who asked. `answer` or `error` is there when it ended.
create table ai_run (
  id integer primary key autoincrement,
  job integer not null,
  subject text not null,
  task text not null check (task in ('classify', 'summarize', 'draft_reply', 'prompt')),
  request text not null,
  asker text not null,
  state text not null check (state in ('waiting', 'answered', 'failed')),
  answer text,
  error text,
  created_at integer not null
) strict;
create index ai_run_state on ai_run (state);
create index ai_run_subject on ai_run (subject);
create index ai_run_job on ai_run (job);
-- What a model proposes: an operation with its input (JSON), which is run when somebody applies it, as far as `asker`
-- may do that as well. `fault` is what everybody may know of the `error`.
create table ai_proposal (
  id integer primary key autoincrement,
  subject text not null,
  task text not null check (task in ('classify', 'summarize', 'draft_reply', 'prompt')),
  answer text not null,
  op text not null,
  input text not null,
  state text not null check (state in ('open', 'applied', 'dismissed', 'failed')),
  rule text,
  asked_by text not null,
  asker text not null,
  created_at integer not null,
  decided_at integer,
  decided_by text,
  fault text,
  error text
) strict;
create index ai_proposal_state on ai_proposal (state, id);
create index ai_proposal_subject on ai_proposal (subject, id);
create index ai_proposal_asked_by on ai_proposal (asked_by);
