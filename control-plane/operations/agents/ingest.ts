/**
 * One batch of an agent's facts, in one transaction: the outbox advances by one, or nothing happens. So every call,
 * sample and message counts once, however often a batch is sent.
 */

import { PHASES } from '../../contract/run/words.ts';
import type { AllocationFacts, Facts } from '../../domain/run/facts.ts';
import { type InstanceEvent, isInstanceOver } from '../../domain/run/instance-machine.ts';
import { noPhases, reachedPhases } from '../../domain/run/reached-phases.ts';
import type { Ports } from '../../ports.ts';
import { advanceOutbox } from '../../store/agents/outboxes.ts';
import { type Database, lastingFault, type Tx } from '../../store/db.ts';
import { insertChunks } from '../../store/measured/messages.ts';
import { insertNoise, insertStartNoise } from '../../store/measured/noise.ts';
import { insertRtpHeaders } from '../../store/measured/rtp-headers.ts';
import { ensureSamplePartitions, insertSamples, storeSamples, sumSamples } from '../../store/measured/samples.ts';
import { addSipCounts } from '../../store/measured/sip-counts.ts';
import { insertStreams } from '../../store/measured/streams.ts';
import { NIL } from '../../store/new-id.ts';
import { addRefreshes, closeEndpoints, type EndpointEnd, raisePhases } from '../../store/run/endpoint-ends.ts';
import { insertEvents } from '../../store/run/events.ts';
import { insertFindings } from '../../store/run/findings.ts';
import {
  type EndpointRange,
  type InstanceRow,
  openInstancesOfWorker,
  runsOfInstances,
  shareInstances,
} from '../../store/run/instances.ts';
import { type LockedRun, lockRun } from '../../store/run/locked-run.ts';
import { breakOff, countCalls } from '../run/break-off.ts';
import { foldEnds } from '../run/fold.ts';
import { applyInstanceEvent } from '../run/instance-events.ts';
import { falseClaims, rangesOf } from './claims.ts';
import { LateFacts, lateShares, takeBack } from './late-shares.ts';

export type FactsSender = { readonly workerId: string; readonly outboxId: string };

/**
 * `refused`: the batch will never be stored, and the outbox has moved on without it.
 * `ignored`: allocations whose facts were dropped, because they are not this worker's or their run has ended.
 */
export type Ingested = {
  readonly result: 'committed' | 'repeated' | 'gap' | 'refused';
  readonly ignored: number;
  /** How many of the ignored ones belong to another worker, or have endpoints outside the allocation. */
  readonly foreign: number;
  readonly samples: number;
};

const EVENT_OF: Readonly<Record<NonNullable<AllocationFacts['state']>, InstanceEvent>> = {
  READY: 'ready',
  REFUSED: 'refused',
  DONE: 'done',
};

/** The SQL state check_violation: one of its causes is that no partition takes the row. */
const CHECK_VIOLATION = '23514';

/** The days of each database whose partitions are committed. */
const knownPartitions = new WeakMap<Database, Set<string>>();

function partitionsOf({ database }: Pick<Ports, 'database'>): Set<string> {
  const known = knownPartitions.get(database) ?? new Set();
  knownPartitions.set(database, known);
  return known;
}

export async function ingest(ports: Ports, sender: FactsSender, number: number, facts: Facts): Promise<Ingested> {
  try {
    return await take(ports, sender, number, facts).catch(async (error: Error) => {
      if (error instanceof LateFacts) await takeBack(ports, error.instances);
      else if (!isPartitionGone(ports, error)) throw error;
      return take(ports, sender, number, facts);
    });
  } catch (error) {
    const sqlstate = lastingFault(error);
    if (sqlstate === null) throw error;
    const { message } = error as Error;
    ports.log.error({ workerId: sender.workerId, batch: number, sqlstate, error: message }, 'batch cannot be stored');
    return skip(ports, sender, number);
  }
}

/**
 * A database that was reset to an older state may lack a day's partition. The day no longer counts as existing, and its
 * partition is created with the batch.
 */
function isPartitionGone(ports: Ports, error: Error): boolean {
  const known = partitionsOf(ports);
  if (lastingFault(error) !== CHECK_VIOLATION || known.size === 0) return false;
  known.clear();
  return true;
}

async function take(ports: Ports, sender: FactsSender, number: number, facts: Facts): Promise<Ingested> {
  const { days, ...ingested } = await ports.database.transaction(async (tx) => {
    const advance = await advanceOutbox(tx, sender.workerId, sender.outboxId, number);
    if (advance !== 'advanced') return { result: advance, ignored: 0, foreign: 0, samples: 0, days: [] };
    return { result: 'committed' as const, ...(await write(ports, tx, sender, number, facts)) };
  });
  const known = partitionsOf(ports);
  for (const day of days) known.add(day);
  return ingested;
}

/** The outbox advances without this batch: a repetition would fail again, and block all later ones. */
export const skip = (ports: Ports, sender: FactsSender, number: number): Promise<Ingested> =>
  ports.database.transaction(async (tx) => {
    const advance = await advanceOutbox(tx, sender.workerId, sender.outboxId, number);
    return { result: advance === 'advanced' ? 'refused' : advance, ignored: 0, foreign: 0, samples: 0 };
  });

async function write(ports: Ports, tx: Tx, sender: FactsSender, number: number, facts: Facts) {
  const ids = facts.allocations.map((a) => a.allocationId);
  const moving = facts.allocations.filter((a) => a.state !== null).map((a) => a.allocationId);
  // Runs are locked before instances, in ascending order: this is the lock order of all transactions.
  const runs = new Map<string, LockedRun>();
  if (moving.length > 0) {
    for (const { runId } of await runsOfInstances(tx, sender.workerId, moving)) {
      const run = await lockRun(tx, runId);
      if (run) runs.set(runId, run);
    }
  }
  const mine = ids.length > 0 ? await shareInstances(tx, sender.workerId, ids) : [];
  const ranges = await rangesOf(ports, tx, mine);
  const forged = await falseClaims(tx, sender.workerId, facts.allocations, mine, ranges);
  const late = await lateShares(
    tx,
    mine.filter((i) => !forged.has(i.id)),
    ports.now(),
  );
  if (late.length > 0) throw new LateFacts(late);
  const open = new Map(mine.filter((i) => !isInstanceOver(i.status) && !forged.has(i.id)).map((i) => [i.id, i]));
  if (facts.noise.length > 0) {
    const carried = await openInstancesOfWorker(tx, sender.workerId);
    const runIds = [...new Set([...carried, ...open.values()].map((i) => i.runId))].sort();
    if (runIds.length > 0) await insertNoise(tx, runIds, sender.workerId, facts.noise);
  }

  let ignored = 0;
  let samples = 0;
  const days: string[] = [];
  for (const fact of facts.allocations) {
    const instance = open.get(fact.allocationId);
    if (!instance) {
      ignored++;
      continue;
    }
    const range = ranges.get(instance.id) ?? NO_RANGE;
    days.push(
      ...(await writeFacts(tx, partitionsOf(ports), instance, fact, { batch: number, at: ports.now(), range })),
    );
    samples += (fact.samples?.endpoint.length ?? 0) + (fact.summedSamples?.endpoint.length ?? 0);
  }
  for (const fact of facts.allocations) {
    const instance = open.get(fact.allocationId);
    const run = instance && (runs.get(instance.runId) as LockedRun);
    if (!run || fact.state === null) continue;
    // An earlier fact of this batch may have moved the run.
    const current = (await lockRun(tx, run.id)) as LockedRun;
    const { reasonCode, reason } = fact;
    const moved = { event: EVENT_OF[fact.state], reason: reason || null, refusalCode: reasonCode };
    await applyInstanceEvent(ports, tx, current, fact.allocationId, moved);
  }
  await judgeCalls(tx, facts.allocations, open, ports.now());
  return { ignored, foreign: forged.size, samples, days };
}

/** Breakers are locked last, in ascending order: the global lock order. */
async function judgeCalls(
  tx: Tx,
  allocations: readonly AllocationFacts[],
  open: ReadonlyMap<string, InstanceRow>,
  at: Date,
): Promise<void> {
  const key = ({ runId, groupId }: InstanceRow): string => `${runId} ${groupId}`;
  const rows = allocations
    .flatMap((fact) => {
      const instance = open.get(fact.allocationId);
      return instance && (fact.breaches.length > 0 || fact.tally) ? [{ fact, instance }] : [];
    })
    .sort((a, b) => (key(a.instance) < key(b.instance) ? -1 : 1));
  for (const { fact, instance } of rows) {
    if (fact.breaches.length > 0) await breakOff(tx, instance, fact.breaches, at);
    if (fact.tally && fact.tally.second.length > 0) await countCalls(tx, instance, fact.tally, at);
  }
}

/** The range of an instance without endpoints. */
const NO_RANGE: EndpointRange = {
  first: 0,
  last: 0,
  apart: 0,
  registrarId: NIL,
  registrarUri: '',
  calleeUri: '',
  countsAsCall: true,
  keepsSome: false,
  isFolded: false,
};

/** A batch's facts of an endpoint are written as one row: its end with the phases before it, and its streams. */
async function writeEndpoints(
  tx: Tx,
  instance: InstanceRow,
  f: AllocationFacts,
  at: Date,
  range: EndpointRange,
): Promise<void> {
  const { runId, id, workerId, role } = instance;
  const { registrarId, calleeUri, apart, countsAsCall, keepsSome } = range;
  const origin = { runId, instanceId: id, workerId, registrarId, role, countsAsCall, apart, calleeUri, keepsSome };
  const phases = reachedPhases([f.phases, f.progress].filter((told) => told !== null));
  const ends = new Map<number, EndpointEnd>();
  for (const outcome of f.outcomes) {
    const { number } = outcome;
    if (ends.has(number)) continue;
    const reached = phases.get(number) ?? noPhases(number);
    // If the agent has not reported when the endpoint closed, it closed now.
    if (Number.isNaN(reached.closedUnixMs)) reached.closedUnixMs = at.getTime();
    ends.set(number, { outcome, phases: reached });
    phases.delete(number);
  }
  await raisePhases(tx, origin, [...phases.values()]);
  if (range.isFolded) await foldEnds(tx, instance, origin, range, { ends: [...ends.values()], streams: f.streams });
  else {
    const closed = await closeEndpoints(tx, origin, [...ends.values()]);
    await insertFindings(
      tx,
      runId,
      f.outcomes.filter((outcome) => closed.has(outcome.number)),
    );
    if (f.streams.length > 0) await insertStreams(tx, runId, f.streams);
  }
  if (f.registrationEnds) await addRefreshes(tx, origin, f.registrationEnds);
  if (!f.phases) return;
  await insertEvents(tx, runId, id, {
    unixMs: f.phases.unixMs,
    endpoint: f.phases.endpoint,
    kind: f.phases.phase.map(() => 'PHASE' as const),
    detail: f.phases.phase.map((p) => PHASES[p] as string),
  });
}

/** Returns the days of samples whose partitions it has ensured. */
async function writeFacts(
  tx: Tx,
  known: ReadonlySet<string>,
  instance: InstanceRow,
  f: AllocationFacts,
  { batch, at, range }: { readonly batch: number; readonly at: Date; readonly range: EndpointRange },
): Promise<string[]> {
  const { runId, id } = instance;
  let days: string[] = [];
  await writeEndpoints(tx, instance, f, at, range);
  if (f.sipCounts) await addSipCounts(tx, runId, id, f.sipCounts);
  if (f.messages.length > 0) await insertChunks(tx, runId, id, f.messages);
  if (f.rtpHeaders.length > 0) await insertRtpHeaders(tx, runId, f.rtpHeaders);
  if (f.samples && f.samples.endpoint.length > 0) {
    days = await ensureSamplePartitions(tx, f.samples.unixMs, known);
    await insertSamples(tx, runId, id, f.samples);
  }
  if (f.summedSamples) await sumSamples(tx, runId, id, f.summedSamples);
  if (f.storedSamples) {
    days = [...days, ...(await ensureSamplePartitions(tx, f.storedSamples.unixMs, known))];
    await storeSamples(tx, runId, f.storedSamples);
  }
  if (f.actions) {
    await insertEvents(tx, runId, id, {
      unixMs: f.actions.unixMs,
      endpoint: f.actions.endpoint,
      kind: f.actions.failed.map((failed) => (failed ? 'ACTION_FAILED' : 'ACTION')),
      detail: f.actions.detail,
    });
  }
  if (f.strangers.length > 0) {
    await insertEvents(tx, runId, id, {
      unixMs: f.strangers.map(({ unixMs }) => unixMs),
      endpoint: f.strangers.map(() => Number.NaN),
      kind: f.strangers.map(() => 'STRANGER' as const),
      detail: f.strangers.map(({ count, detail }) =>
        count === 1 ? detail : `${count} INVITEs, the last one: ${detail}`,
      ),
    });
  }
  if (f.startNoise) await insertStartNoise(tx, runId, id, batch, f.startNoise);
  return days;
}
