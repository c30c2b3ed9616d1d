-- Who opened a page on which day, in UTC: once, however often. Nobody is told of it but as numbers.
create table page_visit (
  page integer not null references page (id),
  day integer not null,
  who text not null,
  primary key (page, day, who)
) strict, without rowid;
create index page_visit_day on page_visit (day);
create index page_visit_who on page_visit (who);
