-- The customer who shared a request with another: how many they may add in a day is bounded.
alter table request_customer add column added_by integer;
create index request_customer_added on request_customer (added_by, at) where added_by is not null;
