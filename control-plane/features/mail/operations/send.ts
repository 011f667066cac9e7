/** Mails about incidents: who gets one, and one attempt. A permanent refusal ends it, other errors are retried for a day. */
import type { Telling } from '../../../contract/notify/announcement.ts';
import { brandedMail, type MailContent } from '../../../domain/messages/branded-mail.ts';
import { secondsAfter } from '../../../domain/seconds-after.ts';
import { nextAttemptAt } from '../../../domain/webhook.ts';
import { brandOf } from '../../../operations/request/brand.ts';
import type { Ports } from '../../../ports.ts';
import type { Tx } from '../../../store/db.ts';
import { mailText } from '../domain/mail.ts';
import { failLostMails, insertMails, mailToSend, setMail } from '../store/mails.ts';

/** The margin after the last attempt is due: a job that waits in a full queue still arrives. */
const LOST_SECONDS = 3600;
/** The mail server existed when the mail was written. */
const NO_SERVER = { error: 'The installation has no mail server any more (SMTP_URL).', final: true };

export async function sendMail(ports: Ports, mailId: string, attempt: number): Promise<void> {
  const { mail } = ports;
  const m = await mailToSend(ports.database.db, mailId);
  if (m?.status !== 'PENDING' || m.attempts !== attempt - 1) return;
  const fault = mail
    ? await mail.send({ id: m.id, to: m.recipient, ...(await contentOf(ports, m.organizationId, m as Telling)) })
    : NO_SERVER;
  await ports.database.transaction(async (tx) => {
    const at = fault === null || fault.final ? null : nextAttemptAt(attempt, m.retryUntil, ports.now());
    const status = fault === null ? 'DELIVERED' : at === null ? 'FAILED' : 'PENDING';
    if (!(await setMail(tx, mailId, attempt, { status, error: fault?.error ?? null })) || at === null) return;
    await ports.jobs.enqueue(tx, 'mail.send', { mailId, attempt: attempt + 1 }, { startAfter: at });
  });
  if (fault) ports.log.warn({ mailId, attempt, error: fault.error, final: fault.final }, 'mail not taken');
}

async function contentOf(ports: Ports, organizationId: string, telling: Telling): Promise<MailContent> {
  const brand = await brandOf(ports, organizationId);
  return brandedMail(mailText(telling, ports.settings.publicUrl, brand?.name ?? 'Carillon'), brand);
}

export async function spreadMail(ports: Ports, tx: Tx, announcementId: string, retryUntil: Date): Promise<void> {
  if (ports.mail === null) return;
  for (const { id } of await insertMails(tx, announcementId, ports.now(), retryUntil))
    await ports.jobs.enqueue(tx, 'mail.send', { mailId: id, attempt: 1 });
}

/** Ends mails whose last attempt was lost. */
export const failLost = ({ database, now }: Ports): Promise<unknown> =>
  failLostMails(database.db, secondsAfter(now(), -LOST_SECONDS));
