/**
 * A probe for each of fourteen ways of not being heard, without thresholds: UNHEALTHY, an incident, and the same reason in
 * every report; the public learns what happened, but not where. When the far end behaves correctly, all recover. Probes of good
 * calls raise no alarm.
 */
import t from 'tap';
import { FEATURES } from '../../../control-plane/features.ts';
import { FINDINGS, type FindingKind } from '../../../proto/words/findings.ts';
import { openLab, stallMs } from '../../peers/lab/lab.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import type { Behaviour } from '../../peers/sip/behaving/behaviour.ts';
import {
  BAD_BEHAVIOURS,
  type BadBehaviour,
  GOOD_BEHAVIOURS,
  type GoodBehaviour,
  MEDIA_OF_BEHAVIOURS,
} from '../../peers/sip/behaving/behaviours.ts';
import { type CallByLog, callByLog, msIn } from '../../peers/sip/behaving/by-log.ts';
import { startBehavingPeer } from '../../peers/sip/behaving-peer.ts';
import { openProbeClient, type ProbeExecution, type ProbeTerms, TELLS_TESTS } from './probe-client.ts';

const SECONDS = 6;
/** A peer that was this late has caused gaps itself. */
const PEER_LATE_MS = 500;
const ATTEMPTS = 4;
const NOT_JUDGED = /^Not judged, because the agent was disturbed\. /;

type Expected = {
  readonly cause: FindingKind;
  readonly party: 'callee' | 'network';
  readonly says: RegExp;
};

const EXPECTED: Readonly<Record<BadBehaviour, Expected>> = {
  'no-rtp': { cause: 'NO_MEDIA', party: 'network', says: /^No audio packet came in \d\.\d s of the call\. / },
  'closed-port': {
    cause: 'NO_MEDIA',
    party: 'network',
    says: /^No audio packet came in .* Ours were refused: the far end's media port was closed\. /,
  },
  stops: { cause: 'MEDIA_STOPPED', party: 'network', says: /^The last audio packet came \d\.\d s before the call/ },
  gap: { cause: 'MEDIA_GAP', party: 'network', says: /^No audio packet came for \d\.\d s\. / },
  late: {
    cause: 'MEDIA_GAP',
    party: 'network',
    says: /^No audio packet came in the first \d\.\d s of the call\. /,
  },
  'silence-pcmu': { cause: 'SILENT_AUDIO', party: 'callee', says: /^\d+ packets .* all of them were silent\. / },
  'silence-opus': { cause: 'SILENT_AUDIO', party: 'callee', says: /^\d+ packets .* all of them were silent\. / },
  'other-codec': { cause: 'WRONG_PAYLOAD', party: 'callee', says: /^\d+ packets .* not agreed on\. / },
  // A probe sends no digits, so telephone events are not negotiated.
  'events-only': { cause: 'WRONG_PAYLOAD', party: 'callee', says: /^\d+ packets .* not agreed on\. / },
  deaf: { cause: 'ONE_WAY_AUDIO', party: 'network', says: /^Audio came, but .* nothing of ours arrived there\. / },
  mute: { cause: 'ONE_WAY_AUDIO', party: 'network', says: /^No audio packet came, although .* receives ours\. / },
  'wrong-keys': {
    cause: 'UNDECRYPTABLE_MEDIA',
    party: 'callee',
    says: /^\d+ packets .* none was encrypted with the agreed keys\. /,
  },
  drops: {
    cause: 'ENDED_EARLY',
    // By the cause that it sent.
    party: 'network',
    says: /^The far end hung up after (?:\d\.\d s|\d+ ms) of a call of 6\.0 s: Network out of order \(Q\.850 cause 38\)\. /,
  },
  vanishes: { cause: 'DIALOG_UNKNOWN', party: 'callee', says: /^The far end answered our BYE with 481/ },
};
/** The lengths in the sentences, by the peer's log. */
const LASTED: Readonly<Partial<Record<BadBehaviour, (call: CallByLog) => number>>> = {
  'no-rtp': ({ talkMs }) => talkMs,
  stops: ({ tailMs }) => tailMs,
  gap: ({ gapMs }) => gapMs,
  late: ({ headMs }) => headMs,
  drops: ({ talkMs }) => talkMs,
};
/** Sentences are rounded to tenths of a second. */
const EXACT_MS = 150;
/** The far end's behaviour after the repair. */
const MENDED: Readonly<Partial<Record<BadBehaviour, Behaviour>>> = {
  'silence-opus': { ...GOOD_BEHAVIOURS.echo, answer: { codec: 'OPUS' } },
  // The peer has no SRTP: it only receives.
  'wrong-keys': GOOD_BEHAVIOURS.listener,
};
const BAD = Object.keys(BAD_BEHAVIOURS) as BadBehaviour[];
const GOOD = Object.keys(GOOD_BEHAVIOURS) as GoodBehaviour[];
type User = BadBehaviour | GoodBehaviour;
const USERS: readonly User[] = [...BAD, ...GOOD];

/** A probe has only these conditions of a call. */
function termsOf(user: User): ProbeTerms {
  const { audioCodecs, encryption, expectations } = MEDIA_OF_BEHAVIOURS[user] ?? {};
  return {
    ...(audioCodecs && { audioCodecs }),
    ...(encryption && { encryption }),
    ...(expectations && { expectations }),
  };
}

const net = ownLoopback();
const peer = await startBehavingPeer(net.address(100), { ...BAD_BEHAVIOURS, ...GOOD_BEHAVIOURS });
t.teardown(() => peer.close());
const lab = await openLab(t, { net, controlPlaneEnv: TELLS_TESTS, provision: () => ({ tests: [] }) });
const { projectId, call } = lab;
const client = await openProbeClient(lab);
t.teardown(() => client.stop());

type Probe = { readonly id: string; readonly name: string };
type Probed = Probe & {
  readonly execution: ProbeExecution;
  /** The agent was disturbed in every attempt. The far end's answer and hang-up are still graded. */
  readonly isDisturbed: boolean;
};
const isJudged = ({ execution, isDisturbed }: Probed): boolean => !isDisturbed || execution.status !== 'UNKNOWN';
type Round = ReadonlyMap<User, Probed>;
const of = (round: Round, user: User): Probed => round.get(user) as Probed;

/** All of them at once; repeated if the agent or the peer was disturbed. */
async function round(users: readonly User[], probeOf: (user: User, attempt: number) => Promise<Probe>): Promise<Round> {
  const done = new Map<User, Probed>();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const before = peer.calls.length;
    const left = users.filter((user) => done.get(user)?.isDisturbed ?? true);
    const probed = left.map(async (user) => {
      const probe = await probeOf(user, attempt);
      const execution = await client.execute(probe.id);
      done.set(user, { ...probe, execution, isDisturbed: await client.isDisturbed(execution) });
    });
    await Promise.all(probed);
    const isPeerLate = peer.calls.slice(before).some(({ latestMs }) => latestMs > PEER_LATE_MS);
    if (isPeerLate && attempt < ATTEMPTS) for (const user of left) done.delete(user);
  }
  return done;
}

const bad = await round(USERS, async (user, attempt) => {
  const name = `${user} ${attempt} of 10.9.8.7 (local)`;
  return { name, id: await client.create(name, peer.uri(user), SECONDS, termsOf(user)) };
});
const incidents = new Map(
  await Promise.all(USERS.map(async (user) => [user, await client.incidents(of(bad, user).id)] as const)),
);
/** Status pages are a feature: without it, nothing is published, and the catalogue's types lack its operations. */
const hasPublicPage = 'status-page' in FEATURES;
const page = async (name: string): Promise<string> => (await fetch(`${lab.controlPlane.url}/status/${name}`)).text();
if (hasPublicPage)
  await (call as unknown as (name: string, input: object) => Promise<unknown>)('updateStatusPage', {
    projectId,
    ...{ slug: 'lines', title: 'Lines', published: true },
    probes: USERS.map((user, i) => ({ probeId: of(bad, user).id, displayName: `Line ${i + 1}.` })),
  });
const publicPage = hasPublicPage ? { html: await page('lines'), json: JSON.parse(await page('lines.json')) } : null;

for (const user of BAD) peer.behaviours.set(user, MENDED[user] ?? GOOD_BEHAVIOURS.echo);
const badCalls = new Map(BAD.map((user) => [user, peer.callsOf(user).at(-1)]));
const peerLateMs = Math.max(...[...badCalls.values()].map((log) => log?.latestMs ?? 0));
const mended = await round(BAD, async (user) => of(bad, user));

for (const user of BAD)
  t.test(user, async (t) => {
    const { id, name, execution } = of(bad, user);
    const { cause, party, says } = EXPECTED[user];
    t.comment(execution.message ?? '');
    if (!isJudged(of(bad, user))) {
      t.match(execution, { status: 'UNKNOWN', message: NOT_JUDGED });
      t.same(incidents.get(user), [], 'a host that was too busy blames nobody');
      return;
    }
    if (!t.match(execution, { status: 'UNHEALTHY', cause, party, workerName: 'agent-1', thresholdResults: [] })) return;
    t.match(execution.message, says);
    const log = badCalls.get(user);
    const lasted = LASTED[user];
    if (lasted) {
      if (!log) throw new Error(`the peer has no call of ${user}`);
      const wrongMs = EXACT_MS + peerLateMs + stallMs(await lab.run(execution.testRunId));
      const off = msIn(execution.message ?? '') - lasted(callByLog(log));
      t.ok(Math.abs(off) < wrongMs, `${off.toFixed(0)} ms off the peer's log (of ${wrongMs.toFixed(0)})`);
    }
    t.match(execution.message, /\. [A-Z][a-z ]+, from worker agent-1, since 20\d\d-\d\d-\d\d \d\d:\d\d UTC\.$/);
    const [incident] = incidents.get(user) ?? [];
    t.match(incident, { severity: 'DOWN', endedAt: null, reason: execution.message, region: 'local' });

    const opened = await client.told(id, 'incident.opened');
    t.match(opened.data, {
      ...{ incidentId: incident?.id, severity: 'DOWN', probeName: name },
      ...{ reason: execution.message, testRunId: execution.testRunId },
    });
    t.ok((await client.chat(name, 'incident.opened')).includes(`*Why*\n${execution.message}\n`), 'a chat says why');

    const after = of(mended, user);
    if (!isJudged(after)) {
      t.match(after.execution.message, NOT_JUDGED, 'nor does it say that all is well');
      return;
    }
    t.match(after.execution, { status: 'HEALTHY', cause: null, party: null });
    t.match(after.execution.message, /^The call was answered \(200\) after \d+ ms/);
    const [ended, ...others] = await client.incidents(id);
    t.same(others, [], 'one incident');
    t.match(ended, { id: incident?.id, severity: 'DOWN', endedAt: /^20/, reason: execution.message });
    const resolved = await client.told(id, 'incident.resolved');
    t.match(resolved.data, { incidentId: incident?.id, reason: execution.message, durationMs: ended?.durationMs });
    t.match(await client.chat(name, 'incident.resolved'), /has recovered/);
    t.same(
      client
        .alarms(id)
        .map(({ type }) => type)
        .sort(),
      ['incident.opened', 'incident.resolved'],
      'each told once',
    );
  });

for (const user of GOOD)
  t.test(`${user}: good`, async (t) => {
    const { id, execution } = of(bad, user);
    t.comment(execution.message ?? '');
    if (!isJudged(of(bad, user))) t.match(execution.message, NOT_JUDGED);
    else {
      t.match(execution, { status: 'HEALTHY', cause: null, party: null });
      t.match(execution.message, /^The call was answered \(200\) after \d+ ms/);
    }
    t.same(incidents.get(user), []);
    t.same(client.alarms(id), []);
  });

t.test('the public learns what happened, and not where', async (t) => {
  if (publicPage === null) return;
  const { html, json } = publicPage;
  const judged = BAD.filter((user) => isJudged(of(bad, user)));
  t.same(
    json.openIncidents
      .map(({ component, reason }: { component: string; reason: string }) => [component, reason])
      .sort(),
    judged.map((user) => [`Line ${BAD.indexOf(user) + 1}.`, `${FINDINGS[EXPECTED[user].cause].title}.`]).sort(),
  );
  for (const user of judged) t.ok(html.includes(`${FINDINGS[EXPECTED[user].cause].title}.`), user);
  for (const inner of [peer.address, String(peer.port), 'agent-1', '10.9.8.7', 'sip:', 'worker', projectId])
    for (const text of [html, JSON.stringify(json)]) t.notOk(text.includes(inner), `nothing of ${inner}`);
});

t.test('no message without a signature', async (t) => {
  t.equal(client.unsigned(), 0);
});
