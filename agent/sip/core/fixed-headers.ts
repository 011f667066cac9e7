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

/** The user agent whose lines they are. */
type Described = {
  readonly contactUri: string;
  newContactUri(): string;
  readonly signalling: SignallingOptions;
  /** The header that correlates INVITEs that create a call; '' for none. */
  readonly correlation: string;
  readonly ownHeaders: readonly OwnHeader[];
};

export class Lines implements FixedHeaders {
  readonly #core: Pick<Core, 'userAgentName' | 'via'>;
  readonly #agent: Described;
  #answerLines: string | null = null;

  constructor(core: Pick<Core, 'userAgentName' | 'via'>, agent: Described) {
    this.#core = core;
    this.#agent = agent;
  }

  get via(): Vias {
    return this.#core.via;
  }

  get plain(): string {
    return namesOf(this.#core.userAgentName).plain;
  }

  get response(): string {
    return namesOf(this.#core.userAgentName).response;
  }

  get contact(): string {
    return contactLine(this.#agent.newContactUri());
  }

  get invite(): string {
    const { signalling, correlation } = this.#agent;
    const correlationLine = correlation === '' ? '' : `${CORRELATION_HEADER}: ${correlation}\r\n`;
    return `${this.contact}${abilities(signalling)}${correlationLine}${this.#ownAndPlain('INVITE')}`;
  }

  get register(): string {
    return this.#ownAndPlain('REGISTER');
  }

  get bye(): string {
    return this.#ownAndPlain('BYE');
  }

  get refresh(): string {
    return `${this.contact}${abilities(this.#agent.signalling, false)}${this.plain}`;
  }

  get answer(): string {
    this.#answerLines ??= inOnePiece(
      `${contactLine(this.#agent.contactUri)}${abilities(this.#agent.signalling)}${this.response}`,
    );
    return this.#answerLines;
  }

  get session(): string {
    const { sessionTimer } = this.#agent.signalling;
    if (sessionTimer === null) return '';
    return clientLines(sessionTimer.expiresSeconds, sessionTimer.refresher, sessionTimer.minSeconds);
  }

  #ownAndPlain(method: OwnHeader['method']): string {
    const { ownHeaders } = this.#agent;
    if (ownHeaders.length === 0) return this.plain;
    return [...ownHeaderLines(ownHeaders, method), this.plain].join('\r\n');
  }
}

const contactLine = (uri: string): string => `Contact: <${uri}>\r\n`;

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
