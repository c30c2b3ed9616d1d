-- What is searched of a space: its name, and its description. Its key is found as a word of it.
create trigger space_searched after insert on space when new.deleted_at is null begin
  insert into search_entry (kind, ref, title, body)
    values ('space', new.key, new.key || ' ' || new.name, new.description);
end;
create trigger space_searched_anew after update of name, description, deleted_at on space
  when (new.name, new.description, new.deleted_at is null) <> (old.name, old.description, old.deleted_at is null) begin
  delete from search_entry where kind = 'space' and ref = +old.key and new.deleted_at is not null;
  insert into search_entry (kind, ref, title, body)
    select 'space', new.key, new.key || ' ' || new.name, new.description where new.deleted_at is null;
end;
create trigger space_unsearched after delete on space begin
  delete from search_entry where kind = 'space' and ref = +old.key;
end;
