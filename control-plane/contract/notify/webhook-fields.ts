/** The fields of webhooks that depend on their formats. */
import * as z from 'zod';
import { Pasted, secret } from '../fields.ts';
import { formatsWith, traitsOf, WEBHOOK_FORMATS } from './formats.ts';

const [, ...OTHERS] = WEBHOOK_FORMATS;
const LIST = OTHERS.length === 0 ? '' : `; ${OTHERS.join(', ')}: messages for their incoming webhooks`;
export const WebhookFormat = z.enum(WEBHOOK_FORMATS).describe(`STANDARD: Standard Webhooks${LIST}`);

/** A valid secret is `whsec_` with 24 to 64 bytes in base64, or any other text. */
function isWebhookSecret(text: string): boolean {
  if (/whsec[_-]/i.test(text) && !text.startsWith('whsec_')) return false;
  // Text that is copied from a file may have quotation marks.
  if (/^["'\u2018\u201c].*["'\u2019\u201d]$/.test(text)) return false;
  const encoded = text.startsWith('whsec_') ? text.slice('whsec_'.length) : null;
  if (encoded === null) return true;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === encoded;
}

const KEYS = formatsWith('key').map((format) => `; ${format}: the ${traitsOf(format).key?.name}`);
export const WebhookSecret = secret(
  Pasted.min(24)
    .max(256)
    .refine(
      isWebhookSecret,
      'is in quotation marks, or names whsec_ without being whsec_ (in lower case) and base64 of 24 to 64 bytes',
    )
    .describe(`key of the signatures (Standard Webhooks): whsec_ and base64, else the text itself${KEYS.join('')}`),
);
