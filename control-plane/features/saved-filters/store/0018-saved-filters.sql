-- Filters of lists that people keep for themselves, by project.
create table saved_filters (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  user_id uuid not null references users on delete cascade,
  list text not null check (list in ('RUNS', 'CALLS')),
  name text not null,
  -- As in the address of the list.
  query text not null,
  unique (project_id, user_id, list, name)
);
create index saved_filters_by_user on saved_filters (user_id);
