/** The INVITE phase at the caller on virtual time: calls in whose early dialogs a test begins. */
import { PLAIN_SIGNALLING, type SignallingOptions } from '../../sip/engine.ts';
import { CallLog, type ResponseParts, responseTo, SDP, VirtualEngine } from './virtual.ts';
import { CONTACT, TARGET } from './virtual-call.ts';

export const OURS = SDP('sendrecv', '192.0.2.1');

class EarlyLog extends CallLog {
  readonly early: [string, string, boolean][] = [];
  onEarlyMedia = (local: string, remote: string, reliable: boolean): void => {
    this.early.push([local, remote, reliable]);
    this.events.push(`early ${reliable ? 'settled' : 'preview'}`);
  };
  answerWith: string | null = OURS;
  onDelayedOffer = () => this.answerWith ?? { fault: 'NO_AUDIO' as const, reason: 'no audio' };
}

export function calling(signalling: Partial<SignallingOptions> = {}, offer = OURS, engine = {}) {
  const virtual = new VirtualEngine(engine);
  const log = new EarlyLog();
  const agent = virtual.agent({ signalling: { ...PLAIN_SIGNALLING, ...signalling } });
  const call = agent.invite(TARGET, offer, log);
  return { virtual, log, call, invite: virtual.take('INVITE') };
}

export const RELIABLE = { reliableProvisional: 'SUPPORTED' } as const;

export const reliably = (invite: string, status: number, rseq: number, parts: ResponseParts = {}): string =>
  responseTo(invite, status, 'Progress', {
    contact: CONTACT,
    ...parts,
    headers: ['Require: 100rel', `RSeq: ${rseq}`, ...(parts.headers ?? [])],
  });

/** A proxy's challenge of any request. */
export const CHALLENGED = ['Proxy-Authenticate: Digest realm="r", nonce="n", qop="auth"'];
export const DEMAND = 'Proxy Authentication Required';
