/** Capacity is concurrent calls: a run of more calls than the agent has ports, a probe beside it, and a run whose peak does not fit. */
import t from 'tap';
import { openLab } from '../../peers/lab/lab.ts';
import { callsTo, SPEAKS_ONLY } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { until } from '../../peers/process.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

const CALLS = 300;
/** As many calls have ports at once, and the agent's own limit is higher. */
const PAIRS = 100;
const net = ownLoopback();
const sipp = await startSipp({ address: net.address(100), scenario: { builtIn: 'uas' } });

const shape = { durationSeconds: 1, media: SPEAKS_ONLY };
const lab = await openLab(t, {
  net,
  agentEnv: {
    CARILLON_RTP_PORTS: `40000-${40_000 + 2 * PAIRS - 1}`,
    // After a long stall, all calls that were due would start at once: more than there are ports.
    CARILLON_LATEST_START_MS: '2000',
  },
  provision: () => ({
    tests: [
      callsTo(sipp.uri, 'many', { ...shape, endpoints: CALLS, load: { shape: 'RATE', callsPerSecond: 20 } }),
      callsTo(sipp.uri, 'wide', { ...shape, endpoints: CALLS, load: { shape: 'RATE', callsPerSecond: 40 } }),
    ],
    probes: [
      {
        slug: 'door',
        name: 'Door',
        durationSeconds: 1,
        fixedIntervalSec: 3600,
        enabled: false,
        test: {
          registrar: 'cloud',
          callee: { mode: 'EXTERNAL_URI', uri: sipp.uri },
          placement: { mode: 'REGION', region: 'local' },
        },
      },
    ],
  }),
});
const { projectId } = lab;

t.test(`${CALLS} calls by ${PAIRS} pairs of ports, and a probe beside them`, async (t) => {
  const id = await lab.startRun('many');
  await lab.reaches(id, 'calls', (run) => (run.progress.phases.INCALL ?? 0) > 0);
  const refused = await lab.runToEnd('wide');
  t.match(refused, { status: 'CANNOT_RUN_FOR_NOW', error: { code: 'INSUFFICIENT_CAPACITY' } });
  for (const part of [
    /up to 14\d of its 300/,
    /agent-1 carries 100, 7\d in use, 5 left to probes/,
    /CARILLON_RTP_PORTS/,
  ])
    t.match(refused.error?.message, part);
  const [probe] = (await lab.call('listProbes', { projectId })).rows;
  const probeId = probe?.id ?? '';
  await lab.call('runProbe', { projectId, probeId });
  await until('the probe has run', async () => {
    const { rows } = await lab.call('listProbeInstances', { projectId, probeId });
    return rows[0]?.completedAt != null;
  });
  const execution = (await lab.call('listProbeInstances', { projectId, probeId })).rows[0];
  const probed = await lab.run(execution?.testRunId ?? '');
  t.match(probed, { status: 'COMPLETED', callTiming: { totalCalls: 1, successCount: 1 } }, 'it had its room');
  const run = await lab.ended(id);
  const { totals } = await sipp.end();
  // A host without processor time may prevent calls, and reports it; ports may not.
  const causes = run.failureClusters.map(({ cause }) => cause).filter((cause) => cause !== 'NOT_STARTED');
  t.same(causes, [], run.validity?.sentence ?? '');
  const { totalCalls } = run.callTiming;
  t.equal(run.status, 'COMPLETED');
  t.ok(totalCalls > PAIRS, `${totalCalls} calls`);
  t.equal(run.callTiming.successCount, totalCalls);
  t.equal(totals['IncomingCall'], totalCalls + 1);
  t.equal(run.summary.totalStreams, totalCalls, 'each call had its stream');
});
