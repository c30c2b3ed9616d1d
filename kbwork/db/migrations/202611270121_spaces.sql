-- Spaces. A row stays when its space is purged, emptied: a key never comes again. `home` is the number of a page.
create table space (
  id integer primary key autoincrement,
  key text not null unique,
  name text not null,
  kind text not null check (kind in ('team', 'project', 'personal', 'kb')),
  description text not null,
  icon text,
  project integer references project (id),
  visibility text not null check (visibility in ('org', 'members', 'public')),
  home integer,
  owner text not null,
  review_days integer,
  created_at integer not null,
  archived_at integer,
  deleted_at integer,
  seq integer not null
) strict;
create index space_project on space (project) where project is not null;
