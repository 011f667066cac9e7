/** What password resets add to the control plane. */
import { calledAs } from '../../called-as.ts';
import type { JobHandlers } from '../../operations/jobs.ts';
import { mailsLinks } from '../../operations/people/invitation-mail.ts';
import type { Entrances } from '../../operations/request/perform.ts';
import type { Hooks } from '../../ports.ts';
import type { JOBS } from './jobs.ts';
import { MAILS } from './limits/mails.ts';
import { dropOldLinks, mailPassword, RESET, requestPassword, setNewPassword } from './operations/password-reset.ts';
import type { ROWS } from './rows.ts';

export const ENTRANCES: Pick<Entrances, keyof typeof ROWS> = { requestPassword, setNewPassword };

export const JOB_HANDLERS: Pick<JobHandlers, keyof typeof JOBS> = { 'password.mail': mailPassword };

export const LIMITS = MAILS;

export const HOOKS: Hooks = {
  retain: dropOldLinks,
  entrance: (ports) => ({ mailsPasswords: mailsLinks(ports) }),
  lostPassword: {
    advice: 'Or ask for a link that sets a new password.',
    adviceFor: (email) => `Its operator can create a link: ${calledAs('account')} reset ${email}`,
  },
  account: { reset: RESET },
};
