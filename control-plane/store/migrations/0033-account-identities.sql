-- What an account is beside its user name: what answers digest for it, how it is shown and called, and values of its own.
alter table sip_accounts
  alter column password drop not null,
  add column auth_name text,
  -- In hexadecimal digits, of one realm (RFC 7616, 3.4.2).
  add column ha1 text,
  add column display_name text,
  add column number text,
  add column own_values jsonb not null default '{}',
  add constraint one_secret check (password is null or ha1 is null);
