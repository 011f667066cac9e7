-- What the provisioning file said of each of its objects when that was last applied. A start applies what says something else now, and
-- leaves alone what people have changed since. name: acme/projects/lab/tests/first-call; digest: sealed, as passwords are in what it is of.
create table provisioned_entries (
  id uuid primary key,
  name text not null unique,
  digest bytea not null
);
