-- Other ways in: passkeys (WebAuthn), and sign-in through the installation's identity provider (OpenID Connect).

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- The authenticator's name for it, and its public key in COSE (RFC 9052).
  credential_id bytea not null unique,
  public_key bytea not null,
  -- Signatures that it has made; 0: it does not count.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id);

-- Challenges that were answered, until they end: each is answered once.
create table taken_challenges (
  hash bytea primary key,
  expires_at timestamptz not null
);
create index taken_challenges_by_end on taken_challenges (expires_at);

-- A person as the provider knows them.
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

-- What the provider has said to an answer, until that has led somewhere: a code may still be asked for.
create table sign_ins (
  -- SHA-256 of what the browser keeps.
  hash bytea primary key,
  issuer text not null,
  subject text not null,
  email text,
  is_strong boolean not null,
  is_done boolean not null default false,
  expires_at timestamptz not null
);
create index sign_ins_by_end on sign_ins (expires_at);

-- Begun with more than a password: a passkey, or a provider that says so.
alter table sessions add column is_strong boolean not null default false;

-- What replicas keep of access (0023) depends on nothing here: a session is strong from its first instant, or never.
