/**
 * A SIP platform with a known capacity: kamailio answers a fixed number of INVITEs each second by itself and refuses the others
 * with 503 (pipelimit, TAILDROP); one in a fixed number of the answered ones fails with 500 at any load. It may take a time for each
 * INVITE, and a longer one while there are other calls: then callers wait longer under load. Signalling only.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freeSipPort } from '../network/loopback.ts';
import { startPeer, until } from '../process.ts';

/** How long it takes for an INVITE, with at most `FEW` calls and with more. */
export type Takes = { readonly fewMs: number; readonly manyMs: number };
/** Calls at once, the new one included. */
const FEW = 3;
/** INVITEs that it can delay at once. Each occupies a process. */
const DELAYED_AT_ONCE = 16;

export type Throttled = { readonly uri: string; stop(): Promise<void> };

/** `failsOneIn`: 0: none fails below the limit. `takes`: null: it answers at once. */
type Behaviour = { readonly failsOneIn: number; readonly takes: Takes | null };

const configuration = (
  address: string,
  port: number,
  dir: string,
  perSecond: number,
  { failsOneIn, takes }: Behaviour,
): string => `#!KAMAILIO
debug=0
log_stderror=yes
children=${takes ? DELAYED_AT_ONCE : 1}
disable_tcp=yes
auto_aliases=no
listen=udp:${address}:${port}
${['sl', 'pv', 'textops', 'siputils', 'cfgutils', 'htable', 'pipelimit', 'ctl'].map((name) => `loadmodule "${name}.so"`).join('\n')}
modparam("ctl", "binrpc", "unix:${dir}/ctl")
modparam("pipelimit", "timer_interval", 1)
modparam("htable", "htable", "calls=>size=8;initval=0;")
request_route {
  if (is_method("ACK")) exit;
  ${takes ? COUNT_DOWN : ''}
  if (!is_method("INVITE")) { sl_send_reply("200", "OK"); exit; }
  if (!pl_check("calls", "TAILDROP", "${perSecond}")) { sl_send_reply("503", "Over The Limit"); exit; }
  ${failsOneIn > 0 ? `if ($RANDOM mod ${failsOneIn} == 0) { sl_send_reply("500", "Background"); exit; }` : ''}
  ${takes ? delay(takes) : ''}
  append_to_reply("Contact: <sip:${address}:${port}>\\r\\n");
  set_reply_body("v=0\\r\\no=- 1 1 IN IP4 ${address}\\r\\ns=-\\r\\nc=IN IP4 ${address}\\r\\nt=0 0\\r\\nm=audio 9 RTP/AVP 0\\r\\n", "application/sdp");
  sl_send_reply("200", "OK");
}
`;

/** Each call counts once, also if its INVITE or BYE is retransmitted. */
const COUNT_DOWN =
  'if (is_method("BYE|CANCEL") && $sht(calls=>$ci) == 1) { $sht(calls=>$ci) = 0; $var(now) = $shtdec(calls=>now); }';
const delay = ({ fewMs, manyMs }: Takes): string => `
  if ($sht(calls=>$ci) == 0) { $sht(calls=>$ci) = 1; $var(now) = $shtinc(calls=>now); }
  if ($sht(calls=>now) > ${FEW}) usleep("${manyMs * 1000}");
  else usleep("${fewMs * 1000}");`;

export async function startThrottled(
  address: string,
  perSecond: number,
  { failsOneIn = 0, takes = null }: Partial<Behaviour> = {},
): Promise<Throttled> {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-throttled-'));
  const port = await freeSipPort(address);
  const file = path.join(dir, 'kamailio.cfg');
  await writeFile(file, configuration(address, port, dir, perSecond, { failsOneIn, takes }));
  const server = startPeer('kamailio', ['-f', file, '-DD', '-E', '-m', '32', '-M', '8', '-Y', dir], { cwd: dir });
  const isUp = async (): Promise<boolean> =>
    (await startPeer('kamcmd', ['-s', `unix:${dir}/ctl`, 'core.uptime']).exited) === 0;
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  };
  await until('Kamailio is up', isUp).catch(async (error: Error) => {
    await stop();
    throw new Error(`${error.message}: ${server.output().slice(-2000)}`);
  });
  return { uri: `sip:9000@${address}:${port}`, stop };
}
