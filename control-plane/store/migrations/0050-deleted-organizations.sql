-- An organization that was deleted: nobody is in it any more. Its rows go in small statements, at last its own.
alter table organizations add column deleted_at timestamptz;
create index organizations_deleted on organizations (id) where deleted_at is not null;

-- What stays of it, for whoever runs the installation: who deleted it, and when. No identifiers.
create table organization_deletions (
  at timestamptz not null,
  name text not null,
  actor text not null,
  address text not null
);
