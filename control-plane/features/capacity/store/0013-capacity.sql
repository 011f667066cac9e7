-- Searches of the highest load that a system takes, and their trials, each of which is a run.

-- The config is the test as it was at the start.
create table capacity_searches (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  organization_id uuid not null,
  test_id uuid not null,
  test_name text not null,
  status text not null,
  settings jsonb not null,
  config jsonb not null,
  duration_seconds integer not null,
  buildup_seconds integer not null,
  trial_count integer not null default 0,
  -- The next trial is due at this time, in state WAITING.
  due_at timestamptz,
  answer jsonb,
  error text,
  started_by uuid references users on delete set null,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index capacity_searches_list on capacity_searches (project_id, created_at desc, id desc);
create index capacity_searches_open on capacity_searches (id) where ended_at is null;

create table capacity_trials (
  search_id uuid not null references capacity_searches on delete cascade,
  number integer not null,
  run_id uuid not null,
  level double precision not null,
  phase text not null,
  result text,
  evidence jsonb,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (search_id, number)
);
create unique index capacity_trials_by_run on capacity_trials (run_id);
