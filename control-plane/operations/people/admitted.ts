/** Completes a log-in: starts the session, remembers the browser, and logs it. */
import type { Secret } from '@carillon/proto/base/secret.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { insertAuditEntry } from '../../store/people/audit.ts';
import { peopleOfDevice, putDevice } from '../../store/people/devices.ts';
import { noteEntered, userByEmail } from '../../store/people/members.ts';
import { hashOf } from '../request/actor.ts';
import type { Visitor } from '../request/perform.ts';
import { beginSession, newToken, profileOf } from '../request/session.ts';

type Person = { readonly userId: string; readonly organizationId: string; readonly name: string };

/** `isStrong`: the log-in required more than a password. */
export async function admitted(
  ports: Ports,
  tx: Tx,
  visitor: Visitor,
  action: string,
  { name, ...whose }: Person & { readonly isStrong?: boolean },
) {
  const { token, id } = await beginSession(ports, tx, visitor, whose);
  await noteEntered(tx, whose.userId, ports.now());
  const deviceToken = await rememberDevice(ports, tx, visitor, whose.userId);
  await noteEntry(ports, tx, visitor, action, { ...whose, name });
  return { answer: await profileOf(ports, tx, { ...whose, sessionId: id }), sessionToken: token, deviceToken };
}

/** A known device token is kept, because several people may use one browser. An unknown token is never adopted. */
export async function rememberDevice(ports: Ports, tx: Tx, { device }: Visitor, userId: string): Promise<Secret> {
  const isOurs = device !== null && (await peopleOfDevice(tx, hashOf(device))).length > 0;
  const token = isOurs ? device : newToken();
  await putDevice(tx, hashOf(token), userId, ports.now());
  return token;
}

/** The browser's token with this account, if it has logged in there before; null: it has not. */
export async function knownDevice(
  { database: { db } }: Ports,
  { device }: Pick<Visitor, 'device'>,
  email: string,
): Promise<string | null> {
  if (device === null) return null;
  const hash = hashOf(device);
  const user = await userByEmail(db, email);
  return user && (await peopleOfDevice(db, hash)).includes(user.id) ? `${hash.toString('base64')} of ${user.id}` : null;
}

export const noteEntry = (
  ports: Ports,
  tx: Tx,
  { address }: Visitor,
  action: string,
  { userId, organizationId, name }: Person,
): Promise<unknown> =>
  insertAuditEntry(tx, {
    organizationId,
    userId,
    actor: name,
    via: 'LOGIN',
    action,
    target: {},
    address,
    at: ports.now(),
  });
