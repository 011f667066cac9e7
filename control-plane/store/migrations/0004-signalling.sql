-- Signalling: load shapes, scenarios, transports.

-- Calls that the circuit breaker kept from being started.
alter table start_noise add column held_back integer not null default 0;

-- How calls were started, kept when the run ends.
alter table test_runs add column starts jsonb;
