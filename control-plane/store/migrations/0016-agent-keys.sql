-- Agents' keys: since when a worker has its own, which are nobody's any more, and who came in vain.

alter table workers add column key_changed_at timestamptz;

-- Keys that were a worker's. Whoever shows one is refused, and its organization is told.
create table retired_keys (
  public_key bytea primary key,
  worker_id uuid not null references workers on delete cascade,
  reason text not null check (reason in ('CHANGED', 'REVOKED', 'PRUNED')),
  retired_at timestamptz not null
);
create index retired_keys_by_worker on retired_keys (worker_id);

-- Refusals on the agents' link in a window of time: the audit log has one entry a window, whatever comes.
create table link_refusals (
  worker_id uuid not null references workers on delete cascade,
  reason text not null,
  window_start timestamptz not null,
  attempts bigint not null,
  primary key (worker_id, reason)
);

-- An order that belongs to no run: change the key.
alter table worker_commands alter column run_id drop not null;

-- What agents do themselves, and what is done to them on the link.
alter table audit_entries drop constraint audit_entries_via_check;
alter table audit_entries add constraint audit_entries_via_check check (via in ('SESSION', 'KEY', 'LOGIN', 'AGENT'));
