/** A user changes or pauses the rate of a load in progress: every agent with a part of it gets the new load. */
import { lengthOf } from '@carillon/proto/load/load-step.ts';
import { MAX_CALLS } from '@carillon/proto/load/shapes/shape.ts';
import { ApiError, invalid } from '../../contract/errors.ts';
import { isInstanceOver } from '../../domain/run/instance-machine.ts';
import { changeFault, presentLoad } from '../../domain/run/load/load-change.ts';
import { wireSteps } from '../../domain/run/orders/orders.ts';
import type { Ports } from '../../ports.ts';
import { callRates } from '../../store/agents/workers.ts';
import type { Tx } from '../../store/db.ts';
import { insertEvents } from '../../store/run/events.ts';
import { type InstanceRow, lockInstancesOfRun } from '../../store/run/instances.ts';
import { addLoadChange, type LockedRun, lockRun } from '../../store/run/locked-run.ts';
import { OF_THE_RUN } from '../../store/run/views/run-counts.ts';
import { findRun } from '../../store/run/views/run-lists.ts';
import { byId, type Handler, known } from '../request/perform.ts';
import { runView } from '../run-view/runs.ts';
import { orderEach } from './order.ts';

/** Longer than the delivery of orders: agents are informed before the change. */
const LEAD_SECONDS = 0.3;

export const updateTestRunLoad: Handler<'updateTestRunLoad'> = async (
  { ports },
  { projectId, testRunId, callsPerSecond },
) => {
  const { db } = ports.database;
  known('test run', testRunId, await byId(testRunId, () => findRun(db, projectId, testRunId)));
  await ports.database.transaction(async (tx) => {
    const run = await lockRun(tx, testRunId);
    if (run) await change(ports, tx, run, callsPerSecond);
  });
  return runView(known('test run', testRunId, await findRun(db, projectId, testRunId)));
};

/** @throws ApiError CONFLICT, VALIDATION_ERROR */
async function change(ports: Ports, tx: Tx, run: LockedRun, callsPerSecond: number): Promise<void> {
  const { id, status, startedAt, config, loadChanges, isFolded } = run;
  const { exactCalls } = ports.settings;
  if (status !== 'RUNNING' || startedAt === null || run.endingEvent !== null)
    throw new ApiError('CONFLICT', `Only a load in progress can be changed; the run is ${status}.`);
  const sinceStart = (ports.now().getTime() - startedAt.getTime()) / 1000 + LEAD_SECONDS;
  const next = { fromSeconds: Math.max(0, Math.round(sinceStart * 1000) / 1000), callsPerSecond };
  const load = presentLoad(config, [...loadChanges, next]);
  if (load === null) {
    const why = 'each endpoint places one call, at its own instant';
    throw new ApiError(
      'CONFLICT',
      `The load of this run cannot be changed: ${why}. Let callers of the test place more.`,
    );
  }
  const length = lengthOf(load.steps);
  if (next.fromSeconds >= length)
    throw new ApiError('CONFLICT', `The load of this run is over: its length was ${length} s.`);
  const callers = (await lockInstancesOfRun(tx, id)).filter(({ role }) => role === 'CALLER');
  const open = callers.filter(({ status }) => !isInstanceOver(status));
  const fault = changeFault(load, next, await allowances(tx, callers, open), isFolded ? MAX_CALLS : exactCalls);
  if (fault !== null) throw invalid([{ path: ['callsPerSecond'], message: fault }]);
  await addLoadChange(tx, id, next);
  const steps = wireSteps(load.steps);
  await orderEach(tx, open, (allocationIds) => ({ kind: 'changeLoad', runId: id, allocationIds, steps }));
  const words = callsPerSecond === 0 ? 'paused' : `${callsPerSecond} calls/s`;
  await insertEvents(tx, id, OF_THE_RUN, {
    unixMs: [startedAt.getTime() + next.fromSeconds * 1000],
    endpoint: [Number.NaN],
    kind: ['LOAD'],
    detail: [words],
  });
}

/** The limit of each host, and the host's part of the load. */
async function allowances(tx: Tx, callers: readonly InstanceRow[], open: readonly InstanceRow[]) {
  const endpointsOf = (rows: readonly InstanceRow[]): number => rows.reduce((sum, { endpoints }) => sum + endpoints, 0);
  const workers = [...new Set(open.map(({ workerId }) => workerId))];
  const rates = workers.length > 0 ? await callRates(tx, workers) : [];
  return rates.map(({ id, name, perSecond }) => ({
    worker: name,
    perSecond,
    share: endpointsOf(open.filter(({ workerId }) => workerId === id)) / endpointsOf(callers),
  }));
}
