/** A control plane without sockets: real operations on a real database; the test controls jobs and time. */
import { randomUUID } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Secret } from '@carillon/proto/base/secret.ts';
import { readFigures } from '@carillon/proto/figures/call-figures.ts';
import type { Test } from 'tap';
import { stringify } from 'yaml';
import { readConfig } from '../config.ts';
import { DEFAULT_PLANS } from '../contract/people/plans.ts';
import { installMessages } from '../contract/plain-issues.ts';
import { parseProvisionFile } from '../contract/provision-file.ts';
import { writtenIn } from '../contract/yaml-file.ts';
import { provisionFaults } from '../domain/project/provision.ts';
import type { AllocationFacts, Facts, MessageChunkFact, ReportedOutcome, SampleFacts } from '../domain/run/facts.ts';
import type { AllocateOrder, Order } from '../domain/run/orders/orders.ts';
import { openFeaturePorts } from '../feature-ports.ts';
import { FEATURE_HOOKS } from '../feature-sums/server.ts';
import { HANDLERS, JOB_HANDLERS } from '../handlers.ts';
import { type Greeting, greet, type Welcome } from '../operations/agents/greet.ts';
import { ingest } from '../operations/agents/ingest.ts';
import { acknowledgeOrder, openOrders } from '../operations/agents/orders.ts';
import { applyProvision } from '../operations/provision/apply.ts';
import type { Actor } from '../operations/request/actor.ts';
import type { Context } from '../operations/request/perform.ts';
import type { JobName, Jobs, PasswordCost, Ports } from '../ports.ts';
import { openReadiness } from '../readiness/readiness.ts';
import type { Database } from '../store/db.ts';
import { Memory } from '../store/memory.ts';
import { testDatabase } from './database.ts';

type Job = { readonly name: JobName; readonly data: Jobs[JobName]; readonly dueMs: number };

export type World = {
  readonly database: Database;
  readonly ports: Ports;
  readonly jobs: Job[];
  /** Advances time by seconds; jobs that become due are not done yet. */
  pass(seconds: number): void;
  /** The clock stops from now on, except for `pass`: code with time windows must not reach the end of one. */
  hold(): void;
  /** Does due jobs until none is left; the names of those done. */
  work(): Promise<JobName[]>;
  provision(file: object): Promise<void>;
};

/** Only tests that request it send anything. */
const silentCourier: Ports['courier'] = {
  refusal: () => null,
  post: async () => ({ status: 200, error: null, answer: '', retryAfterSeconds: null, durationMs: 1 }),
};

/** A hundredth of the control plane's cost of a password. */
const CHEAP: PasswordCost = { N: 2 ** 10, r: 8, p: 1 };

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

export const openWorld = async (t: Test): Promise<World> => worldOn(await testDatabase(t));

/** On a database that others may use as well. */
export function worldOn(database: Database): World {
  installMessages();
  const jobs: Job[] = [];
  let ahead = 0;
  let heldMs: number | null = null;
  const now = () => new Date((heldMs ?? Date.now()) + ahead);
  const readiness = openReadiness({ database, disk: null, certificate: null, jobs: null, log: quiet, now });
  const ports: Ports = {
    database,
    standby: null,
    // It gets no notifications of changes: it caches nothing.
    memory: new Memory(),
    log: quiet,
    now,
    condition: () => readiness.look(),
    settings: {
      workerGraceSeconds: 30,
      sampleRetentionDays: 30,
      probeRetentionDays: 90,
      runRetentionDays: null,
      exactCalls: 100_000,
      plans: DEFAULT_PLANS,
      publicUrl: null,
      listening: { host: '127.0.0.1', port: 8080, tls: false },
      passwordCost: CHEAP,
    },
    courier: silentCourier,
    ...openFeaturePorts(readConfig({}).environment).ports,
    hooks: FEATURE_HOOKS,
    jobs: {
      async enqueue(_tx, name, data, options) {
        // Without an instant it is due at any clock time: clocks go back.
        jobs.push({ name, data, dueMs: options?.startAfter?.getTime() ?? Number.NEGATIVE_INFINITY });
      },
      async enqueueAll(tx, name, data, options) {
        for (const d of data) await this.enqueue(tx, name, d, options);
      },
    },
  };
  return {
    database,
    ports,
    jobs,
    pass(seconds) {
      ahead += seconds * 1000;
    },
    hold() {
      heldMs ??= Date.now();
    },
    async work() {
      const done: JobName[] = [];
      for (;;) {
        const next = jobs.findIndex((job) => job.dueMs <= ports.now().getTime());
        if (next < 0) return done;
        const [job] = jobs.splice(next, 1) as [Job];
        await (JOB_HANDLERS[job.name] as (p: Ports, d: unknown, attempt: number) => Promise<void>)(ports, job.data, 1);
        done.push(job.name);
        if (done.length > 1000) throw new Error(`jobs without end: ${done.slice(-5).join(', ')}`);
      }
    },
    provision: (file) => {
      const text = stringify(file);
      return applyProvision(
        ports,
        parseProvisionFile(text, {}, provisionFaults),
        writtenIn(text, 'provision.yaml', {}),
      );
    },
  };
}

export const KEY = 'crl_0123456789abcdef0123456789abcdef';
export const TOKENS = ['join-token-number-one', 'join-token-number-two'] as const;

/**
 * One organization, two workers with a capacity of `capacity` each, one of them reserved for probes, a test of `calls` callers
 * and callees over the cloud.
 */
export const acme = (calls = 4, capacity = 21) => ({
  organizations: [
    {
      slug: 'acme',
      name: 'Acme Telecom',
      users: [{ email: 'owner@acme.example', name: 'Owner', role: 'OWNER' }],
      apiKeys: [{ name: 'pipeline', user: 'owner@acme.example', key: KEY }],
      workers: TOKENS.map((joinToken, i) => ({ name: `edge-${i + 1}`, region: 'local', capacity, joinToken })),
      projects: [
        {
          slug: 'lab',
          name: 'Lab',
          tests: [callsTest(calls)],
          probes: [callProbe('front-door', 'Front door (local)')],
        },
      ],
    },
  ],
});

/** One call over the cloud every five minutes. */
export const callProbe = (slug: string, name: string, more: object = {}) => ({
  slug,
  name,
  fixedIntervalSec: 300,
  durationSeconds: 5,
  test: {
    registrar: 'cloud',
    callee: { mode: 'EXTERNAL_URI', uri: 'sip:9000@127.0.0.1:5070' },
    placement: { mode: 'REGION', region: 'local' },
  },
  thresholds: [{ metricKey: 'avgMos', greenValue: 4, orangeValue: 3.6 }],
  ...more,
});

export const callsTest = (calls: number, slug = 'calls') => ({
  slug,
  name: 'Calls',
  buildup: 2,
  durationSeconds: 5,
  groups: [
    {
      name: 'callers',
      registrar: 'cloud',
      callee: { mode: 'GROUP', group: 'callees' },
      placement: { mode: 'REGION', region: 'local' },
      subPopulations: [{ name: 'all', role: 'CALLER', endpoints: calls }],
    },
    {
      name: 'callees',
      registrar: 'cloud',
      callee: { mode: 'RECEIVE' },
      placement: { mode: 'REGION', region: 'local' },
      subPopulations: [{ name: 'all', role: 'CALLEE', endpoints: calls }],
    },
  ],
});

/** An agent as the control plane knows it: greets, takes orders, sends numbered facts. */
export class FakeAgent {
  readonly connectionId = randomUUID();
  readonly outboxId: string;
  readonly publicKey: Buffer;
  welcome: Welcome | null = null;
  /** What it reports about itself when it greets. */
  sipAbilities: readonly string[] = [];
  #batch = 0;
  readonly #world: World;

  constructor(
    world: World,
    publicKey: Buffer = Buffer.from(randomUUID().replaceAll('-', '').repeat(2), 'hex'),
    outboxId: string = randomUUID(),
  ) {
    this.#world = world;
    this.publicKey = publicKey.subarray(0, 32);
    this.outboxId = outboxId;
  }

  greeting(joinToken = '', heldAllocationIds: readonly string[] = []): Greeting {
    return {
      publicKey: this.publicKey,
      joinToken: joinToken === '' ? null : new Secret(joinToken),
      connectionId: this.connectionId,
      address: '127.0.0.1',
      wantedName: '',
      isDisposable: false,
      bootId: randomUUID(),
      outboxId: this.outboxId,
      heldAllocationIds,
      hello: {
        agentVersion: 'test',
        hostname: 'test',
        platform: 'test',
        cpus: 1,
        capacity: 1000,
        sipListeners: [{ address: '127.0.0.1', port: 5060 }],
        sipAdapter: 'ffi',
        rtpAdapter: 'ffi',
        rtpPriority: 'nice -10',
        audioCodecs: ['PCMU'],
        mediaSources: ['TONE', 'SPEECH', 'SILENCE', 'FILE'],
        sipAbilities: this.sipAbilities,
        policy: { targetNetworks: ['127.0.0.0/8'], maxCallsPerSecond: 50, maxEndpoints: 1000, maxDurationSeconds: 60 },
      },
    };
  }

  async greet(joinToken = '', held: readonly string[] = []): Promise<Welcome> {
    const answer = await greet(this.#world.ports, this.greeting(joinToken, held));
    if ('code' in answer) throw new Error(`${answer.code}: ${answer.message}`);
    this.welcome = answer;
    return answer;
  }

  get workerId(): string {
    return this.welcome?.workerId ?? '';
  }

  /** Orders since the last call, acknowledged. */
  async orders(): Promise<Order[]> {
    const rows = await openOrders(this.#world.ports, this.workerId, []);
    for (const { id } of rows) await acknowledgeOrder(this.#world.ports, this.workerId, id);
    return rows.map((row) => row.order);
  }

  send(facts: Partial<Facts>, number = ++this.#batch) {
    const sender = { workerId: this.workerId, outboxId: this.outboxId };
    return ingest(this.#world.ports, sender, number, { allocations: [], noise: [], ...facts });
  }
}

export const allocationFacts = (allocationId: string, more: Partial<AllocationFacts> = {}): AllocationFacts => ({
  allocationId,
  phases: null,
  progress: null,
  outcomes: [],
  registrationEnds: null,
  sipCounts: null,
  messages: [],
  rtpHeaders: [],
  samples: null,
  summedSamples: null,
  storedSamples: null,
  streams: [],
  startNoise: null,
  actions: null,
  breaches: [],
  strangers: [],
  tally: null,
  state: null,
  reasonCode: '',
  reason: '',
  ...more,
});

export const outcomeFact = (number: number, more: Partial<ReportedOutcome> = {}): ReportedOutcome => ({
  number,
  outcome: 'SUCCESS',
  cause: null,
  causeText: null,
  causeStatus: 0,
  attempted: true,
  callResult: 'SUCCESS',
  finalStatus: 200,
  finalReason: 'OK',
  rang: true,
  calleeUri: null,
  callerUri: null,
  callId: 'call',
  plannedUnixMs: Date.now(),
  ...readFigures(() => undefined),
  timeToTryingMs: 1,
  timeToRingingMs: 2,
  pddMs: 2,
  callSetupMs: 3,
  timeToFirstMediaMs: 20,
  callDurationMs: 5000,
  peer: null,
  inviteLateMs: 0.5,
  byeRttMs: 1,
  tls: null,
  refreshes: Number.NaN,
  refreshFailures: Number.NaN,
  refreshLapses: Number.NaN,
  refreshRecoveries: Number.NaN,
  endedBy: 'LOCAL',
  q850: 0,
  reasonText: null,
  warning: null,
  retryAfterSeconds: 0,
  awaitedMs: 0,
  absentMs: 0,
  pausedMs: 0,
  unreported: false,
  findings: [],
  kept: true,
  ...more,
});

/** A chunk of messages that an endpoint sent and received, a millisecond apart; `more`: columns with other values. */
export function messageChunk(
  endpoint: number,
  texts: readonly (string | Buffer)[],
  more: Partial<MessageChunkFact> = {},
): MessageChunkFact {
  const bytes = texts.map((text) => Buffer.from(text));
  const column = <T>(value: T) => texts.map(() => value);
  const nowMs = Date.now();
  return {
    endpoint: column(endpoint),
    number: texts.map((_, i) => i),
    text: zstdCompressSync(Buffer.concat(bytes)),
    unixMs: texts.map((_, i) => nowMs + i),
    sent: column(true),
    length: bytes.map((b) => b.length),
    method: column('OPTIONS'),
    status: column(0),
    retransmission: column(false),
    peer: column('127.0.0.1:5060'),
    callId: column('call'),
    localAddress: '127.0.0.1',
    transport: column('UDP' as const),
    localPort: column(5070),
    ...more,
  };
}

/** Chunks merged into one, as an agent has them if they followed each other; the address is that of the first one. */
export function inOneChunk(chunks: readonly MessageChunkFact[]): MessageChunkFact {
  const all = <T>(pick: (c: MessageChunkFact) => readonly T[]): T[] => chunks.flatMap((c) => pick(c));
  return {
    text: zstdCompressSync(Buffer.concat(chunks.map(({ text }) => zstdDecompressSync(text)))),
    localAddress: chunks[0]?.localAddress ?? null,
    endpoint: all((c) => c.endpoint),
    number: all((c) => c.number),
    unixMs: all((c) => c.unixMs),
    sent: all((c) => c.sent),
    length: all((c) => c.length),
    method: all((c) => c.method),
    status: all((c) => c.status),
    retransmission: all((c) => c.retransmission),
    peer: all((c) => c.peer),
    callId: all((c) => c.callId),
    transport: all((c) => c.transport),
    localPort: all((c) => c.localPort),
  };
}

const UNLIMITED = { scopes: null, onlyProjects: null, provedAt: null, lacksSecondFactor: false } as const;

/** The context of the organization's owner, for handlers. */
export async function ownerContext(world: World, slug = 'acme'): Promise<Context> {
  const row = await world.database.db
    .selectFrom('api_keys as k')
    .innerJoin('organizations as o', 'o.id', 'k.organization_id')
    .where('o.slug', '=', slug)
    .select(['k.id as credentialId', 'k.user_id as userId', 'o.id as organizationId', 'o.name as organizationName'])
    .executeTakeFirstOrThrow();
  const actor: Actor = { ...row, by: 'KEY', plan: 'UNLIMITED', role: 'OWNER', allProjects: true, ...UNLIMITED };
  return { ports: world.ports, actor, address: '127.0.0.1', idempotencyKey: null, ifMatch: null };
}

/** Starts the organization's first test; its ids. */
export async function startRun(
  world: World,
  slug = 'acme',
): Promise<{ projectId: string; runId: string; context: Context }> {
  const context = await ownerContext(world, slug);
  const test = await world.database.db
    .selectFrom('tests as t')
    .innerJoin('projects as p', 'p.id', 't.project_id')
    .where('p.organization_id', '=', context.actor.organizationId)
    .select(['t.id', 't.project_id as projectId'])
    .orderBy('t.slug')
    .executeTakeFirstOrThrow();
  const { testRunId } = await HANDLERS.runTest(context, { projectId: test.projectId, testId: test.id });
  return { projectId: test.projectId, runId: testRunId, context };
}

export const statusOf = async (world: World, runId: string): Promise<string> =>
  (await world.database.db.selectFrom('test_runs').where('id', '=', runId).select('status').executeTakeFirstOrThrow())
    .status;

export const isAllocate = (order: Order): order is AllocateOrder => order.kind === 'allocate';

/** A run on these agents, with its allocations by agent. */
export async function runningRun(world: World, agents: readonly FakeAgent[]) {
  const run = await startRun(world);
  await world.work();
  const orders: AllocateOrder[][] = [];
  for (const agent of agents) orders.push((await agent.orders()).filter(isAllocate));
  for (const [i, agent] of agents.entries()) {
    await agent.send({
      allocations: (orders[i] ?? []).map((o) => allocationFacts(o.allocationId, { state: 'READY' })),
    });
  }
  return { ...run, orders };
}

/** Every endpoint of these allocations ends well. */
export const allDone = (orders: readonly AllocateOrder[]): Partial<Facts> => ({
  allocations: orders.map((o) =>
    allocationFacts(o.allocationId, { outcomes: o.endpoints.number.map((n) => outcomeFact(n)), state: 'DONE' }),
  ),
});

export const runRow = (world: World, id: string) =>
  world.database.db.selectFrom('test_runs').where('id', '=', id).selectAll().executeTakeFirstOrThrow();

/** Samples of these endpoints' streams over `seconds` seconds, some figures missing. */
export function someSamples(baseMs: number, endpoints: readonly number[], seconds: number): SampleFacts {
  const rows = Array.from({ length: endpoints.length * seconds }, (_, i) => ({
    endpoint: endpoints[i % endpoints.length] as number,
    second: Math.floor(i / endpoints.length),
  }));
  const column = (value: (r: (typeof rows)[number], i: number) => number) => rows.map(value);
  const zero = column(() => 0);
  return {
    endpoint: column((r) => r.endpoint),
    stream: zero,
    unixMs: column((r) => baseMs + r.second * 1000 + r.endpoint * 7),
    intervalMs: column(() => 1000),
    packetsSent: column(() => 50),
    packetsReceived: column((r) => 50 - (r.endpoint % 3)),
    octetsReceived: column(() => 8000),
    expected: column(() => 50),
    lost: column((r) => r.endpoint % 3),
    absent: zero,
    paused: zero,
    discarded: zero,
    duplicates: zero,
    reordered: zero,
    plcEvents: column((r) => Number(r.endpoint % 3 > 0)),
    jitterMs: column((_, i) => (i % 10) / 10),
    jitterMaxMs: column((_, i) => (i % 10) / 5),
    rttMs: column((r) => (r.second % 5 === 0 ? 10 + r.endpoint : Number.NaN)),
    mos: column((r) => 4 + (r.endpoint % 4) / 10),
    rFactor: column((r) => 80 + (r.endpoint % 4)),
    scale: rows.map(() => 'nb' as const),
    remoteLossFraction: column(() => Number.NaN),
    remoteJitterMs: column(() => Number.NaN),
  };
}
