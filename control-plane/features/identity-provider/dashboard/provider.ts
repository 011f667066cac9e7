/**
 * A log-in through the identity provider, from one of our pages to another. This browser keeps the data under the state that the
 * provider returns; sessionStorage would be lost on the other site. A confirmation uses a separate window, so that typed data
 * stay. That window reports through a channel.
 */
import { call } from '../../../dashboard/api.ts';

export type Purpose = 'LOG_IN' | 'PROOF' | 'CONNECT';
type PendingLogin = {
  readonly purpose: Purpose;
  readonly secret: string;
  readonly next: string;
  readonly atMs: number;
};

const PREFIX = 'carillon-sign-in ';
/** The server refuses answers after this time. */
const KEEP_MS = 600_000;
const CHANNEL = 'carillon-proof';
const BEGIN = { LOG_IN: 'beginSignIn', PROOF: 'beginProviderProof', CONNECT: 'beginConnecting' } as const;
const FINISH = { LOG_IN: 'signIn', PROOF: 'proveMeByProvider', CONNECT: 'connectIdentity' } as const;

/** Leaves this page. `next` is the page to show when the person returns. */
export async function goToProvider(purpose: Purpose, next: string): Promise<void> {
  const { url, secret } = await call(BEGIN[purpose], {});
  forgetOld();
  const kept: PendingLogin = { purpose, secret, next, atMs: Date.now() };
  localStorage.setItem(PREFIX + stateOf(new URL(url).search), JSON.stringify(kept));
  window.location.assign(url);
}

const stateOf = (search: string): string => new URLSearchParams(search).get('state') ?? '';

function forgetOld(): void {
  for (const key of Object.keys(localStorage).filter((one) => one.startsWith(PREFIX))) {
    const { atMs } = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<PendingLogin>;
    if (!(Date.now() - (atMs ?? 0) < KEEP_MS)) localStorage.removeItem(key);
  }
}

/** @param parameters the callback parameters of the provider */
export function whatWasBegun(parameters: string): PendingLogin | null {
  const kept = localStorage.getItem(PREFIX + stateOf(parameters));
  return kept === null ? null : (JSON.parse(kept) as PendingLogin);
}

export async function finishAtProvider(
  { purpose, secret }: PendingLogin,
  parameters: string,
  code: string,
): Promise<void> {
  await call(FINISH[purpose], { secret, parameters, ...(code !== '' && { code }) });
  localStorage.removeItem(PREFIX + stateOf(parameters));
  if (purpose === 'PROOF') new BroadcastChannel(CHANNEL).postMessage('given');
}

/** Opens the confirmation window, and resolves after the confirmation. If `signal` is aborted, the result is no longer needed. */
export function proveAtProvider(signal: AbortSignal): Promise<void> {
  window.open('/sign-in?proof=1', 'carillon-proof', 'width=520,height=680');
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = () => {
      channel.close();
      resolve();
    };
    signal.addEventListener('abort', () => channel.close());
  });
}
