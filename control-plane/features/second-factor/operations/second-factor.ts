/**
 * A second factor: time-based codes from an authenticator, and single-use recovery codes for a lost device. A user with
 * a second factor enters a code after the password, at each log-in and confirmation. API keys and agents are not
 * affected.
 */
import { Secret } from '@carillon/proto/base/secret.ts';
import { Secret as Base32 } from 'otpauth';
import { invalid } from '../../../contract/errors.ts';
import type { AccountCommand, SentCode } from '../../../hooks.ts';
import { forgetGuesses } from '../../../limits/attempts.ts';
import { hashOf } from '../../../operations/request/actor.ts';
import { changing, conflict } from '../../../operations/request/change.ts';
import type { Handler } from '../../../operations/request/perform.ts';
import type { Ports } from '../../../ports.ts';
import type { Tx } from '../../../store/db.ts';
import { insertAuditEntry } from '../../../store/people/audit.ts';
import { organizationsOf, userByEmail, userById } from '../../../store/people/members.ts';
import { secondFactorOf } from '../../../store/people/second-factors.ts';
import { deleteOtherSessions } from '../../../store/people/sessions.ts';
import { newTotpSecret, stepOfCode, totpUrl } from '../domain/totp.ts';
import { beginCode } from '../limits/codes.ts';
import {
  confirmSecret,
  deleteSecondFactor,
  offerSecret,
  replaceRecoveryCodes,
  takeRecoveryCode,
  takeStep,
  totpSecretOf,
} from '../store/second-factors.ts';

const RECOVERY_CODES = 10;
/** 80 bits cannot be searched, even with the hashes. */
const RECOVERY_CODE_BYTES = 10;

const WRONG = 'is not right, or was used before. Each code works once; wait for the next one';

/** @throws ApiError VALIDATION_ERROR at `code`, RATE_LIMITED */
export async function takeCode(ports: Ports, { userId, email, place, code }: SentCode): Promise<void> {
  const guess = await beginCode(ports, email, place);
  if (!(await isRight(ports.database.db, userId, code, ports.now()))) throw wrongCode();
  await guess.succeeded();
}

const wrongCode = () => invalid([{ path: ['code'], message: WRONG }]);

/** Users may type a code in groups, and in upper or lower case. */
const typed = (code: Secret): string => code.reveal().replaceAll(/[\s-]/g, '').toUpperCase();

async function isRight(tx: Tx, userId: string, code: Secret, at: Date): Promise<boolean> {
  const text = typed(code);
  if (!/^\d{6}$/.test(text)) return takeRecoveryCode(tx, userId, hashOf(new Secret(text)));
  const secret = await totpSecretOf(tx, userId, 'secret');
  const step = secret && stepOfCode(secret, text, at.getTime());
  return step !== null && takeStep(tx, userId, step);
}

/** An active secret stays active until the new one is confirmed. */
export const offerSecondFactor = changing<'offerSecondFactor'>(async ({ actor: { userId } }, tx) => {
  const user = await userById(tx, userId);
  const secret = newTotpSecret();
  await offerSecret(tx, userId, secret);
  return { secret: secret.reveal(), url: totpUrl(secret, user?.email ?? '') };
});

export const confirmSecondFactor: Handler<'confirmSecondFactor'> = async ({ ports, actor }, { code }) => {
  const { userId, credentialId } = actor;
  const { db } = ports.database;
  const secret = await totpSecretOf(db, userId, 'offered');
  if (!secret) throw notOffered();
  const user = await userById(db, userId);
  const guess = await beginCode(ports, user?.email ?? '', `session ${credentialId}`);
  const step = stepOfCode(secret, typed(code), ports.now().getTime());
  if (step === null) {
    const message = 'is not what the authenticator shows. Is the clock of its device right?';
    throw invalid([{ path: ['code'], message }]);
  }
  await guess.succeeded();
  return ports.database.transaction(async (tx) => {
    if (!(await confirmSecret(tx, userId, step, ports.now()))) throw notOffered();
    await deleteOtherSessions(tx, userId, credentialId);
    return { recoveryCodes: await newRecoveryCodes(tx, userId) };
  });
};

const notOffered = () => conflict('No second factor waits to be confirmed. Begin again.');

export const renewRecoveryCodes = changing<'renewRecoveryCodes'>(async ({ actor: { userId } }, tx) => {
  if (!(await secondFactorOf(tx, userId))) throw none();
  return { recoveryCodes: await newRecoveryCodes(tx, userId) };
});

export const removeSecondFactor = changing<'removeSecondFactor'>(async ({ actor: { userId } }, tx) => {
  const strict = (await organizationsOf(tx, userId)).find((o) => o.needsSecondFactor);
  if (strict) throw conflict(`${strict.name} requires a second factor of its members. You can set up another device.`);
  if (!(await deleteSecondFactor(tx, userId))) throw none();
  return { id: userId, deleted: true };
});

const none = () => conflict('You have no second factor.');

/** The codes have the format in which they are shown once. */
async function newRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => new Base32({ size: RECOVERY_CODE_BYTES }).base32);
  const hashes = codes.map((code) => hashOf(new Secret(code)));
  await replaceRecoveryCodes(tx, userId, hashes);
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join('-'));
}

/** For the operator: the user then logs in by the password only. False: unknown address, or no second factor. */
export async function takeAwaySecondFactor(
  { database, now }: Pick<Ports, 'database' | 'now'>,
  email: string,
): Promise<boolean> {
  const user = await userByEmail(database.db, email);
  if (!user) return false;
  const taken = await database.transaction(async (tx) => {
    if (!(await deleteSecondFactor(tx, user.id))) return false;
    const entry = { userId: user.id, actor: 'operator', via: 'OPERATOR' as const, action: 'removeSecondFactor' };
    for (const { id: organizationId } of await organizationsOf(tx, user.id))
      await insertAuditEntry(tx, { ...entry, organizationId, target: { email }, address: '', at: now() });
    return true;
  });
  if (taken) await forgetGuesses({ database }, email);
  return taken;
}

export const REMOVE: AccountCommand = {
  help: `remove-second-factor takes its authenticator and its recovery codes away: it logs in by the password only. Be sure
  that it is its owner who asks for this.`,
  async act(operator, email) {
    if (!(await takeAwaySecondFactor(operator, email)))
      throw new Error(`No account has the address ${email}, or the account has no second factor.`);
    const advice = 'The account logs in by its password only, and can set up another device.';
    return { result: `The second factor of ${email} is removed.`, advice };
  },
};
