-- Made by `kbwork contract` from the migrations and each `triggers.sql`.

CREATE TABLE access_grant (
  id integer primary key autoincrement,
  subject text not null,
  who text not null,
  level text not null check (level in ('view', 'comment', 'edit', 'manage')),
  expires_at integer,
  granted_by text not null,
  granted_at integer not null,
  unique (subject, who)
) strict;

CREATE TABLE agent (
  name text primary key,
  label text not null,
  owner text not null references member (id),
  created_at integer not null
) strict, without rowid;

CREATE TABLE ai_call (
  id integer primary key autoincrement,
  actor text not null,
  tokens integer not null,
  until integer not null
) strict;

CREATE TABLE ai_policy (
  id integer primary key check (id = 1),
  enabled integer not null check (enabled in (0, 1)),
  browser_keys integer not null check (browser_keys in (0, 1)),
  org_keys integer not null check (org_keys in (0, 1)),
  excluded text not null,
  automation_apply integer not null check (automation_apply in (0, 1)),
  member_daily_tokens integer,
  monthly_tokens integer
) strict;

CREATE TABLE ai_profile (
  key text primary key,
  label text not null,
  instructions text not null
) strict, without rowid;

CREATE TABLE ai_proposal (
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
, issue integer) strict;

CREATE TABLE ai_provider (
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

CREATE TABLE ai_run (
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

CREATE TABLE ai_usage (
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

CREATE TABLE approval (
  id integer primary key autoincrement,
  issue integer not null references issue (id),
  transition text not null,
  leaves integer not null,
  to_status text not null,
  needed integer not null check (needed > 0),
  self_approval integer not null check (self_approval in (0, 1)),
  watched text not null,
  note text not null,
  state text not null check (state in ('pending', 'approved', 'rejected', 'cancelled', 'done')),
  requested_by text not null,
  via text,
  asker text,
  created_at integer not null,
  decided_at integer
) strict;

CREATE TABLE approval_approver (
  approval integer not null references approval (id),
  who text not null,
  position integer not null,
  waits integer not null check (waits in (0, 1)),
  primary key (approval, who)
) strict, without rowid;

CREATE TABLE approval_vote (
  approval integer not null references approval (id),
  who text not null,
  approve integer not null check (approve in (0, 1)),
  note text not null,
  at integer not null,
  primary key (approval, who)
) strict, without rowid;

CREATE TABLE article_use (
  id integer primary key autoincrement,
  project integer not null references project (id),
  article text not null,
  title text not null,
  solved integer not null check (solved in (0, 1)),
  at integer not null
) strict;

CREATE TABLE asset (
  id integer primary key autoincrement,
  key text not null,
  type integer not null references asset_type (id),
  name text not null,
  owner text,
  status text not null check (status in ('active', 'maintenance', 'retired')),
  created_at integer not null,
  updated_at integer not null,
  created_by text not null
) strict;

CREATE TABLE asset_issue (
  asset integer not null references asset (id),
  issue integer not null references issue (id),
  role text not null,
  created_at integer not null,
  created_by text not null,
  primary key (asset, issue)
) strict, without rowid;

CREATE TABLE asset_type (
  id integer primary key autoincrement,
  key text not null,
  name text not null,
  name_key text not null,
  description text not null,
  icon text not null,
  position real not null,
  fields text not null,
  numbers integer not null
) strict;

CREATE TABLE asset_value (
  asset integer not null references asset (id),
  field text not null,
  value any not null,
  target integer references asset (id),
  primary key (asset, field)
) strict, without rowid;

CREATE TABLE attachment (
  id text primary key,
  subject text not null,
  name text not null,
  content_type text not null,
  size integer not null,
  hash blob not null references blob (hash),
  created_at integer not null,
  created_by text not null,
  deleted_at integer
) strict;

CREATE TABLE attachment_text (
  attachment text primary key references attachment (id),
  text text not null
) strict;

CREATE TABLE attempt (
  id integer primary key,
  account blob not null,
  address text,
  at integer not null
) strict;

CREATE TABLE avatar (
  member text primary key references member (id),
  type text not null,
  data blob not null
) strict, without rowid;

CREATE TABLE backup_schedule (
  id integer primary key check (id = 1),
  every text not null check (every in ('off', 'hourly', 'daily', 'weekly')),
  keep integer not null,
  target text,
  next_at integer,
  last_error text
) strict;

CREATE TABLE blob (
  hash blob primary key,
  size integer not null,
  bytes blob not null
, content integer references blob_content (id)) strict;

CREATE TABLE blob_content (
  id integer primary key autoincrement,
  state text not null check (state in ('staged', 'linked', 'gone')),
  hash blob not null,
  begun_at integer not null
) strict;

CREATE TABLE blob_piece (
  content integer not null references blob_content (id),
  number integer not null,
  bytes blob not null,
  primary key (content, number)
) strict;

CREATE TABLE board (
  id integer primary key autoincrement,
  name text not null,
  name_key text not null,
  project integer references project (id),
  tql text not null,
  kind text not null check (kind in ('kanban', 'sprint')),
  columns text not null,
  filters text not null,
  parts integer not null,
  swimlanes text,
  card_fields text not null,
  color_by text,
  owner text not null,
  created_at integer not null,
  deleted_at integer
, names text not null default '{}') strict;

CREATE TABLE canned_reply (
  id integer primary key autoincrement,
  name text not null,
  text text not null,
  project integer references project (id),
  folder text,
  shortcut text,
  shortcut_key text,
  shared integer not null check (shared in (0, 1)),
  owner text not null,
  uses integer not null default 0,
  updated_at integer not null
) strict;

CREATE TABLE carried_over (
  kind text primary key,
  held text not null
) strict, without rowid;

CREATE TABLE challenge (
  digest blob primary key,
  purpose text not null,
  member text,
  data text not null,
  tries integer not null default 0,
  created_at integer not null,
  expires_at integer not null
) strict, without rowid;

CREATE TABLE chat_account (
  id integer primary key autoincrement,
  connection integer not null references chat_connection (id),
  chat_user text not null,
  name text not null,
  member text not null references member (id),
  linked_at integer not null
) strict;

CREATE TABLE chat_code (
  digest blob primary key,
  connection integer not null references chat_connection (id),
  chat_user text not null,
  name text not null,
  expires_at integer not null
) strict, without rowid;

CREATE TABLE chat_connection (
  id integer primary key autoincrement,
  name text not null,
  provider text not null check (provider in ('slack', 'teams', 'discord')),
  project integer not null references project (id),
  secret blob not null,
  bot_token blob,
  requests integer not null,
  last_event_at integer,
  last_error text,
  created_at integer not null,
  created_by text not null
) strict;

CREATE TABLE chat_post (
  id integer primary key autoincrement,
  connection integer not null references chat_connection (id),
  subscription integer references chat_subscription (id),
  seq integer,
  call text,
  body text,
  tries integer not null,
  next_at integer not null,
  at integer not null
) strict;

CREATE TABLE chat_subscription (
  id integer primary key autoincrement,
  connection integer not null references chat_connection (id),
  name text not null,
  events text not null,
  tql text not null,
  names text not null,
  origin text not null,
  url blob not null,
  author text not null references member (id),
  scopes text not null,
  since integer not null,
  sent integer not null,
  last_sent_at integer,
  created_at integer not null,
  created_by text not null
) strict;

CREATE TABLE chat_taken (
  connection integer not null references chat_connection (id),
  digest blob not null,
  at integer not null,
  primary key (connection, digest)
) strict, without rowid;

CREATE TABLE check_item (
  id integer primary key autoincrement,
  issue integer not null references issue (id),
  position integer not null,
  text text not null,
  assignee text,
  due_date text,
  done_at integer,
  done_by text,
  promoted integer,
  created_at integer not null,
  created_by text not null
) strict;

CREATE TABLE checklist_template (
  id integer primary key autoincrement,
  name text not null,
  name_key text not null,
  type integer not null references issue_type (id),
  items text not null,
  auto integer not null,
  updated_at integer not null
) strict;

CREATE TABLE comment (
  id integer primary key autoincrement,
  subject text not null,
  author text not null,
  body text not null,
  body_doc text,
  created_at integer not null,
  edited_at integer,
  internal integer not null,
  parent integer references comment (id),
  anchor text,
  resolved_at integer,
  resolved_by text,
  deleted_at integer,
  stub integer not null default 0,
  external text
) strict;

CREATE TABLE component (
  id integer primary key autoincrement,
  project integer not null references project (id),
  name text not null,
  name_key text not null,
  description text not null,
  lead text,
  assign text not null check (assign in ('lead', 'project', 'nobody')),
  archived integer not null
) strict;

CREATE TABLE component_count (
  component integer not null,
  project integer not null,
  issues integer not null,
  primary key (component, project)
) strict, without rowid;

CREATE TABLE counter (
  name text primary key,
  value integer not null
) strict, without rowid;

CREATE TABLE credential (
  member text primary key references member (id),
  password text,
  totp blob,
  totp_pending blob,
  totp_step integer not null default 0,
  changed_at integer not null
) strict, without rowid;

CREATE TABLE customer (
  id integer primary key autoincrement,
  name text not null,
  email text not null,
  email_key text not null unique,
  password text,
  locale text,
  notify integer not null check (notify in (0, 1)),
  blocked_at integer,
  created_at integer not null,
  last_seen_at integer
, password_desks text) strict;

CREATE TABLE customer_chat (
  connection integer not null,
  chat_user text not null,
  customer integer not null references customer (id),
  primary key (connection, chat_user)
) strict, without rowid;

CREATE TABLE customer_link (
  digest blob primary key,
  purpose text not null check (purpose in ('asked signup', 'asked reset', 'signup', 'reset')),
  email text not null,
  customer integer references customer (id),
  data text not null,
  created_at integer not null,
  expires_at integer not null
) strict, without rowid;

CREATE TABLE customer_request (
  issue integer primary key references issue (id),
  customer integer not null references customer (id),
  type integer references request_type (id),
  channel text not null check (channel in ('portal', 'mail', 'chat', 'phone', 'walk_in')),
  created_at integer not null
, asked_at integer) strict;

CREATE TABLE customer_token (
  digest blob primary key,
  customer integer not null references customer (id),
  created_at integer not null,
  expires_at integer not null
, desks text) strict, without rowid;

CREATE TABLE desk (
  project integer primary key references project (id),
  name text not null,
  intro text not null,
  enabled integer not null check (enabled in (0, 1)),
  open_signup integer not null check (open_signup in (0, 1)),
  kb_space text,
  show_agents integer not null check (show_agents in (0, 1)),
  survey integer not null check (survey in (0, 1)),
  reopen_days integer,
  languages text not null,
  logo text,
  reply_to text,
  mail_token blob,
  mail_digest blob unique,
  created_at integer not null,
  updated_at integer not null
, survey_since integer) strict;

CREATE TABLE desk_mail (
  id integer primary key autoincrement,
  project integer not null references project (id),
  sender blob not null,
  message blob,
  issue integer,
  result text not null check (result in ('created', 'commented', 'ignored')),
  at integer not null
) strict;

CREATE TABLE device_code (
  digest blob primary key,
  user_code text not null unique,
  client text not null,
  scopes text,
  state text not null check (state in ('pending', 'denied', 'approved', 'taken')),
  address text,
  polled_at integer,
  created_at integer not null,
  expires_at integer not null,
  approved_by text,
  key text,
  granted blob
) strict, without rowid;

CREATE TABLE draft (
  seq integer primary key autoincrement,
  owner text not null references member (id),
  subject text not null,
  body text not null,
  data text not null,
  shared integer not null check (shared in (0, 1)),
  updated_at integer not null
) strict;

CREATE TABLE event_about (
  what text not null,
  seq integer not null,
  primary key (what, seq)
) strict, without rowid;

CREATE TABLE events (
  seq integer primary key,
  kind text not null,
  subject text not null,
  actor text not null,
  actor_kind text not null,
  via text,
  at integer not null,
  payload blob not null,
  audience text not null,
  scope text not null,
  op text,
  request text,
  address text
, origin text) strict;

CREATE TABLE expected_file (
  upload text primary key,
  attachment text not null,
  subject text not null,
  name text not null,
  who text not null,
  created_by text not null,
  created_at integer not null
) strict, without rowid;

CREATE TABLE field (
  id integer primary key autoincrement,
  key text not null unique,
  name text not null,
  name_key text not null,
  kind text not null,
  home text not null check (home in ('issue', 'worklog', 'company', 'request')),
  description text not null,
  projects text not null,
  types text not null,
  preset text not null,
  formula text,
  min real,
  max real,
  pattern text,
  personal integer not null,
  deleted_at integer
, names text not null default '{}') strict;

CREATE TABLE field_count (
  field integer not null,
  project integer not null,
  issues integer not null,
  primary key (field, project)
) strict, without rowid;

CREATE TABLE field_layout (
  project integer not null references project (id),
  type integer not null references issue_type (id),
  on_create text not null,
  on_edit text not null,
  required text not null,
  rules text not null,
  primary key (project, type)
) strict, without rowid;

CREATE TABLE field_option (
  id integer primary key autoincrement,
  field integer not null references field (id),
  name text not null,
  name_key text not null,
  color text not null,
  archived integer not null,
  parent integer,
  position integer not null
, heir integer, left_at integer) strict;

CREATE TABLE firing (
  schedule text not null,
  time integer not null,
  primary key (schedule, time)
) strict, without rowid;

CREATE TABLE flag (
  id integer primary key autoincrement,
  project integer not null references flag_project (id),
  key text not null,
  meta text not null,
  archived integer not null check (archived in (0, 1)),
  version integer not null,
  created_at integer not null, salt text not null default '', first_key text not null default '',
  unique (project, key)
) strict;

CREATE TABLE flag_alias (
  project integer not null references flag_project (id),
  key text not null,
  flag integer not null references flag (id),
  dropped_at integer,
  primary key (project, key)
) strict, without rowid;

CREATE TABLE flag_alias_count (
  flag integer not null references flag (id),
  environment integer not null references flag_environment (id),
  key text not null,
  hour integer not null,
  count integer not null,
  primary key (flag, environment, key, hour)
) strict, without rowid;

CREATE TABLE flag_change (
  id integer primary key autoincrement,
  project integer not null references flag_project (id),
  environment integer not null references flag_environment (id),
  kind text not null check (kind in ('flag', 'segment')),
  target text not null,
  instructions text not null,
  comment text not null,
  status text not null check (status in ('pending', 'approved', 'declined', 'applied', 'cancelled', 'failed')),
  run_at integer,
  requested_by text not null,
  via text,
  as_agent integer not null check (as_agent in (0, 1)),
  created_at integer not null,
  decided_at integer,
  why text
, plan integer) strict;

CREATE TABLE flag_check (
  id integer primary key autoincrement,
  environment integer not null references flag_environment (id),
  name text not null,
  context text not null,
  expected text not null,
  enforce integer not null check (enforce in (0, 1)),
  created_by text not null,
  created_at integer not null,
  unique (environment, name)
) strict;

CREATE TABLE flag_config (
  flag integer not null references flag (id),
  environment integer not null references flag_environment (id),
  config text not null,
  version integer not null,
  changed_at integer not null,
  evaluated_at integer,
  primary key (flag, environment)
) strict, without rowid;

CREATE TABLE flag_count (
  environment integer not null references flag_environment (id),
  flag integer not null references flag (id),
  hour integer not null,
  version integer not null,
  variation integer not null,
  count integer not null,
  primary key (environment, flag, hour, version, variation)
) strict, without rowid;

CREATE TABLE flag_environment (
  id integer primary key autoincrement,
  project integer not null references flag_project (id),
  key text not null,
  name text not null,
  critical integer not null check (critical in (0, 1)),
  require_approval integer not null check (require_approval in (0, 1)),
  min_approvals integer not null,
  allow_self_approval integer not null check (allow_self_approval in (0, 1)),
  version integer not null,
  key_salt text not null,
  created_at integer not null,
  unique (project, key)
) strict;

CREATE TABLE flag_expiry (
  flag integer not null references flag (id),
  environment integer not null references flag_environment (id),
  at integer not null,
  primary key (flag, environment)
) strict, without rowid;

CREATE TABLE flag_issue (
  flag integer not null references flag (id),
  issue integer not null references issue (id),
  primary key (flag, issue)
) strict, without rowid;

CREATE TABLE flag_plan (
  id integer primary key autoincrement,
  flag integer not null references flag (id),
  environment integer not null references flag_environment (id),
  rule text,
  variation integer not null,
  steps text not null,
  checks text not null,
  comment text not null,
  state text not null check (state in ('waiting', 'running', 'held', 'stopped', 'done')),
  step integer not null,
  reason text,
  start_at integer,
  next_at integer,
  look_at integer,
  asking integer not null check (asking in (0, 1)),
  heard integer not null check (heard in (0, 1)),
  before text not null,
  served text not null,
  began integer not null,
  approved integer not null check (approved in (0, 1)),
  change integer,
  acting text not null,
  created_by text not null,
  created_at integer not null
) strict;

CREATE TABLE flag_project (
  id integer primary key autoincrement,
  key text not null unique,
  key_folded text not null unique,
  name text not null,
  work_project integer references project (id),
  created_at integer not null,
  archived_at integer
) strict;

CREATE TABLE flag_reference (
  id integer primary key autoincrement,
  flag integer not null references flag (id),
  repository text not null,
  branch text not null,
  revision text not null,
  key text not null,
  path text not null,
  line integer not null,
  text text not null,
  seen_at integer not null
) strict;

CREATE TABLE flag_review (
  id integer primary key autoincrement,
  change integer not null references flag_change (id),
  member text not null references member (id),
  decision text not null check (decision in ('approve', 'decline', 'comment')),
  comment text not null,
  at integer not null
) strict;

CREATE TABLE flag_revision (
  id integer primary key autoincrement,
  flag integer not null references flag (id),
  environment integer references flag_environment (id),
  version integer not null,
  at integer not null,
  who text not null,
  via text,
  comment text not null,
  diff text not null,
  content text not null
) strict;

CREATE TABLE flag_schedule (
  id integer primary key autoincrement,
  flag integer not null references flag (id),
  environment integer not null references flag_environment (id),
  instructions text not null,
  run_at integer not null,
  created_by text not null,
  acting text not null,
  created_at integer not null
) strict;

CREATE TABLE flag_segment (
  id integer primary key autoincrement,
  environment integer not null references flag_environment (id),
  key text not null,
  name text not null,
  description text not null,
  tags text not null,
  body text not null,
  version integer not null,
  created_at integer not null,
  unique (environment, key)
) strict;

CREATE TABLE flag_template (
  key text primary key,
  name text not null,
  kind text not null check (kind in ('bool', 'string', 'number', 'json')),
  variations text not null,
  settings text not null,
  created_at integer not null
) strict, without rowid;

CREATE TABLE flag_trigger (
  id integer primary key autoincrement,
  flag integer not null references flag (id),
  environment integer not null references flag_environment (id),
  action text not null check (action in ('on', 'off', 'variation')),
  variation integer,
  digest blob not null unique,
  acting text not null,
  created_by text not null,
  created_at integer not null,
  used_at integer,
  uses integer not null
) strict;

CREATE TABLE flag_usage (
  month text primary key,
  evaluations integer not null,
  events integer not null
) strict, without rowid;

CREATE TABLE flag_use (
  environment integer not null references flag_environment (id),
  uses_kind text not null check (uses_kind in ('flag', 'segment')),
  uses text not null,
  user_kind text not null check (user_kind in ('flag', 'segment')),
  user text not null,
  primary key (environment, uses_kind, uses, user_kind, user)
) strict, without rowid;

CREATE TABLE former_name (
  kind text not null,
  id integer not null,
  name text not null,
  primary key (kind, id, name)
) strict, without rowid;

CREATE TABLE former_number (
  project integer not null references project (id),
  number integer not null,
  issue integer not null references issue (id),
  primary key (project, number)
) strict, without rowid;

CREATE TABLE idempotency (
  id integer primary key,
  digest blob not null,
  call blob not null,
  at integer not null,
  answer blob not null
) strict;

CREATE TABLE import (
  id integer primary key autoincrement,
  source text not null,
  upload text not null,
  project text,
  state text not null check (state in ('open', 'probed', 'mapped', 'running', 'done', 'failed', 'cancelled', 'undone')),
  found text not null,
  mapping text not null,
  losses text not null,
  highest text not null,
  done text not null,
  errors integer not null,
  job integer,
  cursor integer not null,
  tally text not null,
  secret blob,
  created_by text not null,
  created_at integer not null,
  ended_at integer
) strict;

CREATE TABLE import_item (
  id integer primary key autoincrement,
  import integer not null references import (id),
  project integer not null,
  external text not null,
  subject text not null,
  said text not null,
  wrote text not null,
  seq integer not null
) strict;

CREATE TABLE import_log (
  id integer primary key autoincrement,
  import integer not null references import (id),
  at integer not null,
  level text not null check (level in ('info', 'warning', 'error')),
  source text not null,
  message text not null,
  subject text
) strict;

CREATE TABLE import_page (
  import integer not null references import (id),
  url text not null,
  etag text not null,
  next text not null,
  start integer not null,
  size integer not null,
  digest blob not null,
  primary key (url, import)
) strict, without rowid;

CREATE TABLE inbox (
  who text primary key,
  number integer not null
) strict, without rowid;

CREATE TABLE invite (
  id integer primary key autoincrement,
  digest blob unique,
  email text not null,
  role text not null,
  teams text not null,
  projects text not null,
  message text not null,
  state text not null check (state in ('pending', 'accepted', 'revoked', 'expired')),
  invited_by text not null,
  created_at integer not null,
  expires_at integer not null,
  accepted_by text
) strict;

CREATE TABLE issue (
  id integer primary key autoincrement,
  project integer not null references project (id),
  number integer not null,
  type integer not null references issue_type (id),
  title text not null,
  body text not null,
  body_doc text,
  lane integer not null references lane (id),
  category text not null,
  outcome text,
  priority text not null check (priority in ('urgent', 'high', 'medium', 'low', 'none')),
  reporter text not null,
  parent integer references issue (id),
  level_no integer not null,
  sprint integer,
  milestone integer,
  estimate real,
  start_date text,
  due_date text,
  rank text not null,
  level text,
  locked integer not null default 0,
  source text,
  external text,
  created_at integer not null,
  created_by text not null,
  updated_at integer not null,
  status_at integer not null,
  started_at integer,
  done_at integer,
  archived_at integer,
  deleted_at integer,
  seq integer not null,
  comments integer not null default 0,
  internal_comments integer not null default 0
, votes integer not null default 0, attachments integer not null default 0, links integer not null default 0, children integer not null default 0, relations integer not null default 0, blockers integer not null default 0, lock_reason text, aside integer not null default 0, checks integer not null default 0, checks_done integer not null default 0) strict;

CREATE TABLE issue_assignee (
  issue integer not null references issue (id),
  who text not null,
  position integer not null,
  primary key (issue, who)
) strict, without rowid;

CREATE TABLE issue_component (
  issue integer not null references issue (id),
  component integer not null references component (id),
  primary key (issue, component)
) strict, without rowid;

CREATE TABLE issue_label (
  issue integer not null references issue (id),
  label integer not null references label (id),
  primary key (issue, label)
) strict, without rowid;

CREATE TABLE issue_lost (
  id integer primary key,
  seq integer not null,
  issue integer not null,
  project integer,
  level text,
  reporter text,
  who text
) strict;

CREATE TABLE issue_rank_shift (
  id integer primary key autoincrement,
  shift integer not null,
  project integer not null,
  seq integer not null,
  at integer not null,
  issue integer not null,
  was text not null,
  rank text not null
) strict;

CREATE TABLE issue_revision (
  issue integer not null references issue (id),
  revision integer not null,
  at integer not null,
  who text not null,
  via text,
  title text not null,
  body text not null,
  primary key (issue, revision)
) strict, without rowid;

CREATE TABLE issue_template (
  id integer primary key autoincrement,
  project integer references project (id),
  name text not null,
  name_key text not null,
  type integer not null references issue_type (id),
  input text not null,
  children text not null,
  checklists text not null,
  updated_at integer not null
) strict;

CREATE TABLE issue_type (
  id integer primary key autoincrement,
  key text not null unique,
  name text not null,
  icon text not null,
  color text not null,
  level integer not null,
  workflow integer references workflow (id),
  description text not null
, name_key text not null default '', template integer, heir integer references issue_type (id), left_at integer) strict;

CREATE TABLE issue_value (
  issue integer not null references issue (id),
  field integer not null references field (id),
  position integer not null,
  value any not null,
  unit text,
  primary key (issue, field, position)
) strict, without rowid;

CREATE TABLE issue_vote (
  issue integer not null references issue (id),
  who text not null,
  at integer not null,
  primary key (issue, who)
) strict, without rowid;

CREATE TABLE issue_watcher (
  issue integer not null references issue (id),
  who text not null,
  reason text not null,
  at integer not null,
  primary key (issue, who)
) strict, without rowid;

CREATE TABLE job (
  id integer primary key autoincrement,
  kind text not null,
  state text not null check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  args text not null,
  progress real not null,
  message text not null,
  result text,
  error text,
  by text not null,
  created_at integer not null,
  ended_at integer,
  run_at integer not null,
  lease_until integer,
  tries integer not null
) strict;

CREATE TABLE key (
  id text primary key,
  digest blob not null unique,
  old_digest blob unique,
  old_until integer,
  name text not null,
  kind text not null check (kind in ('personal', 'agent')),
  agent text,
  owner text not null references member (id),
  last4 text not null,
  scopes text not null,
  projects text not null,
  networks text not null,
  created_at integer not null,
  expires_at integer,
  revoked_at integer,
  last_used_at integer,
  last_address text
) strict, without rowid;

CREATE TABLE key_calls (
  key text not null,
  month text not null,
  calls integer not null,
  primary key (key, month)
) strict, without rowid;

CREATE TABLE known_device (
  member text not null references member (id),
  digest blob not null,
  at integer not null,
  primary key (member, digest)
) strict, without rowid;

CREATE TABLE label (
  id integer primary key autoincrement,
  name text not null,
  name_key text not null,
  color text not null,
  project integer references project (id),
  family text,
  description text not null
) strict;

CREATE TABLE label_count (
  label integer not null,
  project integer not null,
  issues integer not null,
  primary key (label, project)
) strict, without rowid;

CREATE TABLE lane (
  id integer primary key autoincrement,
  key text not null unique,
  name text not null,
  category text not null check (category in ('todo', 'in_progress', 'done')),
  color text not null,
  outcome text check (outcome in ('completed', 'cancelled', 'duplicate')),
  wip integer,
  stops_sla integer not null,
  description text not null,
  position real not null
, name_key text not null default '', heir integer references lane (id), left_at integer) strict;

CREATE TABLE later_reply (
  comment integer primary key references comment (id),
  issue integer not null,
  member text not null,
  caller text not null,
  at integer not null,
  people text not null,
  files text not null,
  lane text,
  failed text
) strict;

CREATE TABLE logo (
  place text primary key,
  type text not null,
  digest text not null,
  data blob not null
) strict, without rowid;

CREATE TABLE mail (
  id integer primary key autoincrement,
  member text references member (id),
  address text not null,
  subject text not null,
  text text not null,
  html text,
  message_id text not null,
  about text,
  unsubscribe text,
  state text not null check (state in ('queued', 'sent', 'failed', 'held')),
  tries integer not null,
  error text,
  at integer not null,
  next_at integer not null
, thread text, one_click integer not null default 0, reply_to text) strict;

CREATE TABLE mail_sender (
  id integer primary key check (id = 1),
  host text not null,
  port integer not null,
  security text not null check (security in ('starttls', 'tls', 'none')),
  user text not null,
  password blob,
  sender text not null,
  name text not null,
  signature text not null,
  updated_at integer not null
) strict;

CREATE TABLE mail_suppressed (
  address text primary key,
  reason text not null,
  at integer not null
) strict, without rowid;

CREATE TABLE mail_template (
  key text not null,
  locale text not null,
  subject text not null,
  body text not null,
  primary key (key, locale)
) strict, without rowid;

CREATE TABLE mailbox (
  id integer primary key autoincrement,
  name text not null,
  protocol text not null check (protocol in ('imap', 'pop', 'hook')),
  host text not null,
  port integer not null,
  security text not null check (security in ('starttls', 'tls', 'none')),
  user text not null,
  password blob,
  folder text not null,
  token blob,
  digest blob unique,
  target text not null check (target in ('desk', 'project', 'page_space')),
  project integer references project (id),
  space integer references space (id),
  every_minutes integer not null,
  delete_after integer not null check (delete_after in (0, 1)),
  allow text not null,
  deny text not null,
  next_at integer,
  last_at integer,
  last_error text,
  created_at integer not null,
  created_by text not null
) strict;

CREATE TABLE mailbox_mail (
  id integer primary key autoincrement,
  mailbox integer not null references mailbox (id),
  uid text not null,
  message blob,
  sender blob,
  subject text,
  result text not null check (result in ('begun', 'created', 'commented', 'ignored', 'refused', 'failed')),
  why text,
  tries integer not null,
  settled integer not null check (settled in (0, 1)),
  at integer not null
) strict;

CREATE TABLE mailer (
  name text primary key check (name = 'mail'),
  sends integer not null check (sends in (0, 1)),
  domain text not null,
  origin text not null
, source text not null default 'none' check (source in ('settings', 'saved', 'none')), place text not null default '') strict, without rowid;

CREATE TABLE mark (
  member text not null,
  subject text not null,
  seq integer not null,
  at integer not null,
  primary key (member, subject)
) strict, without rowid;

CREATE TABLE member (
  id text primary key,
  name text not null,
  handle text not null,
  email text,
  avatar text,
  role text not null check (role in ('owner', 'admin', 'member', 'guest')),
  state text not null check (state in ('invited', 'active', 'deactivated', 'erased')),
  title text,
  pronouns text,
  about text,
  zone text,
  locale text,
  status text,
  calendar integer,
  preferences text not null default '{}',
  guest_until integer,
  last_seen_at integer,
  created_at integer not null
) strict, without rowid;

CREATE TABLE notification (
  id integer primary key autoincrement,
  who text not null,
  member text not null references member (id),
  subject text not null,
  reason text not null,
  state text not null check (state in ('unread', 'read', 'archived')),
  snoozed_until integer,
  events text not null,
  at integer not null,
  mail_at integer,
  push_at integer
) strict;

CREATE TABLE notification_due (
  issue integer not null,
  member text not null,
  due_date text not null,
  ahead integer not null,
  primary key (issue, member, due_date, ahead)
) strict, without rowid;

CREATE TABLE notification_mute (
  who text not null,
  subject text not null,
  project integer,
  until integer,
  at integer not null,
  primary key (who, subject)
) strict, without rowid;

CREATE TABLE notification_project (
  member text not null references member (id),
  project integer not null references project (id),
  primary key (member, project)
) strict, without rowid;

CREATE TABLE notification_setting (
  member text primary key references member (id),
  channels text not null,
  digest text not null check (digest in ('off', 'daily', 'weekly')),
  digest_minute integer not null,
  quiet text,
  due_before text not null,
  delay_minutes integer not null
) strict, without rowid;

CREATE TABLE oauth_client (
  id text primary key,
  name text not null,
  redirect_uris text not null,
  method text not null check (method in ('none', 'client_secret_post', 'client_secret_basic')),
  secret blob,
  created_at integer not null,
  used_at integer
) strict, without rowid;

CREATE TABLE oauth_code (
  digest blob primary key,
  client text not null,
  member text not null references member (id),
  redirect_uri text not null,
  challenge text not null,
  scopes text not null,
  modules text,
  expires_at integer not null,
  taken_by integer
) strict, without rowid;

CREATE TABLE oauth_grant (
  id integer primary key autoincrement,
  member text not null references member (id),
  client text not null,
  client_name text not null,
  agent text not null,
  scopes text not null,
  modules text,
  created_at integer not null,
  last_used_at integer,
  last_address text,
  revoked_at integer
) strict;

CREATE TABLE oauth_token (
  digest blob primary key,
  grant_id integer not null references oauth_grant (id),
  kind text not null check (kind in ('access', 'refresh')),
  scopes text not null,
  made_at integer not null,
  expires_at integer not null,
  used_at integer
) strict, without rowid;

CREATE TABLE page (
  id integer primary key autoincrement,
  space integer not null references space (id),
  parent integer references page (id),
  rank text not null,
  title text not null,
  slug text not null,
  icon text,
  cover text,
  body text not null,
  body_doc text,
  properties text not null,
  owner text not null,
  state text not null check (state in ('draft', 'published')),
  version integer not null,
  draft integer,
  draft_base integer,
  locked integer not null,
  verified_until integer,
  verified_by text,
  created_at integer not null,
  created_by text not null,
  updated_at integer not null,
  updated_by text not null,
  archived_at integer,
  deleted_at integer,
  seq integer not null
) strict;

CREATE TABLE page_label (
  page integer not null references page (id),
  label integer not null references label (id),
  primary key (page, label)
) strict;

CREATE TABLE page_lapse (
  page integer not null references page (id),
  until integer not null,
  primary key (page)
) strict, without rowid;

CREATE TABLE page_limit (
  page integer not null references page (id),
  level text not null check (level in ('view', 'edit', 'owner')),
  who text not null,
  primary key (page, level, who)
) strict;

CREATE TABLE page_link (
  id integer primary key autoincrement,
  page integer not null references page (id),
  kind text not null check (kind in ('page', 'issue', 'mention')),
  space integer,
  slug text,
  ref text,
  words text not null
) strict;

CREATE TABLE page_opened (
  page integer not null references page (id),
  day integer not null,
  primary key (page)
) strict, without rowid;

CREATE TABLE page_slug (
  space integer not null references space (id),
  slug text not null,
  page integer not null references page (id),
  primary key (space, slug)
) strict;

CREATE TABLE page_sync (
  page integer primary key references page (id),
  seed integer not null,
  first integer not null,
  clock integer not null,
  state blob not null,
  state_clock integer not null,
  version integer
) strict;

CREATE TABLE page_sync_update (
  page integer not null references page (id),
  clock integer not null,
  data blob not null,
  version integer,
  primary key (page, clock)
) strict;

CREATE TABLE page_task (
  page integer not null references page (id),
  line integer not null,
  text text not null,
  assignee text,
  due_date text,
  done integer not null,
  primary key (page, line)
) strict, without rowid;

CREATE TABLE page_template (
  id integer primary key autoincrement,
  space integer references space (id),
  name text not null,
  name_key text not null,
  body text not null,
  properties text not null,
  icon text,
  updated_at integer not null
) strict;

CREATE TABLE page_version (
  page integer not null references page (id),
  version integer not null,
  title text not null,
  body text not null,
  body_doc text,
  at integer not null,
  began_at integer not null,
  who text not null,
  via text,
  note text not null,
  published integer not null,
  folded integer not null,
  primary key (page, version)
) strict;

CREATE TABLE page_visit (
  page integer not null references page (id),
  day integer not null,
  who text not null,
  primary key (page, day, who)
) strict, without rowid;

CREATE TABLE page_watcher (
  page integer not null references page (id),
  who text not null,
  children integer not null,
  primary key (page, who)
) strict;

CREATE TABLE passkey (
  id text primary key,
  member text not null references member (id),
  credential blob not null unique,
  public_key blob not null,
  name text not null,
  transports text not null,
  count integer not null,
  created_at integer not null,
  last_used_at integer
) strict, without rowid;

CREATE TABLE project (
  id integer primary key autoincrement,
  key text not null unique,
  name text not null,
  description text not null,
  kind text not null check (kind in ('software', 'business', 'desk', 'personal')),
  icon text,
  color text,
  lead text,
  visibility text not null check (visibility in ('org', 'members', 'private')),
  modules text not null,
  default_type integer not null references issue_type (id),
  default_assignee text not null,
  workflow integer not null references workflow (id),
  estimate_scale integer,
  calendar integer,
  budget text,
  start_date text,
  due_date text,
  labels text not null,
  triage integer not null,
  reporters_see text not null check (reporters_see in ('own', 'all')),
  blockers text not null check (blockers in ('warn', 'refuse')),
  auto_archive_days integer,
  auto_close_days integer,
  numbers integer not null default 0,
  archived_at integer,
  deleted_at integer,
  created_at integer not null,
  seq integer not null
, default_view integer) strict;

CREATE TABLE project_count (
  project integer not null,
  lane integer not null,
  type integer not null,
  issues integer not null,
  primary key (project, lane, type)
) strict, without rowid;

CREATE TABLE project_key (
  key text primary key,
  project integer not null references project (id)
) strict, without rowid;

CREATE TABLE project_member (
  project integer not null references project (id),
  who text not null,
  role text not null check (role in ('lead', 'member', 'reporter', 'viewer')),
  primary key (project, who)
) strict, without rowid;

CREATE TABLE project_status (
  id integer primary key autoincrement,
  project integer not null references project (id),
  health text not null check (health in ('on_track', 'at_risk', 'off_track', 'paused')),
  body text not null,
  author text not null,
  at integer not null,
  facts text not null
) strict;

CREATE TABLE project_template (
  id integer primary key autoincrement,
  name text not null,
  name_key text not null unique,
  description text not null,
  content text not null,
  built_in integer not null,
  updated_at integer not null
) strict;

CREATE TABLE project_type (
  project integer not null references project (id),
  type integer not null references issue_type (id),
  workflow integer references workflow (id),
  position integer not null,
  primary key (project, type)
) strict, without rowid;

CREATE TABLE provider (
  id text primary key,
  kind text not null,
  label text not null,
  enabled integer not null,
  create_members integer not null,
  settings text not null,
  secret blob,
  created_at integer not null
) strict;

CREATE TABLE provider_link (
  provider text not null references provider (id),
  issuer text not null,
  subject text not null,
  member text not null references member (id),
  created_at integer not null,
  last_used_at integer,
  primary key (provider, issuer, subject)
) strict, without rowid;

CREATE TABLE push_device (
  id integer primary key autoincrement,
  member text not null references member (id),
  digest blob not null unique,
  sealed blob not null,
  device text not null,
  added_at integer not null,
  failures integer not null default 0
) strict;

CREATE TABLE push_server (
  name text primary key check (name = 'vapid'),
  public text not null,
  sealed blob not null,
  made_at integer not null
) strict, without rowid;

CREATE TABLE pushed_write (
  digest blob primary key,
  call blob not null,
  at integer not null,
  subject text,
  seq integer
) strict, without rowid;

CREATE TABLE queue (
  id integer primary key autoincrement,
  project integer not null references project (id),
  name text not null,
  name_key text not null,
  tql text not null,
  sorted text not null,
  columns text not null,
  names text not null,
  team integer,
  position real not null,
  updated_at integer not null
) strict;

CREATE TABLE reaction (
  comment integer not null references comment (id),
  who text not null,
  emoji text not null,
  at integer not null,
  primary key (comment, emoji, who)
) strict, without rowid;

CREATE TABLE recovery_code (
  member text not null references member (id),
  digest blob not null,
  used_at integer,
  primary key (member, digest)
) strict, without rowid;

CREATE TABLE relation (
  id integer primary key autoincrement,
  kind integer not null references relation_kind (id),
  src integer not null references issue (id),
  dst integer not null references issue (id),
  lag_days integer not null default 0,
  created_at integer not null,
  created_by text not null,
  check (src <> dst)
) strict;

CREATE TABLE relation_kind (
  id integer primary key autoincrement,
  key text not null unique,
  name text not null,
  inverse text not null,
  directed integer not null,
  blocks integer not null,
  color text not null,
  built_in integer not null
) strict;

CREATE TABLE report (
  id integer primary key autoincrement,
  name text not null,
  sql text not null,
  every text not null check (every in ('manual', 'daily', 'weekly', 'monthly')),
  created_by text not null references member (id),
  author text not null references member (id),
  last_run_at integer,
  last_rows integer,
  last_result text,
  last_error text,
  next_run_at integer,
  created_at integer not null,
  updated_at integer not null
) strict;

CREATE TABLE report_recipient (
  report integer not null references report (id),
  who text not null,
  position integer not null,
  primary key (report, who)
) strict, without rowid;

CREATE TABLE request_comment (
  comment integer primary key references comment (id),
  issue integer not null
) strict;

CREATE TABLE request_customer (
  issue integer not null references customer_request (issue),
  customer integer not null references customer (id),
  at integer not null, added_by integer,
  primary key (issue, customer)
) strict, without rowid;

CREATE TABLE request_file (
  attachment text primary key,
  issue integer not null
, comment integer) strict, without rowid;

CREATE TABLE request_rating (
  issue integer primary key references customer_request (issue),
  customer integer not null references customer (id),
  score integer not null check (score between 1 and 5),
  comment text not null,
  agent text,
  done_at integer not null,
  first_at integer not null,
  rated_at integer not null
) strict;

CREATE TABLE request_type (
  id integer primary key autoincrement,
  project integer not null references project (id),
  name text not null,
  name_key text not null,
  description text not null,
  icon text not null,
  family text not null,
  issue_type integer not null references issue_type (id),
  fields text not null,
  approvers text not null,
  template integer,
  position real not null,
  hidden integer not null check (hidden in (0, 1)),
  updated_at integer not null
) strict;

CREATE TABLE rota (
  team integer primary key references team (id),
  levels text not null,
  zone text not null,
  escalate_minutes integer,
  since integer not null
) strict;

CREATE TABLE rota_override (
  id integer primary key autoincrement,
  team integer not null references team (id),
  level integer not null,
  member text not null references member (id),
  from_at integer not null,
  to_at integer not null
) strict;

CREATE TABLE rule (
  id integer primary key autoincrement,
  name text not null,
  enabled integer not null check (enabled in (0, 1)),
  trigger text not null,
  conditions text not null,
  actions text not null,
  names text not null,
  author text not null references member (id),
  scopes text not null,
  since integer not null,
  runs integer not null,
  failures integer not null,
  last_run_at integer,
  next_run_at integer,
  created_at integer not null,
  created_by text not null,
  updated_at integer not null
, token blob, digest blob) strict;

CREATE TABLE rule_log (
  id integer primary key autoincrement,
  rule integer not null references rule (id),
  at integer not null,
  event text not null,
  actor text not null,
  subject text,
  label text not null,
  message text not null,
  ok integer not null check (ok in (0, 1)),
  author text,
  depth integer not null,
  first_seq integer,
  last_seq integer
) strict;

CREATE TABLE rule_run (
  id integer primary key autoincrement,
  rule integer not null references rule (id),
  event text not null,
  seq integer,
  actor text not null,
  subject text,
  depth integer not null,
  step integer,
  due_at integer not null
, payload text) strict;

CREATE TABLE rule_state (
  rule integer not null references rule (id),
  issue integer not null,
  since integer not null,
  fired integer not null check (fired in (0, 1)),
  primary key (rule, issue)
) strict, without rowid;

CREATE TABLE sdk_batch (
  key integer not null,
  batch text not null,
  at integer not null,
  primary key (key, batch)
) strict, without rowid;

CREATE TABLE sdk_key (
  id integer primary key autoincrement,
  environment integer not null references flag_environment (id),
  kind text not null check (kind in ('server', 'client')),
  digest blob not null unique,
  last4 text not null,
  value text,
  salt blob not null,
  sealed blob not null,
  created_by text not null,
  created_at integer not null,
  expires_at integer,
  revoked_at integer
) strict;

CREATE VIRTUAL TABLE search_column_word using fts5vocab(search_text, 'col');

CREATE TABLE search_doc (
  id integer primary key autoincrement,
  kind text not null,
  ref any not null
) strict;

CREATE VIRTUAL TABLE search_text using fts5(
  title, body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3'
);

CREATE TABLE 'search_text_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TABLE 'search_text_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'search_text_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);

CREATE TABLE 'search_text_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE TABLE search_waiting (
  id integer primary key,
  title text not null,
  body text not null
) strict;

CREATE VIRTUAL TABLE search_word using fts5vocab(search_text, 'row');

CREATE TABLE session (
  id text primary key,
  digest blob not null unique,
  member text not null references member (id),
  kind text not null check (kind in ('browser', 'device', 'app')),
  client text not null,
  address text,
  elevated_until integer,
  created_at integer not null,
  last_seen_at integer not null,
  idle_until integer not null,
  expires_at integer not null
, factor integer not null default 0) strict, without rowid;

CREATE TABLE setting (
  name text primary key,
  value text not null
) strict, without rowid;

CREATE TABLE space (
  id integer primary key autoincrement,
  key text not null unique,
  name text not null,
  kind text not null check (kind in ('team', 'project', 'personal', 'kb')),
  description text not null,
  icon text,
  project integer references project (id),
  visibility text not null check (visibility in ('org', 'members', 'public')),
  home integer,
  owner text not null,
  review_days integer,
  created_at integer not null,
  archived_at integer,
  deleted_at integer,
  seq integer not null
) strict;

CREATE TABLE span (
  subject text not null,
  field text not null,
  value text not null,
  from_at integer not null,
  to_at integer,
  by text not null,
  id integer primary key
) strict;

CREATE TABLE span_waiting (
  subject text primary key,
  held text not null,
  from_at integer not null,
  by text not null
) strict, without rowid;

CREATE TABLE sprint (
  id integer primary key autoincrement,
  name text not null,
  name_key text not null,
  team integer,
  state text not null check (state in ('planned', 'active', 'done')),
  goal text not null,
  start_date text,
  end_date text,
  started_at integer,
  completed_at integer,
  capacity text not null,
  plan text,
  result text,
  carried integer,
  retro text,
  cadence integer,
  created_by text not null,
  created_at integer not null,
  deleted_at integer
) strict;

CREATE TABLE sprint_cadence (
  id integer primary key autoincrement,
  team integer,
  project integer references project (id),
  weeks integer not null,
  starts_on integer not null,
  ahead integer not null,
  auto_start integer not null,
  auto_complete integer not null,
  carry text not null check (carry in ('next', 'backlog')),
  made_by text not null,
  check ((team is null) <> (project is null))
) strict;

CREATE TABLE sprint_past (
  issue integer not null references issue (id),
  sprint integer not null references sprint (id),
  primary key (issue, sprint)
) strict, without rowid;

CREATE TABLE sprint_project (
  sprint integer not null references sprint (id),
  project integer not null references project (id),
  primary key (sprint, project)
) strict, without rowid;

CREATE TABLE star (
  id integer primary key autoincrement,
  member text not null references member (id),
  subject text not null,
  issue integer,
  folder text,
  label text,
  position integer not null,
  created_at integer not null
) strict;

CREATE TABLE team (
  id integer primary key autoincrement,
  name text not null,
  handle text not null,
  description text not null,
  icon text,
  parent integer references team (id),
  open integer not null,
  calendar integer,
  managed integer not null default 0,
  created_at integer not null
) strict;

CREATE TABLE team_member (
  team integer not null references team (id),
  member text not null references member (id),
  role text not null check (role in ('lead', 'member')),
  primary key (team, member)
) strict, without rowid;

CREATE TABLE thing_touch (
  seq integer not null,
  kind text not null,
  ref integer not null,
  primary key (seq, kind, ref)
) strict, without rowid;

CREATE TABLE thumbnail (
  hash blob not null references blob (hash) on delete cascade,
  width integer not null,
  bytes blob not null,
  size integer not null,
  made_at integer not null,
  primary key (hash, width)
) strict;

CREATE TABLE trash (
  id integer primary key autoincrement,
  subject text not null unique,
  kind text not null,
  title text not null,
  project integer references project (id),
  items text not null,
  contents integer not null default 0,
  deleted_at integer not null,
  deleted_by text not null,
  purging integer not null default 0
, space integer) strict;

CREATE TABLE undo (
  seq integer primary key,
  token text not null unique,
  last_seq integer not null,
  op text not null,
  member text not null,
  via text,
  at integer not null,
  why_not text,
  undone_by integer,
  images blob not null
, part_of text) strict;

CREATE TABLE undo_about (
  what text not null,
  record integer not null,
  primary key (what, record)
) strict, without rowid;

CREATE TABLE unsettled (
  project integer primary key,
  after integer not null
) strict;

CREATE TABLE upload (
  id text primary key,
  member text not null,
  name text not null,
  size integer not null,
  sha256 text not null,
  created_at integer not null
, arrived integer) strict, without rowid;

CREATE TABLE view (
  id integer primary key autoincrement,
  name text not null,
  name_key text not null,
  tql text not null,
  layout text not null check (layout in ('list', 'board', 'table', 'calendar', 'timeline')),
  columns text not null,
  group_by text,
  sort text,
  project integer references project (id),
  owner text not null references member (id),
  shared integer not null check (shared in (0, 1)),
  icon text,
  external text,
  created_at integer not null,
  deleted_at integer
, names text not null default '{}', subgroup_by text) strict;

CREATE TABLE view_subscription (
  view integer not null references view (id),
  member text not null references member (id),
  every text not null check (every in ('change', 'daily', 'weekly')),
  minute integer,
  days text not null,
  next_at integer not null,
  digest text,
  told text,
  told_at integer,
  primary key (view, member)
) strict, without rowid;

CREATE TABLE web_link (
  id integer primary key autoincrement,
  issue integer not null references issue (id),
  url text not null,
  title text not null,
  kind text not null,
  created_at integer not null,
  created_by text not null
) strict;

CREATE TABLE webhook (
  id integer primary key autoincrement,
  name text not null,
  url text not null,
  events text not null,
  project integer references project (id),
  tql text not null,
  names text not null,
  fields text not null,
  header_names text not null,
  headers blob,
  secret blob not null,
  old_secret blob,
  old_until integer,
  batch_seconds integer not null,
  enabled integer not null,
  author text not null references member (id),
  scopes text not null,
  since integer not null,
  failures integer not null,
  failing_since integer,
  last_at integer,
  last_status integer,
  created_at integer not null,
  updated_at integer not null
) strict;

CREATE TABLE webhook_delivery (
  id integer primary key,
  webhook integer not null references webhook (id),
  event text not null,
  seq integer not null,
  state text not null check (state in ('queued', 'sent', 'failed', 'dropped')),
  tries integer not null,
  status integer,
  ms integer,
  error text,
  request text,
  response text,
  author text,
  at integer not null,
  next_at integer
) strict;

CREATE TABLE webhook_event (
  delivery integer not null references webhook_delivery (id),
  seq integer not null,
  primary key (delivery, seq)
) strict, without rowid;

CREATE TABLE workflow (
  id integer primary key autoincrement,
  name text not null,
  start integer not null references lane (id),
  lanes text not null,
  transitions text not null,
  builtin integer not null,
  updated_at integer not null
, draft integer not null default 0, draft_of integer references workflow (id), name_key text not null default '', names text not null default '{}') strict;

CREATE INDEX access_grant_expires on access_grant (expires_at) where expires_at is not null;

CREATE INDEX access_grant_who on access_grant (who);

CREATE INDEX ai_proposal_asked_by on ai_proposal (asked_by);

CREATE INDEX ai_proposal_state on ai_proposal (state, id);

CREATE INDEX ai_proposal_subject on ai_proposal (subject, id);

CREATE INDEX ai_run_job on ai_run (job);

CREATE INDEX ai_run_state on ai_run (state);

CREATE INDEX ai_run_subject on ai_run (subject);

CREATE INDEX ai_usage_actor on ai_usage (actor, day);

CREATE INDEX approval_asked on approval (requested_by, id) where state in ('pending', 'approved');

CREATE INDEX approval_issue on approval (issue, id);

CREATE UNIQUE INDEX approval_open on approval (issue, to_status) where state in ('pending', 'approved');

CREATE INDEX approval_approver_waiting on approval_approver (who, approval) where waits;

CREATE INDEX approval_approver_who on approval_approver (who);

CREATE INDEX approval_vote_who on approval_vote (who);

CREATE INDEX article_use_at on article_use (at);

CREATE INDEX article_use_project on article_use (project, at);

CREATE UNIQUE INDEX asset_key on asset (key);

CREATE INDEX asset_owner on asset (owner) where owner is not null;

CREATE INDEX asset_type_name_of on asset (type, name, id);

CREATE INDEX asset_issue_issue on asset_issue (issue, asset);

CREATE UNIQUE INDEX asset_type_key on asset_type (key);

CREATE UNIQUE INDEX asset_type_name on asset_type (name_key);

CREATE INDEX asset_value_same on asset_value (field, value);

CREATE INDEX asset_value_target on asset_value (target) where target is not null;

CREATE INDEX attachment_created on attachment (created_at);

CREATE INDEX attachment_hash on attachment (hash);

CREATE INDEX attachment_subject on attachment (subject, created_at);

CREATE INDEX attempt_account on attempt (account, at);

CREATE INDEX attempt_address on attempt (address, at);

CREATE INDEX attempt_at on attempt (at);

CREATE INDEX blob_of_content on blob (content) where content is not null;

CREATE INDEX blob_content_loose on blob_content (state, begun_at) where state <> 'linked';

CREATE INDEX board_owner on board (owner);

CREATE INDEX board_project on board (project) where project is not null;

CREATE INDEX canned_reply_owner on canned_reply (owner);

CREATE INDEX canned_reply_project on canned_reply (project) where project is not null;

CREATE INDEX canned_reply_shortcut on canned_reply (shortcut_key) where shortcut_key is not null;

CREATE INDEX challenge_expires on challenge (expires_at);

CREATE INDEX chat_account_member on chat_account (member);

CREATE UNIQUE INDEX chat_account_user on chat_account (connection, chat_user);

CREATE INDEX chat_code_ends on chat_code (expires_at);

CREATE UNIQUE INDEX chat_code_user on chat_code (connection, chat_user);

CREATE INDEX chat_connection_project on chat_connection (project);

CREATE INDEX chat_post_answer on chat_post (connection, id) where subscription is null;

CREATE UNIQUE INDEX chat_post_event on chat_post (subscription, seq) where subscription is not null;

CREATE INDEX chat_subscription_author on chat_subscription (author);

CREATE INDEX chat_subscription_connection on chat_subscription (connection);

CREATE INDEX chat_taken_at on chat_taken (at);

CREATE INDEX check_item_assignee on check_item (assignee) where assignee is not null;

CREATE INDEX check_item_issue on check_item (issue, position, id);

CREATE UNIQUE INDEX checklist_template_name on checklist_template (name_key);

CREATE INDEX checklist_template_type on checklist_template (type);

CREATE INDEX comment_author on comment (author, id);

CREATE UNIQUE INDEX comment_external on comment (subject, external) where external is not null;

CREATE INDEX comment_parent on comment (parent) where parent is not null;

CREATE INDEX comment_subject on comment (subject, created_at, id);

CREATE INDEX component_lead on component (lead) where lead is not null;

CREATE UNIQUE INDEX component_name on component (project, name_key);

CREATE INDEX customer_chat_customer on customer_chat (customer);

CREATE INDEX customer_link_asked on customer_link (created_at) where purpose glob 'asked *';

CREATE INDEX customer_link_customer on customer_link (customer) where customer is not null;

CREATE INDEX customer_link_ends on customer_link (expires_at);

CREATE INDEX customer_request_customer on customer_request (customer);

CREATE INDEX customer_request_type on customer_request (type) where type is not null;

CREATE INDEX customer_token_customer on customer_token (customer);

CREATE INDEX customer_token_ends on customer_token (expires_at);

CREATE INDEX desk_mail_at on desk_mail (at);

CREATE INDEX desk_mail_issue on desk_mail (issue) where issue is not null;

CREATE UNIQUE INDEX desk_mail_message on desk_mail (project, message) where message is not null;

CREATE INDEX desk_mail_sender on desk_mail (sender, at);

CREATE INDEX device_code_expires on device_code (expires_at);

CREATE UNIQUE INDEX draft_of on draft (owner, subject);

CREATE INDEX draft_subject on draft (subject);

CREATE INDEX events_actor on events (actor, seq);

CREATE INDEX events_audit on events (at);

CREATE INDEX events_subject on events (subject, seq);

CREATE INDEX expected_file_subject on expected_file (subject);

CREATE INDEX field_option_field on field_option (field, position);

CREATE UNIQUE INDEX flag_first_key on flag (project, first_key);

CREATE INDEX flag_alias_flag on flag_alias (flag);

CREATE INDEX flag_alias_count_environment on flag_alias_count (environment);

CREATE INDEX flag_alias_count_hour on flag_alias_count (hour);

CREATE INDEX flag_change_due on flag_change (run_at) where status = 'approved' and run_at is not null;

CREATE INDEX flag_change_environment on flag_change (environment);

CREATE INDEX flag_change_project on flag_change (project, id);

CREATE INDEX flag_config_environment on flag_config (environment, flag, version);

CREATE INDEX flag_count_flag on flag_count (flag, hour);

CREATE INDEX flag_count_hour on flag_count (hour);

CREATE INDEX flag_expiry_due on flag_expiry (at);

CREATE INDEX flag_expiry_environment on flag_expiry (environment);

CREATE INDEX flag_issue_issue on flag_issue (issue, flag);

CREATE INDEX flag_plan_asking on flag_plan (asking) where asking = 1;

CREATE INDEX flag_plan_due on flag_plan (look_at) where look_at is not null;

CREATE INDEX flag_plan_environment on flag_plan (environment);

CREATE INDEX flag_plan_flag on flag_plan (flag, id);

CREATE INDEX flag_project_work on flag_project (work_project) where work_project is not null;

CREATE INDEX flag_reference_flag on flag_reference (flag, repository, branch, path, line);

CREATE INDEX flag_review_change on flag_review (change, id);

CREATE INDEX flag_revision_environment on flag_revision (environment) where environment is not null;

CREATE INDEX flag_revision_flag on flag_revision (flag, environment, id);

CREATE INDEX flag_schedule_due on flag_schedule (run_at);

CREATE INDEX flag_schedule_environment on flag_schedule (environment);

CREATE INDEX flag_schedule_flag on flag_schedule (flag, id);

CREATE INDEX flag_trigger_environment on flag_trigger (environment);

CREATE INDEX flag_trigger_flag on flag_trigger (flag, id);

CREATE INDEX flag_use_user on flag_use (environment, user_kind, user);

CREATE INDEX former_number_issue on former_number (issue);

CREATE UNIQUE INDEX idempotency_digest on idempotency (digest);

CREATE UNIQUE INDEX import_item_external on import_item (project, external);

CREATE INDEX import_item_import on import_item (import, id);

CREATE INDEX import_item_subject on import_item (subject);

CREATE INDEX import_log_import on import_log (import, id);

CREATE INDEX import_page_import on import_page (import);

CREATE INDEX invite_by on invite (invited_by, id);

CREATE UNIQUE INDEX invite_email on invite (lower(email)) where state = 'pending';

CREATE INDEX invite_expires on invite (expires_at) where state = 'pending';

CREATE INDEX issue_created on issue (created_at, id) where archived_at is null and deleted_at is null;

CREATE INDEX issue_done on issue (done_at) where done_at is not null and deleted_at is null;

CREATE INDEX issue_due on issue (due_date, project)
  where due_date is not null and category <> 'done' and archived_at is null and deleted_at is null;

CREATE INDEX issue_due_any on issue (due_date) where due_date is not null and deleted_at is null;

CREATE UNIQUE INDEX issue_external on issue (project, external) where external is not null;

CREATE INDEX issue_lane on issue (project, lane, rank, id) where archived_at is null and deleted_at is null;

CREATE INDEX issue_lane_uses on issue (lane);

CREATE INDEX issue_late on issue (project, due_date, level, category, archived_at, deleted_at)
  where due_date is not null and category <> 'done' and archived_at is null and deleted_at is null;

CREATE INDEX issue_level on issue (project, level) where level is not null;

CREATE UNIQUE INDEX issue_number on issue (project, number);

CREATE INDEX issue_parent on issue (parent) where parent is not null;

CREATE INDEX issue_project_updated on issue (project, updated_at, id) where archived_at is null and deleted_at is null;

CREATE INDEX issue_rank on issue (project, rank, id) where archived_at is null and deleted_at is null;

CREATE INDEX issue_rank_aside on issue (project, rank, id) where archived_at is not null or deleted_at is not null;

CREATE INDEX issue_rank_long on issue (project, id) where length(rank) > 24;

CREATE INDEX issue_related on issue (project, id) where relations > 0;

CREATE INDEX issue_reporter on issue (reporter, id);

CREATE INDEX issue_sprint on issue (sprint) where sprint is not null;

CREATE INDEX issue_status_at on issue (category, status_at) where category <> 'done' and archived_at is null and deleted_at is null;

CREATE INDEX issue_type_uses on issue (type);

CREATE INDEX issue_updated on issue (updated_at, id) where archived_at is null and deleted_at is null;

CREATE INDEX issue_assignee_who on issue_assignee (who, issue);

CREATE INDEX issue_component_component on issue_component (component, issue);

CREATE INDEX issue_label_label on issue_label (label, issue);

CREATE INDEX issue_lost_seq on issue_lost (seq);

CREATE INDEX issue_rank_shift_project on issue_rank_shift (project, id);

CREATE UNIQUE INDEX issue_template_name on issue_template (coalesce(project, 0), name_key);

CREATE UNIQUE INDEX issue_type_name on issue_type (name_key);

CREATE INDEX issue_type_workflow on issue_type (workflow) where workflow is not null;

CREATE INDEX issue_value_field on issue_value (field, value, issue);

CREATE INDEX issue_vote_who on issue_vote (who, issue);

CREATE INDEX issue_watcher_who on issue_watcher (who, issue);

CREATE INDEX job_by on job (by, id);

CREATE INDEX job_due on job (run_at) where state in ('queued', 'running');

CREATE INDEX job_ended on job (ended_at) where ended_at is not null;

CREATE INDEX key_expires on key (expires_at) where expires_at is not null and revoked_at is null;

CREATE INDEX key_owner on key (owner, created_at);

CREATE UNIQUE INDEX label_org on label (name_key) where project is null;

CREATE UNIQUE INDEX label_project on label (project, name_key) where project is not null;

CREATE UNIQUE INDEX lane_name on lane (name_key);

CREATE INDEX later_reply_at on later_reply (at) where failed is null;

CREATE INDEX later_reply_issue on later_reply (issue);

CREATE INDEX mail_address on mail (address) where state in ('queued', 'held');

CREATE INDEX mail_due on mail (next_at, id) where state = 'queued';

CREATE INDEX mail_ended on mail (at) where state <> 'queued';

CREATE INDEX mail_member on mail (member) where member is not null;

CREATE INDEX mail_message on mail (message_id);

CREATE INDEX mailbox_due on mailbox (next_at) where next_at is not null;

CREATE INDEX mailbox_project on mailbox (project) where project is not null;

CREATE INDEX mailbox_space on mailbox (space) where space is not null;

CREATE INDEX mailbox_mail_at on mailbox_mail (at);

CREATE INDEX mailbox_mail_message on mailbox_mail (mailbox, message) where message is not null;

CREATE INDEX mailbox_mail_open on mailbox_mail (mailbox, id) where settled = 0;

CREATE INDEX mailbox_mail_sender on mailbox_mail (sender, at) where sender is not null;

CREATE INDEX mailbox_mail_subject on mailbox_mail (subject) where subject is not null;

CREATE UNIQUE INDEX mailbox_mail_uid on mailbox_mail (mailbox, uid);

CREATE UNIQUE INDEX member_email on member (lower(email)) where email is not null;

CREATE INDEX member_guest_until on member (guest_until) where guest_until is not null;

CREATE UNIQUE INDEX member_handle on member (lower(handle));

CREATE INDEX member_name on member (lower(name), id);

CREATE INDEX member_role on member (role) where state = 'active';

CREATE INDEX member_status_until on member (json_extract(status, '$.until')) where status is not null;

CREATE INDEX notification_kept on notification (at);

CREATE INDEX notification_mail on notification (mail_at) where mail_at is not null;

CREATE INDEX notification_member on notification (member);

CREATE INDEX notification_newest on notification (who, at, id);

CREATE UNIQUE INDEX notification_of on notification (who, subject);

CREATE INDEX notification_push on notification (push_at) where push_at is not null;

CREATE INDEX notification_snoozed on notification (snoozed_until) where snoozed_until is not null;

CREATE INDEX notification_subject on notification (subject);

CREATE INDEX notification_due_day on notification_due (due_date);

CREATE INDEX notification_due_member on notification_due (member);

CREATE INDEX notification_mute_subject on notification_mute (subject);

CREATE INDEX notification_project_of on notification_project (project);

CREATE INDEX oauth_client_created on oauth_client (created_at, id) where used_at is null;

CREATE INDEX oauth_client_used on oauth_client (used_at) where used_at is not null;

CREATE INDEX oauth_code_client on oauth_code (client);

CREATE INDEX oauth_code_expires on oauth_code (expires_at);

CREATE INDEX oauth_code_member on oauth_code (member);

CREATE INDEX oauth_grant_client on oauth_grant (client);

CREATE INDEX oauth_grant_ended on oauth_grant (revoked_at) where revoked_at is not null;

CREATE INDEX oauth_grant_member on oauth_grant (member, id);

CREATE INDEX oauth_token_expires on oauth_token (expires_at);

CREATE INDEX oauth_token_grant on oauth_token (grant_id);

CREATE INDEX oauth_token_idle on oauth_token (made_at) where kind = 'refresh' and used_at is null;

CREATE INDEX page_parent on page (parent) where parent is not null;

CREATE INDEX page_space on page (space, updated_at, id);

CREATE INDEX page_tree on page (space, parent, rank, id) where deleted_at is null;

CREATE INDEX page_updated on page (updated_at, id);

CREATE INDEX page_verified on page (verified_until) where verified_until is not null;

CREATE INDEX page_label_label on page_label (label);

CREATE INDEX page_link_page on page_link (page);

CREATE INDEX page_link_ref on page_link (kind, ref) where ref is not null;

CREATE INDEX page_link_slug on page_link (space, slug) where kind = 'page';

CREATE INDEX page_slug_page on page_slug (page);

CREATE INDEX page_task_assignee on page_task (assignee, due_date) where assignee is not null;

CREATE INDEX page_task_due on page_task (due_date) where due_date is not null;

CREATE UNIQUE INDEX page_template_name on page_template (coalesce(space, 0), name_key);

CREATE INDEX page_version_folded on page_version (at) where folded = 1;

CREATE INDEX page_visit_day on page_visit (day);

CREATE INDEX page_visit_who on page_visit (who);

CREATE INDEX page_watcher_who on page_watcher (who);

CREATE INDEX passkey_member on passkey (member, created_at, id);

CREATE INDEX project_name on project (lower(name), id);

CREATE INDEX project_workflow on project (workflow);

CREATE INDEX project_key_project on project_key (project);

CREATE INDEX project_member_who on project_member (who, project);

CREATE INDEX project_status_project on project_status (project, at desc, id desc);

CREATE INDEX project_type_type on project_type (type);

CREATE INDEX project_type_workflow on project_type (workflow) where workflow is not null;

CREATE INDEX provider_link_member on provider_link (member);

CREATE INDEX push_device_member on push_device (member);

CREATE INDEX pushed_write_at on pushed_write (at);

CREATE UNIQUE INDEX queue_name on queue (project, name_key);

CREATE INDEX relation_dst on relation (dst, kind, src);

CREATE INDEX relation_kind_uses on relation (kind);

CREATE UNIQUE INDEX relation_src on relation (src, kind, dst);

CREATE INDEX report_author on report (author);

CREATE INDEX report_created_by on report (created_by);

CREATE INDEX report_due on report (next_run_at) where next_run_at is not null;

CREATE INDEX request_comment_issue on request_comment (issue);

CREATE INDEX request_customer_added on request_customer (added_by, at) where added_by is not null;

CREATE INDEX request_customer_customer on request_customer (customer, issue);

CREATE INDEX request_file_issue on request_file (issue);

CREATE INDEX request_rating_at on request_rating (rated_at);

CREATE INDEX request_rating_customer on request_rating (customer);

CREATE INDEX request_type_issue_type on request_type (issue_type);

CREATE UNIQUE INDEX request_type_name on request_type (project, name_key);

CREATE INDEX rota_override_member on rota_override (member);

CREATE INDEX rota_override_team on rota_override (team, to_at);

CREATE INDEX rule_author on rule (author);

CREATE UNIQUE INDEX rule_digest on rule (digest) where digest is not null;

CREATE INDEX rule_log_at on rule_log (at);

CREATE INDEX rule_log_lately on rule_log (rule, subject, at);

CREATE INDEX rule_log_rule on rule_log (rule, id);

CREATE INDEX rule_log_seq on rule_log (last_seq) where last_seq is not null;

CREATE INDEX rule_log_subject on rule_log (subject) where subject is not null;

CREATE INDEX rule_run_due on rule_run (due_at, id);

CREATE INDEX rule_run_rule on rule_run (rule);

CREATE INDEX rule_run_subject on rule_run (subject) where subject is not null;

CREATE INDEX rule_state_issue on rule_state (issue);

CREATE INDEX sdk_batch_at on sdk_batch (at);

CREATE INDEX sdk_key_environment on sdk_key (environment, id);

CREATE INDEX sdk_key_expiry on sdk_key (expires_at) where expires_at is not null and revoked_at is null;

CREATE UNIQUE INDEX search_doc_ref on search_doc (kind, ref);

CREATE INDEX session_expires on session (expires_at);

CREATE INDEX session_idle on session (idle_until);

CREATE INDEX session_member on session (member);

CREATE INDEX space_project on space (project) where project is not null;

CREATE INDEX span_by on span (by, field, from_at, subject);

CREATE INDEX span_subject on span (subject, field, from_at);

CREATE INDEX span_value on span (field, value, from_at, to_at, subject);

CREATE UNIQUE INDEX sprint_active on sprint (team) where state = 'active' and team is not null and deleted_at is null;

CREATE INDEX sprint_cadence_made on sprint (cadence) where cadence is not null;

CREATE INDEX sprint_deleted on sprint (deleted_at) where deleted_at is not null;

CREATE INDEX sprint_team on sprint (team) where team is not null;

CREATE UNIQUE INDEX sprint_cadence_project on sprint_cadence (project) where project is not null;

CREATE UNIQUE INDEX sprint_cadence_team on sprint_cadence (team) where team is not null;

CREATE INDEX sprint_past_of on sprint_past (sprint);

CREATE INDEX sprint_project_on on sprint_project (project);

CREATE INDEX star_issue on star (issue, member) where issue is not null;

CREATE UNIQUE INDEX star_of on star (member, subject);

CREATE INDEX star_subject on star (subject);

CREATE UNIQUE INDEX team_handle on team (lower(handle));

CREATE UNIQUE INDEX team_name on team (lower(name));

CREATE INDEX team_parent on team (parent) where parent is not null;

CREATE INDEX team_member_member on team_member (member, team);

CREATE INDEX thing_touch_unknown on thing_touch (seq) where ref = 0;

CREATE INDEX thumbnail_made on thumbnail (made_at, size);

CREATE INDEX trash_deleted on trash (deleted_at desc, id desc) where purging = 0;

CREATE INDEX trash_project on trash (project, deleted_at desc, id desc);

CREATE INDEX undo_member on undo (member, seq);

CREATE INDEX undo_part_of on undo (part_of, seq) where part_of is not null;

CREATE INDEX undo_about_record on undo_about (record);

CREATE INDEX upload_age on upload (created_at);

CREATE INDEX upload_member on upload (member);

CREATE UNIQUE INDEX view_external on view (owner, external) where external is not null and deleted_at is null;

CREATE INDEX view_owner on view (owner, id);

CREATE INDEX view_project on view (project, id) where project is not null;

CREATE INDEX view_shared on view (id) where shared = 1 and project is null and deleted_at is null;

CREATE INDEX view_subscription_due on view_subscription (next_at);

CREATE INDEX view_subscription_member on view_subscription (member);

CREATE UNIQUE INDEX web_link_issue on web_link (issue, url);

CREATE INDEX webhook_author on webhook (author);

CREATE INDEX webhook_project on webhook (project) where project is not null;

CREATE INDEX webhook_delivery_ended on webhook_delivery (at) where state <> 'queued';

CREATE INDEX webhook_delivery_in_order on webhook_delivery (webhook, seq, id) where state = 'queued' and tries < 3;

CREATE INDEX webhook_delivery_newest on webhook_delivery (webhook, at, seq, id);

CREATE INDEX webhook_delivery_overtaken on webhook_delivery (webhook, next_at) where state = 'queued' and tries >= 3;

CREATE INDEX webhook_event_seq on webhook_event (seq);

CREATE UNIQUE INDEX workflow_draft on workflow (draft_of) where draft_of is not null;

CREATE UNIQUE INDEX workflow_name on workflow (name_key) where draft_of is null;

CREATE TRIGGER approval_decided after update of state on approval when old.state = 'pending' and new.state <> 'pending' begin
  update approval_approver set waits = 0 where approval = new.id and waits;
end;

CREATE TRIGGER asset_searched after insert on asset begin
  insert into search_entry (kind, ref, title, body)
    select 'asset', a.key, a.key || ' ' || a.name, coalesce((select group_concat(value, char(10)) from (select v.value
      from asset_value v join asset_type y on y.id = a.type join json_each(y.fields) f on f.value ->> 'key' = v.field
      where v.asset = a.id and f.value ->> 'kind' in ('text', 'select', 'url') order by v.field)), '')
    from asset a where a.id = new.id;
end;

CREATE TRIGGER asset_searched_anew after update of name on asset when new.name <> old.name begin
  insert into search_entry (kind, ref, title, body)
    select 'asset', a.key, a.key || ' ' || a.name, coalesce((select group_concat(value, char(10)) from (select v.value
      from asset_value v join asset_type y on y.id = a.type join json_each(y.fields) f on f.value ->> 'key' = v.field
      where v.asset = a.id and f.value ->> 'kind' in ('text', 'select', 'url') order by v.field)), '')
    from asset a where a.id = new.id;
end;

CREATE TRIGGER asset_unsearched after delete on asset begin
  delete from search_entry where kind = 'asset' and ref = +old.key;
end;

CREATE TRIGGER asset_type_searched_anew after update of fields on asset_type when new.fields <> old.fields begin
  insert into search_entry (kind, ref, title, body)
    select 'asset', a.key, a.key || ' ' || a.name, coalesce((select group_concat(value, char(10)) from (select v.value
      from asset_value v join asset_type y on y.id = a.type join json_each(y.fields) f on f.value ->> 'key' = v.field
      where v.asset = a.id and f.value ->> 'kind' in ('text', 'select', 'url') order by v.field)), '')
    from asset a where a.type = new.id and exists (select 1 from asset_value v
      join json_each(new.fields) n on n.value ->> 'key' = v.field
      join json_each(old.fields) o on o.value ->> 'key' = v.field where v.asset = a.id
      and (n.value ->> 'kind' in ('text', 'select', 'url')) <> (o.value ->> 'kind' in ('text', 'select', 'url')));
end;

CREATE TRIGGER asset_value_searched after insert on asset_value begin
  insert into search_entry (kind, ref, title, body)
    select 'asset', a.key, a.key || ' ' || a.name, coalesce((select group_concat(value, char(10)) from (select v.value
      from asset_value v join asset_type y on y.id = a.type join json_each(y.fields) f on f.value ->> 'key' = v.field
      where v.asset = a.id and f.value ->> 'kind' in ('text', 'select', 'url') order by v.field)), '')
    from asset a where a.id = new.asset;
end;

CREATE TRIGGER asset_value_searched_anew after update of value on asset_value when new.value <> old.value begin
  insert into search_entry (kind, ref, title, body)
    select 'asset', a.key, a.key || ' ' || a.name, coalesce((select group_concat(value, char(10)) from (select v.value
      from asset_value v join asset_type y on y.id = a.type join json_each(y.fields) f on f.value ->> 'key' = v.field
      where v.asset = a.id and f.value ->> 'kind' in ('text', 'select', 'url') order by v.field)), '')
    from asset a where a.id = new.asset;
end;

CREATE TRIGGER asset_value_unsearched after delete on asset_value begin
  insert into search_entry (kind, ref, title, body)
    select 'asset', a.key, a.key || ' ' || a.name, coalesce((select group_concat(value, char(10)) from (select v.value
      from asset_value v join asset_type y on y.id = a.type join json_each(y.fields) f on f.value ->> 'key' = v.field
      where v.asset = a.id and f.value ->> 'kind' in ('text', 'select', 'url') order by v.field)), '')
    from asset a where a.id = old.asset;
end;

CREATE TRIGGER attachment_added after insert on attachment
  when new.deleted_at is null and substr(new.subject, 1, 6) = 'issue:' begin
  update issue set attachments = attachments + 1 where id = cast(substr(new.subject, 7) as integer);
end;

CREATE TRIGGER attachment_gone after delete on attachment begin
  update issue set attachments = attachments - 1 where old.deleted_at is null
    and substr(old.subject, 1, 6) = 'issue:' and id = cast(substr(old.subject, 7) as integer);
  delete from blob where hash = old.hash and not exists (select 1 from attachment where hash = old.hash);
end;

CREATE TRIGGER attachment_hidden after update of deleted_at on attachment
  when new.deleted_at is not null and old.deleted_at is null begin
  delete from search_entry where kind = 'attachment' and ref = +old.id;
end;

CREATE TRIGGER attachment_moved after update of subject, deleted_at on attachment
  when new.subject <> old.subject or (new.deleted_at is null) <> (old.deleted_at is null) begin
  update issue set attachments = attachments - 1 where old.deleted_at is null
    and substr(old.subject, 1, 6) = 'issue:' and id = cast(substr(old.subject, 7) as integer);
  update issue set attachments = attachments + 1 where new.deleted_at is null
    and substr(new.subject, 1, 6) = 'issue:' and id = cast(substr(new.subject, 7) as integer);
end;

CREATE TRIGGER attachment_searched after insert on attachment when new.deleted_at is null begin
  insert into search_entry (kind, ref, title, body) values ('attachment', new.id, new.name, '');
end;

CREATE TRIGGER attachment_searched_anew after update of deleted_at on attachment
  when new.deleted_at is null and old.deleted_at is not null begin
  insert into search_entry (kind, ref, title, body) values (
    'attachment', new.id, new.name, coalesce((select text from attachment_text where attachment = new.id), '')
  );
end;

CREATE TRIGGER attachment_unsearched after delete on attachment when old.deleted_at is null begin
  delete from search_entry where kind = 'attachment' and ref = +old.id;
end;

CREATE TRIGGER attachment_text_searched after insert on attachment_text begin
  insert into search_entry (kind, ref, title, body)
    select 'attachment', id, name, new.text from attachment where id = new.attachment and deleted_at is null;
end;

CREATE TRIGGER blob_changed after update of content on blob
  when old.content is not null and old.content is not new.content begin
  update blob_content set state = 'gone' where id = old.content;
end;

CREATE TRIGGER blob_gone after delete on blob when old.content is not null begin
  update blob_content set state = 'gone' where id = old.content;
end;

CREATE TRIGGER board_searched after insert on board when new.deleted_at is null begin
  insert into search_entry (kind, ref, title, body) values ('board', new.id, new.name, new.tql);
end;

CREATE TRIGGER board_searched_anew after update of name, tql, deleted_at on board
  when (new.name, new.tql, new.deleted_at is null) <> (old.name, old.tql, old.deleted_at is null) begin
  delete from search_entry where kind = 'board' and ref = +old.id and new.deleted_at is not null;
  insert into search_entry (kind, ref, title, body)
    select 'board', new.id, new.name, new.tql where new.deleted_at is null;
end;

CREATE TRIGGER board_unsearched after delete on board begin
  delete from search_entry where kind = 'board' and ref = +old.id;
end;

CREATE TRIGGER check_item_added after insert on check_item begin
  update issue set checks = checks + 1, checks_done = checks_done + (new.done_at is not null) where id = new.issue;
end;

CREATE TRIGGER check_item_changed after update of issue, done_at on check_item
  when new.issue <> old.issue or (new.done_at is null) <> (old.done_at is null) begin
  update issue set checks = checks - 1, checks_done = checks_done - (old.done_at is not null) where id = old.issue;
  update issue set checks = checks + 1, checks_done = checks_done + (new.done_at is not null) where id = new.issue;
end;

CREATE TRIGGER check_item_gone after delete on check_item begin
  update issue set checks = checks - 1, checks_done = checks_done - (old.done_at is not null) where id = old.issue;
end;

CREATE TRIGGER comment_counted after insert on comment
  when new.deleted_at is null and substr(new.subject, 1, 6) = 'issue:' begin
  update issue set comments = comments + (new.internal = 0), internal_comments = internal_comments + (new.internal = 1)
    where id = cast(substr(new.subject, 7) as integer);
end;

CREATE TRIGGER comment_hidden after update of deleted_at on comment
  when new.deleted_at is not null and old.deleted_at is null begin
  delete from search_entry where kind = 'comment' and ref = +old.id;
end;

CREATE TRIGGER comment_moved after update of subject, deleted_at, internal on comment
  when new.subject <> old.subject or (new.deleted_at is null) <> (old.deleted_at is null)
    or new.internal <> old.internal begin
  update issue set comments = comments - (old.internal = 0), internal_comments = internal_comments - (old.internal = 1)
    where old.deleted_at is null and substr(old.subject, 1, 6) = 'issue:'
    and id = cast(substr(old.subject, 7) as integer);
  update issue set comments = comments + (new.internal = 0), internal_comments = internal_comments + (new.internal = 1)
    where new.deleted_at is null and substr(new.subject, 1, 6) = 'issue:'
    and id = cast(substr(new.subject, 7) as integer);
end;

CREATE TRIGGER comment_purged after delete on comment
  when old.deleted_at is null and substr(old.subject, 1, 6) = 'issue:' begin
  update issue set comments = comments - (old.internal = 0), internal_comments = internal_comments - (old.internal = 1)
    where id = cast(substr(old.subject, 7) as integer);
end;

CREATE TRIGGER comment_searched after insert on comment when new.deleted_at is null begin
  insert into search_entry (kind, ref, title, body) values ('comment', new.id, '', new.body);
end;

CREATE TRIGGER comment_searched_anew after update of body, deleted_at on comment
  when new.deleted_at is null and (new.body <> old.body or old.deleted_at is not null) begin
  insert into search_entry (kind, ref, title, body) values ('comment', new.id, '', new.body);
end;

CREATE TRIGGER comment_unsearched after delete on comment when old.deleted_at is null begin
  delete from search_entry where kind = 'comment' and ref = +old.id;
end;

CREATE TRIGGER component_forgotten after delete on component begin
  delete from former_name where kind = 'component' and id = old.id;
end;

CREATE TRIGGER component_renamed after update of name on component when new.name <> old.name and old.name <> '' begin
  insert or ignore into former_name (kind, id, name) values ('component', old.id, old.name);
end;

CREATE TRIGGER event_about_layout after insert on events when new.kind glob 'layout.*' begin
  insert or ignore into event_about
    select 'field:' || key, new.seq from field where instr(new.payload, cast(key as blob)) > 0;
end;

CREATE TRIGGER event_about_values after insert on events
  when new.kind glob 'issue.*' and instr(new.payload, x'76616c756573') > 0 begin
  insert or ignore into event_about
    select 'field:' || substr(key, 8), new.seq from json_each(new.payload, '$.changes') where key glob 'values.*';
  insert or ignore into event_about
    select 'field:' || f.key, new.seq from json_each(new.payload, '$.dropped.values') d join field f on f.name = d.value;
end;

CREATE TRIGGER field_option_forgotten after delete on field_option begin
  delete from former_name where kind = 'field_option' and id = old.id;
end;

CREATE TRIGGER field_option_renamed after update of name on field_option when new.name <> old.name and old.name <> '' begin
  insert or ignore into former_name (kind, id, name) values ('field_option', old.id, old.name);
end;

CREATE TRIGGER flag_searched after insert on flag begin
  insert into search_entry (kind, ref, title, body)
    select 'flag', fp.key || '/' || new.first_key, new.key || ' ' || (new.meta ->> 'name'),
      (new.meta ->> 'description') || char(10) || coalesce((select group_concat(value, ' ') from json_each(new.meta, '$.tags')), '')
    from flag_project fp where fp.id = new.project;
end;

CREATE TRIGGER flag_searched_anew after update of key, meta on flag
  when (new.key, new.meta ->> 'name', new.meta ->> 'description', new.meta ->> 'tags')
  is not (old.key, old.meta ->> 'name', old.meta ->> 'description', old.meta ->> 'tags') begin
  insert into search_entry (kind, ref, title, body)
    select 'flag', fp.key || '/' || new.first_key, new.key || ' ' || (new.meta ->> 'name'),
      (new.meta ->> 'description') || char(10) || coalesce((select group_concat(value, ' ') from json_each(new.meta, '$.tags')), '')
    from flag_project fp where fp.id = new.project;
end;

CREATE TRIGGER flag_unsearched after delete on flag begin
  delete from search_entry where kind = 'flag'
    and ref = (select fp.key || '/' || old.first_key from flag_project fp where fp.id = old.project);
end;

CREATE TRIGGER issue_child_added after insert on issue when new.parent is not null and new.deleted_at is null begin
  update issue set children = children + 1 where id = new.parent;
end;

CREATE TRIGGER issue_child_gone after delete on issue when old.parent is not null and old.deleted_at is null begin
  update issue set children = children - 1 where id = old.parent;
end;

CREATE TRIGGER issue_child_moved after update of parent, deleted_at on issue
  when new.parent is not old.parent or (new.deleted_at is null) <> (old.deleted_at is null) begin
  update issue set children = children - 1 where id = old.parent and old.deleted_at is null;
  update issue set children = children + 1 where id = new.parent and new.deleted_at is null;
end;

CREATE TRIGGER issue_components_recounted after update of project, deleted_at on issue begin
  update component_count set issues = issues - (old.deleted_at is null)
    where project = old.project and component in (select component from issue_component where issue = new.id);
  insert into component_count
    select component, new.project, new.deleted_at is null from issue_component where issue = new.id
    on conflict do update set issues = issues + excluded.issues;
end;

CREATE TRIGGER issue_counted after insert on issue when new.deleted_at is null begin
  insert into project_count values (new.project, new.lane, new.type, 1)
    on conflict do update set issues = issues + 1;
end;

CREATE TRIGGER issue_hidden after update of deleted_at on issue
  when new.deleted_at is not null and old.deleted_at is null begin
  delete from search_entry where kind = 'issue' and ref = +old.id;
end;

CREATE TRIGGER issue_labels_recounted after update of project, deleted_at on issue begin
  update label_count set issues = issues - (old.deleted_at is null)
    where project = old.project and label in (select label from issue_label where issue = new.id);
  insert into label_count select label, new.project, new.deleted_at is null from issue_label where issue = new.id
    on conflict do update set issues = issues + excluded.issues;
end;

CREATE TRIGGER issue_number_gone after delete on issue begin
  update project set numbers = old.number where id = old.project and numbers < old.number;
end;

CREATE TRIGGER issue_number_left after update of project on issue when new.project <> old.project begin
  update project set numbers = old.number where id = old.project and numbers < old.number;
end;

CREATE TRIGGER issue_recounted after update of project, lane, type, deleted_at on issue begin
  update project_count set issues = issues - (old.deleted_at is null)
    where project = old.project and lane = old.lane and type = old.type;
  insert into project_count values (new.project, new.lane, new.type, new.deleted_at is null)
    on conflict do update set issues = issues + (new.deleted_at is null);
end;

CREATE TRIGGER issue_searched after insert on issue when new.deleted_at is null begin
  insert into search_entry (kind, ref, title, body) values ('issue', new.id, new.title, new.body);
end;

CREATE TRIGGER issue_searched_anew after update of title, body, deleted_at on issue
  when new.deleted_at is null
  and (new.title <> old.title or new.body <> old.body or old.deleted_at is not null) begin
  insert into search_entry (kind, ref, title, body) values ('issue', new.id, new.title, new.body);
end;

CREATE TRIGGER issue_sight_changed after update of project, level, reporter, deleted_at on issue
  when old.deleted_at is null and (new.deleted_at is not null or new.project <> old.project
  or new.level is not old.level or new.reporter <> old.reporter) begin
  insert into issue_lost (seq, issue, project, level, reporter)
    select max(value, coalesce((select max(seq) from events), 0), coalesce(last_seq(), 0)) + 1,
      old.id, old.project, old.level, old.reporter
      from counter where name = 'seq';
end;

CREATE TRIGGER issue_sight_gone after delete on issue when old.deleted_at is null begin
  insert into issue_lost (seq, issue, project, level, reporter)
    select max(value, coalesce((select max(seq) from events), 0), coalesce(last_seq(), 0)) + 1,
      old.id, old.project, old.level, old.reporter
      from counter where name = 'seq';
end;

CREATE TRIGGER issue_unblocks after update of category, deleted_at, aside on issue
  when new.relations > 0 and (new.aside <> old.aside
    or (new.category <> 'done' and new.deleted_at is null) <> (old.category <> 'done' and old.deleted_at is null)) begin
  update issue set blockers = blockers + (
      select count(*) from relation r join relation_kind k on k.id = r.kind
      where r.src = new.id and r.dst = issue.id and k.blocks
    ) * (
      (new.category <> 'done' and new.deleted_at is null and (not new.aside or new.project = issue.project))
      - (old.category <> 'done' and old.deleted_at is null and (not old.aside or new.project = issue.project))
    ) where id in (select dst from relation where src = new.id);
end;

CREATE TRIGGER issue_uncounted after delete on issue when old.deleted_at is null begin
  update project_count set issues = issues - 1
    where project = old.project and lane = old.lane and type = old.type;
end;

CREATE TRIGGER issue_unsearched after delete on issue when old.deleted_at is null begin
  delete from search_entry where kind = 'issue' and ref = +old.id;
end;

CREATE TRIGGER issue_values_recounted after update of project, deleted_at on issue begin
  update field_count set issues = issues - (old.deleted_at is null)
    where project = old.project and field in (select field from issue_value where issue = new.id);
  insert into field_count select distinct field, new.project, new.deleted_at is null from issue_value where issue = new.id
    on conflict do update set issues = issues + excluded.issues;
end;

CREATE TRIGGER sprint_left after update of sprint on issue when old.sprint is not new.sprint begin
  insert or ignore into sprint_past (issue, sprint)
    select old.id, s.id from sprint s where s.id = old.sprint and s.state = 'done' and s.deleted_at is null;
  delete from sprint_past where issue = new.id and sprint = new.sprint;
end;

CREATE TRIGGER issue_sight_unassigned after delete on issue_assignee begin
  insert into issue_lost (seq, issue, who)
    select max(value, coalesce((select max(seq) from events), 0), coalesce(last_seq(), 0)) + 1, old.issue, old.who
      from counter where name = 'seq';
end;

CREATE TRIGGER issue_component_counted after insert on issue_component begin
  insert into component_count select new.component, project, deleted_at is null from issue where id = new.issue
    on conflict do update set issues = issues + excluded.issues;
end;

CREATE TRIGGER issue_component_uncounted after delete on issue_component begin
  update component_count set issues = issues - (select deleted_at is null from issue where id = old.issue)
    where component = old.component and project = (select project from issue where id = old.issue);
end;

CREATE TRIGGER issue_label_counted after insert on issue_label begin
  insert into label_count select new.label, project, deleted_at is null from issue where id = new.issue
    on conflict do update set issues = issues + excluded.issues;
end;

CREATE TRIGGER issue_label_uncounted after delete on issue_label begin
  update label_count set issues = issues - (select deleted_at is null from issue where id = old.issue)
    where label = old.label and project = (select project from issue where id = old.issue);
end;

CREATE TRIGGER issue_type_forgotten after delete on issue_type begin
  delete from former_name where kind = 'issue_type' and id = old.id;
end;

CREATE TRIGGER issue_type_level after update of level on issue_type begin
  update issue set level_no = new.level where type = new.id;
end;

CREATE TRIGGER issue_type_renamed after update of name on issue_type when new.name <> old.name and old.name <> '' begin
  insert or ignore into former_name (kind, id, name) values ('issue_type', old.id, old.name);
end;

CREATE TRIGGER issue_value_counted after insert on issue_value
  when (select count(*) from issue_value where issue = new.issue and field = new.field) = 1 begin
  insert into field_count select new.field, project, deleted_at is null from issue where id = new.issue
    on conflict do update set issues = issues + excluded.issues;
end;

CREATE TRIGGER issue_value_uncounted after delete on issue_value
  when not exists (select 1 from issue_value where issue = old.issue and field = old.field) begin
  update field_count set issues = issues - (select deleted_at is null from issue where id = old.issue)
    where field = old.field and project = (select project from issue where id = old.issue);
end;

CREATE TRIGGER issue_unvoted after delete on issue_vote begin
  update issue set votes = votes - 1 where id = old.issue;
end;

CREATE TRIGGER issue_voted after insert on issue_vote begin
  update issue set votes = votes + 1 where id = new.issue;
end;

CREATE TRIGGER issue_sight_unwatched after delete on issue_watcher begin
  insert into issue_lost (seq, issue, who)
    select max(value, coalesce((select max(seq) from events), 0), coalesce(last_seq(), 0)) + 1, old.issue, old.who
      from counter where name = 'seq';
end;

CREATE TRIGGER label_forgotten after delete on label begin
  delete from former_name where kind = 'label' and id = old.id;
end;

CREATE TRIGGER label_off_pages after delete on label begin
  delete from page_label where label = old.id;
end;

CREATE TRIGGER label_renamed after update of name on label when new.name <> old.name and old.name <> '' begin
  insert or ignore into former_name (kind, id, name) values ('label', old.id, old.name);
end;

CREATE TRIGGER label_searched after insert on label begin
  insert into search_entry (kind, ref, title, body) values ('label', new.id, new.name, new.description);
end;

CREATE TRIGGER label_searched_anew after update of name, description on label
  when (new.name, new.description) <> (old.name, old.description) begin
  insert into search_entry (kind, ref, title, body) values ('label', new.id, new.name, new.description);
end;

CREATE TRIGGER label_unsearched after delete on label begin
  delete from search_entry where kind = 'label' and ref = +old.id;
end;

CREATE TRIGGER lane_forgotten after delete on lane begin
  delete from former_name where kind = 'lane' and id = old.id;
end;

CREATE TRIGGER lane_renamed after update of name on lane when new.name <> old.name and old.name <> '' begin
  insert or ignore into former_name (kind, id, name) values ('lane', old.id, old.name);
end;

CREATE TRIGGER member_searched after insert on member when new.state in ('active', 'deactivated') begin
  insert into search_entry (kind, ref, title, body)
    values ('member', new.id, new.name, '@' || new.handle || coalesce(char(10) || new.title, '') || coalesce(char(10) || new.about, ''));
end;

CREATE TRIGGER member_searched_anew after update of name, handle, title, about, state on member
  when (new.name, new.handle, new.title, new.about, new.state) is not (old.name, old.handle, old.title, old.about, old.state) begin
  delete from search_entry where kind = 'member' and ref = +old.id and new.state not in ('active', 'deactivated');
  insert into search_entry (kind, ref, title, body)
    select 'member', new.id, new.name, '@' || new.handle || coalesce(char(10) || new.title, '') || coalesce(char(10) || new.about, '')
    where new.state in ('active', 'deactivated');
end;

CREATE TRIGGER member_unsearched after delete on member begin
  delete from search_entry where kind = 'member' and ref = +old.id;
end;

CREATE TRIGGER page_hidden after update of deleted_at on page
  when new.deleted_at is not null and old.deleted_at is null begin
  delete from search_entry where kind = 'page' and ref = +old.id;
end;

CREATE TRIGGER page_searched after insert on page when new.deleted_at is null begin
  insert into search_entry (kind, ref, title, body) values ('page', new.id, new.title, new.body);
end;

CREATE TRIGGER page_searched_anew after update of title, body, deleted_at on page
  when new.deleted_at is null
  and (new.title <> old.title or new.body <> old.body or old.deleted_at is not null) begin
  insert into search_entry (kind, ref, title, body) values ('page', new.id, new.title, new.body);
end;

CREATE TRIGGER page_unsearched after delete on page when old.deleted_at is null begin
  delete from search_entry where kind = 'page' and ref = +old.id;
end;

CREATE TRIGGER project_put_aside after update of archived_at, deleted_at on project
  when (new.archived_at is null and new.deleted_at is null) <> (old.archived_at is null and old.deleted_at is null) begin
  insert into unsettled values (new.id, 0) on conflict do update set after = 0;
end;

CREATE TRIGGER project_searched after insert on project when new.deleted_at is null begin
  insert into search_entry (kind, ref, title, body)
    values ('project', new.key, new.key || ' ' || new.name, new.description);
end;

CREATE TRIGGER project_searched_anew after update of key, name, description, deleted_at on project
  when (new.key, new.name, new.description, new.deleted_at is null)
  <> (old.key, old.name, old.description, old.deleted_at is null) begin
  delete from search_entry where kind = 'project' and ref = +old.key and (new.deleted_at is not null or new.key <> old.key);
  insert into search_entry (kind, ref, title, body)
    select 'project', new.key, new.key || ' ' || new.name, new.description where new.deleted_at is null;
end;

CREATE TRIGGER project_unsearched after delete on project begin
  delete from search_entry where kind = 'project' and ref = +old.key;
end;

CREATE TRIGGER relation_added after insert on relation begin
  update issue set relations = relations + 1 where id in (new.src, new.dst);
  update issue set blockers = blockers + 1 where id = new.dst
    and exists (select 1 from relation_kind where id = new.kind and blocks)
    and exists (select 1 from issue s where s.id = new.src and s.category <> 'done' and s.deleted_at is null
      and (not s.aside or s.project = issue.project));
  update issue set aside = not aside where id = new.src and aside <> (select p.archived_at is not null
    or p.deleted_at is not null from project p where p.id = issue.project);
end;

CREATE TRIGGER relation_changed after update of kind on relation begin
  update issue set blockers = blockers
    + ((select blocks from relation_kind where id = new.kind) - (select blocks from relation_kind where id = old.kind))
    where id = new.dst
    and exists (select 1 from issue s where s.id = new.src and s.category <> 'done' and s.deleted_at is null
      and (not s.aside or s.project = issue.project));
end;

CREATE TRIGGER relation_gone after delete on relation begin
  update issue set relations = relations - 1 where id in (old.src, old.dst);
  update issue set blockers = blockers - 1 where id = old.dst
    and exists (select 1 from relation_kind where id = old.kind and blocks)
    and exists (select 1 from issue s where s.id = old.src and s.category <> 'done' and s.deleted_at is null
      and (not s.aside or s.project = issue.project));
end;

CREATE TRIGGER relation_kind_turned after update of blocks on relation_kind when new.blocks <> old.blocks begin
  update issue set blockers = blockers + (
      select count(*) * (new.blocks - old.blocks) from relation r join issue s on s.id = r.src
      where r.kind = new.id and r.dst = issue.id and s.category <> 'done' and s.deleted_at is null
      and (not s.aside or s.project = issue.project)
    ) where id in (select dst from relation where kind = new.id);
end;

CREATE VIEW search_entry as select id, kind, ref, null as title, null as body from search_doc;

CREATE TRIGGER search_entry_put instead of insert on search_entry begin
  insert into search_doc (kind, ref) values (new.kind, new.ref) on conflict do nothing;
  insert into search_waiting (id, title, body)
    select id, new.title, new.body from search_doc where kind = new.kind and ref = new.ref
    on conflict do update set title = excluded.title, body = excluded.body;
  select title_written(new.title) where new.title <> '';
end;

CREATE TRIGGER search_entry_taken instead of delete on search_entry begin
  delete from search_waiting where id = old.id;
  delete from search_text where rowid = old.id;
  delete from search_doc where id = old.id;
end;

CREATE TRIGGER space_searched after insert on space when new.deleted_at is null begin
  insert into search_entry (kind, ref, title, body)
    values ('space', new.key, new.key || ' ' || new.name, new.description);
end;

CREATE TRIGGER space_searched_anew after update of name, description, deleted_at on space
  when (new.name, new.description, new.deleted_at is null) <> (old.name, old.description, old.deleted_at is null) begin
  delete from search_entry where kind = 'space' and ref = +old.key and new.deleted_at is not null;
  insert into search_entry (kind, ref, title, body)
    select 'space', new.key, new.key || ' ' || new.name, new.description where new.deleted_at is null;
end;

CREATE TRIGGER space_unsearched after delete on space begin
  delete from search_entry where kind = 'space' and ref = +old.key;
end;

CREATE VIEW spell as
  select id, subject, field, value, from_at, to_at, by from span
  union all
  select cast(h.key as integer), subject, cast(h.value ->> 0 as text), cast(h.value ->> 1 as text), from_at,
    cast(null as integer), by from span_waiting join json_each(held) h;

CREATE TRIGGER sprint_forgotten after delete on sprint begin
  delete from former_name where kind = 'sprint' and id = old.id;
end;

CREATE TRIGGER sprint_renamed after update of name on sprint when new.name <> old.name and old.name <> '' begin
  insert or ignore into former_name (kind, id, name) values ('sprint', old.id, old.name);
end;

CREATE TRIGGER sprint_searched after insert on sprint when new.deleted_at is null begin
  insert into search_entry (kind, ref, title, body) values ('sprint', new.id, new.name, new.goal);
end;

CREATE TRIGGER sprint_searched_anew after update of name, goal, deleted_at on sprint
  when (new.name, new.goal, new.deleted_at is null) <> (old.name, old.goal, old.deleted_at is null) begin
  delete from search_entry where kind = 'sprint' and ref = +old.id and new.deleted_at is not null;
  insert into search_entry (kind, ref, title, body)
    select 'sprint', new.id, new.name, new.goal where new.deleted_at is null;
end;

CREATE TRIGGER sprint_unsearched after delete on sprint begin
  delete from search_entry where kind = 'sprint' and ref = +old.id;
end;

CREATE TRIGGER team_searched after insert on team begin
  insert into search_entry (kind, ref, title, body)
    values ('team', new.id, new.name, '@' || new.handle || char(10) || new.description);
end;

CREATE TRIGGER team_searched_anew after update of name, handle, description on team
  when (new.name, new.handle, new.description) <> (old.name, old.handle, old.description) begin
  insert into search_entry (kind, ref, title, body)
    values ('team', new.id, new.name, '@' || new.handle || char(10) || new.description);
end;

CREATE TRIGGER team_unsearched after delete on team begin
  delete from search_entry where kind = 'team' and ref = +old.id;
end;

CREATE TRIGGER undo_about_gone after delete on undo begin
  delete from undo_about where record = old.seq;
end;

CREATE TRIGGER view_searched after insert on view when new.deleted_at is null begin
  insert into search_entry (kind, ref, title, body) values ('view', new.id, new.name, new.tql);
end;

CREATE TRIGGER view_searched_anew after update of name, tql, deleted_at on view
  when (new.name, new.tql, new.deleted_at is null) <> (old.name, old.tql, old.deleted_at is null) begin
  delete from search_entry where kind = 'view' and ref = +old.id and new.deleted_at is not null;
  insert into search_entry (kind, ref, title, body)
    select 'view', new.id, new.name, new.tql where new.deleted_at is null;
end;

CREATE TRIGGER view_unsearched after delete on view begin
  delete from search_entry where kind = 'view' and ref = +old.id;
end;

CREATE TRIGGER web_link_added after insert on web_link begin
  update issue set links = links + 1 where id = new.issue;
end;

CREATE TRIGGER web_link_gone after delete on web_link begin
  update issue set links = links - 1 where id = old.issue;
end;
