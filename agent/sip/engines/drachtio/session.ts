/** The dialogs of drachtio-srf, as calls use them. */
import { isSdpFault } from '@carillon/media/sdp/session-description.ts';
import type { SipAddress, SipFailure, UserAgentOptions } from '../../engine.ts';
import { SUPPORTED_BODY } from '../../message/build.ts';
import { reasonPhrase } from '../../message/reason-phrase.ts';
import { Timed, type TimerWheel } from '../../timer-wheel.ts';
import type { CallingAgent, Leg, LibraryCall, Outcome } from '../library-call.ts';
import type { IncomingLeg, LibraryCallee } from '../library-callee.ts';
import type { LibraryCaller, OutgoingLeg } from '../library-caller.ts';
import type { LibraryHost } from '../library-engine.ts';
import {
  type Auth,
  authOf,
  type Framework,
  type Headers,
  type Request,
  type Responder,
  type SrfDialog,
  type Unacknowledged,
} from './library.ts';

type Reply = { headers: Headers; body?: string };

/** The engine, as its user agents know it. */
export interface DrachtioHost extends LibraryHost {
  readonly wheel: TimerWheel;
  /** Throws where the server is not connected. */
  readonly srf: Framework;
  /** The address at which the server listens for a transport; its first one, if it does not say. */
  listener(transport: string): SipAddress;
}

/** The user agent, as its sessions and its registration know it. */
export interface DrachtioAgent extends CallingAgent {
  readonly engine: DrachtioHost;
  readonly options: UserAgentOptions;
  readonly contactUri: string;
  readonly contactLine: string;
  readonly fromValue: string;
  readonly aorValue: string;
  /** Header lines of requests outside dialogs. */
  readonly ownLines: readonly string[];
  /** The place to which the server sends them; absent: the destination of the Request-URI. */
  readonly proxy: { readonly proxy?: string };
  read(message: { readonly msg: { readonly raw: string } }): Outcome;
  none(reason: string): Outcome;
  lost(reason: string): SipFailure;
  hear(what: () => void): void;
  /** Our description, as requests and responses within dialogs have it. */
  described(body: string): Reply;
  answer(responder: Responder, status: number, reason: string, reply?: Partial<Reply>): void;
  /** Asks, and settles once: by what comes, or when the server has gone. `then`: in place of `over`. */
  whenLost(
    over: (outcome: Outcome) => void,
    ask: (settled: (outcome: Outcome, then?: () => void) => void) => void,
  ): void;
}

abstract class DrachtioLeg implements Leg {
  protected readonly agent: DrachtioAgent;
  protected readonly auth: { auth?: Auth };
  #dialog: SrfDialog | null = null;

  constructor(agent: DrachtioAgent) {
    this.agent = agent;
    this.auth = authOf(agent.options.credentials);
  }

  protected adopt(dialog: SrfDialog, call: LibraryCall & Partial<Pick<LibraryCallee, 'onAck'>>): void {
    const { agent } = this;
    this.#dialog = dialog;
    let offered: string | null = null;
    dialog.on('ack', (ack) =>
      agent.hear(() => {
        const read = agent.read(ack);
        call.onAck?.(read);
        const offer = offered;
        offered = null;
        if (offer !== null && read.source?.sdp) call.onAnswer(offer, read.source.sdp, read.atMs);
      }),
    );
    dialog.on('destroy', (bye) =>
      agent.hear(() => {
        const { source, atMs } = agent.read(bye);
        // The server's own: our 2xx was not acknowledged.
        if (bye.source === 'network') call.onBye(source, atMs);
        else call.onGone();
      }),
    );
    dialog.on('info', (request, responder) => {
      agent.answer(responder, 200, 'OK');
      const { source, atMs } = agent.read(request);
      if (source !== null) agent.hear(() => call.onInfo(source, atMs));
    });
    dialog.on('refer', (_request, responder) => agent.answer(responder, 603, 'Decline'));
    dialog.on('modify', (request, responder) => {
      // The library reports an ACK in the same way; it may have come together with this.
      setImmediate(() =>
        agent.hear(() => {
          const { source, atMs } = agent.read(request);
          const offer = source?.sdp ?? '';
          const answer = offer === '' ? call.ownOffer(atMs) : call.answerTo(offer, atMs);
          if (isSdpFault(answer)) agent.answer(responder, 488, 'Not Acceptable Here');
          else agent.answer(responder, 200, 'OK', agent.described(answer));
          if (offer === '' && typeof answer === 'string') offered = answer;
        }),
      );
    });
  }

  info(contentType: string, body: string, done: (outcome: Outcome) => void): void {
    this.#ask('INFO', contentOf([`Content-Type: ${contentType}`], body), done);
  }

  reInvite(offer: string, done: (outcome: Outcome) => void): void {
    this.#ask('INVITE', this.agent.described(offer), done);
  }

  bye(headers: readonly string[], done: (outcome: Outcome) => void): void {
    this.#ask('BYE', contentOf(headers, ''), done);
  }

  #ask(method: string, content: { headers: Headers; body?: string }, done: (outcome: Outcome) => void): void {
    const { agent } = this;
    const over = (outcome: Outcome): void => agent.hear(() => done(outcome));
    agent.whenLost(over, (settled) =>
      this.#dialog?.request({ method, ...this.auth, ...content }, (error, response) => {
        if (response === undefined) settled(agent.none(error?.message ?? 'it was not sent'));
        else if (response.status >= 200) settled(agent.read(response));
      }),
    );
  }
}

export class UacLeg extends DrachtioLeg implements OutgoingLeg {
  readonly callId: string;
  readonly #call: LibraryCaller;
  readonly #target: string;
  readonly #headers: readonly string[];
  readonly #offer: string;
  #request: Request | null = null;
  #isRinging = false;
  #isGivenUp = false;

  constructor(agent: DrachtioAgent, target: string, headers: readonly string[], offer: string, call: LibraryCaller) {
    super(agent);
    this.callId = agent.engine.identifiers.callId();
    this.#target = target;
    this.#headers = headers;
    this.#offer = offer;
    this.#call = call;
  }

  start(): void {
    const { agent } = this;
    const call = this.#call;
    // Named as the library names them where it repeats them with credentials.
    const own = [
      `From: ${agent.fromValue};tag=${agent.engine.identifiers.tag()}`,
      `To: <${this.#target}>`,
      `call-id: ${this.callId}`,
      'CSeq: 1 INVITE',
    ];
    const type = this.#offer === '' ? [] : [`Content-Type: ${SUPPORTED_BODY}`];
    const { headers, body } = contentOf([...own, ...agent.ownLines, ...this.#headers, ...type], this.#offer);
    const described = body === undefined ? { noAck: true } : { localSdp: body, noAck: false };
    const options = { headers, ...this.auth, ...agent.proxy, ...described };
    const listeners = {
      cbRequest: (_error: Error | null, request?: Request) => {
        this.#request = request ?? null;
        this.#cancelOnce();
      },
      cbProvisional: (response: Parameters<DrachtioAgent['read']>[0]) =>
        agent.hear(() => {
          this.#isRinging = true;
          call.onProgress(agent.read(response));
          this.#cancelOnce();
        }),
    };
    const over = ({ source, atMs, reason }: Outcome): void =>
      agent.hear(() => call.onRejected({ source, atMs, reason }, agent.lost(reason)));
    agent.whenLost(over, (settled) =>
      agent.engine.srf.createUAC(this.#target, options, listeners, (error, answer) => {
        if (answer !== undefined)
          settled(agent.none(''), () => this.#accepted(answer).catch(() => agent.hear(() => call.onGone())));
        else settled(error?.res === undefined ? agent.none(error?.message ?? '') : agent.read(error.res));
      }),
    );
  }

  cancel(): void {
    this.#isGivenUp = true;
    this.#cancelOnce();
  }

  /** Once a provisional response allows it (RFC 3261, 9.1). */
  #cancelOnce(): void {
    if (!this.#isGivenUp || !this.#isRinging || this.#request === null) return;
    const request = this.#request;
    this.#request = null;
    this.agent.hear(() => request.cancel(() => undefined));
  }

  async #accepted(answer: SrfDialog & Unacknowledged): Promise<void> {
    const { agent } = this;
    const call = this.#call;
    if (this.#offer !== '') {
      this.adopt(answer, call);
      agent.hear(() => call.onAccepted(agent.read(answer.res)));
      return;
    }
    const read = agent.read(answer.res);
    const described = call.answerTo(answer.sdp, read.atMs);
    if (isSdpFault(described)) {
      await answer.destroy();
      agent.hear(() => call.onGone());
    } else {
      this.adopt(await answer.ack(textOf(described)), call);
      agent.hear(() => call.onAccepted(read));
    }
  }
}

/** Our 2xx waits for its ACK for 64*T1 (RFC 3261, 13.3.1.4); the server says so by a BYE, if it does. */
const ACK_MS = 32_000;

export class DueCall extends Timed {
  override readonly onDue: () => void;

  constructor(onDue: () => void) {
    super();
    this.onDue = onDue;
  }
}

export class UasLeg extends DrachtioLeg implements IncomingLeg {
  readonly #request: Request;
  readonly #responder: Responder;
  readonly #call: LibraryCallee;

  constructor(agent: DrachtioAgent, request: Request, responder: Responder, call: LibraryCallee) {
    super(agent);
    this.#request = request;
    this.#responder = responder;
    this.#call = call;
    request.on('cancel', (cancel) => agent.hear(() => call.onCancel(agent.read({ msg: { raw: cancel.raw ?? '' } }))));
  }

  progress(status: 180 | 183, body: string): void {
    const content = body === '' ? contentOf([this.agent.contactLine], '') : this.agent.described(body);
    this.agent.answer(this.#responder, status, reasonPhrase(status), content);
  }

  answer(description: string): void {
    const { agent } = this;
    const { headers, body = '' } = agent.described(description);
    const { wheel, clock } = agent.engine;
    wheel.set(new DueCall(() => this.#call.onNoAck()), clock() + ACK_MS);
    agent.engine.srf.createUAS(this.#request, this.#responder, { headers, localSdp: body }, (_error, dialog) =>
      agent.hear(() => (dialog === undefined ? this.#call.onGone() : this.adopt(dialog, this.#call))),
    );
  }

  refuse(status: number, reason: string, headers: readonly string[]): void {
    this.agent.answer(this.#responder, status, reason, contentOf(headers, ''));
  }
}

/** Credentials stand in lines of their own; other fields may share one. */
const ALONE: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization']);

/** Wire text has one character a byte; the library writes UTF-8. */
const textOf = (wire: string): string => Buffer.from(wire, 'latin1').toString('utf8');

/** The headers and the content in the form that the library takes. */
export function contentOf(lines: readonly string[], body: string): { headers: Headers; body?: string } {
  const headers: Headers = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim();
    const value = textOf(line.slice(colon + 1).trim());
    // The library writes values as they are: that is how one name gets several lines.
    const between = ALONE.has(name.toLowerCase()) ? `\r\n${name}: ` : ', ';
    headers[name] = headers[name] === undefined ? value : `${headers[name]}${between}${value}`;
  }
  return body === '' ? { headers } : { headers, body: textOf(body) };
}
