-- Whose the installation is: the OWNERs of this organization. One row, or none while there is no organization. A null organization
-- means that several were there when it was first asked, or that it was deleted: then nobody owns the installation.
create table installation (
  id boolean primary key default true check (id),
  organization_id uuid references organizations on delete set null
);
