-- Rollouts by a plan: `steps`, `checks`, `before` and `served` (what the plan put there last) and `acting` are JSON.
-- `look_at` is when there is something to do, in Unix milliseconds as `next_at`, at which the step was held long enough;
-- `began` is the version that the step made. A plan that waits for approval is one with its change request.
create table flag_plan (
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
create index flag_plan_flag on flag_plan (flag, id);
create index flag_plan_environment on flag_plan (environment);
create index flag_plan_due on flag_plan (look_at) where look_at is not null;
create index flag_plan_asking on flag_plan (asking) where asking = 1;
alter table flag_change add column plan integer;
