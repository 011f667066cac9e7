/** The formats of webhooks: the JSON of the published contract, and those of features. */
import * as z from 'zod';
import { FEATURE_WEBHOOK_FORMATS } from '../../feature-sums/formats.ts';
import { Pasted, secret } from '../fields.ts';
import { INCIDENT_EVENTS, type WebhookEvent } from './words.ts';

export type WebhookFormat = 'STANDARD' | keyof typeof FEATURE_WEBHOOK_FORMATS;

/** How a format differs from the standard one, besides its messages. */
type FormatTraits = {
  /** The address is sufficient to post there: it is shown without its path. */
  readonly hasSecretUrl?: true;
  /** The secret is a key of this name, from there: it is sent in the body, and signs nothing. */
  readonly key?: { readonly name: string; readonly of: string };
  /** The receiver is told of incidents, and of nothing else. */
  readonly takesOnlyIncidents?: true;
};

const FORMATS: Readonly<Record<WebhookFormat, FormatTraits>> = { STANDARD: {}, ...FEATURE_WEBHOOK_FORMATS };
/** The standard format is the first one. */
export const WEBHOOK_FORMATS = Object.keys(FORMATS) as [WebhookFormat, ...WebhookFormat[]];

/** A row of the database may have a format whose feature is gone: its address may be a secret. */
export const traitsOf = (format: WebhookFormat): FormatTraits => FORMATS[format] ?? { hasSecretUrl: true };

export const formatsWith = (trait: keyof FormatTraits): readonly WebhookFormat[] =>
  WEBHOOK_FORMATS.filter((format) => FORMATS[format][trait] !== undefined);

export const shownUrl = ({ url, format }: { readonly url: string; readonly format: WebhookFormat }): string =>
  traitsOf(format).hasSecretUrl ? `${new URL(url).origin}/…` : url;

/** The events that a webhook of this format can select. */
export const takesEvent = (format: WebhookFormat, event: WebhookEvent): boolean =>
  !traitsOf(format).takesOnlyIncidents || INCIDENT_EVENTS.includes(event);

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
