-- A flag has the key that it was made with for good, beside the one of today: by that one it is told in events and
-- comments, and its contexts are hashed. Keys that it had are its aliases until they are dropped, and nobody's ever
-- after; evaluations by them are counted apart too.
alter table flag add column first_key text not null default '';
update flag set first_key = key;
create unique index flag_first_key on flag (project, first_key);
create table flag_alias (
  project integer not null references flag_project (id),
  key text not null,
  flag integer not null references flag (id),
  dropped_at integer,
  primary key (project, key)
) strict, without rowid;
create index flag_alias_flag on flag_alias (flag);
create table flag_alias_count (
  flag integer not null references flag (id),
  environment integer not null references flag_environment (id),
  key text not null,
  hour integer not null,
  count integer not null,
  primary key (flag, environment, key, hour)
) strict, without rowid;
create index flag_alias_count_environment on flag_alias_count (environment);
create index flag_alias_count_hour on flag_alias_count (hour);
