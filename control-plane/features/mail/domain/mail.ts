/** A mail about an incident: plain text, so that names and reasons cannot add markup. */
import type { Telling } from '../../../contract/notify/announcement.ts';
import { acknowledgeLinkOf, linkOf } from '../../../domain/messages/link.ts';
import { plain, wordingOf } from '../../../domain/messages/wording.ts';

/** `sender`: of whom it is. */
export function mailText(a: Telling, publicUrl: string | null, sender: string): { subject: string; text: string } {
  const { headline, facts } = wordingOf(a);
  const width = Math.max(...facts.map(([label]) => label.length));
  const link = linkOf(a, publicUrl);
  const acknowledge = acknowledgeLinkOf(a, link);
  const lines = [
    plain(headline, 200),
    '',
    ...facts.map(([label, value]) => `${`${label}:`.padEnd(width + 2)}${plain(value, 500)}`),
    ...(link === null ? [] : ['', link]),
    ...(acknowledge === null ? [] : [`To acknowledge: ${acknowledge}`]),
    '',
    `${sender}${publicUrl === null ? '' : `, ${publicUrl}`}`,
    'You receive this because your address is among the mail recipients of the project.',
  ];
  return { subject: plain(`[${sender}] ${headline}`, 200), text: `${lines.join('\n')}\n` };
}
