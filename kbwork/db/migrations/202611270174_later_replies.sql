-- Answers to customers that go at a time: internal notes until then. `caller` is JSON, in whose name it goes; `people` and
-- `files` are JSON lists of what goes with it, `lane` where the request goes then. `failed` says why it did not go.
create table later_reply (
  comment integer primary key references comment (id),
  issue integer not null,
  member text not null,
  caller text not null,
  at integer not null,
  people text not null,
  files text not null,
  lane text,
  failed text
) strict;
create index later_reply_issue on later_reply (issue);
create index later_reply_at on later_reply (at) where failed is null;
-- The comment with which a file was shown or sent: the letter about it names the file. 0 until that is made, in the same
-- transaction; null for one that was sent by itself.
alter table request_file add column comment integer;
