/** Outgoing mail: a feature sends it. */
import type { MailContent } from './domain/messages/branded-mail.ts';

/** `id`: a repetition of the same mail has the same id. */
export type Mail = MailContent & { readonly id: string; readonly to: string };
export type MailFault = { readonly error: string; readonly final: boolean };

/** Sends mail through a server. Never throws. */
export interface Mailer {
  /** Null: the mail was accepted. */
  send(mail: Mail): Promise<MailFault | null>;
  /** Logs in without a mail. Null: it can; or why not. */
  check(): Promise<string | null>;
  close(): void;
}
