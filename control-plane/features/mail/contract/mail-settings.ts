/** Mail about a project's incidents. */
import * as z from 'zod';
import { Timestamp, Version } from '../../../contract/envelope.ts';
import { ANNOUNCEMENT_KINDS } from '../../../contract/notify/announcement.ts';
import { DELIVERY_STATUSES } from '../../../contract/notify/words.ts';

const MAX_RECIPIENTS = 50;

export const MailSettings = z
  .object({
    recipients: z.array(z.string()),
    isConfigured: z.boolean().describe('false: the installation has no mail server (SMTP_URL), nothing is sent'),
    lastMails: z.array(
      z.object({
        recipient: z.string(),
        event: z.enum(ANNOUNCEMENT_KINDS),
        status: z.enum(DELIVERY_STATUSES),
        attempts: z.int(),
        error: z.string().nullable(),
        createdAt: Timestamp,
      }),
    ),
    version: Version,
  })
  .meta({ id: 'MailSettings' });

export const MailSettingsChange = {
  recipients: z
    .array(z.email().max(254))
    .max(MAX_RECIPIENTS)
    .refine((all) => new Set(all.map((one) => one.toLowerCase())).size === all.length, 'each address must be unique')
    .describe('recipients of mail when an incident opens, escalates or is resolved'),
};
