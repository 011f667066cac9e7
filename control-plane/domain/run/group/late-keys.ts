/** Finds keys that do not fit into a call, with the values of accounts filled in. Pure. */
import type { Action } from '../../../contract/test-settings/scenario.ts';
import type { Group } from '../../../contract/test-settings/test.ts';
import type { AccountNames } from './accounts.ts';
import { ACTION_PACE, type KeyPace, keysMs } from './key-times.ts';
import { filledText } from './own-values.ts';

type Keys = { readonly path: string; readonly digits: string; readonly pace: KeyPace };

const keysOf = ({ dtmf, actions }: { readonly dtmf: Group['dtmf']; readonly actions: readonly Action[] }): Keys[] => [
  ...(dtmf ? [{ path: 'dtmf.digits', digits: dtmf.digits, pace: dtmf }] : []),
  ...actions.flatMap(({ trigger, action }, i) =>
    trigger.on === 'ANSWERED' && action.do === 'SEND_DTMF' && action.by === 'RFC4733'
      ? [
          {
            path: `actions.${i}.action.digits`,
            digits: action.digits,
            pace: { ...ACTION_PACE, afterMs: Math.round(trigger.afterSeconds * 1000) },
          },
        ]
      : [],
  ),
];

/** The account with the longest keys, if its call ends before the last one; null: none. */
export function lateKeys(
  group: Parameters<typeof keysOf>[0],
  accounts: readonly AccountNames[],
  durationSeconds: number,
): string | null {
  for (const { path, digits, pace } of keysOf(group)) {
    const [longest] = accounts
      .map((account) => ({ account, keys: filledText(digits, { account, user: '' }).length }))
      .sort((a, b) => b.keys - a.keys);
    if (longest === undefined) continue;
    const ms = keysMs(longest.keys, pace);
    if (ms > durationSeconds * 1000)
      return `with the values of account ${longest.account.username}, the ${longest.keys} keys of ${path} are pressed until ${ms} ms after the answer, and a call lasts ${durationSeconds} s`;
  }
  return null;
}
