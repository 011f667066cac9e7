/** An invented run of an invented organization with one agent, from its start to its end, in a transaction of the caller. */
import { randomBytes } from 'node:crypto';
import { decodeAgentFrame, encodeAgentFrame, encodeFacts, wire } from '@carillon/proto';
import { v7 as uuid } from 'uuid';
import { parseProvisionFile } from '../contract/provision-file.ts';
import { provisionFaults } from '../domain/project/provision.ts';
import { openBatch } from '../link/open-batch.ts';
import type { Instants } from '../link/wire/decode-facts.ts';
import { encodeOrder } from '../link/wire/encode-order.ts';
import { toBytes } from '../link/wire/identifiers.ts';
import { type Greeting, greet } from '../operations/agents/greet.ts';
import { ingest } from '../operations/agents/ingest.ts';
import { acknowledgeOrder, openOrders } from '../operations/agents/orders.ts';
import { ALL_NEW } from '../operations/provision/entries.ts';
import { applyProject } from '../operations/provision/project.ts';
import { allocateRun } from '../operations/run/allocate.ts';
import { settleRun } from '../operations/run/settle.ts';
import { validateRun } from '../operations/run/validate.ts';
import { submitValues } from '../operations/submission/submit-values.ts';
import type { Ports } from '../ports.ts';
import type { Tx } from '../store/db.ts';
import { upsertProject } from '../store/project/provision.ts';
import { upsertOrganization, upsertWorker } from '../store/project/provision-access.ts';
import { findTest, listTests } from '../store/project/tests.ts';
import { lockRun } from '../store/run/runs.ts';
import { rehearsedFacts } from './rehearsed-facts.ts';

export type RehearsedSize = {
  readonly batches: number;
  /** Of a batch. */
  readonly calls: number;
  /** Times that a batch is decoded; it is stored once. */
  readonly decodings: number;
};

const ENDPOINTS = 20;
const DAY_MS = 86_400_000;
const NOBODY = new Set<string>();
const { READY, DONE } = wire.agent.v1.AllocationState;

/** So many calls that the detail of some is kept. */
const FILE = (slug: string) => ({
  organizations: [
    {
      slug,
      name: slug,
      plan: 'UNLIMITED',
      projects: [
        {
          slug,
          name: slug,
          tests: [
            {
              slug,
              name: slug,
              durationSeconds: 1,
              load: { shape: 'RATE', callsPerSecond: 1000, calls: 3000 },
              groups: [
                {
                  name: 'callers',
                  registrar: 'cloud',
                  callee: { mode: 'EXTERNAL_URI', uri: 'sip:rehearsal@192.0.2.1' },
                  placement: { mode: 'REGION', region: slug },
                  mediaTracks: [],
                  subPopulations: [{ name: 'all', role: 'CALLER', endpoints: ENDPOINTS, calls: null }],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
});

/** How it went. `completed`: runs that reached their end; they do not if `goesOn` says no. */
export type Rehearsed = { readonly calls: number; readonly completed: number };

export async function rehearseRun(
  ports: Ports,
  tx: Tx,
  { batches, calls, decodings }: RehearsedSize,
  goesOn: () => boolean,
): Promise<Rehearsed> {
  const name = `rehearsal-${randomBytes(6).toString('hex')}`;
  const agent = greeting();
  const { organizationId, projectId } = await prepare(ports, tx, name, agent.publicKey);
  const welcome = await greet(ports, agent);
  if ('code' in welcome) throw new Error(welcome.message);
  const { workerId } = welcome;
  const runId = await submit(ports, tx, organizationId, projectId);
  await validateRun(ports, runId);
  await allocateRun(ports, runId);
  const sender = { workerId, outboxId: agent.outboxId };
  let stored = 0;
  const tell = async (facts: wire.agent.v1.Facts.$Properties, times: number): Promise<void> => {
    stored++;
    const bytes = encodeAgentFrame({ batch: encodeFacts(stored, facts) });
    for (let i = times; i > 0; i--) {
      const batch = decodeAgentFrame(bytes).batch as wire.agent.v1.Batch;
      const { facts: opened } = await openBatch(batch, instants(), async () => NOBODY);
      if (i === 1) await ingest(ports, sender, stored, opened);
    }
  };
  const allocationIds: string[] = [];
  for (const { id, order } of await openOrders(ports, workerId, [])) {
    encodeOrder(id, order);
    await acknowledgeOrder(ports, workerId, id);
    if (order.kind === 'allocate') allocationIds.push(order.allocationId);
  }
  if (allocationIds[0] === undefined) throw new Error('the run was not allocated');
  const allocationId = toBytes(allocationIds[0]);
  await tell({ allocations: [{ allocationId, baseUnixMs: Date.now(), state: READY }] }, 1);
  let ended = 0;
  for (let batch = 0; batch < batches && goesOn(); batch++) {
    await tell(rehearsedFacts({ allocationId, first: ended, calls, atMs: Date.now() }), decodings);
    ended += calls;
  }
  if (!goesOn()) return { calls: ended, completed: 0 };
  await tell({ allocations: [{ allocationId, baseUnixMs: Date.now(), state: DONE }] }, 1);
  await settleRun(ports, runId, 1);
  const run = await lockRun(tx, runId);
  return { calls: ended, completed: Number(run?.status === 'COMPLETED') };
}

async function prepare(ports: Ports, tx: Tx, name: string, publicKey: Buffer) {
  const file = parseProvisionFile(JSON.stringify(FILE(name)), {}, provisionFaults);
  const [organization] = file.organizations;
  const [project] = organization?.projects ?? [];
  if (!organization || !project) throw new Error('nothing to rehearse');
  const organizationId = await upsertOrganization(tx, { id: uuid(), slug: name, name, plan: organization.plan });
  const worker = { id: uuid(), organizationId, name, region: name, capacity: 1000, publicKey };
  const workerId = await upsertWorker(tx, worker);
  const projectId = await upsertProject(tx, { id: uuid(), organizationId, slug: name, name, description: '' });
  await applyProject(ports, tx, projectId, project, async () => workerId, ALL_NEW);
  return { organizationId, projectId };
}

async function submit(ports: Ports, tx: Tx, organizationId: string, projectId: string): Promise<string> {
  const [found] = await listTests(tx, projectId, 'name', { limit: 1, offset: 0, backwards: false, after: null });
  const test = found && (await findTest(tx, projectId, found.id));
  if (!test) throw new Error('nothing to rehearse');
  const id = uuid();
  const run = { id, projectId, organizationId, testId: test.id, testName: test.name, startedBy: null };
  await submitValues(ports, tx, run, test, ports.now());
  return id;
}

const instants = (): Instants => ({ fromMs: Date.now() - DAY_MS, toMs: Date.now() + DAY_MS });

const greeting = (): Greeting => ({
  publicKey: randomBytes(32),
  joinToken: null,
  connectionId: uuid(),
  address: '192.0.2.2',
  bootId: uuid(),
  outboxId: uuid(),
  heldAllocationIds: [],
  hello: {
    ...{ agentVersion: '', hostname: '', platform: '', cpus: 1, capacity: 1000, sipAdapter: 'ffi', rtpAdapter: 'ffi' },
    sipListeners: [{ address: '192.0.2.2', port: 5060 }],
    audioCodecs: ['PCMU'],
    sipAbilities: ['LOAD', 'WITHOUT_MEDIA'],
    policy: {
      targetNetworks: ['0.0.0.0/0'],
      ...{ maxCallsPerSecond: 1000, maxEndpoints: 1000, maxDurationSeconds: 3600 },
    },
  },
});
