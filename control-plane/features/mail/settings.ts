/** Environment variables of mail. Without SMTP_URL nothing is sent. */
import { Secret } from '@carillon/proto/base/secret.ts';
import * as z from 'zod';

export const ENVIRONMENT = {
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'is not an smtp:// or smtps:// address' })
    .transform((text) => new Secret(text))
    .optional()
    .describe('mail server, `smtp://` or `smtps://user:password@host:port`; default: no mail is sent'),
  CARILLON_MAIL_FROM: z.string().min(3).default('Carillon <carillon@localhost>').describe('sender of mail'),
};

const Own = z.object(ENVIRONMENT);
export type MailEnvironment = z.output<typeof Own>;
