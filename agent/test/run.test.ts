/** Allocations on an agent: endpoints on virtual time against an engine and media of the test's own, plans, causes, figures. */

import { offerSdp } from '@carillon/media/sdp/offer.ts';
import { wire } from '@carillon/proto';
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { EndpointTraffic, SipCounts } from '../capture/endpoint-traffic.ts';
import { maskCredentials } from '../capture/mask.ts';
import { reachPredicate } from '../policy/judge.ts';
import { readPolicy } from '../policy/policy.ts';
import { abilitiesOf } from '../rtp/abilities.ts';
import type { MediaEngine, MediaStream } from '../rtp/media-engine.ts';
import { AllocationRefused } from '../run/allocation-refused.ts';
import { decodeAllocation } from '../run/decode-allocation.ts';
import { mergeSparse } from '../run/encode-facts.ts';
import { ENDPOINT, PHASES, type Phase } from '../run/endpoint-machine.ts';
import type { OutcomeFact, ShareFacts } from '../run/facts.ts';
import { causeOfCallFailure, causeOfRegistrationFailure } from '../run/failure-cause.ts';
import { HostPace } from '../run/host-pace.ts';
import type { EndpointPlan, SharePlan } from '../run/plan.ts';
import { AllocationShare } from '../run/share.ts';
import { StartPace } from '../run/start-pace.ts';
import { Timetable } from '../run/timetable.ts';
import type {
  Call,
  CallEvents,
  IncomingCall,
  RegistrationEvents,
  SipEngine,
  SipFailure,
  Traffic,
  UserAgent,
  UserAgentOptions,
} from '../sip/engine.ts';

t.test('phases go forward only, and every one leads to CLOSED', async (t) => {
  for (const phase of PHASES) {
    const next = Object.values(ENDPOINT[phase]) as Phase[];
    t.ok(
      next.every((p) => PHASES.indexOf(p) > PHASES.indexOf(phase)),
      phase,
    );
    t.ok(phase === 'CLOSED' || next.includes('CLOSED'), `${phase} can close`);
  }
  const seen = new Set<Phase>(['INITIALIZING']);
  for (const phase of seen) for (const next of Object.values(ENDPOINT[phase]) as Phase[]) seen.add(next);
  t.same([...seen].sort(), [...PHASES].sort());
});

t.test('a timetable gives what is due, in order', async () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1000 })), fc.integer({ min: 0, max: 1000 }), (instants, now) => {
      const table = new Timetable<number>();
      for (const [i, at] of instants.entries()) table.add(at, i);
      const due: number[] = [];
      for (let item = table.takeDue(now); item; item = table.takeDue(now)) due.push(item.atMs);
      const expected = instants.filter((at) => at <= now).sort((a, b) => a - b);
      return JSON.stringify(due) === JSON.stringify(expected) && table.size === instants.length - due.length;
    }),
  );
});

/** One user agent of the fake engine: what was asked of it, and the events it was given. */
class FakeUserAgent implements UserAgent {
  readonly contactUri: string;
  readonly options: UserAgentOptions;
  registration: RegistrationEvents | null = null;
  call: { events: CallEvents; target: string; offer: string; hungUp: boolean; within: string[] } | null = null;
  unregistered = 0;
  closed = false;

  constructor(options: UserAgentOptions) {
    this.options = options;
    this.contactUri = `sip:${options.contactUser}@127.0.0.1:5060`;
  }
  register(_expires: number, events: RegistrationEvents): void {
    this.registration = events;
    events.onRegisterSent(engine.nowMs);
  }
  unregister(): void {
    this.unregistered++;
    this.registration?.onUnregistered(engine.nowMs);
  }
  invite(target: string, offer: string, events: CallEvents): Call {
    const call = { events, target, offer, hungUp: false, within: [] as string[] };
    this.call = call;
    events.onInviteSent(engine.nowMs);
    return {
      ...noteWithin(call.within),
      callId: `call-${this.options.contactUser}`,
      direction: 'OUTGOING',
      hangUp: () => {
        call.hungUp = true;
      },
    };
  }
  ping(): void {
    // Nobody here asks for options.
  }
  close(): void {
    this.closed = true;
  }
}

/** Requests within a dialog, written down. */
const noteWithin = (log: string[]) => ({
  changeSession: (_offer: string, method: string) => log.push(`change ${method}`),
  sendInfo: (contentType: string, body: string) => log.push(`info ${contentType} ${body}`),
  refer: (uri: string) => log.push(`refer ${uri}`),
  notifyRefer: (status: number) => log.push(`notify ${status}`),
});

import { AUDIO, endpoint as endpointPlan, sharePlan } from './run-pair.ts';

const engine = {
  nowMs: 0,
  agents: [] as FakeUserAgent[],
};

const sipEngine = {
  name: 'core',
  local: { address: '127.0.0.1', port: 5060 },
  createUserAgent(options: UserAgentOptions): UserAgent {
    const agent = new FakeUserAgent(options);
    engine.agents.push(agent);
    return agent;
  },
} as unknown as SipEngine;

let started: string[] = [];
let changed: string[] = [];
const stream = (index: number): MediaStream => ({
  index,
  rtpPort: 20_000 + 2 * index,
  rtcpPort: 20_001 + 2 * index,
  start: ({ remote, direction }) => {
    started.push(remote === null ? direction : `${remote.address}:${remote.rtpPort}`);
  },
  change: ({ remote, format, direction }) => {
    changed.push(`${remote?.address}:${remote?.rtpPort} ${format.kind === 'AUDIO' && format.packetMs} ${direction}`);
  },
  firstPacketAtMs: () => engine.nowMs - 5,
  close: () => undefined,
});
const media: MediaEngine = {
  adapter: 'ffi',
  stamps: 'kernel',
  open: async (_address, _owner, numbers) => numbers.map((_, i) => stream(i)),
  close: async () => undefined,
};

const endpoint = (number: number, callAtMs: number, more: Partial<EndpointPlan> = {}): EndpointPlan =>
  endpointPlan(number, { registerAtMs: callAtMs, callAtMs, targetUri: 'sip:9@127.0.0.1:5070', ...more });

const plan = (more: Partial<SharePlan> = {}, group: Partial<SharePlan['group']> = {}): SharePlan =>
  sharePlan(
    'CALLER',
    { registrarUri: 'sip:pbx', domain: 'pbx', telephoneEvent: false, ...group },
    {
      owner: 1,
      endpoints: [endpoint(0, 0)],
      callDurationMs: 1000,
      receiveWindowMs: 5000,
      hardEndMs: 60_000,
      longestCallMs: 30_000,
      keepMessages: true,
      keepBodies: true,
      ...more,
    },
  );

/** A share on virtual time. */
async function open(sharePlan: SharePlan) {
  engine.nowMs = 0;
  engine.agents = [];
  started = [];
  changed = [];
  const share = new AllocationShare(
    sharePlan,
    {
      engine: sipEngine,
      media,
      mayReach: (a) => a.startsWith('127.'),
      mayCall: () => true,
      hostPace: new HostPace(1000),
    },
    0,
  );
  await share.prepare();
  const facts: ShareFacts[] = [];
  const go = (toMs: number, stepMs = 1) => {
    while (engine.nowMs < toMs) {
      engine.nowMs = Math.min(toMs, engine.nowMs + stepMs);
      share.turn(engine.nowMs);
    }
    const taken = share.takeFacts(engine.nowMs);
    if (taken) facts.push(taken);
  };
  const outcomes = (): OutcomeFact[] => facts.flatMap((f) => f.outcomes);
  const states = () => facts.flatMap((f) => (f.state ? [f.state] : []));
  const phases = () => facts.flatMap((f) => f.phases.phase.map((p) => PHASES[p] as Phase));
  const noise = () => facts.flatMap((f) => (f.startNoise ? [f.startNoise] : []));
  return { share, go, outcomes, states, phases, noise };
}

const answerSdp = (
  address = '127.0.0.1',
  direction: 'sendrecv' | 'sendonly' | 'inactive' = 'sendrecv',
  rtpPort = 30_000,
) =>
  offerSdp({
    address,
    rtcpMux: false,
    security: { mode: 'NONE' },
    streams: [
      {
        kind: 'AUDIO',
        rtpPort,
        rtcpPort: rtpPort + 1,
        direction,
        keys: [],
        codecs: ['PCMU'],
        packetMs: 20,
        telephoneEvent: false,
      },
    ],
    sessionId: '1',
    version: '1',
  });
const failure = (kind: SipFailure['kind'], status: number | null = null, reason = 'r'): SipFailure => ({
  kind,
  status,
  reason,
  atMs: engine.nowMs,
});
const theCall = (i = 0) => engine.agents[i]?.call as NonNullable<FakeUserAgent['call']>;

t.test('a good call, measured from its planned instant', async (t) => {
  const { share, go, outcomes, states, phases } = await open(plan({ endpoints: [endpoint(0, 100)] }));
  t.equal(share.state, 'READY');
  share.start(10);
  go(110);
  const { events } = theCall();
  events.onProvisional(100, 'Trying', 111, '');
  events.onProvisional(180, 'Ringing', 130, '');
  go(150);
  events.onAnswered(150, 200, 'OK', answerSdp());
  t.same(started, ['127.0.0.1:30000']);
  go(1149);
  t.notOk(theCall().hungUp);
  go(1150);
  t.ok(theCall().hungUp, 'hung up after the call’s duration');
  events.onEnded('LOCAL', 1150, 1153);
  go(1160);
  t.same(states(), ['READY', 'DONE']);
  t.same(phases(), ['CALLING', 'RINGING', 'NEGOTIATING', 'INCALL', 'DISCONNECTING', 'CLOSED']);
  t.match(outcomes(), [
    {
      outcome: 'SUCCESS',
      cause: null,
      callResult: 'SUCCESS',
      finalStatus: 200,
      timeToTryingMs: 1,
      timeToRingingMs: 20,
      pddMs: 20,
      callSetupMs: 40,
      callDurationMs: 1000,
      byeRttMs: 3,
      inviteLateMs: 0,
      endedBy: 'LOCAL',
    },
  ]);
});

t.test(
  'servers that failed are counted, the attempt is one; names within the dialog are no DNS time of the call',
  async (t) => {
    const { share, go, outcomes } = await open(plan({ endpoints: [endpoint(0, 100)] }));
    share.start(10);
    go(110);
    const { events } = theCall();
    const at = (port: number) => ({ transport: 'UDP', address: '127.0.0.1', port }) as const;
    events.onFailover?.('INVITE', at(1), at(2), '503', 420);
    events.onAnswered(450, 200, 'OK', answerSdp());
    events.onLocated?.(7);
    events.onEnded('REMOTE', 500, 500);
    go(501);
    t.match(outcomes(), [{ outcome: 'SUCCESS', failovers: 1, callSetupMs: 340, inviteLateMs: 0 }]);
    t.ok(Number.isNaN(outcomes()[0]?.dnsMs));
  },
);

t.test('how a call ends decides its outcome', async (t) => {
  type Act = (events: CallEvents, go: (ms: number) => void) => void;
  const rows: [string, Act, Partial<OutcomeFact>][] = [
    [
      'busy',
      (e) => e.onFailed(failure('STATUS', 486, 'Busy Here')),
      { outcome: 'CALL_FAILED', cause: 'BUSY', callResult: 'REJECTED', finalStatus: 486, finalReason: 'Busy Here' },
    ],
    [
      'nothing',
      (e) => e.onFailed(failure('TIMEOUT')),
      { outcome: 'CALL_FAILED', cause: 'CALL_TIMEOUT', callResult: 'TIMEOUT', finalStatus: 0 },
    ],
    ['transport', (e) => e.onFailed(failure('TRANSPORT')), { cause: 'TRANSPORT_ERROR', callResult: 'ERROR' }],
    ['policy', (e) => e.onFailed(failure('POLICY')), { cause: 'TARGET_NOT_ALLOWED', callResult: 'ERROR' }],
    ['488', (e) => e.onFailed(failure('STATUS', 488)), { outcome: 'NEGOTIATION_FAILED', cause: 'MEDIA_NOT_ACCEPTED' }],
    [
      'no SDP in the answer',
      (e) => {
        e.onAnswered(5, 200, 'OK', '');
        e.onEnded('LOCAL', 6, 7);
      },
      { outcome: 'NEGOTIATION_FAILED', cause: 'ANSWER_UNUSABLE', finalStatus: 200 },
    ],
    [
      'media where the policy forbids it',
      (e) => {
        e.onAnswered(5, 200, 'OK', answerSdp('8.8.8.8'));
        e.onEnded('LOCAL', 6, 7);
      },
      {
        outcome: 'CALL_FAILED',
        cause: 'TARGET_NOT_ALLOWED',
        causeText: 'the policy of this host forbids media to 8.8.8.8',
      },
    ],
    [
      'the callee hangs up',
      (e) => {
        e.onAnswered(5, 200, 'OK', answerSdp());
        e.onEnded('REMOTE', 400, 401);
      },
      { outcome: 'SUCCESS', endedBy: 'REMOTE', callDurationMs: 395, byeRttMs: Number.NaN },
    ],
    [
      'rings for ever',
      (e, go) => {
        e.onProvisional(180, 'Ringing', 5, '');
        go(3001);
        e.onFailed(failure('CANCELLED', 487, 'Request Terminated'));
      },
      { cause: 'NO_ANSWER', callResult: 'TIMEOUT', rang: true, finalStatus: 487 },
    ],
    [
      'trying for ever',
      (e, go) => {
        e.onProvisional(100, 'Trying', 5, '');
        go(3001);
        e.onFailed(failure('CANCELLED', 487, 'Request Terminated'));
      },
      { cause: 'CALL_TIMEOUT', callResult: 'TIMEOUT', rang: false },
    ],
  ];
  for (const [what, act, expected] of rows) {
    const { share, go, outcomes, states } = await open(plan());
    share.start(0);
    go(2);
    act(theCall().events, go);
    go(engine.nowMs + 1);
    t.match(outcomes(), [expected], what);
    t.same(states(), ['READY', 'DONE'], `${what}: done`);
  }
});

t.test('registration', async (t) => {
  const registered = plan(
    { endpoints: [endpoint(0, 0, { callAtMs: 1000, account: { username: '1001', password: 'p' } })] },
    { register: true },
  );
  await t.test('first, then the call, then un-register', async (t) => {
    const { share, go, outcomes, phases } = await open(registered);
    share.start(0);
    go(20);
    engine.agents[0]?.registration?.onRegistered(20, 3600);
    go(1001);
    theCall().events.onAnswered(1001, 200, 'OK', answerSdp());
    theCall().events.onEnded('REMOTE', 1500, 1500);
    go(1501);
    t.equal(engine.agents[0]?.unregistered, 1);
    t.ok(engine.agents[0]?.closed);
    t.equal(phases()[0], 'REGISTERED');
    t.match(outcomes(), [{ outcome: 'SUCCESS', registerRttMs: 19 }]);
  });
  await t.test('a slow registrar makes the call wait, and is not the agent’s lateness', async (t) => {
    const { share, go, noise, outcomes } = await open(registered);
    share.start(0);
    go(1700);
    t.equal(engine.agents[0]?.call, null);
    engine.agents[0]?.registration?.onRegistered(1700, 3600);
    go(1702);
    t.ok(engine.agents[0]?.call);
    t.match(noise().at(-1), { started: 1, notStarted: 0 });
    t.ok((noise().at(-1)?.inviteLateMs.max ?? 99) <= 1);
    theCall().events.onAnswered(1750, 200, 'OK', answerSdp());
    theCall().events.onEnded('REMOTE', 1800, 1800);
    go(1801);
    t.match(outcomes(), [{ plannedAtMs: 1000, callSetupMs: 750, inviteLateMs: 701 }], 't0 is the planned instant');
  });
  await t.test('a registrar that answers all at once makes no bunch of calls', async (t) => {
    const many = Array.from({ length: 40 }, (_, i) => endpoint(i, i * 100));
    const { share, go, noise } = await open(plan({ endpoints: many }, { register: true }));
    share.start(0);
    go(2001);
    for (const agent of engine.agents.slice(0, 20)) agent.registration?.onRegistered(2001, 3600);
    let most = 0;
    for (let atMs = 2002; atMs <= 5000; atMs++) {
      const before = engine.agents.filter((a) => a.call).length;
      go(atMs);
      for (const agent of engine.agents)
        if (agent.registration && !agent.call) agent.registration.onRegistered(atMs, 3600);
      most = Math.max(most, engine.agents.filter((a) => a.call).length - before);
    }
    t.ok(most <= 2, `${most} in a millisecond`);
    const late = noise().map((n) => n.inviteLateMs.max);
    t.ok(Math.max(...late) <= 60, 'nor lateness of the agent');
    t.equal(
      noise().reduce((n, x) => n + x.notStarted, 0),
      0,
    );
  });
  await t.test('under way when the run is stopped: removed once it is there', async (t) => {
    const { share, go, states } = await open(registered);
    share.start(0);
    go(5);
    share.stop('a user stopped the run');
    t.equal(engine.agents[0]?.unregistered, 1);
    go(6);
    t.same(states(), ['READY', 'DONE']);
  });
  await t.test('refused', async (t) => {
    const { share, go, outcomes, states } = await open(registered);
    share.start(0);
    go(5);
    engine.agents[0]?.registration?.onRegistrationFailed(failure('STATUS', 403, 'Forbidden'));
    go(2000);
    t.match(outcomes(), [
      {
        outcome: 'REGISTRATION_FAILED',
        cause: 'REGISTRATION_DENIED',
        sipStatus: 403,
        attempted: false,
        callResult: null,
      },
    ]);
    t.equal(engine.agents[0]?.call, null);
    t.same(states(), ['READY', 'DONE']);
  });
  await t.test('receivers register before they are ready', async (t) => {
    const { share, go, states } = await open(
      plan({ role: 'CALLEE', endpoints: [endpoint(0, 0), endpoint(1, 0)] }, { register: true }),
    );
    go(5);
    t.equal(share.state, 'PREPARING');
    engine.agents[0]?.registration?.onRegistered(5, 3600);
    engine.agents[1]?.registration?.onRegistrationFailed(failure('TIMEOUT'));
    go(6);
    t.same(states(), ['READY'], 'one that cannot does not hold up the rest');
  });
});

t.test('an agent that is held up starts late, never in a bunch, and says so', async (t) => {
  const calls = Array.from({ length: 100 }, (_, i) => endpoint(i, i * 50));
  const { share, go, noise, outcomes } = await open(plan({ endpoints: calls }));
  share.start(0);
  go(100);
  const before = engine.agents.filter((a) => a.call).length;
  engine.nowMs = 4000;
  share.turn(4000);
  const after = engine.agents.filter((a) => a.call).length;
  t.equal(after - before, 1, 'the oldest are too late to be of use');
  for (let i = 1; i <= 1000; i++) {
    engine.nowMs += 1;
    share.turn(engine.nowMs);
    const began = engine.agents.filter((a) => a.call).length - after;
    t.ok(began <= 1 + i / 25, `${began} in ${i} ms: twice the planned 20 a second`);
  }
  t.ok(engine.agents.filter((a) => a.call).length - after >= 40);
  go(8000);
  const total = noise().reduce(
    (n, x) => ({ planned: n.planned + x.planned, started: n.started + x.started, not: n.not + x.notStarted }),
    { planned: 0, started: 0, not: 0 },
  );
  t.equal(total.planned, 100);
  t.equal(total.started + total.not, 100, 'every call is accounted for');
  t.ok(total.not > 30);
  t.ok(outcomes().every((o) => o.cause === 'NOT_STARTED' && !o.attempted));
});

t.test('stop', async (t) => {
  const three = plan({ endpoints: [endpoint(0, 0), endpoint(1, 0), endpoint(2, 5000)] });
  const { share, go, outcomes, states } = await open(three);
  share.start(0);
  go(2);
  theCall(0).events.onAnswered(2, 200, 'OK', answerSdp());
  go(50);
  share.stop('a user stopped the run');
  t.ok(theCall(0).hungUp, 'a call is ended by BYE');
  t.ok(theCall(1).hungUp, 'one that rings by CANCEL');
  theCall(0).events.onEnded('LOCAL', 50, 51);
  theCall(1).events.onFailed(failure('CANCELLED', 487));
  go(60);
  t.same(states(), ['READY', 'DONE']);
  const by = new Map(outcomes().map((o) => [o.endpoint, o]));
  t.match(by.get(0), { outcome: 'SUCCESS' });
  t.match(by.get(1), { cause: 'STOPPED', attempted: true });
  t.match(by.get(2), { cause: 'STOPPED', attempted: false });

  await t.test('and a peer that never answers', async (t) => {
    const silent = await open(plan());
    silent.share.start(0);
    silent.go(2);
    silent.share.stop('a user stopped the run');
    silent.go(4003);
    t.same(silent.states(), ['READY', 'DONE'], 'within four seconds');
    t.ok(engine.agents[0]?.closed);
  });
});

t.test('without a control plane nothing new is begun', async (t) => {
  const { share, go, outcomes, noise } = await open(plan({ endpoints: [endpoint(0, 0), endpoint(1, 100)] }));
  share.start(0);
  go(2);
  share.hold(true);
  go(200);
  t.equal(engine.agents[1]?.call, null);
  t.match(outcomes(), [{ endpoint: 1, cause: 'NOT_STARTED' }]);
  t.match(noise().at(-1), { planned: 1, started: 0, notStarted: 1 });

  await t.test('not even a call that waited for its registrar', async (t) => {
    const waiting = await open(plan({}, { register: true }));
    waiting.share.start(0);
    waiting.go(5);
    waiting.share.hold(true);
    engine.agents[0]?.registration?.onRegistered(10, 3600);
    waiting.go(20);
    t.equal(engine.agents[0]?.call, null);
    t.match(waiting.outcomes(), [{ cause: 'NOT_STARTED', attempted: false }]);
  });
});

function take(pace: StartPace, atMs: number): boolean {
  if (!pace.allows(atMs)) return false;
  pace.spend();
  return true;
}

t.test('the plan sets the pace', async (t) => {
  const law = fc.property(
    fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 200 }),
    (startsAtMs) => {
      const pace = new StartPace(startsAtMs);
      return [...startsAtMs].sort((a, b) => a - b).every((atMs) => take(pace, atMs));
    },
  );
  fc.assert(law);
  t.pass('a plan is never delayed, whatever its shape');
  const pace = new StartPace(Array.from({ length: 100 }, (_, i) => i * 10));
  let began = 0;
  for (let atMs = 60_000; atMs < 61_000; atMs++) while (take(pace, atMs)) began++;
  t.ok(began >= 199 && began <= 201, `${began}: 200 a second at most`);
});

t.test('a session that is changed', async (t) => {
  const ours = () => theCall().events;
  const incall = async (direction: 'BOTH' | 'RECEIVE' = 'BOTH') => {
    const opened = await open(plan({}, { tracks: [{ ...AUDIO, direction }] }));
    opened.share.start(0);
    opened.go(2);
    ours().onAnswered(5, 200, 'OK', answerSdp());
    return opened;
  };
  /** What the engine does with a re-INVITE. */
  const offer = (sdp: string): string => {
    const answer = ours().onSessionOffer?.(theCall().offer, sdp);
    if (typeof answer !== 'string') return answer?.reason ?? '';
    ours().onSessionChanged?.(answer, sdp, 'REMOTE', engine.nowMs, 'PEER');
    return answer;
  };
  await incall();
  offer(answerSdp());
  t.same(changed, [], 'a refresh changes nothing');
  t.match(offer(answerSdp('127.0.0.1', 'sendonly')), /a=recvonly/);
  offer(answerSdp('127.0.0.1', 'inactive'));
  offer(answerSdp('127.0.0.1', 'sendrecv', 30_100));
  offer(answerSdp('0.0.0.0'));
  t.same(changed, [
    '127.0.0.1:30000 20 RECEIVE',
    '127.0.0.1:30000 20 NONE',
    '127.0.0.1:30100 20 BOTH',
    'undefined:undefined 20 RECEIVE',
  ]);
  t.match(offer(answerSdp('8.8.8.8')), /policy of this host forbids media to 8.8.8.8/);
  t.equal(changed.length, 4, 'the session stays as it was');

  await incall('RECEIVE');
  t.match(offer(answerSdp()), /a=recvonly/, 'who only receives does not begin to send');
  t.match(ours().onSessionOffer?.(theCall().offer, ''), /a=recvonly/);

  const delayed = await incall();
  ours().onSessionChanged?.(theCall().offer, answerSdp('8.8.8.8'), 'LOCAL', engine.nowMs, 'PEER');
  t.ok(theCall().hungUp, 'an answer in an ACK cannot be refused otherwise');
  ours().onEnded('LOCAL', 8, Number.NaN);
  delayed.go(10);
  t.match(delayed.outcomes(), [{ cause: 'TARGET_NOT_ALLOWED', byeRttMs: Number.NaN, callDurationMs: 3 }]);

  const held = await open(plan());
  held.share.start(0);
  held.go(2);
  ours().onAnswered(5, 200, 'OK', answerSdp('0.0.0.0'));
  t.same(started, ['RECEIVE'], 'held from the answer on: no matter of policy');
  t.notOk(theCall().hungUp);
  const inactive = await open(plan());
  inactive.share.start(0);
  inactive.go(2);
  ours().onAnswered(5, 200, 'OK', answerSdp('127.0.0.1', 'inactive'));
  t.same(started, []);
  offer(answerSdp());
  t.same([started, changed], [['127.0.0.1:30000'], []], 'what was not started is started');
});

t.test('the hard end ends everything', async (t) => {
  const { share, go, states } = await open(plan({ hardEndMs: 500, callDurationMs: 100_000 }));
  share.start(0);
  go(2);
  theCall().events.onAnswered(2, 200, 'OK', answerSdp());
  go(501);
  t.ok(theCall().hungUp);
  go(5000);
  t.same(states(), ['READY', 'DONE']);
});

t.test('media before the answer', async (t) => {
  for (const answered of [false, true]) {
    const { share, go, outcomes } = await open(plan({ callDurationMs: 100 }));
    share.start(0);
    go(20);
    const { events, offer } = theCall();
    events.onProvisional(183, 'Session Progress', 20, answerSdp());
    const before = started.length;
    events.onEarlyMedia?.(offer, answerSdp(), false, 20);
    t.equal(started.length, before + 1, 'the streams run');
    go(50);
    // Of the stand-in streams the first packet is always 5 ms old.
    if (answered) events.onAnswered(40, 200, 'OK', answerSdp());
    else events.onFailed({ kind: 'STATUS', status: 486, reason: 'Busy Here', atMs: 50 });
    if (answered) events.onEnded('REMOTE', 50, 50);
    go(60);
    t.match(outcomes(), [{ timeToEarlyMediaMs: answered ? Number.NaN : 45 - (outcomes()[0]?.plannedAtMs ?? 0) }]);
  }
});

const incoming = (body: string): IncomingCall & { log: string[] } => {
  const log: string[] = [];
  return {
    ...noteWithin(log),
    log,
    callId: 'in',
    direction: 'INCOMING',
    fromUri: 'sip:a@b',
    correlation: '',
    requestUri: 'sip:e0@127.0.0.1:5060',
    receivedAtMs: engine.nowMs,
    body,
    hangUp: () => log.push('hangUp'),
    ring: () => log.push('ring'),
    progress: (status: number) => log.push(`progress ${status}`),
    redirect: (status: number) => log.push(`redirect ${status}`),
    answer: (sdp) => log.push(sdp.includes('m=audio') ? 'answer' : 'answer without media'),
    reject: (status) => log.push(`reject ${status}`),
  };
};

t.test('callees', async (t) => {
  const callee = plan({ role: 'CALLEE' });
  await t.test('ring, answer, let the caller hang up', async (t) => {
    const { share, go, outcomes, phases } = await open(callee);
    share.start(0);
    go(10);
    const call = incoming(answerSdp());
    const events = engine.agents[0]?.options.onIncomingCall(call);
    t.same(call.log, ['ring', 'answer']);
    events?.onAnswered(12, 200, 'OK', '');
    const second = incoming(answerSdp());
    engine.agents[0]?.options.onIncomingCall(second);
    t.same(second.log, ['reject 486'], 'one call each');
    events?.onEnded('REMOTE', 900, 900);
    go(901);
    t.same(phases(), ['RINGING', 'NEGOTIATING', 'INCALL', 'CLOSED']);
    t.match(outcomes(), [{ outcome: 'SUCCESS', callDurationMs: 888, callSetupMs: Number.NaN, pddMs: Number.NaN }]);
  });
  await t.test('a caller that never hangs up: the owner’s limit ends the call', async (t) => {
    const { share, go, outcomes } = await open(callee);
    share.start(0);
    go(10);
    const call = incoming(answerSdp());
    const events = engine.agents[0]?.options.onIncomingCall(call);
    events?.onAnswered(12, 200, 'OK', '');
    go(30_011);
    t.notOk(call.log.includes('hangUp'));
    go(30_012);
    t.ok(call.log.includes('hangUp'));
    events?.onEnded('LOCAL', 30_012, 30_013);
    go(30_014);
    t.match(outcomes(), [{ outcome: 'SUCCESS', endedBy: 'LOCAL', callDurationMs: 30_000 }]);
  });
  await t.test('an offer that cannot be used', async (t) => {
    const { share, go, outcomes } = await open(callee);
    share.start(0);
    go(1);
    const call = incoming('v=0\r\nno sdp');
    const events = engine.agents[0]?.options.onIncomingCall(call);
    t.same(call.log, ['reject 488']);
    events?.onFailed(failure('STATUS', 488));
    go(2);
    t.match(outcomes(), [{ outcome: 'NEGOTIATION_FAILED', cause: 'OFFER_UNUSABLE' }]);
  });
  await t.test('nobody calls: the window ends, or the run says so', async (t) => {
    const first = await open(callee);
    first.share.start(0);
    first.go(5001);
    t.match(first.outcomes(), [{ cause: 'NO_CALL_RECEIVED', attempted: false }]);
    const second = await open(callee);
    second.share.start(0);
    second.go(10);
    second.share.finish();
    second.go(11);
    t.same(second.states(), ['READY', 'DONE']);
  });
  await t.test('an ACK that never comes', async (t) => {
    const { share, go, outcomes } = await open(callee);
    share.start(0);
    go(1);
    const events = engine.agents[0]?.options.onIncomingCall(incoming(answerSdp()));
    events?.onFailed(failure('TIMEOUT'));
    go(2);
    t.match(outcomes(), [{ cause: 'ACK_MISSING', callResult: 'ERROR' }]);
  });
  await t.test('any number, where the group takes it', async (t) => {
    const { share, go } = await open(
      plan({ role: 'CALLEE', endpoints: [endpoint(0, 0), endpoint(1, 0)] }, { takesAnyCall: true }),
    );
    share.start(0);
    go(1);
    t.equal(share.takeAnyCall(), engine.agents[0]);
    engine.agents[0]?.options.onIncomingCall(incoming(answerSdp()));
    t.equal(share.takeAnyCall(), engine.agents[1], 'the next free one');
    t.equal((await open(plan({ role: 'CALLEE' }))).share.takeAnyCall(), null);
  });
});

t.test('ports that are not to be had refuse the allocation', async (t) => {
  const share = new AllocationShare(
    plan(),
    {
      engine: sipEngine,
      mayReach: () => true,
      mayCall: () => true,
      hostPace: new HostPace(1000),
      media: {
        ...media,
        open: () => Promise.reject(Object.assign(new Error('none left'), { name: 'MediaPortsExhausted' })),
      },
    },
    0,
  );
  await share.prepare();
  t.match(share.takeFacts(0), { state: 'REFUSED', reasonCode: 'MediaPortsExhausted', reason: 'none left' });
});

t.test('allocations are checked before they are taken', async (t) => {
  const policy = { ...(await readPolicy(null)), maxCallsPerSecond: 10, maxDurationSeconds: 60 };
  const limits = {
    policy,
    mayReach: reachPredicate(policy),
    room: 50,
    streamRoom: 60,
    abilities: abilitiesOf({ fingerprint: null }),
    carried: [],
  };
  const allocation = (calls: number, more: object = {}, group: object = {}, target = 'sip:9@127.0.0.1:5070') => {
    const each = <T>(value: (i: number) => T) => Array.from({ length: calls }, (_, i) => value(i));
    return wire.agent.v1.Allocation.decode(
      wire.agent.v1.Allocation.encode({
        role: wire.agent.v1.Role.CALLER,
        callDurationMs: 5000,
        group: { audioCodecs: ['PCMU'], ...group },
        endpoints: {
          number: each((i) => i),
          listener: each(() => 0),
          registerAtMs: each(() => 0),
          callAtMs: each((i) => i * 100),
          user: each((i) => `e${i}`),
          accountUser: each(() => ''),
          accountPassword: each(() => ''),
          targetUri: each(() => target),
        },
        ...more,
      }).finish(),
    );
  };
  const refusal = async (a: wire.agent.v1.Allocation) => {
    try {
      await decodeAllocation(a, 1, 1, limits);
      return null;
    } catch (error) {
      return error instanceof AllocationRefused ? error.code : (error as Error).message;
    }
  };
  t.equal(await refusal(allocation(10)), null);
  t.equal(await refusal(allocation(51)), 'CAPACITY');
  const video = { audioCodecs: ['PCMU'], videoCodecs: ['VP8'] };
  t.equal(await refusal(allocation(30, {}, video)), null);
  t.equal(await refusal(allocation(31, {}, video)), 'CAPACITY', 'two streams each');
  t.equal(await refusal(allocation(5, { callDurationMs: 61_000 })), 'POLICY');
  const bunched = allocation(11);
  bunched.endpoints?.callAtMs?.fill(0);
  t.equal(await refusal(bunched), 'POLICY', '11 calls in a second');
  t.equal(await refusal(allocation(1, {}, { audioCodecs: ['PCMU', 'SPEEX'] })), 'CODEC');
  t.equal(await refusal(allocation(1, {}, { encryption: 'DTLS' })), 'ENCRYPTION', 'without a certificate');
  t.equal(await refusal(allocation(1, {}, { encryption: 'ZRTP' })), 'ENCRYPTION');
  t.equal(await refusal(allocation(1, {}, { videoCodecs: ['AV1'] })), 'CODEC');
  t.equal(await refusal(allocation(1, {}, { audioSource: 'FILE:x' })), 'MEDIA');
  t.equal(await refusal(allocation(1, {}, { audioDscp: 64 })), 'MALFORMED');
  t.equal(await refusal(allocation(1, {}, { impairment: { seed: 1, lossPercent: 91 } })), 'MALFORMED');
  t.equal(await refusal(allocation(1, {}, { encryption: 'SDES', audioDscp: 46 })), null);
  t.equal(await refusal(allocation(1, {}, {}, 'sip:9@8.8.8.8')), 'TARGET_NOT_ALLOWED');
  t.equal(await refusal(allocation(1, {}, { nextHop: '8.8.8.8:5060' })), 'TARGET_NOT_ALLOWED');
  t.equal(await refusal(allocation(1, {}, { nextHop: 'a:b:c' })), 'TARGET');
  t.equal(await refusal(allocation(1, {}, {}, 'tel:4711')), 'TARGET');
  t.equal(await refusal(allocation(1, {}, {}, 'tel:112')), 'NUMBER_NOT_ALLOWED');
  const uneven = allocation(3);
  uneven.endpoints?.user?.pop();
  t.equal(await refusal(uneven), 'MALFORMED');
  const elsewhere = allocation(1);
  if (elsewhere.endpoints) elsewhere.endpoints.listener = [3];
  t.equal(await refusal(elsewhere), 'MALFORMED');
  const [share] = [...(await decodeAllocation(allocation(1, {}, { nextHop: '127.0.0.1' }), 1, 1, limits)).values()];
  t.same(share?.endpoints[0]?.nextHop, { transport: 'UDP', address: '127.0.0.1', port: 5060 });
  t.equal(await refusal(allocation(1, {}, { protocol: 'SCTP' })), 'PROTOCOL');
  t.equal(await refusal(allocation(1, {}, { protocol: 'TLS', tls: { verify: 'HOPE' } })), 'TLS');
  const secure = allocation(1, {}, { nextHop: 'localhost', protocol: 'TLS', tls: { verify: 'CUSTOM', ca: 'PEM' } });
  const [tls] = [...(await decodeAllocation(secure, 1, 1, limits)).values()];
  t.match(tls?.endpoints[0], { nextHop: null, nextHopUri: 'sip:localhost;transport=tls' });
  t.same(tls?.group.tls, { verify: 'CUSTOM', ca: 'PEM' });
  const straight = await decodeAllocation(allocation(1, {}, {}, 'sip:9@127.0.0.1;transport=tcp'), 1, 1, limits);
  t.match([...straight.values()][0]?.endpoints[0]?.nextHop, { transport: 'TCP', address: '127.0.0.1', port: 5060 });
  // Names are found when they are called (RFC 3263); a transport that is not AUTO is pinned.
  const hopOf = async (group: object, target?: string) => {
    const shares = await decodeAllocation(allocation(1, {}, group, target), 1, 1, limits);
    const plan = [...shares.values()][0]?.endpoints[0];
    return plan?.nextHop ?? plan?.nextHopUri;
  };
  t.equal(await hopOf({ nextHop: 'pbx.example' }), 'sip:pbx.example;transport=udp');
  t.equal(await hopOf({ nextHop: 'pbx.example:5070', protocol: 'TCP' }), 'sip:pbx.example:5070;transport=tcp');
  t.equal(await hopOf({ nextHop: 'pbx.example', protocol: 'AUTO' }), 'sip:pbx.example');
  t.equal(await hopOf({ nextHop: 'pbx.example', protocol: 'AUTO', route: '<sip:pbx.example;lr>' }), null);
  t.match(await hopOf({ nextHop: '127.0.0.1', protocol: 'AUTO' }), { transport: 'UDP', port: 5060 });
  t.equal(await hopOf({}, 'sip:9000@pbx.example'), null, 'the Request-URI says it');
});

t.test('causes are total', async (t) => {
  const kinds: SipFailure['kind'][] = ['STATUS', 'TIMEOUT', 'TRANSPORT', 'PROTOCOL', 'CANCELLED', 'POLICY', 'DNS'];
  for (const kind of kinds) {
    t.type(causeOfCallFailure(failure(kind, 500), 'STOPPED'), 'string');
    t.type(causeOfRegistrationFailure(failure(kind, 500)), 'string');
  }
});

t.test('messages are counted all, kept within bounds, without what would tell a password', async (t) => {
  const counts = new SipCounts();
  const traffic = new EndpointTraffic(3, counts, { keepMessages: true, keepBodies: true });
  const text =
    'REGISTER sip:a SIP/2.0\r\nAuthorization: Digest username="u", realm="r", response="0123456789abcdef0123456789abcdef", nonce="n"\r\n\r\n';
  const message: Traffic = {
    direction: 'SENT',
    atMs: 1,
    method: 'REGISTER',
    status: 0,
    reason: '',
    retransmission: false,
    callId: 'c',
    transport: 'UDP',
    peerAddress: '::1',
    peerPort: 5060,
    localPort: 5062,
    text,
  };
  for (let i = 0; i < 600; i++) traffic.onMessage({ ...message, retransmission: i > 0 });
  t.match(counts.take(), [{ sent: true, method: 'REGISTER', status: 0, count: 1, retransmissions: 599 }]);
  t.same(counts.take(), []);
  const run = traffic.take();
  t.equal(run?.atMs.length, 500);
  t.equal(
    run?.text.length,
    run?.length.reduce((a, b) => a + b, 0),
  );
  t.notMatch(run?.text, /0123456789abcdef/);
  t.match(run?.text, /response="\*{32}", nonce="n"/);
  t.equal(run?.peer[0], '[::1]:5060');
  t.equal(traffic.take(), null);
  t.equal(
    maskCredentials('Proxy-Authorization: Digest response="ab"\r\n'),
    'Proxy-Authorization: Digest response="**"\r\n',
  );
  t.equal(maskCredentials('X: response="ab"'), 'X: response="ab"');
});

t.test('histograms for the wire add up', async (t) => {
  const merged = mergeSparse([
    { bucket: [1, 5], count: [2, 3], sum: 10, min: 1, max: 4 },
    { bucket: [5, 9], count: [1, 1], sum: 5, min: 0.5, max: 9 },
    { bucket: [], count: [], sum: 0, min: 0, max: 0 },
  ]);
  t.same(merged, { bucket: [1, 5, 9], count: [2, 4, 1], sum: 15, min: 0.5, max: 9 });
});
