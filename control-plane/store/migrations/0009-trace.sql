-- What agents see beside calls, and what is kept of the wire.

-- Milliseconds to the final response of the one OPTIONS that an endpoint of mode OPTIONS sends; its status is final_status.
alter table endpoints add column options_rtt_ms real;

-- Between which addresses a message went; null: agents of before did not say.
alter table sip_messages add column transport text, add column local_port integer;
alter table sip_chunks add column local_address text;

-- Of a callee: the number of the endpoint that called it, as its INVITE said; null: it did not.
alter table endpoints add column peer_number integer;
create index endpoints_peer on endpoints (run_id, peer_number) where peer_number is not null;
