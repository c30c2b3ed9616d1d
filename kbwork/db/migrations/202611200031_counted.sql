-- What an issue counts of its comments follows one change at a time, also where a comment moves and comes back at once.
drop trigger comment_moved;
drop trigger comment_recounted;
create trigger comment_moved after update of subject, deleted_at on comment
  when new.subject <> old.subject or (new.deleted_at is null) <> (old.deleted_at is null) begin
  update issue set comments = comments - (old.internal = 0), internal_comments = internal_comments - (old.internal = 1)
    where old.deleted_at is null and substr(old.subject, 1, 6) = 'issue:'
    and id = cast(substr(old.subject, 7) as integer);
  update issue set comments = comments + (new.internal = 0), internal_comments = internal_comments + (new.internal = 1)
    where new.deleted_at is null and substr(new.subject, 1, 6) = 'issue:'
    and id = cast(substr(new.subject, 7) as integer);
end;
update issue set comments = c.open, internal_comments = c.inner
  from (
    select i.id, count(c.id) filter (where c.internal = 0) as open, count(c.id) filter (where c.internal = 1) as inner
      from issue i left join comment c on c.subject = 'issue:' || i.id and c.deleted_at is null group by i.id
  ) c
  where c.id = issue.id and (issue.comments <> c.open or issue.internal_comments <> c.inner);

-- Under which numbers an issue was known before is asked where others mention it, and when it goes.
create index former_number_issue on former_number (issue);

-- Beginnings of one letter are kept as well: who starts to type asks for one, and a sixteenth of all words has it.
drop table search_word;
drop table search_text;
create virtual table search_text using fts5(
  title, body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3'
);
create virtual table search_word using fts5vocab(search_text, 'row');
insert into search_text (rowid, title, body) select id * 4, title, body from issue where deleted_at is null;
insert into search_text (rowid, title, body) select id * 4 + 1, '', body from comment where deleted_at is null;
insert into search_text (rowid, title, body)
  select f.id * 4 + 2, a.name, coalesce(t.text, '') from search_file f join attachment a on a.id = f.attachment
  left join attachment_text t on t.attachment = a.id where a.deleted_at is null;
