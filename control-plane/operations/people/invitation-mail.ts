/**
 * The link of an invitation for an existing account belongs to the account's owner alone: it is mailed, and the
 * inviting ADMIN does not see it. The secret is made when it is mailed, so that no job contains it.
 */
import { invitationMail } from '../../domain/messages/invitation-mail.ts';
import type { Ports } from '../../ports.ts';
import { invitationById, setInvitationHash } from '../../store/people/invitations.ts';
import { addressWith, hashOf } from '../request/actor.ts';
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
  const text = invitationMail({ organization: invitation.organizationName, url, expiresAt: invitation.expiresAt });
  const fault = await mail.send({ id: hashOf(token).toString('hex').slice(0, 32), to: invitation.email, ...text });
  if (fault !== null) ports.log.warn({ error: fault.error }, 'an invitation could not be mailed');
}
