-- An issue's comments are counted on it, internal ones apart: guests are not told of them.
create trigger comment_counted after insert on comment
  when new.deleted_at is null and substr(new.subject, 1, 6) = 'issue:' begin
  update issue set comments = comments + (new.internal = 0), internal_comments = internal_comments + (new.internal = 1)
    where id = cast(substr(new.subject, 7) as integer);
end;
create trigger comment_moved after update of subject, deleted_at, internal on comment
  when new.subject <> old.subject or (new.deleted_at is null) <> (old.deleted_at is null)
    or new.internal <> old.internal begin
  update issue set comments = comments - (old.internal = 0), internal_comments = internal_comments - (old.internal = 1)
    where old.deleted_at is null and substr(old.subject, 1, 6) = 'issue:'
    and id = cast(substr(old.subject, 7) as integer);
  update issue set comments = comments + (new.internal = 0), internal_comments = internal_comments + (new.internal = 1)
    where new.deleted_at is null and substr(new.subject, 1, 6) = 'issue:'
    and id = cast(substr(new.subject, 7) as integer);
end;
create trigger comment_purged after delete on comment
  when old.deleted_at is null and substr(old.subject, 1, 6) = 'issue:' begin
  update issue set comments = comments - (old.internal = 0), internal_comments = internal_comments - (old.internal = 1)
    where id = cast(substr(old.subject, 7) as integer);
end;

-- What is searched of a comment.
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
