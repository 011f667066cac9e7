/**
 * Challenges for browsers: each is random, for one purpose, and valid for a few minutes. Unanswered ones are not
 * stored, so unlimited requests cost no memory.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { secondsAfter } from '../../domain/seconds-after.ts';
import type { Ports } from '../../ports.ts';
import { ringOf } from '../../store/db.ts';

const RANDOM_BYTES = 16;
const TIME_BYTES = 6;
const MAC_BYTES = 16;

export const CHALLENGE_SECONDS = 300;

const macsOf = (ports: Ports, purpose: string, head: Buffer): Buffer[] =>
  ringOf(ports.database.db)
    .macs(`challenge ${purpose} ${head.toString('hex')}`)
    .map((mac) => mac.subarray(0, MAC_BYTES));

/**
 * @param purpose its use and owner
 * @param seconds its validity
 */
export function newChallenge(ports: Ports, purpose: string, seconds = CHALLENGE_SECONDS): Buffer {
  const head = Buffer.alloc(RANDOM_BYTES + TIME_BYTES);
  randomBytes(RANDOM_BYTES).copy(head);
  head.writeUIntBE(secondsAfter(ports.now(), seconds).getTime(), RANDOM_BYTES, TIME_BYTES);
  return Buffer.concat([head, macsOf(ports, purpose, head)[0] as Buffer]);
}

/** The challenge's expiry; null: invalid, for another purpose, or expired. */
export function challengeEnd(ports: Ports, purpose: string, challenge: Buffer): Date | null {
  if (challenge.length !== RANDOM_BYTES + TIME_BYTES + MAC_BYTES) return null;
  const head = challenge.subarray(0, RANDOM_BYTES + TIME_BYTES);
  const mac = challenge.subarray(RANDOM_BYTES + TIME_BYTES);
  if (!macsOf(ports, purpose, head).some((one) => timingSafeEqual(one, mac))) return null;
  const end = new Date(head.readUIntBE(RANDOM_BYTES, TIME_BYTES));
  return end > ports.now() ? end : null;
}
