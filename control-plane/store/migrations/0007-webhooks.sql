-- What is announced, and its delivery to webhooks.

create table webhooks (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  url text not null,
  events text[] not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  format text not null default 'STANDARD' check (format in ('STANDARD', 'SLACK', 'TEAMS', 'PAGERDUTY')),
  enabled boolean not null default true,
  disabled_at timestamptz,
  disabled_reason text,
  -- All attempts since this time failed; null: the last attempt succeeded.
  failing_since timestamptz,
  previous_secret_until timestamptz,
  secret bytea not null,
  previous_secret bytea,
  url_hash text not null,
  whole_url bytea not null,
  constraint webhooks_project_id_url_hash_key unique (project_id, url_hash)
);

-- An event that webhooks may want, written in the transaction in which it happened. Without a project it concerns the organization.
create table announcements (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid references projects on delete cascade,
  kind text not null,
  body jsonb not null,
  at timestamptz not null
);
create index announcements_by_age on announcements (at);
create index announcements_by_project on announcements (project_id);
create index announcements_by_organization on announcements (organization_id);

-- The id is the `webhook-id` of the receiver, the same in every attempt. `round_attempts` counts since the first attempt, or since it was
-- last sent again by hand.
create table webhook_deliveries (
  id uuid primary key,
  webhook_id uuid not null references webhooks on delete cascade,
  announcement_id uuid not null references announcements on delete cascade,
  status text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  attempts integer not null default 0,
  round_attempts integer not null default 0,
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  retry_until timestamptz not null,
  error text,
  unique (webhook_id, announcement_id)
);
create index webhook_deliveries_list on webhook_deliveries (webhook_id, created_at desc, id desc);
create index webhook_deliveries_by_status on webhook_deliveries (webhook_id, status, created_at desc, id desc);
create index webhook_deliveries_pending on webhook_deliveries (webhook_id) where status = 'PENDING';
create index webhook_deliveries_by_announcement on webhook_deliveries (announcement_id);

-- An attempt. A null status means that no answer came, and `error` says why.
create table webhook_attempts (
  delivery_id uuid not null references webhook_deliveries on delete cascade,
  number integer not null,
  at timestamptz not null,
  duration_ms real not null,
  status smallint,
  error text,
  answer text,
  primary key (delivery_id, number)
);
