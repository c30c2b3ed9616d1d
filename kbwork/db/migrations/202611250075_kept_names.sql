-- What the names of kept queries meant when these were saved: JSON, {text: [[start, end, domain, ids]]}. What was saved
-- before this is understood by present names, or else by former ones, until it is saved again.
alter table view add column names text not null default '{}';
alter table board add column names text not null default '{}';
alter table workflow add column names text not null default '{}';
alter table field add column names text not null default '{}';
