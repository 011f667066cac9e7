/**
 * Registers user agents with digest at a rate, keeps them registered until each was refreshed, and reports the cost:
 * CPU, and memory after a collection, resident above the idle engine, heap above a warmed one. A separate process,
 * started by registrations.ts.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Secret } from '@carillon/proto/secret.ts';
import { nowMs } from '../../../agent/clock.ts';
import { createCoreEngine } from '../../../agent/sip/core/engine.ts';
import type {
  RegistrationEvents,
  SipEngine,
  SipFailure,
  UserAgent,
  UserAgentOwner,
} from '../../../agent/sip/engine.ts';
import { busyTurnMs, Doorbell, keepTurning } from '../../../agent/sip/turns.ts';

export type RegistrationLoad = {
  readonly address: string;
  readonly registrarPort: number;
  readonly adapter: 'ffi' | 'dgram';
  readonly endpoints: number;
  /** Registrations a second. */
  readonly rate: number;
  readonly expiresSeconds: number;
  /** Until each has been refreshed. */
  readonly awaitsRefreshes: boolean;
  /** How long it continues after the last required refresh of every endpoint. */
  readonly patienceMs: number;
};

export type RegistrationCost = {
  readonly registered: number;
  readonly failed: number;
  readonly refreshed: number;
  readonly refreshesFailed: number;
  readonly cpuSeconds: number;
  /** From the last registration until each was refreshed. */
  readonly refreshCpuSeconds: number;
  readonly residentBytesEach: number;
  readonly heapBytesEach: number;
};

/** Seconds of all its threads. */
const cpuSeconds = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
};

/** Shared by all endpoints: the test's own data must not count as theirs. */
class Counts implements RegistrationEvents {
  registered = 0;
  failed = 0;
  refreshed = 0;
  refreshesFailed = 0;
  unregistered = 0;
  reason = '';

  onRegisterSent(): void {
    return;
  }
  onRegistered(): void {
    this.registered++;
  }
  onRefreshed(): void {
    this.refreshed++;
  }
  onRefreshFailed(failure: SipFailure): void {
    this.refreshesFailed++;
    this.reason = failure.reason;
  }
  onRegistrationFailed(failure: SipFailure): void {
    this.failed++;
    this.reason = failure.reason;
  }
  onUnregistered(): void {
    this.unregistered++;
  }
}

const deaf = { onMessage: () => undefined };
const NO_OWNER: UserAgentOwner = { onIncomingCall: () => null };

async function registrationCost(load: RegistrationLoad): Promise<RegistrationCost> {
  const engine = await createCoreEngine({
    address: load.address,
    port: 0,
    adapter: load.adapter,
    userAgentName: 'carillon',
    mayReach: () => true,
    onUnclaimedCall: () => null,
  });
  const turner = new Turner(engine);
  try {
    // The warm-up allocates memory that the endpoints then use: resident memory counts from before it.
    const idle = await memory();
    // Compilation is not a CPU cost of an endpoint.
    const warm = new Counts();
    const firsts = await registerAll(engine, turner, load, 'w', Math.min(12_000, load.endpoints), warm);
    for (const agent of firsts) agent.unregister();
    await until(() => warm.unregistered === firsts.length, load.patienceMs);
    for (const agent of firsts.splice(0)) agent.close();
    await until(() => !engine.busy, 20_000);
    const before = await memory();
    const counts = new Counts();
    console.log('warm');
    const begin = process.cpuUsage();
    const agents = await registerAll(engine, turner, load, 'u', load.endpoints, counts);
    const registerCpuSeconds = cpuSeconds(begin);
    const registeredAt = process.cpuUsage();
    const settled = () => counts.refreshed + counts.failed >= load.endpoints;
    if (load.awaitsRefreshes) await until(settled, load.expiresSeconds * 1000 + load.patienceMs);
    const refreshCpuSeconds = cpuSeconds(registeredAt);
    const after = await memory();
    if (counts.reason !== '') console.error(counts.reason);
    return {
      registered: counts.registered,
      failed: counts.failed,
      refreshed: counts.refreshed,
      refreshesFailed: counts.refreshesFailed,
      cpuSeconds: registerCpuSeconds,
      refreshCpuSeconds,
      residentBytesEach: (after.rss - idle.rss) / agents.length,
      heapBytesEach: (after.heapUsed - before.heapUsed) / agents.length,
    };
  } finally {
    turner.close();
    engine.close();
  }
}

/** Turns, and waits, as a signalling thread does. */
class Turner {
  /** Due work starts within the turn. */
  place: ((atMs: number) => void) | null = null;
  private closed = false;

  constructor(engine: SipEngine) {
    let turnedAtMs = nowMs();
    const turn = (): number | null => {
      if (this.closed) return null;
      const atMs = nowMs();
      this.place?.(atMs);
      const came = engine.turn(atMs);
      const waitMs = busyTurnMs(came, atMs - turnedAtMs);
      turnedAtMs = atMs;
      return waitMs;
    };
    keepTurning({ turn, needsLoop: () => engine.needsLoop, doorbell: new Doorbell() });
  }

  close(): void {
    this.closed = true;
  }
}

async function registerAll(
  engine: SipEngine,
  turner: Turner,
  load: RegistrationLoad,
  prefix: string,
  count: number,
  counts: Counts,
): Promise<UserAgent[]> {
  const { address, registrarPort, rate, expiresSeconds, patienceMs } = load;
  const agents: UserAgent[] = [];
  const registrarUri = `sip:${address}:${registrarPort}`;
  const beginMs = nowMs();
  turner.place = (atMs) => {
    const due = Math.min(count, Math.floor(((atMs - beginMs) * rate) / 1000) + 1);
    while (agents.length < due) {
      const username = `${prefix}${agents.length}`;
      const agent = engine.createUserAgent({
        aor: `sip:${username}@${address}`,
        contactUser: username,
        credentials: { username, password: new Secret(`secret-of-${username}`) },
        registrarUri,
        nextHop: null,
        routeSet: [],
        traffic: deaf,
        owner: NO_OWNER,
      });
      agent.register(expiresSeconds, counts);
      agents.push(agent);
    }
  };
  await until(() => agents.length === count, (count * 1000) / rate + patienceMs);
  turner.place = null;
  await until(() => counts.registered + counts.failed >= count, patienceMs);
  return agents;
}

async function until(condition: () => boolean, patienceMs: number): Promise<void> {
  const endMs = nowMs() + patienceMs;
  while (!condition() && nowMs() < endMs) await sleep(20);
}

/** After two collections: the second frees objects that finalizers of the first released. */
async function memory(): Promise<NodeJS.MemoryUsage> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let i = 0; i < 2; i++) {
    collect();
    await sleep(200);
  }
  return process.memoryUsage();
}

if (import.meta.main) console.log(JSON.stringify(await registrationCost(JSON.parse(process.argv[2] ?? '{}'))));
