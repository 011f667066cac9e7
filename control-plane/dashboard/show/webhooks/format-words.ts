/** The formats of webhooks in words: the standard one, and those of features. */
import type { WebhookFormat } from '../../../contract/notify/formats.ts';
import { FEATURE_PAGES } from '../../../feature-sums/pages.ts';
import type { FormatWords } from '../../feature.ts';

const STANDARD: FormatWords = {
  name: 'your systems',
  label: 'Standard Webhooks (signed JSON)',
  placeholder: 'https://hooks.example/carillon',
};
const WORDS: Readonly<Partial<Record<WebhookFormat, FormatWords>>> = Object.assign(
  { STANDARD },
  ...FEATURE_PAGES.map(({ webhookFormats }) => webhookFormats),
);

/** A format whose feature is gone has the words of the standard one. */
export const wordsOf = (format: WebhookFormat): FormatWords => WORDS[format] ?? STANDARD;

/** What webhooks notify, within a sentence. */
export const RECEIVERS = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  Object.values(WORDS).map(({ name }) => name),
);
