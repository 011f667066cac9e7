/** The tables of the feature. Generated: npm run generate. */

import type { DeliveryStatus } from '../../../contract/notify/words.ts';
import type { Generated, Timestamp } from '../../../store/tables.gen.ts';

export interface MailSettings {
  project_id: string;
  recipients: string[];
  updated_at: Generated<Timestamp>;
  version: Generated<number>;
}

export interface Mails {
  announcement_id: string;
  attempts: Generated<number>;
  created_at: Timestamp;
  error: string | null;
  id: string;
  project_id: string;
  recipient: string;
  retry_until: Timestamp;
  status: Generated<DeliveryStatus>;
}

declare module '../../../store/tables.gen.ts' {
  interface DB {
    mail_settings: MailSettings;
    mails: Mails;
  }
}
