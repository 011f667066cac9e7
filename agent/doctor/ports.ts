/**
 * Checks whether the policy and the kernel allow the agent's ports. Each is opened briefly, unless the running agent
 * has it.
 */

import { connect, createServer } from 'node:net';
import { createSecureContext } from 'node:tls';
import { readRegular } from '@carillon/proto/base/files.ts';
import { type CheckResult, fail, ok, warn } from '@carillon/proto/check-result.ts';
import type { Config } from '../config.ts';
import { openDatagramPort } from '../net/datagrams/open-datagram-port.ts';
import { listenFault, unreachable } from '../policy/listening.ts';
import type { Policy } from '../policy/policy.ts';

const CONNECT_MS = 3000;
const RUNS = 'in use by the running agent';

const another = (port: string, address: string): string =>
  `another CARILLON_${port}, or an address of this host (CARILLON_${address})`;

/** `policy` null: it cannot be read, which is reported as another result. */
export async function examinePorts(config: Config, policy: Policy | null, runs: boolean): Promise<CheckResult[]> {
  const { sipAddress, sipPort, sipTls, metrics, signallingThreads, drachtio } = config;
  const each = (first: number) => Array.from({ length: signallingThreads }, (_, n) => (first === 0 ? 0 : first + n));
  const tcp = (check: string, address: string, port: number, cure: string) =>
    taken({ check, address, port, cure }, runs, () => listening(address, port));
  const found = policy === null ? [] : [listens(config, policy), reached(config, policy)];
  if (drachtio !== null) found.push(await server(drachtio.host, drachtio.port));
  else {
    for (const port of each(sipPort))
      found.push(
        await taken(
          { check: 'SIP port', address: sipAddress, port, cure: another('SIP_PORT', 'SIP_ADDRESS') },
          runs,
          () => datagrams(config, port),
        ),
      );
    for (const port of sipTls.port === 0 ? [] : each(sipTls.port))
      found.push(await tcp('SIP port (TLS)', sipAddress, port, another('SIP_TLS_PORT', 'SIP_ADDRESS')));
  }
  if (sipTls.files !== null) found.push(await certificate(sipTls.files));
  found.push(await tcp('health port', metrics.host, metrics.port, another('METRICS_PORT', 'METRICS_HOST')));
  return found;
}

function listens(config: Config, policy: Policy): CheckResult {
  const fault = listenFault(config, policy);
  const check = 'listening';
  return fault === null
    ? ok(check, 'allowed by the policy')
    : fail(check, fault, 'listenAddresses and ports of the policy, or these variables');
}

function reached(config: Config, policy: Policy): CheckResult {
  const check = 'SIP address';
  const why = unreachable(config, policy);
  return why === null
    ? ok(check, config.sipAddress)
    : warn(check, why, 'add the network to targetNetworks of the policy, or set CARILLON_SIP_ADDRESS');
}

type PortCheck = { readonly check: string; readonly address: string; readonly port: number; readonly cure: string };

async function taken(
  { check, address, port, cure }: PortCheck,
  runs: boolean,
  take: () => Promise<void>,
): Promise<CheckResult> {
  const where = `${address.includes(':') ? `[${address}]` : address}:${port === 0 ? 'any' : port}`;
  // A port that the agent opens only when needed may still be free: a check would take it away from the agent.
  if (runs && port !== 0) return ok(check, `${where}: ${RUNS}`);
  return take().then(
    () => ok(check, where),
    (error: Error) => fail(check, `${where} is not available: ${error.message}`, cure),
  );
}

async function datagrams({ sipAddress, io }: Config, port: number): Promise<void> {
  (await openDatagramPort({ address: sipAddress, port, onDatagram: () => undefined }, io)).close();
}

const listening = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const one = createServer();
    one.once('error', reject);
    one.listen({ host, port, exclusive: true }, () => one.close(() => resolve()));
  });

async function certificate(files: { readonly certificate: string; readonly key: string }): Promise<CheckResult> {
  const check = 'SIP certificate';
  try {
    const [cert, key] = await Promise.all([readRegular(files.certificate), readRegular(files.key)]);
    createSecureContext({ cert, key });
    return ok(check, files.certificate);
  } catch (error) {
    const cure = 'CARILLON_SIP_TLS_CERTIFICATE and CARILLON_SIP_TLS_KEY: PEM, a matching pair, readable by the agent';
    return fail(check, (error as Error).message, cure);
  }
}

/** Checks whether a drachtio-server answers; its secret is used only when the agent starts. */
const server = (host: string, port: number): Promise<CheckResult> =>
  new Promise((resolve) => {
    const check = 'drachtio-server';
    const where = `${host}:${port}`;
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const end = (result: CheckResult): void => {
      socket.destroy();
      resolve(result);
    };
    const cure = 'start it, or name it with CARILLON_DRACHTIO';
    socket.once('connect', () => end(ok(check, `${where} accepts connections`)));
    socket.once('timeout', () => end(fail(check, `${where} does not answer`, cure)));
    socket.once('error', (error) => end(fail(check, `${where}: ${error.message}`, cure)));
  });
