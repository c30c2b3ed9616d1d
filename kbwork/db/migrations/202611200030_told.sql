-- What events tell of beside their subject: a comment, a file or an own field, wherever the event stands. Purging such a
-- thing finds by this what to forget, and takes the rows along.
create table event_about (
  what text not null,
  seq integer not null,
  primary key (what, seq)
) strict, without rowid;

create trigger event_about_part after insert on events
  when new.kind glob 'comment.*' or new.kind glob 'attachment.*' begin
  insert or ignore into event_about
    select name || ':' || json_extract(new.payload, '$.' || name), new.seq
    from (select substr(new.kind, 1, instr(new.kind, '.') - 1) as name)
    where json_extract(new.payload, '$.' || name) is not null;
end;
create trigger event_about_field after insert on events when new.kind glob 'field.*' begin
  insert or ignore into event_about
    select 'field:' || json_extract(new.payload, '$.key'), new.seq where json_extract(new.payload, '$.key') is not null;
end;
create trigger event_about_layout after insert on events when new.kind glob 'layout.*' begin
  insert or ignore into event_about
    select 'field:' || key, new.seq from field where instr(new.payload, cast(key as blob)) > 0;
end;
-- x'76616c756573' is `values`: the member of each own field that changed, and of those that an issue lost on its way.
create trigger event_about_values after insert on events
  when new.kind glob 'issue.*' and instr(new.payload, x'76616c756573') > 0 begin
  insert or ignore into event_about
    select 'field:' || substr(key, 8), new.seq from json_each(new.payload, '$.changes') where key glob 'values.*';
  insert or ignore into event_about
    select 'field:' || f.key, new.seq from json_each(new.payload, '$.dropped.values') d join field f on f.name = d.value;
end;

insert or ignore into event_about
  select substr(kind, 1, instr(kind, '.') - 1) || ':' || json_extract(payload, '$.' || substr(kind, 1, instr(kind, '.') - 1)),
    seq from events
  where (kind glob 'comment.*' or kind glob 'attachment.*')
    and json_extract(payload, '$.' || substr(kind, 1, instr(kind, '.') - 1)) is not null;
insert or ignore into event_about
  select 'field:' || json_extract(payload, '$.key'), seq from events
  where kind glob 'field.*' and json_extract(payload, '$.key') is not null;
insert or ignore into event_about
  select 'field:' || f.key, e.seq from events e join field f on instr(e.payload, cast(f.key as blob)) > 0
  where e.kind glob 'layout.*';
insert or ignore into event_about
  select 'field:' || substr(c.key, 8), e.seq from events e, json_each(e.payload, '$.changes') c
  where e.kind glob 'issue.*' and instr(e.payload, x'76616c756573') > 0 and c.key glob 'values.*';
insert or ignore into event_about
  select 'field:' || f.key, e.seq from events e, json_each(e.payload, '$.dropped.values') d join field f on f.name = d.value
  where e.kind glob 'issue.*' and instr(e.payload, x'76616c756573') > 0;

-- Which things the rows of a record for undo are of: purging one drops the record, wherever it was told.
create table undo_about (
  what text not null,
  record integer not null,
  primary key (what, record)
) strict, without rowid;
create index undo_about_record on undo_about (record);
create trigger undo_about_gone after delete on undo begin
  delete from undo_about where record = old.seq;
end;

insert or ignore into undo_about
  select m.value ->> 1 || ':' || json_extract(i.value, '$[1][0]'), u.seq
  from undo u, json_each(u.images) i, json_each('[["issue","issue"],["issue_assignee","issue"],["issue_component","issue"],
    ["issue_label","issue"],["issue_value","issue"],["issue_vote","issue"],["issue_watcher","issue"],
    ["comment","comment"],["reaction","comment"],["attachment","attachment"],["field","field"]]') m
  where m.value ->> 0 = json_extract(i.value, '$[0]');
insert or ignore into undo_about
  select 'field:' || json_extract(i.value, '$[1][1]'), u.seq from undo u, json_each(u.images) i
  where json_extract(i.value, '$[0]') = 'issue_value';
insert or ignore into undo_about
  select 'field:' || o.field, u.seq from undo u, json_each(u.images) i join field_option o on o.id = json_extract(i.value, '$[1][0]')
  where json_extract(i.value, '$[0]') = 'field_option';

-- An option that is folded into another while many values hold it: `heir` shows in its place. Its row stays for as long
-- as that can be undone.
alter table field_option add column heir integer;
alter table field_option add column left_at integer;

-- Purging goes on with what it has begun; emptying the trash asks from now on who asked for it, and is asked for again.
update job set args = json_object('entries', json_array(args ->> 'entry'))
  where kind = 'trash.purge' and state in ('queued', 'running');
update job set state = 'cancelled', ended_at = created_at, lease_until = null
  where kind = 'trash.empty' and state in ('queued', 'running');
