/**
 * A SIP platform with a known capacity: kamailio answers a fixed number of INVITEs each second by itself and refuses the others
 * with 503 (pipelimit, TAILDROP); one in a fixed number of the answered ones fails with 500 at any load. It may take a time for each
 * INVITE, one after another: then callers wait longer under load. Signalling only.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freeSipPort } from '../network/loopback.ts';
import { startPeer, until } from '../process.ts';

export type Throttled = { readonly uri: string; stop(): Promise<void> };

const configuration = (
  address: string,
  port: number,
  dir: string,
  perSecond: number,
  failsOneIn: number,
  takesMs: number,
): string => `#!KAMAILIO
debug=0
log_stderror=yes
children=1
disable_tcp=yes
auto_aliases=no
listen=udp:${address}:${port}
${['sl', 'pv', 'textops', 'siputils', 'cfgutils', 'pipelimit', 'ctl'].map((name) => `loadmodule "${name}.so"`).join('\n')}
modparam("ctl", "binrpc", "unix:${dir}/ctl")
modparam("pipelimit", "timer_interval", 1)
request_route {
  if (is_method("ACK")) exit;
  if (!is_method("INVITE")) { sl_send_reply("200", "OK"); exit; }
  if (!pl_check("calls", "TAILDROP", "${perSecond}")) { sl_send_reply("503", "Over The Limit"); exit; }
  ${failsOneIn > 0 ? `if ($RANDOM mod ${failsOneIn} == 0) { sl_send_reply("500", "Background"); exit; }` : ''}
  ${takesMs > 0 ? `usleep("${takesMs * 1000}");` : ''}
  append_to_reply("Contact: <sip:${address}:${port}>\\r\\n");
  set_reply_body("v=0\\r\\no=- 1 1 IN IP4 ${address}\\r\\ns=-\\r\\nc=IN IP4 ${address}\\r\\nt=0 0\\r\\nm=audio 9 RTP/AVP 0\\r\\n", "application/sdp");
  sl_send_reply("200", "OK");
}
`;

/** `failsOneIn`: 0: none fails below the limit. `takesMs`: for each INVITE, one after another. */
export async function startThrottled(
  address: string,
  perSecond: number,
  { failsOneIn = 0, takesMs = 0 }: { readonly failsOneIn?: number; readonly takesMs?: number } = {},
): Promise<Throttled> {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-throttled-'));
  const port = await freeSipPort(address);
  const file = path.join(dir, 'kamailio.cfg');
  await writeFile(file, configuration(address, port, dir, perSecond, failsOneIn, takesMs));
  const server = startPeer('kamailio', ['-f', file, '-DD', '-E', '-m', '32', '-M', '8', '-Y', dir], { cwd: dir });
  const isUp = async (): Promise<boolean> =>
    (await startPeer('kamcmd', ['-s', `unix:${dir}/ctl`, 'core.uptime']).exited) === 0;
  const stop = async (): Promise<void> => {
    await server.stop('SIGTERM', 5000);
    await rm(dir, { recursive: true, force: true });
  };
  await until('Kamailio is up', isUp, 60_000, 100).catch(async (error: Error) => {
    await stop();
    throw new Error(`${error.message}: ${server.output().slice(-2000)}`);
  });
  return { uri: `sip:9000@${address}:${port}`, stop };
}
