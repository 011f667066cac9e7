-- When a person first came in; null: never. What an account is that nobody but its keys has used.
alter table users add column entered_at timestamptz;
update users u set entered_at = coalesce(
  (select min(a.at) from audit_entries a where a.user_id = u.id and a.via = 'LOGIN' and a.action not like '%Refused'),
  (select min(s.created_at) from sessions s where s.user_id = u.id),
  (select min(d.last_used_at) from known_devices d where d.user_id = u.id));
