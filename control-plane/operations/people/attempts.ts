/**
 * Limits failed log-ins, by account and network. A browser with an earlier log-in has a separate limit, so that others'
 * failures do not lock it out. After many failures in a network or its site, each account has fewer attempts from
 * there, but still some, because addresses may be shared.
 */
import type { Secret } from '@carillon/proto/secret.ts';
import { ApiError } from '../../contract/errors.ts';
import { networkOf, siteOf } from '../../domain/network.ts';
import type { Ports } from '../../ports.ts';
import { peopleOfDevice } from '../../store/people/devices.ts';
import { countAttempt, forgetAttempts, forgetAttemptsOf, uncountAttempt } from '../../store/people/login-windows.ts';
import { userByEmail } from '../../store/people/members.ts';
import { hashOf } from '../request/actor.ts';
import { forgetRefusals } from './repeated-refusals.ts';
import { Turns } from './turns.ts';

export const LOGIN_WINDOW_SECONDS = 15 * 60;
/** Failures in a window. */
const MOST = {
  known: 10,
  accountFromNetwork: 10,
  accountFromNetworkThatFails: 3,
  /** From all networks together (NIST SP 800-63B, 3.2.2). */
  account: 100,
  network: 60,
  site: 240,
  mails: 20,
  /** Codes of a second factor: a guess succeeds once in 333,333. */
  codes: 10,
};

/** Alternatives. */
const RESET = ' Or ask for a link that sets a new password.';
const ELSEWHERE = ` A browser in which you have logged in before is not held up.${RESET}`;

export type Guesser = {
  /** null: no account is named. */
  readonly email: string | null;
  readonly address: string;
  /** From the browser's cookie; null: none. */
  readonly device: Secret | null;
};

export type Guess = {
  /** Not a failure. */
  succeeded(): Promise<void>;
  /** It was not judged: this attempt does not count, those before it still do. */
  withdrawn(): Promise<void>;
};

/**
 * Counted before the check, so that parallel attempts do not bypass the limit.
 * @throws ApiError RATE_LIMITED
 */
export async function beginAttempt(ports: Ports, guesser: Guesser): Promise<Guess> {
  const count = countingOf(ports);
  const known = await knownDevice(ports, guesser);
  if (known !== null) {
    await count.require(`device ${known}`, MOST.known, RESET);
    return count.attempt([`device ${known}`]);
  }
  const { email, address } = guesser;
  const [network, site] = [networkOf(address), siteOf(address)];
  const ofNetwork = await count.add(`network ${network}`);
  const ofSite = await count.add(`site ${site}`);
  const failsOften = ofNetwork > MOST.network || ofSite > MOST.site;
  if (email === null) {
    if (failsOften) throw count.refusal('');
    return count.attempt([]);
  }
  const fromNetwork = `account ${email} from ${network}`;
  const most = failsOften ? MOST.accountFromNetworkThatFails : MOST.accountFromNetwork;
  await count.require(fromNetwork, most, ELSEWHERE);
  await count.require(`account ${email}`, MOST.account, ELSEWHERE);
  return count.attempt([fromNetwork]);
}

/** For a logged-in user who confirms the identity. @throws ApiError RATE_LIMITED */
export async function beginProof(ports: Ports, sessionId: string): Promise<Guess> {
  const count = countingOf(ports);
  await count.require(`session ${sessionId}`, MOST.known, RESET);
  return count.attempt([`session ${sessionId}`]);
}

/**
 * A code after the right password. `place`: a known browser or session of the user has a separate limit; null: unknown.
 * @throws ApiError RATE_LIMITED
 */
export async function beginCode(ports: Ports, email: string, place: string | null): Promise<Guess> {
  const count = countingOf(ports);
  const subject = place === null ? `codes of ${email}` : `codes of ${email} by ${place}`;
  await count.require(subject, MOST.codes, '');
  return count.attempt([subject]);
}

/**
 * An invalid link: a failure of its network. A valid link is accepted regardless of other failures, because links
 * cannot be guessed.
 * @throws ApiError RATE_LIMITED, or the given error
 */
export async function wrongLink(ports: Ports, { address }: Pick<Guesser, 'address'>, error: unknown): Promise<never> {
  await beginAttempt(ports, { email: null, address, device: null });
  throw error;
}

/** A network that requests mails. @throws ApiError RATE_LIMITED */
export const countRequest = (ports: Ports, address: string): Promise<void> =>
  countingOf(ports).require(`mails for ${networkOf(address)}`, MOST.mails, '');

/** Accounts reset by the operator: their failures no longer count. */
export function forgetGuesses(ports: Pick<Ports, 'database'>, email: string): Promise<unknown> {
  forgetRefusals(ports);
  return forgetAttemptsOf(ports.database.db, email);
}

/** The hash of the browser's token where this account has logged in there. */
export async function knownDevice(ports: Ports, { email, device }: Omit<Guesser, 'address'>): Promise<string | null> {
  if (email === null || device === null) return null;
  const { db } = ports.database;
  const hash = hashOf(device);
  const user = await userByEmail(db, email);
  return user && (await peopleOfDevice(db, hash)).includes(user.id) ? `${hash.toString('base64')} of ${user.id}` : null;
}

function countingOf(ports: Ports) {
  const { db } = ports.database;
  const nowMs = ports.now().getTime();
  const startMs = nowMs - (nowMs % (LOGIN_WINDOW_SECONDS * 1000));
  const start = new Date(startMs);
  const counted: string[] = [];
  const add = (subject: string): Promise<number> => {
    counted.push(subject);
    return countAttempt(db, subject, start);
  };
  const refusal = (otherwise: string): ApiError => {
    const seconds = Math.max(1, Math.ceil((startMs + LOGIN_WINDOW_SECONDS * 1000 - nowMs) / 1000));
    const message = `Too many failed attempts. Try again in ${Math.ceil(seconds / 60)} min.${otherwise}`;
    return new ApiError('RATE_LIMITED', message, [], seconds);
  };
  return {
    add,
    refusal,
    async require(subject: string, most: number, otherwise: string): Promise<void> {
      if ((await add(subject)) > most) throw refusal(otherwise);
    },
    /** `forgiven`: their earlier failures go with a success; of the others only this attempt does. */
    attempt: (forgiven: readonly string[]): Guess => ({
      async succeeded() {
        for (const subject of counted) {
          if (forgiven.includes(subject)) await forgetAttempts(db, subject);
          else await uncountAttempt(db, subject, start);
        }
      },
      async withdrawn() {
        for (const subject of counted) await uncountAttempt(db, subject, start);
      },
    }),
  };
}

/** Concurrent password hashes: the thread pool has four threads, which also read files and resolve names. */
const HASHES_AT_ONCE = 2;
const HASHES_WAITING = 32;
const turns = new Turns(HASHES_AT_ONCE, HASHES_WAITING);

/** Creates or verifies a password hash when it is this network's turn. @throws ApiError RATE_LIMITED */
export const inTurn = <T>(address: string, work: () => Promise<T>): Promise<T> => turns.take(networkOf(address), work);
