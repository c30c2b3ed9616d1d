-- What is searched of a view: its name, and the words of its query.
create trigger view_searched after insert on view when new.deleted_at is null begin
  insert into search_entry (kind, ref, title, body) values ('view', new.id, new.name, new.tql);
end;
create trigger view_searched_anew after update of name, tql, deleted_at on view
  when (new.name, new.tql, new.deleted_at is null) <> (old.name, old.tql, old.deleted_at is null) begin
  delete from search_entry where kind = 'view' and ref = +old.id and new.deleted_at is not null;
  insert into search_entry (kind, ref, title, body)
    select 'view', new.id, new.name, new.tql where new.deleted_at is null;
end;
create trigger view_unsearched after delete on view begin
  delete from search_entry where kind = 'view' and ref = +old.id;
end;
