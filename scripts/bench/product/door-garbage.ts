/**
 * Garbage at the control plane's endpoints, frames on the agents' link and HTTP requests, random and mutated, each on
 * its own connection, during an agent's calls. Each must be accounted for, and the control plane must count as many
 * frames as were refused. node_modules/.bin/node scripts/bench/product/door-garbage.ts [--frames 100000] [--requests
 * 100000] [--seed 1]
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Lab, openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents } from '../../peers/lab/provision.ts';
import { greeting, openRawLink } from '../../peers/network/raw-link.ts';
import { residentBytes } from '../../peers/process.ts';
import { scrape } from '../../peers/referees/prometheus-text.ts';
import { bytesFrom, seeded } from '../../peers/seeded.ts';

type Fates = Record<string, number>;

export type DoorGarbageReport = {
  readonly seed: number;
  /** By the farewell's code, or the code with which the connection was closed. */
  readonly frames: Fates;
  /** Refused connections, by the control plane's own count. */
  readonly framesCounted: number;
  /** By the answer's status; 0: closed without one. */
  readonly requests: Fates;
  /** Connections refused for lack of space, and repeated later. */
  readonly later: number;
  readonly isUp: boolean;
  /** Of the control plane, mean over each half. */
  readonly residentMiB: readonly [number, number];
  /** Calls of runs meanwhile, and those that succeeded. */
  readonly calls: number;
  readonly successes: number;
};

/** As many as a network with refused greetings may have. */
const AT_ONCE = 4;
const CALLS = 5;
/** For the answer to a request whose headers are whole: of its body some may be missing. */
const BODY_WAIT_MS = 5000;

export async function benchDoorGarbage(frames = 100_000, requests = 100_000, seed = 1): Promise<DoorGarbageReport> {
  const closers: (() => unknown)[] = [];
  try {
    const lab = await openLab(
      { teardown: (close) => closers.push(close) },
      {
        database: 'embedded',
        provision: () => ({ tests: [callsAmongAgents('calls', { endpoints: CALLS, durationSeconds: 5 })] }),
      },
    );
    return await bombard(lab, frames, requests, seed);
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

async function bombard(lab: Lab, frames: number, requests: number, seed: number): Promise<DoorGarbageReport> {
  const { url, pid } = lab.controlPlane;
  const random = seeded(seed);
  const before = await refusedFrames(url);
  const told: Fates = {};
  const answered: Fates = {};
  const resident: number[] = [];
  let [later, framesLeft, requestsLeft, isOver] = [0, frames, requests, false];
  const one = (fates: Fates, fate: string | number) => {
    fates[fate] = (fates[fate] ?? 0) + 1;
  };
  const linkWork = async () => {
    while (framesLeft-- > 0) {
      const fate = await sendFrame(url, random, () => later++);
      one(told, fate);
    }
  };
  const httpWork = async () => {
    while (requestsLeft-- > 0) one(answered, await sendRequest(new URL(url), random));
  };
  const watch = async () => {
    while (!isOver) {
      resident.push((await residentBytes(pid)) / 2 ** 20);
      await sleep(500);
    }
  };
  let [calls, successes] = [0, 0];
  const runs = async () => {
    while (!isOver) {
      const { callTiming } = await lab.runToEnd('calls');
      calls += callTiming.totalCalls;
      successes += callTiming.successCount;
    }
  };
  const beside = Promise.all([watch(), runs()]);
  const work = Array.from({ length: AT_ONCE }, () => [linkWork(), httpWork()]).flat();
  await Promise.all(work).finally(() => {
    isOver = true;
  });
  await beside;
  const half = resident.length >> 1;
  const mean = (part: readonly number[]) => part.reduce((sum, x) => sum + x, 0) / part.length;
  return {
    ...{ seed, frames: told, requests: answered, later, calls, successes },
    framesCounted: (await refusedFrames(url)) - before,
    isUp: (await fetch(`${url}/healthz`)).status === 200,
    residentMiB: [mean(resident.slice(0, half)), mean(resident.slice(half))],
  };
}

/** Connections refused for their contents, by the control plane's own count. */
async function refusedFrames(url: string): Promise<number> {
  const counted = await scrape(url);
  const sum = (name: string, labels = {}) => counted.value(name, labels) ?? 0;
  const reason = 'carillon_agent_refusals_total';
  return sum(reason) - sum(reason, { reason: 'TOO_MANY_STRANGERS' });
}

type Random = ReturnType<typeof seeded>;

/** Some bytes of `right` are others, or it is cut short. */
function mutated(right: Uint8Array, random: Random): Uint8Array {
  const bytes = Uint8Array.from(right.subarray(0, random() < 0.2 ? Math.ceil(random() * right.length) : right.length));
  for (let n = 1 + Math.floor(random() * 8); n > 0 && bytes.length > 0; n--)
    bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
  return bytes;
}

async function sendFrame(url: string, random: Random, onLater: () => void): Promise<string> {
  for (;;) {
    const link = await openRawLink(url);
    if (!('ws' in link)) {
      onLater();
      await sleep(20);
      continue;
    }
    const isRandom = random() < 0.5;
    link.ws.send(
      isRandom ? bytesFrom(random, Math.floor(random() * 2000)) : mutated(await greeting(link, 'none'), random),
    );
    let fate = '';
    for (let frame = await link.next(); frame !== null; frame = await link.next()) fate ||= frame.farewell?.code ?? '';
    return fate || `closed ${await link.closed}`;
  }
}

const REQUESTS = [
  'GET /api/v1/projects HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer crl_0\r\nConnection: close\r\n\r\n',
  'POST /api/v1/entrance/log-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 41\r\nConnection: close\r\n\r\n{"email":"a@example.org","password":"no"}',
  'GET /agent/v1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n',
].map((text) => Buffer.from(text, 'latin1'));

/** The answer's status; 0: none came. */
async function sendRequest({ hostname, port }: URL, random: Random): Promise<number> {
  const right = REQUESTS[Math.floor(random() * REQUESTS.length)] as Buffer;
  const bytes = random() < 0.2 ? bytesFrom(random, 1 + Math.floor(random() * 500)) : mutated(right, random);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let answer = '';
  socket.on('data', (data: Buffer) => {
    answer += data.toString('latin1');
    if (answer.length > 12) socket.destroy();
  });
  socket.on('end', () => socket.destroy());
  socket.on('error', () => undefined);
  socket.write(bytes);
  // Node.js does not answer a client that half-closes before the answer; incomplete requests are not answered either.
  const isWhole = Buffer.from(bytes).includes('\r\n\r\n');
  const end = setTimeout(() => socket.end(), isWhole ? BODY_WAIT_MS : 0);
  await once(socket, 'close').catch(() => undefined);
  clearTimeout(end);
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      frames: { type: 'string', default: '100000' },
      requests: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
    },
  });
  console.log(await benchDoorGarbage(Number(values.frames), Number(values.requests), Number(values.seed)));
}
