/** Checks the path to the control plane: the name, the connection, the certificate, the WebSocket, the clock. */
import { request } from 'node:http';
import { request as requestTls } from 'node:https';
import { type CheckResult, fail, ok, unknown, warn } from '@carillon/proto/check-result.ts';
import { reachControlPlane } from '../link/reach.ts';
import { proxyName, wayOut } from '../link/way-out.ts';

/** A larger offset makes logs of both sides hard to compare; runs measure the offset themselves. */
const CLOCK_WARN_MS = 5000;

export async function examineWay(url: string, ca: string | null): Promise<CheckResult[]> {
  const check = 'control plane';
  const proxy = proxyName(url);
  const through = proxy === null ? '' : `, through the proxy ${proxy}`;
  try {
    await reachControlPlane(url, ca);
  } catch (error) {
    return [fail(check, `${url}${through}: ${(error as Error).message}`, cureOf(error as NodeJS.ErrnoException))];
  }
  return [ok(check, `${url} answers${through}`), await clock(url, ca)];
}

function cureOf(error: NodeJS.ErrnoException): string {
  const code = error.code ?? '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'the name is unknown here: check CARILLON_URL and the resolver of this host';
  if (code === 'ECONNREFUSED')
    return 'the connection was refused: check the address, the port, and that the control plane runs';
  if (/CERT|SIGNATURE|ISSUER/.test(code))
    return 'name the certificate’s root with CARILLON_CA, or add it to the system’s';
  if (code === 'ETIMEDOUT') return 'a firewall? Only this outgoing connection is needed; HTTPS_PROXY names a proxy';
  return 'the address must be that of the agents, wss://HOST/agent/v1; a proxy on the way must let WebSockets through';
}

/** Reads the Date header (RFC 9110, 6.6.1), which is accurate to a second. */
async function clock(url: string, ca: string | null): Promise<CheckResult> {
  const check = 'clock';
  const date = await dateOf(new URL('/healthz', url.replace(/^ws/, 'http')), url, ca).catch(() => Number.NaN);
  if (Number.isNaN(date)) return unknown(check, 'the control plane did not report its time');
  const offMs = Date.now() - (date + 500);
  const text = `${(offMs / 1000).toFixed(1)} s against the control plane's`;
  return Math.abs(offMs) < CLOCK_WARN_MS ? ok(check, text) : warn(check, text, 'NTP: timedatectl set-ntp true');
}

function dateOf(health: URL, url: string, ca: string | null): Promise<number> {
  const { ca: roots, checkServerIdentity, agent } = wayOut(url, ca);
  return new Promise((resolve, reject) => {
    const ask = health.protocol === 'https:' ? requestTls : request;
    const asked = ask(
      health,
      { ca: [...roots], checkServerIdentity, ...(agent && { agent }), timeout: 5000 },
      (answer) => {
        answer.resume();
        resolve(Date.parse(answer.headers.date ?? ''));
      },
    );
    asked.on('timeout', () => asked.destroy(new Error('no answer within 5 s')));
    asked.on('error', reject).end();
  });
}
