create table backup_schedule (
  id integer primary key check (id = 1),
  every text not null check (every in ('off', 'hourly', 'daily', 'weekly')),
  keep integer not null,
  target text,
  next_at integer,
  last_error text
) strict;
insert into backup_schedule values (1, 'off', 7, null, null, null);
