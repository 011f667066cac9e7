/** The form of a test: it has every setting that a test has, and what is not changed in it stays. */
import { FAULT_KINDS } from '@carillon/proto/words/findings.ts';
import t from 'tap';
import * as z from 'zod';
import fc from '../../../../scripts/test-run/properties.ts';
import { ACTIONS, TRIGGERS } from '../../../contract/test-settings/scenario-words.ts';
import {
  GROUP_SETTINGS,
  type SUB_POPULATION_SETTINGS,
  TEST_SETTINGS,
  type TRACK_SETTINGS,
} from '../../../contract/test-settings/settings.ts';
import { NewTest } from '../../../contract/test-settings/test-body.ts';
import { GROUP_MODES } from '../../../contract/test-settings/words.ts';
import type { WRITTEN_TEST } from '../../../contract/test-settings/written.ts';
import { type DraftGroup, type DraftScenario, groupDraftOf } from './drafts/group-draft.ts';
import { type DraftAction, stepThat, triggerOn } from './drafts/scenario-draft.ts';
import { bodyOf, type Draft, doingOf, draftOf, EMPTY } from './drafts/test-draft.ts';
import { type DraftTrack, type DraftVideo, FIRST_VIDEO } from './drafts/track-draft.ts';
import { writtenGroup, writtenScenario } from './drafts/used-settings.ts';
import { readTest, yamlOf } from './test-yaml.ts';
import { asTest, type Names, type TestBody } from './written-test.ts';

const names: Names = {
  registrars: new Map([
    ['cloud', 'built-in'],
    ['r1', 'pbx'],
  ]),
  workers: new Map(),
  accounts: new Map(),
  mediaFiles: new Map([['m1', 'greeting.wav']]),
};
const registrars = [...names.registrars.keys()].map((id) => ({ id, isCloud: id === 'cloud' })) as never;
const again = (text: string) => {
  const read = readTest(text, names);
  return 'faults' in read ? null : draftOf(asTest(read.body, null), registrars);
};
const text = (draft: Draft) => yamlOf(asTest(bodyOf(draft, 'cloud', null), null), names);

type Group = TestBody['groups'][number];
type Signalling = NonNullable<Group['signalling']>;
const GROUP: Group = {
  name: 'callers',
  registrarId: 'r1',
  callee: { mode: 'EXTERNAL_URI', uri: 'sip:9@pbx.example' },
  placement: { mode: 'REGION', region: 'local' },
  subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 2 }],
};
const RECEIVING: Group = {
  ...GROUP,
  callee: { mode: 'RECEIVE' },
  subPopulations: [{ name: 'all', role: 'CALLEE', endpoints: 2 }],
};
const TEST: TestBody = { name: 'T', durationSeconds: 5, groups: [GROUP] };
const VIDEO = { kind: 'VIDEO' as const };

/** Each with a value that it does not have by itself. A new setting does not compile without one, and fails without a field. */
const OF_GROUP: { readonly [K in keyof typeof GROUP_SETTINGS]: Partial<Group> } = {
  mode: { mode: 'OPTIONS' },
  engine: { engine: 'SIPJS' },
  audioCodecs: { audioCodecs: ['OPUS', 'PCMA'] },
  videoCodecs: { videoCodecs: ['H264', 'VP8'], mediaTracks: [{ kind: 'AUDIO' }, VIDEO] },
  encryption: { encryption: 'DTLS' },
  sdp: { sdp: 'NONE', mediaTracks: [] },
  ice: { ice: 'HOST' },
  feedbackProfile: { feedbackProfile: 'AVPF' },
  rtcpMux: { rtcpMux: true },
  displayName: { displayName: 'Zoë' },
  callerNumber: { callerNumber: '0{{number}}' },
  assertedIdentity: { assertedIdentity: 'tel:+4930' },
  privacy: { privacy: ['ID'] },
  diversion: { diversion: { uri: 'sip:1@x' } },
  headers: { headers: [{ name: 'X-Own', value: 'a' }] },
  answerTimeoutSeconds: { answerTimeoutSeconds: 7 },
  registerExpiresSeconds: { registerExpiresSeconds: 90 },
  registerRetry: { registerRetry: { afterSeconds: 1, withinSeconds: 9 } },
  packetMs: { packetMs: 40 },
  actions: { actions: [{ trigger: { on: 'HOLD' }, action: { do: 'SEND_DTMF', digits: '1' } }] },
  signalling: { signalling: { sessionTimer: { expiresSeconds: 600 } } },
  callsFrom: { ...RECEIVING, callsFrom: 'ANYBODY' },
  dtmf: { dtmf: { digits: '12', afterMs: 5 } },
  impairment: { impairment: { lossPercent: 3 } },
  rtpTrace: { rtpTrace: { endpoints: 1 } },
  expectations: { expectations: { farEndHangsUp: true } },
};
const OF_SIGNALLING: { readonly [K in keyof Required<Signalling>]: readonly [Group, Signalling[K]] } = {
  reliableProvisional: [GROUP, 'REQUIRED'],
  sessionTimer: [GROUP, { expiresSeconds: 600 }],
  delayedOffer: [GROUP, true],
  maxRedirects: [GROUP, 3],
  instanceId: [GROUP, 'ACCOUNT'],
  answerDelaySeconds: [RECEIVING, 0.2],
  ringSeconds: [RECEIVING, 1.5],
  provisional: [RECEIVING, 183],
  rejectStatus: [RECEIVING, 486],
  correlate: [GROUP, false],
};
const OF_TRACK: { readonly [K in keyof typeof TRACK_SETTINGS]: object } = {
  direction: { direction: 'SEND' },
  dscp: { dscp: 46 },
  deferred: { deferred: true },
};
const OF_SUB_POPULATION: { readonly [K in keyof typeof SUB_POPULATION_SETTINGS]: object } = { calls: { calls: 7 } };
const OF_TEST: { readonly [K in keyof typeof WRITTEN_TEST]: Partial<TestBody> } = {
  name: { name: 'Another' },
  description: { description: 'Why' },
  buildup: { buildup: 9 },
  durationSeconds: { durationSeconds: 8 },
  maxExecutionSeconds: { maxExecutionSeconds: 80 },
  load: { load: { shape: 'RATE', callsPerSecond: 3, seconds: 9 } },
  breaker: { breaker: { failurePercent: 30, minCalls: 5 } },
  abortOn: { abortOn: 'successShare<90 for 30s' },
};

const NewTestBody = z.strictObject(NewTest);
/** As the server stores it. */
const whole = (body: TestBody) => NewTestBody.parse(body);

t.test('every setting of a test is in its form, and what is not changed stays', async (t) => {
  const stays = (body: TestBody, what: string) => {
    const test = asTest(body, null);
    const draft = draftOf(test, registrars);
    t.ok(draft, `${what}: the form holds it`);
    if (!draft) return;
    t.not(JSON.stringify(draft), JSON.stringify(draftOf(asTest(TEST, null), registrars)), `${what}: and shows it`);
    const { groups, ...rest } = bodyOf(draft, 'cloud', test);
    const saved = { ...rest, groups: groups.map(({ id: _, ...group }) => group) };
    t.same(whole(saved), whole(body), `${what}: saved as it was`);
  };
  const withGroup = (group: Partial<Group>): TestBody => ({ ...TEST, groups: [{ ...GROUP, ...group }] });
  for (const [name, group] of Object.entries(OF_GROUP)) {
    t.ok(name in group, name);
    stays(withGroup(group), name);
  }
  for (const [name, [group, value]] of Object.entries(OF_SIGNALLING))
    stays(withGroup({ ...group, signalling: { [name]: value } }), `signalling.${name}`);
  for (const [name, track] of Object.entries(OF_TRACK)) {
    stays(withGroup({ mediaTracks: [{ kind: 'AUDIO', ...track }] }), `audio ${name}`);
    const mediaTracks: Group['mediaTracks'] = [{ kind: 'AUDIO' }, { ...VIDEO, ...track }];
    stays(withGroup({ videoCodecs: ['VP8'], mediaTracks }), `video ${name}`);
  }
  for (const [name, sub] of Object.entries(OF_SUB_POPULATION))
    stays(withGroup({ subPopulations: GROUP.subPopulations.map((s) => ({ ...s, ...sub })) }), name);
  for (const [name, test] of Object.entries(OF_TEST)) {
    t.ok(name in test, name);
    stays({ ...TEST, ...test }, name);
  }
  t.same(
    Object.keys(TEST_SETTINGS).filter((name) => !(name in OF_TEST)),
    [],
  );
  for (const mode of GROUP_MODES.filter((mode) => mode === 'REGISTER'))
    stays(withGroup({ mode, callee: { mode: 'NONE' } }), mode);
  stays(withGroup({ placement: { mode: 'WORKERS', workerIds: ['w1'] } }), 'workers');
  stays(withGroup({ placement: { mode: 'REGION', region: 'us', regions: { eu: 2, us: 1 } } }), 'regions');
  stays(withGroup({ subPopulations: GROUP.subPopulations.map((s) => ({ ...s, sipAccountIds: ['a1'] })) }), 'accounts');
});

t.test('a setting of own callees stays, or the test opens as YAML', async (t) => {
  const own: Group = { ...GROUP, registrarId: 'cloud', callee: { mode: 'GROUP', group: 'callees' } };
  const answering: Group = { ...RECEIVING, name: 'callees', registrarId: 'cloud' };
  const ofCallees: Readonly<Record<string, Partial<Group>>> = { ...OF_GROUP, callsFrom: { callsFrom: 'ANYBODY' } };
  for (const [name, setting] of Object.entries(ofCallees)) {
    const { callee: _, subPopulations: __, ...group } = setting;
    const body: TestBody = { ...TEST, groups: [own, { ...answering, ...group }] };
    const test = asTest(body, null);
    const draft = draftOf(test, registrars);
    if (!draft) continue;
    const { groups, ...rest } = bodyOf(draft, 'cloud', test);
    t.same(whole({ ...rest, groups: groups.map(({ id: _, ...group }) => group) }), whole(body), name);
  }
});

t.test('what the form would not write again opens as YAML', async (t) => {
  const impairment = { lossPercent: 3 };
  const groups: Partial<Group>[] = [
    { mode: 'REGISTER', callee: { mode: 'NONE' }, impairment },
    { mode: 'OPTIONS', impairment },
    { mediaTracks: [], impairment },
    { mode: 'STUN', ice: 'stun:stun.example', callee: { mode: 'NONE' } },
    { mediaTracks: [VIDEO, { kind: 'AUDIO' }], videoCodecs: ['VP8'] },
  ];
  for (const group of groups)
    t.equal(
      draftOf(asTest({ ...TEST, groups: [{ ...GROUP, ...group }] }, null), registrars),
      null,
      JSON.stringify(group),
    );
});

/** Everything that a form can set for calls with media to a server. */
const SET: Draft = {
  ...EMPTY,
  registrarId: 'r1',
  uri: 'sip:9@pbx.example',
  source: 'FILE',
  mediaFileId: 'm1',
  video: FIRST_VIDEO,
  group: groupDraftOf({
    ...Object.assign({}, ...Object.values(OF_GROUP)),
    ...{ ice: 'stun:stun.example', encryption: 'SDES', callsFrom: 'ANYBODY' },
    signalling: Object.fromEntries(Object.entries(OF_SIGNALLING).map(([name, [, value]]) => [name, value])),
  }),
};
const IN_STREAMS = ['ice', 'packetMs', 'dtmf', 'impairment', 'rtpTrace'];
/** An inactive line has these, too. */
const MEDIA = ['encryption', 'feedbackProfile', 'rtcpMux', ...IN_STREAMS];
const IDENTITY = ['assertedIdentity', 'privacy', 'diversion'];
const OF_CALLS = ['audioCodecs', 'actions', 'expectations', 'answerTimeoutSeconds', ...IDENTITY, ...MEDIA];
const OF_CALLEES = ['answerDelaySeconds', 'ringSeconds', 'provisional', 'rejectStatus'].map(
  (key) => `signalling.${key}`,
);
const OF_CALLERS = ['delayedOffer', 'maxRedirects', 'correlate'].map((key) => `signalling.${key}`);
const SIDES = [...OF_CALLEES, ...OF_CALLERS, 'signalling.reliableProvisional', 'signalling.sessionTimer'];
const REGISTRATION = ['registerExpiresSeconds', 'registerRetry', 'signalling.instanceId'];

/** What is set and would never take effect, for each thing that a test does. */
const UNUSED: readonly [what: string, draft: Partial<Draft>, settings: readonly string[]][] = [
  ['calls to an address', {}, ['sdp', 'callsFrom', ...OF_CALLEES]],
  ['calls to own callees', { registrarId: '' }, ['sdp', 'callsFrom', ...OF_CALLEES, ...REGISTRATION]],
  ['signalling only', { source: null }, ['callsFrom', ...OF_CALLEES, ...IN_STREAMS]],
  ['calls are taken', { does: 'RECEIVE' }, ['sdp', 'displayName', 'callerNumber', ...IDENTITY, ...OF_CALLERS]],
  ['registrations', { does: 'REGISTER' }, ['sdp', 'callsFrom', 'displayName', 'callerNumber', ...OF_CALLS, ...SIDES]],
  ['OPTIONS', { does: 'OPTIONS' }, ['sdp', 'callsFrom', 'headers', ...OF_CALLS, ...SIDES, ...REGISTRATION]],
];

t.test('what cannot matter is not sent', async (t) => {
  for (const [what, change, unused] of UNUSED) {
    const draft = { ...SET, ...change };
    if (draft.does === 'RECEIVE') draft.group = { ...draft.group, answerTimeoutSeconds: 60 };
    const [sent] = bodyOf(draft, 'cloud', null).groups;
    const plain = groupDraftOf({});
    const flat = ({ signalling, ...group }: object & { signalling?: object }) =>
      new Map([
        ...Object.entries(group),
        ...Object.entries(signalling ?? {}).map(([key, value]) => [`signalling.${key}`, value] as const),
      ]);
    const [values, defaults, set] = [flat({ ...plain, ...sent }), flat(plain), flat(draft.group)];
    const dropped = [...set].filter(
      ([name, value]) =>
        JSON.stringify(value) !== JSON.stringify(defaults.get(name)) &&
        JSON.stringify(values.get(name)) === JSON.stringify(defaults.get(name)),
    );
    t.same(dropped.map(([name]) => name).sort(), [...unused].sort(), what);
    if (!doingOf(draft).calls)
      t.same(
        sent?.mediaTracks?.map(({ source }) => source),
        ['TONE'],
        `${what}: no file`,
      );
  }
});

t.test('every trigger and every action can be chosen', async (t) => {
  for (const on of TRIGGERS)
    for (const does of ACTIONS) {
      const action: DraftAction = {
        trigger: triggerOn(on, { on: 'ANSWERED', afterSeconds: 2 }),
        action: stepThat(does, { do: 'HOLD' }, 1),
      };
      const { actions } = groupDraftOf({ actions: [action] });
      t.same(actions, [action], `${on} ${does}`);
      t.ok(GROUP_SETTINGS.actions.schema.safeParse([fill(action)]).success, `${on} ${does} is valid`);
    }
  t.same(stepThat('REFER', { do: 'ATTENDED_TRANSFER', target: 'sip:1@x' }, 0), { do: 'REFER', target: 'sip:1@x' });
});

/** With an address, which nobody can choose in advance. */
const fill = ({ trigger, action }: DraftAction): DraftAction => ({
  trigger,
  action: 'target' in action ? { ...action, target: 'sip:1@x' } : action,
});

const CALLING: DraftScenario = {
  signalling: {
    ...EMPTY.group.signalling,
    reliableProvisional: 'REQUIRED',
    delayedOffer: true,
    maxRedirects: 2,
    correlate: false,
  },
  actions: [
    { trigger: { on: 'ANSWERED', afterSeconds: 0.5 }, action: { do: 'HOLD' } },
    { trigger: { on: 'DTMF', afterSeconds: 0, digits: '9' }, action: { do: 'SEND_DTMF', digits: '1', by: 'INFO' } },
    { trigger: { on: 'HOLD', afterSeconds: 1 }, action: { do: 'ACTIVATE_TRACK', track: 1 } },
  ],
  dtmf: { digits: '12#', onMs: 100, offMs: 80, afterMs: 0 },
  impairment: null,
  rtpTrace: { endpoints: 1, packets: 10 },
};
const ANSWERING: DraftScenario = {
  ...EMPTY.answering,
  signalling: { ...EMPTY.group.signalling, ringSeconds: 1.5, provisional: 183, answerDelaySeconds: 0.1 },
  impairment: {
    ...{ seed: 3, lossPercent: 5, burstRatio: 2, delayMs: 10, jitterMs: 1, jitterDistribution: 'NORMAL' as const },
    ...{ reorderPercent: 0, duplicatePercent: 1 },
  },
};
const TRACKS: fc.Arbitrary<DraftTrack> = fc.record({
  direction: fc.constantFrom('BOTH', 'SEND', 'RECEIVE'),
  dscp: fc.constantFrom(null, 46),
  deferred: fc.boolean(),
});
const VIDEOS: fc.Arbitrary<DraftVideo> = fc
  .tuple(
    TRACKS,
    fc.constantFrom({ source: 'PATTERN' as const, mediaFileId: null }, { source: 'FILE' as const, mediaFileId: 'm1' }),
    fc.constantFrom<DraftVideo['codecs']>(['VP8'], ['H264', 'VP8']),
  )
  .map(([track, source, codecs]) => ({ codecs, ...source, ...track }));

t.test('a form as YAML is a form again', async (t) => {
  const whole = (most: number) => fc.integer({ min: 1, max: most });
  const rate = fc.record({ callsPerSecond: whole(100) });
  const length = fc.constantFrom({}, { seconds: 60 }, { calls: 500 });
  const sized = fc.tuple(rate, length).map(([r, l]) => ({ ...r, ...l }));
  const loads: fc.Arbitrary<Draft['load']> = fc.oneof(
    sized.map((load) => ({ shape: 'RATE' as const, ...load })),
    sized.map((load) => ({ shape: 'POISSON' as const, seed: 7, ...load })),
    sized.map((load) => ({ shape: 'CONCURRENCY' as const, ...load })),
    fc
      .array(fc.record({ callsPerSecond: whole(100), seconds: whole(100) }), { minLength: 1, maxLength: 3 })
      .map((steps) => ({ shape: 'STEPS' as const, steps })),
  );
  const drafts = fc
    .record({
      name: fc.string({ minLength: 1 }),
      description: fc.string(),
      endpoints: whole(100_000),
      starts: fc.oneof(
        fc.record({ buildup: whole(1000) }),
        fc.record({ load: loads, callsEach: fc.constantFrom(1, 3, null) }),
      ),
      durationSeconds: whole(1000),
      callee: fc.constantFrom<Partial<Draft>>(
        {},
        { registrarId: 'r1', uri: 'sip:9000@b.example' },
        { registrarId: 'r1', uri: 'sip:{{1000..1999}}@b.example', uris: ['sip:2000@b.example'] },
        { registrarId: 'r1', uri: 'sip:9000@b.example', sipAccountIds: ['a1', 'a2'] },
        { registrarId: 'cloud', uri: 'sip:9000@192.0.2.1:5070' },
        { registrarId: 'cloud', does: 'OPTIONS', uri: 'sip:9000@b.example' },
        { registrarId: 'r1', does: 'REGISTER' },
        { registrarId: 'r1', does: 'OPTIONS', uri: 'sip:9000@b.example' },
        { registrarId: 'r1', does: 'RECEIVE' },
        { registrarId: 'cloud', does: 'RECEIVE', group: { ...EMPTY.group, callsFrom: 'ANYBODY' } },
      ),
      media: fc.record({
        packetMs: fc.constantFrom<DraftGroup['packetMs']>(10, 20, 60),
        ice: fc.constantFrom('NONE', 'HOST', 'stun:stun.example:3479'),
        feedbackProfile: fc.constantFrom<DraftGroup['feedbackProfile']>('AVP', 'AVPF'),
        rtcpMux: fc.boolean(),
      }),
      caller: fc.constantFrom<Partial<DraftGroup>>(
        {},
        {
          displayName: 'Zoë',
          callerNumber: '0{{number}}',
          assertedIdentity: 'tel:+4930123',
          privacy: ['ID'],
          diversion: { uri: 'sip:100@b.example', reason: 'NO_ANSWER', counter: 2 },
        },
      ),
      requests: fc.constantFrom<Partial<DraftGroup>>(
        {},
        {
          engine: 'SIPJS',
          headers: [{ methods: ['REGISTER', 'BYE'], name: 'X-Desk', value: '{{desk}}' }],
          answerTimeoutSeconds: 20,
          registerExpiresSeconds: 90,
          registerRetry: { afterSeconds: 3, withinSeconds: 20 },
        },
      ),
      sessionTimer: fc.constantFrom<DraftGroup['signalling']['sessionTimer']>(null, {
        expiresSeconds: 600,
        minSeconds: 120,
        refresher: 'UAS',
      }),
      audioCodecs: fc.shuffledSubarray<DraftGroup['audioCodecs'][number]>(['PCMU', 'PCMA', 'G722', 'OPUS'], {
        minLength: 1,
      }),
      workerIds: fc.constantFrom<Draft['workerIds']>(null, ['w1', 'w2']),
      breaker: fc.constantFrom<Draft['breaker']>(EMPTY.breaker, null, { failurePercent: 30, minCalls: 5 }),
      maxExecutionSeconds: fc.constantFrom(null, 60),
      scenario: fc.constantFrom(EMPTY.answering, CALLING),
      answering: fc.constantFrom(EMPTY.answering, ANSWERING),
      encryption: fc.constantFrom<DraftGroup['encryption']>('NONE', 'SDES', 'DTLS'),
      tracks: fc.record({ track: TRACKS, video: fc.option(VIDEOS) }),
      heard: fc.constantFrom(
        { source: 'SPEECH' as const, mediaFileId: null },
        { source: 'FILE' as const, mediaFileId: 'm1' },
        { source: null, sdp: 'OFFER' as const, mediaFileId: null },
        { source: null, sdp: 'NONE' as const, mediaFileId: null },
      ),
      names: fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 2 }).map(([a = '', b = '']) => ({
        callers: { group: a, subPopulation: b },
        callees: { group: b, subPopulation: a },
      })),
      expectations: fc.record({
        farEndHangsUp: fc.boolean(),
        farEndMayPause: fc.boolean(),
        toleratedFindings: fc.subarray([...FAULT_KINDS].sort()),
      }),
      thresholds: fc.constantFrom<Draft['thresholds']>(
        [],
        [{ metricKey: 'heardShare', greenValue: 99, orangeValue: 95 }],
      ),
      kept: fc.constantFrom<Draft['kept']>({}, { slug: 'calls' }),
    })
    .map(({ callee, heard, names, starts, answering, tracks, ...all }): Draft => {
      const { media, caller, requests, sessionTimer, audioCodecs, scenario, encryption, expectations, ...rest } = all;
      const { sdp = 'OFFER', ...source } = heard;
      const { does = 'CALL', registrarId = '' } = callee;
      const doing = doingOf({ does, registrarId, source: heard.source });
      const { side } = doing;
      const isOwn = does === 'CALL' && registrarId === '';
      // Groups that do not exist have no name.
      const callers = side === 'CALLEE' ? EMPTY.names.callers : names.callers;
      const callees = side === 'CALLEE' || registrarId === '' ? names.callees : EMPTY.names.callees;
      const signalling = { ...scenario.signalling, sessionTimer };
      const group = { ...(callee.group ?? EMPTY.group), ...media, ...requests, ...caller, ...scenario };
      return {
        ...EMPTY,
        ...rest,
        ...(does === 'CALL' ? starts : { buildup: 7 }),
        ...callee,
        // What there is nothing for is not written.
        ...(doing.calls ? source : { source: source.source && EMPTY.source }),
        ...(doing.media && tracks),
        group: writtenGroup({ ...group, audioCodecs, encryption, expectations, sdp, signalling }, doing),
        answering: isOwn ? writtenScenario(answering, { ...doing, side: 'CALLEE' }) : EMPTY.answering,
        names: { callers, callees },
      };
    });
  fc.assert(
    fc.property(drafts, (draft) => {
      t.same(again(text(draft)), draft);
    }),
    { numRuns: 50 },
  );
  const plain = text(EMPTY);
  t.notMatch(plain, /expectations/, 'what nobody expects is not said');
  t.match(
    again(plain.replaceAll(/name: calle(r|e)s\n/g, '$&    expectations: { toleratedFindings: [NO_MEDIA] }\n'))?.group
      .expectations,
    { farEndHangsUp: false, toleratedFindings: ['NO_MEDIA'] },
  );
  t.equal(
    again(plain.replace('name: callers\n', '$&    expectations: { farEndHangsUp: true }\n')),
    null,
    'two groups that expect different things',
  );
  t.equal(
    again(plain.replace('name: callers', 'name: callers\n    signalling: { ringSeconds: 2 }')),
    null,
    'what only callees do is not lost',
  );
});
