create table upload (
  id text primary key,
  member text not null,
  name text not null,
  size integer not null,
  sha256 text not null,
  created_at integer not null
) strict, without rowid;
create index upload_age on upload (created_at);

-- `highest` is the highest number of each project of the source: numbers that are made begin above it. `cursor` is the byte of the file of records behind what the run wrote, `tally` what it counted so far.
create table import (
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

-- What was brought in, by its id at the source: `said` are hashes of what the source said of each field, `wrote` of
-- what stood here behind it, `seq` the last event of the run that wrote it.
create table import_item (
  id integer primary key autoincrement,
  import integer not null references import (id),
  project integer not null,
  external text not null,
  subject text not null,
  said text not null,
  wrote text not null,
  seq integer not null
) strict;
create unique index import_item_external on import_item (project, external);
create index import_item_subject on import_item (subject);
create index import_item_import on import_item (import, id);

create table import_log (
  id integer primary key autoincrement,
  import integer not null references import (id),
  at integer not null,
  level text not null check (level in ('info', 'warning', 'error')),
  source text not null,
  message text not null,
  subject text
) strict;
create index import_log_import on import_log (import, id);
