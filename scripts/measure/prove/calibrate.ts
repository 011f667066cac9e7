/**
 * Compares the result of `calibrate` on this host with runs at 70 % and at 130 % of it: the first must be VALID, the second must
 * not. One agent calls and answers, as in the calibration. `CARILLON_PROVE_ENDPOINTS` is the result of an earlier proof.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { readCalibration } from '../../../agent/calibrate/calibration.ts';
import { AGENT_FLAGS } from '../../../proto/base/agent-heap.ts';
import { callsAmongAgents } from '../../peers/lab/provision.ts';
import { withInstallation } from '../installation.ts';
import { n, type ResultTable } from '../table.ts';

const AGENT = path.resolve(import.meta.dirname, '..', '..', '..', 'agent', 'main.ts');
const SHARES = [
  { share: 0.7, tries: 2 },
  { share: 1.3, tries: 1 },
];
const HOLD_SECONDS = 20;
const CALLS_A_SECOND = 40;

export async function calibrate(): Promise<ResultTable> {
  const before = Number(process.env['CARILLON_PROVE_ENDPOINTS'] ?? 0);
  const endpoints = before > 0 ? before : await calibrated();
  const rows: string[][] = [];
  const faults: string[] = [];
  for (const { share, tries } of SHARES) {
    let isRight = false;
    // The host stalls sometimes, whatever its load. As in a calibration, one bad moment proves nothing.
    for (let attempt = 1; attempt <= tries && !isRight; attempt++) {
      const { verdict, reasons } = await verdictAt(Math.round((share * endpoints) / 2));
      rows.push([n(endpoints), `${share * 100} %`, n(share * endpoints), verdict, reasons]);
      isRight = share < 1 ? verdict === 'VALID' : verdict === 'SUSPECT' || verdict === 'VOID';
    }
    if (!isRight) faults.push(`${share * 100} % is not what it should be`);
  }
  return { heads: ['calibrate found', 'share of it', 'endpoints', 'verdict of the run', 'reasons'], rows, faults };
}

async function calibrated(): Promise<number> {
  const stateDir = await mkdtemp('/tmp/carillon-calibrate-');
  try {
    const child = spawn(process.execPath, [...AGENT_FLAGS, AGENT, 'calibrate', '--seconds', '8'], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, CARILLON_AGENT_DIR: stateDir, CARILLON_SIP_ADDRESS: '127.0.0.1' },
    });
    await once(child, 'exit');
    const found = await readCalibration(stateDir);
    if (found === null) throw new Error('calibrate found nothing');
    return found.endpoints;
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
}

function verdictAt(pairs: number): Promise<{ verdict: string; reasons: string }> {
  const buildup = Math.ceil(pairs / CALLS_A_SECOND);
  const capacity = 2 * pairs + 10;
  return withInstallation(
    {
      capacity,
      agentEnv: { CARILLON_CAPACITY: String(capacity) },
      policy: { maxCallsPerSecond: 500, maxEndpoints: capacity, targetNetworks: ['127.0.0.0/8'] },
      provision: () => ({
        tests: [callsAmongAgents('share', { endpoints: pairs, buildup, durationSeconds: buildup + HOLD_SECONDS })],
      }),
    },
    async (lab) => {
      const { validity, error } = await lab.runToEnd('share');
      const reasons = [error?.message ?? '', ...(validity?.reasons ?? []).map((r) => r.message)].join(' ').trim();
      return { verdict: validity?.verdict ?? 'none', reasons };
    },
  );
}
