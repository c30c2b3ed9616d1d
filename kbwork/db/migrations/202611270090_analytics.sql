-- Questions in SQL over the events that are kept, with when they are asked and what they last answered. `author` is
-- whoever saved it last: it runs while they are an admin. `last_result` is JSON.
create table report (
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
create index report_created_by on report (created_by);
create index report_author on report (author);
create index report_due on report (next_run_at) where next_run_at is not null;
-- Who is told when one has run: a member's id, `team:<id>` or `team:admins`, in the order in which they were named.
create table report_recipient (
  report integer not null references report (id),
  who text not null,
  position integer not null,
  primary key (report, who)
) strict, without rowid;
