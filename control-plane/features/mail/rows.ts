/** The operations of mail about incidents. */
import * as z from 'zod';
import type { OperationRow } from '../../contract/row.ts';
import { MailSettings, MailSettingsChange } from './contract/mail-settings.ts';

const projectId = z.string().describe('project id');
const row = {
  answers: 'single',
  extension: true,
  status: 200,
  versioned: true,
  path: '/projects/{projectId}/mail',
  role: 'ADMIN',
  output: MailSettings,
} as const;

export const ROWS = {
  getMailSettings: {
    ...row,
    method: 'GET',
    summary: 'Recipients of incident mail, and the last mails',
    input: z.object({ projectId }),
  },
  updateMailSettings: {
    ...row,
    method: 'PATCH',
    summary: 'Change the recipients of incident mail',
    input: z.object({ projectId, ...MailSettingsChange }),
  },
} as const satisfies Record<string, OperationRow>;

export const BODIES = { updateMailSettings: { recipients: ['noc@example.org'] } };

type MailRows = typeof ROWS;
declare module '../../contract/catalogue.ts' {
  interface FeatureRows extends MailRows {}
}
