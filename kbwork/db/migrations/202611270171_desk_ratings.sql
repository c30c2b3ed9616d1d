-- How customers rated what was done for them: one rating for each request. `done_at` is when the request was closed that
-- it is about, `agent` who had it then.
create table request_rating (
  issue integer primary key references customer_request (issue),
  customer integer not null references customer (id),
  score integer not null check (score between 1 and 5),
  comment text not null,
  agent text,
  done_at integer not null,
  first_at integer not null,
  rated_at integer not null
) strict;
create index request_rating_customer on request_rating (customer);
create index request_rating_at on request_rating (rated_at);
-- The closing for which a letter asked how it went.
alter table customer_request add column asked_at integer;
-- Since when customers are asked: whoever was served before is not.
alter table desk add column survey_since integer;
