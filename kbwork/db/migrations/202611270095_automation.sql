-- Rules: when something happens, and these conditions hold, operations are run. `trigger` is JSON; `conditions` and
-- `actions` are JSON lists; `names` says what the names in their queries meant when it was kept. `author` saved it last:
-- it runs with what both they now and `scopes`, those of that call, allow. `since` is the event behind which it hears.
create table rule (
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
) strict;
create index rule_author on rule (author);
-- Runs that are to be made: of an event, a time or a state, or the rest of one that waits. `seq` is its event. `step` is
-- the action before which it waited; null: it begins. `depth` counts the rules that set each other going.
create table rule_run (
  id integer primary key autoincrement,
  rule integer not null references rule (id),
  event text not null,
  seq integer,
  actor text not null,
  subject text,
  depth integer not null,
  step integer,
  due_at integer not null
) strict;
create index rule_run_due on rule_run (due_at, id);
create index rule_run_rule on rule_run (rule);
create index rule_run_subject on rule_run (subject) where subject is not null;
-- What came of runs. `first_seq` to `last_seq` are the events that one made, `depth` how deep it stood in a chain. To
-- others than `author` its message may name what they do not see; null: it names no more than its subject.
create table rule_log (
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
create index rule_log_rule on rule_log (rule, id);
create index rule_log_lately on rule_log (rule, subject, at);
create index rule_log_subject on rule_log (subject) where subject is not null;
create index rule_log_at on rule_log (at);
create index rule_log_seq on rule_log (last_seq) where last_seq is not null;
-- Issues that fit the query of a rule of the kind `state`, and since when it is known; `fired`: it ran for that time.
create table rule_state (
  rule integer not null references rule (id),
  issue integer not null,
  since integer not null,
  fired integer not null check (fired in (0, 1)),
  primary key (rule, issue)
) strict, without rowid;
create index rule_state_issue on rule_state (issue);
insert into counter (name, value) select 'automation', value from counter where name = 'seq';
