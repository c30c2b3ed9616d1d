-- What is taken away while much is still in it: `heir` takes that, step by step. The row itself goes when nobody can
-- take that back any more, a day after `left_at`.
alter table lane add column heir integer references lane (id);
alter table lane add column left_at integer;
alter table issue_type add column heir integer references issue_type (id);
alter table issue_type add column left_at integer;

-- Open issues of a project that is archived or in the trash block nothing elsewhere. An issue says by `aside` that it is
-- settled so; `unsettled` are the projects that were put aside or brought back and have issues that are not settled yet.
alter table issue add column aside integer not null default 0;
create table unsettled (
  project integer primary key,
  after integer not null
) strict;
create index issue_related on issue (project, id) where relations > 0;
insert into unsettled select id, 0 from project where archived_at is not null or deleted_at is not null;
create trigger project_put_aside after update of archived_at, deleted_at on project
  when (new.archived_at is null and new.deleted_at is null) <> (old.archived_at is null and old.deleted_at is null) begin
  insert into unsettled values (new.id, 0) on conflict do update set after = 0;
end;

drop trigger relation_added;
create trigger relation_added after insert on relation begin
  update issue set relations = relations + 1 where id in (new.src, new.dst);
  update issue set blockers = blockers + 1 where id = new.dst
    and exists (select 1 from relation_kind where id = new.kind and blocks)
    and exists (select 1 from issue s where s.id = new.src and s.category <> 'done' and s.deleted_at is null
      and (not s.aside or s.project = issue.project));
  update issue set aside = not aside where id = new.src and aside <> (select p.archived_at is not null
    or p.deleted_at is not null from project p where p.id = issue.project);
end;
drop trigger relation_gone;
create trigger relation_gone after delete on relation begin
  update issue set relations = relations - 1 where id in (old.src, old.dst);
  update issue set blockers = blockers - 1 where id = old.dst
    and exists (select 1 from relation_kind where id = old.kind and blocks)
    and exists (select 1 from issue s where s.id = old.src and s.category <> 'done' and s.deleted_at is null
      and (not s.aside or s.project = issue.project));
end;
drop trigger relation_changed;
create trigger relation_changed after update of kind on relation begin
  update issue set blockers = blockers
    + ((select blocks from relation_kind where id = new.kind) - (select blocks from relation_kind where id = old.kind))
    where id = new.dst
    and exists (select 1 from issue s where s.id = new.src and s.category <> 'done' and s.deleted_at is null
      and (not s.aside or s.project = issue.project));
end;
drop trigger issue_unblocks;
create trigger issue_unblocks after update of category, deleted_at, aside on issue
  when new.relations > 0 and (new.aside <> old.aside
    or (new.category <> 'done' and new.deleted_at is null) <> (old.category <> 'done' and old.deleted_at is null)) begin
  update issue set blockers = blockers + (
      select count(*) from relation r join relation_kind k on k.id = r.kind
      where r.src = new.id and r.dst = issue.id and k.blocks
    ) * (
      (new.category <> 'done' and new.deleted_at is null and (not new.aside or new.project = issue.project))
      - (old.category <> 'done' and old.deleted_at is null and (not old.aside or new.project = issue.project))
    ) where id in (select dst from relation where src = new.id);
end;
drop trigger relation_kind_turned;
create trigger relation_kind_turned after update of blocks on relation_kind when new.blocks <> old.blocks begin
  update issue set blockers = blockers + (
      select count(*) * (new.blocks - old.blocks) from relation r join issue s on s.id = r.src
      where r.kind = new.id and r.dst = issue.id and s.category <> 'done' and s.deleted_at is null
      and (not s.aside or s.project = issue.project)
    ) where id in (select dst from relation where kind = new.id);
end;
