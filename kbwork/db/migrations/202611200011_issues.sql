-- What hangs on an issue is counted on it: lists show it, and only issues that have such parts are asked for them.
alter table issue add column votes integer not null default 0;
alter table issue add column attachments integer not null default 0;
alter table issue add column links integer not null default 0;
alter table issue add column children integer not null default 0;
alter table issue add column relations integer not null default 0;
-- How many open issues block it.
alter table issue add column blockers integer not null default 0;
alter table issue add column lock_reason text;

update issue set children = (select count(*) from issue c where c.parent = issue.id and c.deleted_at is null)
  where id in (select parent from issue where parent is not null);
create trigger issue_child_added after insert on issue when new.parent is not null and new.deleted_at is null begin
  update issue set children = children + 1 where id = new.parent;
end;
create trigger issue_child_moved after update of parent, deleted_at on issue
  when new.parent is not old.parent or (new.deleted_at is null) <> (old.deleted_at is null) begin
  update issue set children = children - 1 where id = old.parent and old.deleted_at is null;
  update issue set children = children + 1 where id = new.parent and new.deleted_at is null;
end;
create trigger issue_child_gone after delete on issue when old.parent is not null and old.deleted_at is null begin
  update issue set children = children - 1 where id = old.parent;
end;

create table issue_vote (
  issue integer not null references issue (id),
  who text not null,
  at integer not null,
  primary key (issue, who)
) strict, without rowid;
create index issue_vote_who on issue_vote (who, issue);
create trigger issue_voted after insert on issue_vote begin
  update issue set votes = votes + 1 where id = new.issue;
end;
create trigger issue_unvoted after delete on issue_vote begin
  update issue set votes = votes - 1 where id = old.issue;
end;

create table web_link (
  id integer primary key autoincrement,
  issue integer not null references issue (id),
  url text not null,
  title text not null,
  kind text not null,
  created_at integer not null,
  created_by text not null
) strict;
create unique index web_link_issue on web_link (issue, url);
create trigger web_link_added after insert on web_link begin
  update issue set links = links + 1 where id = new.issue;
end;
create trigger web_link_gone after delete on web_link begin
  update issue set links = links - 1 where id = old.issue;
end;

create table relation_kind (
  id integer primary key autoincrement,
  key text not null unique,
  name text not null,
  inverse text not null,
  directed integer not null,
  blocks integer not null,
  color text not null,
  built_in integer not null
) strict;
insert into relation_kind (key, name, inverse, directed, blocks, color, built_in) values
  ('blocks', 'blocks', 'blocked by', 1, 1, '#d64545', 1),
  ('relates', 'relates to', 'relates to', 0, 0, '#5f6b7a', 1),
  ('duplicates', 'duplicates', 'duplicated by', 1, 0, '#d9822b', 1),
  ('causes', 'causes', 'caused by', 1, 0, '#b0479f', 1),
  ('clones', 'clones', 'cloned by', 1, 0, '#2f7fd1', 1),
  ('implements', 'implements', 'implemented by', 1, 0, '#3f9142', 1),
  ('precedes', 'precedes', 'follows', 1, 0, '#6a5acd', 1);

create table relation (
  id integer primary key autoincrement,
  kind integer not null references relation_kind (id),
  src integer not null references issue (id),
  dst integer not null references issue (id),
  lag_days integer not null default 0,
  created_at integer not null,
  created_by text not null,
  check (src <> dst)
) strict;
create unique index relation_src on relation (src, kind, dst);
create index relation_dst on relation (dst, kind, src);
create index relation_kind_uses on relation (kind);
create trigger relation_added after insert on relation begin
  update issue set relations = relations + 1 where id in (new.src, new.dst);
  update issue set blockers = blockers + 1 where id = new.dst
    and exists (select 1 from relation_kind where id = new.kind and blocks)
    and exists (select 1 from issue where id = new.src and category <> 'done' and deleted_at is null);
end;
create trigger relation_gone after delete on relation begin
  update issue set relations = relations - 1 where id in (old.src, old.dst);
  update issue set blockers = blockers - 1 where id = old.dst
    and exists (select 1 from relation_kind where id = old.kind and blocks)
    and exists (select 1 from issue where id = old.src and category <> 'done' and deleted_at is null);
end;
create trigger relation_changed after update of kind on relation begin
  update issue set blockers = blockers
    + ((select blocks from relation_kind where id = new.kind) - (select blocks from relation_kind where id = old.kind))
    where id = new.dst
    and exists (select 1 from issue where id = new.src and category <> 'done' and deleted_at is null);
end;
create trigger issue_unblocks after update of category, deleted_at on issue
  when (new.category <> 'done' and new.deleted_at is null) <> (old.category <> 'done' and old.deleted_at is null)
  and new.relations > 0 begin
  update issue set blockers = blockers + (
      select count(*) * iif(new.category <> 'done' and new.deleted_at is null, 1, -1)
      from relation r join relation_kind k on k.id = r.kind where r.src = new.id and r.dst = issue.id and k.blocks
    ) where id in (select dst from relation where src = new.id);
end;
create trigger relation_kind_turned after update of blocks on relation_kind when new.blocks <> old.blocks begin
  update issue set blockers = blockers + (
      select count(*) * (new.blocks - old.blocks) from relation r join issue s on s.id = r.src
      where r.kind = new.id and r.dst = issue.id and s.category <> 'done' and s.deleted_at is null
    ) where id in (select dst from relation where kind = new.id);
end;

create table issue_template (
  id integer primary key autoincrement,
  project integer references project (id),
  name text not null,
  name_key text not null,
  type integer not null references issue_type (id),
  input text not null,
  children text not null,
  checklists text not null,
  updated_at integer not null
) strict;
create unique index issue_template_name on issue_template (coalesce(project, 0), name_key);
