-- Pages. The row has the text that readers see; `draft` is the version with changes that are not published yet, and
-- `draft_base` the one from which these began. What a page was is in `page_version`; one that is `folded` was followed
-- soon by another of its author, and is shown no more.
create table page (
  id integer primary key autoincrement,
  space integer not null references space (id),
  parent integer references page (id),
  rank text not null,
  title text not null,
  slug text not null,
  icon text,
  cover text,
  body text not null,
  body_doc text,
  properties text not null,
  owner text not null,
  state text not null check (state in ('draft', 'published')),
  version integer not null,
  draft integer,
  draft_base integer,
  locked integer not null,
  verified_until integer,
  verified_by text,
  created_at integer not null,
  created_by text not null,
  updated_at integer not null,
  updated_by text not null,
  archived_at integer,
  deleted_at integer,
  seq integer not null
) strict;
create index page_tree on page (space, parent, rank, id) where deleted_at is null;
create index page_parent on page (parent) where parent is not null;
create index page_space on page (space, updated_at, id);
create index page_updated on page (updated_at, id);
create table page_slug (
  space integer not null references space (id),
  slug text not null,
  page integer not null references page (id),
  primary key (space, slug)
) strict;
create index page_slug_page on page_slug (page);
create table page_version (
  page integer not null references page (id),
  version integer not null,
  title text not null,
  body text not null,
  body_doc text,
  at integer not null,
  began_at integer not null,
  who text not null,
  via text,
  note text not null,
  published integer not null,
  folded integer not null,
  primary key (page, version)
) strict;
create index page_version_folded on page_version (at) where folded = 1;
create table page_label (
  page integer not null references page (id),
  label integer not null references label (id),
  primary key (page, label)
) strict;
create index page_label_label on page_label (label);
-- Who a page is narrowed to: to be seen by (`view`) or changed by (`edit`); `owner` is who has it, whoever else is named.
create table page_limit (
  page integer not null references page (id),
  level text not null check (level in ('view', 'edit', 'owner')),
  who text not null,
  primary key (page, level, who)
) strict;
create table page_watcher (
  page integer not null references page (id),
  who text not null,
  children integer not null,
  primary key (page, who)
) strict;
create index page_watcher_who on page_watcher (who);
-- What the text of a page names: another page by its space and slug, an issue, somebody. `words` are those of the text.
create table page_link (
  id integer primary key autoincrement,
  page integer not null references page (id),
  kind text not null check (kind in ('page', 'issue', 'mention')),
  space integer,
  slug text,
  ref text,
  words text not null
) strict;
create index page_link_page on page_link (page);
create index page_link_slug on page_link (space, slug) where kind = 'page';
create index page_link_ref on page_link (kind, ref) where ref is not null;
