-- What is searched of a board: its name, and the words of its query.
create trigger board_searched after insert on board when new.deleted_at is null begin
  insert into search_entry (kind, ref, title, body) values ('board', new.id, new.name, new.tql);
end;
create trigger board_searched_anew after update of name, tql, deleted_at on board
  when (new.name, new.tql, new.deleted_at is null) <> (old.name, old.tql, old.deleted_at is null) begin
  delete from search_entry where kind = 'board' and ref = +old.id and new.deleted_at is not null;
  insert into search_entry (kind, ref, title, body)
    select 'board', new.id, new.name, new.tql where new.deleted_at is null;
end;
create trigger board_unsearched after delete on board begin
  delete from search_entry where kind = 'board' and ref = +old.id;
end;
