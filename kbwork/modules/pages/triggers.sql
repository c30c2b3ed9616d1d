-- What is searched of a page: its title, and its text as readers see it.
create trigger page_searched after insert on page when new.deleted_at is null begin
  insert into search_entry (kind, ref, title, body) values ('page', new.id, new.title, new.body);
end;
create trigger page_searched_anew after update of title, body, deleted_at on page
  when new.deleted_at is null
  and (new.title <> old.title or new.body <> old.body or old.deleted_at is not null) begin
  insert into search_entry (kind, ref, title, body) values ('page', new.id, new.title, new.body);
end;
create trigger page_hidden after update of deleted_at on page
  when new.deleted_at is not null and old.deleted_at is null begin
  delete from search_entry where kind = 'page' and ref = +old.id;
end;
create trigger page_unsearched after delete on page when old.deleted_at is null begin
  delete from search_entry where kind = 'page' and ref = +old.id;
end;
-- A label that goes is taken off the pages that carry it; undo of its deletion brings it back on none.
create trigger label_off_pages after delete on label begin
  delete from page_label where label = old.id;
end;
