/**
 * The ways to enter: the first owner by the link that the start printed, members by their password, others by
 * invitation. A guess costs as much for an unknown account; limits/attempts.ts limits guesses.
 */
import type { Secret } from '@carillon/proto/base/secret.ts';
import type { CoreName, EntranceName, Input, Output } from '../../contract/catalogue.ts';
import { ApiError, invalid } from '../../contract/errors.ts';
import { atLeast, type Role } from '../../contract/roles.ts';
import { networkOf } from '../../domain/network.ts';
import { slugOf } from '../../domain/project/slug.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import { beginAttempt, type LogInAttempt, wrongLink } from '../../limits/attempts.ts';
import { noteRefusal } from '../../limits/refusals.ts';
import { keepRefusal, repeatedRefusal } from '../../limits/repeated-refusals.ts';
import { inTurn } from '../../limits/turns.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import { deleteInvitation, invitationOf } from '../../store/people/invitations.ts';
import {
  allOrganizations,
  insertUser,
  isInUse,
  lockUserByEmail,
  memberOf,
  organizationsOf,
  projectsAmong,
  setPassword,
  userByEmail,
} from '../../store/people/members.ts';
import { deleteSetupLinks, insertSetupLink, isSetUp, isSetupLink, lockSetup } from '../../store/people/setup-links.ts';
import {
  setProjectMembers,
  upsertMembership,
  upsertOrganization,
  upsertUser,
} from '../../store/project/provision-access.ts';
import { hashOf } from '../request/actor.ts';
import { conflict, taken } from '../request/change.ts';
import type { Entrance, Entrances, Visitor } from '../request/perform.ts';
import { newToken } from '../request/session.ts';
import { admitted, knownDevice, noteEntry } from './admitted.ts';
import { inUse } from './members.ts';
import { hashPassword, isLongEnough, verifyPassword } from './password.ts';
import { requireCode } from './second-factor.ts';
import { requireStrong } from './strength.ts';

const SETUP_LINK_SECONDS = 7 * 86_400;

/** Returns the secret of a new link, unless an account can log in already. */
export const offerSetup = (ports: Ports): Promise<Secret | null> =>
  ports.database.transaction(async (tx) => {
    await lockSetup(tx);
    if (await isSetUp(tx)) {
      await deleteSetupLinks(tx);
      return null;
    }
    const token = newToken();
    await insertSetupLink(tx, hashOf(token), secondsAfter(ports.now(), SETUP_LINK_SECONDS));
    return token;
  });

const getEntrance: Entrance<'getEntrance'> = async (ports) => {
  const { db } = ports.database;
  const done = await isSetUp(db);
  const organizations = done ? [] : await allOrganizations(db);
  // With several organizations, none is revealed.
  const organizationName = organizations.length === 1 ? (organizations[0]?.name ?? null) : null;
  return outside({
    isSetUp: done,
    organizationName,
    mailsPasswords: false,
    passkeyHost: null,
    provider: null,
    ...(Object.assign({}, ...ports.hooks.map(({ entrance }) => entrance?.(ports))) as Partial<Output<'getEntrance'>>),
  });
};

/** Sets up the owner of the provisioned organization, or of a new one. */
const setUp: Entrance<'setUp'> = async (ports, visitor, input) => {
  await requireLink(ports, ports.database.db, input.token).catch((error: unknown) => wrongLink(ports, visitor, error));
  await requireStrong(input.password, [input.name, input.email, input.organizationName], 'password');
  const passwordHash = await inTurn(visitor.address, () => hashPassword(input.password, ports.settings.passwordCost));
  return ports.database.transaction(async (tx) => {
    await lockSetup(tx);
    await requireLink(ports, tx, input.token);
    await deleteSetupLinks(tx);
    const userId = await upsertUser(tx, { id: newId(), email: input.email, name: input.name, passwordHash });
    const found = await allOrganizations(tx);
    const ids = found.map((o) => o.id);
    if (ids.length === 0) {
      const slug = slugOf(input.organizationName, 'organization');
      ids.push(await upsertOrganization(tx, { id: newId(), slug, name: input.organizationName, plan: 'UNLIMITED' }));
    }
    for (const organizationId of ids) {
      await upsertMembership(tx, { organizationId, userId, role: 'OWNER', allProjects: true });
    }
    const [first, ...others] = ids as [string, ...string[]];
    for (const organizationId of others)
      await noteEntry(ports, tx, visitor, 'setUp', { organizationId, userId, name: input.name });
    return admitted(ports, tx, visitor, 'setUp', { userId, organizationId: first, name: input.name });
  });
};

async function requireLink(ports: Ports, tx: Tx, token: Secret): Promise<void> {
  if (!(await isSetUp(tx)) && (await isSetupLink(tx, hashOf(token), ports.now()))) return;
  const message =
    'This link has been used or has expired. Until an account exists, each start of the service prints a new one.';
  throw new ApiError('FORBIDDEN', message);
}

let decoy: Promise<string> | undefined;

const logIn: Entrance<'logIn'> = async (ports, visitor, { email, password, code }) => {
  const { db } = ports.database;
  const known = await knownDevice(ports, visitor, email);
  const attempt = await beginAttempt(ports, { ...visitor, email, known });
  const user = await userByEmail(db, email);
  decoy ??= hashPassword(newToken(), ports.settings.passwordCost);
  const hash = user?.passwordHash ?? (await decoy);
  const isRight = await inTurn(visitor.address, () => verifyPassword(password, hash));
  if (!user?.passwordHash || !isRight || user.suspendedAt)
    throw new ApiError('UNAUTHORIZED', 'The e-mail address or the password is not right.');
  await requireCodeOf(ports, visitor, 'logIn', { userId: user.id, email, code, known }, attempt);
  await attempt.succeeded();
  const [first] = await organizationsOf(db, user.id);
  if (!first) throw new ApiError('FORBIDDEN', 'You no longer belong to an organization. Ask for an invitation.');
  const session = { userId: user.id, organizationId: first.id, name: user.name };
  return ports.database.transaction((tx) => admitted(ports, tx, visitor, 'logIn', session));
};

type KnownAccount = {
  readonly userId: string;
  readonly email: string;
  readonly code: Secret | undefined;
  /** See knownDevice. */
  readonly known: string | null;
};

/** Requires a second factor from a user who gave the right password. @throws ApiError */
async function requireCodeOf(
  ports: Ports,
  visitor: Visitor,
  name: EntranceName,
  { known, ...account }: KnownAccount,
  attempt: LogInAttempt,
): Promise<void> {
  const { email } = account;
  await requireCode(ports, { ...account, place: known && `browser ${known}` }, attempt).catch(
    async (error: unknown) => {
      if ((error as ApiError).code === 'VALIDATION_ERROR') await noteEntranceRefusal(ports, visitor, name, { email });
      throw error;
    },
  );
}

const openInvitation: Entrance<'openInvitation'> = async (ports, visitor, { token }) => {
  const { passwordHash, organizationName, email, role } = await found(ports, ports.database.db, visitor, token);
  return outside({ organizationName, email, role, hasAccount: passwordHash !== null });
};

const acceptInvitation: Entrance<'acceptInvitation'> = async (ports, visitor, { token, name, password, code }) => {
  const { db } = ports.database;
  const invitation = await found(ports, db, visitor, token);
  const { email, organizationId } = invitation;
  let passwordHash: string | undefined;
  if (invitation.passwordHash !== null) {
    const known = await knownDevice(ports, visitor, email);
    const attempt = await beginAttempt(ports, { ...visitor, email, known });
    const hash = invitation.passwordHash;
    if (!(await inTurn(visitor.address, () => verifyPassword(password, hash)))) {
      await noteEntranceRefusal(ports, visitor, 'acceptInvitation', { email });
      throw invalid([{ path: ['password'], message: `is not the password of the account ${email}` }]);
    }
    const { userId } = invitation;
    if (userId !== null)
      await requireCodeOf(ports, visitor, 'acceptInvitation', { userId, email, code, known }, attempt);
    await attempt.succeeded();
  } else {
    if (invitation.userId !== null) await requireUnused(db, invitation.userId, email);
    if (!name) throw invalid([{ path: ['name'], message: 'is required' }]);
    if (!isLongEnough(password))
      throw invalid([{ path: ['password'], message: 'a password has at least 12 characters' }]);
    await requireStrong(password, [name, email, invitation.organizationName], 'password');
    passwordHash = await inTurn(visitor.address, () => hashPassword(password, ports.settings.passwordCost));
  }
  return ports.database.transaction(async (tx) => {
    if (!(await deleteInvitation(tx, organizationId, invitation.id))) throw expired();
    const known = await lockUserByEmail(tx, email);
    // The password was set or changed since it was checked.
    if ((known?.passwordHash ?? null) !== invitation.passwordHash) throw changed(email);
    const userId = known?.id ?? newId();
    if (passwordHash && known) await requireUnused(tx, known.id, email);
    if (passwordHash && known) await giveFirstPassword(tx, organizationId, userId, passwordHash);
    if (passwordHash && !known) {
      await insertUser(tx, { id: userId, email, name: name ?? email, passwordHash }).catch(
        taken(changed(email).message),
      );
    }
    await join(tx, { organizationId, userId, role: invitation.role, projectIds: invitation.projectIds });
    const session = { userId, organizationId, name: known?.name ?? name ?? email };
    return admitted(ports, tx, visitor, 'acceptInvitation', session);
  });
};

/** The owner uses this account although it has no password: a link does not prove that its holder is the owner. */
async function requireUnused(tx: Tx, userId: string, email: string): Promise<void> {
  if (await isInUse(tx, userId)) throw conflict(inUse(email));
}

const changed = (email: string) => conflict(`The account ${email} has changed meanwhile. Open the link again.`);

/** An account is the same in every organization, so no organization may open one that reaches into another. */
async function giveFirstPassword(tx: Tx, organizationId: string, userId: string, passwordHash: string): Promise<void> {
  if ((await organizationsOf(tx, userId)).some((o) => o.id !== organizationId)) {
    const message = 'This account gets its password from where it was provisioned, not by an invitation.';
    throw new ApiError('FORBIDDEN', message);
  }
  await setPassword(tx, userId, passwordHash);
}

type Membership = {
  readonly organizationId: string;
  readonly userId: string;
  readonly role: Role;
  readonly projectIds: readonly string[] | null;
};

/** Members who are invited to log in keep their role and access. */
async function join(tx: Tx, { organizationId, userId, role, projectIds }: Membership): Promise<void> {
  const member = await memberOf(tx, organizationId, userId);
  if (member) {
    if (atLeast(role, member.role)) return;
    throw conflict('Your role has changed since you were invited. Ask for another invitation.');
  }
  await upsertMembership(tx, { organizationId, userId, role, allProjects: projectIds === null });
  await setProjectMembers(tx, organizationId, userId, await projectsAmong(tx, organizationId, projectIds ?? []));
}

const expired = () => new ApiError('NOT_FOUND', 'This invitation is used, withdrawn or expired. Ask for another one.');

async function found(ports: Ports, tx: Tx, visitor: Visitor, token: Secret) {
  const invitation = await invitationOf(tx, hashOf(token), ports.now());
  return invitation ?? wrongLink(ports, visitor, expired());
}

const outside = <A>(answer: A) => ({ answer, sessionToken: null, deviceToken: null });

export const CORE_ENTRANCES: Pick<Entrances, Extract<CoreName, EntranceName>> = {
  getEntrance,
  setUp,
  logIn,
  openInvitation,
  acceptInvitation,
};

/** @throws ApiError */
export async function enter<N extends EntranceName>(
  entrances: Entrances,
  name: N,
  ports: Ports,
  visitor: Visitor,
  input: Input<N>,
) {
  const { email } = input as { readonly email?: string };
  // A known browser has a limit of its own, and a correct link is accepted at any time.
  const guesser =
    visitor.device === null && email !== undefined ? `${name} ${email} ${networkOf(visitor.address)}` : null;
  const repeated = guesser === null ? null : repeatedRefusal(ports, guesser);
  if (repeated !== null) throw repeated;
  try {
    return await (entrances[name] as Entrance<N>)(ports, visitor, input);
  } catch (error) {
    if (!(error instanceof ApiError && IS_REFUSAL.has(error.code))) throw error;
    await noteEntranceRefusal(ports, visitor, name, input);
    if (guesser !== null && error.code === 'RATE_LIMITED')
      keepRefusal(ports, guesser, error, (count) => {
        noteEntranceRefusal(ports, visitor, name, input, count).catch(({ message }: Error) =>
          ports.log.warn({ error: message, count }, 'refusals not stored'),
        );
      });
    throw error;
  }
}

/** Input errors are reported only to the sender. */
const IS_REFUSAL: ReadonlySet<string> = new Set(['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'RATE_LIMITED']);

/** Refusals are reported to the organizations of the named account. */
async function noteEntranceRefusal(
  ports: Ports,
  { address }: Visitor,
  name: EntranceName,
  input: object,
  count = 1,
): Promise<void> {
  const { db } = ports.database;
  const { email } = input as { readonly email?: string };
  const user = email === undefined ? undefined : await userByEmail(db, email);
  const organizations = user ? await organizationsOf(db, user.id) : [];
  const refusal = { userId: user?.id ?? null, actor: email ?? '', via: 'LOGIN' as const, target: {}, address };
  for (const organizationId of organizations.length > 0 ? organizations.map((o) => o.id) : [null])
    await noteRefusal(ports, { ...refusal, organizationId, action: `${name}Refused` }, count);
}
