/**
 * A complete installation for one test file: control plane, database, agents, each a separate process on free ports, and the
 * API as a client sees it. Everything that it started ends with the test.
 */

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { stringify } from 'yaml';
import { type Client, createClient } from '../../../control-plane/client.ts';
import { RequestFailed } from '../../../control-plane/contract/call.ts';
import type { Output } from '../../../control-plane/contract/catalogue.ts';
import type { ReadyAnswer } from '../../../control-plane/contract/trouble.ts';
import { freePort, type Loopback, ownLoopback } from '../network/loopback.ts';
import { IdlePatience } from '../patience.ts';
import { lastWords, until } from '../process.ts';
import {
  type AgentProcess,
  type ControlPlaneProcess,
  newApiKey,
  newJoinToken,
  startAgentProcess,
  startControlPlaneProcess,
  workersOnline,
} from './carillon.ts';
import { type LabDatabase, openLabDatabase } from './database.ts';
import {
  type LabProvision,
  labOrganization,
  type OrganizationInput,
  PROJECT,
  provisionText,
  type WorkerInput,
} from './provision.ts';

export type RunDetail = Output<'getTestRun'>;
export type RunEndpoint = Output<'listTestRunEndpoints'>;
export type RunCall = Output<'listTestRunCalls'>;

/** How long an agent did nothing at most, in this run. */
export const stallMs = ({ validity }: Pick<RunDetail, 'validity'>): number =>
  validity?.checks.find(({ check }) => check === 'stall')?.value ?? 0;

type Env = Readonly<Record<string, string>>;

export type LabOptions = {
  /** Tests, registrars and probes; a function where they need the lab's addresses. */
  readonly provision: (net: Loopback) => Pick<LabProvision, 'tests' | 'registrars' | 'probes' | 'viewerKey'>;
  /** In addition to the lab's own. */
  readonly organizations?: readonly OrganizationInput[];
  readonly agents?: number;
  /** In addition to those of its agents: the test enrolls them itself. */
  readonly workersWithoutAgent?: readonly WorkerInput[];
  /** Of each worker, as its organization permits; absent: the default of a provisioning file. */
  readonly capacity?: number;
  /** 'embedded': a separate cluster, although scripts/test has one to share. */
  readonly database?: 'migrated' | 'embedded';
  readonly graceSeconds?: number;
  readonly controlPlaneEnv?: Readonly<Record<string, string>>;
  /** The host owner's limits on each agent. */
  readonly policy?: Readonly<Record<string, unknown>>;
  readonly agentEnv?: Env | ((agent: number) => Env);
  /** By agent: an installed one instead of this checkout's. */
  readonly agentPrograms?: readonly (readonly string[])[];
  /** The address to which agents connect, if not directly to the control plane. */
  readonly linkUrl?: (controlPlaneUrl: string) => string | Promise<string>;
  readonly net?: Loopback;
};

/** Idle time (patience.ts) after which a run that shows no progress makes none any more: longer than any call of a test. */
const IDLE_MS = 120_000;
/** A run that could not start, or whose figures are void, is repeated so often at most. */
export const ATTEMPTS = 3;
/** Why a run has not started although its test may: no agent was there, or none was ready in time. */
const HOST_WAS_BUSY: readonly (string | undefined)[] = ['NO_ONLINE_WORKER', 'WORKER_REFUSED'];

export const couldNotStart = ({ startedAt, endedAt, error }: RunDetail): boolean =>
  endedAt !== null && startedAt === null && HOST_WAS_BUSY.includes(error?.code);

const hasStarted = ({ startedAt }: RunDetail): boolean => startedAt !== null;

/** What changes while it makes progress: all but the time that passes. */
const progressOf = ({ status, progress: { elapsedSeconds: _, ...progress }, starts, counts }: RunDetail): string =>
  JSON.stringify([status, progress, starts, counts]);

export class Lab {
  readonly dir: string;
  readonly net: Loopback;
  readonly database: LabDatabase;
  readonly apiKey: string;
  readonly agents: AgentProcess[] = [];
  readonly call: Client;
  readonly port: number;
  controlPlane!: ControlPlaneProcess;
  projectId = '';
  readonly #options: LabOptions;
  readonly #provision: string;
  readonly #joinTokens: readonly string[];
  #testIds = new Map<string, string>();

  constructor(dir: string, database: LabDatabase, port: number, options: LabOptions) {
    this.dir = dir;
    this.database = database;
    this.port = port;
    this.#options = options;
    this.net = options.net ?? ownLoopback();
    this.apiKey = newApiKey();
    const call = createClient(`http://127.0.0.1:${port}/api/v1`, this.apiKey);
    this.call = (name, input, headers) =>
      call(name, input, headers).catch((error: unknown) => {
        // The answer names no cause; the log of the control plane does.
        if (error instanceof RequestFailed && error.status === 500)
          error.message += `\n${this.controlPlane.output().slice(-3000)}`;
        throw error;
      });
    this.#joinTokens = Array.from({ length: options.agents ?? 1 }, newJoinToken);
    const { capacity } = options;
    const workers = this.#joinTokens.map((joinToken, i) => ({
      name: `agent-${i + 1}`,
      joinToken,
      ...(capacity !== undefined && { capacity }),
    }));
    const all = [...workers, ...(options.workersWithoutAgent ?? [])];
    const own = labOrganization({ apiKey: this.apiKey, workers: all, ...options.provision(this.net) });
    this.#provision = provisionText(own, ...(options.organizations ?? []));
  }

  get dataDir(): string {
    return path.join(this.dir, 'data');
  }

  /** On the same port and data as before, if it ran before. */
  async startControlPlane(): Promise<void> {
    const { graceSeconds, controlPlaneEnv } = this.#options;
    this.controlPlane = await startControlPlaneProcess({
      dataDir: this.dataDir,
      provision: this.#provision,
      port: this.port,
      ...(this.database.url !== undefined && { databaseUrl: this.database.url }),
      env: {
        ...(graceSeconds !== undefined && { CARILLON_WORKER_GRACE_SECONDS: String(graceSeconds) }),
        ...controlPlaneEnv,
      },
    });
  }

  /** Agent number `i` enrolls, or, if it has run before, returns. */
  async startAgent(i: number): Promise<AgentProcess> {
    const { policy, agentEnv, linkUrl, agentPrograms } = this.#options;
    const program = agentPrograms?.[i];
    const policyFile = path.join(this.dir, 'policy.yaml');
    if (policy) await writeFile(policyFile, stringify(policy));
    const url = this.controlPlane.url;
    const agent = await startAgentProcess({
      url: linkUrl ? await linkUrl(url) : url,
      stateDir: path.join(this.dir, `agent-${i + 1}`),
      joinToken: this.#joinTokens[i] as string,
      ...(program && { program }),
      env: {
        CARILLON_SIP_ADDRESS: this.net.address(11 + i),
        CARILLON_POLICY: policy ? policyFile : '',
        ...(typeof agentEnv === 'function' ? agentEnv(i) : agentEnv),
      },
    });
    this.agents[i] = agent;
    return agent;
  }

  async start(): Promise<void> {
    await this.startControlPlane();
    await Promise.all(this.#joinTokens.map((_, i) => this.startAgent(i)));
    await this.online(this.#joinTokens.length);
    const projects = await this.call('listProjects', {});
    this.projectId = projects.rows.find((p) => p.slug === PROJECT)?.id ?? '';
    const tests = await this.call('listTests', { projectId: this.projectId, per_page: 100 });
    this.#testIds = new Map(tests.rows.map((row) => [row.name, row.id]));
  }

  async online(count: number): Promise<void> {
    await until(`${count} agents are online`, async () => (await workersOnline(this.controlPlane.url)) === count);
  }

  /** The kinds of problems that `/readyz` reports; AWAY if it does not answer. */
  async troubles(): Promise<string[]> {
    const answer = await fetch(`${this.controlPlane.url}/readyz`).then(
      (r) => r.json() as Promise<ReadyAnswer>,
      () => null,
    );
    return answer === null ? ['AWAY'] : [...answer.faults, ...answer.warnings].map(({ kind }) => kind);
  }

  testId(slug: string): string {
    const found = this.#testIds.get(slug);
    if (found === undefined) throw new Error(`there is no test ${slug}`);
    return found;
  }

  /** Begins a run; its id. It may not start: `start` it if that is not what the test is about. */
  async begin(slug: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
    const { projectId } = this;
    return (await this.call('runTest', { projectId, testId: this.testId(slug) }, headers)).testRunId;
  }

  /**
   * Begins a run; its id once it has started, or meets `condition`. One that could not start, since its host was busy, is
   * repeated; with a condition one that ended before also, if its agents were too late for calls.
   */
  async startRun(
    slug: string,
    what = 'starts',
    condition: (run: RunDetail) => boolean = hasStarted,
    attempts = ATTEMPTS,
  ): Promise<string> {
    const id = await this.begin(slug);
    const run = await this.reaches(id, what, (now) => now.endedAt !== null || condition(now));
    if (condition(run)) return id;
    if (attempts > 1 && (couldNotStart(run) || run.starts.dropped > 0))
      return this.startRun(slug, what, condition, attempts - 1);
    // Its test asserts how it ended instead.
    if (condition !== hasStarted) await this.reaches(id, what, condition);
    return id;
  }

  run(testRunId: string): Promise<RunDetail> {
    return this.call('getTestRun', { projectId: this.projectId, testRunId });
  }

  /** Waits until the run meets `condition`, as long as it makes progress; also during an absence of the control plane. */
  async reaches(
    testRunId: string,
    what: string,
    condition: (run: RunDetail) => boolean,
    everyMs = 100,
  ): Promise<RunDetail> {
    let last: RunDetail | undefined;
    let fault = '';
    let seen = '';
    const problem = (why: string) =>
      new Error(
        [
          `run ${testRunId} ${why} before it ${what}: ${last?.status} ${last?.error?.message ?? ''}`,
          `${JSON.stringify(last?.progress.phases)} ${fault}`,
          ...[this.controlPlane, ...this.agents].flatMap((peer) => (peer ? lastWords(peer) : [])),
        ].join('\n'),
      );
    for (let patience = new IdlePatience(IDLE_MS); !patience.isOver; await sleep(everyMs)) {
      const now = await this.run(testRunId).catch((error: Error) => error);
      fault = now instanceof Error ? `(then ${now.message})` : '';
      if (now instanceof Error) continue;
      last = now;
      if (condition(last)) return last;
      if (last.endedAt !== null) throw problem('has ended');
      if (progressOf(last) !== seen) patience = new IdlePatience(IDLE_MS);
      seen = progressOf(last);
    }
    throw problem('makes no progress');
  }

  ended(testRunId: string): Promise<RunDetail> {
    // Reading a run is dear, and tests wait for many at once.
    return this.reaches(testRunId, 'ends', (run) => run.endedAt !== null, 500);
  }

  /** One that could not start is repeated; one that placed calls is not, so that counts of peers are those of one run. */
  async runToEnd(slug: string): Promise<RunDetail> {
    return this.ended(await this.startRun(slug));
  }

  /** The first of a few runs that `isGood` accepts; the last if there is none. Their peers count the calls of all of them. */
  async runUntil(
    slug: string,
    isGood: (run: RunDetail) => boolean | Promise<boolean>,
    attempts = ATTEMPTS,
  ): Promise<RunDetail> {
    const run = await this.runToEnd(slug);
    const isWanted = await isGood(run);
    return isWanted || attempts === 1 ? run : this.runUntil(slug, isGood, attempts - 1);
  }

  /** As `runUntil`: its agents had enough processor time, so that figures may be asserted. */
  runUndisturbed(
    slug: string,
    isGood: (run: RunDetail) => boolean | Promise<boolean> = () => true,
  ): Promise<RunDetail> {
    return this.runUntil(slug, (run) => run.validity?.verdict !== 'VOID' && isGood(run));
  }

  /** As `runUntil`: its agents were not too late for any call, so that counts of calls may be asserted. */
  runWhole(slug: string): Promise<RunDetail> {
    return this.runUntil(slug, ({ starts }) => starts.dropped === 0);
  }

  endpoints(testRunId: string): Promise<RunEndpoint[]> {
    const all = { projectId: this.projectId, testRunId, per_page: 100 };
    return everyPage((page) => this.call('listTestRunEndpoints', { ...all, page }));
  }

  /** Whichever endpoint has them. */
  calls(testRunId: string): Promise<RunCall[]> {
    const all = { projectId: this.projectId, testRunId, per_page: 100 };
    return everyPage((page) => this.call('listTestRunCalls', { ...all, page }));
  }

  query<T>(sql: string, values?: readonly unknown[]): Promise<T[]> {
    return this.database.query<T>(sql, values);
  }

  /** Agents first, then the control plane, which stops its database last. */
  async stop(): Promise<void> {
    await Promise.all(this.agents.map((agent) => agent.stop()));
    await this.controlPlane?.stop();
    await this.database.close();
    await rm(this.dir, { recursive: true, force: true });
  }
}

type PageOf<Row> = { readonly rows: readonly Row[]; readonly pagination: { readonly totalPages: number } };

async function everyPage<Row>(ask: (page: number) => Promise<PageOf<Row>>): Promise<Row[]> {
  const all: Row[] = [];
  for (let page = 1; ; page++) {
    const { rows, pagination } = await ask(page);
    all.push(...rows);
    if (page >= pagination.totalPages) return all;
  }
}

/** Starts a lab; it is stopped at the end of `t`. */
export async function openLab(t: Pick<Test, 'teardown'>, options: LabOptions): Promise<Lab> {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-lab-'));
  // The embedded database's user has to come through.
  await chmod(dir, 0o711);
  const database = await openLabDatabase(path.join(dir, 'data'), options.database ?? 'migrated');
  const lab = new Lab(dir, database, await freePort(), options);
  t.teardown(() => lab.stop());
  await lab.start();
  return lab;
}
