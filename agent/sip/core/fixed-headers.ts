/**
 * Header lines of a user agent that are equal in all messages of a kind. They are put together when they are needed: a
 * user agent of a load sends one INVITE. Those of answers are kept, since a callee sends many.
 */
import type { FixedHeaders } from '../dialog/call-agent.ts';
import { REPLACES } from '../dialog/replaces.ts';
import { clientLines } from '../dialog/within/session-expires.ts';
import { CORRELATION_HEADER, type SignallingOptions } from '../engine.ts';
import { ALLOWED_METHODS } from '../message/methods.ts';
import { type OwnHeader, ownHeaderLines } from '../message/own-headers.ts';
import { inOnePiece } from '../message/own-text.ts';
import { rememberLast } from '../message/remember-last.ts';
import { headerText } from '../message/wire-text.ts';
import type { Vias } from '../transport/readdress.ts';
import type { Core } from './core.ts';

export class Lines implements FixedHeaders {
  readonly via: Vias;
  readonly plain: string;
  readonly response: string;
  private readonly contactUri: string;
  private readonly correlationLine: string;
  private readonly signalling: SignallingOptions;
  private readonly own: readonly OwnHeader[];
  private answerLines: string | null = null;

  /** `correlation`: of INVITEs that create a call, '' for none. */
  constructor(
    core: Pick<Core, 'userAgentName' | 'via'>,
    contactUri: string,
    signalling: SignallingOptions,
    correlation: string,
    own: readonly OwnHeader[],
  ) {
    const { plain, response } = namesOf(core.userAgentName);
    this.via = core.via;
    this.plain = plain;
    this.response = response;
    this.contactUri = contactUri;
    this.correlationLine = correlation === '' ? '' : `${CORRELATION_HEADER}: ${correlation}\r\n`;
    this.signalling = signalling;
    this.own = own;
  }

  get contact(): string {
    return `Contact: <${this.contactUri}>\r\n`;
  }

  get invite(): string {
    return `${this.contact}${abilities(this.signalling)}${this.correlationLine}${this.ownAndPlain('INVITE')}`;
  }

  get register(): string {
    return this.ownAndPlain('REGISTER');
  }

  get bye(): string {
    return this.ownAndPlain('BYE');
  }

  get refresh(): string {
    return `${this.contact}${abilities(this.signalling, false)}${this.plain}`;
  }

  get answer(): string {
    this.answerLines ??= inOnePiece(`${this.contact}${abilities(this.signalling)}${this.response}`);
    return this.answerLines;
  }

  get session(): string {
    const { sessionTimer } = this.signalling;
    if (sessionTimer === null) return '';
    return clientLines(sessionTimer.expiresSeconds, sessionTimer.refresher, sessionTimer.minSeconds);
  }

  private ownAndPlain(method: OwnHeader['method']): string {
    if (this.own.length === 0) return this.plain;
    return [...ownHeaderLines(this.own, method), this.plain].join('\r\n');
  }
}

const namesOf = rememberLast((userAgentName) => {
  const name = headerText(userAgentName);
  return { plain: inOnePiece(`User-Agent: ${name}\r\n`), response: inOnePiece(`Server: ${name}\r\n`) };
});

/** The methods that we take, and the option tags that we announce (RFC 3261, 19.2 and 20.5). */
const abilities = (
  { sessionTimer, reliableProvisional }: SignallingOptions,
  isReliable = reliableProvisional !== 'NONE',
): string => ABILITIES[(sessionTimer === null ? 0 : 1) + (isReliable ? 2 : 0)] as string;

const ABILITIES = [[], ['timer'], ['100rel'], ['timer', '100rel']].map((tags) =>
  inOnePiece(`Allow: ${ALLOWED_METHODS}\r\nSupported: ${[REPLACES, ...tags].join(', ')}\r\n`),
);
