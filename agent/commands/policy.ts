/** `carillon-agent policy check`: reads the owner's policy as the agent does, and shows it. */
import { isIP } from 'node:net';
import { numberObstacle } from '@carillon/proto/dialled-number.ts';
import { callPredicate, domainPredicate, hostOf, reachPredicate } from '../policy/judge.ts';
import { type Policy, readPolicy } from '../policy/policy.ts';

/** 0: the policy is valid and allows every target; 1: a target is refused. */
export async function policyCommand(file: string | null, targets: readonly string[]): Promise<number> {
  const policy = await readPolicy(file);
  console.log(file === null ? 'No policy file: the defaults apply.' : `${file} is valid.`);
  if (targets.length === 0) for (const line of summary(policy)) console.log(line);
  const refused = targets.map((target) => ({ target, why: refusal(policy, target) }));
  for (const { target, why } of refused)
    console.log(`${why === null ? 'allowed' : 'refused'}  ${target}${why === null ? '' : `: ${why}`}`);
  return refused.some(({ why }) => why !== null) ? 1 : 0;
}

/**
 * Null: allowed, as the agent decides before a call. A name is not resolved: each of its addresses is checked when
 * something is sent.
 */
export function refusal(policy: Policy, target: string): string | null {
  if (isIP(target) !== 0)
    return reachPredicate(policy)(target) ? null : 'the address is in none of the target networks';
  const uri = /^(?:sips?|tel):/i.test(target) ? target : `tel:${target}`;
  if (callPredicate(policy)(uri)) return null;
  const obstacle = numberObstacle(policy, uri);
  if (obstacle !== '') return `the number is refused: ${obstacle}`;
  if (!domainPredicate(policy)(hostOf(uri))) return 'the domain is not one of the target domains';
  return 'an address in it is in none of the target networks, or is not written as four decimal numbers or as IPv6';
}

const summary = (policy: Policy): string[] =>
  Object.entries(policy).map(([name, value]) => `${name.padEnd(20)} ${Array.isArray(value) ? value.join(' ') : value}`);
