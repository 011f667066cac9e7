-- Pools: agents enrol themselves by the token of their pool, each as a new worker, and may leave again.

create table pools (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  name text not null,
  region text not null,
  -- Of each of its workers.
  capacity integer not null,
  name_pattern text not null,
  -- Agents at a time.
  max_agents integer not null,
  -- What the policies of its hosts may permit at most; {}: anything.
  policy jsonb not null default '{}',
  -- SHA-256 of the token, which is shown once.
  hash bytea not null unique,
  created_by uuid references users on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- The agents that it has enrolled so far, by which they are numbered.
  joined integer not null default 0
);
create unique index pools_by_name on pools (organization_id, name) where revoked_at is null;

create table pool_workers (
  worker_id uuid primary key references workers on delete cascade,
  pool_id uuid not null references pools on delete cascade,
  -- Its agent leaves when it is stopped, and is taken for gone when it is away for long.
  is_disposable boolean not null,
  joined_at timestamptz not null,
  -- The worker was archived or revoked; its row stays, because its runs refer to it.
  left_at timestamptz
);
create index pool_workers_by_pool on pool_workers (pool_id, joined_at, worker_id);
create index pool_workers_present on pool_workers (pool_id) where left_at is null;

create function leave_pool() returns trigger language plpgsql as $$
begin
  update pool_workers set left_at = new.revoked_at where worker_id = new.id and left_at is null;
  return null;
end $$;
create trigger workers_leave_pool after update of revoked_at on workers
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function leave_pool();
