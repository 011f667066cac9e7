/** What an endpoint does, against a policy that has come in between. */
import { hostOf } from '../policy/judge.ts';
import type { Share } from './endpoint.ts';
import type { Refusal } from './host-policy.ts';

export type PolicyChange = {
  readonly longestCallMs: number;
  readonly mayName: (host: string) => boolean;
  readonly nowMs: number;
};

/** Where an endpoint's signalling and media go; '' of what there is none. */
export type Going = { readonly uris: readonly string[]; readonly addresses: readonly string[] };

/** Null: it may go on. */
export function refusedNow(
  share: Pick<Share, 'plan' | 'mayCall' | 'mayDial' | 'mayReach'>,
  { mayName }: PolicyChange,
  { uris, addresses }: Going,
): Refusal | null {
  const forbidden = (what: string): Refusal => ({
    cause: 'TARGET_NOT_ALLOWED',
    text: `the policy of this host was changed, and forbids ${what}`,
  });
  const uri = uris.find((one) => one !== '' && !share.mayCall(one));
  if (uri !== undefined)
    return share.mayDial(uri) ? forbidden(uri) : { ...forbidden(uri), cause: 'NUMBER_NOT_ALLOWED' };
  const { register, registrarUri } = share.plan.group;
  const host = register ? hostOf(registrarUri) : '';
  if (!mayName(host)) return forbidden(host);
  const address = addresses.find((one) => one !== '' && !share.mayReach(one));
  return address === undefined ? null : forbidden(address);
}
