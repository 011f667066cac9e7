/** The mail with the link that sets a new password. */
import { plain } from '../../../domain/messages/wording.ts';

export function passwordMail(m: { readonly name: string; readonly url: string; readonly minutes: number }): {
  subject: string;
  text: string;
} {
  const lines = [
    `Hello ${plain(m.name, 100)},`,
    '',
    'a new password was requested for your Carillon account. Use this link to set it:',
    '',
    m.url,
    '',
    `The link works once and expires after ${m.minutes} minutes. Your other sessions end when you use it.`,
    'If you did not request it, ignore this message: your password does not change.',
  ];
  return { subject: '[Carillon] Set a new password', text: `${lines.join('\n')}\n` };
}
