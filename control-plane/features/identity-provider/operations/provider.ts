/**
 * A log-in through the installation's identity provider. It identifies a person; membership is decided here. Only an
 * address verified by the provider counts, and no account is created. An account with a password must be linked by its
 * owner, after a log-in with it: otherwise an account created by another person under this address would become theirs.
 */
import { createHmac } from 'node:crypto';
import type { Secret } from '@carillon/proto/base/secret.ts';
import type { Input } from '../../../contract/catalogue.ts';
import { ApiError } from '../../../contract/errors.ts';
import { secondsAfter } from '../../../domain/seconds-after.ts';
import { beginProof, wrongLink } from '../../../limits/attempts.ts';
import { admitted, knownDevice } from '../../../operations/people/admitted.ts';
import { challengeEnd, newChallenge } from '../../../operations/people/challenges.ts';
import { noteOwnRefusal } from '../../../operations/people/refusals.ts';
import { requireCode } from '../../../operations/people/second-factor.ts';
import { hashOf } from '../../../operations/request/actor.ts';
import { conflict, taken } from '../../../operations/request/change.ts';
import type { Context, Entrance, Handler } from '../../../operations/request/perform.ts';
import { newToken, profileOf } from '../../../operations/request/session.ts';
import type { Ports } from '../../../ports.ts';
import type { Tx } from '../../../store/db.ts';
import { insertAuditEntry } from '../../../store/people/audit.ts';
import { organizationsOf, userByEmail, userById } from '../../../store/people/members.ts';
import { proveSession } from '../../../store/people/sessions.ts';
import type { IdentityProvider, LoginRequest } from '../ports.ts';
import {
  deleteIdentity,
  dropSignIns,
  finishSignIn,
  identityOf,
  insertIdentity,
  keepSignIn,
  keptSignIn,
  type SignIn,
  touchIdentity,
  userOfIdentity,
} from '../store/identities.ts';

/** The time from the first step to the last: people type passwords and codes at the provider. */
const SIGN_IN_SECONDS = 600;

const LOG_IN = 'sign-in';
const proofOf = (sessionId: string): string => `provider proof ${sessionId}`;
const connectingOf = (sessionId: string): string => `connecting ${sessionId}`;

/** @throws ApiError FORBIDDEN */
function requireProvider({ provider }: Ports): IdentityProvider {
  if (provider !== null) return provider;
  throw conflict('This installation has no identity provider (CARILLON_OIDC_ISSUER).');
}

const forbidden = (message: string): ApiError => new ApiError('FORBIDDEN', message);

/**
 * The request is bound to the browser that keeps the secret: what the provider has to send back is derived from the
 * secret, and is not stored.
 */
function loginRequestOf(secret: Secret, state: string, fresh: boolean): LoginRequest {
  const key = hashOf(secret);
  const drawn = (what: string) => createHmac('sha256', key).update(what).digest('base64url');
  return { state, nonce: drawn('nonce'), verifier: drawn('verifier'), fresh };
}
/**
 * The key of what is kept after the provider's answer. It differs from the key of loginRequestOf, whose output the
 * provider and its log see.
 */
const keyOf = (secret: Secret, purpose: string): Buffer =>
  createHmac('sha256', hashOf(secret)).update(`kept for ${purpose}`).digest();
const boundTo = (secret: Secret, purpose: string): string => `${purpose} ${keyOf(secret, purpose).toString('hex')}`;

async function begin(ports: Ports, purpose: string, fresh: boolean): Promise<{ url: string; secret: string }> {
  const provider = requireProvider(ports);
  const secret = newToken();
  const state = newChallenge(ports, boundTo(secret, purpose), SIGN_IN_SECONDS).toString('base64url');
  const url = await provider.begin(loginRequestOf(secret, state, fresh)).catch((error: unknown) => {
    throw away(ports, provider, error);
  });
  return { url, secret: secret.reveal() };
}

function away({ log }: Ports, { name }: IdentityProvider, error: unknown): ApiError {
  const { message, cause } = error as Error;
  log.warn({ provider: name, error: message, cause: (cause as Error | undefined)?.message }, 'identity provider');
  return forbidden(
    `${name} could not be asked who you are, or its answer is not right. The control plane's log says why.`,
  );
}

type Answer = Pick<Input<'signIn'>, 'secret' | 'parameters' | 'code'>;

/** The provider's result; it is requested once, and kept for the code that follows. @throws ApiError */
async function signInOf(
  ports: Ports,
  { secret, parameters }: Answer,
  purpose: string,
  fresh: boolean,
): Promise<SignIn> {
  const provider = requireProvider(ports);
  const { db } = ports.database;
  const key = keyOf(secret, purpose);
  const kept = await keptSignIn(db, key, ports.now());
  if (kept?.isDone) throw over();
  if (kept) return kept;
  const given = new URLSearchParams(parameters.reveal());
  const state = given.get('state') ?? '';
  if (challengeEnd(ports, boundTo(secret, purpose), Buffer.from(state, 'base64url')) === null) throw over();
  const refusal = given.get('error');
  if (refusal !== null)
    throw forbidden(`${provider.name} has not let you in: ${shown(given.get('error_description') ?? refusal)}`);
  const person = await provider
    .finish(given.toString(), loginRequestOf(secret, state, fresh))
    .catch((error: unknown) => {
      throw away(ports, provider, error);
    });
  await keepSignIn(db, key, person, secondsAfter(ports.now(), SIGN_IN_SECONDS));
  return person;
}

const over = () => forbidden('This log-in was begun in another browser, is used, or is too old. Begin again.');

/** Limits untrusted text. */
const shown = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, ' ').slice(0, 200);

export const beginSignIn: Entrance<'beginSignIn'> = async (ports) => ({
  answer: await begin(ports, LOG_IN, false),
  sessionToken: null,
  deviceToken: null,
});

export const signIn: Entrance<'signIn'> = async (ports, visitor, input) => {
  const { db } = ports.database;
  const { name: providerName } = requireProvider(ports);
  const person = await signInOf(ports, input, LOG_IN, false).catch((error: unknown) =>
    wrongLink(ports, visitor, error),
  );
  const user = await member(ports, providerName, person);
  if (!person.isStrong) {
    const place = await knownDevice(ports, visitor, user.email);
    const whose = { userId: user.id, email: user.email, code: input.code };
    await requireCode(ports, { ...whose, place: place && `browser ${place}` });
  }
  const [first] = await organizationsOf(db, user.id);
  if (!first) throw forbidden('You no longer belong to an organization. Ask for an invitation.');
  return ports.database.transaction(async (tx) => {
    if (!(await finishSignIn(tx, keyOf(input.secret, LOG_IN)))) throw over();
    if (user.isNew)
      await connect(ports, tx, person, user, { actor: user.name, via: 'LOGIN', address: visitor.address });
    await touchIdentity(tx, person.issuer, person.subject, ports.now());
    const whose = { userId: user.id, organizationId: first.id, name: user.name, isStrong: person.isStrong };
    return admitted(ports, tx, visitor, 'signIn', whose);
  });
};

type Member = { readonly id: string; readonly name: string; readonly email: string; readonly isNew: boolean };

/** The local user. `isNew`: not linked to the provider so far. @throws ApiError FORBIDDEN */
async function member(ports: Ports, provider: string, { issuer, subject, email }: SignIn): Promise<Member> {
  const { db } = ports.database;
  const knownId = await userOfIdentity(db, issuer, subject);
  if (knownId !== undefined) {
    const known = await userById(db, knownId);
    const account = known && (await userByEmail(db, known.email));
    if (!account || account.suspendedAt) throw forbidden('Your account is suspended.');
    return { ...account, isNew: false };
  }
  if (email === null) throw forbidden(`${provider} has verified no e-mail address of yours.`);
  const account = await userByEmail(db, email);
  if (!account || account.suspendedAt)
    throw forbidden(`Nobody has the address ${email} here. Ask to be invited, or log in as somebody else.`);
  if (await identityOf(db, account.id, issuer))
    throw forbidden(
      `The account ${email} is connected with somebody else at ${provider}. Log in otherwise and disconnect it.`,
    );
  if (account.passwordHash !== null)
    throw forbidden(
      `The account ${email} has a password. Log in by it once, and connect it with ${provider} in your account.`,
    );
  return { ...account, isNew: true };
}

type By = { readonly actor: string; readonly via: 'LOGIN' | 'SESSION'; readonly address: string };

async function connect(
  ports: Ports,
  tx: Tx,
  { issuer, subject, email }: SignIn,
  user: Pick<Member, 'id' | 'email'>,
  by: By,
) {
  const at = ports.now();
  const identity = { issuer, subject, userId: user.id, email: email ?? user.email, at };
  await insertIdentity(tx, identity).catch(taken('This account, or this person there, is connected already.'));
  // An operation within a session is audited like every other operation.
  if (by.via === 'SESSION') return;
  for (const { id: organizationId } of await organizationsOf(tx, user.id))
    await insertAuditEntry(tx, {
      ...by,
      organizationId,
      userId: user.id,
      action: 'connectIdentity',
      target: { email: identity.email },
      at,
    });
}

export const getIdentity: Handler<'getIdentity'> = async ({ ports, actor }) => {
  const found = ports.provider && (await identityOf(ports.database.db, actor.userId, ports.provider.issuer));
  if (!found) return { identity: null };
  const { email, createdAt, lastUsedAt } = found;
  return { identity: { email, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt.toISOString() } };
};

export const beginConnecting: Handler<'beginConnecting'> = ({ ports, actor }) =>
  begin(ports, connectingOf(actor.credentialId), false);

export const connectIdentity: Handler<'connectIdentity'> = async (context, input) => {
  const { ports, actor, address } = context;
  const { userId, organizationId, credentialId: sessionId } = actor;
  const { name } = requireProvider(ports);
  const purpose = connectingOf(sessionId);
  const person = await signInOf(ports, input, purpose, false);
  const user = await userById(ports.database.db, userId);
  if (!user || person.email !== user.email)
    throw forbidden(`${name} has not verified the address ${user?.email}: it is ${person.email ?? 'none'} there.`);
  return ports.database.transaction(async (tx) => {
    if (!(await finishSignIn(tx, keyOf(input.secret, purpose)))) throw over();
    await connect(ports, tx, person, user, { actor: user.name, via: 'SESSION', address });
    return profileOf(ports, tx, { userId, organizationId, sessionId });
  });
};

export const disconnectIdentity: Handler<'disconnectIdentity'> = async ({ ports, actor: { userId } }) => {
  const { issuer, name } = requireProvider(ports);
  if (!(await deleteIdentity(ports.database.db, userId, issuer))) throw conflict(`You are not connected with ${name}.`);
  return { id: userId, deleted: true };
};

export const beginProviderProof: Handler<'beginProviderProof'> = ({ ports, actor }) =>
  begin(ports, proofOf(actor.credentialId), true);

export const proveMeByProvider: Handler<'proveMeByProvider'> = async (context, input) => {
  const { ports, actor } = context;
  const { userId, organizationId, credentialId: sessionId } = actor;
  const { db } = ports.database;
  const purpose = proofOf(sessionId);
  const attempt = await beginProof(ports, sessionId);
  const person = await signInOf(ports, input, purpose, true).catch((error: unknown) => refused(context, error));
  if ((await userOfIdentity(db, person.issuer, person.subject)) !== userId)
    return refused(context, forbidden('That is somebody else than you are here.'));
  const user = await userById(db, userId);
  if (!person.isStrong && user) {
    const whose = { userId, email: user.email, place: `session ${sessionId}`, code: input.code };
    await requireCode(ports, whose, attempt).catch((error: unknown) => refused(context, error));
  }
  await attempt.succeeded();
  return ports.database.transaction(async (tx) => {
    if (!(await finishSignIn(tx, keyOf(input.secret, purpose)))) throw over();
    await proveSession(tx, sessionId, ports.now());
    return profileOf(ports, tx, { userId, organizationId, sessionId });
  });
};

async function refused(context: Context, error: unknown): Promise<never> {
  if (!(error instanceof ApiError && error.code === 'CODE_REQUIRED'))
    await noteOwnRefusal(context, 'proveMeByProvider');
  throw error;
}

export const proofByProvider = async ({ provider }: Ports, tx: Tx, userId: string) =>
  provider !== null && (await identityOf(tx, userId, provider.issuer)) ? ('PROVIDER' as const) : null;

export const dropOldSignIns = ({ database, now }: Ports): Promise<unknown> => dropSignIns(database.db, now());
