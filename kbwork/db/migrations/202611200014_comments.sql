create trigger comment_moved after update of subject on comment
  when new.subject <> old.subject and new.deleted_at is null begin
  update issue set comments = comments - (old.internal = 0), internal_comments = internal_comments - (old.internal = 1)
    where substr(old.subject, 1, 6) = 'issue:' and id = cast(substr(old.subject, 7) as integer);
  update issue set comments = comments + (new.internal = 0), internal_comments = internal_comments + (new.internal = 1)
    where substr(new.subject, 1, 6) = 'issue:' and id = cast(substr(new.subject, 7) as integer);
end;
create trigger comment_purged after delete on comment
  when old.deleted_at is null and substr(old.subject, 1, 6) = 'issue:' begin
  update issue set comments = comments - (old.internal = 0), internal_comments = internal_comments - (old.internal = 1)
    where id = cast(substr(old.subject, 7) as integer);
end;
