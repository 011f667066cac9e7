/** A share of an allocation on virtual time, against an engine and media of the test. */
import { offerSdp } from '@carillon/media/sdp/offer.ts';
import type { MediaEngine, MediaStream } from '../../rtp/media-engine.ts';
import { AllocationShare } from '../../run/allocation/share.ts';
import { HostPace } from '../../run/limits/host-pace.ts';
import { PHASES, type Phase } from '../../run/phases.ts';
import type { EndpointPlan, SharePlan } from '../../run/plan.ts';
import type { OutcomeFact, ShareFacts } from '../../run/report/facts.ts';
import type {
  Call,
  CallEvents,
  IncomingCall,
  RegistrationEvents,
  SipEngine,
  SipFailure,
  UserAgent,
  UserAgentOptions,
} from '../../sip/engine.ts';
import { endpoint as endpointPlan, sharePlan } from './pair.ts';

/** One user agent of the fake engine: its requests, and the events that it was given. */
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
      replacesValue: '',
      hangUp: () => {
        call.hungUp = true;
      },
    };
  }
  ping(): void {
    // No test here sends OPTIONS.
  }
  close(): void {
    this.closed = true;
  }
}

/** Requests within a dialog, recorded. */
const noteWithin = (log: string[]) => ({
  changeSession: (_offer: string, method: string) => log.push(`change ${method}`),
  sendInfo: (contentType: string, body: string) => log.push(`info ${contentType} ${body}`),
  refer: (uri: string) => log.push(`refer ${uri}`),
  notifyRefer: (status: number) => log.push(`notify ${status}`),
});

export const engine = {
  nowMs: 0,
  agents: [] as FakeUserAgent[],
};

export const sipEngine = {
  name: 'core',
  local: { address: '127.0.0.1', port: 5060 },
  createUserAgent(options: UserAgentOptions): UserAgent {
    const agent = new FakeUserAgent(options);
    engine.agents.push(agent);
    return agent;
  },
} as unknown as SipEngine;

export let started: string[] = [];
export let changed: string[] = [];
export const stream = (index: number): MediaStream => ({
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
export const always: MediaEngine = {
  adapter: 'ffi',
  stamps: 'kernel',
  open: async (_address, _owner, numbers) => numbers.map((_, i) => stream(i)),
  request: (_address, _owner, numbers, _profile, opened) => opened(numbers.map((number) => stream(number))),
  turn: () => undefined,
  close: async () => undefined,
};

export const endpoint = (number: number, callAtMs: number, more: Partial<EndpointPlan> = {}): EndpointPlan =>
  endpointPlan(number, { registerAtMs: callAtMs, callAtMs, targetUri: 'sip:9@127.0.0.1:5070', ...more });

export const plan = (more: Partial<SharePlan> = {}, group: Partial<SharePlan['group']> = {}): SharePlan =>
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
export async function open(sharePlan: SharePlan, media = always, latestStartMs = 2000) {
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
      latestStartMs,
    },
    0,
  );
  await share.prepare();
  const facts: ShareFacts[] = [];
  const go = (toMs: number, stepMs = 1) => {
    while (engine.nowMs < toMs) {
      engine.nowMs = Math.min(toMs, engine.nowMs + stepMs);
      media.turn();
      share.turn(engine.nowMs);
    }
    const taken = share.takeFacts(engine.nowMs);
    if (taken) facts.push(taken);
  };
  const outcomes = (): OutcomeFact[] => facts.flatMap((f) => f.outcomes);
  const states = () => facts.flatMap((f) => (f.state ? [f.state] : []));
  const phases = () => facts.flatMap((f) => f.phases.phase.map((p) => PHASES[p] as Phase));
  const noise = () => facts.flatMap((f) => (f.startNoise ? [f.startNoise] : []));
  const registrations = () => facts.flatMap((f) => f.registrations);
  return { share, go, outcomes, states, phases, noise, registrations };
}

export const answerSdp = (
  address = '127.0.0.1',
  direction: 'sendrecv' | 'sendonly' | 'inactive' = 'sendrecv',
  rtpPort = 30_000,
) =>
  offerSdp({
    address,
    rtcpMux: false,
    security: { mode: 'NONE' },
    feedbackProfile: 'AVP',
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
export const failure = (kind: SipFailure['kind'], status: number | null = null, reason = 'r'): SipFailure => ({
  kind,
  status,
  reason,
  atMs: engine.nowMs,
});
export const theCall = (i = 0) => engine.agents[i]?.call as NonNullable<FakeUserAgent['call']>;

export const incoming = (body: string): IncomingCall & { log: string[] } => {
  const log: string[] = [];
  return {
    ...noteWithin(log),
    log,
    callId: 'in',
    direction: 'INCOMING',
    replacesValue: '',
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
