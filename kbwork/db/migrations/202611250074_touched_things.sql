-- What was touched is a log: a commit appends to it in one place of one tree, where a row for each thing was moved in two.
-- `seq` is the number of the last event of the commit, or the next one where it told nothing. Of a `ref` of 0: what was
-- changed up to then is not known.
create table thing_touch (
  seq integer not null,
  kind text not null,
  ref integer not null,
  primary key (seq, kind, ref)
) strict, without rowid;
insert into thing_touch select seq, kind, ref from thing_change;
drop index thing_change_seq;
drop table thing_change;
create index thing_touch_unknown on thing_touch (seq) where ref = 0;
