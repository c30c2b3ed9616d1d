-- What stands in the index, of whatever kind: `ref` is the text or number behind the colon of its subject. A document is
-- there for as long as its words are. Those of before keep the numbers that they have in the index, which stays as it is.
create table search_doc (
  id integer primary key autoincrement,
  kind text not null,
  ref any not null
) strict;
insert into search_doc (id, kind, ref)
  select * from (
    select id * 4, 'issue', id from issue where deleted_at is null
    union all
    select id * 4 + 1, 'comment', id from comment where deleted_at is null
    union all
    select f.id * 4 + 2, 'attachment', a.id from search_file f join attachment a on a.id = f.attachment
      where a.deleted_at is null
  ) order by 1;
create unique index search_doc_ref on search_doc (kind, ref);

-- Triggers of each kind put its texts in here and take them out. What is put in anew takes the place of what was there.
-- `+old.id` has no type of its own: a number compared with `ref` as a number would not be looked for in the index.
create view search_entry as select id, kind, ref, null as title, null as body from search_doc;
create trigger search_entry_put instead of insert on search_entry begin
  delete from search_text where rowid = (select id from search_doc where kind = new.kind and ref = new.ref);
  insert into search_doc (kind, ref) values (new.kind, new.ref) on conflict do nothing;
  insert into search_text (rowid, title, body)
    select id, new.title, new.body from search_doc where kind = new.kind and ref = new.ref;
end;
create trigger search_entry_taken instead of delete on search_entry begin
  delete from search_text where rowid = old.id;
  delete from search_doc where id = old.id;
end;

drop trigger issue_searched;
drop trigger issue_searched_anew;
drop trigger issue_unsearched;
create trigger issue_searched after insert on issue when new.deleted_at is null begin
  insert into search_entry (kind, ref, title, body) values ('issue', new.id, new.title, new.body);
end;
create trigger issue_searched_anew after update of title, body, deleted_at on issue
  when new.deleted_at is null
  and (new.title <> old.title or new.body <> old.body or old.deleted_at is not null) begin
  insert into search_entry (kind, ref, title, body) values ('issue', new.id, new.title, new.body);
end;
create trigger issue_hidden after update of deleted_at on issue
  when new.deleted_at is not null and old.deleted_at is null begin
  delete from search_entry where kind = 'issue' and ref = +old.id;
end;
create trigger issue_unsearched after delete on issue when old.deleted_at is null begin
  delete from search_entry where kind = 'issue' and ref = +old.id;
end;

drop trigger comment_searched;
drop trigger comment_searched_anew;
drop trigger comment_unsearched;
create trigger comment_searched after insert on comment when new.deleted_at is null begin
  insert into search_entry (kind, ref, title, body) values ('comment', new.id, '', new.body);
end;
create trigger comment_searched_anew after update of body, deleted_at on comment
  when new.deleted_at is null and (new.body <> old.body or old.deleted_at is not null) begin
  insert into search_entry (kind, ref, title, body) values ('comment', new.id, '', new.body);
end;
create trigger comment_hidden after update of deleted_at on comment
  when new.deleted_at is not null and old.deleted_at is null begin
  delete from search_entry where kind = 'comment' and ref = +old.id;
end;
create trigger comment_unsearched after delete on comment when old.deleted_at is null begin
  delete from search_entry where kind = 'comment' and ref = +old.id;
end;

drop trigger attachment_searched;
drop trigger attachment_searched_anew;
drop trigger attachment_unsearched;
drop trigger attachment_text_searched;
create trigger attachment_searched after insert on attachment when new.deleted_at is null begin
  insert into search_entry (kind, ref, title, body) values ('attachment', new.id, new.name, '');
end;
create trigger attachment_searched_anew after update of deleted_at on attachment
  when new.deleted_at is null and old.deleted_at is not null begin
  insert into search_entry (kind, ref, title, body) values (
    'attachment', new.id, new.name, coalesce((select text from attachment_text where attachment = new.id), '')
  );
end;
create trigger attachment_hidden after update of deleted_at on attachment
  when new.deleted_at is not null and old.deleted_at is null begin
  delete from search_entry where kind = 'attachment' and ref = +old.id;
end;
create trigger attachment_unsearched after delete on attachment when old.deleted_at is null begin
  delete from search_entry where kind = 'attachment' and ref = +old.id;
end;
create trigger attachment_text_searched after insert on attachment_text begin
  insert into search_entry (kind, ref, title, body)
    select 'attachment', id, name, new.text from attachment where id = new.attachment and deleted_at is null;
end;

drop table search_file;
