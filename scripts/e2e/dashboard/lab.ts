/** One installation and one browser, which the chapters of a file share; what each of them has of its own; users who log in. */

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import type { Test } from 'tap';
import { buildDashboard } from '../../build-dashboard.ts';
import {
  type AgentProcess,
  type ControlPlaneOptions,
  type ControlPlaneProcess,
  startAgentProcess,
  startControlPlaneProcess,
} from '../../peers/lab/carillon.ts';
import { type LabDatabase, openLabDatabase } from '../../peers/lab/database.ts';
import { hasEnded } from '../../peers/process.ts';
import { startChromium, type Visit, visit } from '../../peers/referees/chromium.ts';
import { buildSite } from '../../site/build.ts';

export const PASSWORD = 'correct horse battery';
/** In every name that another person could have chosen. */
export const XSS = '<img src=x onerror=__xss=1>"><script>__xss=2</script>';

export type Chapter = (t: Test, lab: DashboardLab) => Promise<void>;

type Own = { readonly owner: Visit; readonly projectUrl: string };

export class DashboardLab {
  readonly dir: string;
  controlPlane: ControlPlaneProcess;
  readonly database: LabDatabase;
  readonly browser: Browser;
  readonly #options: ControlPlaneOptions;
  readonly #visits: Visit[] = [];
  readonly #agents = new Map<string, AgentProcess>();
  readonly #projects: string[] = [];
  #own: Own | undefined;

  constructor(
    dir: string,
    database: LabDatabase,
    options: ControlPlaneOptions,
    controlPlane: ControlPlaneProcess,
    browser: Browser,
  ) {
    this.dir = dir;
    this.database = database;
    this.#options = options;
    this.controlPlane = controlPlane;
    this.browser = browser;
  }

  /** Ada, the owner of the organization, logged in in a browser profile of this chapter. */
  get owner(): Visit {
    return this.#now.owner;
  }

  /** Of the chapter's own project. */
  get projectUrl(): string {
    return this.#now.projectUrl;
  }

  get #now(): Own {
    if (this.#own === undefined) throw new Error('no chapter has begun');
    return this.#own;
  }

  /** Until `leave`. */
  enter(own: Own): void {
    this.#own = own;
    this.#projects.push(new URL(own.projectUrl).pathname);
  }

  /** Those of earlier chapters. */
  get projects(): readonly string[] {
    return this.#projects;
  }

  /** Whatever the chapter has left open is closed. */
  async leave(): Promise<void> {
    this.#own = undefined;
    await Promise.all(this.#visits.map(({ context }) => context.close()));
  }

  /** Another user with a separate browser profile; forbidden actions of its pages are counted. */
  async visit(colorScheme: 'light' | 'dark' = 'light'): Promise<Visit> {
    const guest = await visit(this.browser, this.controlPlane.url, colorScheme);
    this.#visits.push(guest);
    return guest;
  }

  /** Restarts it on the same data, also if a check in between fails; `whileAway`: those checks. */
  async restartControlPlane(whileAway: () => Promise<unknown>): Promise<void> {
    await this.controlPlane.stop('SIGTERM', 20_000);
    try {
      await whileAway();
    } finally {
      await this.#startControlPlane();
    }
  }

  async #startControlPlane(): Promise<void> {
    const port = Number(new URL(this.controlPlane.url).port);
    this.controlPlane = await startControlPlaneProcess({ ...this.#options, port });
  }

  /** Starts again what an earlier chapter has ended, or what has died in it. */
  async revive(): Promise<void> {
    if (hasEnded(this.controlPlane)) await this.#startControlPlane();
    for (const [name, agent] of this.#agents) if (hasEnded(agent)) await this.startAgent(name);
  }

  /** `joinToken`: at its first start. */
  async startAgent(name: string, joinToken?: string): Promise<AgentProcess> {
    const agent = await startAgentProcess({
      url: this.controlPlane.url,
      stateDir: path.join(this.dir, name),
      ...(joinToken !== undefined && { joinToken }),
    });
    this.#agents.set(name, agent);
    return agent;
  }

  /** It is not started again. */
  async endAgent(name: string): Promise<void> {
    const agent = this.#agents.get(name);
    this.#agents.delete(name);
    await agent?.stop('SIGTERM', 15_000);
  }

  /** Of all visits so far. */
  faults(): string[] {
    return this.#visits.flatMap((v) => v.faults);
  }

  async close(): Promise<void> {
    for (const name of this.#agents.keys()) await this.endAgent(name);
    await this.controlPlane.stop('SIGTERM', 20_000);
  }
}

/** An installation that has not been set up; all of it ends with `t`. */
export async function openDashboardLab(t: Test): Promise<DashboardLab> {
  await Promise.all([buildDashboard(), buildSite()]);
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-dashboard-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  // The embedded database's user has to come through.
  await chmod(dir, 0o711);
  const dataDir = path.join(dir, 'data');
  const database = await openLabDatabase(dataDir, 'given');
  t.teardown(() => database.close());
  const browser = await startChromium();
  t.teardown(() => browser.close());
  const options: ControlPlaneOptions = {
    dataDir,
    // A receiver of the test is on this host.
    env: { CARILLON_WEBHOOKS_ALLOW_PRIVATE: 'true', CARILLON_WEBHOOKS_ALLOW_HTTP: 'true' },
    ...(database.url && { databaseUrl: database.url }),
  };
  const lab = new DashboardLab(dir, database, options, await startControlPlaneProcess(options), browser);
  t.teardown(() => lab.close());
  return lab;
}
