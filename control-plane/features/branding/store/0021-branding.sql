-- What an organization shows to readers outside of it.
create table brands (
  organization_id uuid primary key references organizations on delete cascade,
  -- Null: nothing is shown.
  name text,
  colour text check (colour ~ '^#[0-9a-f]{6}$'),
  -- A PNG.
  logo bytea check (octet_length(logo) <= 65536),
  logo_width_px smallint,
  logo_height_px smallint,
  version integer not null default 1,
  check ((logo is null) = (logo_width_px is null) and (logo is null) = (logo_height_px is null))
);
