-- What is searched of a project: its name, and its description. Its key is found as a word of it.
create trigger project_searched after insert on project when new.deleted_at is null begin
  insert into search_entry (kind, ref, title, body)
    values ('project', new.key, new.key || ' ' || new.name, new.description);
end;
create trigger project_searched_anew after update of key, name, description, deleted_at on project
  when (new.key, new.name, new.description, new.deleted_at is null)
  <> (old.key, old.name, old.description, old.deleted_at is null) begin
  delete from search_entry where kind = 'project' and ref = +old.key and (new.deleted_at is not null or new.key <> old.key);
  insert into search_entry (kind, ref, title, body)
    select 'project', new.key, new.key || ' ' || new.name, new.description where new.deleted_at is null;
end;
create trigger project_unsearched after delete on project begin
  delete from search_entry where kind = 'project' and ref = +old.key;
end;
