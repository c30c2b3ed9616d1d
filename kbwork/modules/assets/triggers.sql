-- What is searched of an asset: key and name, and those of its values that are texts.
create trigger asset_searched after insert on asset begin
  insert into search_entry (kind, ref, title, body)
    select 'asset', a.key, a.key || ' ' || a.name, coalesce((select group_concat(value, char(10)) from (select v.value
      from asset_value v join asset_type y on y.id = a.type join json_each(y.fields) f on f.value ->> 'key' = v.field
      where v.asset = a.id and f.value ->> 'kind' in ('text', 'select', 'url') order by v.field)), '')
    from asset a where a.id = new.id;
end;
create trigger asset_searched_anew after update of name on asset when new.name <> old.name begin
  insert into search_entry (kind, ref, title, body)
    select 'asset', a.key, a.key || ' ' || a.name, coalesce((select group_concat(value, char(10)) from (select v.value
      from asset_value v join asset_type y on y.id = a.type join json_each(y.fields) f on f.value ->> 'key' = v.field
      where v.asset = a.id and f.value ->> 'kind' in ('text', 'select', 'url') order by v.field)), '')
    from asset a where a.id = new.id;
end;
create trigger asset_unsearched after delete on asset begin
  delete from search_entry where kind = 'asset' and ref = +old.key;
end;
create trigger asset_value_searched after insert on asset_value begin
  insert into search_entry (kind, ref, title, body)
    select 'asset', a.key, a.key || ' ' || a.name, coalesce((select group_concat(value, char(10)) from (select v.value
      from asset_value v join asset_type y on y.id = a.type join json_each(y.fields) f on f.value ->> 'key' = v.field
      where v.asset = a.id and f.value ->> 'kind' in ('text', 'select', 'url') order by v.field)), '')
    from asset a where a.id = new.asset;
end;
create trigger asset_value_searched_anew after update of value on asset_value when new.value <> old.value begin
  insert into search_entry (kind, ref, title, body)
    select 'asset', a.key, a.key || ' ' || a.name, coalesce((select group_concat(value, char(10)) from (select v.value
      from asset_value v join asset_type y on y.id = a.type join json_each(y.fields) f on f.value ->> 'key' = v.field
      where v.asset = a.id and f.value ->> 'kind' in ('text', 'select', 'url') order by v.field)), '')
    from asset a where a.id = new.asset;
end;
create trigger asset_value_unsearched after delete on asset_value begin
  insert into search_entry (kind, ref, title, body)
    select 'asset', a.key, a.key || ' ' || a.name, coalesce((select group_concat(value, char(10)) from (select v.value
      from asset_value v join asset_type y on y.id = a.type join json_each(y.fields) f on f.value ->> 'key' = v.field
      where v.asset = a.id and f.value ->> 'kind' in ('text', 'select', 'url') order by v.field)), '')
    from asset a where a.id = old.asset;
end;
create trigger asset_type_searched_anew after update of fields on asset_type when new.fields <> old.fields begin
  insert into search_entry (kind, ref, title, body)
    select 'asset', a.key, a.key || ' ' || a.name, coalesce((select group_concat(value, char(10)) from (select v.value
      from asset_value v join asset_type y on y.id = a.type join json_each(y.fields) f on f.value ->> 'key' = v.field
      where v.asset = a.id and f.value ->> 'kind' in ('text', 'select', 'url') order by v.field)), '')
    from asset a where a.type = new.id and exists (select 1 from asset_value v
      join json_each(new.fields) n on n.value ->> 'key' = v.field
      join json_each(old.fields) o on o.value ->> 'key' = v.field where v.asset = a.id
      and (n.value ->> 'kind' in ('text', 'select', 'url')) <> (o.value ->> 'kind' in ('text', 'select', 'url')));
end;
