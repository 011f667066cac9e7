/** A mail server in the test's hand. */
import type { Mail, Mailer } from '../mailer.ts';

/** It accepts every mail, and puts it into the list. */
export const mailerTo = (mails: Mail[]): Mailer => ({
  send: async (mail) => {
    mails.push(mail);
    return null;
  },
  check: async () => null,
  close: () => undefined,
});
