/** Everything that the control plane sends without a request. */
import type { Courier } from '../ports.ts';
import { type MailOptions, openMail } from './mail.ts';
import { type PostOptions, post, refusal } from './post.ts';

export type CourierOptions = { readonly webhooks: PostOptions; readonly mail: MailOptions | null };

export function openCourier({ webhooks, mail }: CourierOptions): Courier & { close(): void } {
  const send = mail && openMail(mail);
  return {
    refusal: (url) => refusal(url, webhooks),
    post: (request) => post(request, webhooks),
    mail: send,
    close: () => send?.close(),
  };
}
