-- Secrets that must be read back are sealed with a key that is not in the database (store/secrets). SQL cannot seal: what is
-- there moves to clear_…, and goes from there when the control plane next starts (store/secrets/seal-clear.ts).

-- Keys with which something is, or was, sealed. id: of its SHA-256.
create table sealing_keys (
  id bytea primary key,
  first_used_at timestamptz not null
);

alter table sip_accounts drop constraint one_secret;
alter table sip_accounts rename column password to clear_password;
alter table sip_accounts rename column ha1 to clear_ha1;
alter table sip_accounts
  add column password bytea,
  add column ha1 bytea,
  add constraint one_secret check (num_nonnulls(password, ha1, clear_password, clear_ha1) <= 1);

alter table registrars rename column tls_key to clear_tls_key;
alter table registrars add column tls_key bytea;

-- url: as it is shown. Whoever knows an address of Slack's or Teams' may write there. url_hash: SHA-256 of the whole address, by
-- which the project has one webhook for it; where an address is secret, it is too long to be guessed.
alter table webhooks drop constraint webhooks_project_id_url_key;
alter table webhooks rename column secret to clear_secret;
alter table webhooks rename column previous_secret to clear_previous_secret;
alter table webhooks
  alter column clear_secret drop not null,
  add column secret bytea,
  add column previous_secret bytea,
  add column url_hash text,
  add column clear_whole_url text,
  add column whole_url bytea;
update webhooks set url_hash = encode(sha256(convert_to(url, 'UTF8')), 'hex'), clear_whole_url = url,
  url = case when format in ('SLACK', 'TEAMS') then regexp_replace(url, '^([a-z]+://)(?:[^/@]*@)?([^/?#]+).*$', '\1\2/…') else url end;
alter table webhooks
  alter column url_hash set not null,
  add constraint has_secret check (num_nonnulls(secret, clear_secret) = 1),
  add constraint has_whole_url check (num_nonnulls(whole_url, clear_whole_url) = 1),
  add constraint webhooks_project_id_url_hash_key unique (project_id, url_hash);

alter table worker_commands add column secrets bytea, add column clear_secrets text;
update worker_commands set
  clear_secrets = jsonb_build_object('accountPassword', body #> '{endpoints,accountPassword}', 'accountHa1', body #> '{endpoints,accountHa1}',
    'tlsKey', body #> '{group,tls,key}')::text,
  body = body #- '{endpoints,accountPassword}' #- '{endpoints,accountHa1}' #- '{group,tls,key}'
where kind = 'allocate';

-- From now on a request is known by a keyed hash: one without a key tells whether a password that somebody guesses was in it.
delete from idempotency_keys;
