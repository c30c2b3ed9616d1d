-- What pages begin with, of a space or of the org. The first hundred numbers are those of built-in ones, which are no rows.
create table page_template (
  id integer primary key autoincrement,
  space integer references space (id),
  name text not null,
  name_key text not null,
  body text not null,
  properties text not null,
  icon text,
  updated_at integer not null
) strict;
create unique index page_template_name on page_template (coalesce(space, 0), name_key);
insert into sqlite_sequence (name, seq) values ('page_template', 100);
