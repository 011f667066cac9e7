/** One of the two calls that a B2BUA creates from one: its dialog, and the requests and responses in it (RFC 3261, 12). */

import { cseqOf, header, methodOf, repeated, type SipText, uriIn, writeSip } from '../behaving/sip-text.ts';
import type { UdpAddress } from './media-relay.ts';

export type LegWire = { readonly address: string; readonly port: number; send(text: string, to: UdpAddress): void };

let made = 0;
const unique = (): string => `${process.pid.toString(36)}x${(++made).toString(36)}`;

/** The leg that the caller has created. */
export class CalledLeg {
  readonly callId: string;
  readonly invite: SipText;
  readonly #wire: LegWire;
  readonly #from: UdpAddress;
  readonly #tag = `b${unique()}`;
  /** Sent again for a retransmitted INVITE. */
  #last = '';
  #cseq = 0;

  constructor(wire: LegWire, invite: SipText, from: UdpAddress) {
    this.#wire = wire;
    this.invite = invite;
    this.#from = from;
    this.callId = header(invite, 'call-id');
  }

  respond(request: SipText, status: number, reason: string, body = ''): void {
    const { address, port } = this.#wire;
    const headers = [...repeated(request, this.#tag), ['Contact', `<sip:b2bua@${address}:${port}>`] as const];
    const text = writeSip(`SIP/2.0 ${status} ${reason}`, headers, body);
    if (request === this.invite) this.#last = text;
    this.#wire.send(text, this.#from);
  }

  again(): void {
    this.#wire.send(this.#last, this.#from);
  }

  bye(): void {
    const { address, port } = this.#wire;
    const from = header(this.invite, 'to');
    this.#wire.send(
      writeSip(`BYE ${uriIn(header(this.invite, 'contact'))} SIP/2.0`, [
        ['Via', `SIP/2.0/UDP ${address}:${port};branch=z9hG4bK${unique()}`],
        ['Max-Forwards', '70'],
        ['From', `${from};tag=${this.#tag}`],
        ['To', header(this.invite, 'from')],
        ['Call-ID', this.callId],
        ['CSeq', `${++this.#cseq} BYE`],
      ]),
      this.#from,
    );
  }
}

/** The leg that the B2BUA creates: of the caller's it contains only what the INVITE is given. */
export class CallingLeg {
  readonly callId = `${unique()}@b2bua`;
  readonly account: string;
  readonly #wire: LegWire;
  readonly #to: UdpAddress;
  readonly #target: string;
  readonly #from: string;
  readonly #branch = `z9hG4bK${unique()}`;
  #toTag = '';
  #contact: string;
  #cseq = 1;

  constructor(wire: LegWire, account: string, target: string, to: UdpAddress, shown: string) {
    this.#wire = wire;
    this.account = account;
    this.#target = target;
    this.#contact = target;
    this.#to = to;
    this.#from = `<sip:${shown}@${wire.address}>;tag=${unique()}`;
  }

  #request(method: string, uri: string, cseq: number, branch: string, body = ''): string {
    const { address, port } = this.#wire;
    const headers = [
      ['Via', `SIP/2.0/UDP ${address}:${port};branch=${branch}`],
      ['Max-Forwards', '70'],
      ['From', this.#from],
      ['To', `<${this.#target}>${this.#toTag && `;tag=${this.#toTag}`}`],
      ['Call-ID', this.callId],
      ['CSeq', `${cseq} ${method}`],
      ['Contact', `<sip:b2bua@${address}:${port}>`],
    ] as const;
    return writeSip(`${method} ${uri} SIP/2.0`, headers, body);
  }

  invite(body: string): void {
    this.#wire.send(this.#request('INVITE', this.#target, 1, this.#branch, body), this.#to);
  }

  cancel(): void {
    this.#wire.send(this.#request('CANCEL', this.#target, 1, this.#branch), this.#to);
  }

  /** For a 2xx in a new transaction, for others in that of the INVITE (RFC 3261, 17.1.1.3). */
  acknowledge(response: SipText, isSuccess: boolean): void {
    this.#toTag = /;\s*tag=([^;>\s]+)/i.exec(header(response, 'to'))?.[1] ?? '';
    if (isSuccess) this.#contact = uriIn(header(response, 'contact')) || this.#target;
    const [uri, branch] = isSuccess ? [this.#contact, `z9hG4bK${unique()}`] : [this.#target, this.#branch];
    this.#wire.send(this.#request('ACK', uri, cseqOf(response), branch), this.#to);
  }

  bye(): void {
    this.#wire.send(this.#request('BYE', this.#contact, ++this.#cseq, `z9hG4bK${unique()}`), this.#to);
  }

  answer(request: SipText, status: number, reason: string): void {
    if (methodOf(request) !== 'ACK')
      this.#wire.send(writeSip(`SIP/2.0 ${status} ${reason}`, repeated(request, 'b')), this.#to);
  }
}
