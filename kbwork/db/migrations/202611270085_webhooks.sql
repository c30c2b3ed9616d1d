-- Outgoing calls for events. `events`, `fields`, `scopes` and `header_names` are JSON lists; `names` says what the names
-- in `tql` meant when it was kept. `scopes` are those of whoever saved it last, its author: it hears what both they and
-- these may hear of. `since` is the event behind which it hears. What is sealed opens with the master key alone.
create table webhook (
  id integer primary key autoincrement,
  name text not null,
  url text not null,
  events text not null,
  project integer references project (id),
  tql text not null,
  names text not null,
  fields text not null,
  header_names text not null,
  headers blob,
  secret blob not null,
  old_secret blob,
  old_until integer,
  batch_seconds integer not null,
  enabled integer not null,
  author text not null references member (id),
  scopes text not null,
  since integer not null,
  failures integer not null,
  failing_since integer,
  last_at integer,
  last_status integer,
  created_at integer not null,
  updated_at integer not null
) strict;
create index webhook_project on webhook (project) where project is not null;
create index webhook_author on webhook (author);
-- One call, until it is taken or given up. Its id is drawn by chance: receivers remember ids, and after a backup was put
-- back none may come a second time. `request` is null until the first try, and `author` is whose sight it shows.
create table webhook_delivery (
  id integer primary key,
  webhook integer not null references webhook (id),
  event text not null,
  seq integer not null,
  state text not null check (state in ('queued', 'sent', 'failed', 'dropped')),
  tries integer not null,
  status integer,
  ms integer,
  error text,
  request text,
  response text,
  author text,
  at integer not null,
  next_at integer
) strict;
create index webhook_delivery_newest on webhook_delivery (webhook, at, seq, id);
create index webhook_delivery_in_order on webhook_delivery (webhook, seq, id) where state = 'queued' and tries < 3;
create index webhook_delivery_overtaken on webhook_delivery (webhook, next_at) where state = 'queued' and tries >= 3;
create index webhook_delivery_ended on webhook_delivery (at) where state <> 'queued';
-- The events that a delivery tells; none where it is a test.
create table webhook_event (
  delivery integer not null references webhook_delivery (id),
  seq integer not null,
  primary key (delivery, seq)
) strict, without rowid;
create index webhook_event_seq on webhook_event (seq);
insert into counter (name, value) select 'webhooks', value from counter where name = 'seq';
