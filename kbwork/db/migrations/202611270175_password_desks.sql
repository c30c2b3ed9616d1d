-- The desks that a password opens which an agent made, a JSON list of projects; null: all. A token opens what its password
-- did when it was made.
alter table customer add column password_desks text;
alter table customer_token add column desks text;
