/** The mail with the link that sets a new password. */
import { plain } from './wording.ts';

export function passwordMail(m: { readonly name: string; readonly url: string; readonly minutes: number }): {
  subject: string;
  text: string;
} {
  const lines = [
    `Hello ${plain(m.name, 100)},`,
    '',
    'somebody, presumably you, asked for a new password of your Carillon account. This link sets it:',
    '',
    m.url,
    '',
    `It is good once, for ${m.minutes} minutes. Your other sessions end when it is used.`,
    'If you did not ask for it, you need not do anything: your password stays as it is.',
  ];
  return { subject: '[Carillon] Set a new password', text: `${lines.join('\n')}\n` };
}
