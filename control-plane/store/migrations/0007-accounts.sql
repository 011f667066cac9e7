-- People: how the first one comes in, sessions, invitations, limits of logging in, and who did what.

-- Links by which the installation's first owner comes in; all go with the first that is used.
create table setup_links (
  hash bytea primary key,
  expires_at timestamptz not null
);

create table sessions (
  id uuid primary key,
  -- SHA-256 of the cookie's token.
  hash bytea not null unique,
  user_id uuid not null references users on delete cascade,
  -- Which of the user's organizations the session looks at.
  organization_id uuid not null references organizations on delete cascade,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  address text not null,
  user_agent text not null
);
create index sessions_by_user on sessions (user_id);

create table invitations (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  hash bytea not null unique,
  email text not null check (email = lower(email)),
  role text not null check (role in ('VIEWER', 'TESTER', 'EDITOR', 'ADMIN', 'OWNER')),
  -- null: all projects.
  project_ids uuid[],
  invited_by uuid references users on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  unique (organization_id, email)
);

-- Attempts to log in, by account and by address, in a window of time that all replicas share.
create table login_windows (
  subject text not null,
  window_start timestamptz not null,
  attempts integer not null,
  primary key (subject, window_start)
);

create table audit_entries (
  id bigint generated always as identity primary key,
  organization_id uuid not null references organizations on delete cascade,
  -- Names as they were then: the people and keys may be gone.
  user_id uuid,
  actor text not null,
  via text not null check (via in ('SESSION', 'KEY', 'LOGIN')),
  action text not null,
  target jsonb not null,
  address text not null,
  at timestamptz not null
);
create index audit_entries_by_organization on audit_entries (organization_id, id desc);
-- What is old goes.
create index audit_entries_by_time on audit_entries (at);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit entries are only ever added';
end $$;
create trigger audit_entries_stay before update on audit_entries for each row execute function refuse_change();

-- Sessions ask, too: requests are counted and repeated by whatever credential they came with.
alter table rate_windows rename column key_id to credential_id;
alter table idempotency_keys drop constraint idempotency_keys_key_id_fkey;
alter table idempotency_keys rename column key_id to credential_id;

alter table workers add column revoked_at timestamptz;
