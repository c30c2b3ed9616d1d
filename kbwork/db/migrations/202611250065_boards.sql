-- Boards. `columns` and `filters` are JSON as the shape has them, lanes by their keys; `parts` counts those ever made.
create table board (
  id integer primary key autoincrement,
  name text not null,
  name_key text not null,
  project integer references project (id),
  tql text not null,
  kind text not null check (kind in ('kanban', 'sprint')),
  columns text not null,
  filters text not null,
  parts integer not null,
  swimlanes text,
  card_fields text not null,
  color_by text,
  owner text not null,
  created_at integer not null,
  deleted_at integer
) strict;
create index board_project on board (project) where project is not null;
create index board_owner on board (owner);
