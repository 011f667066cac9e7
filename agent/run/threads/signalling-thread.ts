/**
 * A worker thread with a SIP socket and the endpoints that use it. It runs a turn every few milliseconds while there is
 * work, and rarely when there is none.
 */
import { isIP } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { addDelay, createHistogram, toSparse } from '@carillon/media/quality/histogram.ts';
import { memoryOf } from '../../capture/message-block.ts';
import { nowMs } from '../../clock.ts';
import type { Policy } from '../../policy/policy.ts';
import { boundOldGeneration, SIGNALLING_GROWTH } from '../../process/old-generation.ts';
import { createMediaEngine } from '../../rtp/threads/media-client.ts';
import { shardEngines } from '../../rtp/threads/sharded-engine.ts';
import type { SipAddress, UserAgent } from '../../sip/engine.ts';
import { Engines, openMain } from '../../sip/engines/engines.ts';
import { hostAddresses } from '../../sip/locate/host-addresses.ts';
import { openLocator } from '../../sip/locate/open-locator.ts';
import { busyTurnMs, Doorbell, IDLE_TURN_MS, keepTurning, loadTurnMs, preferSignalling } from '../../sip/turns.ts';
import { takeRefused } from '../../steps.ts';
import { type Receiver, Receivers } from '../allocation/receivers.ts';
import { AllocationShare } from '../allocation/share.ts';
import { HostPolicy } from '../limits/host-policy.ts';
import type { SharePlan } from '../plan.ts';
import type { ShareFacts } from '../report/facts.ts';
import { FactsBuffer, receivedMessages } from '../report/facts-buffer.ts';
import { sealedData, sealedMessage } from './crossing.ts';
import { OrderRouter } from './order-router.ts';
import { type PackedFacts, packedFacts } from './packed-outcomes.ts';
import { type PlacedEngine, Places, type SourcePlace } from './places.ts';
import { again, sourceFault, sourceRefusal } from './source-address.ts';
import type { FromSignalling } from './thread-messages.ts';
import { WARM_UP, warmUp } from './warm-up.ts';

/** A message to the main thread costs as much as the facts of several calls. */
const FLUSH_MS = 250;
const NOISE_MS = 1000;

const data = sealedData(workerData);
// A busy host must not delay our responses: peers would retransmit answered requests.
const nice = preferSignalling();
const port = parentPort;
if (!port) throw new Error('this is a worker thread');
const tell = (message: FromSignalling, memory: ArrayBuffer[] = []): void => port.postMessage(message, memory);

const doorbell = new Doorbell(data.doorbell);
const host = new HostPolicy(data.policy, data.paceMemory, data.minutesMemory);
const { mayReach, mayCall, mayDial, mayName } = host;

const fault = (error: unknown): void =>
  tell({ op: 'fault', message: String(error), stack: (error as Error)?.stack ?? '' });

const shared = {
  userAgentName: data.userAgentName,
  mayReach,
  mayCall,
  mayDial,
  mayName,
  mayLeave: (address: string, atMs: number) => host.mayLeave(address, atMs),
  onInternalError: fault,
};
/** As the owner's policy lets it be found. */
async function findHost(name: string, address: string): Promise<string> {
  if (isIP(name) === 0 && !mayName(name)) throw forbidden(`the policy of this host does not allow to look up ${name}`);
  const addresses = await hostAddresses(name, isIP(address) === 6 ? 6 : 4, data.dns);
  const found = addresses.find(mayReach);
  if (found === undefined)
    throw forbidden(`the policy of this host does not allow media to ${addresses.join(', ')}, the STUN server ${name}`);
  return found;
}
function forbidden(why: string): Error {
  return Object.assign(new Error(why), { name: 'TARGET_NOT_ALLOWED' });
}

/** `source`: as allocations name it; '' the thread's own address. */
async function openPlace(source: string, address: string, port: number) {
  const locator = openLocator(data.dns, address, nowMs);
  const options = { ...shared, address, locator };
  const onUnclaimedCall = (uri: string, from: SipAddress): UserAgent | null => receivers.takerOf(uri, from, source);
  const onStranger = (uri: string, from: SipAddress): void => receivers.refused(uri, from, source);
  const { adapter, tls } = data;
  const main = await openMain({ ...options, port, adapter, tls, onUnclaimedCall, onStranger }, data.drachtio);
  const place: SourcePlace = { source, address, locator, engines: new Engines(main.engine, options) };
  return { place, listener: main.listener };
}

const { place: own, listener } = await openPlace('', data.address, data.port);
const engine = own.engines.main;
const places = new Places(own, async (source) => {
  const refusal = sourceRefusal(source, data.drachtio !== null, host.policy);
  if (refusal !== null) throw new Error(refusal);
  const open = (port: number) => openPlace(source, source, port);
  try {
    // The port of the agent's own address, where it is free there, too.
    return (await open(engine.local.port).catch((error) => again(error, () => open(0)))).place;
  } catch (error) {
    throw new Error(sourceFault(source, error as Error));
  }
});
const media = shardEngines(data.media.map((connection) => createMediaEngine(connection, mayReach)));

const orders: OrderRouter<PlacedEngine, AllocationShare> = new OrderRouter({
  engineFor: ({ group }) => places.engineOf(group.sourceAddress, group.protocol),
  open: (plan, { place, engine }) => {
    const conflictOf = (opening: Receiver): string | null => receivers.conflictOf(opening);
    const to = { mayReach, mayCall, mayDial, mayName, locator: place.locator };
    const find = (name: string): Promise<string> => findHost(name, place.address);
    const deps = { engine, media, findHost: find, ...to, conflictOf, hostPace: host, minutes: host.minutes };
    const share = new AllocationShare(plan, deps, nowMs());
    // The policy may have changed while the allocation was on its way.
    share.obey(host.policy, share.nowMs);
    return share;
  },
  refuse: (owner, code, reason) => {
    const facts = new FactsBuffer(owner);
    facts.state('REFUSED', code, reason);
    const taken = facts.take(nowMs());
    if (taken !== null) tellFacts([taken]);
  },
  onFault: fault,
});
const { shares } = orders;
const receivers = new Receivers(shares);

let turnDueMs = nowMs();
let turnWaitMs = IDLE_TURN_MS;
let turnedAtMs = nowMs();
let flushDueMs = 0;
let noiseAtMs = nowMs();
let loopDelayMs = createHistogram();
let received = 0;
let countsBefore = places.counts;
let cpuBefore = process.threadCpuUsage();
let ended = false;
/** Starts the next turn now; a no-op before the first one. */
let wake = (): void => undefined;

function turn(): number | null {
  if (ended) return null;
  const now = nowMs();
  if (isMeasuring()) addDelay(loopDelayMs, Math.max(0, now - turnDueMs), turnWaitMs);
  for (const share of shares.values()) share.turn(now);
  media.turn();
  places.find(now);
  const came = places.turn(now);
  if (now >= flushDueMs || isUrgent()) flush(now);
  if (now - noiseAtMs >= NOISE_MS) reportNoise(now);
  const isBusy = places.busy || shares.size > 0 || orders.isAwaiting || came > 0;
  // From the end of this turn.
  const nextCallMs = nextCallAtMs() - nowMs();
  const busyMs = Number.isNaN(nextCallMs) ? busyTurnMs(came, now - turnedAtMs) : loadTurnMs(nextCallMs);
  const wait = isBusy ? busyMs : IDLE_TURN_MS;
  turnedAtMs = now;
  turnWaitMs = wait;
  // From its start: work that becomes due during a turn counts as waiting too.
  turnDueMs = now + wait;
  return wait;
}

/** Of the loads, if this thread has nothing else to carry out; otherwise NaN. */
function nextCallAtMs(): number {
  let next = Number.NaN;
  for (const { load } of shares.values()) {
    if (load === null) return Number.NaN;
    next = Number.isNaN(next) ? load.nextAtMs : Math.min(next, load.nextAtMs);
  }
  return next;
}

/** The control plane waits for it, or calls of other threads do. */
function isUrgent(): boolean {
  for (const { facts } of shares.values()) if (facts.isUrgent) return true;
  return false;
}

/** Creating thousands of endpoints takes time; it must not delay a due call. */
function isMeasuring(): boolean {
  for (const share of shares.values()) if (share.state === 'RUNNING' || share.state === 'STOPPING') return true;
  return false;
}

function needsLoop(): boolean {
  if (places.needsLoop || orders.isAwaiting) return true;
  // Handshakes continue in the event loop.
  for (const { plan } of shares.values()) if (plan.group.protocol === 'TLS') return true;
  return false;
}

function flush(now: number): void {
  flushDueMs = now + FLUSH_MS;
  const facts = [];
  for (const [owner, share] of shares) {
    const taken = share.takeFacts(now);
    if (taken) {
      facts.push(taken);
      received += receivedMessages(taken);
    }
    if (share.isOver) shares.delete(owner);
  }
  places.tidy((source) => [...shares.values()].some(({ plan }) => plan.group.sourceAddress === source), now);
  if (facts.length > 0) tellFacts(facts);
}

function tellFacts(facts: readonly ShareFacts[]): void {
  const packed = facts.map(packedFacts);
  tell({ op: 'facts', facts: packed }, packed.flatMap(memoryOfFacts));
}

function rehearsed(facts: ShareFacts, plan: SharePlan): void {
  const packed = packedFacts(facts);
  tell({ op: 'rehearsed', facts: packed, plan }, memoryOfFacts(packed));
}

/** Transferred, not copied. */
const memoryOfFacts = ({ messages, withheldMessages, outcomes }: PackedFacts): ArrayBuffer[] => [
  ...[...messages, ...withheldMessages].flatMap(memoryOf),
  outcomes.numbers.buffer,
];

function reportNoise(now: number): void {
  const cpu = process.threadCpuUsage(cpuBefore);
  cpuBefore = process.threadCpuUsage();
  const counts = places.counts;
  tell({
    op: 'noise',
    loopDelayMs: toSparse(loopDelayMs),
    threadCpu: (cpu.user + cpu.system) / 1000 / (now - noiseAtMs),
    receiveDrops: counts.receiveDrops - countsBefore.receiveDrops,
    received,
    activeEndpoints: [...shares.values()].reduce((n, s) => n + s.openEndpoints, 0),
    malformed: counts.malformed - countsBefore.malformed,
    refusedByPolicy: counts.refusedByPolicy - countsBefore.refusedByPolicy,
    unclaimed: counts.unclaimed - countsBefore.unclaimed,
    withheld: counts.withheld - countsBefore.withheld,
    refusedSteps: takeRefused(),
    obstacle: engine.obstacle,
  });
  loopDelayMs = createHistogram();
  countsBefore = counts;
  received = 0;
  noiseAtMs = now;
}

port.on('message', (crossed: Parameters<typeof sealedMessage>[0]) => {
  doorbell.hear();
  const message = sealedMessage(crossed);
  if (message.op === 'end') end().catch(fault);
  else if (message.op === 'policy') replacePolicy(message.policy, message.paceMemory);
  else orders.obey(message);
  wake();
});

/** Ends calls in progress that the policy now refuses. */
function replacePolicy(policy: Policy, paceMemory: SharedArrayBuffer): void {
  const now = nowMs();
  host.replace(policy, paceMemory, now);
  for (const share of shares.values()) share.obey(policy, now);
}

async function end(): Promise<void> {
  flush(nowMs());
  ended = true;
  places.close();
  await media.close();
  port?.close();
}

const { adapter, stamps, fallbackReason } = engine;
tell({ op: 'ready', ...listener, adapter, stamps, fallbackReason, nice });
// An order is better than a rehearsal.
if (data.warmUp) await warmUp(WARM_UP, data.policy, () => ended || shares.size > 0, rehearsed);
tell({ op: 'warm' });
boundOldGeneration(SIGNALLING_GROWTH);
turnDueMs = nowMs();
wake = keepTurning({ turn, needsLoop, doorbell });
