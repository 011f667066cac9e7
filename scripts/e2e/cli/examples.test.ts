/** The examples, each run as its README says, against an installation and SIPp. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { ATTEMPTS, openLab } from '../../peers/lab/lab.ts';
import { callsTo, SPEAKS_ONLY } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { startPeer, until } from '../../peers/process.ts';
import { GOOD_BEHAVIOURS } from '../../peers/sip/behaving/behaviours.ts';
import { startBehavingPeer } from '../../peers/sip/behaving-peer.ts';
import { startSipp } from '../../peers/sip/sipp.ts';
import { openProbeClient, TELLS_TESTS } from '../probes/probe-client.ts';
import { type CommandResult, carillon, unlessVoid } from './carillon.ts';

const EXAMPLES = path.resolve(import.meta.dirname, '..', '..', '..', 'examples');
const example = (name: string): string => path.join(EXAMPLES, name);

const net = ownLoopback();
const answering = await startSipp({ address: net.address(100), scenario: { builtIn: 'uas' } });
const server = await startBehavingPeer(net.address(101), GOOD_BEHAVIOURS);
t.teardown(() => Promise.all([answering.end(), server.close()]));
const lab = await openLab(t, {
  net,
  controlPlaneEnv: TELLS_TESTS,
  provision: () => ({
    tests: [callsTo(answering.uri, 'smoke', { endpoints: 3, durationSeconds: 1, media: SPEAKS_ONLY })],
  }),
});
const { projectId } = lab;
const folder = await mkdtemp(path.join(tmpdir(), 'carillon-examples-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));

const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandResult> =>
  new Promise((resolve) =>
    execFile(program, args, { env: { ...process.env, ...env } }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    ),
  );
const client = (...args: string[]): Promise<CommandResult> =>
  run(process.execPath, [example('client.mjs'), ...args], {
    CARILLON_URL: lab.controlPlane.url,
    CARILLON_API_KEY: lab.apiKey,
  });

t.test('a client starts a test and prints its result; a receiver prints signed events only', async (t) => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const receiver = startPeer(process.execPath, [example('webhook-receiver.mjs')], {
    env: { WEBHOOK_SECRET: secret, PORT: '0' },
  });
  t.teardown(() => receiver.stop());
  const url = await until('the receiver listens', () => /http:\S+/.exec(receiver.output())?.[0]);
  await lab.call('createWebhook', { projectId, url, secret, format: 'STANDARD', events: ['test_run.status_changed'] });
  // A busy host prevents a run; another one may start.
  let said = await client('lab', 'smoke');
  for (let n = 1; said.out.startsWith('CANNOT_RUN_FOR_NOW') && n < ATTEMPTS; n++) said = await client('lab', 'smoke');
  const { code, out, err } = said;
  t.match(out, /^COMPLETED: 3 of 3 calls were answered\./, err);
  t.equal(code, 0);
  await until('the event has arrived', () => /test_run\.status_changed .*"COMPLETED"/.test(receiver.output()));
  const forged = await fetch(url, {
    method: 'POST',
    headers: {
      'webhook-id': 'a',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': 'v1,AAAA',
    },
    body: '{"type":"forged"}',
  });
  t.equal(forged.status, 401);
  t.notMatch(receiver.output(), /forged/);
  t.match(await client('lab', 'nothing'), { code: 1 });
});

t.test('a probe of a SIP server is applied, and healthy', async (t) => {
  const env = { SIP_SERVER: `sip:${server.address}:${server.port}` };
  const applied = await carillon(lab, ['apply', '-f', example('probe.yaml'), '--yes'], { env });
  t.equal(applied.code, 0, applied.out + applied.err);
  const [probe] = (await lab.call('listProbes', { projectId })).rows;
  t.match(probe, { name: 'SIP server', mode: 'OPTIONS', enabled: true });
  const probes = await openProbeClient(lab);
  t.teardown(() => probes.stop());
  const { status, message } = await probes.executeUndisturbed(probe?.id ?? '');
  // A disturbed agent grades nothing.
  t.match(status, /^(HEALTHY|UNKNOWN)$/, message ?? '');
});

t.test('a gate passes, and writes its reports', async (t) => {
  const said = await unlessVoid(75, () => run('sh', [example('gate.sh')], { HOME: folder, REPORTS: folder }));
  if (said.machineTooBusy) return;
  t.match(said, { code: 0, out: /All limits were met/ });
  const reports = (await readdir(folder)).filter((name) => name.startsWith('carillon.'));
  t.same(reports.toSorted(), ['carillon.html', 'carillon.xml']);
});
