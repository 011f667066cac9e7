-- Calls of a folded run that were given up with their worker are summed apart: what the worker measured replaces them, if it comes back.
alter table call_sums add column lost boolean not null default false;
alter table call_sums drop constraint call_sums_pkey;
alter table call_sums add primary key (run_id, instance_id, lost);

alter table call_seconds add column lost boolean not null default false;
alter table call_seconds drop constraint call_seconds_pkey;
alter table call_seconds add primary key (run_id, instance_id, at, lost);

-- In the sums of earlier folded runs they cannot be told apart.
alter table test_runs add column lost_calls_apart boolean not null default true;
update test_runs set lost_calls_apart = false where folded;
