/** Probes of real targets: a SIPp that is stopped and started again, and Kamailio by REGISTER and OPTIONS. */
import t from 'tap';
import type { Output } from '../../../control-plane/contract/catalogue.ts';
import { ATTEMPTS, openLab } from '../../peers/lab/lab.ts';
import type { ProbeInput } from '../../peers/lab/provision.ts';
import { freePort, ownLoopback } from '../../peers/network/loopback.ts';
import { startWebhookReceiver } from '../../peers/network/webhook-receiver.ts';
import { until } from '../../peers/process.ts';
import { passwordOf, startKamailio } from '../../peers/sip/kamailio.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

const net = ownLoopback();
const address = net.address(70);
// Over TCP an unreachable target is known at once; over UDP it would take timer B.
const port = await freePort();
const startTarget = () => startSipp({ address, port, scenario: { builtIn: 'uas' }, args: ['-t', 't1'] });
let target = await startTarget();
t.teardown(() => target.end());
const pbx = await startKamailio(net.address(71), 'registrar');
t.teardown(() => pbx.stop());

const STRIKES = 2;
const probe = (slug: string, more: Partial<ProbeInput> & Pick<ProbeInput, 'test'>): ProbeInput => ({
  slug,
  name: `${slug} (local)`,
  durationSeconds: 1,
  enabled: false,
  fixedIntervalSec: 300,
  alertStrikeRuns: STRIKES,
  ...more,
});
const asks = (registrar: string, uri: string): ProbeInput['test'] => ({
  registrar,
  callee: { mode: 'EXTERNAL_URI', uri },
  placement: { mode: 'REGION', region: 'local' },
});
const account = (username: string, password = passwordOf(username)) => ({ username, password });

const receiver = await startWebhookReceiver();
t.teardown(() => receiver.stop());

const lab = await openLab(t, {
  controlPlaneEnv: { CARILLON_WEBHOOKS_ALLOW_PRIVATE: 'true', CARILLON_WEBHOOKS_ALLOW_HTTP: 'true' },
  net,
  provision: () => ({
    tests: [],
    registrars: [
      { slug: 'sipp', name: 'SIPp', uri: `sip:${address}:${port}`, protocol: 'TCP', register: false },
      { slug: 'pbx', name: 'PBX', uri: pbx.uri, sipAccounts: [account('1001')] },
      { slug: 'wrong', name: 'Wrong', uri: pbx.uri, sipAccounts: [account('1002', 'not the password')] },
    ],
    probes: [
      probe('call', {
        // SIPp sends no media.
        test: {
          ...asks('sipp', `sip:callee@${address}:${port};transport=tcp`),
          expectations: { toleratedFindings: ['NO_MEDIA'] },
        },
      }),
      probe('register', {
        mode: 'REGISTER',
        test: asks('pbx', pbx.uri),
      }),
      probe('denied', { mode: 'REGISTER', test: asks('wrong', pbx.uri) }),
      probe('denied-as-expected', { mode: 'REGISTER', expectedStatusCodes: [401, 403], test: asks('wrong', pbx.uri) }),
      probe('options', {
        mode: 'OPTIONS',
        test: asks('pbx', pbx.uri),
      }),
      probe('measured', {
        mode: 'OPTIONS',
        test: asks('pbx', pbx.uri),
        thresholds: [{ metricKey: 'optionsRtt', greenValue: 60_000, orangeValue: 60_000 }],
      }),
      probe('nobody-as-expected', {
        mode: 'OPTIONS',
        expectedStatusCodes: [404],
        test: asks('pbx', pbx.uri.replace('sip:', 'sip:nobody@')),
      }),
    ],
  }),
});
const { projectId } = lab;
const { url, secret } = receiver;
await lab.call('createWebhook', {
  projectId,
  url,
  secret,
  format: 'STANDARD',
  events: ['probe.status_changed', 'incident.opened', 'incident.resolved'],
});
const probes = (await lab.call('listProbes', { projectId, per_page: 100 })).rows;
const idOf = (slug: string) => probes.find((p) => p.name === `${slug} (local)`)?.id as string;
const read = (slug: string) => lab.call('getProbe', { projectId, probeId: idOf(slug) });

type Instance = Output<'listProbeInstances'>;
/** How many of a probe's executions have ended: they are graded when they end. */
async function graded(slug: string, count: number): Promise<Instance> {
  let last: Instance | undefined;
  await until(`${slug} has ${count} executions that have ended`, async () => {
    const { rows } = await lab.call('listProbeInstances', { projectId, probeId: idOf(slug), per_page: 100 });
    last = rows[0];
    // One more if its schedule came due meanwhile.
    return rows.length >= count && rows.every((i) => i.completedAt !== null);
  });
  return last as Instance;
}
const counts = new Map<string, number>();
/** One that was not judged, since its agent was not ready or was disturbed, is repeated. */
async function execute(slug: string, attempts = ATTEMPTS): Promise<Instance> {
  const count = (counts.get(slug) ?? 0) + 1;
  counts.set(slug, count);
  await lab.call('runProbe', { projectId, probeId: idOf(slug) });
  const instance = await graded(slug, count);
  return instance.status === 'UNKNOWN' && attempts > 1 ? execute(slug, attempts - 1) : instance;
}
const incidents = async (slug: string) =>
  (await lab.call('listProbeIncidents', { projectId, probeId: idOf(slug), per_page: 100 })).rows;

const calls = (async () => {
  const states: { status: string; incident: string | null; open: boolean }[] = [];
  const note = async ({ status }: Instance) => {
    const [incident] = await incidents('call');
    states.push({ status, incident: incident?.severity ?? null, open: incident !== undefined && !incident.endedAt });
  };
  await note(await execute('call'));
  const first = (await read('call')).recentInstances[0];
  await target.end();
  for (let strike = 0; strike < STRIKES; strike++) await note(await execute('call'));
  target = await startTarget();
  await note(await execute('call'));
  // And once by the clock: its schedule is enabled, and the next tick is moved closer.
  await lab.call('updateProbe', { projectId, probeId: idOf('call'), enabled: true });
  await until('the next tick is planned', async () => (await read('call')).nextTickAt !== null);
  await lab.query(`update probes set next_tick_at = date_trunc('second', now()) where id = $1`, [idOf('call')]);
  const ticked = await graded('call', (counts.get('call') ?? 0) + 1);
  // On a busy machine the next tick comes before the reads below.
  await lab.call('updateProbe', { projectId, probeId: idOf('call'), enabled: false });
  await graded('call', 1);
  return { states, first, ticked, incidents: await incidents('call'), probe: await read('call') };
})();
const others = Promise.all(
  ['register', 'denied', 'denied-as-expected', 'options', 'measured', 'nobody-as-expected'].map(
    async (slug) => [slug, await execute(slug)] as const,
  ),
);
const called = await calls;
const instances = new Map(await others);

t.test('a target that goes away and comes back', async (t) => {
  t.same(called.states, [
    { status: 'HEALTHY', incident: null, open: false },
    { status: 'UNHEALTHY', incident: null, open: false },
    { status: 'UNHEALTHY', incident: 'DOWN', open: true },
    { status: 'HEALTHY', incident: 'DOWN', open: false },
  ]);
  t.match(called.incidents, [{ severity: 'DOWN', region: 'local', message: null }]);
  t.ok((called.incidents[0]?.durationMs ?? 0) > 0);
  const { steps } = called.first as Instance;
  t.ok((steps?.['answerMs'] ?? 0) > 0 && (steps?.['ringingMs'] ?? 0) > 0 && (steps?.['byeMs'] ?? 0) > 0);
  t.equal(steps?.['registerMs'], null, 'a trunk: nobody registered');
  t.equal(called.ticked.status, 'HEALTHY', 'by its schedule');
  t.match(called.probe, { status: 'HEALTHY', strikes: 0, lastInstanceStatus: 'COMPLETED', lastSkipReason: null });
  const kinds = await lab.query<{ kind: string }>(
    `select kind from announcements where body->>'probeId' = $1 order by at, id`,
    [idOf('call')],
  );
  t.same(
    kinds.map((k) => k.kind),
    ['probe.status_changed', 'probe.status_changed', 'incident.opened', 'probe.status_changed', 'incident.resolved'],
  );
});

t.test('subscribers get each event, with a valid signature', async (t) => {
  const told = () => receiver.received.filter((r) => r.data.probeId === idOf('call'));
  await until('the recovery is told', async () => told().length >= 5);
  const steps = told().map((r) =>
    r.type === 'probe.status_changed' ? `${r.data.from} ${r.data.to}` : `${r.type} ${r.data.severity}`,
  );
  t.same(steps.sort(), [
    'HEALTHY UNHEALTHY',
    'UNHEALTHY HEALTHY',
    'UNKNOWN HEALTHY',
    'incident.opened DOWN',
    'incident.resolved DOWN',
  ]);
  const [opened, resolved] = ['incident.opened', 'incident.resolved'].map((type) =>
    told().find((r) => r.type === type),
  );
  t.equal(opened?.data.incidentId, called.incidents[0]?.id);
  t.equal(resolved?.data.incidentId, opened?.data.incidentId);
  t.equal(resolved?.data.durationMs, called.incidents[0]?.durationMs);
  t.equal(receiver.unsigned(), 0);
});

t.test('a registrar, by REGISTER and OPTIONS', async (t) => {
  const table: [slug: string, status: string, step: string | null][] = [
    ['register', 'HEALTHY', 'registerMs'],
    ['denied', 'UNHEALTHY', null],
    ['denied-as-expected', 'HEALTHY', null],
    ['options', 'HEALTHY', 'optionsMs'],
    ['nobody-as-expected', 'HEALTHY', 'optionsMs'],
  ];
  for (const [slug, status, step] of table) {
    const instance = instances.get(slug) as Instance;
    t.equal(instance.status, status, slug);
    if (step) t.ok((instance.steps?.[step] ?? 0) > 0, `${slug}: ${step} ${instance.steps?.[step]}`);
    t.equal(instance.steps?.['answerMs'], null, `${slug}: no call`);
    const run = await lab.run(instance.testRunId);
    t.match(run, { isProbeRun: true, status: 'COMPLETED', callTiming: { totalCalls: 0 } }, slug);
  }
  const measured = instances.get('measured') as Instance;
  const { validity } = await lab.run(measured.testRunId);
  // A host that was too busy reports it, and grades nothing.
  const status = validity?.verdict === 'VOID' ? 'UNKNOWN' : 'HEALTHY';
  t.match(measured, {
    status,
    thresholdResults: [{ metricKey: 'optionsRtt', unit: 'ms', status, higherIsBetter: false }],
  });
  t.equal(await pbx.contacts(), 0, 'every registered endpoint has un-registered');
});
