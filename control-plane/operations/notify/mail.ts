/** One attempt of a mail. A permanent refusal ends it, other errors are retried for a day. */
import type { Telling } from '../../contract/notify/announcement.ts';
import { mailText } from '../../domain/messages/mail.ts';
import { nextTryAt } from '../../domain/webhook.ts';
import type { Ports } from '../../ports.ts';
import { mailToSend, setMail } from '../../store/notify/mails.ts';

/** The mail server existed when the mail was written. */
const NO_SERVER = { error: 'The installation has no mail server any more (SMTP_URL).', final: true };

export async function sendMail(ports: Ports, mailId: string, attempt: number): Promise<void> {
  const { mail } = ports.courier;
  const m = await mailToSend(ports.database.db, mailId);
  if (m?.status !== 'PENDING' || m.attempts !== attempt - 1) return;
  const fault = mail
    ? await mail({ id: m.id, to: m.recipient, ...mailText(m as Telling, ports.settings.publicUrl) })
    : NO_SERVER;
  await ports.database.transaction(async (tx) => {
    const at = fault === null || fault.final ? null : nextTryAt(attempt, m.retryUntil, ports.now());
    const status = fault === null ? 'DELIVERED' : at === null ? 'FAILED' : 'PENDING';
    if (!(await setMail(tx, mailId, attempt, { status, error: fault?.error ?? null })) || at === null) return;
    await ports.jobs.enqueue(tx, 'mail.send', { mailId, attempt: attempt + 1 }, { startAfter: at });
  });
  if (fault) ports.log.warn({ mailId, attempt, error: fault.error, final: fault.final }, 'mail not taken');
}
