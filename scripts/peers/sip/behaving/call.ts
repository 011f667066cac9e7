/** One call of the behaving peer: the callee's dialog (RFC 3261, 12 to 15), and when its media begin and end. */
import type { Behaviour } from './behaviour.ts';
import { type BehavingMedia, type MediaLog, unixMs } from './media.ts';
import { type Offered, readSdp, wantsMedia, writeSdp } from './sdp.ts';
import { cseqOf, header, methodOf, nameOf, repeated, type SipText, statusOf, uriIn, writeSip } from './sip-text.ts';

export type CallMessage = { readonly atMs: number; readonly sent: boolean; readonly name: string };

export type PeerCallLog = MediaLog & {
  readonly user: string;
  readonly callId: string;
  /** Address that the INVITE came from. */
  readonly from: string;
  /** `INVITE`, `200 INVITE`, … with retransmissions. Unix ms. */
  readonly messages: CallMessage[];
  /** When the first ACK came, Unix ms; NaN: none. */
  acknowledgedAtMs: number;
  /** When the BYE of either end was written or came, Unix ms; NaN: none. */
  byeAtMs: number;
  endedBy: 'PEER' | 'CALLER' | null;
  /** Where REFER pointed; at most one. */
  readonly referTo: string[];
};

export type CallHost = {
  readonly address: string;
  readonly port: number;
  /** Address of the other end. */
  readonly peer: string;
  send(text: string): void;
  /** The call gets no further packets. */
  forget(): void;
};

/** Timers A, E and G of RFC 3261, doubled up to `T2_MS`; at most this often. */
const T1_MS = 500;
const T2_MS = 4000;
const RETRIES = 10;

export class BehavingCall {
  readonly log: PeerCallLog;
  readonly #host: CallHost;
  readonly #behaviour: Behaviour;
  readonly #media: BehavingMedia;
  readonly #invite: SipText;
  readonly #tag: string;
  /** Null: the INVITE had no offer, and the ACK contains the answer. */
  #offered: Offered | null;
  /** Of our last descriptions. */
  #version = 1;
  /** The last response to the INVITE of each CSeq. */
  readonly #responses = new Map<number, string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Messages that are retransmitted until they are answered, by name. */
  readonly #pending = new Set<string>();
  #cseq = 0;
  #state: 'RINGING' | 'ANSWERED' | 'UP' | 'OVER' = 'RINGING';

  constructor(host: CallHost, invite: SipText, tag: string, behaviour: Behaviour, media: BehavingMedia) {
    this.#host = host;
    this.#behaviour = behaviour;
    this.#media = media;
    this.#invite = invite;
    this.#tag = tag;
    this.#offered = invite.body === '' ? null : readSdp(invite.body);
    const user = /^sips?:([^@;]*)@/.exec(invite.start.split(' ')[1] ?? '')?.[1] ?? '';
    this.log = Object.assign(media.log, {
      user,
      callId: header(invite, 'call-id'),
      from: host.peer,
      messages: [],
      acknowledgedAtMs: Number.NaN,
      byeAtMs: Number.NaN,
      endedBy: null,
      referTo: [],
    });
    if (this.#offered) media.aim(this.#offered);
    if (behaviour.closedPort) media.close();
  }

  /** Everything in the dialog, including the first INVITE. */
  receive(message: SipText): void {
    this.#note(false, message);
    const method = methodOf(message);
    if (method === '') this.#receiveResponse(message);
    else if (method === 'INVITE') this.#receiveInvite(message);
    else if (method === 'ACK') this.#acknowledged(message);
    else if (method === 'BYE') this.#receiveBye(message);
    else if (method === 'CANCEL') this.#receiveCancel(message);
    else if (method === 'REFER') this.#receiveRefer(message);
    else this.#respond(message, 200, 'OK');
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#pending.clear();
    if (!this.#behaviour.closedPort) this.#media.close();
  }

  #receiveInvite(invite: SipText): void {
    const before = this.#responses.get(cseqOf(invite));
    if (before !== undefined) this.#host.send(before);
    else if (cseqOf(invite) !== cseqOf(this.#invite)) this.#answerAgain(invite);
    else this.#ring();
  }

  #ring(): void {
    const { earlyMedia, answersAfterMs = 0 } = this.#behaviour;
    this.#respond(this.#invite, 100, 'Trying');
    if (earlyMedia) {
      this.#respond(this.#invite, 183, 'Session Progress', this.#description());
      this.#media.begin(this.#behaviour);
    } else this.#respond(this.#invite, 180, 'Ringing');
    if (answersAfterMs === 0) this.#answer();
    else this.#after(answersAfterMs, () => this.#answer());
  }

  #answer(): void {
    if (this.#state !== 'RINGING') return;
    this.#state = 'ANSWERED';
    const answer = this.#respond(this.#invite, 200, 'OK', this.#description());
    this.#repeat('200', answer, T1_MS);
  }

  #description(): string {
    const { address } = this.#host;
    const end = { address, rtpPort: this.#media.rtpPort, version: this.#version };
    return writeSdp(end, this.#offered, this.#behaviour.answer ?? {});
  }

  /** The other end changes the session: accepted. */
  #answerAgain(invite: SipText): void {
    if (invite.body !== '') {
      this.#offered = readSdp(invite.body);
      this.#media.aim(this.#offered);
      this.#media.pause(!wantsMedia(this.#offered));
    }
    this.#version += 1;
    this.#repeat('200', this.#respond(invite, 200, 'OK', this.#description()), T1_MS);
  }

  #acknowledged(ack: SipText): void {
    this.#pending.delete('200');
    if (this.#state !== 'ANSWERED') return;
    this.#state = 'UP';
    this.log.acknowledgedAtMs = unixMs();
    if (this.#offered === null && ack.body !== '') {
      this.#offered = readSdp(ack.body);
      this.#media.aim(this.#offered);
    }
    const { closedPort, earlyMedia, hangsUp, forgetsAfterMs, holds } = this.#behaviour;
    if (!closedPort && !earlyMedia) this.#media.begin(this.#behaviour);
    if (hangsUp) {
      const hangUp = (): void => this.#hangUp(hangsUp.reason);
      if ('when' in hangsUp) void hangsUp.when.then(hangUp);
      else this.#after(hangsUp.afterMs, hangUp);
    }
    if (forgetsAfterMs !== undefined) this.#after(forgetsAfterMs, () => this.#host.forget());
    if (!holds) return;
    this.#after(holds.fromMs, () => this.#changeSession(holds.direction));
    this.#after(holds.untilMs, () => this.#changeSession('sendrecv'));
  }

  #receiveBye(bye: SipText): void {
    this.#respond(bye, 200, 'OK');
    this.#over('CALLER');
  }

  #receiveCancel(cancel: SipText): void {
    this.#respond(cancel, 200, 'OK');
    if (this.#state !== 'RINGING') return;
    this.#respond(this.#invite, 487, 'Request Terminated');
    this.#over('CALLER');
  }

  /** RFC 3515, 2.4.4: an accepted one is reported, from its first NOTIFY to the last. */
  #receiveRefer(refer: SipText): void {
    const { referred } = this.#behaviour;
    if (this.log.referTo.length > 0) return;
    this.log.referTo.push(uriIn(header(refer, 'refer-to')));
    this.#respond(refer, referred?.status ?? 200, referred?.reason ?? 'OK');
    for (const line of referred?.told ?? []) {
      const isLast = line !== '100 Trying';
      this.#request('NOTIFY', `SIP/2.0 ${line}\r\n`, [
        ['Event', 'refer'],
        ['Subscription-State', isLast ? 'terminated;reason=noresource' : 'active;expires=60'],
        ['Content-Type', 'message/sipfrag;version=2.0'],
      ]);
    }
  }

  #hangUp(reason: string | undefined): void {
    if (this.#state !== 'UP') return;
    const bye = this.#request('BYE', '', reason === undefined ? [] : [['Reason', reason]]);
    this.#over('PEER');
    this.#repeat('BYE', bye, T1_MS);
  }

  #over(by: 'PEER' | 'CALLER'): void {
    if (this.#state === 'OVER') return;
    this.#state = 'OVER';
    this.log.endedBy = by;
    this.log.byeAtMs = unixMs();
    this.#media.end();
    this.#pending.clear();
  }

  #changeSession(direction: 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'): void {
    if (this.#state !== 'UP') return;
    this.#version += 1;
    this.#media.pause(direction !== 'sendrecv');
    const { address } = this.#host;
    const end = { address, rtpPort: this.#media.rtpPort, version: this.#version };
    this.#repeat('INVITE', this.#request('INVITE', writeSdp(end, this.#offered, { direction }), []), T1_MS);
  }

  #receiveResponse(response: SipText): void {
    const [, name = ''] = nameOf(response).split(' ');
    this.#pending.delete(name);
    if (name === 'INVITE' && statusOf(response) >= 200 && statusOf(response) < 300)
      this.#request('ACK', '', [], cseqOf(response));
  }

  #respond(request: SipText, status: number, reason: string, body = ''): string {
    const { address, port } = this.#host;
    const contact = ['Contact', `<sip:${this.log.user}@${address}:${port}>`] as const;
    const text = writeSip(`SIP/2.0 ${status} ${reason}`, [...repeated(request, this.#tag), contact], body);
    if (methodOf(request) === 'INVITE' && status > 100) this.#responses.set(cseqOf(request), text);
    this.#send(text, `${status} ${methodOf(request)}`);
    return text;
  }

  /** Within the dialog: From and To change places. */
  #request(method: string, body: string, more: SipText['headers'], cseq = ++this.#cseq): string {
    const { address, port } = this.#host;
    const { callId, user } = this.log;
    const text = writeSip(
      `${method} ${uriIn(header(this.#invite, 'contact'))} SIP/2.0`,
      [
        ['Via', `SIP/2.0/UDP ${address}:${port};branch=z9hG4bK-${method}-${cseq}-${this.#tag}`],
        ['Max-Forwards', '70'],
        ['From', `${header(this.#invite, 'to')};tag=${this.#tag}`],
        ['To', header(this.#invite, 'from')],
        ['Call-ID', callId],
        ['CSeq', `${cseq} ${method}`],
        ['Contact', `<sip:${user}@${address}:${port}>`],
        ...more,
      ],
      body,
    );
    this.#send(text, method);
    return text;
  }

  #send(text: string, name: string): void {
    this.log.messages.push({ atMs: unixMs(), sent: true, name });
    this.#host.send(text);
  }

  #repeat(name: string, text: string, waitMs: number, left = RETRIES): void {
    this.#pending.add(name);
    if (left === 0) return;
    this.#after(waitMs, () => {
      if (!this.#pending.has(name)) return;
      this.#send(text, name);
      this.#repeat(name, text, Math.min(T2_MS, waitMs * 2), left - 1);
    });
  }

  #after(ms: number, then: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      then();
    }, ms);
    this.#timers.add(timer);
  }

  #note(sent: boolean, message: SipText): void {
    this.log.messages.push({ atMs: unixMs(), sent, name: nameOf(message) });
  }
}
