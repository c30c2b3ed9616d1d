-- Files that customers of a request see beside those on comments that they read: what they sent themselves.
create table request_file (
  attachment text primary key,
  issue integer not null
) strict, without rowid;
create index request_file_issue on request_file (issue);
