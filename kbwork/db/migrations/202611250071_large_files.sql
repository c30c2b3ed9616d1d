-- The bytes of large files, in pieces: they are written some at a time, before the file that has them is there, and go
-- some at a time behind it: `state` says whether a blob has them yet, has them, or has them no more.
create table blob_content (
  id integer primary key autoincrement,
  state text not null check (state in ('staged', 'linked', 'gone')),
  hash blob not null,
  begun_at integer not null
) strict;
create table blob_piece (
  content integer not null references blob_content (id),
  number integer not null,
  bytes blob not null,
  primary key (content, number)
) strict;
alter table blob add column content integer references blob_content (id);
create index blob_of_content on blob (content) where content is not null;
create index blob_content_loose on blob_content (state, begun_at) where state <> 'linked';

-- Files that were named on something before they came: `attachment` is the id that each will have there, and `who` in
-- whose name it is added.
create table expected_file (
  upload text primary key,
  attachment text not null,
  subject text not null,
  name text not null,
  who text not null,
  created_by text not null,
  created_at integer not null
) strict, without rowid;
create index expected_file_subject on expected_file (subject);

-- Pictures made smaller. One without bytes says that none can be made of that file.
create table thumbnail (
  hash blob not null references blob (hash) on delete cascade,
  width integer not null,
  bytes blob not null,
  size integer not null,
  made_at integer not null,
  primary key (hash, width)
) strict;
create index thumbnail_made on thumbnail (made_at, size);
