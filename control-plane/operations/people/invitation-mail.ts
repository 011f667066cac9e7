/**
 * The link of an invitation for an existing account belongs to the account's owner alone: it is mailed, and the
 * inviting ADMIN does not see it. The secret is made when it is mailed, so that no job contains it.
 */
import { brandedMail } from '../../domain/messages/branded-mail.ts';
import { invitationMail } from '../../domain/messages/invitation-mail.ts';
import type { Ports } from '../../ports.ts';
import { invitationById, setInvitationHash } from '../../store/people/invitations.ts';
import { addressWith, hashOf } from '../request/actor.ts';
import { brandOf } from '../request/brand.ts';
import { newToken } from '../request/session.ts';

/** Mail needs an SMTP server and a public address for its links. */
export const mailsLinks = ({ mail, settings }: Ports): boolean => mail !== null && settings.publicUrl !== null;

export async function mailInvitation(ports: Ports, invitationId: string): Promise<void> {
  const { mail } = ports;
  const { publicUrl } = ports.settings;
  if (mail === null || publicUrl === null) return;
  const { db } = ports.database;
  const invitation = await invitationById(db, invitationId, ports.now());
  if (!invitation) return;
  const token = newToken();
  await setInvitationHash(db, invitationId, hashOf(token));
  const url = addressWith(`${publicUrl.replace(/\/+$/, '')}/invitation#`, token);
  const { organizationId, organizationName, expiresAt } = invitation;
  const text = invitationMail({ organization: organizationName, url, expiresAt });
  const content = brandedMail(text, await brandOf(ports, organizationId));
  const fault = await mail.send({ id: hashOf(token).toString('hex').slice(0, 32), to: invitation.email, ...content });
  if (fault !== null) ports.log.warn({ error: fault.error }, 'an invitation could not be mailed');
}
