/** Sends mail through one SMTP server. The address in SMTP_URL may contain a password: it is never printed. */
import type { Secret } from '@carillon/proto/base/secret.ts';
import { createTransport } from 'nodemailer';
import type { Mail, Mailer, MailFault } from '../../../mailer.ts';

type MailOptions = { readonly smtpUrl: Secret; readonly from: string };

const TIMEOUT_MS = 10_000;

/** Shown within the HTML, as `cid:logo`. */
const LOGO = { cid: 'logo', filename: 'logo.png', contentType: 'image/png', contentDisposition: 'inline' } as const;

/** An answer from 500 up is final (RFC 5321, 4.2.1). */
export function openMail({ smtpUrl, from }: MailOptions): Mailer {
  const transport = createTransport({
    url: smtpUrl.reveal(),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const send = async ({ id, to, subject, text, html, logo }: Mail): Promise<MailFault | null> => {
    const [, domain = 'localhost'] = from.replace(/>\s*$/, '').split('@');
    try {
      await transport.sendMail({
        from,
        // This is an object, because a string would be split into several addresses.
        to: { name: '', address: to },
        subject,
        text,
        ...(html !== undefined && { html }),
        ...(logo && { attachments: [{ ...LOGO, content: logo }] }),
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      return null;
    } catch (error) {
      const { message, responseCode = 0 } = error as Error & { responseCode?: number };
      return { error: message, final: responseCode >= 500 };
    }
  };
  const check = (): Promise<string | null> =>
    transport.verify().then(
      () => null,
      (error: Error) => error.message,
    );
  return { send, check, close: () => transport.close() };
}
