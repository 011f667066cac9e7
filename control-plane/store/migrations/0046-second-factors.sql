-- A second factor: codes by time (RFC 6238), and recovery codes for when the device is lost.

create table second_factors (
  -- The person's.
  id uuid primary key references users on delete cascade,
  -- Sealed (store/secrets). offered: of a device from which no code has come yet; the one before is good until then.
  secret bytea,
  offered bytea,
  confirmed_at timestamptz,
  -- The time step of the last code that was taken: none is taken twice.
  last_step bigint not null default 0,
  check ((secret is null) = (confirmed_at is null))
);

create table recovery_codes (
  user_id uuid not null references second_factors on delete cascade,
  -- SHA-256 of 80 random bits.
  hash bytea not null,
  primary key (user_id, hash)
);

-- Members who log in need one.
alter table organizations add column needs_second_factor boolean not null default false;

-- What replicas keep of access (0023) depends on these as well.
create trigger second_factors_change after insert or update of confirmed_at or delete on second_factors
  for each statement execute function announce_change();
drop trigger organizations_change on organizations;
create trigger organizations_change after update of name, plan, key_days, needs_second_factor or delete on organizations
  for each statement execute function announce_change();
