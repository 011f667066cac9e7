-- Telling people: webhooks, mail, status pages.

create index announcements_by_project on announcements (project_id);
create index announcements_by_organization on announcements (organization_id);

alter table webhooks
  add column format text not null default 'STANDARD' check (format in ('STANDARD', 'SLACK', 'TEAMS', 'PAGERDUTY')),
  add column enabled boolean not null default true,
  add column disabled_at timestamptz,
  add column disabled_reason text,
  -- Since when nothing has arrived; null: the last try did.
  add column failing_since timestamptz,
  -- What deliveries are signed with beside `secret`, until then.
  add column previous_secret text,
  add column previous_secret_until timestamptz;

-- id: the receiver's `webhook-id`, the same in every try. round_attempts: tries since it was sent first, or again by hand.
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

-- A try. status null: no answer came; error says why.
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

create table mail_settings (
  project_id uuid primary key references projects on delete cascade,
  recipients text[] not null,
  version integer not null default 1,
  updated_at timestamptz not null default now()
);

create table mails (
  id uuid primary key,
  announcement_id uuid not null references announcements on delete cascade,
  project_id uuid not null references projects on delete cascade,
  recipient text not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  attempts integer not null default 0,
  created_at timestamptz not null,
  retry_until timestamptz not null,
  error text,
  unique (announcement_id, recipient)
);
create index mails_list on mails (project_id, created_at desc, id desc);

-- What the public sees of a project. The slug is the installation's: it stands in the address.
create table status_pages (
  project_id uuid primary key references projects on delete cascade,
  slug text not null unique,
  title text not null,
  description text not null default '',
  published boolean not null,
  version integer not null default 1,
  updated_at timestamptz not null default now()
);
create table status_page_probes (
  project_id uuid not null references status_pages on delete cascade,
  probe_id uuid not null references probes on delete cascade,
  display_name text not null,
  position smallint not null,
  primary key (project_id, probe_id)
);
create index status_page_probes_by_probe on status_page_probes (probe_id);

-- Graded executions of a probe in a day or an hour (UTC). They outlive the executions; a verdict UNKNOWN is none.
create table probe_verdicts (
  probe_id uuid not null references probes on delete cascade,
  grain text not null check (grain in ('DAY', 'HOUR')),
  at timestamptz not null,
  healthy integer not null default 0,
  degraded integer not null default 0,
  unhealthy integer not null default 0,
  primary key (probe_id, grain, at)
);
create index probe_verdicts_hours on probe_verdicts (at) where grain = 'HOUR';

create function add_probe_verdicts(probe uuid, scheduled timestamptz, status text, n integer) returns void language sql as $$
  insert into probe_verdicts as v (probe_id, grain, at, healthy, degraded, unhealthy)
  select probe, upper(g), date_trunc(g, scheduled, 'UTC'),
    case status when 'HEALTHY' then n else 0 end,
    case status when 'DEGRADED' then n else 0 end,
    case status when 'UNHEALTHY' then n else 0 end
  from unnest(array['day', 'hour']) g
  on conflict (probe_id, grain, at) do update set
    healthy = v.healthy + excluded.healthy, degraded = v.degraded + excluded.degraded, unhealthy = v.unhealthy + excluded.unhealthy
$$;
create function count_probe_verdicts() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.status <> 'UNKNOWN' then
    perform add_probe_verdicts(old.probe_id, old.scheduled_at, old.status, -1);
  end if;
  if new.status <> 'UNKNOWN' then
    perform add_probe_verdicts(new.probe_id, new.scheduled_at, new.status, 1);
  end if;
  return null;
end $$;
create trigger probe_verdicts_first after insert on probe_instances
  for each row when (new.status <> 'UNKNOWN') execute function count_probe_verdicts();
create trigger probe_verdicts_again after update on probe_instances
  for each row when (new.status <> old.status) execute function count_probe_verdicts();

insert into probe_verdicts (probe_id, grain, at, healthy, degraded, unhealthy)
  select probe_id, upper(g), date_trunc(g, scheduled_at, 'UTC'), count(*) filter (where status = 'HEALTHY'),
    count(*) filter (where status = 'DEGRADED'), count(*) filter (where status = 'UNHEALTHY')
  from probe_instances, unnest(array['day', 'hour']) g where status <> 'UNKNOWN' group by 1, 2, 3;
