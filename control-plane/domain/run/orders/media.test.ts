import { IMPAIRMENT_LIMITS, JITTER_DISTRIBUTIONS, NO_IMPAIRMENT } from '@carillon/media/impairment/impairment.ts';
import { wire } from '@carillon/proto';
import t from 'tap';
import { abilitiesWith } from '../../../../agent/sip/abilities.ts';
import { Dtmf, Impairment } from '../../../contract/test-settings/stream-fields.ts';
import type { Group, TestConfig } from '../../../contract/test-settings/test.ts';
import { GroupBody } from '../../../contract/test-settings/test-body.ts';
import type { Tls } from '../../../contract/test-settings/tls.ts';
import { encodeOrder } from '../../../link/wire/encode-order.ts';
import { eligible, inEachRegion, nobody } from '../../../operations/submission/eligible.ts';
import { groupDrafts } from '../../project/api-draft.ts';
import { type References, toTestConfig } from '../../project/test-draft.ts';
import { completeConfig } from '../group/scenario.ts';
import { instants } from '../load/load.ts';
import { deal } from '../load/timetable.ts';
import type { PlannedInstance } from '../plan/plan.ts';
import { lacks } from '../preflight/abilities.ts';
import { allocateOrder } from './orders.ts';

const ID = '00000000-0000-7000-8000-000000000001';
const refs: References = {
  registrarId: () => ID,
  workerId: () => ID,
  accountId: () => ID,
  newId: () => ID,
};

/** The group that a request with these fields creates. */
function group(more: object): Group {
  const body = GroupBody.parse({
    name: 'callers',
    registrarId: ID,
    callee: { mode: 'EXTERNAL_URI', uri: 'sip:9@pbx' },
    placement: { mode: 'REGION', region: 'local' },
    subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 1 }],
    ...more,
  });
  const draft = {
    groups: groupDrafts([body]),
    load: { shape: 'BUILDUP' as const },
    breaker: null,
    abortOn: null,
    thresholds: [],
    maxExecutionSeconds: null,
  };
  return toTestConfig(draft, refs, null).groups[0] as Group;
}

const FULL = {
  audioCodecs: ['OPUS', 'PCMU'],
  videoCodecs: ['VP8'],
  encryption: 'SDES',
  dtmf: { digits: '1#' },
  impairment: { lossPercent: 2.5 },
  mediaTracks: [
    { kind: 'VIDEO', direction: 'SEND', dscp: 34 },
    { kind: 'AUDIO', source: 'SPEECH', dscp: 46 },
  ],
};

const RUN = { id: ID, endpoints: 1, durationSeconds: 1, buildupSeconds: 0, maxExecutionSeconds: 60 };
const REGISTRAR = {
  id: ID,
  uri: 'sip:pbx',
  isCloud: false,
  register: false,
  outboundProxyUri: null,
  protocol: 'UDP',
  tls: null,
};

/** What an agent receives about a group, through the wire format. */
function mediaOrders(one: Group, others: Group[] = []) {
  const run = { ...RUN, config: { groups: [one, ...others] } };
  const instance = {
    id: ID,
    group: one,
    registrar: REGISTRAR,
    role: 'CALLER',
    endpoints: [],
  } as unknown as PlannedInstance;
  const { Command } = wire.agent.v1;
  const bytes = Command.encode(encodeOrder(1, allocateOrder(run, instance, new Map()))).finish();
  return Command.decode(bytes).allocate?.group;
}

t.test('an agent is told how many of its own calls it needs to judge by itself: as many as all together', (t) => {
  const one = group({ subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 150 }] });
  const mediaOrders = (role: 'CALLER' | 'CALLEE', endpoints: number) => {
    const instance = { id: ID, group: one, registrar: REGISTRAR, role, endpoints: Array(endpoints).fill({}) };
    const run = { ...RUN, config: { groups: [one], breaker: { failurePercent: 50, minCalls: 20 } } };
    return allocateOrder(run, instance as unknown as PlannedInstance, new Map()).breaker;
  };
  t.same(mediaOrders('CALLER', 150), { failurePercent: 50, minCalls: 20, blockedCalls: 10 });
  t.same(mediaOrders('CALLER', 15), mediaOrders('CALLER', 150));
  t.equal(mediaOrders('CALLEE', 15), null);
  t.end();
});

t.test('what a group says of its media reaches the agent', (t) => {
  t.match(mediaOrders(group(FULL)), {
    audioCodecs: ['OPUS', 'PCMU'],
    audioSource: 'SPEECH',
    audioDirection: 'BOTH',
    audioDscp: 46,
    videoCodecs: ['VP8'],
    videoSource: 'PATTERN',
    videoDirection: 'SEND',
    videoDscp: 34,
    encryption: 'SDES',
    telephoneEvent: true,
    dtmf: { digits: '1#', onMs: 100, offMs: 100, afterMs: 1000 },
    impairment: { seed: 1, lossPercent: 2.5, burstRatio: 1, jitterDistribution: 'UNIFORM' },
  });
  const plain = mediaOrders(group({}));
  t.match(plain, { audioCodecs: ['PCMU'], videoCodecs: [], encryption: 'NONE', telephoneEvent: false, audioDscp: 0 });
  t.match([plain?.dtmf, plain?.impairment], [null, null]);
  t.match(mediaOrders(group({}), [group(FULL)]), { telephoneEvent: true }, 'another group of the test sends digits');
  const { impairment: _, ...before } = group({});
  t.match(mediaOrders(before as Group), { encryption: 'NONE' }, 'an older configuration');
  t.end();
});

t.test('the name that endpoints show reaches the agent', (t) => {
  const displayName = 'Zoë "Q" Müller';
  t.equal(mediaOrders(group({ displayName }))?.displayName, displayName);
  t.equal(mediaOrders(group({}))?.displayName, '');
  const { displayName: _, ...before } = group({});
  t.equal(mediaOrders(before as Group)?.displayName, '', 'an older configuration');
  t.end();
});

t.test('agents that cannot do it are named', (t) => {
  const old = { audioCodecs: ['PCMU', 'PCMA'] };
  const able = {
    audioCodecs: ['PCMU', 'OPUS'],
    videoCodecs: ['VP8'],
    encryptions: ['NONE', 'SDES'],
    mediaSources: ['TONE', 'SPEECH', 'PATTERN'],
  };
  t.same(lacks(group({}), old), []);
  t.same(lacks(group(FULL), old), ['OPUS', 'VP8', 'SDES', 'PATTERN', 'impairment', 'DTMF', 'DSCP']);
  t.same(lacks(group({ impairment: {} }), old), ['impairment']);
  const callees = group({ callee: { mode: 'RECEIVE' } });
  const callers: Group = { ...group({ dtmf: { digits: '1' } }), callee: { mode: 'GROUP', groupId: callees.id } };
  t.same(lacks(callees, old, [callers]), ['telephone events']);
  t.same(lacks(callees, old, [{ ...callers, dtmf: null }, group({ dtmf: { digits: '1' } })]), []);
  t.same(lacks(callees, able, [callers]), []);
  t.same(lacks(group(FULL), able), []);
  t.same(lacks(group({ ...FULL, encryption: 'DTLS', mediaTracks: [] }), able), ['DTLS', 'WITHOUT_MEDIA']);
  t.same(lacks(group({ mediaTracks: [], sdp: 'NONE' }), able), ['WITHOUT_MEDIA', 'WITHOUT_SDP']);
  const workers = [
    { id: 'a', name: 'edge-1', region: 'local', hello: old },
    { id: 'b', name: 'edge-2', region: 'far', hello: old },
  ];
  t.equal(
    nobody(group({ audioCodecs: ['OPUS', 'G722'] }), workers, [], new Map()),
    'No worker in region local can do what group callers asks of it: edge-1 lacks OPUS, G722.',
  );
  t.match(nobody(group({}), [], [], new Map()), /No worker is online in region local/);
  const spread = group({ placement: { mode: 'REGION', region: 'local', regions: { local: 2, far: 1, away: 1 } } });
  t.same(eligible(spread, workers, [], new Map()), ['a', 'b'], 'workers of all its regions');
  t.same(
    inEachRegion([spread]).map((one) => eligible(one, workers, [], new Map())),
    [['a'], ['b'], []],
  );
  t.match(nobody(inEachRegion([spread])[2] as typeof spread, workers, [], new Map()), /online in region away/);
  const each = (calls: number | null) => {
    const one = group({});
    return { ...one, subPopulations: one.subPopulations.map((s) => ({ ...s, calls })) };
  };
  for (const calls of [null, 2]) t.same(lacks(each(calls), able), ['LOAD'], 'a load that goes on beyond one call each');
  t.same(lacks(each(1), able, [each(1), each(2)]), ['LOAD'], 'all callers share it');
  t.same(lacks({ ...each(1), callee: { mode: 'RECEIVE' } }, able, [each(2)]), []);
  t.same(lacks(each(2), { ...able, sipAbilities: ['LOAD', 'WS'] }, undefined, { protocol: 'WS', tls: null }), [
    'LOAD over WebSocket',
  ]);
  t.end();
});

t.test('agents that cannot do what a group asks of signalling are named', (t) => {
  const able = { audioCodecs: ['PCMU'], mediaSources: ['TONE'], sipAbilities: ['INFO', 'PRACK'] };
  const done = (action: object) => group({ actions: [{ trigger: { on: 'ANSWERED', afterSeconds: 0 }, action }] });
  t.same(lacks(done({ do: 'HANG_UP' }), able), ['ACTIONS']);
  t.same(lacks(done({ do: 'SEND_DTMF', digits: '1', by: 'RFC4733' }), able), ['ACTIONS']);
  t.same(lacks(done({ do: 'SEND_DTMF', digits: '1', by: 'INFO' }), able), ['ACTIONS']);
  const one = { signalling: { reliableProvisional: 'SUPPORTED' } };
  t.same(lacks(group(one), able), []);
  for (const more of [{ rejectStatus: 486 }, { ringSeconds: 1 }, { answerDelaySeconds: 0.5 }])
    t.same(lacks(group({ signalling: more }), able), ['ANSWERING']);
  const tls = { verify: 'SKIP', ca: null, certificate: null } as unknown as Tls;
  const by = (protocol: string, tls: Tls | null = null) => lacks(group({}), able, [], { protocol, tls });
  t.same(
    ['UDP', 'TCP', 'TLS', 'AUTO'].map((protocol) => by(protocol).join()),
    ['', 'TCP', 'TLS', 'AUTO'],
  );
  t.same([by('UDP', tls), by('AUTO', tls)], [['TLS'], ['AUTO', 'TLS']]);
  const calling = (uri: string) => group({ callee: { mode: 'EXTERNAL_URI', uri } });
  const rows: [string, string[]][] = [
    ['sip:9@pbx', []],
    ['sip:9@pbx;transport=UDP', []],
    ['sip:9@pbx;transport=tls', ['TLS']],
    ['sip:9@pbx;lr;transport=TCP?X-A=1', ['TCP']],
    ['sips:9@pbx', ['TLS']],
    ['sip:9@pbx;transport=ws', ['calls by WS']],
    ['sip:9@pbx;transport=sctp', ['SCTP']],
  ];
  for (const [uri, needs] of rows) t.same(lacks(calling(uri), able), needs, uri);

  t.same(
    lacks(done({ do: 'HANG_UP' }), { ...able, sipAbilities: ['ACTIONS', 'TLS'] }, [], { protocol: 'TLS', tls }),
    [],
  );
  t.end();
});

t.test('what SIP.js does not do by itself is refused by name; the core does it over WebSockets, too', (t) => {
  const after = (action: object) => ({ actions: [{ trigger: { on: 'ANSWERED', afterSeconds: 0 }, action }] });
  const signalling = (more: object) => ({ signalling: more });
  const rows: [more: object, needs: string[]][] = [
    [{}, []],
    [after({ do: 'HOLD' }), []],
    [after({ do: 'SEND_DTMF', digits: '1', by: 'INFO' }), []],
    [signalling({ delayedOffer: true }), []],
    [signalling({ rejectStatus: 486 }), []],
    [{ mediaTracks: [] }, []],
    [{ mode: 'REGISTER', callee: { mode: 'NONE' } }, []],
    [after({ do: 'UPDATE' }), ['UPDATE']],
    [after({ do: 'REFER', target: 'sip:1@pbx' }), ['REFER']],
    [after({ do: 'ATTENDED_TRANSFER', target: 'sip:1@pbx' }), ['ATTENDED_TRANSFER']],
    [signalling({ reliableProvisional: 'SUPPORTED' }), ['PRACK']],
    [signalling({ sessionTimer: { expiresSeconds: 90 } }), ['SESSION_TIMER']],
    [signalling({ maxRedirects: 1 }), ['REDIRECT']],
    [signalling({ instanceId: 'ACCOUNT' }), ['OUTBOUND']],
    [{ registerRetry: { afterSeconds: 1, withinSeconds: 9 } }, ['REGISTER_RETRY']],
    [{ mode: 'OPTIONS' }, ['OPTIONS']],
    [{ mediaTracks: [], sdp: 'NONE' }, ['WITHOUT_SDP']],
  ];
  const able = { audioCodecs: ['PCMU'], mediaSources: ['TONE'], sipAbilities: abilitiesWith('core') };
  const web = { protocol: 'WSS', tls: null, isCloud: false, register: true, uri: 'sip:pbx' } as const;
  for (const [more, needs] of rows) {
    const said = (engine: string) => lacks(group({ ...more, engine }), able, [], web);
    t.same(said('CORE'), [], JSON.stringify(more));
    t.same(
      said('SIPJS'),
      needs.map((need) => `${need} with SIPJS`),
      JSON.stringify(more),
    );
  }
  t.end();
});

t.test('the time for which callees wait includes the registration of callers', (t) => {
  const run = { ...RUN, buildupSeconds: 3, durationSeconds: 10, config: { groups: [group({})] } };
  const starts = deal([3], instants({ shape: 'RATE', callsPerSecond: 1 }, 3, 3), [true]).flat();
  const instance = { id: ID, group: group({}), registrar: REGISTRAR, role: 'CALLEE', endpoints: [] };
  const { receiveWindowMs } = allocateOrder(run, instance as unknown as PlannedInstance, new Map());
  t.same(
    starts.map(({ callAtMs }) => callAtMs),
    [1000, 2000, 3000],
  );
  t.equal(receiveWindowMs, 14_000, 'the build-up, the lead of registrations, and a call');
  t.end();
});

t.test('an older test is returned with defaults for what it does not say', (t) => {
  const config: TestConfig = {
    groups: [group({})],
    load: { shape: 'BUILDUP' },
    breaker: null,
    abortOn: null,
    thresholds: [],
    maxExecutionSeconds: null,
  };
  const before = structuredClone(config);
  const [old] = before.groups as [Group];
  const gone = ['actions', 'signalling', 'dtmf', 'impairment', 'rtcpMux', 'encryption', 'videoCodecs'] as const;
  for (const key of gone) Reflect.deleteProperty(old, key);
  for (const track of old.mediaTracks)
    for (const key of ['dscp', 'deferred', 'mediaFileId']) Reflect.deleteProperty(track, key);
  Reflect.deleteProperty(before, 'breaker');
  t.same(completeConfig(before), config);
  const partly = structuredClone(config);
  for (const { signalling } of partly.groups) Reflect.deleteProperty(signalling, 'rejectStatus');
  t.same(completeConfig(partly), config);
  t.end();
});

t.test('limits are those of the agents', (t) => {
  t.same(Impairment.parse({}), NO_IMPAIRMENT);
  for (const [name, [least, most]] of Object.entries(IMPAIRMENT_LIMITS)) {
    for (const value of [least, most]) t.ok(Impairment.safeParse({ [name]: value }).success, `${name} ${value}`);
    for (const value of [least - 1, most + 1])
      t.notOk(Impairment.safeParse({ [name]: value }).success, `${name} ${value}`);
  }
  for (const jitterDistribution of JITTER_DISTRIBUTIONS) t.ok(Impairment.safeParse({ jitterDistribution }).success);
  t.same(Dtmf.parse({ digits: '0123456789*#ABCD' }).onMs, 100);
  for (const digits of ['', 'E', '1'.repeat(65)]) t.notOk(Dtmf.safeParse({ digits }).success, digits);
  t.end();
});
