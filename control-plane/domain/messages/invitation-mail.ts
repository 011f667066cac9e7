/** The mail with an invitation, for a person who has an account. */
import { plain } from './wording.ts';

export function invitationMail(m: { readonly organization: string; readonly url: string; readonly expiresAt: Date }): {
  subject: string;
  text: string;
} {
  const lines = [
    'Hello,',
    '',
    `you are invited to ${plain(m.organization, 100)} on Carillon. Use this link to accept:`,
    '',
    m.url,
    '',
    `The link works once and expires on ${m.expiresAt.toISOString().slice(0, 10)}.`,
    'If you do not expect it, ignore this message: nothing changes.',
  ];
  return { subject: '[Carillon] An invitation', text: `${lines.join('\n')}\n` };
}
