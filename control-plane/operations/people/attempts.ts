/** How often somebody may try before they are known: limited by address, and by account. */
import { ApiError } from '../../contract/errors.ts';
import type { Ports } from '../../ports.ts';
import { countAttempt, forgetAttempts as forget } from '../../store/people/login-windows.ts';
import { networkOf } from './network.ts';

export const LOGIN_WINDOW_SECONDS = 15 * 60;
const ATTEMPTS_OF_ACCOUNT = 10;
/** More people than one may sit behind an address. */
const ATTEMPTS_OF_ADDRESS = 60;

/** An attempt; null: not limited by that. */
type Attempt = { readonly email: string | null; readonly address: string | null };

const account = (email: string) => `account ${email}`;

/**
 * The address first: once it has had its attempts, it takes none of any account's.
 * @throws ApiError RATE_LIMITED once the account or the address has had its attempts
 */
export async function requireRoom(ports: Ports, { email, address }: Attempt): Promise<void> {
  if (address !== null) await count(ports, `address ${networkOf(address)}`, ATTEMPTS_OF_ADDRESS);
  if (email !== null) await count(ports, account(email), ATTEMPTS_OF_ACCOUNT);
}

/** A successful login was no guess. */
export const forgetAttempts = (ports: Ports, email: string): Promise<unknown> =>
  forget(ports.database.db, account(email));

async function count(ports: Ports, subject: string, most: number): Promise<void> {
  const nowMs = ports.now().getTime();
  const startMs = nowMs - (nowMs % (LOGIN_WINDOW_SECONDS * 1000));
  if ((await countAttempt(ports.database.db, subject, new Date(startMs))) <= most) return;
  const seconds = Math.max(1, Math.ceil((startMs + LOGIN_WINDOW_SECONDS * 1000 - nowMs) / 1000));
  const message = `Too many attempts. Try again in ${Math.ceil(seconds / 60)} min.`;
  throw new ApiError('RATE_LIMITED', message, [], seconds);
}
