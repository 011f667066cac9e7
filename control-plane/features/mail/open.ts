/** The mail server that the environment names. */
import type { Ports } from '../../ports.ts';
import { openMail } from './courier/smtp.ts';
import type { MailEnvironment } from './settings.ts';

export const OPENERS = {
  mail: ({ SMTP_URL: smtpUrl, CARILLON_MAIL_FROM: from }: MailEnvironment): Ports['mail'] =>
    smtpUrl === undefined ? null : openMail({ smtpUrl, from }),
};
