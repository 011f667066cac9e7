/** What the features of features.ts have in formats.ts. Generated: npm run generate. */
import { WEBHOOK_FORMATS as WEBHOOK_FORMATS_OF_CHAT_FORMATS } from '../features/chat-formats/formats.ts';

/** Formats of webhooks. */
export const FEATURE_WEBHOOK_FORMATS = { ...WEBHOOK_FORMATS_OF_CHAT_FORMATS } as const;
