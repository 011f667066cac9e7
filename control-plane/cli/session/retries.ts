/**
 * A `fetch` that retries after a network error, 429, and 502 to 504. The pauses grow, or are as long as Retry-After states. A
 * request that changes something is repeated only if its Idempotency-Key keeps the server from executing it twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;
const PASSING: readonly number[] = [429, 502, 503, 504];

export type RetryOptions = {
  readonly attempts: number;
  readonly ending: AbortSignal;
  readonly report: (message: string) => void;
  readonly send?: typeof fetch;
  readonly firstPauseMs?: number;
};

export const retrying =
  ({ attempts, ending, report, send = fetch, firstPauseMs = FIRST_PAUSE_MS }: RetryOptions): typeof fetch =>
  async (input, init = {}) => {
    const method = init.method ?? 'GET';
    const isSafe = method === 'GET' || new Headers(init.headers).has('idempotency-key');
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= attempts;
      let pauseMs = firstPauseMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
      try {
        const response = await send(input, init);
        // A request that was refused before it was processed can always be repeated.
        const mayRepeat = isSafe || response.status === 429;
        if (isLast || !mayRepeat || !PASSING.includes(response.status)) return response;
        const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
        if (seconds >= 0) pauseMs = Math.max(pauseMs, seconds * 1000);
        await response.body?.cancel();
        report(`The server answered ${response.status}`);
      } catch (error) {
        if (isLast || !isSafe || ending.aborted || UNTRUSTED.test(codeOf(error))) throw error;
        report(`The server is unreachable (${reasonOf(error)})`);
      }
      await sleep(Math.min(pauseMs, MAX_PAUSE_MS), undefined, { signal: ending });
    }
  };

/** What OpenSSL says where no authority that is trusted vouches for the server. No pause changes that. */
const UNTRUSTED = /SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)/;

type Failed = Error & { readonly cause?: Error & { readonly code?: string } };

const codeOf = (error: unknown): string => (error as Failed).cause?.code ?? '';

/** The reason of a failed `fetch`, which is in the error's cause. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const { cause, message } = error as Failed;
  return UNTRUSTED.test(code)
    ? `no authority that is trusted here issued its certificate (${code}). NODE_EXTRA_CA_CERTS=FILE trusts another one`
    : code || cause?.message || message;
}
