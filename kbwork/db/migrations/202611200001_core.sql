-- The history, the outbox and the change feed in one; seq is the order of commits.
create table events (
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
) strict;
create index events_subject on events (subject, seq);
create index events_audit on events (at);

-- Numbers that only grow.
create table counter (
  name text primary key,
  value integer not null
) strict, without rowid;
insert into counter values ('seq', 0);

-- Settings of the org, as JSON by dotted name.
create table setting (
  name text primary key,
  value text not null
) strict, without rowid;

-- Answers kept for 24 hours; it goes by age, so it has a rowid.
create table idempotency (
  id integer primary key,
  digest blob not null,
  call blob not null,
  at integer not null,
  answer blob not null
) strict;
create unique index idempotency_digest on idempotency (digest);

-- Before-images of each change, kept for 24 hours.
create table undo (
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
) strict;
create index undo_member on undo (member, seq);

create table job (
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
create index job_due on job (run_at) where state in ('queued', 'running');
create index job_by on job (by, id);
create index job_ended on job (ended_at) where ended_at is not null;

-- One row for each time that a schedule fired: so it fires once.
create table firing (
  schedule text not null,
  time integer not null,
  primary key (schedule, time)
) strict, without rowid;

-- How far a member has looked at a subject.
create table mark (
  member text not null,
  subject text not null,
  seq integer not null,
  at integer not null,
  primary key (member, subject)
) strict, without rowid;

-- Values of fields over time: what a query about the past reads.
create table span (
  subject text not null,
  field text not null,
  value text not null,
  from_at integer not null,
  to_at integer,
  by text not null,
  id integer primary key
) strict;
create index span_subject on span (subject, field, from_at);
create index span_value on span (field, value, from_at, to_at, subject);
create index span_by on span (by, field, from_at, subject);
