/**
 * The disk of the embedded database becomes full during a run: /readyz, /metrics, REST and every page say so, and how to mend
 * it. After space is freed everything recovers by itself, and SIPp's counts equal REST's. Only root can mount a disk that is
 * filled.
 */
import { createCipheriv } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import type { ReadyAnswer } from '../../../control-plane/contract/trouble.ts';
import { buildDashboard } from '../../build-dashboard.ts';
import { openLabDatabase } from '../../peers/lab/database.ts';
import { Lab } from '../../peers/lab/lab.ts';
import { callsTo, SPEAKS_ONLY } from '../../peers/lab/provision.ts';
import { mountSmallDisk, type SmallDisk } from '../../peers/lab/small-disk.ts';
import { freePort, ownLoopback } from '../../peers/network/loopback.ts';
import { until } from '../../peers/process.ts';
import { startChromium, visit } from '../../peers/referees/chromium.ts';
import { freshScrape } from '../../peers/referees/prometheus-text.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

const CALLS = 16;
/** Longer than the pauses between two tries of a database that has lost its disk. */
const RECOVERY_MS = 180_000;

const dir = await mkdtemp('/tmp/carillon-disk-');
// The embedded database's user has to come through.
await chmod(dir, 0o711);
const disk = await mountSmallDisk(path.join(dir, 'data'));

/** Of a recording: a second of silence for each 16,000 bytes. */
function wav(bytes: number): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(16_000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes, 40);
  // Data that cannot be compressed into existing pages.
  const noise = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(bytes));
  return Buffer.concat([header, noise]);
}

async function witnessed(small: SmallDisk): Promise<void> {
  const net = ownLoopback();
  await buildDashboard();
  const sipp = await startSipp({ address: net.address(50), scenario: { builtIn: 'uas' } });
  t.teardown(() => sipp.stop('SIGKILL'));
  const shape = { endpoints: CALLS, buildup: 8, durationSeconds: 8, media: SPEAKS_ONLY };
  const lab = new Lab(dir, await openLabDatabase(path.join(dir, 'data'), 'embedded'), await freePort(), {
    net,
    agents: 2,
    provision: () => ({ tests: [callsTo(sipp.uri, 'calls', shape)] }),
  });
  t.teardown(async () => {
    await small.free();
    // Its folder is still mounted.
    await lab.stop().catch(() => undefined);
    await small.remove();
    await rm(dir, { recursive: true, force: true });
  });
  await lab.start();
  const { url } = lab.controlPlane;
  const browser = await startChromium();
  t.teardown(() => browser.close());
  const { page } = await visit(browser, url);
  await page.goto('/log-in');

  const ready = async (): Promise<ReadyAnswer & { readonly http: number }> => {
    const answer = await fetch(`${url}/readyz`);
    return { ...((await answer.json()) as ReadyAnswer), http: answer.status };
  };
  const isWell = async () => (await lab.troubles()).length === 0;
  const gauge = async (kind: string) => (await freshScrape(url)).value('carillon_trouble', { kind });
  const banner = (title: string) => page.getByRole('alert').filter({ hasText: title });
  const seen = async (): Promise<{ calls: number; ended: number }> => {
    const { '0_INVITE_Recv': calls = 0, '4_BYE_Recv': ended = 0 } = (await sipp.history()).at(-1)?.messages ?? {};
    return { calls, ended };
  };

  await t.test('nearly full, it works and says so', async (t) => {
    await until('the control plane is ready', isWell);
    await small.leave(48);
    const isNear = ({ kind }: { readonly kind: string }) => kind === 'DISK_NEARLY_FULL';
    const warned = async () => {
      const now = await ready();
      // A slow host may have other troubles for a while.
      return now.faults.length === 0 && now.warnings.some(isNear) && now;
    };
    const { http, status, warnings } = await until('the warning is there', warned);
    t.match({ http, status }, { http: 200, status: 'ok' });
    t.match(
      warnings.find(isNear)?.message,
      /nearly full: \d+ MiB of \d+ MiB are free\. Make room on it, or make it larger/,
    );
    t.equal(await gauge('DISK_NEARLY_FULL'), 1);
    await until('the page says it', () => banner('The disk is nearly full').isVisible());
    await small.free();
    await until('the warning has gone', isWell);
  });

  await t.test('full in a run: it is said everywhere, and nothing is lost', async (t) => {
    const id = await lab.startRun('calls');
    await lab.reaches(id, 'has four calls up', (run) => run.progress.phases.INCALL >= 4);
    await small.leave(0);
    const said = async () => {
      const now = await ready();
      return /^The disk of the database is full.*Free space or enlarge the disk/.test(now.status) && now;
    };
    t.equal((await until('/readyz says it', said)).http, 503);
    t.equal(await gauge('DISK_FULL'), 1);
    const free = (await freshScrape(url)).value('carillon_database_disk_bytes', { state: 'free' }) ?? Number.NaN;
    t.ok(free < 32 * 2 ** 20, `${free} bytes are free`);
    t.equal((await freshScrape(url)).value('carillon_ready'), 0);
    await until('the page says it', () => banner('The disk is full').isVisible());
    const refused = await fetch(`${url}/api/v1/projects/${lab.projectId}/media-files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${lab.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'large', content: wav(4 * 2 ** 20).toString('base64') }),
    });
    t.equal(refused.status, 503, "not our fault, and not the request's");
    t.ok(Number(refused.headers.get('retry-after')) > 0);
    t.match(await refused.json(), {
      error: { code: 'UNAVAILABLE', message: /disk of the database is full|does not answer/ },
    });
    await small.free();
    await until('everything is well', isWell, { idleMs: RECOVERY_MS });
    await until('the page no longer says it', async () => (await banner('The disk is full').count()) === 0);
    const run = await lab.ended(id);
    t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: CALLS, successCount: CALLS } });
    await until('SIPp has every BYE', async () => (await seen()).ended === CALLS);
    t.equal((await seen()).calls, CALLS);
    t.match(
      lab.controlPlane.output(),
      /"trouble":"DISK_FULL","message":"The disk of the database is full.*"msg":"not ready"/,
    );
    t.match(lab.controlPlane.output(), /ready again/);
  });

  await t.test('the next run is as any other', async (t) => {
    const run = await lab.runWhole('calls');
    t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: CALLS, successCount: CALLS } });
  });
}

if (disk) await witnessed(disk);
else t.test('mounting a disk needs root', { skip: 'needs root' }, async () => undefined);
