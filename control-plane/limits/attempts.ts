/**
 * Limits failed log-ins, by account and network. A browser with an earlier log-in has a separate limit, so that others'
 * failures do not lock it out. After many failures in a network or its site, each account has fewer attempts from
 * there, but still some, because addresses may be shared.
 */
import { ApiError } from '../contract/errors.ts';
import { networkOf, siteOf } from '../domain/network.ts';
import type { Ports } from '../ports.ts';
import { countAttempt, forgetAttempts, forgetAttemptsOf, uncountAttempt } from '../store/people/windows.ts';
import { LIMITS, type RequestLimit } from './limits.ts';
import { forgetRefusals } from './repeated-refusals.ts';
import { windowAt } from './windows.ts';

/** The alternatives that a refused user has. */
const others = ({ hooks }: Ports): string =>
  hooks.map(({ lostPassword }) => (lostPassword ? ` ${lostPassword.advice}` : '')).join('');
const elsewhere = (ports: Ports): string =>
  ` A browser in which you have logged in before is not held up.${others(ports)}`;

export type Guesser = {
  /** Null: no account is named. */
  readonly email: string | null;
  readonly address: string;
  /** The browser, if this account has logged in there before; null: unknown. */
  readonly known: string | null;
};

/** An attempt is counted before the check, so that parallel attempts do not bypass the limit. */
export class LogInAttempt {
  readonly #db: Ports['database']['db'];
  readonly #window: ReturnType<typeof windowAt>;
  readonly #counted: string[] = [];
  #forgiven = '';

  constructor({ database, now }: Ports) {
    this.#db = database.db;
    this.#window = windowAt(now().getTime(), LIMITS.network.withinMs);
  }

  /** Counts the attempt, and returns the number in the window. */
  count(subject: string): Promise<number> {
    this.#counted.push(subject);
    return countAttempt(this.#db, subject, this.#window.start);
  }

  /** @throws ApiError RATE_LIMITED */
  async require(subject: string, { max }: RequestLimit, otherwise = ''): Promise<this> {
    if ((await this.count(subject)) > max) throw this.refusal(otherwise);
    return this;
  }

  /** A success deletes all earlier failures of this subject; for the other subjects it uncounts only this attempt. */
  forgiving(subject: string): this {
    this.#forgiven = subject;
    return this;
  }

  refusal(otherwise = ''): ApiError {
    const { secondsLeft } = this.#window;
    const message = `Too many failed attempts. Try again in ${Math.ceil(secondsLeft / 60)} min.${otherwise}`;
    return new ApiError('RATE_LIMITED', message, [], secondsLeft);
  }

  /** The attempt was not a failure. */
  async succeeded(): Promise<void> {
    if (this.#forgiven !== '') await forgetAttempts(this.#db, this.#forgiven);
    await this.#uncount(this.#counted.filter((subject) => subject !== this.#forgiven));
  }

  /** The attempt was not judged: it does not count, but earlier ones still do. */
  withdrawn(): Promise<void> {
    return this.#uncount(this.#counted);
  }

  async #uncount(subjects: readonly string[]): Promise<void> {
    for (const subject of subjects) await uncountAttempt(this.#db, subject, this.#window.start);
  }
}

/** @throws ApiError RATE_LIMITED */
export async function beginAttempt(ports: Ports, { email, address, known }: Guesser): Promise<LogInAttempt> {
  if (known !== null) return beginFor(ports, `device ${known}`, LIMITS.knownBrowser, others(ports));
  const attempt = new LogInAttempt(ports);
  const network = networkOf(address);
  const ofNetwork = await attempt.count(`network ${network}`);
  const ofSite = await attempt.count(`site ${siteOf(address)}`);
  const failsOften = ofNetwork > LIMITS.network.max || ofSite > LIMITS.site.max;
  if (email === null) {
    if (failsOften) throw attempt.refusal();
    return attempt;
  }
  const fromNetwork = `account ${email} from ${network}`;
  await attempt.require(
    fromNetwork,
    failsOften ? LIMITS.accountFromFailing : LIMITS.accountFromNetwork,
    elsewhere(ports),
  );
  await attempt.require(`account ${email}`, LIMITS.account, elsewhere(ports));
  return attempt.forgiving(fromNetwork);
}

const beginFor = (ports: Ports, subject: string, limit: RequestLimit, otherwise = ''): Promise<LogInAttempt> =>
  new LogInAttempt(ports).forgiving(subject).require(subject, limit, otherwise);

/** An attempt of a logged-in user who confirms their identity. @throws ApiError RATE_LIMITED */
export const beginProof = (ports: Ports, sessionId: string): Promise<LogInAttempt> =>
  beginFor(ports, `session ${sessionId}`, LIMITS.session, others(ports));

/**
 * Counts an invalid link as a failure of its network. A valid link is accepted regardless of other failures, because
 * links cannot be guessed.
 * @throws ApiError RATE_LIMITED, or the given error
 */
export async function wrongLink(ports: Ports, { address }: Pick<Guesser, 'address'>, error: unknown): Promise<never> {
  await beginAttempt(ports, { email: null, address, known: null });
  throw error;
}

/** The operator has reset these accounts: their failures no longer count. */
export function forgetGuesses(ports: Pick<Ports, 'database'>, email: string): Promise<unknown> {
  forgetRefusals(ports);
  return forgetAttemptsOf(ports.database.db, email);
}
