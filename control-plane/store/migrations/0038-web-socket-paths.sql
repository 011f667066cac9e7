-- Where a server has its WebSocket (RFC 7118): of HTTP, and no part of a SIP URI, where it stood before.
alter table registrars add column web_socket_path text;
update registrars
set web_socket_path = substring(outbound_proxy_uri from ';ws-path=(/[^;?>]*)'),
    outbound_proxy_uri = regexp_replace(outbound_proxy_uri, ';ws-path=[^;?>]*', '')
where outbound_proxy_uri like '%;ws-path=%' and protocol in ('WS', 'WSS');
