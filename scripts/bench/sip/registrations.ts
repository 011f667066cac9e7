/**
 * Registrations per CPU-second (user and system) of our engine and of SIPp, both with digest at the same kamailio on loopback at the same
 * moment, and the memory of endpoints that are kept registered. node_modules/.bin/node scripts/bench/sip/registrations.ts
 * [--endpoints 20000] [--rate 1000] [--adapters ffi,dgram] [--rounds 1]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SIGNALLING_NODE_FLAGS } from '../../../agent/process/heap.ts';
import { passwordOf, startKamailio } from '../../peers/sip/kamailio.ts';
import { NO_WATCHDOG } from '../../peers/sip/sipp.ts';
import type { RegistrationCost, RegistrationLoad } from './registration-driver.ts';
import { prefer } from './sipp.ts';

export type RegistrationsRow = {
  readonly who: string;
  readonly endpoints: number;
  readonly failed: number;
  readonly cpuSeconds: number;
  readonly registrationsPerCpuSecond: number;
  /** Relative to the SIPp of the same round; 1 for SIPp itself, NaN if some of its registrations failed. */
  readonly ratio: number;
  /** null: SIPp keeps nothing registered, and only the last of several rounds waits for refreshes. */
  readonly refreshesPerCpuSecond: number | null;
  readonly residentBytesEach: number | null;
  readonly heapBytesEach: number | null;
};

const ADDRESS = '127.0.0.1';
/** Of the registrar's least: refreshes come after 45 to 54 s. */
const EXPIRES_SECONDS = 60;

/** REGISTER, 401, REGISTER with credentials, 200: what SIPp's manual shows, with a binding of an hour. */
const SCENARIO = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="registrations">
${[1, 2]
  .map(
    (cseq) => `  <send retrans="500"><![CDATA[

      REGISTER sip:[remote_ip]:[remote_port] SIP/2.0
      Via: SIP/2.0/[transport] [local_ip]:[local_port];rport;branch=[branch]
      Max-Forwards: 70
      From: <sip:[field0]@[remote_ip]>;tag=[pid]s[call_number]
      To: <sip:[field0]@[remote_ip]>
      Call-ID: [call_id]
      CSeq: ${cseq} REGISTER
      Contact: <sip:[field0]@[local_ip]:[local_port]>;expires=3600
      Expires: 3600
${cseq === 2 ? '      [field1]\n' : ''}      Content-Length: 0

    ]]></send>
  <recv response="${cseq === 1 ? '401" auth="true' : '200'}"></recv>
`,
  )
  .join('')}</scenario>
`;

/** Two rows a round, SIPp's and ours. Needs kamailio and sipp. */
export async function benchRegistrations(
  endpoints = 20_000,
  rate = 1000,
  adapters: readonly ('ffi' | 'dgram')[] = ['ffi', 'dgram'],
  rounds = 1,
): Promise<RegistrationsRow[]> {
  const registrar = await startKamailio(ADDRESS, 'registrar', 512);
  const folder = await mkdtemp(join(tmpdir(), 'carillon-bench-'));
  try {
    const rows: RegistrationsRow[] = [];
    for (const adapter of adapters)
      for (let round = 1; round <= rounds; round++) {
        const load: RegistrationLoad = {
          address: ADDRESS,
          registrarPort: registrar.port,
          adapter,
          endpoints,
          rate,
          expiresSeconds: EXPIRES_SECONDS,
          awaitsRefreshes: round === rounds,
          patienceMs: 40_000,
        };
        rows.push(...(await pair(folder, load)));
      }
    return rows;
  } finally {
    await registrar.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** SIPp starts when our code is compiled. */
async function pair(folder: string, load: RegistrationLoad): Promise<[sipp: RegistrationsRow, ours: RegistrationsRow]> {
  const { registrarPort, rate, endpoints, adapter } = load;
  let beside: Promise<RegistrationsRow> | null = null;
  const cost = await inChild(load, () => {
    beside = sipp(folder, registrarPort, rate, endpoints);
  });
  const peer = await (beside as Promise<RegistrationsRow> | null);
  if (peer === null) throw new Error('the driver did not say that it was warm');
  const registrationsPerCpuSecond = Math.round(cost.registered / cost.cpuSeconds);
  const ours = {
    who: `core, ${adapter}`,
    endpoints: cost.registered,
    failed: endpoints - cost.registered + cost.failed + cost.refreshesFailed,
    cpuSeconds: cost.cpuSeconds,
    registrationsPerCpuSecond,
    ratio: peer.failed > 0 ? Number.NaN : registrationsPerCpuSecond / peer.registrationsPerCpuSecond,
    refreshesPerCpuSecond: load.awaitsRefreshes ? Math.round(cost.refreshed / cost.refreshCpuSeconds) : null,
    residentBytesEach: cost.residentBytesEach,
    heapBytesEach: cost.heapBytesEach,
  };
  return [peer, ours];
}

/** A separate process, started like an agent: the benchmark's own work must not count. */
async function inChild(load: RegistrationLoad, onWarm: () => void): Promise<RegistrationCost> {
  const driver = join(import.meta.dirname, 'registration-driver.ts');
  const { code, output } = await run(
    process.execPath,
    [...process.execArgv, ...SIGNALLING_NODE_FLAGS, driver, JSON.stringify(load)],
    { onFirst: onWarm },
  );
  if (code !== 0) throw new Error(`the driver ended with code ${code}`);
  return JSON.parse(output.slice(output.indexOf('\n') + 1));
}

async function sipp(folder: string, port: number, rate: number, calls: number): Promise<RegistrationsRow> {
  const users = Array.from({ length: calls }, (_, i) => `s${i}`);
  const credentials = users.map((name) => `${name};[authentication username=${name} password=${passwordOf(name)}]`);
  await writeFile(join(folder, 'scenario.xml'), SCENARIO);
  await writeFile(join(folder, 'users.csv'), `SEQUENTIAL\n${credentials.join('\n')}\n`);
  const command = `sipp ${ADDRESS}:${port} -sf scenario.xml -inf users.csv -i ${ADDRESS} -r ${rate} -m ${calls} -l 200000 -nostdin ${NO_WATCHDOG.join(' ')} -buff_size 4194304 >sipp.out 2>&1; echo code $?; times`;
  const { output } = await run('sh', ['-c', command], { cwd: folder });
  const [codeLine, , childLine] = output.trim().split('\n');
  const cpuSeconds = (childLine ?? '').split(' ').reduce((sum, part) => sum + secondsOf(part), 0);
  const failed = codeLine === 'code 0' ? 0 : calls;
  return {
    who: 'SIPp',
    endpoints: calls - failed,
    failed,
    cpuSeconds,
    registrationsPerCpuSecond: Math.round((calls - failed) / cpuSeconds),
    ratio: 1,
    refreshesPerCpuSecond: null,
    residentBytesEach: null,
    heapBytesEach: null,
  };
}

/** `1m2.34s` */
function secondsOf(text: string): number {
  const [minutes, seconds] = text.replace('s', '').split('m');
  return Number(minutes) * 60 + Number(seconds);
}

/** With the raised priority of all contenders. `onFirst`: its first output. */
async function run(
  command: string,
  args: string[],
  { cwd, onFirst }: { readonly cwd?: string; readonly onFirst?: () => void },
): Promise<{ code: number | null; output: string }> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  if (child.pid !== undefined) prefer(child.pid);
  let output = '';
  child.stdout.on('data', (chunk) => {
    if (output === '') onFirst?.();
    output += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, output };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      endpoints: { type: 'string', default: '20000' },
      rate: { type: 'string', default: '1000' },
      adapters: { type: 'string', default: 'ffi,dgram' },
      rounds: { type: 'string', default: '1' },
    },
  });
  const adapters = values.adapters.split(',') as ('ffi' | 'dgram')[];
  const [endpoints, rate, rounds] = [values.endpoints, values.rate, values.rounds].map(Number);
  console.table(await benchRegistrations(endpoints, rate, adapters, rounds));
}
