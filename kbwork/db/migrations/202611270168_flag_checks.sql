-- What contexts are to get in an environment: `context` and `expected` are JSON. One with `enforce` refuses changes that
-- break it.
create table flag_check (
  id integer primary key autoincrement,
  environment integer not null references flag_environment (id),
  name text not null,
  context text not null,
  expected text not null,
  enforce integer not null check (enforce in (0, 1)),
  created_by text not null,
  created_at integer not null,
  unique (environment, name)
) strict;
