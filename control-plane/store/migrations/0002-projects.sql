-- What a project tests with: registrars, accounts, tests, recordings.

create table projects (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  slug text not null,
  name text not null,
  description text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  -- Nobody sees a deleted project. Its runs are deleted in small statements, its own row last.
  deleted_at timestamptz,
  unique (organization_id, slug)
);
create index projects_deleted on projects (id) where deleted_at is not null;
create trigger projects_change after update of organization_id, name, deleted_at or delete on projects
  for each statement execute function announce_change();

-- Projects of a membership that does not reach all. A null role means the role of the membership.
create table project_members (
  project_id uuid not null references projects on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text check (role in ('VIEWER', 'TESTER', 'EDITOR', 'ADMIN', 'OWNER')),
  primary key (project_id, user_id)
);
create trigger project_members_change after insert or update or delete on project_members
  for each statement execute function announce_change();

create table registrars (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  slug text not null,
  name text not null,
  uri text not null,
  protocol text not null,
  dns boolean not null default false,
  outbound_proxy_uri text,
  is_cloud boolean not null default false,
  register boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  -- TLS with the registrar, in PEM; tls_verify null: as the agent's host does, without a certificate. Only agents get the key.
  tls_verify text,
  tls_ca text,
  tls_certificate text,
  -- The host of the addresses of record, if it is not the host of the URI; further gateways, tried in turn after it.
  domain text,
  gateways text[] not null default '{}',
  -- The HTTP path of the server's WebSocket (RFC 7118).
  web_socket_path text,
  tls_key bytea,
  -- SIP and media come from this address of the agent's host; null: from the agent's default.
  source_address text,
  unique (project_id, slug)
);
create trigger registrars_change after update or delete on registrars
  for each statement execute function announce_change();

create table sip_accounts (
  id uuid primary key,
  registrar_id uuid not null references registrars on delete cascade,
  username text not null,
  created_at timestamptz not null default now(),
  -- The user name for digest, the display name, the number that is dialled, and values for templates.
  auth_name text,
  display_name text,
  number text,
  own_values jsonb not null default '{}',
  password bytea,
  ha1 bytea,
  unique (registrar_id, username),
  constraint one_secret check (num_nonnulls(password, ha1) <= 1)
);

create table tests (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  slug text not null,
  name text not null,
  description text not null default '',
  endpoints integer not null,
  duration_seconds integer not null,
  buildup_seconds integer not null,
  config jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  unique (project_id, slug)
);

create table media_files (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  name text not null,
  sha256 bytea not null,
  size_bytes integer not null,
  duration_ms integer not null,
  sample_rate_hz integer,
  channels smallint,
  bits_per_sample smallint,
  content bytea not null,
  created_at timestamptz not null default now(),
  -- Facts of a video in the form of the contract (contract/media-file.ts); null for sound.
  video json,
  unique (project_id, name)
);
-- Audio samples do not compress: an attempt would only take time.
alter table media_files alter column content set storage external;

-- The provisioning file as it was last applied, object by object. A start applies only objects that differ from this, and so keeps
-- what people have changed since. An example of a name is acme/projects/lab/tests/first-call. The digest is sealed because the object
-- may have passwords.
create table provisioned_entries (
  id uuid primary key,
  name text not null unique,
  digest bytea not null
);
