/**
 * Sends garbage to every port of a control plane and an agent, from a seed, while calls are in progress and a client uses the
 * API. It reports how much was sent, how much the product counted, how long the client waited, and the memory before and after.
 * `CARILLON_PROVE_PIECES` is the total number of pieces.
 */
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lab } from '../../peers/lab/lab.ts';
import { callsAmongAgents } from '../../peers/lab/provision.ts';
import { badRtp, badSip, flood } from '../../peers/network/flood.ts';
import { openRawLink } from '../../peers/network/raw-link.ts';
import { scrape } from '../../peers/referees/prometheus-text.ts';
import { type Random, seeded } from '../../peers/seeded.ts';
import { residentMiB, withInstallation } from '../installation.ts';
import { n, orDash, quantileOf, type ResultTable } from '../table.ts';

const CALLS = 5;
const KINDS = 4096;
const AT_ONCE = 8;
/** More requests that wait for answers would end the connection (control-plane/limits). */
const PIPELINED = 10;

type Row = {
  readonly what: string;
  /** The share of this kind among all pieces. */
  readonly share: number;
  send(count: number): Promise<void>;
  /** The number of pieces of this kind that the product counted; null: it counts such pieces only as part of a stream. */
  counted(): Promise<number | null>;
};

const noSip = (random: Random): Buffer => {
  const bytes = Buffer.alloc(20 + Math.floor(random() * 800), 0x80);
  for (let i = 1; i < bytes.length; i++) bytes[i] = random() * 256;
  return bytes;
};

/** The open UDP ports of an address (proc(5)), with the number of packets that the kernel dropped there. */
async function portsAt(address: string): Promise<Map<number, number>> {
  const hex = Buffer.from(address.split('.').reverse().map(Number)).toString('hex').toUpperCase();
  const lines = (await readFile('/proc/net/udp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/));
  const own = lines.filter((fields) => fields[1]?.startsWith(`${hex}:`));
  return new Map(own.map((fields) => [Number.parseInt(fields[1]?.slice(9) ?? '', 16), Number(fields.at(-1))]));
}

/** Runs this many at the same time, until all are done. */
async function inTurn(count: number, act: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/** Sends the bytes and waits for the end of the connection. */
const deliver = (port: number, host: string, bytes: Buffer, localAddress: string, until = 0): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect({ port, host, localAddress });
    let answers = 0;
    socket.on('data', (data: Buffer) => {
      if (until === 0) return;
      answers += data.toString('latin1').split('HTTP/1.1 ').length - 1;
      if (answers >= until) socket.destroy();
    });
    socket.on('error', () => undefined).on('close', () => resolve());
    socket.write(bytes);
    if (until === 0) socket.end();
  });

function rowsOf(lab: Lab): Row[] {
  const random = seeded(20_261_126);
  const [agent] = lab.agents;
  if (!agent) throw new Error('the lab has no agent');
  const address = lab.net.address(11);
  const sip = { address, port: agent.sipPort };
  const { url } = lab.controlPlane;
  const noMessages = Array.from({ length: KINDS }, () => noSip(random));
  const nearly = Array.from({ length: KINDS }, () => badSip(random, sip));
  const packets = Array.from({ length: KINDS }, () => badRtp(random));
  const pick = (from: readonly Buffer[], n: number) => from[n % KINDS] as Buffer;
  const malformed = async () => (await scrape(agent.metricsUrl)).value('carillon_agent_sip_malformed_total') ?? 0;
  const dropped = async () => (await portsAt(address)).get(agent.sipPort) ?? 0;
  const total = async (name: string, labels = {}) => (await scrape(url)).value(name, labels) ?? 0;
  let media: number[] = [];
  const requests = Buffer.from(
    Array.from({ length: PIPELINED }, (_, n) => `GET /api/v1/%${n}${'x'.repeat(n)} HTTP/1.1\r\nHost: x\r\n\r\n`).join(
      '',
    ),
  );
  return [
    {
      what: 'SIP over UDP: random bytes',
      share: 0.4,
      send: (count) => flood(lab.net.address(200), count, (n) => ({ target: sip, bytes: pick(noMessages, n) })),
      counted: async () => (await malformed()) + (await dropped()),
    },
    {
      what: 'SIP over UDP: messages that were once right',
      share: 0.1,
      send: (count) => flood(lab.net.address(201), count, (n) => ({ target: sip, bytes: pick(nearly, n) })),
      counted: async () => null,
    },
    {
      what: 'RTP and RTCP at the ports of calls',
      share: 0.4,
      async send(count) {
        const aim = async () => {
          const open = [...(await portsAt(address)).keys()].filter((port) => port !== agent.sipPort);
          if (open.length > 0) media = open;
        };
        await aim();
        const aiming = setInterval(() => void aim(), 200);
        const next = (n: number) => ({
          target: { address, port: media[n % media.length] ?? 9 },
          bytes: pick(packets, n),
        });
        await flood(lab.net.address(202), count, next).finally(() => clearInterval(aiming));
      },
      counted: async () => null,
    },
    {
      what: 'SIP over TCP: random bytes, a connection each',
      share: 0.005,
      send: (count) =>
        inTurn(count, (n) =>
          deliver(
            sip.port,
            address,
            Buffer.concat([pick(noMessages, n), Buffer.from('\r\n\r\n')]),
            lab.net.address(203 + (n % 8)),
          ),
        ),
      counted: malformed,
    },
    {
      what: 'frames at the link, a connection each',
      share: 0.002,
      send: (count) =>
        inTurn(count, async (n) => {
          const link = await openRawLink(url);
          if (!('ws' in link)) return;
          link.ws.send(pick(noMessages, n));
          await link.closed;
        }),
      counted: () => total('carillon_agent_refusals_total'),
    },
    {
      what: 'bytes that are not HTTP, a connection each',
      share: 0.005,
      send: (count) =>
        inTurn(count, (n) =>
          deliver(
            lab.port,
            '127.0.0.1',
            Buffer.concat([pick(noMessages, n), Buffer.from('\r\n\r\n')]),
            lab.net.address(212 + (n % 8)),
          ),
        ),
      counted: () => total('carillon_http_unreadable_total'),
    },
    {
      what: 'HTTP requests for what is not there, without a key',
      share: 0.088,
      send: (count) =>
        inTurn(Math.ceil(count / PIPELINED), (n) =>
          deliver(lab.port, '127.0.0.1', requests, lab.net.address(220 + (n % 8)), PIPELINED),
        ),
      counted: async () => {
        const all = await scrape(url);
        const statuses = ['400', '401', '404', '429'];
        return statuses.reduce(
          (sum, status) => sum + (all.value('carillon_http_request_duration_seconds_count', { status }) ?? 0),
          0,
        );
      },
    },
  ];
}

/**
 * A client with a key sends one request after the other until it is stopped. It returns the 99th percentile in ms and the number.
 */
function watch(lab: Lab) {
  let isOver = false;
  const times: number[] = [];
  const asking = (async () => {
    while (!isOver) {
      const began = performance.now();
      const response = await fetch(`${lab.controlPlane.url}/api/v1/projects`, {
        headers: { authorization: `Bearer ${lab.apiKey}` },
      });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`the client with a key is answered ${response.status}`);
      times.push(performance.now() - began);
      await sleep(20);
    }
  })();
  asking.catch(() => undefined);
  return async () => {
    isOver = true;
    await asking;
    return `${n(quantileOf(times, 0.99))} (${n(times.length)})`;
  };
}

/** Reads counters until they stop growing, so that what waits in queues is included. */
async function settled(read: () => Promise<number | null>): Promise<number | null> {
  let last = await read();
  for (let n = 0; n < 30; n++) {
    await sleep(1000);
    const now = await read();
    if (now === last) break;
    last = now;
  }
  return last;
}

const QUIET_MS = 10_000;

/** `total` is the number of pieces of garbage of all kinds. */
export const garbage = (total: number): Promise<ResultTable> =>
  withInstallation(
    { provision: () => ({ tests: [callsAmongAgents('calls', { endpoints: CALLS, durationSeconds: 5 })] }) },
    (lab) => bombard(lab, total),
  );

async function bombard(lab: Lab, total: number): Promise<ResultTable> {
  const [agent] = lab.agents;
  const memory = async () => `${n(await residentMiB(lab.controlPlane.pid))}, ${n(await residentMiB(agent?.pid ?? 0))}`;
  let isOver = false;
  const runs = (async () => {
    const all = [];
    while (!isOver) all.push(await lab.runToEnd('calls'));
    return all;
  })();
  runs.catch(() => undefined);
  const quiet = watch(lab);
  await sleep(QUIET_MS);
  const rows = [['none', '', '', n(QUIET_MS / 1000), await quiet(), await memory()]];
  const faults: string[] = [];
  for (const { what, share, send, counted } of rowsOf(lab)) {
    const sent = Math.ceil((share * total) / PIPELINED) * PIPELINED;
    const before = await counted();
    const began = performance.now();
    const stop = watch(lab);
    await send(sent);
    const waited = await stop();
    const seconds = (performance.now() - began) / 1000;
    const after = await settled(counted);
    const known = after === null || before === null ? null : after - before;
    if (known !== null && known < sent) faults.push(`${what}: ${known} of ${sent} counted`);
    rows.push([what, n(sent), orDash(known), n(seconds), waited, await memory()]);
    for (const where of [lab.controlPlane.url, agent?.metricsUrl])
      for (const door of ['healthz', 'readyz'])
        if (!(await fetch(`${where}/${door}`)).ok) faults.push(`after ${what}: ${where}/${door} is not fine`);
  }
  isOver = true;
  const all = await runs;
  const good = all.reduce((sum, run) => sum + run.callTiming.successCount, 0);
  rows.push([`calls meanwhile: ${n(good)} of ${n(all.length * CALLS)} good`, '', '', '', '', '']);
  for (const run of all.filter(({ callTiming }) => callTiming.successCount < CALLS)) {
    const why = run.failureClusters.map(({ cause, count, reason }) => `${count} ${cause} (${reason})`).join(', ');
    faults.push(`a run of ${run.submittedAt} is ${run.status}, ${run.validity?.verdict}: ${why || run.error?.message}`);
  }
  return {
    heads: [
      'garbage',
      'sent',
      'counted',
      'seconds',
      'a client waited at p99, ms (requests)',
      'MiB: control plane, agent',
    ],
    rows,
    faults,
  };
}
