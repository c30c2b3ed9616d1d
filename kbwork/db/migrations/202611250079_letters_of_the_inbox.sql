-- Letters that belong together name one thread; a letter whose list is left by one request without signing in says so.
alter table mail add column thread text;
alter table mail add column one_click integer not null default 0;
