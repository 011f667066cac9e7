-- Messages by mail.

create table mail_settings (
  project_id uuid primary key references projects on delete cascade,
  recipients text[] not null,
  version integer not null default 1,
  updated_at timestamptz not null default now()
);

create table mails (
  id uuid primary key,
  announcement_id uuid not null references announcements on delete cascade,
  project_id uuid not null references projects on delete cascade,
  recipient text not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  attempts integer not null default 0,
  created_at timestamptz not null,
  retry_until timestamptz not null,
  error text,
  unique (announcement_id, recipient)
);
create index mails_list on mails (project_id, created_at desc, id desc);
