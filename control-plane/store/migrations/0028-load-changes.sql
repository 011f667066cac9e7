-- What users have changed of a load while it went on: [{ fromSeconds, callsPerSecond }], seconds after the start.
alter table test_runs add column load_changes jsonb not null default '[]';
