-- What a new thing holds from its beginning is written into the history for many things together, a moment later: until
-- then it waits here, where it lies side by side. Whoever reads the history reads both.
create table span_waiting (
  subject text not null,
  n integer not null,
  field text not null,
  value text not null,
  from_at integer not null,
  by text not null,
  primary key (subject, n)
) strict, without rowid;
create view spell as
  select id, subject, field, value, from_at, to_at, by from span
  union all
  select n, subject, field, value, from_at, cast(null as integer), by from span_waiting;
