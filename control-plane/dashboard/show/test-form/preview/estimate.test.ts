/** The form of a test and its preflight expect the same of it: calls at the same time, bits and ports. */
import t from 'tap';
import { blastRadius } from '../../../../domain/run/preflight/blast-radius.ts';
import { bodyOf, callsOwn, type Draft, doingOf, EMPTY } from '../drafts/test-draft.ts';
import { FIRST_VIDEO } from '../drafts/track-draft.ts';
import { estimateOf } from './estimate.ts';

const NOWHERE = { registrars: new Map(), sipAccounts: 0, policies: [] };
/** A stream of PCMU: payload and headers of 50 packets a second. */
const STREAM = (160 + 58) * 8 * 50;

const ofForm = (draft: Draft) => {
  const source = doingOf(draft).media ? draft.source : null;
  const { concurrentCalls, bitsPerSecondEachWay, ports } = estimateOf({
    ...draft,
    source,
    ownCallees: callsOwn(draft),
  });
  return { atOnce: concurrentCalls, bits: bitsPerSecondEachWay, ports };
};
const ofPreflight = (draft: Draft) => {
  const { buildup, durationSeconds, ...config } = bodyOf(draft, 'cloud', null);
  const times = { buildupSeconds: buildup ?? 0, durationSeconds: durationSeconds ?? 0 };
  const { callsAtOnce, audioBitsPerSecond, mediaPorts } = blastRadius(config as never, times, NOWHERE);
  return { atOnce: callsAtOnce, bits: audioBitsPerSecond, ports: mediaPorts };
};

t.test('one expectation for the form and for the preflight', async (t) => {
  const group = { ...EMPTY.group, audioCodecs: ['PCMU' as const] };
  const rated = (callsPerSecond: number, seconds: number) => ({
    load: { shape: 'RATE' as const, callsPerSecond, seconds },
    callsEach: null,
    endpoints: 500,
  });
  const away = { registrarId: 'pbx', uri: 'sip:9@pbx.example' };
  const cases: [title: string, Partial<Draft>, atOnce: number, portsEach: number][] = [
    ['ten within five seconds', {}, 10, 4],
    ['all of them at once', { buildup: 0 }, 10, 4],
    ['one after the other', { buildup: 100 }, 1, 4],
    ['a rate for calls of 10 s', rated(4, 60), 40, 4],
    ['a rate that no double holds exactly', rated(1.1, 60), 11, 4],
    ['too few endpoints', { ...rated(4, 60), endpoints: 7 }, 7, 4],
    ['more calls than are drawn', rated(40, 3600), 400, 4],
    [
      'endpoints that calls wait for',
      { ...rated(4, 60), load: { shape: 'CONCURRENCY', callsPerSecond: 50, seconds: 60 }, endpoints: 30 },
      30,
      4,
    ],
    ['somebody else answers', away, 10, 2],
    ['RTCP on the port of RTP', { ...away, group: { ...group, rtcpMux: true } }, 10, 1],
    ['video', { video: FIRST_VIDEO }, 10, 8],
  ];
  for (const [title, change, atOnce, portsEach] of cases) {
    const draft = { ...EMPTY, group, ...change };
    const expected = { atOnce, bits: atOnce * STREAM, ports: atOnce * portsEach };
    t.same(ofForm(draft), expected, `${title}: the form`);
    t.same(ofPreflight(draft), expected, `${title}: the preflight`);
  }
  const silent = { ...EMPTY, group, source: null };
  t.same(ofForm(silent), { atOnce: 10, bits: 0, ports: 0 }, 'no media: the form');
  t.same(ofPreflight(silent), { atOnce: 10, bits: 0, ports: 0 }, 'no media: the preflight');
});
