/** A real SIP server: Kamailio as registrar and proxy with digest authentication, or as a plain outbound proxy. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freeSipPort } from '../network/loopback.ts';
import { type Peer, startPeer, until } from '../process.ts';

export type Kamailio = {
  readonly uri: string;
  readonly address: string;
  readonly port: number;
  /** 0: it does not speak TLS. */
  readonly tlsPort: number;
  /** Contacts in its location table. */
  contacts(): Promise<number>;
  /** The most that it has had at once. */
  maxContacts(): Promise<number>;
  /** Contacts that nobody refreshed, and that it has removed for that. */
  expired(): Promise<number>;
  /** REGISTERs by the second of Unix time in which they came: all of them, and those that made or refreshed a binding. */
  registers(): Promise<{ readonly asked: PerSecond; readonly granted: PerSecond }>;
  /** The address of an endpoint without registration, for this number. */
  add(user: string, contact: string): Promise<void>;
  /** Ends it, and all that it knows is lost; `startAgain` has its port. */
  breakDown(): Promise<void>;
  startAgain(): Promise<void>;
  stop(): Promise<void>;
};

export type PerSecond = ReadonlyMap<number, number>;

/** The password of every account of the registrar. */
export const passwordOf = (username: string): string => `secret-of-${username}`;

/** REGISTER and INVITE need the password; calls are record-routed. */
const REGISTRAR = `
request_route {
  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
  if (has_totag()) {
    if (loose_route()) { WEBSOCKET_CONTACTS WEBSOCKET_TARGET MEDIA_PROXY t_relay(); exit; }
    if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }
    sl_send_reply("404", "Not Here");
    exit;
  }
  t_check_trans();
  remove_hf("Route");
  WEBSOCKET_CONTACTS
  if (is_method("REGISTER")) {
    $var(count) = $shtinc(asked=>$Ts);
    if (!pv_www_authenticate("$td", "secret-of-$au", "0")) { www_challenge("$td", "1"); exit; }
    if (!save("location")) sl_reply_error(); else if ($rc < 3) $var(count) = $shtinc(granted=>$Ts);
    if ($stat(location_contacts) > $shv(most)) $shv(most) = $stat(location_contacts);
    exit;
  }
  if (is_method("INVITE")) {
    if (!pv_proxy_authenticate("$fd", "secret-of-$au", "0")) { proxy_challenge("$fd", "1"); exit; }
    consume_credentials();
    record_route();
  }
  if (is_method("OPTIONS") && $rU == $null) { sl_send_reply("200", "Keepalive"); exit; }
  if (!lookup("location")) { sl_send_reply("404", "Not Found"); exit; }
  MEDIA_PROXY
  t_relay();
}`;

/** Forwards everything to its Request-URI, and stays in the path. */
const PROXY = `
request_route {
  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
  t_check_trans();
  if (is_method("INVITE")) record_route();
  loose_route();
  t_relay();
}`;

/** TCP and TLS in addition to UDP; TLS clients and servers have to present a certificate of the authority. */
export type StreamFiles = {
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly authorityFile: string;
};
/** Absent: 64 MiB, UDP only, and media that are sent directly. */
export type KamailioOptions = {
  /** The memory for its locations: about 1 MiB for a thousand. */
  readonly sharedMiB?: number;
  /** For TCP and TLS. */
  readonly files?: StreamFiles | null;
  /** Where WebSockets are served, at the ports of TCP and TLS. */
  readonly webSocketPath?: string | null;
  /** The `host:port` of an rtpengine (rtpengine.ts). */
  readonly mediaProxy?: string | null;
};
type Streams = StreamFiles & { readonly tlsPort: number };

/** One child: two could let a 200 overtake the previous 180, which is then dropped. */
const streaming = (
  address: string,
  port: number,
  { tlsPort, certificateFile, keyFile, authorityFile }: Streams,
): string => `
tcp_children=1
enable_tls=yes
listen=tcp:${address}:${port}
listen=tls:${address}:${tlsPort}
loadmodule "tls.so"
modparam("tls", "tls_method", "TLSv1.2+")
modparam("tls", "certificate", "${certificateFile}")
modparam("tls", "private_key", "${keyFile}")
modparam("tls", "ca_list", "${authorityFile}")
modparam("tls", "require_certificate", 1)
modparam("tls", "verify_certificate", 1)
`;

/** Endpoints on WebSockets have unreachable names (RFC 7118, 5): their Contacts get the address of the connection. */
const WEB_SOCKETS = {
  modules: `
tcp_accept_no_cl=yes
loadmodule "xhttp.so"
loadmodule "websocket.so"
loadmodule "nathelper.so"
modparam("nathelper|registrar", "received_avp", "$avp(RECEIVED)")
event_route[xhttp:request] {
  set_reply_close();
  set_reply_no_connect();
  if ($hu == "WEBSOCKET_PATH" && $hdr(Upgrade) =~ "websocket" && $hdr(Connection) =~ "Upgrade" && $rm =~ "GET" && ws_handle_handshake()) exit;
  xhttp_reply("404", "Not found", "", "");
}
onreply_route[WEBSOCKET_REPLY] {
  if (nat_uac_test(64)) add_contact_alias();
}`,
  contacts: `if (nat_uac_test(64)) {
    force_rport();
    if (is_method("REGISTER")) fix_nated_register();
    else if (is_method("INVITE|UPDATE|REFER|NOTIFY")) add_contact_alias();
  }
  if (is_method("INVITE|UPDATE")) t_on_reply("WEBSOCKET_REPLY");`,
  target: `if ($du == "") handle_ruri_alias();`,
};

/** Media go through rtpengine: the callee gets plain RTP from its address, whatever the caller uses. */
const MEDIA_PROXY = {
  modules: (control: string): string => `
loadmodule "rtpengine.so"
modparam("rtpengine", "rtpengine_sock", "udp:${control}")
onreply_route[MEDIA_REPLY] {
  if (has_body("application/sdp")) rtpengine_manage("replace-origin");
}`,
  route: `if (is_method("INVITE|UPDATE|BYE")) rtpengine_manage("RTP/AVP ICE=remove rtcp-mux-demux replace-origin");
  if (is_method("INVITE|UPDATE")) t_on_reply("MEDIA_REPLY");`,
};

type Setup = Required<Omit<KamailioOptions, 'files' | 'sharedMiB'>> & {
  readonly address: string;
  readonly port: number;
  readonly dir: string;
  readonly routes: string;
  readonly streams: Streams | null;
};

const configuration = ({ address, port, dir, routes, streams, webSocketPath, mediaProxy }: Setup): string => `#!KAMAILIO
debug=0
log_stderror=yes
children=1
disable_tcp=${streams === null && webSocketPath === null ? 'yes' : 'no'}
auto_aliases=no
dns_srv_lb=no
listen=udp:${address}:${port}
${['tm', 'sl', 'rr', 'pv', 'maxfwd', 'textops', 'siputils', 'usrloc', 'registrar', 'auth', 'kex', 'htable', 'ctl']
  .map((name) => `loadmodule "${name}.so"`)
  .join('\n')}
${streams === null ? '' : streaming(address, port, streams)}
${webSocketPath !== null && streams === null ? `tcp_children=1\nlisten=tcp:${address}:${port}` : ''}
${webSocketPath === null ? '' : WEB_SOCKETS.modules.replace('WEBSOCKET_PATH', webSocketPath)}
${mediaProxy === null ? '' : MEDIA_PROXY.modules(mediaProxy)}
modparam("ctl", "binrpc", "unix:${dir}/ctl")
modparam("usrloc", "db_mode", 0)
modparam("usrloc", "timer_interval", 5)
modparam("htable", "htable", "asked=>size=8;initval=0;")
modparam("htable", "htable", "granted=>size=8;initval=0;")
modparam("pv", "shvset", "most=i:0")
modparam("registrar", "min_expires", 30)
modparam("registrar", "max_expires", 3600)
${routes
  .replaceAll('WEBSOCKET_CONTACTS', webSocketPath === null ? '' : WEB_SOCKETS.contacts)
  .replaceAll('WEBSOCKET_TARGET', webSocketPath === null ? '' : WEB_SOCKETS.target)
  .replaceAll('MEDIA_PROXY', mediaProxy === null ? '' : MEDIA_PROXY.route)}
`;

export async function startKamailio(
  address: string,
  role: 'registrar' | 'proxy',
  { sharedMiB = 64, files = null, webSocketPath = null, mediaProxy = null }: KamailioOptions = {},
): Promise<Kamailio> {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-kamailio-'));
  const port = await freeSipPort(address);
  const streams = files === null ? null : { ...files, tlsPort: await freeSipPort(address) };
  const file = path.join(dir, 'kamailio.cfg');
  const routes = role === 'registrar' ? REGISTRAR : PROXY;
  await writeFile(file, configuration({ address, port, dir, routes, streams, webSocketPath, mediaProxy }));
  const ask = async (...command: string[]): Promise<string | null> => {
    const peer = startPeer('kamcmd', ['-s', `unix:${dir}/ctl`, ...command]);
    return (await peer.exited) === 0 ? peer.output() : null;
  };
  const start = async (): Promise<Peer> => {
    const args = ['-f', file, '-DD', '-E', '-m', String(sharedMiB), '-M', '8', '-Y', dir];
    const peer = startPeer('kamailio', args, { cwd: dir });
    await until('Kamailio is up', async () => (await ask('core.uptime')) !== null).catch(async (error) => {
      await peer.stop('SIGKILL');
      throw new Error(`${(error as Error).message}: ${peer.output().slice(-2000)}`);
    });
    return peer;
  };
  const statistic = async (name: string): Promise<number> => {
    const said = await ask('stats.get_statistics', name);
    const value = new RegExp(`:${name} = (\\d+)`).exec(said ?? '')?.[1];
    if (value === undefined) throw new Error(`Kamailio does not tell ${name}: ${said}`);
    return Number(value);
  };
  const perSecond = async (table: string): Promise<PerSecond> => {
    const dump = (await ask('htable.dump', table)) ?? '';
    const rows = dump.matchAll(/name: (\d+)\s+value: (\d+)/g);
    return new Map([...rows].map(([, second, count]) => [Number(second), Number(count)]));
  };
  let server = await start();
  return {
    uri: `sip:${address}:${port}`,
    address,
    port,
    tlsPort: streams?.tlsPort ?? 0,
    contacts: () => statistic('location_contacts'),
    expired: () => statistic('location_expires'),
    registers: async () => ({ asked: await perSecond('asked'), granted: await perSecond('granted') }),
    async maxContacts() {
      const said = await ask('pv.shvGet', 'most');
      const most = /^\s*value: (\d+)$/m.exec(said ?? '')?.[1];
      if (most === undefined) throw new Error(`Kamailio does not tell the most contacts: ${said}`);
      return Number(most);
    },
    async add(user, contact) {
      // It treats numeric text as a number, unless it is marked as a string. s:0: no Path.
      const row = ['location', `s:${user}`, contact, '3600', '1.0', 's:0', '0', '0', '0'];
      const said = await ask('ul.add', ...row);
      if (said === null || /error/i.test(said)) throw new Error(`Kamailio does not take ${contact}: ${said}`);
    },
    async breakDown() {
      await server.stop();
    },
    async startAgain() {
      server = await start();
    },
    async stop() {
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
