/**
 * A peer with fourteen known ways of not being heard, and four good calls, in one run: each is found, counted, named and
 * attributed correctly, wherever a run is read. Signalling still reports that all calls were answered.
 */
import t from 'tap';
import type { Output } from '../../../control-plane/contract/catalogue.ts';
import { FINDINGS, type FindingKind } from '../../../proto/words/findings.ts';
import { openLab, type RunDetail, type RunEndpoint, stallMs } from '../../peers/lab/lab.ts';
import { callsToEach, type Target } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import {
  BAD_BEHAVIOURS,
  type BadBehaviour,
  GOOD_BEHAVIOURS,
  type GoodBehaviour,
  MEDIA_OF_BEHAVIOURS,
} from '../../peers/sip/behaving/behaviours.ts';
import { type CallByLog, callByLog, msIn } from '../../peers/sip/behaving/by-log.ts';
import { type PeerCallLog, startBehavingPeer } from '../../peers/sip/behaving-peer.ts';

const SECONDS = 8;
/** The peer or the agent stalled for so long that it may have caused gaps itself. */
const STALLED_MS = 250;
const MAX_STALLED_MS = 1000;
/** Between the peer's log and our figures, if neither of them stalled: its log is that of a busy process. */
const EXACT_MS = 100;

type Expected = {
  readonly fault: FindingKind;
  readonly party: 'callee' | 'network';
  readonly sentence: RegExp;
  readonly notes?: readonly FindingKind[];
};

const EXPECTED: Readonly<Record<BadBehaviour, Expected>> = {
  'no-rtp': { fault: 'NO_MEDIA', party: 'network', sentence: /^No audio packet came in \d+\.\d s of the call\.$/ },
  'closed-port': {
    fault: 'NO_MEDIA',
    party: 'network',
    sentence: /^No audio packet came in .* Ours were refused: the far end's media port was closed\.$/,
    notes: ['PORT_UNREACHABLE'],
  },
  stops: {
    fault: 'MEDIA_STOPPED',
    party: 'network',
    sentence: /^The last audio packet came \d+\.\d s before the call/,
  },
  gap: { fault: 'MEDIA_GAP', party: 'network', sentence: /^No audio packet came for \d+\.\d s\.$/ },
  late: {
    fault: 'MEDIA_GAP',
    party: 'network',
    sentence: /^No audio packet came in the first \d+\.\d s of the call\.$/,
    notes: ['FIRST_MEDIA_LATE'],
  },
  'silence-pcmu': { fault: 'SILENT_AUDIO', party: 'callee', sentence: /^\d+ packets .* all of them were silent\.$/ },
  'silence-opus': { fault: 'SILENT_AUDIO', party: 'callee', sentence: /^\d+ packets .* all of them were silent\.$/ },
  'other-codec': { fault: 'WRONG_PAYLOAD', party: 'callee', sentence: /^\d+ packets .* not agreed on\.$/ },
  // The payload type was negotiated: it is not wrong, but it is not audio.
  'events-only': { fault: 'NO_MEDIA', party: 'network', sentence: /Only telephone events came \(\d+ packets\)\.$/ },
  deaf: { fault: 'ONE_WAY_AUDIO', party: 'network', sentence: /^Audio came, but .* nothing of ours arrived there\.$/ },
  mute: { fault: 'ONE_WAY_AUDIO', party: 'network', sentence: /^No audio packet came, although .* receives ours\.$/ },
  'wrong-keys': {
    fault: 'UNDECRYPTABLE_MEDIA',
    party: 'callee',
    sentence: /none was encrypted with the agreed/,
  },
  drops: {
    fault: 'ENDED_EARLY',
    // By the Q.850 cause that the far end sent.
    party: 'network',
    sentence:
      /^The far end hung up after (?:\d+\.\d s|\d+ ms) of a call of 8\.0 s: Network out of order \(Q\.850 cause 38\)\.$/,
  },
  vanishes: { fault: 'DIALOG_UNKNOWN', party: 'callee', sentence: /^The far end answered our BYE with 481/ },
};
/** Notes that a busy host adds: it reads packets late. */
const OF_HOST: readonly FindingKind[] = ['LATE_MEDIA', 'SIP_RETRANSMISSIONS', 'RECEIVE_DROPS'];
const BAD = Object.keys(BAD_BEHAVIOURS) as BadBehaviour[];
const GOOD = Object.keys(GOOD_BEHAVIOURS) as GoodBehaviour[];
const CALLS = BAD.length + GOOD.length;

const net = ownLoopback();
const peer = await startBehavingPeer(net.address(100), { ...BAD_BEHAVIOURS, ...GOOD_BEHAVIOURS });
t.teardown(() => peer.close());
const targets = [...peer.behaviours.keys()].map((name): Target => {
  const media = MEDIA_OF_BEHAVIOURS[name];
  return { name, uri: peer.uri(name), ...(media && { media }) };
});
const lab = await openLab(t, {
  net,
  provision: () => ({ tests: [callsToEach(targets, 'heard', { endpoints: 1, durationSeconds: SECONDS, buildup: 2 })] }),
});

const logOf = (user: BadBehaviour | GoodBehaviour) => peer.callsOf(user).at(-1) as PeerCallLog;
const stalledMs = (run: RunDetail): number =>
  Math.max(stallMs(run), ...[...BAD, ...GOOD].map((user) => logOf(user).latestMs));
const run = await lab.runUndisturbed('heard', (run) => stalledMs(run) <= STALLED_MS);
/** What each length may be wrong by. */
const wrongMs = EXACT_MS + stalledMs(run);
/** Lengths of seconds say nothing any more. */
const skip =
  stalledMs(run) > MAX_STALLED_MS && `the host held up an end for ${stalledMs(run)} ms in each of three runs`;
const { projectId } = lab;
const runIds = { projectId, testRunId: run.id };
const endpoints = await lab.endpoints(run.id);
const userOf = ({ calleeUri }: Pick<RunEndpoint, 'calleeUri'>): string => /^sip:([^@]*)@/.exec(calleeUri)?.[1] ?? '';
const of = (user: string): RunEndpoint => endpoints.find((e) => userOf(e) === user) as RunEndpoint;
const ofPeer = <T extends { finding: FindingKind }>(found: readonly T[]): T[] =>
  found.filter(({ finding }) => !OF_HOST.includes(finding));

/** The expected sums of the fourteen. */
const counts = new Map<FindingKind, number>();
for (const { fault, notes = [] } of Object.values<Expected>(EXPECTED))
  for (const kind of [fault, ...notes]) counts.set(kind, (counts.get(kind) ?? 0) + 1);
const isFaultKind = (kind: FindingKind): boolean => FINDINGS[kind].severity === 'FAULT';
const byKind = <T extends { finding: FindingKind; count: number }>(found: readonly T[]) =>
  Object.fromEntries(found.map(({ finding, count }) => [finding, count]));
const expectedCounts = (isWanted: (kind: FindingKind) => boolean) =>
  Object.fromEntries([...counts].filter(([kind]) => isWanted(kind)));

t.match(run, { status: 'COMPLETED', error: null });
t.equal(endpoints.length, CALLS);
t.comment(run.validity?.sentence ?? '');

for (const user of BAD)
  t.test(user, async (t) => {
    const { fault, party, sentence, notes = [] } = EXPECTED[user] as Expected;
    const endpoint = of(user);
    t.match(endpoint, { outcome: 'CALL_FAILED', failure: { cause: fault, party, sipStatus: null } });
    t.match(endpoint.failure?.sentence, sentence);
    t.same(
      ofPeer(endpoint.findings).map(({ finding, party }) => [finding, finding === fault ? party : '']),
      [[fault, party], ...notes.map((note) => [note, ''])],
      'nothing else is found',
    );
    t.match(endpoint.callTiming, { callResult: 'SUCCESS', finalStatusCode: 200 }, 'signalling was good');
    t.equal(endpoint.failure?.q850, user === 'drops' ? 38 : null);
  });

for (const user of GOOD)
  t.test(`${user}: good`, async (t) => {
    t.match(of(user), { outcome: 'SUCCESS', failure: null });
    t.same(ofPeer(of(user).findings), []);
    t.match(of(user).callTiming, { callResult: 'SUCCESS' });
  });

/** By the peer's log: when it began, and how long it lasted. */
const LASTED: Partial<Record<BadBehaviour, (call: CallByLog) => { fromMs: number | null; ms: number }>> = {
  'no-rtp': ({ talkMs }) => ({ fromMs: null, ms: talkMs }),
  'closed-port': ({ talkMs }) => ({ fromMs: null, ms: talkMs }),
  stops: ({ tailMs, answeredAtMs, talkMs }) => ({ fromMs: answeredAtMs + talkMs - tailMs, ms: tailMs }),
  gap: ({ gapMs, gapAtMs }) => ({ fromMs: gapAtMs, ms: gapMs }),
  late: ({ headMs, answeredAtMs }) => ({ fromMs: answeredAtMs, ms: headMs }),
  drops: ({ talkMs }) => ({ fromMs: null, ms: talkMs }),
};

t.test('instants and lengths are those of the peer', { skip }, async (t) => {
  for (const user of Object.keys(LASTED) as (keyof typeof LASTED)[]) {
    const { fromMs, ms } = LASTED[user]!(callByLog(logOf(user)));
    const { at = null, seconds = null } = of(user).findings[0] ?? {};
    const off = 1000 * (seconds ?? Number.NaN) - ms;
    t.ok(Math.abs(off) < wrongMs, `${user}: ${seconds} s, ${off.toFixed(0)} ms off (of ${wrongMs.toFixed(0)})`);
    t.ok(Math.abs(msIn(of(user).failure?.sentence ?? '') - 1000 * (seconds ?? Number.NaN)) <= 51, `${user} says so`);
    if (fromMs === null) t.equal(at, null, `${user} is of no instant`);
    else
      t.ok(Math.abs(Date.parse(at ?? '') - fromMs) < wrongMs, `${user} began ${Date.parse(at ?? '') - fromMs} ms off`);
  }
});

/** Of the whole call nothing could be played. */
const UNHEARD: readonly BadBehaviour[] = ['no-rtp', 'closed-port', 'other-codec', 'events-only', 'mute', 'wrong-keys'];

t.test('the run', async (t) => {
  t.match(run.callTiming, { totalCalls: CALLS, successCount: CALLS, errorCount: 0, asr: 100, ner: 100 });
  t.match(run.callQuality, {
    ...{ calls: CALLS, successful: GOOD.length, failed: BAD.length },
    ...{ answered: CALLS, answeredFailed: BAD.length },
    // The listener's group expects no sound; a dropped call was heard until its end. Of these and the good ones only the echo
    // reports what it received.
    ...{ soundAsked: CALLS - 1, heard: 1, unreported: GOOD.length - 2 + 2, dropped: 2 },
  });
  const { talkSeconds, mediaSeconds, mediaShare, successShare, callDropRate, heardShare } = run.callQuality;
  t.ok(Math.abs(heardShare - 100 / (CALLS - 5)) < 1e-3, 'of the calls of which it is known');
  const heard = [...BAD, ...GOOD].filter((user) => user !== 'listener');
  // A peer that forgets a call does not notice its end.
  const talkMs = heard.map((user) => (user === 'vanishes' ? 1000 * SECONDS : callByLog(logOf(user)).talkMs));
  const absentMs = BAD.map((user) => {
    const call = callByLog(logOf(user));
    if (UNHEARD.includes(user)) return call.talkMs;
    return ['stops', 'gap', 'late'].includes(user) ? (LASTED[user]?.(call).ms ?? 0) : 0;
  });
  const sum = (list: readonly number[]): number => list.reduce((all, ms) => all + ms, 0);
  const maxWrong = (CALLS * wrongMs) / 1000;
  t.ok(Math.abs(talkSeconds - sum(talkMs) / 1000) < maxWrong, `${talkSeconds} s of talk, ${sum(talkMs)} ms by the log`);
  const mediaMs = sum(talkMs) - sum(absentMs);
  t.ok(Math.abs(mediaSeconds - mediaMs / 1000) < maxWrong, `${mediaSeconds} s with media, ${mediaMs} ms by the log`);
  t.ok(Math.abs(mediaShare - (100 * mediaSeconds) / talkSeconds) < 0.01);
  t.ok(Math.abs(successShare - (100 * GOOD.length) / CALLS) < 1e-3);
  t.ok(Math.abs(callDropRate - (100 * 2) / CALLS) < 1e-3);
  t.same(
    byKind(ofPeer(run.findings)),
    expectedCounts(() => true),
  );
  for (const { finding, party, endpointType, severity, answered, sharePercent, count, ...row } of ofPeer(
    run.findings,
  )) {
    t.match(
      { endpointType, answered, severity },
      { endpointType: 'CALLER', answered: CALLS, severity: FINDINGS[finding].severity },
    );
    t.ok(Math.abs(sharePercent - (100 * count) / CALLS) < 1e-3);
    const users = BAD.filter((user) => of(user).findings.some((f) => f.finding === finding));
    t.same(row.exampleEndpointIds, users.map((user) => of(user).id).slice(0, 3), `examples of ${finding}`);
    for (const user of users) t.equal(of(user).findings.find((f) => f.finding === finding)?.party, party);
  }
  t.match(run.result, { calls: CALLS, successful: 4, failed: 14, answeredFailed: 14, failures: 14, passed: null });
  t.same(byKind(run.result?.findings ?? []), expectedCounts(isFaultKind));
});

t.test('failure clusters add up', async (t) => {
  t.equal(run.otherFailures, 0);
  t.same(
    byKind(run.failureClusters.map(({ cause, count }) => ({ finding: cause as FindingKind, count }))),
    expectedCounts(isFaultKind),
  );
  for (const { cause, party, reason, q850, endpointType, outcome, target } of run.failureClusters) {
    t.match(
      { endpointType, outcome, target },
      { endpointType: 'CALLER', outcome: 'CALL_FAILED', target: `${peer.address}:${peer.port}` },
    );
    t.equal(reason, FINDINGS[cause as FindingKind].title);
    t.same(
      [party, q850],
      cause === 'ENDED_EARLY'
        ? ['network', 38]
        : [BAD.map((user) => EXPECTED[user] as Expected).find((e) => e.fault === cause)?.party, null],
    );
  }
});

t.test('lists', async (t) => {
  const { rows } = await lab.call('listTestRuns', { projectId });
  t.same(rows.find(({ id }) => id === run.id)?.result, run.result);
  const tests = await lab.call('listTests', { projectId });
  t.same(tests.rows.find(({ name }) => name === 'heard')?.lastRunResult, run.result);
  for (const kind of counts.keys()) {
    const { rows } = await lab.call('listTestRunEndpoints', { ...runIds, finding: kind });
    const users = BAD.filter((user) => of(user).findings.some((f) => f.finding === kind));
    t.same(rows.map(userOf), users, `finding=${kind}`);
  }
  const none = await lab.call('listTestRunEndpoints', { ...runIds, finding: 'BYE_UNANSWERED' });
  t.same(none.rows, []);
  const worst = (await lab.call('listTestRunEndpoints', { ...runIds, order: 'worst' })).rows;
  const place = ({ outcome, media }: RunEndpoint): [number, number, number] => [
    outcome === 'SUCCESS' ? 1 : 0,
    media?.packetsReceived === 0 ? 0 : 1,
    media?.mos ?? Number.POSITIVE_INFINITY,
  ];
  t.same(
    worst.map(place),
    [...worst.map(place)].sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]),
    'worst first',
  );
  t.equal(
    worst.findIndex(({ outcome }) => outcome === 'SUCCESS'),
    BAD.length,
  );
  t.equal(
    worst.findIndex(({ media }) => media?.packetsReceived !== 0),
    6,
    'of failures, calls without media first',
  );
});

t.test('MCP says the same', async (t) => {
  async function tool<T>(name: string, more: object): Promise<T> {
    const answer = await fetch(`${lab.controlPlane.url}/api/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${lab.apiKey}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: { ...runIds, ...more } },
      }),
    });
    const { result } = (await answer.json()) as { result: { structuredContent: { data: T } } };
    return result.structuredContent.data;
  }
  const told = await tool<Output<'getTestRun'>>('get_test_run', {});
  for (const part of ['callTiming', 'callQuality', 'findings', 'result'] as const) t.same(told[part], run[part], part);
  // Answers that are too long for an assistant are cut, from the end of lists.
  t.ok(told.failureClusters.length > 0);
  t.same(told.failureClusters, run.failureClusters.slice(0, told.failureClusters.length));
  const bad = await tool<RunEndpoint[]>('list_test_run_endpoints', { outcome: 'CALL_FAILED', per_page: 5 });
  t.same(bad, BAD.slice(0, 5).map(of));
  const silent = await tool<RunEndpoint[]>('list_test_run_endpoints', { finding: 'SILENT_AUDIO' });
  t.same(silent.map(userOf), ['silence-pcmu', 'silence-opus']);
});

t.test('exports say the same', async (t) => {
  const text = async (file: string): Promise<string> => {
    const url = `${lab.controlPlane.url}/api/v1/projects/${projectId}/test-runs/${run.id}/${file}`;
    return (await fetch(url, { headers: { authorization: `Bearer ${lab.apiKey}` } })).text();
  };
  const [head = [], ...rows] = (await text('endpoints.csv')).trimEnd().split('\r\n').map(cells);
  const row = (user: string) => {
    const at = rows.find((one) => one[head.indexOf('calleeUri')] === peer.uri(user)) ?? [];
    return (name: string): string | undefined => at[head.indexOf(name)];
  };
  t.equal(rows.length, CALLS);
  for (const user of [...BAD, ...GOOD]) {
    const { outcome, failure, findings, media } = of(user);
    const said = row(user);
    const names = ['outcome', 'failureCause', 'failureParty', 'failureSentence', 'q850', 'callResult'];
    const { cause = '', party = '', sentence = '', q850 = null } = failure ?? {};
    t.same(names.map(said), [outcome, cause, party, sentence, q850 === null ? '' : String(q850), 'SUCCESS'], user);
    t.equal(said('findings'), findings.map(({ finding }) => finding).join(' '));
    t.equal(said('packetsReceived'), String(media?.packetsReceived ?? ''));
  }
  const report = (await text('report.html')).replaceAll('&#39;', "'");
  t.match(report, /4 of 18 calls/);
  for (const [kind, count] of counts) {
    t.match(report, `>${FINDINGS[kind].title}<small>${kind}</small>`, kind);
    t.ok(run.findings.some((f) => f.finding === kind && f.count === count));
  }
  // Calls that failed alike are one line, with the sentence of the first.
  const sentences = new Map<string, string[]>();
  for (const user of BAD) {
    const { cause = '', sentence = '?' } = of(user).failure ?? {};
    sentences.set(cause, [...(sentences.get(cause) ?? []), sentence]);
  }
  for (const [cause, alike] of sentences)
    t.ok(
      alike.some((sentence) => report.includes(sentence)),
      `a sentence of ${cause}`,
    );
});

/** Of a line of RFC 4180. */
const cells = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  );
