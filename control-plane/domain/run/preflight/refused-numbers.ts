/**
 * Numbers that an agent's policy surely refuses: the agent would refuse its share of the run. What is not sure is left to the agent. Pure.
 */
import { dialledNumber, numberPredicate } from '@carillon/proto/dialled-number.ts';
import type { TestConfig } from '../../../contract/test/test.ts';
import { escapeUser } from '../../sip-uri.ts';
import { type AccountNames, accountPools } from '../group/accounts.ts';
import { filledUri } from '../group/own-values.ts';
import { completeConfig } from '../group/scenario.ts';
import type { RegistrarPlan } from '../plan/plan.ts';

/** Absent in what older agents said. */
export type NumberPolicy = {
  readonly refusedNumbers?: readonly string[];
  readonly allowedNumbers?: readonly string[] | null;
  readonly outsideLinePrefixes?: readonly string[];
};

const MOST_PATTERNS = 50;
/** Of those that differ by the account that calls. */
const MOST_URIS = 100;
const LONGEST_URI = 200;

/** Patterns are an agent's: only those that take time in proportion to the number are asked here. */
function isQuick(pattern: string): boolean {
  if (!pattern.startsWith('^') || /\)[*+{]|\\[1-9k]/.test(pattern)) return false;
  if ((pattern.match(/[*+]|\{\d+,\}/g) ?? []).length > 1) return false;
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}

/** Is the number of this URI surely refused? */
export function refuses({ refusedNumbers = [], allowedNumbers = null, outsideLinePrefixes = [] }: NumberPolicy) {
  const isKnown = allowedNumbers !== null && allowedNumbers.length <= MOST_PATTERNS && allowedNumbers.every(isQuick);
  const mayDial = numberPredicate({
    refusedNumbers: refusedNumbers.filter(isQuick).slice(0, MOST_PATTERNS),
    allowedNumbers: isKnown ? allowedNumbers : null,
    outsideLinePrefixes,
  });
  return (uri: string): boolean => uri.length <= LONGEST_URI && !mayDial(uri);
}

export type DialledUri = { readonly uri: string; readonly number: string };

/** The URIs that a group's callers dial, by group: callees and transfer targets. */
export function dialledUris(
  config: TestConfig,
  registrars: ReadonlyMap<string, RegistrarPlan>,
  accounts: ReadonlyMap<string, readonly AccountNames[]>,
): ReadonlyMap<string, readonly DialledUri[]> {
  const pools = accountPools(config, registrars, accounts);
  const accountsOf = (group: TestConfig['groups'][number] | undefined): AccountNames[] =>
    (group?.subPopulations ?? []).flatMap(({ id }) => {
      const { accounts: all = [], needed = 0 } = pools.get(id) ?? {};
      return all.slice(0, Math.min(needed, MOST_URIS));
    });
  const { groups } = completeConfig(config);
  return new Map(
    groups.map((group) => {
      const { callee, actions } = group;
      const calledId = callee.mode === 'GROUP' ? callee.groupId : null;
      const called = calledId === null ? [] : accountsOf(groups.find(({ id }) => id === calledId));
      const texts = [
        ...(callee.mode === 'EXTERNAL_URI' ? [callee.uri, ...(callee.uris ?? [])] : []),
        ...actions.flatMap(({ action }) => ('target' in action ? action.target : [])),
      ];
      const owners = [null, ...accountsOf(group)];
      const uris = [
        ...called.map(({ username }) => `sip:${escapeUser(username)}@localhost`),
        ...texts.flatMap((text) =>
          owners.map((account) => filledUri(text, { account, user: account?.username ?? '' })),
        ),
      ];
      const each = [...new Set(uris)].slice(0, MOST_URIS);
      return [group.id, each.map((uri) => ({ uri, number: dialledNumber(uri) }))];
    }),
  );
}
