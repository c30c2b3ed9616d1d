-- What a new thing holds from its beginning waits in one row for the thing, and no longer in one for each value: most of
-- what is written of it is written soon after into the history, and goes again.
insert into span (subject, field, value, from_at, by)
  select subject, field, value, from_at, by from span_waiting order by subject, n;
drop view spell;
drop table span_waiting;
create table span_waiting (
  subject text primary key,
  held text not null,
  from_at integer not null,
  by text not null
) strict, without rowid;
create view spell as
  select id, subject, field, value, from_at, to_at, by from span
  union all
  select cast(h.key as integer), subject, cast(h.value ->> 0 as text), cast(h.value ->> 1 as text), from_at,
    cast(null as integer), by from span_waiting join json_each(held) h;
