-- Keys that may less than the person who made them, and sessions whose person has proved again who they are.

alter table api_keys add column scopes text[] not null default '{READ,RUN,WRITE}'
  check (scopes <@ '{READ,RUN,WRITE}' and 'READ' = any (scopes));
-- null: all that the person reaches.
alter table api_keys add column project_ids uuid[];

-- A key is good for so many days, whatever it says itself; null: as it says.
alter table organizations add column key_days integer check (key_days > 0);

-- When the person of the session last gave the password, or a second factor.
alter table sessions add column proved_at timestamptz;
update sessions set proved_at = created_at;
alter table sessions alter column proved_at set not null;

-- What replicas keep of access (0023) depends on these as well.
drop trigger sessions_change on sessions;
create trigger sessions_change
  after update of hash, user_id, organization_id, expires_at, proved_at or delete on sessions
  for each statement execute function announce_change();
drop trigger organizations_change on organizations;
create trigger organizations_change after update of name, plan, key_days or delete on organizations
  for each statement execute function announce_change();
