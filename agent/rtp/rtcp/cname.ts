import { randomBytes } from 'node:crypto';

/** Random and short-lived, for privacy (RFC 7022, 4.2). */
export const shortLivedCname = (): string => randomBytes(12).toString('base64');
