-- What tells a run from others, and what its start said in place of the test's values; null: nothing.
alter table test_runs
  add column labels jsonb not null default '{}',
  add column overrides jsonb;

-- A start's Idempotency-Key is kept with all others (0002).
drop index test_runs_idempotency;
alter table test_runs drop column idempotency_key;
