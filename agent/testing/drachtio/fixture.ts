/**
 * A stand-in for drachtio-server: its side of the protocol that drachtio-srf speaks, over minimal SIP (UDP, no
 * retransmissions). Written from the sources of drachtio-server (src/client.cpp, src/sip-dialog-controller.cpp, src/drachtio.h)
 * and of drachtio-srf; it is not a recording: those are in drachtio/. `DRACHTIO_URL` runs the same suite against a real server.
 */
import { randomUUID } from 'node:crypto';
import { createSocket, type Socket as Datagrams } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { parseNameAddress } from '../../sip/message/name-address.ts';
import { parseMessage } from '../../sip/message/parse.ts';
import type { SipMessage } from '../../sip/message/sip-message.ts';
import { parseUri } from '../../sip/message/uri.ts';

type Dialog = {
  readonly id: string;
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  readonly local: string;
  readonly remote: string;
  target: string;
  readonly routes: readonly string[];
  cseq: number;
  inviteCseq: number;
};
type SentRequest = { readonly id: string; readonly request: string; readonly hop: readonly [string, number] };
type Heard = { readonly source: SipMessage; readonly from: readonly [string, number]; toTag: string; last: string };

/** Headers that the server sets itself (isImmutableHdr), or copies from requests. */
const OWN = new Set(['via', 'content-length', 'max-forwards']);
const COPIED = new Set([...OWN, 'from', 'to', 'call-id', 'cseq', 'record-route']);

export class DrachtioFixture {
  readonly port: number;
  readonly address: string;
  readonly sipPort: number;
  readonly #server: Server;
  readonly #datagrams: Datagrams;
  readonly #secret: string;
  #client: Socket | null = null;
  readonly #dialogs = new Map<string, Dialog>();
  /** By branch. */
  readonly #asked = new Map<string, SentRequest>();
  readonly #invites = new Map<string, SentRequest>();
  readonly #heard = new Map<string, Heard>();

  private constructor(server: Server, datagrams: Datagrams, secret: string) {
    this.#server = server;
    this.#datagrams = datagrams;
    this.#secret = secret;
    this.port = (server.address() as { port: number }).port;
    ({ address: this.address, port: this.sipPort } = datagrams.address());
    server.on('connection', (socket) => this.#serve(socket));
    datagrams.on('message', (bytes, { address, port }) => this.#receive(bytes.toString('latin1'), [address, port]));
  }

  static async open(address: string, secret: string): Promise<DrachtioFixture> {
    const datagrams = createSocket('udp4');
    datagrams.bind(0, address);
    await once(datagrams, 'listening');
    const server = createServer();
    server.listen(0, address);
    await once(server, 'listening');
    return new DrachtioFixture(server, datagrams, secret);
  }

  close(): void {
    this.#client?.destroy();
    this.#server.close();
    this.#datagrams.close();
  }

  /** Any text: not only what the protocol allows. */
  say(bytes: string): void {
    this.#client?.write(bytes);
  }

  /** No ACK has come for a call: the server ends it on behalf of its client, and reports this. */
  giveUp(callId: string): void {
    const dialog = [...this.#dialogs.values()].find((one) => one.callId === callId);
    if (dialog === undefined) throw new Error(`no dialog of ${callId}`);
    const text = `BYE ${dialog.target} SIP/2.0\r\nCall-ID: ${callId}\r\nCSeq: 1 BYE\r\nContent-Length: 0\r\n\r\n`;
    this.#dialogs.delete(dialog.id);
    const meta = `application|${text.length}|udp|${this.address}|${this.sipPort}|12:00:00.000000`;
    this.#send(`${randomUUID()}|sip|${meta}|unsolicited|${dialog.id}|\r\n${text}`);
  }

  #serve(socket: Socket): void {
    let text = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      text = Buffer.concat([text, bytes]);
      for (let at = text.indexOf('#'); at > 0; at = text.indexOf('#')) {
        const end = at + 1 + Number(text.toString('latin1', 0, at));
        if (text.length < end) return;
        this.#obey(socket, text.toString('latin1', at + 1, end));
        text = text.subarray(end);
      }
    });
  }

  #send(message: string, socket = this.#client): void {
    socket?.write(Buffer.from(`${message.length}#${message}`, 'latin1'));
  }

  #obey(socket: Socket, frame: string): void {
    const end = frame.indexOf('\r\n');
    const [id = '', what, ...words] = (end < 0 ? frame : frame.slice(0, end)).split('|');
    const reply = (answer: string): void => this.#send(`${randomUUID()}|response|${id}|${answer}`, socket);
    if (what === 'authenticate') {
      const listeners = `udp/${this.address}:${this.sipPort}`;
      if (words[0] !== this.#secret) reply('NO|incorrect secret');
      else {
        this.#client = socket;
        reply(`OK|${listeners}|v0.9.10|${listeners}`);
      }
    } else if (what === 'ping') reply('OK|pong');
    else if (what === 'route') reply('OK');
    else if (what === 'sip') this.#sip(reply, words as [string, string], frame.slice(end + 2));
    else reply('NO|Unknown message type');
  }

  #sip(reply: (answer: string) => void, [transaction, dialogId, route]: readonly string[], text: string): void {
    const [head = '', body = ''] = split(text);
    const [start = '', ...lines] = head.split('\r\n');
    if (start.startsWith('SIP/')) this.#respond(reply, transaction ?? '', start, lines, body);
    else if (dialogId) this.#within(reply, dialogId, start, lines, body);
    else if (transaction) this.#cancel(reply, transaction);
    else this.#outside(reply, start, lines, body, route ?? '');
  }

  #outside(reply: (answer: string) => void, start: string, lines: string[], body: string, route: string): void {
    const [method = '', uri = ''] = start.split(' ');
    const kept = lines.filter((line) => !OWN.has(nameOf(line)));
    const asked = this.#ask(method, uri, kept, body, hopOf(route || uri));
    reply(this.#sent(asked.request, asked.hop, asked.id));
  }

  #within(reply: (answer: string) => void, dialogId: string, start: string, lines: string[], body: string): void {
    const dialog = this.#dialogs.get(dialogId);
    if (dialog === undefined) {
      reply('NOK|unable to find dialog for dialog id provided');
      return;
    }
    const [method = ''] = start.split(' ');
    const cseq = method === 'ACK' ? dialog.inviteCseq : ++dialog.cseq;
    if (method === 'INVITE') dialog.inviteCseq = cseq;
    const own = [
      ...dialog.routes.map((route) => `Route: ${route}`),
      `From: ${dialog.local};tag=${dialog.localTag}`,
      `To: ${dialog.remote};tag=${dialog.remoteTag}`,
      `Call-ID: ${dialog.callId}`,
      `CSeq: ${cseq} ${method}`,
      ...lines.filter((line) => !COPIED.has(nameOf(line))),
    ];
    const hop = hopOf(parseNameAddress(dialog.routes[0] ?? '')?.uri ?? dialog.target);
    const asked = this.#ask(method, dialog.target, own, body, hop);
    reply(this.#sent(asked.request, hop, asked.id));
  }

  #ask(
    method: string,
    uri: string,
    lines: readonly string[],
    body: string,
    hop: readonly [string, number],
  ): SentRequest {
    const branch = `z9hG4bK${randomUUID()}`;
    const via = `Via: SIP/2.0/UDP ${this.address}:${this.sipPort};rport;branch=${branch}`;
    const head = [`${method} ${uri} SIP/2.0`, via, 'Max-Forwards: 70', ...lines, `Content-Length: ${body.length}`];
    const asked = { id: randomUUID(), request: `${head.join('\r\n')}\r\n\r\n${body}`, hop };
    if (method !== 'ACK') this.#asked.set(branch, asked);
    if (method === 'INVITE') this.#invites.set(asked.id, asked);
    this.#datagrams.send(Buffer.from(asked.request, 'latin1'), hop[1], hop[0]);
    return asked;
  }

  #cancel(reply: (answer: string) => void, transaction: string): void {
    const invite = this.#invites.get(transaction);
    if (invite === undefined) {
      reply('NOK|unable to find transaction for cancel');
      return;
    }
    const cancel = derived(invite.request, 'CANCEL');
    this.#datagrams.send(Buffer.from(cancel, 'latin1'), invite.hop[1], invite.hop[0]);
    reply(this.#sent(cancel, invite.hop, randomUUID()));
  }

  #respond(reply: (answer: string) => void, id: string, start: string, lines: string[], body: string): void {
    const heard = this.#heard.get(id);
    if (heard === undefined || /^SIP\/2\.0 [2-6]/.test(heard.last)) {
      reply('NOK|Response not sent due to unknown transaction');
      return;
    }
    const { source } = heard;
    const own = lines.filter((line) => !COPIED.has(nameOf(line)));
    const text = this.#answer(heard, start, own, body);
    const status = Number(start.split(' ')[1]);
    if (source.method === 'INVITE' && status < 300) this.#dialogOf(source, heard.toTag, 'CALLEE');
    const dialogId = this.#dialogIdOf(source);
    reply(this.#sent(text, heard.from, id, `${dialogId}||`));
  }

  /** Sends a response to the received request. */
  #answer(heard: Heard, start: string, lines: readonly string[], body = ''): string {
    const { source } = heard;
    heard.toTag ||= source.toTag || randomUUID();
    const tag = source.toTag === '' && !start.includes(' 100 ') ? `;tag=${heard.toTag}` : '';
    const head = [
      start,
      ...source.headerLines('via').map((via) => `Via: ${via}`),
      ...source.headerLines('record-route').map((route) => `Record-Route: ${route}`),
      `From: ${source.from}`,
      `To: ${source.to}${tag}`,
      `Call-ID: ${source.callId}`,
      `CSeq: ${source.cseqText}`,
      ...lines,
      `Content-Length: ${body.length}`,
    ];
    heard.last = `${head.join('\r\n')}\r\n\r\n${body}`;
    this.#datagrams.send(Buffer.from(heard.last, 'latin1'), heard.from[1], heard.from[0]);
    return heard.last;
  }

  #receive(text: string, from: readonly [string, number]): void {
    const message = parseMessage(text);
    if (message === null) return;
    if (!message.isRequest) this.#response(message, from);
    else if (message.method === 'CANCEL') this.#cancelled(message, from);
    else this.#request(message, from);
  }

  #response(message: SipMessage, from: readonly [string, number]): void {
    const asked = this.#asked.get(message.branch);
    const { method, status } = message;
    if (asked === undefined || method === 'CANCEL') return;
    const dialogId = this.#dialogIdOf(message);
    if (method === 'INVITE') {
      if (status >= 200) this.#invites.delete(asked.id);
      if (status > 100 && status < 300) this.#dialogOf(message, message.fromTag, 'CALLER');
      if (status >= 300) {
        const ack = derived(asked.request, 'ACK', message.to);
        this.#datagrams.send(Buffer.from(ack, 'latin1'), asked.hop[1], asked.hop[0]);
      }
    }
    if (status >= 200) this.#asked.delete(message.branch);
    this.#tell(message, from, asked.id, dialogId);
  }

  #request(message: SipMessage, from: readonly [string, number]): void {
    const known = [...this.#heard.values()].find(
      ({ source }) => source.branch === message.branch && source.method === message.method,
    );
    if (known !== undefined) {
      this.#datagrams.send(Buffer.from(known.last, 'latin1'), from[1], from[0]);
      return;
    }
    const id = randomUUID();
    const heard: Heard = { source: message, from, toTag: '', last: '' };
    const dialog = message.toTag === '' ? undefined : this.#dialogIn(message);
    if (message.method !== 'ACK') this.#heard.set(id, heard);
    if (message.method === 'INVITE') this.#answer(heard, 'SIP/2.0 100 Trying', []);
    if (message.toTag !== '' && dialog === undefined) {
      if (message.method !== 'ACK') this.#answer(heard, 'SIP/2.0 481 Call Does Not Exist', []);
      return;
    }
    if (message.method === 'INVITE' && dialog !== undefined)
      dialog.target = parseNameAddress(message.header('contact') ?? '')?.uri ?? dialog.target;
    this.#tell(message, from, id, dialog?.id ?? '');
  }

  /** The server answers it and the cancelled request, and reports both. */
  #cancelled(message: SipMessage, from: readonly [string, number]): void {
    const found = [...this.#heard].find(
      ([, { source }]) => source.branch === message.branch && source.method === 'INVITE',
    );
    this.#answer({ source: message, from, toTag: '', last: '' }, 'SIP/2.0 200 OK', []);
    if (found === undefined || /^SIP\/2\.0 [2-6]/.test(found[1].last)) return;
    this.#answer(found[1], 'SIP/2.0 487 Request Terminated', []);
    this.#tell(message, from, found[0], '');
  }

  /** The transaction of a message, whichever end has sent it. */
  #dialogIn({ callId, fromTag, toTag }: SipMessage): Dialog | undefined {
    return [...this.#dialogs.values()].find(
      (one) => one.callId === callId && (one.localTag === fromTag || one.localTag === toTag),
    );
  }

  /** By the INVITE: the same for all forks, and for refusals; '' outside of dialogs. */
  #dialogIdOf(message: SipMessage): string {
    const { method, callId, fromTag } = message;
    return this.#dialogIn(message)?.id ?? (method === 'INVITE' ? `${callId};from-tag=${fromTag}` : '');
  }

  #dialogOf(message: SipMessage, localTag: string, side: 'CALLER' | 'CALLEE'): Dialog {
    const remoteTag = side === 'CALLER' ? message.toTag : message.fromTag;
    const id = this.#dialogIdOf(message);
    const bare = (value: string): string => value.replace(/;tag=[^;]*/i, '');
    const routes = message.headerMembers('record-route');
    const isCaller = side === 'CALLER';
    const dialog = this.#dialogs.get(id) ?? {
      id,
      callId: message.callId,
      localTag,
      remoteTag,
      local: bare(isCaller ? message.from : message.to),
      remote: bare(isCaller ? message.to : message.from),
      target: '',
      routes: isCaller ? routes.toReversed() : routes,
      cseq: isCaller ? message.cseq : 0,
      inviteCseq: message.cseq,
    };
    const contact = parseNameAddress(message.header('contact') ?? '')?.uri;
    if (contact !== undefined) dialog.target = contact;
    this.#dialogs.set(id, dialog);
    return dialog;
  }

  /** `SipMsgData_t::toMessageFormat`, the transaction, the dialog. */
  #tell(message: SipMessage, [address, port]: readonly [string, number], id: string, dialogId: string): void {
    // For an ACK it does not report the transport.
    const transport = message.method === 'ACK' && message.isRequest ? '' : 'udp';
    const meta = `network|${message.text.length}|${transport}|${address}|${port}|12:00:00.000000`;
    const receivedOn = message.isRequest && dialogId === '' ? `${this.address}|${this.sipPort}|` : '';
    this.#send(`${randomUUID()}|sip|${meta}|${id}|${dialogId}|${receivedOn}\r\n${message.text}`);
  }

  /** `dialog`: of responses, with the text that follows it. */
  #sent(text: string, [address, port]: readonly [string, number], id: string, dialog = ''): string {
    return `OK|application|${text.length}|udp|${address}|${port}|12:00:00.000000|${id}|${dialog}Msg sent:|\r\n${text}`;
  }
}

const nameOf = (line: string): string => line.slice(0, line.indexOf(':')).trim().toLowerCase();

function split(text: string): [string, string] {
  const at = text.indexOf('\r\n\r\n');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 4)];
}

function hopOf(text: string): readonly [string, number] {
  const uri = parseUri(text);
  if (typeof uri === 'string') throw new Error(`no URI: ${text}`);
  return [uri.host, uri.port || 5060];
}

/** CANCEL, or the ACK to a refusal (RFC 3261, 9.1 and 17.1.1.3). */
function derived(request: string, method: string, to?: string): string {
  const [head] = split(request);
  const [start = '', ...lines] = head.split('\r\n');
  const kept = lines.filter((line) => ['via', 'route', 'from', 'to', 'call-id', 'max-forwards'].includes(nameOf(line)));
  const cseq = lines.find((line) => nameOf(line) === 'cseq') ?? '';
  const own = kept.map((line) => (to !== undefined && nameOf(line) === 'to' ? `To: ${to}` : line));
  return [start.replace(/^\S+/, method), ...own, cseq.replace(/\S+$/, method), 'Content-Length: 0', '', ''].join(
    '\r\n',
  );
}
