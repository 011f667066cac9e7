/** The limits on mails that strangers ask for. */
import { networkOf } from '../../../domain/network.ts';
import { LogInAttempt } from '../../../limits/attempts.ts';
import { LIMITS, shared } from '../../../limits/limits.ts';
import type { Ports } from '../../../ports.ts';

const { withinMs } = LIMITS.network;

export const MAILS = {
  mailRequests: shared(20, withinMs, 'requests for a mail with a link', 'network', '429, `Retry-After`'),
  mails: shared(3, withinMs, 'mails with a link', 'account', 'the same answer, and no mail'),
};

/** Counts a network's request for a mail. @throws ApiError RATE_LIMITED */
export const countRequest = (ports: Ports, address: string): Promise<unknown> =>
  new LogInAttempt(ports).require(`mails for ${networkOf(address)}`, MAILS.mailRequests);

/** True if this user may get another mail. */
export const mayMail = async (ports: Ports, userId: string): Promise<boolean> =>
  (await new LogInAttempt(ports).count(`mail ${userId}`)) <= MAILS.mails.max;
