/** The formats of webhooks: the JSON of the published contract, and those of features. Pages have it, so it has no schema. */
import { FEATURE_WEBHOOK_FORMATS } from '../../feature-sums/formats.ts';
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
