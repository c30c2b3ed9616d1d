-- Where in an upload the pages lie that it was fetched of, and how their server knows each of them: fetched again, a
-- page that did not change is not sent anew.
create table import_page (
  import integer not null references import (id),
  url text not null,
  etag text not null,
  next text not null,
  start integer not null,
  size integer not null,
  digest blob not null,
  primary key (url, import)
) strict, without rowid;
create index import_page_import on import_page (import);
