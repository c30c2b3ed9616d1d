-- Rules that a request from outside sets off: the token in its path, sealed to be shown to admins and as a digest to be
-- found by; and what such a request said, for as long as its run waits.
alter table rule add column token blob;
alter table rule add column digest blob;
alter table rule_run add column payload text;
create unique index rule_digest on rule (digest) where digest is not null;
