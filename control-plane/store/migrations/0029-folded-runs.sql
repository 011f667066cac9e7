-- A run that plans more calls than are kept one by one is folded: each call that ends is added to sums, and only some have rows.
alter table test_runs add column folded boolean not null default false;

-- By instance, so that nobody waits; plain data of domain/sums, null: nothing yet.
create table call_sums (
  run_id uuid not null references test_runs on delete cascade,
  instance_id uuid not null,
  calls json,
  failures json,
  streams json,
  primary key (run_id, instance_id)
);

-- What calls did in each second. Set-up times by bucket (domain/sums/spread.ts), a bucket as often as batches told of it.
create table call_seconds (
  run_id uuid not null references test_runs on delete cascade,
  instance_id uuid not null,
  at timestamptz not null,
  started integer not null,
  answered integer not null,
  "left" integer not null,
  ended integer not null,
  failed integer not null,
  class_0 integer not null,
  class_2 integer not null,
  class_3 integer not null,
  class_4 integer not null,
  class_5 integer not null,
  class_6 integer not null,
  setup_buckets integer[] not null,
  setup_counts integer[] not null,
  primary key (run_id, instance_id, at)
);

-- Of two indexes that begin with the run, the planner takes this one for calls that it should find by their numbers, and walks through all
-- of the run's.
drop index endpoints_by_id;
create unique index endpoints_by_id on endpoints (id, run_id);
