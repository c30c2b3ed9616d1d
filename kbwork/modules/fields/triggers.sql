-- Purging a field finds by this the events on other things that tell of it. Those of layouts name fields by their keys.
create trigger event_about_layout after insert on events when new.kind glob 'layout.*' begin
  insert or ignore into event_about
    select 'field:' || key, new.seq from field where instr(new.payload, cast(key as blob)) > 0;
end;

-- x'76616c756573' is `values`: the member of each own field that changed. What an issue lost on its way stands there by
-- the names of fields.
create trigger event_about_values after insert on events
  when new.kind glob 'issue.*' and instr(new.payload, x'76616c756573') > 0 begin
  insert or ignore into event_about
    select 'field:' || substr(key, 8), new.seq from json_each(new.payload, '$.changes') where key glob 'values.*';
  insert or ignore into event_about
    select 'field:' || f.key, new.seq from json_each(new.payload, '$.dropped.values') d join field f on f.name = d.value;
end;
-- Texts that name it as it was called before go on finding it.
create trigger field_option_renamed after update of name on field_option when new.name <> old.name and old.name <> '' begin
  insert or ignore into former_name (kind, id, name) values ('field_option', old.id, old.name);
end;
create trigger field_option_forgotten after delete on field_option begin
  delete from former_name where kind = 'field_option' and id = old.id;
end;
