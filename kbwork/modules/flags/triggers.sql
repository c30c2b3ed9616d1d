-- What is searched of a flag: its key, its name, its description and its tags.
create trigger flag_searched after insert on flag begin
  insert into search_entry (kind, ref, title, body)
    select 'flag', fp.key || '/' || new.first_key, new.key || ' ' || (new.meta ->> 'name'),
      (new.meta ->> 'description') || char(10) || coalesce((select group_concat(value, ' ') from json_each(new.meta, '$.tags')), '')
    from flag_project fp where fp.id = new.project;
end;
create trigger flag_searched_anew after update of key, meta on flag
  when (new.key, new.meta ->> 'name', new.meta ->> 'description', new.meta ->> 'tags')
  is not (old.key, old.meta ->> 'name', old.meta ->> 'description', old.meta ->> 'tags') begin
  insert into search_entry (kind, ref, title, body)
    select 'flag', fp.key || '/' || new.first_key, new.key || ' ' || (new.meta ->> 'name'),
      (new.meta ->> 'description') || char(10) || coalesce((select group_concat(value, ' ') from json_each(new.meta, '$.tags')), '')
    from flag_project fp where fp.id = new.project;
end;
create trigger flag_unsearched after delete on flag begin
  delete from search_entry where kind = 'flag'
    and ref = (select fp.key || '/' || old.first_key from flag_project fp where fp.id = old.project);
end;
