/**
 * Numbers that an agent's policy certainly refuses: the agent would refuse its share of the run. The agent decides
 * uncertain cases. Pure, except for cached patterns.
 */
import { dialledNumber, numberJudge, type PatternBudget } from '@carillon/proto/dialled-number.ts';
import { type NumberPattern, parsePattern } from '@carillon/proto/number-pattern.ts';
import { escapeUser } from '../../../contract/sip-uri.ts';
import type { TestConfig } from '../../../contract/test-settings/test.ts';
import { type AccountNames, accountPools } from '../group/accounts.ts';
import { filledUri } from '../group/own-values.ts';
import { completeConfig } from '../group/scenario.ts';
import type { RegistrarPlan } from '../plan/plan.ts';

/** Absent in reports of older agents. */
export type NumberPolicy = {
  readonly refusedNumbers?: readonly string[];
  readonly allowedNumbers?: readonly string[] | null;
  readonly outsideLinePrefixes?: readonly string[];
};

const MAX_PATTERNS = 50;
/** The limit of URIs that differ by the calling account. */
const MAX_URIS = 100;
const MAX_URI = 200;
const MAX_PREFIXES = 20;
const PREFIX = /^[\d*#]{1,4}$/;

/** The budget of one preflight: some ten milliseconds at most. The agents judge what it does not cover. */
export const preflightBudget = (): PatternBudget => ({ parts: 2_000_000 });
/** Preparing a part of a pattern takes as long as examining it for this many characters. */
const PREPARING = 1000;
const MAX_PREPARED = 500;

/** The patterns by their text; the oldest are deleted first. */
const prepared = new Map<string, NumberPattern | null>();

/** Null: the pattern is unusable, or the budget does not suffice. */
function patternOf(text: string, budget: PatternBudget): NumberPattern | null {
  const known = prepared.get(text);
  if (known !== undefined) return known;
  budget.parts -= PREPARING * text.length;
  if (budget.parts < 0) return null;
  const parsed = parsePattern(text);
  const pattern = typeof parsed === 'string' ? null : parsed;
  budget.parts -= PREPARING * ((pattern?.parts ?? text.length) - text.length);
  if (prepared.size >= MAX_PREPARED) prepared.delete(prepared.keys().next().value as string);
  prepared.set(text, pattern);
  return pattern;
}

/** True if the number of this URI is certainly refused. The patterns come from an agent, so their cost is limited. */
export function refuses(policy: NumberPolicy, budget: PatternBudget): (uri: string) => boolean {
  const { refusedNumbers = [], allowedNumbers = null, outsideLinePrefixes = [] } = policy;
  const usable = (texts: readonly string[]): NumberPattern[] =>
    texts.slice(0, MAX_PATTERNS).flatMap((text) => patternOf(text, budget) ?? []);
  const allowed = allowedNumbers === null ? null : usable(allowedNumbers);
  const judge = numberJudge({
    refused: usable(refusedNumbers),
    allowed: allowed?.length === allowedNumbers?.length ? allowed : null,
    outsideLinePrefixes: outsideLinePrefixes.filter((prefix) => PREFIX.test(prefix)).slice(0, MAX_PREFIXES),
  });
  const judged = new Map<string, boolean>();
  return (uri) => {
    const isRefused = judged.get(uri) ?? (uri.length <= MAX_URI && judge(uri, budget) === false);
    judged.set(uri, isRefused);
    return isRefused;
  };
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
      return all.slice(0, Math.min(needed, MAX_URIS));
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
      const each = [...new Set(uris)].slice(0, MAX_URIS);
      return [group.id, each.map((uri) => ({ uri, number: dialledNumber(uri) }))];
    }),
  );
}
