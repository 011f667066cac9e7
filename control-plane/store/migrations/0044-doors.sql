-- Doors: browsers that people have logged in from, links that set a password, and how often was refused.

-- A browser keeps a token after somebody has logged in there. It has tries of its own, so that strangers' guesses keep nobody out.
create table known_devices (
  -- SHA-256 of the cookie's token.
  hash bytea not null,
  user_id uuid not null references users on delete cascade,
  last_used_at timestamptz not null,
  primary key (hash, user_id)
);
create index known_devices_by_user on known_devices (user_id, last_used_at desc);

-- Links that set a person's password: by mail, or from the operator's command. All of a person go with the first that is used.
create table password_links (
  hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null
);
create index password_links_by_user on password_links (user_id);

-- Refusals in a window of time, by what and from which network; '': from anywhere. The audit log has the first ones, then counts.
create table refusals (
  organization_id uuid not null references organizations on delete cascade,
  action text not null,
  network text not null,
  window_start timestamptz not null,
  refusals bigint not null,
  primary key (organization_id, action, network, window_start)
);

-- What the operator's command does.
alter table audit_entries drop constraint audit_entries_via_check;
alter table audit_entries add constraint audit_entries_via_check
  check (via in ('SESSION', 'KEY', 'LOGIN', 'AGENT', 'OPERATOR'));
