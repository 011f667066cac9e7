-- Loads whose endpoints place call after call: calls that were due while every endpoint had one.
alter table start_noise add column no_free_endpoint integer not null default 0;
