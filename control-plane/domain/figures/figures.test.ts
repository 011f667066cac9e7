/** Figures of a run: distributions, responses, effectiveness. */
import t from 'tap';
import { distributionOf, sipResponsesOf, summaryOf } from './figures.ts';
import { isEffective } from './ner.ts';

t.test('network effectiveness: the table of the README', async (t) => {
  const rows: [string, Parameters<typeof isEffective>[0], boolean][] = [
    ['answered', { answered: true, finalStatus: 200, rang: true, gaveUp: false }, true],
    ['busy', { answered: false, finalStatus: 486, rang: false, gaveUp: false }, true],
    ['busy everywhere', { answered: false, finalStatus: 600, rang: false, gaveUp: false }, true],
    ['unavailable', { answered: false, finalStatus: 480, rang: false, gaveUp: false }, true],
    ['declined', { answered: false, finalStatus: 603, rang: true, gaveUp: false }, true],
    ['unwanted', { answered: false, finalStatus: 607, rang: false, gaveUp: false }, true],
    ['rang, we gave up', { answered: false, finalStatus: 487, rang: true, gaveUp: true }, true],
    ['did not ring, we gave up', { answered: false, finalStatus: 487, rang: false, gaveUp: true }, false],
    ['408 after ringing', { answered: false, finalStatus: 408, rang: true, gaveUp: false }, true],
    ['408 without', { answered: false, finalStatus: 408, rang: false, gaveUp: false }, false],
    ['not found', { answered: false, finalStatus: 404, rang: false, gaveUp: false }, false],
    ['server error', { answered: false, finalStatus: 503, rang: false, gaveUp: false }, false],
    ['nothing at all', { answered: false, finalStatus: null, rang: false, gaveUp: false }, false],
  ];
  for (const [what, seizure, expected] of rows) t.equal(isEffective(seizure), expected, what);
});

t.test('loss is a share of the packets that were sent', async (t) => {
  const none = {
    streams: 1,
    withFeedback: 0,
    packetsSent: 0,
    packetsReceived: 490,
    discarded: 0,
    lossStreams: 1,
    plcEvents: 0,
  };
  const rest = {
    nack: 0,
    pli: 0,
    fir: 0,
    jitterStreams: 0,
    jitterAvg: null,
    jitterMax: null,
    rttStreams: 0,
    rttAvg: null,
    rttMax: null,
  };
  const totals = { ...none, ...rest, expected: 1000, lost: 10, absent: 400, paused: 100 };
  t.match(summaryOf(totals, []), { avgPacketLossFraction: 0.02, totalPacketsLost: 10 });
  t.match(summaryOf({ ...totals, expected: 500, lost: 0 }, []), { avgPacketLossFraction: 0 }, 'none was sent');
  const older = { ...none, ...rest, expected: 1000, lost: 10 } as typeof totals;
  t.match(summaryOf(older, []), { avgPacketLossFraction: 0.01 }, 'sums of an older control plane');
});

t.test('figures', async (t) => {
  t.same(distributionOf({ percentiles: null, avg: null, min: null, max: null, count: 0 }), {
    p50: 0,
    p95: 0,
    p99: 0,
    avg: 0,
    min: 0,
    max: 0,
    count: 0,
  });
  const row = (status: number, count: number, more = {}) => ({
    sent: false,
    method: 'INVITE',
    status,
    reason: 'R',
    count,
    retransmissions: 0,
    ...more,
  });
  const responses = sipResponsesOf([
    row(200, 3),
    row(200, 1, { method: 'BYE' }),
    row(486, 4, { reason: 'Busy' }),
    row(0, 9),
    row(100, 9, { sent: true }),
  ]);
  t.same(responses, [
    { statusCode: 200, reasonPhrase: 'R', count: 4, percentage: 50, methods: { INVITE: 3, BYE: 1 } },
    { statusCode: 486, reasonPhrase: 'Busy', count: 4, percentage: 50, methods: { INVITE: 4 } },
  ]);
  const odd = sipResponsesOf(['constructor', '__proto__'].map((method) => row(200, 2, { method })));
  t.equal(JSON.stringify(odd[0]?.methods), '{"constructor":2,"__proto__":2}', 'methods are what strangers call them');
});
