-- What hangs on an issue is counted on it: lists show it, and only issues that have such parts are asked for them.
-- Modules that hang on it what this one does not know count that themselves.
create trigger issue_voted after insert on issue_vote begin
  update issue set votes = votes + 1 where id = new.issue;
end;
create trigger issue_unvoted after delete on issue_vote begin
  update issue set votes = votes - 1 where id = old.issue;
end;
create trigger web_link_added after insert on web_link begin
  update issue set links = links + 1 where id = new.issue;
end;
create trigger web_link_gone after delete on web_link begin
  update issue set links = links - 1 where id = old.issue;
end;

-- The number of an issue that leaves its project is not given out again.
create trigger issue_number_gone after delete on issue begin
  update project set numbers = old.number where id = old.project and numbers < old.number;
end;
create trigger issue_number_left after update of project on issue when new.project <> old.project begin
  update project set numbers = old.number where id = old.project and numbers < old.number;
end;

-- A child in the trash does not count.
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

-- An issue stands on the level of its type.
create trigger issue_type_level after update of level on issue_type begin
  update issue set level_no = new.level where type = new.id;
end;

-- `issue.blockers` is how many open issues block it, `issue.relations` how many relations it has, of any kind.
--
-- Open issues of a project that is archived or in the trash block nothing elsewhere; an issue says by `aside` that it
-- is settled so. A project may have many, and so a schedule settles them step by step: `unsettled` are the projects
-- that wait for it. It looks for issues with relations: one that gets its first later is settled here.
create trigger project_put_aside after update of archived_at, deleted_at on project
  when (new.archived_at is null and new.deleted_at is null) <> (old.archived_at is null and old.deleted_at is null) begin
  insert into unsettled values (new.id, 0) on conflict do update set after = 0;
end;
create trigger relation_added after insert on relation begin
  update issue set relations = relations + 1 where id in (new.src, new.dst);
  update issue set blockers = blockers + 1 where id = new.dst
    and exists (select 1 from relation_kind where id = new.kind and blocks)
    and exists (select 1 from issue s where s.id = new.src and s.category <> 'done' and s.deleted_at is null
      and (not s.aside or s.project = issue.project));
  update issue set aside = not aside where id = new.src and aside <> (select p.archived_at is not null
    or p.deleted_at is not null from project p where p.id = issue.project);
end;
create trigger relation_gone after delete on relation begin
  update issue set relations = relations - 1 where id in (old.src, old.dst);
  update issue set blockers = blockers - 1 where id = old.dst
    and exists (select 1 from relation_kind where id = old.kind and blocks)
    and exists (select 1 from issue s where s.id = old.src and s.category <> 'done' and s.deleted_at is null
      and (not s.aside or s.project = issue.project));
end;
create trigger relation_changed after update of kind on relation begin
  update issue set blockers = blockers
    + ((select blocks from relation_kind where id = new.kind) - (select blocks from relation_kind where id = old.kind))
    where id = new.dst
    and exists (select 1 from issue s where s.id = new.src and s.category <> 'done' and s.deleted_at is null
      and (not s.aside or s.project = issue.project));
end;
create trigger relation_kind_turned after update of blocks on relation_kind when new.blocks <> old.blocks begin
  update issue set blockers = blockers + (
      select count(*) * (new.blocks - old.blocks) from relation r join issue s on s.id = r.src
      where r.kind = new.id and r.dst = issue.id and s.category <> 'done' and s.deleted_at is null
      and (not s.aside or s.project = issue.project)
    ) where id in (select dst from relation where kind = new.id);
end;
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

-- How many issues of a type stand in a project's lane, deleted ones left out: counts on screens come from here.
create trigger issue_counted after insert on issue when new.deleted_at is null begin
  insert into project_count values (new.project, new.lane, new.type, 1)
    on conflict do update set issues = issues + 1;
end;
create trigger issue_recounted after update of project, lane, type, deleted_at on issue begin
  update project_count set issues = issues - (old.deleted_at is null)
    where project = old.project and lane = old.lane and type = old.type;
  insert into project_count values (new.project, new.lane, new.type, new.deleted_at is null)
    on conflict do update set issues = issues + (new.deleted_at is null);
end;
create trigger issue_uncounted after delete on issue when old.deleted_at is null begin
  update project_count set issues = issues - 1
    where project = old.project and lane = old.lane and type = old.type;
end;

-- How many issues of a project have a label, a component, or a value in a field, deleted ones left out.
create trigger issue_label_counted after insert on issue_label begin
  insert into label_count select new.label, project, deleted_at is null from issue where id = new.issue
    on conflict do update set issues = issues + excluded.issues;
end;
create trigger issue_label_uncounted after delete on issue_label begin
  update label_count set issues = issues - (select deleted_at is null from issue where id = old.issue)
    where label = old.label and project = (select project from issue where id = old.issue);
end;
create trigger issue_labels_recounted after update of project, deleted_at on issue begin
  update label_count set issues = issues - (old.deleted_at is null)
    where project = old.project and label in (select label from issue_label where issue = new.id);
  insert into label_count select label, new.project, new.deleted_at is null from issue_label where issue = new.id
    on conflict do update set issues = issues + excluded.issues;
end;
create trigger issue_component_counted after insert on issue_component begin
  insert into component_count select new.component, project, deleted_at is null from issue where id = new.issue
    on conflict do update set issues = issues + excluded.issues;
end;
create trigger issue_component_uncounted after delete on issue_component begin
  update component_count set issues = issues - (select deleted_at is null from issue where id = old.issue)
    where component = old.component and project = (select project from issue where id = old.issue);
end;
create trigger issue_components_recounted after update of project, deleted_at on issue begin
  update component_count set issues = issues - (old.deleted_at is null)
    where project = old.project and component in (select component from issue_component where issue = new.id);
  insert into component_count
    select component, new.project, new.deleted_at is null from issue_component where issue = new.id
    on conflict do update set issues = issues + excluded.issues;
end;

-- A field of several values counts once.
create trigger issue_value_counted after insert on issue_value
  when (select count(*) from issue_value where issue = new.issue and field = new.field) = 1 begin
  insert into field_count select new.field, project, deleted_at is null from issue where id = new.issue
    on conflict do update set issues = issues + excluded.issues;
end;
create trigger issue_value_uncounted after delete on issue_value
  when not exists (select 1 from issue_value where issue = old.issue and field = old.field) begin
  update field_count set issues = issues - (select deleted_at is null from issue where id = old.issue)
    where field = old.field and project = (select project from issue where id = old.issue);
end;
create trigger issue_values_recounted after update of project, deleted_at on issue begin
  update field_count set issues = issues - (old.deleted_at is null)
    where project = old.project and field in (select field from issue_value where issue = new.id);
  insert into field_count select distinct field, new.project, new.deleted_at is null from issue_value where issue = new.id
    on conflict do update set issues = issues + excluded.issues;
end;

-- What is searched of an issue.
create trigger issue_searched after insert on issue when new.deleted_at is null begin
  insert into search_entry (kind, ref, title, body) values ('issue', new.id, new.title, new.body);
end;
create trigger issue_searched_anew after update of title, body, deleted_at on issue
  when new.deleted_at is null
  and (new.title <> old.title or new.body <> old.body or old.deleted_at is not null) begin
  insert into search_entry (kind, ref, title, body) values ('issue', new.id, new.title, new.body);
end;
create trigger issue_hidden after update of deleted_at on issue
  when new.deleted_at is not null and old.deleted_at is null begin
  delete from search_entry where kind = 'issue' and ref = +old.id;
end;
create trigger issue_unsearched after delete on issue when old.deleted_at is null begin
  delete from search_entry where kind = 'issue' and ref = +old.id;
end;

-- Who sees an issue no more is told that it is gone; `sync.delta` asks here who saw it. The number is that of the next
-- event: the counter moves when a commit ends, and events are written then; `last_seq` knows of them.
create trigger issue_sight_changed after update of project, level, reporter, deleted_at on issue
  when old.deleted_at is null and (new.deleted_at is not null or new.project <> old.project
  or new.level is not old.level or new.reporter <> old.reporter) begin
  insert into issue_lost (seq, issue, project, level, reporter)
    select max(value, coalesce((select max(seq) from events), 0), coalesce(last_seq(), 0)) + 1,
      old.id, old.project, old.level, old.reporter
      from counter where name = 'seq';
end;
create trigger issue_sight_unassigned after delete on issue_assignee begin
  insert into issue_lost (seq, issue, who)
    select max(value, coalesce((select max(seq) from events), 0), coalesce(last_seq(), 0)) + 1, old.issue, old.who
      from counter where name = 'seq';
end;
create trigger issue_sight_unwatched after delete on issue_watcher begin
  insert into issue_lost (seq, issue, who)
    select max(value, coalesce((select max(seq) from events), 0), coalesce(last_seq(), 0)) + 1, old.issue, old.who
      from counter where name = 'seq';
end;
create trigger issue_sight_gone after delete on issue when old.deleted_at is null begin
  insert into issue_lost (seq, issue, project, level, reporter)
    select max(value, coalesce((select max(seq) from events), 0), coalesce(last_seq(), 0)) + 1,
      old.id, old.project, old.level, old.reporter
      from counter where name = 'seq';
end;
