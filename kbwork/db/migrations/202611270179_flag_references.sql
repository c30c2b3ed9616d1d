-- Where code names flags, by what was pushed last of each branch of a repository: `key` is as it is written there.
create table flag_reference (
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
create index flag_reference_flag on flag_reference (flag, repository, branch, path, line);
