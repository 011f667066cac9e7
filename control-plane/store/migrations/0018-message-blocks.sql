-- Messages of several endpoints in one compressed text: a chunk is found by endpoint and number of its first message, whosever the others are.
-- Null: that endpoint is the message's own, as it was for all of them before.
alter table sip_messages add column chunk_endpoint integer;
