/**
 * The door between drachtio-srf and the server. The library sends ACKs, CANCELs and credentials on its own, and shows few of them:
 * here each message is seen, for the trace, and asked about, for the host's policy, before the server gets it. A frame is
 * `length#id|what|…`, CRLF, and the SIP message (drachtio-server, client.cpp).
 */
import { Socket } from 'node:net';
import { parseNameAddress } from '../../message/name-address.ts';
import { parseMessage } from '../../message/parse.ts';
import type { SipMessage } from '../../message/sip-message.ts';

/** The place to which a message went, or from which it came, as the server says. */
export type ServerPlace = { readonly protocol: string; readonly address: string; readonly port: number };
/** What wants to go. `within`: of a dialog, whose next hop `uri` is; `answers`: the request that a response is for. */
export type Leaving = {
  readonly message: SipMessage;
  readonly uri: string;
  readonly within: boolean;
  readonly answers: { readonly request: SipMessage; readonly place: ServerPlace } | null;
};

export interface DoorKeeper {
  /** `route`: where it goes instead, '' for where it says. A text: why it may not go. */
  ask(leaving: Leaving, done: (verdict: { readonly route: string } | string) => void): void;
  onMessage(direction: 'SENT' | 'RECEIVED', message: SipMessage, place: ServerPlace): void;
}

const HASH = 35;

export class ServerDoor extends Socket {
  readonly #server: Socket;
  readonly #keeper: DoorKeeper;
  #toServer: Buffer = Buffer.alloc(0);
  #toLibrary: Buffer = Buffer.alloc(0);
  /** Requests that wait for our response, by transaction. */
  readonly #heard = new Map<string, NonNullable<Leaving['answers']>>();
  /** Next hops, by dialog; a route set never changes (RFC 3261, 12.2). */
  readonly #hops = new Map<string, { readonly uri: string; readonly isRoute: boolean }>();

  constructor(server: Socket, keeper: DoorKeeper) {
    super();
    this.#server = server;
    this.#keeper = keeper;
    server.on('data', (bytes: Buffer) => {
      this.#toLibrary = framesOf(Buffer.concat([this.#toLibrary, bytes]), (frame) => this.#hear(frame));
      this.push(bytes);
    });
  }

  override setKeepAlive(): this {
    return this;
  }

  override _read(): void {
    // Whatever comes is pushed.
  }

  /** A socket gets text as it is. */
  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: () => void): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    this.#toServer = framesOf(Buffer.concat([this.#toServer, bytes]), (frame) => this.#say(frame));
    done();
  }

  override _writev(chunks: { chunk: Buffer | string; encoding: BufferEncoding }[], done: () => void): void {
    for (const { chunk, encoding } of chunks) this._write(chunk, encoding, () => undefined);
    done();
  }

  override _final(done: () => void): void {
    this.#server.end();
    done();
  }

  #say(frame: string): void {
    const [head, text] = headOf(frame);
    const [id = '', what, transaction = '', dialog = '', route = ''] = head.split('|');
    const message = what === 'sip' ? parseMessage(text) : null;
    if (message === null) {
      this.#server.write(framed(frame));
      return;
    }
    const within = dialog !== '';
    const uri = this.#hops.get(dialog)?.uri ?? (route || message.requestUri);
    const answers = message.isRequest ? null : (this.#heard.get(transaction) ?? null);
    this.#keeper.ask({ message, uri, within, answers }, (verdict) => {
      if (this.#server.destroyed) return;
      if (typeof verdict === 'string') {
        // The library listens for the result once it has written.
        queueMicrotask(() => this.push(framed(`0|response|${id}|NOK|${verdict}`)));
      } else {
        const to = verdict.route || route;
        this.#server.write(framed(`${id}|sip|${transaction}|${dialog}${to && `|${to}`}\r\n${text}`));
      }
    });
  }

  #hear(frame: string): void {
    const [head, text] = headOf(frame);
    const [, what, ...words] = head.split('|');
    const isSent = what === 'response';
    const message = what === 'sip' || isSent ? parseMessage(text) : null;
    if (message === null) return;
    // A frame about what we sent has two words more: its id, and OK.
    const [source, , protocol = '', address = '', port, , transaction = '', dialog = ''] = words.slice(isSent ? 2 : 0);
    const place = { protocol, address, port: Number(port) };
    const request = isSent ? this.#heard.get(transaction)?.request : message;
    if (dialog !== '' && request !== undefined) this.#follow(dialog, request);
    if (!isSent && message.isRequest) this.#heard.set(transaction, { request: message, place });
    if (isSent) this.#keeper.onMessage('SENT', message, place);
    else if (source === 'network') this.#keeper.onMessage('RECEIVED', message, place);
    if (isSent && message.status >= 200) this.#heard.delete(transaction);
    if (message.method === 'BYE') this.#hops.delete(dialog);
  }

  /** The peer's message leads the requests of this dialog (RFC 3261, 12.1 and 12.2). */
  #follow(dialog: string, message: SipMessage): void {
    const isLeading = message.method === 'INVITE' && (message.isRequest || message.status < 300);
    if (!isLeading || this.#hops.get(dialog)?.isRoute) return;
    const routes = message.isRequest && message.toTag !== '' ? [] : message.headerMembers('record-route');
    const route = message.isRequest ? routes[0] : routes.at(-1);
    const uri = parseNameAddress(route ?? message.header('contact') ?? '')?.uri;
    if (uri !== undefined) this.#hops.set(dialog, { uri, isRoute: route !== undefined });
  }
}

/** Whole frames are taken, one character a byte; returns the rest. */
function framesOf(bytes: Buffer, take: (frame: string) => void): Buffer {
  let rest = bytes;
  for (let at = rest.indexOf(HASH); at > 0; at = rest.indexOf(HASH)) {
    const length = Number(rest.toString('latin1', 0, at));
    // Nonsense is the library's to find.
    if (!(length > 0)) return Buffer.alloc(0);
    const end = at + 1 + length;
    if (rest.length < end) break;
    take(rest.toString('latin1', at + 1, end));
    rest = rest.subarray(end);
  }
  return rest;
}

function headOf(frame: string): readonly [head: string, text: string] {
  const end = frame.indexOf('\r\n');
  return end < 0 ? [frame, ''] : [frame.slice(0, end), frame.slice(end + 2)];
}

const framed = (frame: string): Buffer => Buffer.from(`${frame.length}#${frame}`, 'latin1');
