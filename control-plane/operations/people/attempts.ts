/**
 * How often somebody may guess before they are known. Failures count, by account and network. A browser that the person has logged in
 * from has tries of its own: strangers' failures, from wherever, do not keep it out. Where a network or its site has failed often,
 * each account has fewer tries from there, and still some: others may share that address.
 */
import type { Secret } from '@carillon/proto/secret.ts';
import { ApiError } from '../../contract/errors.ts';
import { networkOf, siteOf } from '../../domain/network.ts';
import type { Ports } from '../../ports.ts';
import { peopleOfDevice } from '../../store/people/devices.ts';
import { countAttempt, forgetAttempts, forgetAttemptsOf, uncountAttempt } from '../../store/people/login-windows.ts';
import { userByEmail } from '../../store/people/members.ts';
import { hashOf } from '../request/actor.ts';
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
  /** Codes of a second factor: a guess is right once in 333,333. */
  codes: 10,
};

/** What else helps. */
const RESET = ' Or ask for a link that sets a new password.';
const ELSEWHERE = ` A browser in which you have logged in before is not held up.${RESET}`;

export type Guesser = {
  /** null: no account is named. */
  readonly email: string | null;
  readonly address: string;
  /** What the browser's cookie says; null: it has none. */
  readonly device: Secret | null;
};

export type Guess = {
  /** It was no guess. */
  succeeded(): Promise<void>;
  /** It was not judged: this attempt does not count, those before it still do. */
  withdrawn(): Promise<void>;
};

/**
 * Counted before it is judged: attempts at once are no way around.
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

/** Of somebody who is logged in and proves who they are once more. @throws ApiError RATE_LIMITED */
export async function beginProof(ports: Ports, sessionId: string): Promise<Guess> {
  const count = countingOf(ports);
  await count.require(`session ${sessionId}`, MOST.known, RESET);
  return count.attempt([`session ${sessionId}`]);
}

/**
 * A code after the right password. `place`: a browser or a session that is the person's has tries of its own; null: it is none.
 * @throws ApiError RATE_LIMITED
 */
export async function beginCode(ports: Ports, email: string, place: string | null): Promise<Guess> {
  const count = countingOf(ports);
  const subject = place === null ? `codes of ${email}` : `codes of ${email} by ${place}`;
  await count.require(subject, MOST.codes, '');
  return count.attempt([subject]);
}

/**
 * A link that is none: one more failure of its network. A good link is taken whatever else came from there, for nobody guesses one.
 * @throws ApiError RATE_LIMITED, or what is given
 */
export async function wrongLink(ports: Ports, { address }: Pick<Guesser, 'address'>, error: unknown): Promise<never> {
  await beginAttempt(ports, { email: null, address, device: null });
  throw error;
}

/** A network that asks for mails. @throws ApiError RATE_LIMITED */
export const countRequest = (ports: Ports, address: string): Promise<void> =>
  countingOf(ports).require(`mails for ${networkOf(address)}`, MOST.mails, '');

/** The accounts that the operator lets in again: nothing that was guessed counts any more. */
export const forgetGuesses = ({ database }: Pick<Ports, 'database'>, email: string): Promise<unknown> =>
  forgetAttemptsOf(database.db, email);

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

/** Hashes of passwords at once: the pool of threads that makes them has four, and reads files and names as well. */
const HASHES_AT_ONCE = 2;
const HASHES_WAITING = 32;
const turns = new Turns(HASHES_AT_ONCE, HASHES_WAITING);

/** Makes or compares a hash of a password when it is this network's turn. @throws ApiError RATE_LIMITED */
export const inTurn = <T>(address: string, work: () => Promise<T>): Promise<T> => turns.take(networkOf(address), work);
