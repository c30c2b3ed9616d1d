-- Projects of feature flags. One that is tied to a project of work is seen and changed as that one is.
create table flag_project (
  id integer primary key autoincrement,
  key text not null unique,
  key_folded text not null unique,
  name text not null,
  work_project integer references project (id),
  created_at integer not null,
  archived_at integer
) strict;
create index flag_project_work on flag_project (work_project) where work_project is not null;

-- `version` is that of its snapshot: it moves with all that decides an answer. `key_salt` hashes keys for browsers.
create table flag_environment (
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

-- What a flag is everywhere: `meta` is JSON.
create table flag (
  id integer primary key autoincrement,
  project integer not null references flag_project (id),
  key text not null,
  meta text not null,
  archived integer not null check (archived in (0, 1)),
  version integer not null,
  created_at integer not null,
  unique (project, key)
) strict;

-- Whom a flag serves what in one environment: `config` is JSON. `evaluated_at` is the last hour with an evaluation.
create table flag_config (
  flag integer not null references flag (id),
  environment integer not null references flag_environment (id),
  config text not null,
  version integer not null,
  changed_at integer not null,
  evaluated_at integer,
  primary key (flag, environment)
) strict, without rowid;
create index flag_config_environment on flag_config (environment, flag);

-- `tags` and `body` are JSON.
create table flag_segment (
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

-- What a flag (`user_kind`) waits for, and which segments a flag or segment asks for, by their keys.
create table flag_use (
  environment integer not null references flag_environment (id),
  uses_kind text not null check (uses_kind in ('flag', 'segment')),
  uses text not null,
  user_kind text not null check (user_kind in ('flag', 'segment')),
  user text not null,
  primary key (environment, uses_kind, uses, user_kind, user)
) strict, without rowid;
create index flag_use_user on flag_use (environment, user_kind, user);

-- What a flag was after each change: everywhere, or in one environment. `diff` and `content` are JSON.
create table flag_revision (
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
create index flag_revision_flag on flag_revision (flag, environment, id);
create index flag_revision_environment on flag_revision (environment) where environment is not null;

-- Changes that wait for approval or for their time. `run_at` is in milliseconds. `instructions` is JSON.
create table flag_change (
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
) strict;
create index flag_change_project on flag_change (project, id);
create index flag_change_environment on flag_change (environment);
create index flag_change_due on flag_change (run_at) where status = 'approved' and run_at is not null;

create table flag_review (
  id integer primary key autoincrement,
  change integer not null references flag_change (id),
  member text not null references member (id),
  decision text not null check (decision in ('approve', 'decline', 'comment')),
  comment text not null,
  at integer not null
) strict;
create index flag_review_change on flag_review (change, id);

-- Instructions for a time, in milliseconds. `acting` is JSON: in whose name and with what rights.
create table flag_schedule (
  id integer primary key autoincrement,
  flag integer not null references flag (id),
  environment integer not null references flag_environment (id),
  instructions text not null,
  run_at integer not null,
  created_by text not null,
  acting text not null,
  created_at integer not null
) strict;
create index flag_schedule_flag on flag_schedule (flag, id);
create index flag_schedule_environment on flag_schedule (environment);
create index flag_schedule_due on flag_schedule (run_at);

-- `variations` and `settings` are JSON.
create table flag_template (
  key text primary key,
  name text not null,
  kind text not null check (kind in ('bool', 'string', 'number', 'json')),
  variations text not null,
  settings text not null,
  created_at integer not null
) strict, without rowid;

-- What opens an environment to client libraries. Of a server key there are its digest, and sealed what seals its
-- snapshots; a client-side ID is public.
create table sdk_key (
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
create index sdk_key_environment on sdk_key (environment, id);
create index sdk_key_expiry on sdk_key (expires_at) where expires_at is not null and revoked_at is null;

-- How often what was served, by hour; `variation` -1 is the caller's default.
create table flag_count (
  environment integer not null references flag_environment (id),
  flag integer not null references flag (id),
  hour integer not null,
  version integer not null,
  variation integer not null,
  count integer not null,
  primary key (environment, flag, hour, version, variation)
) strict, without rowid;
create index flag_count_flag on flag_count (flag, hour);
create index flag_count_hour on flag_count (hour);

-- Batches of events that were counted, so that one that comes twice counts once.
create table sdk_batch (
  key integer not null,
  batch text not null,
  at integer not null,
  primary key (key, batch)
) strict, without rowid;
create index sdk_batch_at on sdk_batch (at);

create table flag_issue (
  flag integer not null references flag (id),
  issue integer not null references issue (id),
  primary key (flag, issue)
) strict, without rowid;
create index flag_issue_issue on flag_issue (issue, flag);
