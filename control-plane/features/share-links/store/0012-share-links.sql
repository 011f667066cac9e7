-- Addresses by which anybody reads one run, without an account, for a time.

create table share_links (
  id uuid primary key,
  run_id uuid not null references test_runs on delete cascade,
  -- SHA-256 of the token, which is shown once.
  hash bytea not null unique,
  created_by uuid references users on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  views integer not null default 0,
  last_viewed_at timestamptz
);
create index share_links_by_run on share_links (run_id, created_at, id);
create index share_links_by_end on share_links (expires_at);
