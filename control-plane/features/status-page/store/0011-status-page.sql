-- Public status pages.

-- The public page of a project. The slug is unique in the installation because it is in the address.
create table status_pages (
  project_id uuid primary key references projects on delete cascade,
  slug text not null unique,
  title text not null,
  description text not null default '',
  published boolean not null,
  version integer not null default 1,
  updated_at timestamptz not null default now()
);

create table status_page_probes (
  project_id uuid not null references status_pages on delete cascade,
  probe_id uuid not null references probes on delete cascade,
  display_name text not null,
  position smallint not null,
  primary key (project_id, probe_id)
);
create index status_page_probes_by_probe on status_page_probes (probe_id);
