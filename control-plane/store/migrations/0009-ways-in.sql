-- Ways in beside the password: a second factor, passkeys, an identity provider, links that set a password.

create table second_factors (
  -- The id of the user.
  id uuid primary key references users on delete cascade,
  -- Secrets are sealed (store/secrets). `offered` is for a new device that has not sent a code yet; until then `secret` is valid.
  secret bytea,
  offered bytea,
  confirmed_at timestamptz,
  -- The time step of the last accepted code: no code is accepted twice.
  last_step bigint not null default 0,
  check ((secret is null) = (confirmed_at is null))
);
create trigger second_factors_change after insert or update of confirmed_at or delete on second_factors
  for each statement execute function announce_change();

create table recovery_codes (
  user_id uuid not null references second_factors on delete cascade,
  -- SHA-256 of 80 random bits.
  hash bytea not null,
  primary key (user_id, hash)
);

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- The authenticator's identifier, and the public key in COSE (RFC 9052).
  credential_id bytea not null unique,
  public_key bytea not null,
  -- The number of signatures; 0: the authenticator does not count.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id);

-- Answered challenges until they expire: each can be answered once.
create table taken_challenges (
  hash bytea primary key,
  expires_at timestamptz not null
);
create index taken_challenges_by_end on taken_challenges (expires_at);

-- A user's account at the identity provider.
create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  email text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (issuer, subject),
  unique (user_id, issuer)
);

-- Answers of the provider for logins in progress: a second factor may still be needed.
create table sign_ins (
  -- SHA-256 of the browser's token.
  hash bytea primary key,
  issuer text not null,
  subject text not null,
  email text,
  is_strong boolean not null,
  is_done boolean not null default false,
  expires_at timestamptz not null
);
create index sign_ins_by_end on sign_ins (expires_at);

-- Links that set a password, by mail or from the operator's command. The first use of one deletes all of the user.
create table password_links (
  hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null
);
create index password_links_by_user on password_links (user_id);
