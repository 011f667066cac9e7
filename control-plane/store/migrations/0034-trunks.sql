-- The host of the endpoints' addresses of record, where it is not that of the URI; and further gateways, tried in turn after it.
alter table registrars
  add column domain text,
  add column gateways text[] not null default '{}';
