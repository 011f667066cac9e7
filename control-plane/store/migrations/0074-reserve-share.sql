-- The share of each worker's capacity that a run leaves free for probes. It is stored with the run, so that allocation does
-- not depend on what the run is for. The default is for runs that older control planes submit.
alter table test_runs add column reserve_share double precision not null default 0.05;
update test_runs set reserve_share = 0 where probe_id is not null and ended_at is null;
