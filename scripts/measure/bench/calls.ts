/**
 * The cost of a call for the whole product, from the first one on. The control plane with PostgreSQL and one agent, started as in
 * the README, call `sipp -sn uas`. At the same time `sipp -sn uac` makes as many calls at the same rate to its own
 * `sipp -sn uas`. The rate rises until the run is not VALID.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { RUN } from '../../../control-plane/domain/run/run-machine.ts';
import type { Lab } from '../../peers/lab/lab.ts';
import { callsTo, type MediaInput } from '../../peers/lab/provision.ts';
import { freeUdpPort, ownLoopback } from '../../peers/network/loopback.ts';
import { type Peer, startPeer, until } from '../../peers/process.ts';
import { cpuOf, type InstallationCpu, residentMiB, withInstallation } from '../installation.ts';
import { keptCpuSeconds, sippOptions, startKeptSipp } from '../kept-sipp.ts';
import { n, type ResultTable, times } from '../table.ts';

const KINDS: Readonly<Record<string, MediaInput>> = {
  signalling: { mediaTracks: [] },
  // SIPp receives in this case, but sends nothing.
  'audio received': {
    mediaTracks: [{ kind: 'AUDIO', source: 'SILENCE', direction: 'RECEIVE' }],
    expectations: { toleratedFindings: ['NO_MEDIA'] },
  },
};
const RATES = [200, 500, 1000, 2000, 4000];
const SECONDS = 10;
const CALL_SECONDS = 1;
/** A call lasts a second, and an endpoint needs time between two calls. */
const ENDPOINTS_PER_RATE = 2;
/** The default range has fewer pairs than the highest rate has endpoints; ports above may be local ports of SIPp. */
const RTP_PORTS = '2048-32767';
const TEST = 'calls';
const ENDED = RUN.finals.join('|');
const SETTLE_MS = 5000;
/** A change of state is logged before it is committed. */
const COMMIT_MS = 200;
const [OUR_TARGET, ITS_TARGET, SIPP_CLIENT] = [70, 71, 72];

type CallPrice = { readonly verdict: string; readonly cells: readonly string[] };

export async function measureCalls(): Promise<ResultTable> {
  const rows: (readonly string[])[] = [];
  for (const [kind, media] of Object.entries(KINDS))
    for (const rate of RATES) {
      const { verdict, cells } = await callPrice(rate, media);
      rows.push([kind, n(rate), ...cells]);
      console.log(rows.at(-1)?.join(' | '));
      if (verdict !== 'VALID') break;
    }
  return {
    heads: [
      'calls with',
      'calls a second',
      'planned, placed, answered',
      'agent, µs a call',
      'SIPp, µs a call',
      'of SIPp',
      'control plane, µs a call',
      'PostgreSQL, µs a call',
      'end after the last call, s',
      'agent, MiB before, after',
      'bytes a call in the database, of its log',
      'verdict',
    ],
    rows,
  };
}

async function callPrice(rate: number, media: MediaInput): Promise<CallPrice> {
  const net = ownLoopback();
  const endpoints = ENDPOINTS_PER_RATE * rate;
  const calls = rate * SECONDS;
  const servers = [await sippServer(net.address(OUR_TARGET)), await sippServer(net.address(ITS_TARGET))] as const;
  const load = { shape: 'RATE', callsPerSecond: rate, calls } as const;
  const shape = { endpoints, calls: null, durationSeconds: CALL_SECONDS, media, load };
  try {
    return await withInstallation(
      {
        net,
        capacity: 2 * endpoints,
        agentEnv: { CARILLON_CAPACITY: String(2 * endpoints), CARILLON_RTP_PORTS: RTP_PORTS },
        policy: { maxCallsPerSecond: 2 * rate, maxEndpoints: 2 * endpoints, targetNetworks: ['127.0.0.0/8'] },
        provision: () => ({ tests: [callsTo(`sip:callee@${servers[0].address}`, TEST, shape)] }),
      },
      (lab) => measure(lab, rate, servers[1].address),
    );
  } finally {
    await Promise.all(servers.map((one) => one.stop('SIGKILL')));
  }
}

async function sippServer(host: string): Promise<Peer & { readonly address: string }> {
  const port = await freeUdpPort(host);
  const peer = startPeer('sipp', ['-sn', 'uas', ...sippOptions(host, port)], { env: { TERM: 'dumb' } });
  return { ...peer, address: `${host}:${port}` };
}

function sippClient(host: string, target: string, rate: number): Promise<Peer> {
  const calls = String(rate * SECONDS);
  const load = ['-r', String(rate), '-m', calls, '-l', calls, '-d', String(CALL_SECONDS * 1000)];
  return startKeptSipp(host, ['-sn', 'uac', target, ...load]);
}

async function databaseSize(lab: Lab): Promise<{ bytes: number; log: number }> {
  const [row] = await lab.query<{ bytes: number; log: number }>(
    `select pg_database_size(current_database())::float8 as bytes, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as log`,
  );
  return row as { bytes: number; log: number };
}

async function secondsToEnd(lab: Lab, id: string): Promise<number> {
  const [last] = await lab.query<{ seconds: number }>(
    `select extract(epoch from r.ended_at - max(e.closed_at))::float8 as seconds
    from test_runs r join endpoints e on e.run_id = r.id where r.id = $1 group by r.ended_at`,
    [id],
  );
  return last?.seconds ?? Number.NaN;
}

/** `target` is the server of SIPp's own calls. CPU is measured from RUNNING to the end of the run. */
async function measure(lab: Lab, rate: number, target: string): Promise<CallPrice> {
  const agentPid = lab.agents[0]?.pid ?? 0;
  await sleep(SETTLE_MS);
  const [memoryBefore, sizeBefore] = [await residentMiB(agentPid), await databaseSize(lab)];
  const id = await lab.begin(TEST);
  // The log shows this without cost: REST would compute the figures of the current run, and a statement needs a connection.
  const reached = (to: string) =>
    lab.controlPlane
      .output()
      .split('\n')
      .some((line) => line.includes(`"runId":"${id}"`) && new RegExp(`"to":"(${to})"`).test(line));
  await until('the run begins', () => reached(`RUNNING|${ENDED}`));
  const before = await cpuOf(lab);
  const client = await sippClient(lab.net.address(SIPP_CLIENT), target, rate);
  // Reading the state disturbs the measurement, so it is not read before the run can have ended.
  await sleep((SECONDS + CALL_SECONDS) * 1000);
  await until('the run ends', () => reached(ENDED), { everyMs: 500, idleMs: 300_000 });
  await sleep(COMMIT_MS);
  const sippUs = ((await keptCpuSeconds(client)) / (rate * SECONDS)) * 1e6;
  const after = await cpuOf(lab);
  const [memoryAfter, size] = [await residentMiB(agentPid), await databaseSize(lab)];
  const run = await lab.run(id);
  if (run.status !== 'COMPLETED') throw new Error(`the run is ${run.status}: ${JSON.stringify(run.error)}`);
  const placed = run.callTiming.totalCalls;
  const us = (what: keyof InstallationCpu) => ((after[what] - before[what]) / placed) * 1e6;
  return {
    verdict: run.validity?.verdict ?? 'none',
    cells: [
      `${n(rate * SECONDS)}, ${n(placed)}, ${n(run.callTiming.successCount)}`,
      ...[n(us('agent')), n(sippUs), times(us('agent') / sippUs), n(us('controlPlane')), n(us('postgres'))],
      ...[n(await secondsToEnd(lab, id), 1), `${n(memoryBefore)}, ${n(memoryAfter)}`],
      `${n((size.bytes - sizeBefore.bytes) / placed)}, ${n((size.log - sizeBefore.log) / placed)}`,
      run.validity?.sentence.split('. ', 1)[0] ?? 'none',
    ],
  };
}
