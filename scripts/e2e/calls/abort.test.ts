/** A run that ends itself: a callee that answers, and from a known second on is not there; rows of calls, and sums of a folded run. */
import t from 'tap';
import { openLab } from '../../peers/lab/lab.ts';
import { callsTo } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

const net = ownLoopback();
const [RATE, SECONDS] = [20, 60];
/** The calls before the callee goes away. */
const GOOD = 100;
/** Each of this test's runs is larger, if it is folded. */
const EXACT_CALLS = 2 * RATE * SECONDS;

const rows = [
  { slug: 'rows', seconds: SECONDS, uas: await startSipp({ address: net.address(100), scenario: { builtIn: 'uas' } }) },
  {
    slug: 'folded',
    seconds: 4 * SECONDS,
    uas: await startSipp({ address: net.address(101), scenario: { builtIn: 'uas' } }),
  },
] as const;

const lab = await openLab(t, {
  net,
  controlPlaneEnv: { CARILLON_EXACT_CALLS: String(EXACT_CALLS) },
  provision: () => ({
    tests: rows.map(({ slug, seconds, uas }) =>
      callsTo(uas.uri, slug, {
        ...{ endpoints: 10 * RATE, calls: null, durationSeconds: 1, media: { mediaTracks: [], sdp: 'OFFER' } },
        load: { shape: 'RATE', callsPerSecond: RATE, seconds },
        breaker: null,
        abortOn: 'callSetup>20000 for 3s, successShare<90 for 4s',
      }),
    ),
  }),
});

for (const { slug, seconds, uas } of rows)
  t.test(`a callee that goes away ends a run, counted by ${slug}`, async (t) => {
    const id = await lab.startRun(slug, 'answered calls', (run) => (run.callQuality?.successful ?? 0) >= GOOD);
    await uas.stop();
    const brokenMs = Date.now();
    const run = await lab.ended(id);
    t.match(run, {
      status: 'FAILED',
      error: {
        code: 'ABORTED',
        message: /^successShare<90 for 4s: Successful calls was \d+(\.\d+)? % \([\d,]+ values\)\.$/,
      },
    });
    const { calls, successful, failed } = run.callQuality ?? { calls: 0, successful: 0, failed: 0 };
    t.ok(successful >= GOOD && failed > 0, `${successful} calls were good, and ${failed} failed`);
    t.ok(calls < (RATE * seconds) / 2, `its load would have had ${RATE * seconds} calls, and it placed ${calls}`);
    t.comment(`ended by its rule ${Date.parse(run.error?.at ?? '') - brokenMs} ms after the callee had gone`);
    const events = await lab.query('select detail from run_events where run_id = $1 and kind = $2', [id, 'STATUS']);
    t.match(JSON.stringify(events), /FAILED: ABORTED: successShare<90 for 4s/);
  });
