-- An issue's files are counted on it. The bytes of files are there once for each content: the last file with it takes
-- them along.
create trigger attachment_added after insert on attachment
  when new.deleted_at is null and substr(new.subject, 1, 6) = 'issue:' begin
  update issue set attachments = attachments + 1 where id = cast(substr(new.subject, 7) as integer);
end;
create trigger attachment_moved after update of subject, deleted_at on attachment
  when new.subject <> old.subject or (new.deleted_at is null) <> (old.deleted_at is null) begin
  update issue set attachments = attachments - 1 where old.deleted_at is null
    and substr(old.subject, 1, 6) = 'issue:' and id = cast(substr(old.subject, 7) as integer);
  update issue set attachments = attachments + 1 where new.deleted_at is null
    and substr(new.subject, 1, 6) = 'issue:' and id = cast(substr(new.subject, 7) as integer);
end;
create trigger attachment_gone after delete on attachment begin
  update issue set attachments = attachments - 1 where old.deleted_at is null
    and substr(old.subject, 1, 6) = 'issue:' and id = cast(substr(old.subject, 7) as integer);
  delete from blob where hash = old.hash and not exists (select 1 from attachment where hash = old.hash);
end;
-- The pieces of a large file go some at a time behind it.
create trigger blob_gone after delete on blob when old.content is not null begin
  update blob_content set state = 'gone' where id = old.content;
end;
create trigger blob_changed after update of content on blob
  when old.content is not null and old.content is not new.content begin
  update blob_content set state = 'gone' where id = old.content;
end;

-- What is searched of a file. Its text comes later than the file itself, and may be there still when it is put back.
create trigger attachment_searched after insert on attachment when new.deleted_at is null begin
  insert into search_entry (kind, ref, title, body) values ('attachment', new.id, new.name, '');
end;
create trigger attachment_text_searched after insert on attachment_text begin
  insert into search_entry (kind, ref, title, body)
    select 'attachment', id, name, new.text from attachment where id = new.attachment and deleted_at is null;
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
