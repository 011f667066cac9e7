/**
 * Resets a password by a link, mailed or printed by the operator's command. A link works once, for a short time. The
 * answer does not reveal whether an account exists: it is always the same, and only the owner gets mail.
 */
import type { Secret } from '@carillon/proto/base/secret.ts';
import { calledAs } from '../../../called-as.ts';
import { ApiError } from '../../../contract/errors.ts';
import { secondsAfter } from '../../../domain/seconds-after.ts';
import type { AccountCommand } from '../../../hooks.ts';
import { forgetGuesses, wrongLink } from '../../../limits/attempts.ts';
import { inTurn } from '../../../limits/turns.ts';
import { noteEntry, rememberDevice } from '../../../operations/people/admitted.ts';
import { mailsLinks } from '../../../operations/people/invitation-mail.ts';
import { hashPassword } from '../../../operations/people/password.ts';
import { requireStrong } from '../../../operations/people/strength.ts';
import { addressWith, hashOf } from '../../../operations/request/actor.ts';
import type { Entrance } from '../../../operations/request/perform.ts';
import { newToken } from '../../../operations/request/session.ts';
import type { Ports } from '../../../ports.ts';
import type { Tx } from '../../../store/db.ts';
import { insertAuditEntry } from '../../../store/people/audit.ts';
import { forgetDevices } from '../../../store/people/devices.ts';
import { organizationsOf, setPassword, userByEmail } from '../../../store/people/members.ts';
import { deleteSessionsOf } from '../../../store/people/sessions.ts';
import { passwordMail } from '../domain/password-mail.ts';
import { countRequest, mayMail } from '../limits/mails.ts';
import {
  deletePasswordLinks,
  dropPasswordLinks,
  insertPasswordLink,
  lockPasswordLink,
} from '../store/password-links.ts';

const MAILED_LINK_SECONDS = 30 * 60;
const PRINTED_LINK_SECONDS = 60 * 60;

export const requestPassword: Entrance<'requestPassword'> = async (ports, visitor, { email }) => {
  if (!mailsLinks(ports)) {
    const message = 'This installation sends no mail (SMTP_URL, CARILLON_PUBLIC_URL). Its operator can create a link';
    throw new ApiError('FORBIDDEN', `${message}: ${calledAs('account')} reset EMAIL.`);
  }
  await countRequest(ports, visitor.address);
  // The owner of the address is looked up later: the answer takes the same time for every address.
  await ports.jobs.enqueue(ports.database.db, 'password.mail', { email });
  return { answer: { sent: true }, sessionToken: null, deviceToken: null };
};

/** Sends the link if an account has this address. */
export async function mailPassword(ports: Ports, { email }: { readonly email: string }): Promise<void> {
  const { mail } = ports;
  const { publicUrl } = ports.settings;
  if (mail === null || publicUrl === null) return;
  const { db } = ports.database;
  const user = await userByEmail(db, email);
  if (!user?.passwordHash || user.suspendedAt) return;
  if (!(await mayMail(ports, user.id))) return;
  const token = newToken();
  await insertPasswordLink(db, hashOf(token), user.id, secondsAfter(ports.now(), MAILED_LINK_SECONDS));
  const text = passwordMail({ name: user.name, url: linkOf(publicUrl, token), minutes: MAILED_LINK_SECONDS / 60 });
  const fault = await mail.send({ id: hashOf(token).toString('hex').slice(0, 32), to: email, ...text });
  if (fault !== null) ports.log.warn({ error: fault.error }, 'a link for a new password could not be mailed');
}

/**
 * Makes, for the operator, a link that sets this user's password, and removes all limits by failures.
 * @returns null: unknown address, or the account is suspended
 */
export async function printPasswordLink(
  { database, now }: Pick<Ports, 'database' | 'now'>,
  email: string,
  baseUrl: string,
): Promise<string | null> {
  const { db } = database;
  const user = await userByEmail(db, email);
  if (!user || user.suspendedAt) return null;
  const token = newToken();
  const at = now();
  await insertPasswordLink(db, hashOf(token), user.id, secondsAfter(at, PRINTED_LINK_SECONDS));
  await forgetGuesses({ database }, email);
  const entry = { userId: user.id, actor: 'operator', via: 'OPERATOR' as const, action: 'makePasswordLink', at };
  for (const { id: organizationId } of await organizationsOf(db, user.id))
    await insertAuditEntry(db, { ...entry, organizationId, target: { email }, address: '' });
  return linkOf(baseUrl, token);
}

export const RESET: AccountCommand = {
  help: `reset prints a link that sets a new password for this account. The link works once and expires after one hour.
  Failed attempts are forgotten. The sessions of the account end when the link is used.`,
  async act(operator, email, baseUrl) {
    const link = await printPasswordLink(operator, email, baseUrl);
    if (link === null) throw new Error(`No account has the address ${email}, or the account is suspended.`);
    return { result: link, advice: 'Open this link within one hour. It works once. Do not share it.' };
  },
};

/** The token follows the #, so that no server and no log sees it. */
const linkOf = (baseUrl: string, token: Secret): string =>
  addressWith(`${baseUrl.replace(/\/+$/, '')}/password#`, token);

/**
 * Ends everything of the user: sessions, other links, known browsers. It starts no session, because a second factor is
 * still required.
 */
export const setNewPassword: Entrance<'setNewPassword'> = async (ports, visitor, { token, password }) => {
  const hash = hashOf(token);
  // This precedes the hashing of the password, which is expensive.
  const { name, email } = await ports.database
    .transaction((tx) => requireLink(ports, tx, hash))
    .catch((error: unknown) => wrongLink(ports, visitor, error));
  await requireStrong(password, [name, email], 'password');
  const passwordHash = await inTurn(visitor.address, () => hashPassword(password, ports.settings.passwordCost));
  const done = await ports.database.transaction(async (tx) => {
    const user = await requireLink(ports, tx, hash);
    await setPassword(tx, user.id, passwordHash);
    await deletePasswordLinks(tx, user.id);
    await deleteSessionsOf(tx, user.id);
    await forgetDevices(tx, user.id);
    const deviceToken = await rememberDevice(ports, tx, { ...visitor, device: null }, user.id);
    for (const { id: organizationId } of await organizationsOf(tx, user.id)) {
      await noteEntry(ports, tx, visitor, 'setNewPassword', { userId: user.id, organizationId, name: user.name });
    }
    return { answer: { email: user.email }, sessionToken: null, deviceToken };
  });
  await forgetGuesses(ports, done.answer.email);
  return done;
};

async function requireLink(ports: Ports, tx: Tx, hash: Buffer) {
  const user = await lockPasswordLink(tx, hash, ports.now());
  if (user) return user;
  throw new ApiError('FORBIDDEN', 'This link is used or expired. Ask for another one.');
}

export const dropOldLinks = ({ database, now }: Ports): Promise<unknown> => dropPasswordLinks(database.db, now());
