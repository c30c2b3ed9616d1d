-- An issue that leaves a sprint which is done keeps it as a former one; one that comes back has it as its own again.
create trigger sprint_left after update of sprint on issue when old.sprint is not new.sprint begin
  insert or ignore into sprint_past (issue, sprint)
    select old.id, s.id from sprint s where s.id = old.sprint and s.state = 'done' and s.deleted_at is null;
  delete from sprint_past where issue = new.id and sprint = new.sprint;
end;
-- What is searched of a sprint: its name, and what it is for.
create trigger sprint_searched after insert on sprint when new.deleted_at is null begin
  insert into search_entry (kind, ref, title, body) values ('sprint', new.id, new.name, new.goal);
end;
create trigger sprint_searched_anew after update of name, goal, deleted_at on sprint
  when (new.name, new.goal, new.deleted_at is null) <> (old.name, old.goal, old.deleted_at is null) begin
  delete from search_entry where kind = 'sprint' and ref = +old.id and new.deleted_at is not null;
  insert into search_entry (kind, ref, title, body)
    select 'sprint', new.id, new.name, new.goal where new.deleted_at is null;
end;
create trigger sprint_unsearched after delete on sprint begin
  delete from search_entry where kind = 'sprint' and ref = +old.id;
end;
-- Texts that name it as it was called before go on finding it.
create trigger sprint_renamed after update of name on sprint when new.name <> old.name and old.name <> '' begin
  insert or ignore into former_name (kind, id, name) values ('sprint', old.id, old.name);
end;
create trigger sprint_forgotten after delete on sprint begin
  delete from former_name where kind = 'sprint' and id = old.id;
end;
