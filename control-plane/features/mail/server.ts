/** What mail adds to the control plane. */
import type { JobHandlers } from '../../operations/jobs.ts';
import type { Handlers } from '../../operations/request/perform.ts';
import type { Hooks } from '../../ports.ts';
import type { JOBS } from './jobs.ts';
import { getMailSettings, updateMailSettings } from './operations/mail-settings.ts';
import { failLost, sendMail, spreadMail } from './operations/send.ts';
import type { ROWS } from './rows.ts';
import { isMailed } from './store/mails.ts';

export const HANDLERS: Pick<Handlers, keyof typeof ROWS> = { getMailSettings, updateMailSettings };

export const JOB_HANDLERS: Pick<JobHandlers, keyof typeof JOBS> = {
  'mail.send': (ports, { mailId, attempt }) => sendMail(ports, mailId, attempt),
};

export const HOOKS: Hooks = { isWanted: isMailed, spread: spreadMail, retain: failLost };
