/** The sessions of SIP.js, as calls use them. */

import type { SipFailure } from '../../engine.ts';
import { SUPPORTED_BODY } from '../../message/build.ts';
import type { CallingAgent, Leg, LibraryCall, Outcome } from '../library-call.ts';
import type { IncomingLeg, LibraryCallee } from '../library-callee.ts';
import type { LibraryCaller, OutgoingLeg } from '../library-caller.ts';
import {
  type Core,
  type Invitation,
  Inviter,
  type Session,
  SessionState,
  type URI,
  type UserAgent,
} from './library.ts';

type Received = { readonly message: Core.IncomingMessage };

/** The user agent, as its sessions and its registration know it. */
export interface SipJsAgent extends CallingAgent {
  readonly sipJs: UserAgent;
  readonly contactUri: string;
  /** The value of From of requests other than REGISTER; null: the address of record. */
  readonly fromUri: URI | null;
  /** What came for the last REGISTER. */
  readonly lastRegister: Outcome;
  describes(session: Session, call: LibraryCall): void;
  /** Rejects where no server can be reached. */
  ready(): Promise<void>;
  failureOf(error: unknown, message?: Core.IncomingMessage): SipFailure;
  /** A message that the library shows; one that it made itself says that no answer came. */
  read(message: Core.IncomingMessage): Outcome;
  hear(what: () => void): void;
  /** A refusal by the library is seen by its session, or by nothing. */
  settle(promise: Promise<unknown>): void;
}

abstract class SipJsLeg<S extends Session> implements Leg {
  protected readonly agent: SipJsAgent;
  protected readonly session: S;

  constructor(agent: SipJsAgent, session: S, call: LibraryCall & Partial<Pick<LibraryCallee, 'onAck' | 'onCancel'>>) {
    this.agent = agent;
    this.session = session;
    agent.describes(session, call);
    session.delegate = {
      onAck: ({ request }) => agent.hear(() => call.onAck?.(agent.read(request))),
      onCancel: ({ request }) => agent.hear(() => call.onCancel?.(agent.read(request))),
      onBye: (bye) => {
        agent.settle(bye.accept());
        const { source, atMs } = agent.read(bye.request);
        agent.hear(() => call.onBye(source, atMs));
      },
      onInfo: (info) => {
        agent.settle(info.accept());
        const { source, atMs } = agent.read(info.request);
        if (source !== null) agent.hear(() => call.onInfo(source, atMs));
      },
    };
    session.stateChange.addListener((state) => {
      // What explains it is told afterwards.
      if (state === SessionState.Terminated) agent.engine.tell(() => call.onGone());
    });
  }

  info(contentType: string, content: string, done: (outcome: Outcome) => void): void {
    const body = { contentDisposition: 'render', contentType, content };
    this.agent.settle(this.session.info({ requestDelegate: this.#told(done), requestOptions: { body } }));
  }

  reInvite(offer: string, done: (outcome: Outcome) => void): void {
    this.session.invite({ requestDelegate: this.#told(done), withoutSdp: offer === '' }).catch((error: Error) => {
      this.agent.hear(() => done({ source: null, atMs: this.agent.engine.clock(), reason: error.message }));
    });
  }

  bye(headers: readonly string[], done: (outcome: Outcome) => void): void {
    const options = { requestDelegate: this.#told(done), requestOptions: { extraHeaders: [...headers] } };
    this.agent.settle(this.session.bye(options));
  }

  #told(done: (outcome: Outcome) => void) {
    const over = ({ message }: Received): void => this.agent.hear(() => done(this.agent.read(message)));
    return { onAccept: over, onRedirect: over, onReject: over };
  }
}

export class InviterLeg extends SipJsLeg<Inviter> implements OutgoingLeg {
  readonly callId: string;
  readonly #call: LibraryCaller;
  #request: Core.OutgoingInviteRequest | null = null;

  constructor(agent: SipJsAgent, target: URI, headers: readonly string[], offer: string, call: LibraryCaller) {
    const params = agent.fromUri === null ? {} : { fromUri: agent.fromUri };
    const options = { inviteWithoutSdp: offer === '', extraHeaders: [...headers], params };
    super(agent, new Inviter(agent.sipJs, target, options), call);
    this.callId = this.session.request.callId;
    this.#call = call;
  }

  start(): void {
    const { agent } = this;
    agent.ready().then(
      () => this.session.state === SessionState.Initial && this.#invite(),
      (error) => agent.hear(() => this.#call.refuse(agent.failureOf(error))),
    );
  }

  cancel(): void {
    const { state } = this.session;
    if (state === SessionState.Initial || state === SessionState.Establishing) this.agent.settle(this.session.cancel());
    else if (state === SessionState.Terminating) this.#request?.cancel();
  }

  #invite(): void {
    const { agent } = this;
    const call = this.#call;
    const progress = ({ message }: Received): void => agent.hear(() => call.onProgress(agent.read(message)));
    const rejected = ({ message }: Received): void =>
      agent.hear(() => call.onRejected(agent.read(message), agent.failureOf(null, message)));
    const accepted = ({ message }: Received): void => {
      if (this.session.state === SessionState.Established) agent.hear(() => call.onAccepted(agent.read(message)));
    };
    const inviting = this.session.invite({
      requestDelegate: {
        onTrying: progress,
        onProgress: progress,
        onAccept: accepted,
        onRedirect: rejected,
        onReject: rejected,
      },
    });
    agent.settle(
      inviting.then((request) => {
        this.#request = request;
      }),
    );
  }
}

export class InvitationLeg extends SipJsLeg<Invitation> implements IncomingLeg {
  /** The library cannot send a 183 without a description. */
  progress(status: 180 | 183, body: string): void {
    const described = body === '' ? {} : { body: { contentType: SUPPORTED_BODY, body } };
    this.agent.settle(this.session.progress({ statusCode: body === '' ? 180 : status, ...described }));
  }

  answer(): void {
    this.agent.settle(this.session.accept());
  }

  refuse(statusCode: number, reasonPhrase: string, headers: readonly string[]): void {
    this.agent.settle(this.session.reject({ statusCode, reasonPhrase, extraHeaders: [...headers] }));
  }
}
