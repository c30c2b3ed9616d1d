create table trash (
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
) strict;
create index trash_deleted on trash (deleted_at desc, id desc) where purging = 0;
create index trash_project on trash (project, deleted_at desc, id desc);
