-- One of the messages of a call that came together says whose they are; the others are found by their endpoint.
alter table sip_messages add column first_of_call boolean not null default true;
drop index sip_messages_by_call;
-- A stranger's Call-ID may be longer than an index entry.
create index sip_messages_by_call on sip_messages (run_id, left(call_id, 255)) where first_of_call;
