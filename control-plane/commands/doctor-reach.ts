/** Checks how a control plane is reached: its port, its certificate, its public address, and WebSockets on the way there. */
import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request } from 'node:http';
import { request as requestTls } from 'node:https';
import { isIP } from 'node:net';
import { text } from 'node:stream/consumers';
import { getCACertificates } from 'node:tls';
import { type CheckResult, fail, ok, unknown, warn } from '@carillon/proto/check-result.ts';
import type { Config } from '../config.ts';
import { isLocalUrl, reachOf } from '../contract/reach.ts';
import { datesTrouble, readPair } from '../http/certificate.ts';
import { tryToListen } from '../http/port.ts';
import { AGENT_PATH } from '../link/gateway.ts';

const TIMEOUT_MS = 5000;

export async function examineReach(config: Config): Promise<CheckResult[]> {
  const { result, isRunning } = await examinePort(config);
  return [result, ...(await examineCertificate(config)), ...(await examinePublicAddress(config, isRunning))];
}

/** The address of this control plane from its own host. */
function ownUrl({ host, port, tls }: Config): string {
  const named = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `${tls === null ? 'http' : 'https'}://${named.includes(':') ? `[${named}]` : named}:${port}`;
}

async function examinePort(config: Config): Promise<{ result: CheckResult; isRunning: boolean }> {
  const check = 'port';
  const at = `${config.host}:${config.port}`;
  const error = await tryToListen(config.host, config.port);
  if (error === null) return { result: ok(check, `${at} is free: no control plane runs here`), isRunning: false };
  if (error.code !== 'EADDRINUSE') {
    const cure =
      error.code === 'EACCES'
        ? 'another PORT, or the right to open those below 1024 (AmbientCapabilities=CAP_NET_BIND_SERVICE)'
        : 'HOST: an address of this host, or 0.0.0.0 for all of them';
    return { result: fail(check, `${at} cannot be opened: ${error.message}`, cure), isRunning: false };
  }
  const answer = await ask(`${ownUrl(config)}/readyz`, { trusts: 'anything' }).catch(() => null);
  const state = answer === null ? null : statusIn(answer.body);
  if (state === null)
    return { result: fail(check, `another program uses ${at}`, 'end that program, or set PORT'), isRunning: false };
  const isReady = answer?.status === 200;
  const result = isReady ? ok(check, `a control plane answers at ${at}`) : fail(check, state, 'its log says more');
  return { result, isRunning: true };
}

function statusIn(body: string): string | null {
  try {
    const { status } = JSON.parse(body) as { status?: unknown };
    return typeof status === 'string' ? status : null;
  } catch {
    return null;
  }
}

async function examineCertificate({ tls, publicUrl }: Config): Promise<CheckResult[]> {
  if (tls === null) return [];
  const check = 'certificate';
  try {
    const { certificate, leaf } = await readPair(tls);
    const host = new URL(publicUrl ?? '').hostname.replace(/^\[|\]$/g, '');
    const isNamed = (isIP(host) === 0 ? leaf.checkHost(host) : leaf.checkIP(host)) !== undefined;
    if (!isNamed)
      return [
        fail(
          check,
          `it is for ${leaf.subjectAltName ?? leaf.subject}, not for ${host}`,
          'CARILLON_PUBLIC_URL with a name of the certificate, or a certificate for that name',
        ),
      ];
    const dates = datesTrouble(leaf, new Date());
    if (dates !== null) {
      const isUsable = new Date() > leaf.validFromDate && new Date() < leaf.validToDate;
      return [(isUsable ? warn : fail)(check, dates, 'renew it: the files are read again without a restart')];
    }
    const isAlone = certificate.split('-----BEGIN CERTIFICATE-----').length === 2;
    if (isAlone && leaf.issuer !== leaf.subject)
      return [
        warn(
          check,
          'the file has no chain: clients that do not know its issuer refuse it',
          'CARILLON_TLS_CERTIFICATE: the certificate, followed by those of its issuers (fullchain.pem)',
        ),
      ];
    return [ok(check, `for ${host}, until ${leaf.validToDate.toISOString().slice(0, 10)}`)];
  } catch (error) {
    return [fail(check, (error as Error).message, 'two PEM files that belong together, readable by the control plane')];
  }
}

async function examinePublicAddress(config: Config, isRunning: boolean): Promise<CheckResult[]> {
  const check = 'public address';
  const { publicUrl, tls, host, port } = config;
  const { missing } = reachOf({ host, port, publicUrl, tls: tls !== null }, ownUrl(config));
  // Without a public address it is used from its own host, as most are at first.
  if (publicUrl === null && isLocalUrl(ownUrl(config)) && missing.length > 0)
    return [
      ok('reach', `only from this host; from others with ${missing.map(({ lines }) => lines.join(' ')).join(' ')}`),
    ];
  const lacks = missing.map(({ lines, why }) => warn('reach', why, lines.join(' ')));
  if (publicUrl === null || isLocalUrl(publicUrl)) return [...lacks];
  const { hostname, origin } = new URL(publicUrl);
  try {
    await lookup(hostname.replace(/^\[|\]$/g, ''));
  } catch {
    const cure = 'a record in the DNS that leads to this host, or to its proxy';
    return [...lacks, fail(check, `the name ${hostname} is unknown here`, cure)];
  }
  if (!isRunning) return [...lacks, unknown(check, 'not asked: no control plane runs here')];
  return [...lacks, await examineWayIn(origin), await examineAgentsWay(origin)];
}

async function examineWayIn(origin: string): Promise<CheckResult> {
  const check = 'public address';
  try {
    const { status, body } = await ask(`${origin}/healthz`);
    if (status === 200 && statusIn(body) === 'ok') return ok(check, `${origin} answers`);
    const cure = 'its proxy has to pass every path on to this control plane';
    return fail(check, `${origin}/healthz answers with ${status}`, cure);
  } catch (error) {
    const { message, code = '' } = error as NodeJS.ErrnoException;
    if (/CERT|SIGNATURE|ISSUER/.test(code))
      return warn(
        check,
        `${origin}: ${message}`,
        'agents need CARILLON_CA, browsers an exception: or a certificate of a known authority',
      );
    return fail(check, `${origin}: ${message}`, 'the name has to lead here, and a firewall has to let it through');
  }
}

/** An upgrade without our subprotocol is refused with 426; a proxy that drops the upgrade asks for a page that is not there. */
async function examineAgentsWay(origin: string): Promise<CheckResult> {
  const check = 'agents';
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': Buffer.alloc(16).toString('base64'),
  };
  const answer = await ask(`${origin}${AGENT_PATH}`, { headers, trusts: 'anything' }).catch(() => null);
  if (answer?.status === 426) return ok(check, `WebSockets reach ${AGENT_PATH}`);
  const said = answer === null ? 'nothing answers' : `the answer is ${answer.status}`;
  const cure = 'its proxy has to pass WebSockets on: docs/guide/server.md has examples';
  return fail(check, `no WebSocket reaches ${AGENT_PATH}: ${said}`, cure);
}

type Asking = { readonly headers?: Readonly<Record<string, string>>; readonly trusts?: 'anything' };

/** It trusts node's own authorities, and those of the host, as agents do. */
function ask(url: string, { headers = {}, trusts }: Asking = {}): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const secure = {
    rejectUnauthorized: trusts !== 'anything',
    ca: [...getCACertificates('default'), ...getCACertificates('system')],
  };
  const options = { headers, timeout: TIMEOUT_MS, agent: false } as const;
  const asked = url.startsWith('https:') ? requestTls(url, { ...options, ...secure }) : request(url, options);
  asked.on('response', (answer: IncomingMessage) => {
    text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject);
  });
  asked.on('timeout', () => asked.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
  asked.on('error', reject).end();
  return promise;
}
