-- The people who use an installation: organizations, members, sessions, API keys, the audit log.

create table organizations (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  plan text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A key is valid for at most this number of days; null: until the date that it states itself.
  key_days integer check (key_days > 0),
  -- Members need a second factor to log in.
  needs_second_factor boolean not null default false,
  -- Nobody belongs to a deleted organization. Its rows are deleted in small statements, its own row last.
  deleted_at timestamptz
);
create index organizations_deleted on organizations (id) where deleted_at is not null;

-- Replicas keep access rights and ended runs in memory, and listen for changes (store/memory.ts). The payload is the id of an ended
-- run, or empty: then anything may have changed.
create function announce_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('carillon_change', '');
  return null;
end $$;
create trigger organizations_change after update of name, plan, key_days, needs_second_factor or delete on organizations
  for each statement execute function announce_change();

create table users (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  name text not null,
  password_hash text,
  suspended_at timestamptz,
  created_at timestamptz not null default now(),
  -- The person first logged in at this time; null: never.
  entered_at timestamptz
);
create trigger users_change after update of suspended_at or delete on users
  for each statement execute function announce_change();

create table memberships (
  organization_id uuid not null references organizations on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('VIEWER', 'TESTER', 'EDITOR', 'ADMIN', 'OWNER')),
  all_projects boolean not null default true,
  primary key (organization_id, user_id)
);
create trigger memberships_change after insert or update or delete on memberships
  for each statement execute function announce_change();

create table sessions (
  id uuid primary key,
  -- SHA-256 of the cookie's token.
  hash bytea not null unique,
  user_id uuid not null references users on delete cascade,
  -- The session shows this one of the user's organizations.
  organization_id uuid not null references organizations on delete cascade,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  address text not null,
  user_agent text not null,
  -- The person last proved at this time, by password or second factor, that it is them.
  proved_at timestamptz not null,
  -- The session began with more than a password: with a passkey, or by a provider that says so.
  is_strong boolean not null default false
);
create index sessions_by_user on sessions (user_id);
create trigger sessions_change
  after update of hash, user_id, organization_id, expires_at, proved_at or delete on sessions
  for each statement execute function announce_change();

-- Links for the first owner of the installation. The first use of one deletes all of them.
create table setup_links (
  hash bytea primary key,
  expires_at timestamptz not null
);

create table invitations (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  hash bytea not null unique,
  email text not null check (email = lower(email)),
  role text not null check (role in ('VIEWER', 'TESTER', 'EDITOR', 'ADMIN', 'OWNER')),
  -- Null means all projects.
  project_ids uuid[],
  invited_by uuid references users on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  unique (organization_id, email)
);

create table api_keys (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  user_id uuid not null references users on delete cascade,
  name text not null,
  hash bytea not null unique,
  last_four text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  scopes text[] not null default '{READ,RUN,WRITE}'
  check (scopes <@ '{READ,RUN,WRITE}' and 'READ' = any (scopes)),
  -- Null means all projects that the person reaches.
  project_ids uuid[],
  unique (organization_id, name)
);
create trigger api_keys_change after update of hash, user_id, organization_id, expires_at, revoked_at or delete on api_keys
  for each statement execute function announce_change();

-- A crash may lose the count of a minute, which is not worth a write-ahead log.
create unlogged table rate_windows (
  credential_id uuid not null,
  window_start timestamptz not null,
  requests integer not null,
  primary key (credential_id, window_start)
);

-- The answer to a POST with this Idempotency-Key. `request` is a keyed hash of the body.
create table idempotency_keys (
  credential_id uuid not null,
  key text not null,
  request bytea not null,
  answer json,
  created_at timestamptz not null default now(),
  primary key (credential_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- A browser keeps a token after a login. It has attempts of its own, so that the guesses of strangers lock nobody out.
create table known_devices (
  -- SHA-256 of the cookie's token.
  hash bytea not null,
  user_id uuid not null references users on delete cascade,
  last_used_at timestamptz not null,
  primary key (hash, user_id)
);
create index known_devices_by_user on known_devices (user_id, last_used_at desc);

-- Login attempts by account and by address. All replicas share the windows.
create table login_windows (
  subject text not null,
  window_start timestamptz not null,
  attempts integer not null,
  primary key (subject, window_start)
);

-- Refusals in a window of time by action and network; '' stands for all networks. The audit log has the first ones, then counts.
create table refusals (
  organization_id uuid not null references organizations on delete cascade,
  action text not null,
  network text not null,
  window_start timestamptz not null,
  refusals bigint not null,
  primary key (organization_id, action, network, window_start)
);

create table audit_entries (
  id bigint generated always as identity primary key,
  organization_id uuid not null references organizations on delete cascade,
  -- Names are kept as they were then: the people and keys may be gone.
  user_id uuid,
  actor text not null,
  via text not null,
  action text not null,
  target jsonb not null,
  address text not null,
  at timestamptz not null,
  constraint audit_entries_via_check
  check (via in ('SESSION', 'KEY', 'LOGIN', 'AGENT', 'OPERATOR'))
);
create index audit_entries_by_organization on audit_entries (organization_id, id desc);
-- Old entries are deleted by their time.
create index audit_entries_by_time on audit_entries (at);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit entries are only ever added';
end $$;
create trigger audit_entries_stay before update on audit_entries for each row execute function refuse_change();

-- The use of an organization's plan in a calendar month (UTC). A run is counted once, when it ends.
create table usage_months (
  organization_id uuid not null references organizations on delete cascade,
  month text not null check (month ~ '^\d{4}-\d\d$'),
  endpoint_seconds bigint not null,
  runs integer not null,
  primary key (organization_id, month)
);

-- The operator's record of deleted organizations. It has no identifiers.
create table organization_deletions (
  at timestamptz not null,
  name text not null,
  actor text not null,
  address text not null
);
