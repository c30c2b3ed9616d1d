-- One index over all that is searched. It holds no texts, only which words stand where: the texts are in their tables.
-- A row's number is that of its thing, four times over, and 0 for an issue, 1 for a comment, 2 for a file.
create virtual table search_text using fts5(
  title, body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
create virtual table search_word using fts5vocab(search_text, 'row');

-- Files have no numbers of their own that stay.
create table search_file (
  id integer primary key autoincrement,
  attachment text not null unique
) strict;

insert into search_text (rowid, title, body) select id * 4, title, body from issue where deleted_at is null;
insert into search_text (rowid, title, body) select id * 4 + 1, '', body from comment where deleted_at is null;
insert into search_file (attachment) select id from attachment order by created_at, id;
insert into search_text (rowid, title, body)
  select f.id * 4 + 2, a.name, coalesce(t.text, '') from search_file f join attachment a on a.id = f.attachment
  left join attachment_text t on t.attachment = a.id where a.deleted_at is null;

create trigger issue_searched after insert on issue when new.deleted_at is null begin
  insert into search_text (rowid, title, body) values (new.id * 4, new.title, new.body);
end;
create trigger issue_searched_anew after update of title, body, deleted_at on issue
  when new.title <> old.title or new.body <> old.body or (new.deleted_at is null) <> (old.deleted_at is null) begin
  delete from search_text where rowid = old.id * 4 and old.deleted_at is null;
  insert into search_text (rowid, title, body) select new.id * 4, new.title, new.body where new.deleted_at is null;
end;
create trigger issue_unsearched after delete on issue when old.deleted_at is null begin
  delete from search_text where rowid = old.id * 4;
end;

create trigger comment_searched after insert on comment when new.deleted_at is null begin
  insert into search_text (rowid, title, body) values (new.id * 4 + 1, '', new.body);
end;
create trigger comment_searched_anew after update of body, deleted_at on comment
  when new.body <> old.body or (new.deleted_at is null) <> (old.deleted_at is null) begin
  delete from search_text where rowid = old.id * 4 + 1 and old.deleted_at is null;
  insert into search_text (rowid, title, body) select new.id * 4 + 1, '', new.body where new.deleted_at is null;
end;
create trigger comment_unsearched after delete on comment when old.deleted_at is null begin
  delete from search_text where rowid = old.id * 4 + 1;
end;

create trigger attachment_searched after insert on attachment begin
  insert into search_file (attachment) values (new.id);
  insert into search_text (rowid, title, body)
    select id * 4 + 2, new.name, '' from search_file where attachment = new.id and new.deleted_at is null;
end;
create trigger attachment_searched_anew after update of deleted_at on attachment
  when (new.deleted_at is null) <> (old.deleted_at is null) begin
  delete from search_text where old.deleted_at is null
    and rowid = (select id * 4 + 2 from search_file where attachment = old.id);
  insert into search_text (rowid, title, body)
    select f.id * 4 + 2, new.name, coalesce((select text from attachment_text where attachment = new.id), '')
    from search_file f where f.attachment = new.id and new.deleted_at is null;
end;
create trigger attachment_unsearched after delete on attachment begin
  delete from search_text where old.deleted_at is null
    and rowid = (select id * 4 + 2 from search_file where attachment = old.id);
  delete from search_file where attachment = old.id;
end;
create trigger attachment_text_searched after insert on attachment_text
  when exists (select 1 from attachment where id = new.attachment and deleted_at is null) begin
  delete from search_text where rowid = (select id * 4 + 2 from search_file where attachment = new.attachment);
  insert into search_text (rowid, title, body)
    select f.id * 4 + 2, a.name, new.text from search_file f join attachment a on a.id = f.attachment
    where f.attachment = new.attachment;
end;

create index events_actor on events (actor, seq);
