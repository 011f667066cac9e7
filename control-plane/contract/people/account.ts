/** People: accounts, sessions, members, invitations; API keys and the audit log. */
import * as z from 'zod';
import { Id, Timestamp } from '../envelope.ts';
import { Name, secret, Text } from '../fields.ts';
import { ROLES } from '../roles.ts';
import { SCOPES, TIERS } from './words.ts';

export const Email = Text.max(254)
  .pipe(z.email('is not an e-mail address'))
  .transform((email) => email.toLowerCase());
/** Passwords have to be long rather than complicated (NIST SP 800-63B, 3.1.1). */
export const NewPassword = secret(Text.min(12, 'a password has at least 12 characters').max(200));
const Password = secret(Text.max(200));
const Role = z.enum(ROLES);
export const Token = secret(Text.max(100).describe('the secret of the link'));

export const SetUp = { token: Token, organizationName: Name, name: Name, email: Email, password: NewPassword };
/** Users with a second factor have to enter this code. */
export const Code = secret(Text.max(40).describe('six digits of the authenticator, or a recovery code'));
export const LogIn = { email: Email, password: Password, code: Code.optional() };
export const OpenInvitation = { token: Token };
export const AcceptInvitation = { token: Token, name: Name.optional(), password: Password, code: Code.optional() };
export const PasswordChange = { currentPassword: Password, newPassword: NewPassword };

export const Entrance = z.object({
  isSetUp: z
    .boolean()
    .describe('false: no account exists yet; the link that was printed at the start creates the owner'),
  organizationName: z.string().nullable().describe('organization of a provisioned installation without an account'),
  mailsPasswords: z.boolean().describe('a link that sets a new password can be requested by mail'),
  passkeyHost: z
    .string()
    .nullable()
    .describe('the host name that passkeys are bound to; null: passkeys are not possible at this public URL'),
  provider: z.string().nullable().describe('the name of the identity provider; null: none'),
});

/** Ways to confirm an identity again, in the order of answers. */
export const PROOFS = ['PASSWORD', 'PASSKEY', 'PROVIDER'] as const;

export const Invited = z.object({
  organizationName: z.string(),
  email: z.string(),
  role: Role,
  hasAccount: z.boolean().describe("true: the invitation is accepted with the person's existing password"),
});

/**
 * A project in which the member has another role than in the organization or, without access to all projects, a project
 * with access.
 */
const ProjectRole = z.object({ projectId: Id, role: Role });

/** Null: each key sets its own validity. */
export const KeyDays = z
  .int()
  .min(1)
  .max(3650)
  .nullable()
  .describe('maximum validity of an API key, in days; null: no maximum');

export const NeedsSecondFactor = z.boolean().describe('members who log in need a second factor');

export const Me = z
  .object({
    user: z.object({ id: Id, name: z.string(), email: z.string() }),
    organization: z.object({
      id: Id,
      name: z.string(),
      plan: z.enum(TIERS),
      keyDays: KeyDays,
      needsSecondFactor: NeedsSecondFactor,
      runsInstallation: z.boolean().describe('its OWNERs with access to all projects own the installation'),
    }),
    organizations: z.array(z.object({ id: Id, name: z.string(), role: Role })),
    role: Role,
    allProjects: z.boolean(),
    projectRoles: z.array(ProjectRole),
    secondFactor: z
      .object({ confirmedAt: Timestamp, recoveryCodes: z.int().describe('recovery codes that are left') })
      .nullable()
      .describe('null: none'),
    lacksSecondFactor: z.boolean(),
    proofs: z.array(z.enum(PROOFS)).describe('how the person can confirm their identity'),
    sessionId: Id,
    provedUntil: Timestamp.describe(
      'until then this session may change keys, members and secrets without another confirmation',
    ),
    publicUrl: z.string().nullable().describe('the address to which messages link; null: it is not set'),
  })
  .meta({ id: 'Me' });

export const Session = z
  .object({
    id: Id,
    isThis: z.boolean(),
    createdAt: Timestamp,
    lastSeenAt: Timestamp,
    expiresAt: Timestamp,
    address: z.string(),
    userAgent: z.string(),
  })
  .meta({ id: 'Session' });

export const Member = z
  .object({
    id: Id,
    name: z.string(),
    email: z.string(),
    role: Role,
    projectIds: z.array(Id).nullable().describe('null: all'),
    hasPassword: z.boolean(),
    hasSecondFactor: z.boolean(),
    lastSeenAt: Timestamp.nullable(),
  })
  .meta({ id: 'Member' });

const ProjectIds = z.array(z.uuid()).max(1000).nullable().describe('null: all');
export const MemberChange = { role: Role.optional(), projectIds: ProjectIds.optional() };
export const NewInvitation = { email: Email, role: Role, projectIds: ProjectIds.default(null) };

export const Invitation = z
  .object({
    id: Id,
    email: z.string(),
    role: Role,
    projectIds: z.array(Id).nullable(),
    invitedBy: z.string().nullable(),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  })
  .meta({ id: 'Invitation' });
export const CreatedInvitation = Invitation.extend({
  token: z
    .string()
    .nullable()
    .describe(
      'shown once; the link is /invitation#token; null: the address has an account, and its owner gets the link by mail',
    ),
});

export const ApiKey = z
  .object({
    id: Id,
    name: z.string(),
    lastFour: z.string(),
    createdBy: z.string(),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.nullable(),
    expiresAt: Timestamp.nullable(),
    revokedAt: Timestamp.nullable(),
    scopes: z.array(z.enum(SCOPES)),
    projectIds: z.array(Id).nullable().describe('null: all projects of the person'),
  })
  .meta({ id: 'ApiKey' });
const Scopes = z
  .array(z.enum(SCOPES))
  .refine((scopes) => new Set(scopes).size === scopes.length, 'contains a duplicate')
  .refine((scopes) => scopes.includes('READ'), 'must contain READ')
  .describe('READ: every GET; RUN: start, cancel and check; WRITE: everything else');
export const NewApiKey = {
  name: Name,
  expiresAt: z.iso.datetime().nullable().default(null),
  scopes: Scopes.default([...SCOPES]),
  projectIds: z.array(z.uuid()).min(1).max(1000).nullable().default(null).describe('null: all of my projects'),
};
export const Proof = { password: Password, code: Code.optional() };
export const CreatedApiKey = ApiKey.extend({ key: z.string().describe('shown once') });
