/** Established calls, from both ends, on virtual time: the initial state of tests of requests within a dialog. */
import type { Call, IncomingCallHandler, SignallingOptions, UserAgent } from '../../sip/engine.ts';
import { PLAIN_SIGNALLING } from '../../sip/engine.ts';
import { CallLog, headerOf, type RequestParts, requestOf, responseTo, SDP, VirtualEngine } from './virtual.ts';
import { CONTACT, TARGET } from './virtual-call.ts';

export const OURS = SDP('sendrecv', '192.0.2.1').replace('o=peer', 'o=-');
export const held = (sdp: string): string => sdp.replace('a=sendrecv', 'a=sendonly');
export const versionOf = (sdp: string): number => Number(/^o=\S+ \S+ (\d+)/m.exec(sdp)?.[1]);
export const ALLOW = 'Allow: INVITE, ACK, BYE, CANCEL, UPDATE';

export type Up = {
  readonly virtual: VirtualEngine;
  /** From the answer on. */
  readonly log: CallLog;
  readonly call: Call;
  readonly agent: UserAgent;
  /** The peer's next request in the dialog. */
  readonly within: (method: string, parts?: RequestParts) => string;
  /** The peer's answer to us, or ours to the peer. */
  readonly ok: string;
  readonly invite: string;
};

export type UpOptions = {
  /** Of the peer's INVITE or 2xx. */
  readonly headers?: string[];
  readonly signalling?: Partial<SignallingOptions>;
  readonly engine?: ConstructorParameters<typeof VirtualEngine>[0];
  /** What happens to incoming calls once this one is established. */
  readonly onIncomingCall?: IncomingCallHandler;
};

/** We called. */
export function calledUp({ headers = [ALLOW], signalling = {}, engine = {}, onIncomingCall }: UpOptions = {}): Up {
  const virtual = new VirtualEngine(engine);
  const log = new CallLog();
  const agent = virtual.agent({
    signalling: { ...PLAIN_SIGNALLING, ...signalling },
    ...(onIncomingCall && { onIncomingCall }),
  });
  const call = agent.invite(TARGET, OURS, log);
  const invite = virtual.take('INVITE');
  const ok = responseTo(invite, 200, 'OK', { contact: CONTACT, body: SDP(), headers });
  virtual.receive(ok);
  virtual.take('ACK');
  log.events.length = 0;
  const ends = { from: headerOf(ok, 'To'), to: headerOf(ok, 'From'), callId: call.callId };
  let cseq = 100;
  const within = (method: string, parts: RequestParts = {}): string =>
    requestOf(method, { ...ends, cseq: method === 'ACK' ? cseq : ++cseq, ...parts });
  return { virtual, log, call, agent, within, ok, invite };
}

/** We were called. */
export function answeredUp({ headers = [ALLOW], signalling = {}, engine = {}, onIncomingCall }: UpOptions = {}): Up {
  const virtual = new VirtualEngine(engine);
  const log = new CallLog();
  let call: Call | null = null;
  const agent = virtual.agent({
    signalling: { ...PLAIN_SIGNALLING, ...signalling },
    onIncomingCall: (incoming) => {
      if (call !== null) return onIncomingCall?.(incoming) ?? null;
      call = incoming;
      incoming.answer(OURS);
      return log;
    },
  });
  const invite = requestOf('INVITE', { body: SDP(), headers });
  virtual.receive(invite);
  const ok = virtual.take('SIP/2.0 200');
  const to = headerOf(ok, 'To');
  let cseq = 1;
  const within = (method: string, parts: RequestParts = {}): string =>
    requestOf(method, { to, cseq: method === 'ACK' ? cseq : ++cseq, ...parts });
  virtual.receive(within('ACK'));
  log.events.length = 0;
  if (call === null) throw new Error('the call was not handed over');
  return { virtual, log, call, agent, within, ok, invite };
}

/** Both ends; what holds for one has to hold for the other. */
export const ENDS: readonly [string, (options?: UpOptions) => Up][] = [
  ['caller', calledUp],
  ['callee', answeredUp],
];

/** The peer accepts our request. */
export function accept({ virtual }: Up, request: string, body = SDP(), headers: string[] = []): string {
  const ok = responseTo(request, 200, 'OK', { contact: CONTACT, body, headers });
  virtual.receive(ok);
  return ok;
}

/** The timers of the wheel, calls and transactions, long after everything has ended. */
export function isLeftClean({ virtual, call }: Up): boolean {
  call.hangUp();
  virtual.advance(1);
  for (const { text } of virtual.sent.splice(0)) {
    if (text.startsWith('BYE')) virtual.receive(responseTo(text, 200, 'OK'));
  }
  virtual.advance(70_000);
  return !virtual.engine.busy;
}
