-- Of what a restore took out of the data: who was shut out, and what holds since, for a restore that brings it back.
create table carried_over (
  kind text primary key,
  held text not null
) strict, without rowid;
