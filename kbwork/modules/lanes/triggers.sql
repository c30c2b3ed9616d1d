-- Texts that name it as it was called before go on finding it.
create trigger lane_renamed after update of name on lane when new.name <> old.name and old.name <> '' begin
  insert or ignore into former_name (kind, id, name) values ('lane', old.id, old.name);
end;
create trigger lane_forgotten after delete on lane begin
  delete from former_name where kind = 'lane' and id = old.id;
end;
