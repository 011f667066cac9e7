/**
 * The step after the right password, at each log-in and confirmation of a user with a second factor. A feature verifies it; without one
 * such a user is refused: a password alone is never enough. API keys and agents are not affected.
 */
import { Secret } from '@carillon/proto/base/secret.ts';
import { ApiError } from '../../contract/errors.ts';
import type { SentCode } from '../../hooks.ts';
import type { LogInAttempt } from '../../limits/attempts.ts';
import type { Ports } from '../../ports.ts';
import { secondFactorOf } from '../../store/people/second-factors.ts';

type CodeRequest = Omit<SentCode, 'code'> & { readonly code: Secret | undefined };

/**
 * Verifies and consumes the code of a user with a second factor after the right password. Other users need none.
 * @param attempt the attempt at the password: without a code it is neither a failure nor a success
 * @throws ApiError CODE_REQUIRED, VALIDATION_ERROR at `code`, RATE_LIMITED; FORBIDDEN: nothing verifies codes
 */
export async function requireCode(
  ports: Ports,
  { code, ...whose }: CodeRequest,
  attempt?: LogInAttempt,
): Promise<void> {
  if (!(await secondFactorOf(ports.database.db, whose.userId))) return;
  const takeCode = ports.hooks.find((hooks) => hooks.takeCode)?.takeCode;
  if (!takeCode || code === undefined || code.equals(NOTHING)) {
    await attempt?.withdrawn();
    throw takeCode
      ? new ApiError('CODE_REQUIRED', 'This account has a second factor: send the code of its authenticator as well.')
      : new ApiError('FORBIDDEN', 'This account has a second factor, and this Carillon has nothing that verifies one.');
  }
  await takeCode(ports, { ...whose, code });
}

const NOTHING = new Secret('');
