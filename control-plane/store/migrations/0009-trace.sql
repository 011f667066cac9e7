-- What agents see beside calls, and what is kept of the wire.

-- Milliseconds to the final response of the one OPTIONS that an endpoint of mode OPTIONS sends; its status is final_status.
alter table endpoints add column options_rtt_ms real;
