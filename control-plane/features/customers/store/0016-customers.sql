-- The use of an organization's plan by project, in a calendar month (UTC). That of a deleted project stays only in usage_months.
create table project_usage_months (
  organization_id uuid not null references organizations on delete cascade,
  month text not null check (month ~ '^\d{4}-\d\d$'),
  project_id uuid not null references projects on delete cascade,
  endpoint_seconds bigint not null,
  runs integer not null,
  primary key (organization_id, month, project_id)
);
-- Runs that ended before, as far as they are kept.
insert into project_usage_months (organization_id, month, project_id, endpoint_seconds, runs)
select r.organization_id, to_char(r.ended_at at time zone 'UTC', 'YYYY-MM'), r.project_id,
  sum(ceil(r.endpoints * greatest(0, extract(epoch from r.ended_at - r.started_at)))), count(*)
from test_runs r
where r.started_at is not null and r.ended_at is not null
group by 1, 2, 3;
