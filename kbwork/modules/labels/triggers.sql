-- Texts that name it as it was called before go on finding it.
create trigger label_renamed after update of name on label when new.name <> old.name and old.name <> '' begin
  insert or ignore into former_name (kind, id, name) values ('label', old.id, old.name);
end;
create trigger label_forgotten after delete on label begin
  delete from former_name where kind = 'label' and id = old.id;
end;
