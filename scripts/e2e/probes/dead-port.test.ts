/**
 * What is called is what the page says: a probe of a port where nobody listens is not healthy, unless the user has chosen a server
 * that answers for it; then its sentence, the preflight of a test and the form name both places.
 */
import t from 'tap';
import { openLab } from '../../peers/lab/lab.ts';
import { freeUdpPort, ownLoopback } from '../../peers/network/loopback.ts';
import { GOOD_BEHAVIOURS } from '../../peers/sip/behaving/behaviours.ts';
import { startBehavingPeer } from '../../peers/sip/behaving-peer.ts';
import { openProbeClient, TELLS_TESTS } from './probe-client.ts';

const SECONDS = 2;
const MODES = ['CALL', 'OPTIONS'] as const;

const net = ownLoopback();
const peer = await startBehavingPeer(net.address(100), GOOD_BEHAVIOURS);
t.teardown(() => peer.close());
const live = `${peer.address}:${peer.port}`;
const dead = `${peer.address}:${await freeUdpPort(peer.address)}`;
const lab = await openLab(t, {
  net,
  controlPlaneEnv: TELLS_TESTS,
  provision: () => ({
    tests: [],
    registrars: [{ slug: 'trunk', name: 'Carrier A', uri: `sip:${live}`, protocol: 'UDP', register: false }],
  }),
});
const { projectId, call } = lab;
const client = await openProbeClient(lab);
t.teardown(() => client.stop());
const { rows: registrars } = await call('listRegistrars', { projectId });
const placement = { mode: 'REGION', region: 'local' } as const;

type Case = {
  readonly via: 'cloud' | 'trunk';
  readonly uri: string;
  readonly isHealthy: boolean;
  /** The sentence says so. */
  readonly isElsewhere: boolean;
};
const CASES: readonly Case[] = [
  { via: 'cloud', uri: `sip:echo@${dead}`, isHealthy: false, isElsewhere: false },
  { via: 'cloud', uri: `sip:echo@${dead};transport=udp`, isHealthy: false, isElsewhere: false },
  { via: 'cloud', uri: `sip:${dead}`, isHealthy: false, isElsewhere: false },
  { via: 'cloud', uri: `sip:echo@${live}`, isHealthy: true, isElsewhere: false },
  { via: 'trunk', uri: `sip:echo@${live}`, isHealthy: true, isElsewhere: false },
  { via: 'trunk', uri: `sip:echo@${dead}`, isHealthy: true, isElsewhere: true },
  { via: 'trunk', uri: 'sip:echo@far.example', isHealthy: true, isElsewhere: true },
];

for (const { via, uri, isHealthy, isElsewhere } of CASES)
  for (const mode of MODES)
    t.test(`${mode} to ${uri} by way of ${via}`, async (t) => {
      const registrarId = registrars.find(({ slug }) => slug === via)?.id ?? '';
      const probe = await call('createProbe', {
        ...{ projectId, name: `${mode} ${uri} ${via}`, mode, durationSeconds: SECONDS, enabled: false },
        fixedIntervalSec: 300,
        test: { registrarId, callee: { mode: 'EXTERNAL_URI', uri }, placement },
      });
      const before = peer.calls.length;
      const { status, message } = await client.executeUndisturbed(probe.id);
      if (!isHealthy) t.not(status, 'HEALTHY', message ?? '');
      // A disturbed agent grades nothing.
      else if (status !== 'UNKNOWN') t.equal(status, 'HEALTHY', message ?? '');
      if (status === 'UNKNOWN') return;
      if (mode === 'CALL') t.equal(peer.calls.length > before, isHealthy, 'the peer is called only if it is healthy');
      const named = uri.includes('far.example') ? 'far.example:5060' : dead;
      const words = `It went to ${live} (Carrier A), not to ${named}.`;
      t.equal(message?.endsWith(words), isElsewhere, message ?? '');
      t.equal((await call('getProbe', { projectId, probeId: probe.id })).lastMessage, message);
    });

t.test('the preflight of a test names both places', async (t) => {
  for (const { via, uri, isElsewhere } of CASES) {
    const registrarId = registrars.find(({ slug }) => slug === via)?.id ?? '';
    const { id: testId } = await call('createTest', {
      ...{ projectId, name: `${via} ${uri}`, durationSeconds: SECONDS },
      groups: [
        {
          ...{ name: 'callers', registrarId, placement, callee: { mode: 'EXTERNAL_URI', uri } },
          subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 1 }],
        },
      ],
    });
    const { checks } = await call('preflightTest', { projectId, testId });
    const check = checks.find((one) => one.check === 'DESTINATIONS');
    t.equal(check?.verdict, isElsewhere ? 'WARN' : 'PASS', `${via} ${uri}: ${check?.message}`);
    t.ok(check?.message.includes(via === 'trunk' || uri.includes(live) ? live : dead), `${check?.message}`);
    if (isElsewhere) t.ok(check?.message.includes(uri.includes(dead) ? dead : 'far.example:5060'), `${check?.message}`);
  }
});
