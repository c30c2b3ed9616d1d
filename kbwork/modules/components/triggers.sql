-- Texts that name it as it was called before go on finding it.
create trigger component_renamed after update of name on component when new.name <> old.name and old.name <> '' begin
  insert or ignore into former_name (kind, id, name) values ('component', old.id, old.name);
end;
create trigger component_forgotten after delete on component begin
  delete from former_name where kind = 'component' and id = old.id;
end;
