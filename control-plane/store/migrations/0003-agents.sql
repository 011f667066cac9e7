-- Agents, called workers in the contract, and what the link keeps of them.

-- A worker without an organization is of scope PLATFORM: all organizations share it.
create table workers (
  id uuid primary key,
  organization_id uuid references organizations on delete cascade,
  name text not null,
  region text not null,
  capacity integer not null,
  public_key bytea unique,
  status text not null default 'OFFLINE' check (status in ('ONLINE', 'OFFLINE', 'ERROR', 'DRAINING')),
  -- The last connection of the worker, and its last sign of life: a replica that dies cannot record an end.
  connection_id uuid,
  boot_id uuid,
  connected_at timestamptz,
  seen_at timestamptz,
  gone_at timestamptz,
  hello jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  revoked_at timestamptz,
  key_changed_at timestamptz,
  -- The worker takes no new runs since this time, because an operator drains it; null: it takes runs.
  drained_at timestamptz,
  -- Two agents with one key replace each other. `former_boots` are the replaced processes, the latest last: a restarted agent never
  -- comes back as an earlier process. `copied_at` is the last time at which that happened; null: never.
  former_boots uuid[] not null default '{}',
  copied_at timestamptz,
  -- Another process of this agent took over at this time. If the replaced one comes back, measurements since then are in doubt.
  replaced_at timestamptz,
  unique nulls not distinct (organization_id, name)
);
create trigger workers_change after update of name, organization_id or delete on workers
  for each statement execute function announce_change();

create table join_tokens (
  id uuid primary key,
  worker_id uuid not null references workers on delete cascade,
  hash bytea not null unique,
  expires_at timestamptz,
  used_at timestamptz,
  created_at timestamptz not null default now()
);

-- Former keys of workers. An agent with such a key is refused, and its organization is informed.
create table retired_keys (
  public_key bytea primary key,
  worker_id uuid not null references workers on delete cascade,
  reason text not null check (reason in ('CHANGED', 'REVOKED', 'PRUNED')),
  retired_at timestamptz not null
);
create index retired_keys_by_worker on retired_keys (worker_id);

-- The last committed batch of each outbox of an agent. The next batch advances it by one; any other is a repetition.
create table outboxes (
  worker_id uuid not null references workers on delete cascade,
  outbox_id uuid not null,
  last_batch bigint not null default 0,
  updated_at timestamptz not null default now(),
  primary key (worker_id, outbox_id)
);

-- Orders to agents. The replica that holds the agent's socket delivers them. They are deleted when they are acknowledged, because they carry passwords.
create table worker_commands (
  id bigint generated always as identity primary key,
  worker_id uuid not null references workers on delete cascade,
  run_id uuid,
  instance_id uuid,
  kind text not null,
  body jsonb not null,
  created_at timestamptz not null default now(),
  secrets bytea
);
create index worker_commands_by_worker on worker_commands (worker_id, id);
create index worker_commands_by_run on worker_commands (run_id);

-- Refusals on the link in a window of time. The audit log gets one entry for each window.
create table link_refusals (
  worker_id uuid not null references workers on delete cascade,
  reason text not null,
  window_start timestamptz not null,
  attempts bigint not null,
  primary key (worker_id, reason)
);
