/**
 * Passkeys (WebAuthn Level 3): a log-in, or a confirmation, by an authenticator's signature. The authenticator verifies
 * its user (PIN, fingerprint), so a passkey replaces the password and a second factor. It is bound to the name of the
 * public URL.
 */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { ApiError, invalid } from '../../../contract/errors.ts';
import { beginProof, wrongLink } from '../../../limits/attempts.ts';
import { admitted } from '../../../operations/people/admitted.ts';
import { CHALLENGE_SECONDS, challengeEnd, newChallenge } from '../../../operations/people/challenges.ts';
import { noteOwnRefusal } from '../../../operations/people/refusals.ts';
import { conflict, taken } from '../../../operations/request/change.ts';
import { byId, type Context, type Entrance, type Handler, known } from '../../../operations/request/perform.ts';
import { profileOf } from '../../../operations/request/session.ts';
import type { Ports } from '../../../ports.ts';
import type { Tx } from '../../../store/db.ts';
import { newId } from '../../../store/new-id.ts';
import { organizationsOf, userById } from '../../../store/people/members.ts';
import { proveSession } from '../../../store/people/sessions.ts';
import type { AssertionOfPasskey } from '../rows.ts';
import {
  deletePasskey,
  dropTakenChallenges,
  insertPasskey,
  lockPasskey,
  passkeysOf,
  takeChallenge,
  usePasskey,
} from '../store/passkeys.ts';

/**
 * The library is loaded with the first passkey: with its parsers for certificates it is a tenth of what the control
 * plane loads.
 */
const library = () => import('@simplewebauthn/server');

const MAX_PASSKEYS = 20;
/** EdDSA, ES256 and RS256 (RFC 9053) are the algorithms that authenticators have. */
const ALGORITHMS = [-8, -7, -257];
const LOCAL = 'localhost';

/**
 * The name that passkeys are bound to; null: not available. Without a public URL, users are on the host itself.
 * Browsers create no passkeys for addresses, nor without TLS.
 */
export function passkeyHost({ publicUrl }: Ports['settings']): string | null {
  if (publicUrl === null) return LOCAL;
  const { hostname, protocol } = new URL(publicUrl);
  return (protocol === 'https:' || hostname === LOCAL) && isIP(hostname) === 0 && !hostname.startsWith('[')
    ? hostname
    : null;
}

/** @throws ApiError FORBIDDEN */
function requireHost(ports: Ports): string {
  const host = passkeyHost(ports.settings);
  if (host !== null) return host;
  const message = 'Passkeys need a public URL with https and a name, not an address (CARILLON_PUBLIC_URL).';
  throw new ApiError('FORBIDDEN', message);
}

/** The permitted origins; without a public URL, any port of this host. */
function originsOf({ settings }: Ports, clientDataJSON: string): string[] {
  if (settings.publicUrl !== null) return [new URL(settings.publicUrl).origin];
  const { origin } = clientData(clientDataJSON);
  return URL.canParse(origin) && new URL(origin).hostname === LOCAL ? [new URL(origin).origin] : [`http://${LOCAL}`];
}

/** The data signed by the browser; empty if it cannot be parsed. */
function clientData(json: string): { readonly challenge: string; readonly origin: string } {
  try {
    const { challenge, origin } = JSON.parse(Buffer.from(json, 'base64url').toString()) as Record<string, unknown>;
    return { challenge: String(challenge), origin: String(origin) };
  } catch {
    return { challenge: '', origin: '' };
  }
}

const challengeOf = (clientDataJSON: string): Buffer => Buffer.from(clientData(clientDataJSON).challenge, 'base64url');

const LOG_IN = 'passkey log-in';
const proofOf = (sessionId: string): string => `passkey proof ${sessionId}`;
const makingOf = (userId: string): string => `passkey of ${userId}`;

/** False: the challenge is invalid, for another purpose, expired, or already answered. */
async function isTaken(ports: Ports, tx: Tx, purpose: string, clientDataJSON: string): Promise<boolean> {
  const challenge = challengeOf(clientDataJSON);
  const end = challengeEnd(ports, purpose, challenge);
  return end !== null && takeChallenge(tx, createHash('sha256').update(challenge).digest(), end);
}

async function asking(ports: Ports, purpose: string, allowed: Awaited<ReturnType<typeof passkeysOf>>) {
  const { generateAuthenticationOptions } = await library();
  const options: PublicKeyCredentialRequestOptionsJSON = await generateAuthenticationOptions({
    rpID: requireHost(ports),
    challenge: new Uint8Array(newChallenge(ports, purpose)),
    userVerification: 'required',
    timeout: CHALLENGE_SECONDS * 1000,
    allowCredentials: allowed.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      transports: transports as string[],
    })),
  });
  return { options: { ...options } };
}

const refused = () =>
  new ApiError('UNAUTHORIZED', 'This passkey is not known here, or what it has signed is not right.');

/**
 * Returns the owner of the passkey that has answered; its challenge and its count are used up.
 * @throws ApiError UNAUTHORIZED, the same for every reason
 */
async function verified(ports: Ports, tx: Tx, purpose: string, answer: AssertionOfPasskey) {
  const { verifyAuthenticationResponse } = await library();
  const { clientDataJSON } = answer.response;
  if (!(await isTaken(ports, tx, purpose, clientDataJSON))) throw refused();
  const passkey = await lockPasskey(tx, Buffer.from(answer.id, 'base64url'));
  if (!passkey) throw refused();
  const { verified: isRight, authenticationInfo } = await verifyAuthenticationResponse({
    response: answer as AuthenticationResponseJSON,
    expectedChallenge: clientData(clientDataJSON).challenge,
    expectedOrigin: originsOf(ports, clientDataJSON),
    expectedRPID: requireHost(ports),
    requireUserVerification: true,
    credential: {
      id: answer.id,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: Number(passkey.counter),
    },
  }).catch((error: Error) => {
    ports.log.debug({ error: error.message }, 'passkey refused');
    throw refused();
  });
  if (!isRight) throw refused();
  await usePasskey(tx, passkey.id, authenticationInfo.newCounter, ports.now());
  return passkey;
}

export const beginPasskeyLogIn: Entrance<'beginPasskeyLogIn'> = async (ports) => ({
  answer: await asking(ports, LOG_IN, []),
  sessionToken: null,
  deviceToken: null,
});

/** A valid answer is accepted regardless of other failures: signatures cannot be guessed. */
export const logInByPasskey: Entrance<'logInByPasskey'> = async (ports, visitor, { answer }) => {
  const { userId, userName } = await ports.database
    .transaction((tx) => verified(ports, tx, LOG_IN, answer))
    .catch((error: unknown) => wrongLink(ports, visitor, error));
  const [first] = await organizationsOf(ports.database.db, userId);
  if (!first) throw new ApiError('FORBIDDEN', 'You no longer belong to an organization. Ask for an invitation.');
  const session = { userId, organizationId: first.id, name: userName, isStrong: true };
  return ports.database.transaction((tx) => admitted(ports, tx, visitor, 'logInByPasskey', session));
};

export const listPasskeys: Handler<'listPasskeys'> = async ({ ports, actor }, { page, per_page }) => {
  const all = await passkeysOf(ports.database.db, actor.userId);
  return { rows: all.slice((page - 1) * per_page, page * per_page).map(passkeyView), total: all.length };
};

type PasskeyRow = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};
const passkeyView = ({ id, name, createdAt, lastUsedAt }: PasskeyRow) => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

export const beginPasskey: Handler<'beginPasskey'> = async ({ ports, actor: { userId } }) => {
  const { generateRegistrationOptions } = await library();
  const { db } = ports.database;
  const user = await userById(db, userId);
  const has = await passkeysOf(db, userId);
  if (has.length >= MAX_PASSKEYS) throw conflict(`You have ${MAX_PASSKEYS} passkeys. Remove one first.`);
  const options: PublicKeyCredentialCreationOptionsJSON = await generateRegistrationOptions({
    rpName: 'Carillon',
    rpID: requireHost(ports),
    userID: new Uint8Array(Buffer.from(userId)),
    userName: user?.email ?? '',
    userDisplayName: user?.name ?? '',
    challenge: new Uint8Array(newChallenge(ports, makingOf(userId))),
    timeout: CHALLENGE_SECONDS * 1000,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    // The authenticator finds the passkey without a typed name, and answers only with its owner present.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: has.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      transports: transports as string[],
    })),
  });
  return { options: { ...options } };
};

export const addPasskey: Handler<'addPasskey'> = async ({ ports, actor: { userId } }, { name, answer }) => {
  const { verifyRegistrationResponse } = await library();
  const { clientDataJSON, transports = [] } = answer.response;
  const wrong = () => invalid([{ path: ['answer'], message: 'is not what was asked for, or came too late' }]);
  return ports.database.transaction(async (tx) => {
    if (!(await isTaken(ports, tx, makingOf(userId), clientDataJSON))) throw wrong();
    const { registrationInfo } = await verifyRegistrationResponse({
      response: answer as RegistrationResponseJSON,
      expectedChallenge: clientData(clientDataJSON).challenge,
      expectedOrigin: originsOf(ports, clientDataJSON),
      expectedRPID: requireHost(ports),
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch((error: Error) => {
      ports.log.debug({ error: error.message }, 'passkey refused');
      throw wrong();
    });
    if (!registrationInfo) throw wrong();
    const { id: credentialId, publicKey, counter } = registrationInfo.credential;
    const passkey = { id: newId(), name, createdAt: ports.now(), lastUsedAt: null };
    await insertPasskey(tx, {
      ...passkey,
      userId,
      credentialId: Buffer.from(credentialId, 'base64url'),
      publicKey: Buffer.from(publicKey),
      counter,
      transports,
      at: passkey.createdAt,
    }).catch(taken('This passkey is added already.'));
    return passkeyView(passkey);
  });
};

export const removePasskey: Handler<'removePasskey'> = async ({ ports, actor }, { passkeyId }) => {
  const removed = await byId(passkeyId, async () =>
    (await deletePasskey(ports.database.db, actor.userId, passkeyId)) ? true : undefined,
  );
  known('passkey', passkeyId, removed);
  return { id: passkeyId, deleted: true };
};

export const beginPasskeyProof: Handler<'beginPasskeyProof'> = async ({ ports, actor }) => {
  const has = await passkeysOf(ports.database.db, actor.userId);
  if (has.length === 0) throw conflict('You have no passkey.');
  return asking(ports, proofOf(actor.credentialId), has);
};

export const proveMeByPasskey: Handler<'proveMeByPasskey'> = async (context: Context, { answer }) => {
  const { ports, actor } = context;
  const { userId, organizationId, credentialId: sessionId } = actor;
  const attempt = await beginProof(ports, sessionId);
  const proved = await ports.database
    .transaction(async (tx) => {
      const passkey = await verified(ports, tx, proofOf(sessionId), answer);
      if (passkey.userId !== userId) throw refused();
      await proveSession(tx, sessionId, ports.now());
      return profileOf(ports, tx, { userId, organizationId, sessionId });
    })
    .catch(async () => {
      await noteOwnRefusal(context, 'proveMeByPasskey');
      // The code is not UNAUTHORIZED, because the session continues.
      throw invalid([{ path: ['answer'], message: 'does not match a passkey of yours, or the challenge has expired' }]);
    });
  await attempt.succeeded();
  return proved;
};

export const proofByPasskey = async (_ports: Ports, tx: Tx, userId: string) =>
  (await passkeysOf(tx, userId)).length > 0 ? ('PASSKEY' as const) : null;

export const dropOldChallenges = ({ database, now }: Ports): Promise<unknown> =>
  dropTakenChallenges(database.db, now());
