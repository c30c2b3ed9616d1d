-- Lists of issues that the people of a desk work off. `tql` is a condition, `sorted` what stands behind `order by`,
-- `columns` a JSON list of fields, `names` what the names in all of them meant when they were kept. `team` may be gone.
create table queue (
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
create unique index queue_name on queue (project, name_key);
-- Answers that are written once and said often. `project` null: for all desks.
create table canned_reply (
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
create index canned_reply_owner on canned_reply (owner);
create index canned_reply_project on canned_reply (project) where project is not null;
create index canned_reply_shortcut on canned_reply (shortcut_key) where shortcut_key is not null;
