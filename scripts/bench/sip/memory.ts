/**
 * Resident memory of 10,000 calls in progress, without media, each with its own user agent, in a separate process,
 * above the same engine without them; after a full garbage collection, and once their set-up transactions have ended.
 * Run: npx node scripts/bench/sip/memory.ts
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EndpointTraffic, SipCounts } from '../../../agent/capture/endpoint-traffic.ts';
import { MessageStore } from '../../../agent/capture/message-store.ts';
import { nowMs } from '../../../agent/clock.ts';
import { SIGNALLING_NODE_FLAGS } from '../../../agent/process/heap.ts';
import { createCoreEngine } from '../../../agent/sip/core/engine.ts';
import type { SipEngine } from '../../../agent/sip/engine.ts';
import { ADDRESS, prefer, sippServer } from './sipp.ts';

export type MemoryRow = {
  readonly held: number;
  readonly kilobytesEach: number;
  /** The part of JavaScript objects. */
  readonly heapKilobytesEach: number;
  readonly idleMegabytes: number;
};

const RATE = 500;
/** Timers of 64 T1 have passed by then. */
const SETTLE_MS = 34_000;
const OFFER = `v=0\r\no=- 1 1 IN IP4 ${ADDRESS}\r\ns=-\r\nt=0 0\r\nm=audio 6000 RTP/AVP 0\r\nc=IN IP4 ${ADDRESS}\r\na=rtpmap:0 PCMU/8000\r\n`;
const SERVER_PORT = 25_080;

/** Needs `sipp` (apt-get install sip-tester). */
export async function benchSipMemory(count = 10_000): Promise<MemoryRow> {
  const folder = await mkdtemp(join(tmpdir(), 'carillon-bench-'));
  const server = await sippServer('UDP', SERVER_PORT, folder);
  try {
    await sleep(500);
    const flags = ['--expose-gc', ...SIGNALLING_NODE_FLAGS, ...process.execArgv];
    const child = spawn(process.execPath, [...flags, import.meta.filename, String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    prefer(child.pid!);
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`the driver ended with code ${code}`);
    return JSON.parse(output);
  } finally {
    server.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

async function hold(count: number): Promise<MemoryRow> {
  const engine = await createCoreEngine({
    address: ADDRESS,
    port: 0,
    adapter: 'auto',
    userAgentName: 'carillon',
    mayReach: () => true,
    onUnclaimedCall: () => null,
  });
  const counts = new SipCounts();
  const store = new MessageStore(ADDRESS);
  let up = 0;
  let failed = 0;
  const begin = (index: number): void => {
    const traffic = new EndpointTraffic(index, counts, store, { keepMessages: true, keepBodies: true });
    const agent = engine.createUserAgent({
      aor: `sip:bench${index}@${ADDRESS}`,
      contactUser: `bench${index}`,
      credentials: null,
      registrarUri: null,
      nextHop: null,
      routeSet: [],
      traffic,
      owner: { onIncomingCall: () => null },
    });
    agent.invite(`sip:service@${ADDRESS}:${SERVER_PORT}`, OFFER, {
      onInviteSent: () => undefined,
      onProvisional: () => undefined,
      onAnswered: () => void up++,
      onFailed: () => void failed++,
      onEnded: () => void failed++,
    });
  };
  await turns(engine, 1000, () => false);
  const idle = await atRest();
  let begun = 0;
  const beginMs = nowMs();
  await turns(engine, Number.POSITIVE_INFINITY, () => {
    const due = Math.min(count, begun + 4, ((nowMs() - beginMs) * RATE) / 1000);
    while (begun < due) begin(begun++);
    return up + failed === count;
  });
  if (failed > 0) throw new Error(`${failed} of ${count} failed`);
  await turns(engine, SETTLE_MS, () => false);
  store.take(true);
  counts.take();
  const full = await atRest();
  const row: MemoryRow = {
    held: up,
    kilobytesEach: (full.rss - idle.rss) / 1000 / count,
    heapKilobytesEach: (full.heapUsed - idle.heapUsed) / 1000 / count,
    idleMegabytes: idle.rss / 1e6,
  };
  return row;
}

function turns(engine: SipEngine, forMs: number, isOver: () => boolean): Promise<void> {
  const endMs = nowMs() + forMs;
  return new Promise((resolve) => {
    const turn = (): void => {
      engine.turn(nowMs());
      if (isOver() || nowMs() >= endMs) resolve();
      else setTimeout(turn, 1);
    };
    turn();
  });
}

async function atRest(): Promise<NodeJS.MemoryUsage> {
  for (let i = 0; i < 4; i++) {
    globalThis.gc?.();
    await sleep(200);
  }
  return process.memoryUsage();
}

if (import.meta.main) {
  const count = process.argv[2];
  if (count === undefined) {
    console.table([await benchSipMemory()]);
  } else {
    console.log(JSON.stringify(await hold(Number(count))));
    process.exit(0);
  }
}
