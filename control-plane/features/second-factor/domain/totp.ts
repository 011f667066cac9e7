/** One-time codes by time (RFC 6238): HMAC-SHA-1, six digits and steps of 30 s, which every authenticator supports. */
import { Secret } from '@carillon/proto/base/secret.ts';
import { Secret as Base32, TOTP } from 'otpauth';

const ISSUER = 'Carillon';
const STEP_SECONDS = 30;
/** The secret is as long as its hash (RFC 4226, 4). */
const SECRET_BYTES = 20;
/** A device's clock may be off by a step, and a person takes a while to type (RFC 6238, 5.2). */
const STEPS_OFF = 1;

/** The secret in base 32, the format of authenticators. */
export const newTotpSecret = (): Secret => new Secret(new Base32({ size: SECRET_BYTES }).base32);

const totpOf = (secret: Secret, account: string) =>
  new TOTP({
    issuer: ISSUER,
    label: account,
    algorithm: 'SHA1',
    digits: 6,
    period: STEP_SECONDS,
    secret: Base32.fromBase32(secret.reveal()),
  });

/** The time step of a code that is correct at this instant; null: it is wrong. */
export function stepOfCode(secret: Secret, code: string, atMs: number): number | null {
  if (!/^[0-9]{6}$/.test(code)) return null;
  const totp = totpOf(secret, '');
  const off = totp.validate({ token: code, timestamp: atMs, window: STEPS_OFF });
  return off === null ? null : totp.counter({ timestamp: atMs }) + off;
}

/** The content of a QR code for authenticators (Key URI Format). */
export const totpUrl = (secret: Secret, account: string): string => totpOf(secret, account).toString();
