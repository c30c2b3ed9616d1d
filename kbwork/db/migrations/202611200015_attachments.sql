-- The bytes of files, once for each content: the last file with it takes them along.
create table blob (
  hash blob primary key,
  size integer not null,
  bytes blob not null
) strict;

create table attachment (
  id text primary key,
  subject text not null,
  name text not null,
  content_type text not null,
  size integer not null,
  hash blob not null references blob (hash),
  created_at integer not null,
  created_by text not null,
  deleted_at integer
) strict;
create index attachment_subject on attachment (subject, created_at);
create index attachment_hash on attachment (hash);
create index attachment_created on attachment (created_at);

-- What search reads of a file.
create table attachment_text (
  attachment text primary key references attachment (id),
  text text not null
) strict;

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
