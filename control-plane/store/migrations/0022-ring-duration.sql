-- How long a call rang: proto/figures/call-figures.ts. Calls that ended before have none.
alter table endpoints add column ring_duration_ms real;
