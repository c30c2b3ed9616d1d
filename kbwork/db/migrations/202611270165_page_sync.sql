-- The document in which several write on a page at once: a state that holds all up to a clock, and the updates since.
create table page_sync (
  page integer primary key references page (id),
  seed integer not null,
  first integer not null,
  clock integer not null,
  state blob not null,
  state_clock integer not null,
  version integer
) strict;
create table page_sync_update (
  page integer not null references page (id),
  clock integer not null,
  data blob not null,
  version integer,
  primary key (page, clock)
) strict;
