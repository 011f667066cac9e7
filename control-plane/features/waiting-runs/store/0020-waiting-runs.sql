-- Runs that wait for their agents before they are planned.
create table run_waits (
  run_id uuid primary key references test_runs on delete cascade,
  -- How many agents; null: those that its plan needs.
  agents integer,
  until timestamptz not null,
  -- What was found last: agents that can carry a part of it, and what is missing; null: nothing.
  online integer not null default 0,
  missing text
);
