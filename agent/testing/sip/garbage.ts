/** Messages that no peer should send, seeded so that a bad one can be sent again, and an engine that must survive them. */
import { seeded } from '../../../scripts/peers/seeded.ts';
import type { UserAgent } from '../../sip/engine.ts';
import { isKeepAlive, parseMessage } from '../../sip/message/parse.ts';
import { answering, readMessages } from './torture/read.ts';
import { CallLog, RegistrationLog, requestOf, responseTo, SDP, VirtualEngine } from './virtual.ts';

/** Inserted at the place of a mutation. */
export const PIECES = [
  '',
  '\r\n',
  '\n',
  '\r',
  ' ',
  '\t',
  ';',
  ',',
  ':',
  '"',
  '<',
  '>',
  '=',
  '@',
  '[',
  ']',
  '%',
  '\\',
  '\0',
  '\xff',
  '-1',
  '4294967296',
  '9'.repeat(40),
  'SIP/2.0',
  'z9hG4bK',
  ';tag=',
  'Via: ',
  'Content-Length: 0\r\n',
  '\r\n ',
];

export class SipGarbage {
  readonly #random: () => number;
  readonly #right: string[];

  /** `right`: valid messages; mutations start from one of these. */
  constructor(seed: number, right: readonly string[]) {
    this.#random = seeded(seed);
    this.#right = [...right];
  }

  /** From now on mutations also start from this one; it replaces an older one. */
  learn(text: string, place: number): void {
    this.#right[place] = text;
  }

  next(): string {
    const random = this.#random;
    if (random() < 0.02) return this.#noise();
    let text = this.#pick(this.#right);
    for (let edits = random() < 0.1 ? 0 : 1 + Math.floor(random() * 4); edits > 0; edits--) text = this.#edit(text);
    return text;
  }

  #edit(text: string): string {
    const random = this.#random;
    // Most mutations are in the head, which most code reads.
    const at = Math.floor(random() * Math.min(text.length, random() < 0.8 ? 500 : text.length));
    const cut = Math.floor(random() * (random() < 0.1 ? 200 : 6));
    const fate = random();
    if (fate < 0.5) return text.slice(0, at) + this.#pick(PIECES) + text.slice(at + cut);
    if (fate < 0.7) return text.slice(0, at) + String.fromCharCode(Math.floor(random() * 256)) + text.slice(at + 1);
    if (fate < 0.8) return text.slice(0, at);
    // A line of another message, or of this one.
    const lines = text.split('\n');
    const others = this.#pick(this.#right).split('\n');
    lines.splice(Math.floor(random() * lines.length), random() < 0.5 ? 1 : 0, this.#pick(others));
    return lines.join('\n');
  }

  #noise(): string {
    const bytes = new Uint8Array(Math.floor(this.#random() * 300));
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.#random() * 256;
    return Buffer.from(bytes).toString('latin1');
  }

  #pick(list: readonly string[]): string {
    return list[Math.floor(this.#random() * list.length)] as string;
  }
}

/** Counts of messages by their fate; each message is in one of them. */
export type Fates = {
  answered: number;
  malformed: number;
  unmatched: number;
  /** Strangers' requests whose answers would have been larger, or beyond the limit of their second. */
  withheld: number;
  /** Line ends and zeros. */
  keepAlives: number;
  /** Responses, ACKs, and INVITEs that are repeated after their 2xx (RFC 6026, 7.1): nothing needs to be sent. */
  absorbed: number;
  /** Requests without any effect. Has to be 0. */
  lost: number;
  /** Exceptions that the engine's edge caught. Has to be 0. */
  internalErrors: number;
};

/**
 * Sends `messages` to an engine on virtual time that takes calls, places calls and registers at the same time; one a
 * millisecond, so that the state that it keeps of each expires. `onEvery` is called after each hundred thousand.
 */
export function bombardSip(messages: number, seed: number, onEvery: (sent: number) => void = () => undefined): Fates {
  const virtual: VirtualEngine = new VirtualEngine({ onUnclaimedCall: () => alice });
  const alice = virtual.agent({
    traffic: { onMessage: () => undefined },
    onIncomingCall: (call) => {
      call.ring();
      call.answer(SDP());
      return new CallLog();
    },
  });
  const torture = [...readMessages('rfc4475.txt').values(), ...readMessages('rfc5118.txt').values()];
  const rightNow = ['INVITE', 'BYE', 'CANCEL', 'OPTIONS', 'UPDATE', 'INFO', 'ACK'].map((method) =>
    requestOf(method, { body: method === 'INVITE' ? SDP() : '' }),
  );
  const live = torture.length + rightNow.length;
  const garbage = new SipGarbage(seed, [...torture, ...rightNow, ...Array.from({ length: 8 }, () => '')]);
  const fates: Fates = {
    answered: 0,
    malformed: 0,
    unmatched: 0,
    withheld: 0,
    keepAlives: 0,
    absorbed: 0,
    lost: 0,
    internalErrors: 0,
  };
  const registered: UserAgent[] = [];
  for (let i = 0; i < messages; i++) {
    if (i % 1000 === 0) liven(virtual, { alice, registered }, garbage, torture, live);
    const text = garbage.next();
    const { malformed, unmatched, withheld } = virtual.engine.counters;
    virtual.sent.length = 0;
    virtual.receive(text);
    virtual.nowMs++;
    if (virtual.engine.counters.malformed > malformed) fates.malformed++;
    else if (virtual.engine.counters.unmatched > unmatched) fates.unmatched++;
    else if (virtual.engine.counters.withheld > withheld) fates.withheld++;
    else if (isKeepAlive(text)) fates.keepAlives++;
    else if (virtual.sent.length > 0) fates.answered++;
    else if (needsNoAnswer(text)) fates.absorbed++;
    else fates.lost++;
    if ((i + 1) % 100_000 === 0) onEvery(i + 1);
  }
  fates.internalErrors = virtual.engine.counters.internalErrors;
  const [error] = virtual.errors;
  if (error !== undefined) throw error;
  return fates;
}

/** A call and a registration of ours, whose answers are mutated, too. */
function liven(
  virtual: VirtualEngine,
  { alice, registered }: { readonly alice: UserAgent; readonly registered: UserAgent[] },
  garbage: SipGarbage,
  torture: readonly string[],
  place: number,
): void {
  virtual.sent.length = 0;
  const call = alice.invite('sip:bob@192.0.2.2:5070', SDP(), new CallLog());
  const invite = justSent(virtual, 'INVITE');
  const challenge = 'WWW-Authenticate: Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256';
  garbage.learn(responseTo(invite, 180, 'Ringing'), place);
  garbage.learn(responseTo(invite, 200, 'OK', { contact: '<sip:bob@192.0.2.2>', body: SDP() }), place + 1);
  garbage.learn(responseTo(invite, 401, 'Unauthorized', { headers: [challenge] }), place + 2);
  garbage.learn(answering(torture.find((text) => text.startsWith('SIP/2.0 503')) ?? '', invite), place + 3);
  call.hangUp();
  const agent = virtual.agent({
    contactUser: `r${virtual.nowMs}`,
    traffic: { onMessage: () => undefined },
  });
  agent.register(60, new RegistrationLog());
  const register = justSent(virtual, 'REGISTER');
  garbage.learn(responseTo(register, 200, 'OK', { headers: ['Expires: 60'] }), place + 4);
  garbage.learn(responseTo(register, 401, 'Unauthorized', { headers: [challenge] }), place + 5);
  garbage.learn(responseTo(register, 423, 'Interval Too Brief', { headers: ['Min-Expires: 90'] }), place + 6);
  garbage.learn(responseTo(register, 503, 'Later', { headers: ['Retry-After: 1'] }), place + 7);
  registered.push(agent);
  if (registered.length > 4) registered.shift()?.close();
}

/** The last one: older ones may be retransmitted as well. */
function justSent(virtual: VirtualEngine, method: string): string {
  virtual.engine.turn(virtual.nowMs);
  return virtual.sent.findLast(({ text }) => text.startsWith(method))?.text ?? '';
}

function needsNoAnswer(text: string): boolean {
  const message = parseMessage(text);
  return message === null || !message.isRequest || message.method === 'ACK' || message.method === 'INVITE';
}
