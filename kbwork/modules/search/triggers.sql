-- Each kind puts its texts in here and takes them out, by triggers of its own. What is put in anew takes the place of
-- what was there. They take out `+old.id`, which has no type of its own: a number compared with `ref` as a number would
-- not be looked for in the index.
--
-- What is put in waits for the end of its transaction (`deferred.py`): SQLite has the index write down its words before
-- each statement that may be taken back, which for single texts is most of the work.
create trigger search_entry_put instead of insert on search_entry begin
  insert into search_doc (kind, ref) values (new.kind, new.ref) on conflict do nothing;
  insert into search_waiting (id, title, body)
    select id, new.title, new.body from search_doc where kind = new.kind and ref = new.ref
    on conflict do update set title = excluded.title, body = excluded.body;
  select title_written(new.title) where new.title <> '';
end;
create trigger search_entry_taken instead of delete on search_entry begin
  delete from search_waiting where id = old.id;
  delete from search_text where rowid = old.id;
  delete from search_doc where id = old.id;
end;
