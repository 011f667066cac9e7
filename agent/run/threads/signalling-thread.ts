/**
 * A worker thread with a SIP socket and the endpoints that use it. Its work is done in turns (thread-turns.ts).
 */
import { isIP } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { nowMs } from '../../clock.ts';
import type { Policy } from '../../policy/policy.ts';
import { createMediaEngine } from '../../rtp/threads/media-client.ts';
import { shardEngines } from '../../rtp/threads/sharded-engine.ts';
import type { SipAddress, UserAgent } from '../../sip/engine.ts';
import { Engines, openMain } from '../../sip/engines/engines.ts';
import { hostAddresses } from '../../sip/locate/host-addresses.ts';
import { openLocator } from '../../sip/locate/open-locator.ts';
import { Doorbell, preferSignalling } from '../../sip/turns.ts';
import { type Receiver, Receivers } from '../allocation/receivers.ts';
import { AllocationShare } from '../allocation/share.ts';
import { HostPolicy } from '../limits/host-policy.ts';
import { FactsBuffer } from '../report/facts-buffer.ts';
import { sealedData, sealedMessage } from './crossing.ts';
import { OrderRouter } from './order-router.ts';
import { type PlacedEngine, Places, type SourcePlace } from './places.ts';
import { again, sourceFault, sourceRefusal } from './source-address.ts';
import { type Tell, tellFacts } from './tell-facts.ts';
import { ThreadTurns } from './thread-turns.ts';

const data = sealedData(workerData);
// A busy host must not delay our responses: peers would retransmit answered requests.
const nice = preferSignalling();
const port = parentPort;
if (!port) throw new Error('this is a worker thread');
const tell: Tell = (message, memory = []) => port.postMessage(message, memory);

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
/** Resolves a name as far as the owner's policy permits it. */
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

/** `source`: the address as allocations name it; '' for the thread's own address. */
async function openPlace(source: string, address: string, port: number) {
  const locator = openLocator(data.dns, address, nowMs);
  const options = { ...shared, address, locator, announced: source === '' ? (data.announced ?? null) : null };
  const onUnclaimedCall = (uri: string, from: SipAddress): UserAgent | null => receivers.takerOf(uri, from, source);
  const onStranger = (uri: string, from: SipAddress): void => receivers.refused(uri, from, source);
  const { adapter, tls } = data;
  const whole = { ...options, port, adapter, tls, onUnclaimedCall, onStranger };
  const main = await openMain(whole, data.drachtio);
  const place: SourcePlace = { source, address, locator, engines: new Engines(main.engine, whole) };
  return { place, listener: main.listener };
}

const { place: own, listener } = await openPlace('', data.address, data.port);
const engine = own.engines.main;
const places = new Places(own, async (source) => {
  const refusal = sourceRefusal(source, data.drachtio !== null, host.policy);
  if (refusal !== null) throw new Error(refusal);
  const open = (port: number) => openPlace(source, source, port);
  try {
    // The port of the agent's own address is used if it is free at this address, too.
    return (await open(engine.local.port).catch((error) => again(error, () => open(0)))).place;
  } catch (error) {
    throw new Error(sourceFault(source, error as Error));
  }
});
const media = shardEngines(data.media.map((connection) => createMediaEngine(connection, mayReach)));

const orders: OrderRouter<PlacedEngine, AllocationShare> = new OrderRouter({
  engineFor: ({ group }) => places.engineOf(group.sourceAddress, group.protocol, group.engine),
  open: (plan, { place, engine }) => {
    const conflictOf = (opening: Receiver): string | null => receivers.conflictOf(opening);
    const to = { mayReach, mayCall, mayDial, mayName, locator: place.locator };
    const find = (name: string): Promise<string> => findHost(name, place.address);
    const deps = {
      engine,
      media,
      findHost: find,
      ...to,
      conflictOf,
      hostPace: host,
      minutes: host.minutes,
      latestStartMs: data.latestStartMs,
    };
    const share = new AllocationShare(plan, deps, nowMs());
    // The policy may have changed while the allocation was on its way.
    share.obey(host.policy, share.nowMs);
    return share;
  },
  refuse: (owner, code, reason) => {
    const facts = new FactsBuffer(owner);
    facts.state('REFUSED', code, reason);
    const taken = facts.take(nowMs());
    if (taken !== null) tellFacts(tell, [taken]);
  },
  onFault: fault,
});
const { shares } = orders;
const receivers = new Receivers(shares);

const turns = new ThreadTurns({ shares, places, media, orders, tell });

port.on('message', (crossed: Parameters<typeof sealedMessage>[0]) => {
  doorbell.hear();
  const message = sealedMessage(crossed);
  if (message.op === 'end') end().catch(fault);
  else if (message.op === 'policy') replacePolicy(message.policy, message.paceMemory);
  else orders.obey(message);
  turns.wake();
});

/** Ends calls in progress that the policy now refuses. */
function replacePolicy(policy: Policy, paceMemory: SharedArrayBuffer): void {
  const now = nowMs();
  host.replace(policy, paceMemory, now);
  for (const share of shares.values()) share.obey(policy, now);
}

async function end(): Promise<void> {
  turns.end();
  places.close();
  await media.close();
  port?.close();
}

const { adapter, stamps, fallbackReason } = engine;
tell({ op: 'ready', ...listener, adapter, stamps, fallbackReason, nice });
turns.begin(doorbell);
