-- Texts that name it as it was called before go on finding it.
create trigger label_renamed after update of name on label when new.name <> old.name and old.name <> '' begin
  insert or ignore into former_name (kind, id, name) values ('label', old.id, old.name);
end;
create trigger label_forgotten after delete on label begin
  delete from former_name where kind = 'label' and id = old.id;
end;

-- What is searched of a label: its name, and what is said of it.
create trigger label_searched after insert on label begin
  insert into search_entry (kind, ref, title, body) values ('label', new.id, new.name, new.description);
end;
create trigger label_searched_anew after update of name, description on label
  when (new.name, new.description) <> (old.name, old.description) begin
  insert into search_entry (kind, ref, title, body) values ('label', new.id, new.name, new.description);
end;
create trigger label_unsearched after delete on label begin
  delete from search_entry where kind = 'label' and ref = +old.id;
end;
