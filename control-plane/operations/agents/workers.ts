/** Workers: enrollment by a token, draining, revocation. An agent's policy cannot be extended here. */

import { randomBytes } from 'node:crypto';
import { step } from '@carillon/proto/base/machine.ts';
import { Secret } from '@carillon/proto/base/secret.ts';
import type { Input, Output } from '../../contract/catalogue.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Validity } from '../../contract/run/validity.ts';
import { capacityOf, leftToProbes, limitsOf, RESERVE_SHARE } from '../../domain/run/plan/capacity.ts';
import { lackedSettings } from '../../domain/run/preflight/lacked.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import { WORKER } from '../../domain/worker-machine.ts';
import type { Ports } from '../../ports.ts';
import { announceDeparture, hasOpenCommand } from '../../store/agents/commands.ts';
import { countGroups, type WorkerQuery, type WorkerTexts } from '../../store/agents/fleet.ts';
import {
  allWorkers,
  countWorkers,
  drain,
  listWorkers as list,
  putWorker,
  replaceJoinToken,
  setCapacity,
  workerDetail,
} from '../../store/agents/owned-workers.ts';
import { lockWorker } from '../../store/agents/workers.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import { hashOf } from '../request/actor.ts';
import { changing, conflict } from '../request/change.ts';
import { joined } from '../request/joined.ts';
import { listed } from '../request/listed.ts';
import { byId, type Context, type Handler, known } from '../request/perform.ts';
import { order } from '../run/order.ts';
import { noiseNow } from '../run-view/noise.ts';
import { announceWorker } from './announce-worker.ts';
import { EXPELLED } from './keys.ts';
import { archiveWorker } from './leave.ts';

const JOIN_TOKEN_SECONDS = 15 * 60;

type Row = NonNullable<Awaited<ReturnType<typeof workerDetail>>>;

function view({ organizationId, hello, ...w }: Row, noise: Validity | null = null): Output<'listWorkers'> {
  const {
    agentVersion,
    hostname,
    platform,
    cpus,
    sipAdapter,
    rtpAdapter,
    rtpPriority,
    audioCodecs,
    videoCodecs,
    policy,
  } = hello;
  const carrying = { capacity: w.capacity, hello };
  const capacity = capacityOf(carrying);
  return {
    ...w,
    noise,
    ownership: organizationId === null ? 'PLATFORM' : 'USER_OWNED',
    capacity,
    leftToProbes: leftToProbes(capacity, RESERVE_SHARE.load),
    capacityLimits: limitsOf(carrying),
    endpoints: w.endpoints ?? 0,
    connectedAt: w.connectedAt?.toISOString() ?? null,
    seenAt: w.seenAt?.toISOString() ?? null,
    drainedAt: w.drainedAt?.toISOString() ?? null,
    keyChangedAt: w.keyChangedAt?.toISOString() ?? null,
    joinTokenExpiresAt: w.joinTokenExpiresAt?.toISOString() ?? null,
    agent:
      agentVersion === undefined
        ? null
        : {
            version: agentVersion,
            hostname: hostname ?? '',
            platform: platform ?? '',
            cpus: cpus ?? 0,
            sipAdapter: sipAdapter ?? '',
            rtpAdapter: rtpAdapter ?? '',
            rtpPriority: rtpPriority ?? '',
            audioCodecs: [...(audioCodecs ?? [])],
            videoCodecs: [...(videoCodecs ?? [])],
            lacks: lackedSettings(hello),
            calibration: hello.calibration ?? null,
            policy: {
              targetNetworks: [...(policy?.targetNetworks ?? [])],
              maxCallsPerSecond: policy?.maxCallsPerSecond ?? 0,
              maxEndpoints: policy?.maxEndpoints ?? 0,
              maxDurationSeconds: policy?.maxDurationSeconds ?? 0,
              maxMinutesADay: policy?.maxMinutesADay ?? null,
              mayNotKeep: [...(policy?.mayNotKeep ?? [])],
            },
          },
  };
}

const textsOf = ({ hooks }: Ports): WorkerTexts => joined(hooks.map(({ workerTexts }) => workerTexts));

const queryOf = (ports: Ports, { search, ...values }: Input<'getFleet'>): WorkerQuery => ({
  search,
  values,
  texts: textsOf(ports),
});

export const listWorkers: Handler<'listWorkers'> = async ({ ports, actor: { organizationId } }, input) => {
  const { db } = ports.database;
  const { page: _, per_page: __, sort, cursor: ___, ...filter } = input;
  const query = queryOf(ports, filter);
  const { all: total } = await countWorkers(db, organizationId, query);
  const { rows, ...page } = await listed(input, total, (w) => list(db, organizationId, query, sort, w));
  const noise = await noiseNow(ports, organizationId, rows);
  return { ...page, rows: rows.map((row) => view(row, noise.get(row.id))) };
};

export const getFleet: Handler<'getFleet'> = async ({ ports, actor: { organizationId } }, input) => {
  const { db } = ports.database;
  const query = queryOf(ports, input);
  const { all: workers, online } = await countWorkers(db, organizationId, query);
  return { workers, online, groups: await countGroups(db, organizationId, query) };
};

export const listRegions: Handler<'listRegions'> = async ({ ports, actor }, { page, per_page }) => {
  const workers = (await allWorkers(ports.database.db, actor.organizationId, textsOf(ports))).map((row) => view(row));
  const regions = [...Map.groupBy(workers, (w) => w.region)].sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = regions.map(([region, all]) => {
    const online = all.filter((w) => w.status === 'ONLINE');
    return {
      region,
      workers: all.length,
      online: online.length,
      capacity: online.reduce((sum, w) => sum + w.capacity, 0),
      endpoints: all.reduce((sum, w) => sum + w.endpoints, 0),
    };
  });
  return { rows: rows.slice((page - 1) * per_page, page * per_page), total: rows.length };
};

export const createWorker = changing<'createWorker'>(async (context, tx, input) => {
  const { organizationId } = context.actor;
  const id = await putWorker(tx, { id: newId(), organizationId, ...input });
  if (id === undefined) throw conflict(`There is a worker called ${JSON.stringify(input.name)} already.`);
  return withToken(context, tx, id);
});

export const renewJoinToken = changing<'renewJoinToken'>(async (context, tx, { workerId }) => {
  await own(context, tx, workerId);
  return withToken(context, tx, workerId);
});

/** The worker as its organization sees it. */
const rowOf = async ({ ports, actor: { organizationId } }: Context, tx: Tx, workerId: string): Promise<Row> =>
  known('worker', workerId, await workerDetail(tx, organizationId, workerId, textsOf(ports)));

async function withToken(context: Context, tx: Tx, workerId: string): Promise<Output<'createWorker'>> {
  const { ports } = context;
  const joinToken = new Secret(randomBytes(24).toString('base64url'));
  const expiresAt = secondsAfter(ports.now(), JOIN_TOKEN_SECONDS);
  await replaceJoinToken(tx, { id: newId(), workerId, hash: hashOf(joinToken), expiresAt });
  return {
    ...view(await rowOf(context, tx, workerId)),
    joinToken: joinToken.reveal(),
    listening: { ...ports.settings.listening, publicUrl: ports.settings.publicUrl },
  };
}

export const drainWorker = changing<'drainWorker'>(async (context, tx, { workerId, draining }) => {
  const worker = await own(context, tx, workerId);
  const isDrained = worker.drainedAt !== null;
  const next = draining || isDrained ? step(WORKER.transitions, worker.status, draining ? 'drained' : 'resumed') : null;
  if (next === null) {
    throw conflict(`The worker is ${worker.status}; ${draining ? 'only an ONLINE one drains' : 'it does not drain'}.`);
  }
  await drain(tx, workerId, next, draining ? context.ports.now() : null);
  await announceWorker(context.ports, tx, worker, worker.status, next);
  return view(await rowOf(context, tx, workerId));
});

/** Runs that use more than the new capacity keep it. */
export const updateWorker = changing<'updateWorker'>(async (context, tx, { workerId, capacity }) => {
  await own(context, tx, workerId);
  await setCapacity(tx, workerId, capacity);
  return view(await rowOf(context, tx, workerId));
});

export const revokeWorker = changing<'revokeWorker'>(async (context, tx, { workerId }) => {
  const worker = await own(context, tx, workerId);
  await archiveWorker(context.ports, tx, worker, EXPELLED);
  await announceDeparture(tx, workerId);
  return { id: workerId, deleted: true };
});

/** The order waits until the agent connects, and one waiting order is enough. */
export const changeWorkerKey = changing<'changeWorkerKey'>(async (context, tx, { workerId }) => {
  await own(context, tx, workerId);
  const worker = await rowOf(context, tx, workerId);
  if (!worker.isEnrolled) throw conflict('No agent is enrolled on this worker: it has no key.');
  if (!(await hasOpenCommand(tx, workerId, 'changeKey'))) await order(tx, workerId, { kind: 'changeKey', runId: null });
  return view(worker);
});

/** Returns the worker, locked, if the organization owns it: a shared worker belongs to the installation. */
async function own({ actor }: Context, tx: Tx, workerId: string) {
  const worker = await byId(workerId, () => lockWorker(tx, workerId));
  const reached = worker && [actor.organizationId, null].includes(worker.organizationId) ? worker : undefined;
  const found = known('worker', workerId, reached);
  if (found.organizationId === null) {
    throw new ApiError('FORBIDDEN', "This worker is the installation's, shared with every organization.");
  }
  return found;
}
