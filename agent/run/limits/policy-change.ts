/** Checks an endpoint's activity against a changed policy. */
import { hostOf } from '../../policy/judge.ts';
import type { SharePlan } from '../plan.ts';
import type { PolicyRefusal } from './host-policy.ts';

/** What the policy of this host permits a share by now. */
export interface Permission {
  readonly mayReach: (address: string) => boolean;
  /** Whether a URI that the far end names may be called. */
  readonly mayCall: (uri: string) => boolean;
  /** Whether the number of the URI alone may be dialled. */
  readonly mayDial: (uri: string) => boolean;
  readonly mayName: (host: string) => boolean;
}

/** The targets of an endpoint's signalling and media; '' means no target. */
export type Going = { readonly uris: readonly string[]; readonly addresses: readonly string[] };

/** Null: the URI may be called. `why`: the text before the URI. */
export function uriRefusal(
  policy: Pick<Permission, 'mayCall' | 'mayDial'>,
  uri: string,
  why: string,
): PolicyRefusal | null {
  if (policy.mayCall(uri)) return null;
  return { cause: policy.mayDial(uri) ? 'TARGET_NOT_ALLOWED' : 'NUMBER_NOT_ALLOWED', text: `${why} ${uri}` };
}

const CHANGED = 'the policy of this host was changed, and forbids';

/** Null: the endpoint may continue. */
export function refusedNow(
  { plan, policy }: { readonly plan: SharePlan; readonly policy: Permission },
  { uris, addresses }: Going,
): PolicyRefusal | null {
  const forbidden = (what: string): PolicyRefusal => ({
    cause: 'TARGET_NOT_ALLOWED',
    text: `${CHANGED} ${what}`,
  });
  for (const uri of uris) {
    const refusal = uri === '' ? null : uriRefusal(policy, uri, CHANGED);
    if (refusal !== null) return refusal;
  }
  const { register, registrarUri } = plan.group;
  const host = register ? hostOf(registrarUri) : '';
  if (!policy.mayName(host)) return forbidden(host);
  const address = addresses.find((one) => one !== '' && !policy.mayReach(one));
  return address === undefined ? null : forbidden(address);
}
