/**
 * Shared by all chapters: one control plane, one browser, the agents and peers that chapters start, and the logged-in users. A
 * chapter is a function of a test and of this object; some are files in this folder.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import type { Test } from 'tap';
import { buildDashboard } from '../../build-dashboard.ts';
import {
  type ControlPlaneOptions,
  type ControlPlaneProcess,
  startControlPlaneProcess,
} from '../../peers/lab/carillon.ts';
import { type LabDatabase, openLabDatabase } from '../../peers/lab/database.ts';
import { startChromium, type Visit, visit } from '../../peers/referees/chromium.ts';

export const PASSWORD = 'correct horse battery';
/** In every name that another person could have chosen. */
export const XSS = '<img src=x onerror=__xss=1>"><script>__xss=2</script>';

export type Chapter = (t: Test, lab: DashboardLab) => Promise<void>;

export class DashboardLab {
  readonly dir: string;
  controlPlane: ControlPlaneProcess;
  readonly database: LabDatabase;
  readonly browser: Browser;
  /** Ada, who becomes the owner of the first organization in the first chapter. */
  readonly owner: Visit;
  /** Of the project that the first chapter creates, with one test, an agent and an ended run. */
  projectUrl = '';
  runUrl = '';
  readonly #options: ControlPlaneOptions;
  readonly #visits: Visit[];
  readonly #stops: (() => Promise<unknown>)[] = [];
  /** Ends the agent that was started last, as Ctrl-C would; a second call does nothing. */
  stopShownAgent = (): Promise<unknown> => Promise.resolve();

  constructor(
    dir: string,
    database: LabDatabase,
    options: ControlPlaneOptions,
    controlPlane: ControlPlaneProcess,
    browser: Browser,
    owner: Visit,
  ) {
    this.dir = dir;
    this.database = database;
    this.#options = options;
    this.controlPlane = controlPlane;
    this.browser = browser;
    this.owner = owner;
    this.#visits = [owner];
  }

  /** Another user with a separate browser profile; forbidden actions of its pages are counted. */
  async visit(colorScheme: 'light' | 'dark' = 'light'): Promise<Visit> {
    const guest = await visit(this.browser, this.controlPlane.url, colorScheme);
    this.#visits.push(guest);
    return guest;
  }

  /** Restarts it on the same data; `whileAway`: checks in between. */
  async restartControlPlane(whileAway: () => Promise<unknown>): Promise<void> {
    const port = Number(new URL(this.controlPlane.url).port);
    await this.controlPlane.stop('SIGTERM', 20_000);
    await whileAway();
    this.controlPlane = await startControlPlaneProcess({ ...this.#options, port });
  }

  /** Of all visits so far. */
  faults(): string[] {
    return this.#visits.flatMap((v) => v.faults);
  }

  /** Peers outlive their chapter; the last started stops first, before the control plane. */
  stopLast(stop: () => Promise<unknown>): void {
    this.#stops.unshift(stop);
  }

  /** Runs the command that a page shows to an operator, in a shell in a checkout; on the loopback, in parallel with other agents. */
  async startShownAgent(command: string): Promise<void> {
    const child = spawn('sh', ['-c', command], {
      cwd: path.resolve(import.meta.dirname, '..', '..', '..'),
      // A separate process group, which ends as one, as Ctrl-C ends it.
      detached: true,
      stdio: 'ignore',
      env: {
        ...process.env,
        CARILLON_AGENT_DIR: path.join(this.dir, 'agent'),
        CARILLON_SIP_ADDRESS: '127.0.0.1',
        CARILLON_METRICS_PORT: '0',
      },
    });
    const closed = once(child, 'close');
    const end = (signal: NodeJS.Signals): void => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, signal);
    };
    process.on('exit', () => end('SIGKILL'));
    this.stopShownAgent = () => {
      end('SIGTERM');
      return closed;
    };
    this.stopLast(this.stopShownAgent);
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) await stop();
    await this.browser.close();
    await this.controlPlane.stop('SIGTERM', 20_000);
    await this.database.close();
    await rm(this.dir, { recursive: true, force: true });
  }
}

/** An installation that has not been set up; it is stopped at the end of `t`. */
async function openDashboardLab(t: Test): Promise<DashboardLab> {
  await buildDashboard();
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-dashboard-'));
  // The embedded database's user has to come through.
  await chmod(dir, 0o711);
  const dataDir = path.join(dir, 'data');
  const database = await openLabDatabase(dataDir, 'given');
  const options: ControlPlaneOptions = {
    dataDir,
    // A receiver of the test is on this host.
    env: { CARILLON_WEBHOOKS_ALLOW_PRIVATE: 'true', CARILLON_WEBHOOKS_ALLOW_HTTP: 'true' },
    ...(database.url && { databaseUrl: database.url }),
  };
  const controlPlane = await startControlPlaneProcess(options);
  const browser = await startChromium();
  const owner = await visit(browser, controlPlane.url);
  const lab = new DashboardLab(dir, database, options, controlPlane, browser, owner);
  t.teardown(() => lab.close());
  return lab;
}

/** Chapters in order, over a separate installation; then the check that no page did in any of them what no page may do. */
export async function tell(t: Test, chapters: Readonly<Record<string, Chapter>>): Promise<void> {
  const lab = await openDashboardLab(t);
  for (const [name, chapter] of Object.entries(chapters)) t.test(name, (t) => chapter(t, lab));
  t.test('what no page may do', async (t) => t.same(lab.faults(), []));
}
