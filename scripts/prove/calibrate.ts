/**
 * The result of `calibrate` on this host, compared with runs at 70 % and at 130 % of it: the first must be VALID, the second
 * must not. One agent, which calls and answers, as in the calibration.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { readCalibration } from '../../agent/calibrate/calibration.ts';
import { NODE_FLAGS } from '../../agent/process/heap.ts';
import { openLabDatabase } from '../peers/lab/database.ts';
import { Lab } from '../peers/lab/lab.ts';
import { callsAmongAgents } from '../peers/lab/provision.ts';
import { freePort } from '../peers/network/loopback.ts';

const AGENT = path.resolve(import.meta.dirname, '..', '..', 'agent', 'main.ts');
const SHARES = [
  { share: 0.7, tries: 2 },
  { share: 1.3, tries: 1 },
];
const HOLD_SECONDS = 20;

export async function calibrate(): Promise<void> {
  const dir = await mkdtemp('/tmp/carillon-calibrate-');
  await chmod(dir, 0o711);
  try {
    await compare(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function compare(dir: string): Promise<void> {
  const before = Number(process.env['CARILLON_PROVE_ENDPOINTS'] ?? 0);
  const endpoints = before > 0 ? before : await calibrated(dir);
  console.log(`calibrate${before > 0 ? ' (an earlier proof)' : ''}: ${endpoints} endpoints`);
  console.log('share  endpoints  verdict   reasons');
  const wrong: string[] = [];
  for (const { share, tries } of SHARES) {
    let isRight = false;
    // The host stalls sometimes, whatever its load: as in a calibration, one bad moment proves nothing.
    for (let n = 1; n <= tries && !isRight; n++) {
      const { verdict, reasons } = await verdictAt(dir, Math.round((share * endpoints) / 2), `${share}-${n}`);
      console.log(
        `${`${share * 100} %`.padStart(5)}  ${String(Math.round(share * endpoints)).padStart(9)}  ${verdict.padEnd(8)}  ${reasons}`,
      );
      isRight = share < 1 ? verdict === 'VALID' : verdict === 'SUSPECT' || verdict === 'VOID';
    }
    if (!isRight) wrong.push(`${share * 100} % is not what it should be`);
  }
  if (wrong.length > 0) throw new Error(wrong.join(', '));
}

async function calibrated(dir: string): Promise<number> {
  const stateDir = path.join(dir, 'agent-1');
  const child = spawn(process.execPath, [...NODE_FLAGS, AGENT, 'calibrate', '--seconds', '8'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, CARILLON_AGENT_DIR: stateDir, CARILLON_SIP_ADDRESS: '127.0.0.1' },
  });
  await once(child, 'exit');
  const found = await readCalibration(stateDir);
  if (found === null) throw new Error('calibrate found nothing');
  console.log(`(${found.hardware}, ${found.adapter})`);
  return found.endpoints;
}

async function verdictAt(dir: string, pairs: number, name: string) {
  const of = path.join(dir, `run-${name}`);
  const buildup = Math.ceil(pairs / 40);
  const lab = new Lab(of, await openLabDatabase(path.join(of, 'data'), 'given'), await freePort(), {
    capacity: 2 * pairs + 10,
    agentEnv: { CARILLON_CAPACITY: String(2 * pairs + 10) },
    policy: { maxCallsPerSecond: 500, maxEndpoints: 2 * pairs + 10, targetNetworks: ['127.0.0.0/8'] },
    provision: () => ({
      tests: [callsAmongAgents('share', { endpoints: pairs, buildup, durationSeconds: buildup + HOLD_SECONDS })],
    }),
  });
  try {
    await lab.start();
    const run = await lab.runToEnd('share');
    return {
      verdict: run.validity?.verdict ?? 'none',
      reasons: [run.error?.message ?? '', ...(run.validity?.reasons ?? []).map((r) => r.message)].join(' '),
    };
  } finally {
    await lab.stop();
  }
}
